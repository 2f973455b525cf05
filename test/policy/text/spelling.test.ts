import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, foldWord, SILENT } from "../../../src/policy/text/fold.ts";
import { skeletonOf } from "../../../src/policy/text/lookalike.ts";

const anything = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string());

describe("a folded text", () => {
  it("has an offset for every offset of what was typed", () => {
    fc.assert(fc.property(anything, (text) => foldText(text).length === text.length));
  });

  it("is the fold of itself", () => {
    fc.assert(fc.property(anything, (text) => foldText(foldText(text)) === foldText(text)));
  });

  it.each([
    ["Don’t SEND it", "don't send it"],
    ["“quoted” „quoted“ «quoted»", '"quoted" "quoted" "quoted"'],
    ["Lösche Über Größe", "losche uber grose"],
    ["Envía a Núñez", "envia a nunez"],
    ["ＤＥＬＥＴＥ　ａｌｌ", "delete all"],
    ["𝗱𝗲𝗹𝗲𝘁𝗲", "delete"],
    ["de\u200blete", "delete"],
    ["pay\u00a0now", "pay now"],
    ["删除文件。", "删除文件."],
    ["a — b – c", "a - b - c"],
  ])("spells %j as words are looked up", (typed, folded) => {
    expect(foldText(typed).replaceAll(SILENT, "")).toBe(folded);
  });

  it("leaves half a pair and an emoji what they are", () => {
    expect(foldText("😀")).toBe("😀");
    expect(foldText("\ud83d!")).toBe("\ud83d!");
  });
});

it("a word of a table and a word that was typed meet in one spelling", () => {
  for (const typed of ["Lösche", "LÖSCHE", "lo\u0308sche", "ｌösche"]) expect(foldWord(typed)).toBe("losche");
});

describe("a skeleton", () => {
  it.each([
    ["john@example.com", "jоhn@example.com"],
    ["john@example.com", "JOHN@EXAMPLE.COM"],
    ["paypal.com", "paypa1.com"],
    ["paypal.com", "раураl.com"],
    ["microsoft.com", "rnicrosoft.com"],
    ["vw.example", "vvv.example"],
    ["google.com", "g00gle.com"],
    ["acme.example", "acme\u200b.example"],
    ["acme.example", "ａｃｍｅ.example"],
    ["cloud.example", "doud.example"],
  ])("is shared by %j and %j", (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one));
  });

  it.each([
    ["john@example.com", "jane@example.com"],
    ["john@example.com", "john@example.org"],
    ["bob+a@example.com", "bob@example.com"],
    ["acme.example", "acme-corp.example"],
  ])("is not shared by %j and %j", (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one));
  });

  it("is made of any text", () => {
    fc.assert(fc.property(anything, (text) => typeof skeletonOf(text) === "string"));
  });
});
