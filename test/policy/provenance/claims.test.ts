import { describe, it } from "vitest";
import { buildLexicon, detectClaims } from "../../../src/policy/provenance/index.ts";
import { CHINESE_WORDS } from "../../../src/policy/provenance/words/chinese.ts";
import { CHINESE_VERBS } from "../../../src/policy/provenance/words/chinese-verbs.ts";
import { ENGLISH_WORDS } from "../../../src/policy/provenance/words/english.ts";
import { ENGLISH_VERBS } from "../../../src/policy/provenance/words/english-verbs.ts";
import { Role } from "../../../src/policy/provenance/words/index.ts";
import cases from "./cases/claims.json" with { type: "json" };

const claims = (text: string): string[] => detectClaims(text).map(({ pattern }) => pattern);
const isClaim = (text: string): boolean => detectClaims(text).length > 0;

describe("what a text says the user decided", () => {
  it.each(Object.entries(cases.claims))("is seen, %s", (_, texts) => {
    // Own wordings, several for each kind.
    const missed = texts.filter((text) => !isClaim(text));
    if (missed.length > 0) throw new Error(missed.join("\n"));
  });

  it.each(Object.entries(cases.others))("is not what only looks like it, %s", (_, texts) => {
    const wrong = texts.filter(isClaim).map((text) => `${text}   ${claims(text)}`);
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
  });

  it("misses what is known to be missed", ({ expect }) => {
    // Whoever teaches it one of these moves it to the others.
    expect(cases.missed.filter(isClaim)).toEqual([]);
  });

  it("says which wording was found, and where it stands in the text as given", ({ expect }) => {
    const text = "Rota: The us\u200ber **has** approved it. \uff35ser decided to go.";
    const found = detectClaims(text).map(({ pattern, kind, span, sentence }) => [
      pattern,
      kind,
      text.slice(span.start, span.end),
      text.slice(sentence.start, sentence.end),
    ]);
    expect(found).toEqual([
      [
        "en:approved",
        "approval",
        "The us\u200ber **has** approved",
        "Rota: The us\u200ber **has** approved it.",
      ],
      ["en:decided", "decision", "\uff35ser decided", "\uff35ser decided to go."],
    ]);
    expect(claims("用户今天决定停掉每日邮件,老板否决了弹窗。")).toEqual(["zh:决定", "zh:否决"]);
  });

  it("finds several in one sentence, and stops where it is told to", ({ expect }) => {
    expect(claims("User approved the cutover and the owner vetoed doing it at the weekend.")).toHaveLength(2);
    expect(detectClaims("User approved a. ".repeat(300))).toHaveLength(101);
    expect(detectClaims("User approved a. ".repeat(300), { most: 7 })).toHaveLength(7);
  });

  it("knows the names that a deployment gives its users", ({ expect }) => {
    expect(isClaim("Dana picked FastAPI.")).toBe(false);
    const lexicon = buildLexicon({ names: ["Dana"], preferences: false });
    expect(detectClaims("Dana picked FastAPI.", { lexicon })).toHaveLength(1);
    expect(detectClaims("Aunt Dana picked FastAPI.", { lexicon })).toHaveLength(0);
  });

  it("asks for preferences to be backed only where an organization wants that", ({ expect }) => {
    const lexicon = buildLexicon({ names: [], preferences: true });
    for (const text of ["The user prefers tabs.", "用户喜欢先看结论。"]) {
      expect(isClaim(text), text).toBe(false);
      expect(detectClaims(text, { lexicon }), text).toHaveLength(1);
    }
  });
});

describe("names", () => {
  it("can be written in any script", ({ expect }) => {
    for (const name of ["Dana Wu", "小雯", "Ирина", "José"]) {
      const lexicon = buildLexicon({ names: [name], preferences: false });
      expect(detectClaims(`${name} approved the plan.`, { lexicon }), name).toHaveLength(1);
      expect(detectClaims(`${name} 已经同意。`, { lexicon }), name).toHaveLength(1);
    }
    // Nothing of a name is a pattern.
    expect(() =>
      buildLexicon({ names: ["a(b", "", "x".repeat(200), "[\ud800"], preferences: false }),
    ).not.toThrow();
  });
});

