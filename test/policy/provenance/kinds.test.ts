import { describe, it } from "vitest";
import { detectClaims } from "../../../src/policy/provenance/index.ts";
import cases from "./cases/kinds.json" with { type: "json" };

const isClaim = (text: string): boolean => detectClaims(text).length > 0;

// Lines of notes by kind, in both languages: what a careful reader takes for a decision of the agent's own user, and what not.
describe("kinds of lines", () => {
  it.each(Object.entries(cases.claims))("that claim a decision, %s", (_, texts) => {
    const missed = texts.filter((text) => !isClaim(text));
    if (missed.length > 0) throw new Error(missed.join("\n"));
  });

  it.each(Object.entries(cases.others))("that claim none, %s", (_, texts) => {
    const wrong = texts.filter(isClaim);
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
  });

  it("that are still misread", ({ expect }) => {
    // Whoever teaches it one of these moves it to the others.
    expect(cases.open.claims.filter(isClaim)).toEqual([]);
    expect(cases.open.others.filter((text) => !isClaim(text))).toEqual([]);
  });
});
