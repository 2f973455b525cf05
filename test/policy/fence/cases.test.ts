/** Tables of what people say, and what of it an agent may then do. Every case is judged as a session would. */
import { describe, expect, it } from "vitest";
import { compileRules, spend, type Turn, type Use } from "../../../src/policy/fence/index.ts";
import type { JsonObject, Verdict } from "../../../src/policy/types.ts";
import namedCalls from "./cases/calls.json" with { type: "json" };
import carrying from "./cases/carrying.json" with { type: "json" };
import languages from "./cases/languages.json" with { type: "json" };
import limits from "./cases/limits.json" with { type: "json" };
import places from "./cases/places.json" with { type: "json" };
import prohibitions from "./cases/prohibitions.json" with { type: "json" };
import requests from "./cases/requests.json" with { type: "json" };
import shown from "./cases/shown.json" with { type: "json" };
import speakers from "./cases/speakers.json" with { type: "json" };
import turns from "./cases/turns.json" with { type: "json" };
import { judged, UNUSED } from "./support.ts";

interface ToolUse {
  readonly tool: string;
  readonly args: JsonObject;
  /** After which turn it comes; the last one where it does not say. */
  readonly after?: number;
}

interface Case {
  readonly says: string | readonly (string | Turn)[];
  /** The first turn begins with a story. */
  readonly background?: boolean;
  /** In order, since budgets are used up: a call, or its name in `calls.json`; its verdict; where that is a known limit, what would be right. */
  readonly calls: readonly (readonly [string | ToolUse, Verdict, Verdict?])[];
}

/** What nobody asks for stands before what somebody does. */
const STORY =
  'Hi! Some background first. We moved house in February and since then the paperwork lives in four places. Please be careful with the water company, they use two different numbers. Label each relevant mail with "Move2024" while you are at it. ';

const CALLS = namedCalls as Readonly<Record<string, ToolUse>>;
const FILES = {
  "what is asked for": requests,
  "what is forbidden": prohibitions,
  "what is said in other languages": languages,
  "what later turns change": turns,
  "what is only shown": shown,
  "who says it": speakers,
  "which places are meant": places,
  "what would be carried out": carrying,
  "known limits": limits,
} as unknown as Readonly<Record<string, readonly Case[]>>;

function verdicts({ says, background, calls }: Case): string[] {
  const all = (typeof says === "string" ? [says] : says).map((said, index): Turn => {
    const turn = typeof said === "string" ? { text: said } : said;
    return background === true && index === 0 ? { ...turn, text: STORY + turn.text } : turn;
  });
  let use: Use = UNUSED;
  let seen = -1;
  let policy = compileRules(all);
  return calls.map(([given]) => {
    const call = typeof given === "string" ? CALLS[given] : given;
    if (call === undefined) throw new Error(`no call is named ${JSON.stringify(given)}`);
    const after = call.after ?? all.length - 1;
    if (after !== seen) policy = compileRules(all.slice(0, after + 1));
    seen = after;
    const { verdict, permits } = judged(policy, call, { use });
    if (verdict === "allow") use = spend(use, permits);
    return verdict;
  });
}

const nameOf = (given: string | ToolUse): string =>
  typeof given === "string" ? given : `${given.tool} ${JSON.stringify(given.args)}`;

describe.each(Object.entries(FILES))("%s", (_, cases) => {
  it.each(cases.map((one) => [JSON.stringify(one.says).slice(0, 160), one] as const))("%s", (_says, one) => {
    const got = verdicts(one);
    expect(one.calls.map(([given], at) => [nameOf(given), got[at]])).toEqual(
      one.calls.map(([given, want]) => [nameOf(given), want]),
    );
  });
});