describe("the tables", () => {
  it("let every plain English verb make a claim, and none when it is denied or asked", ({ expect }) => {
    let tried = 0;
    for (const [word, forms] of ENGLISH_VERBS) {
      const form = forms.find(({ follows, after }) => follows === undefined && after === undefined);
      if (form === undefined) continue;
      tried += 1;
      expect(claims(`The user ${word} the blue one.`), word).toEqual([form.pattern]);
      expect(claims(`老板 ${word} 了新的文案。`), word).toHaveLength(1);
      for (const other of [
        `The user has not ${word} the blue one.`,
        `If the user ${word} it, go on.`,
        `The user may have ${word} it.`,
        `Has the user ${word} it?`,
        `A user ${word} it.`,
      ])
        expect(claims(other), other).toEqual([]);
    }
    expect(tried).toBeGreaterThan(40);
  });

  it("let every plain Chinese verb make a claim, and none when it is denied or asked", ({ expect }) => {
    let tried = 0;
    for (const [word, forms] of CHINESE_VERBS) {
      const form = forms.find(({ follows, after }) => follows === undefined && after === undefined);
      if (form === undefined || /^(?:定[下了为為在]|没|无|不)/.test(word)) continue;
      tried += 1;
      expect(claims(`用户${word},见上周纪要。`), word).toContain(form.pattern);
      expect(claims(`The user 已经${word},见纪要。`), word).toContain(form.pattern);
      for (const other of [
        `用户还没${word}。`,
        `如果用户${word},就发。`,
        `用户可能${word}。`,
        `某个用户${word}。`,
        `用户${word}吗?`,
      ])
        expect(claims(other), other).toEqual([]);
    }
    expect(tried).toBeGreaterThan(80);
  });

  const english = (role: number): string[] =>
    ENGLISH_WORDS.filter(([roles]) => roles === role).flatMap(([, list]) =>
      list.split("|").flatMap((part, index) => (index === 0 ? part.trim().split(/\s+/) : [part.trim()])),
    );
  const chinese = (role: number): string[] =>
    CHINESE_WORDS.filter(([roles]) => roles === role).flatMap(([, list]) => list.trim().split(/\s+/));

  it("keep a condition, a guess, a scenario and a source from being a report", ({ expect }) => {
    const conditions = english(Role.Condition).filter((word) => !/-/.test(word));
    for (const word of conditions) expect(isClaim(`${word} the user approved the plan`), word).toBe(false);
    for (const word of english(Role.Hedge))
      expect(isClaim(`${word} the user approved the plan`), word).toBe(false);
    for (const word of english(Role.Scenario))
      expect(isClaim(`In the ${word}, the user approved it`), word).toBe(false);
    for (const word of english(Role.Stage))
      expect(isClaim(`In the ${word} the user approved it`), word).toBe(false);
    for (const word of english(Role.Source))
      expect(isClaim(`The ${word} says the user approved it`), word).toBe(false);
    for (const word of chinese(Role.Condition)) expect(isClaim(`${word}用户批准了新首页`), word).toBe(false);
    for (const word of chinese(Role.Hedge)) expect(isClaim(`${word}用户批准了新首页`), word).toBe(false);
    for (const word of chinese(Role.Scenario)) expect(isClaim(`${word},用户批准了新首页`), word).toBe(false);
    for (const word of chinese(Role.Source)) expect(isClaim(`${word}说用户批准了新首页`), word).toBe(false);
  });

  it("know who is somebody else, and what is asked of the user", ({ expect }) => {
    for (const word of chinese(Role.Other)) expect(isClaim(`${word}用户批准了新首页`), word).toBe(false);
    for (const word of chinese(Role.Before)) expect(isClaim(`${word}用户批准`), word).toBe(false);
    for (const word of chinese(Role.Negation)) expect(isClaim(`用户${word}批准新首页`), word).toBe(false);
    for (const word of ["new", "test", "repo", "a", "another", "each", "super"])
      expect(isClaim(`The ${word} user approved it.`) || isClaim(`${word} user approved it.`), word).toBe(
        false,
      );
  });

  it("let a new clause begin behind a contrast", ({ expect }) => {
    for (const word of english(Role.Contrast).filter((one) => one !== "still" && one !== "whereas"))
      expect(isClaim(`In the checkout flow it fails, ${word} the user approved it.`), word).toBe(true);
    for (const word of chinese(Role.Contrast))
      expect(isClaim(`如果失败就回滚,${word}用户批准了发布。`), word).toBe(true);
  });

  it("let time and manner stand between a subject and its verb", ({ expect }) => {
    for (const word of english(Role.Filler).filter((one) => !/-/.test(one)))
      expect(isClaim(`The user ${word} approved the plan.`), word).toBe(true);
    for (const word of english(Role.Medium))
      expect(isClaim(`The user in the ${word} approved the plan.`), word).toBe(true);
    for (const word of chinese(Role.Filler).filter((one) => one !== "坚持" && one !== "堅持"))
      expect(isClaim(`用户${word}批准了新首页。`), word).toBe(true);
    for (const word of english(Role.Field))
      expect(isClaim(`The user approved ${word} is empty.`), word).toBe(false);
  });
});
