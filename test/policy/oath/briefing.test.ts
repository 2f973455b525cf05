import { describe, expect, it } from "vitest";
import { briefingOf, surfacesOf } from "../../../src/policy/oath/index.ts";
import { sworn } from "./support.ts";

describe("briefingOf", () => {
  it("is silent without an oath", () => {
    expect(briefingOf([])).toBeNull();
    expect(briefingOf([sworn("# later")])).toBeNull();
  });

  it("tells missions first, then the rules as sworn, of both oaths", () => {
    const briefing = briefingOf([
      sworn("never delete: ~/.hermes/memories/**\nstanding mission: keep the owner's work moving"),
      sworn(
        "Always require backup before modify: ~/.hermes/skills/**\nnever delete: ~/.hermes/memories/**",
        {},
        "agent",
      ),
    ]);
    expect(briefing?.missions).toEqual(["keep the owner's work moving"]);
    expect(briefing?.rules).toEqual([
      "never delete: ~/.hermes/memories/**",
      "Always require backup before modify: ~/.hermes/skills/**",
    ]);
    const text = briefing?.text ?? "";
    expect(text.indexOf("keep the owner's work moving")).toBeLessThan(text.indexOf("never delete"));
    expect(text).toContain("made with cp, rsync, tar, zip or scp");
  });

  it("tells missions alone, and rules that cannot be checked yet", () => {
    expect(briefingOf([sworn("standing mission: a\nstanding mission: b")])?.text).toBe(
      "Your owner gave you standing missions. They outlive any single task:\n- a\n- b",
    );
    expect(briefingOf([sworn("never delete: $NOPE/x")])?.rules).toEqual(["never delete: $NOPE/x"]);
  });

  it("leaves out what names nothing on this system", () => {
    expect(briefingOf([sworn("never delete: C:\\x")])).toBeNull();
  });
});

describe("surfacesOf", () => {
  it("lists each sworn path once", () => {
    const oaths = [
      sworn("standing mission: x\nnever delete: ~/a\nnever modify: ~/a/**\nnever any: $NOPE/x"),
      sworn("always require backup before any: ~/*.md\nnever create: ~/a", {}, "agent"),
    ];
    expect(surfacesOf(oaths)).toEqual([
      { pattern: "~/a", bound: "/home/u/a/**", line: 2, oath: "organization" },
      { pattern: "~/*.md", bound: "/home/u/*.md", line: 1, oath: "agent" },
    ]);
    expect(surfacesOf([])).toEqual([]);
  });
});
