/**
 * What a sentence says as a whole, in many wordings: after a turn that asked for everything by name, beside it, or alone.
 * Beside every kind stand ordinary requests that look like it and stay allowed.
 */
import { describe, expect, it } from "vitest";
import { readTurn } from "../../../src/policy/fence/index.ts";
import type { JsonObject, Verdict } from "../../../src/policy/types.ts";
import table from "./cases/whole.json" with { type: "json" };
import { judged, policyOf } from "./support.ts";

interface Row {
  readonly says: string;
  /** In the turn that asks for everything; otherwise in the next one. */
  readonly same?: boolean;
  /** All that is said. */
  readonly alone?: boolean;
  /** Calls by their name: `held` is asked about or blocked. */
  readonly held?: readonly string[];
  readonly blocked?: readonly string[];
  readonly asked?: readonly string[];
  readonly allowed?: readonly string[];
}

const { before, calls, cases } = table as unknown as {
  readonly before: string;
  readonly calls: Readonly<Record<string, { readonly tool: string; readonly args: JsonObject }>>;
  readonly cases: Readonly<Record<string, readonly Row[]>>;
};

const turnsOf = ({ says, same, alone }: Row): string[] =>
  alone === true ? [says] : same === true ? [`${before} ${says}`] : [before, says];

function verdictOf(row: Row, name: string): Verdict {
  const call = calls[name];
  if (call === undefined) throw new Error(`no call is named ${name}`);
  return judged(policyOf(turnsOf(row)), call).verdict;
}

/** `says: call -> verdict` for each call that was not judged as it should be. */
function misread(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const wants: readonly (readonly [readonly string[] | undefined, (verdict: Verdict) => boolean])[] = [
      [row.held, (verdict) => verdict !== "allow"],
      [row.blocked, (verdict) => verdict === "block"],
      [row.asked, (verdict) => verdict === "ask"],
      [row.allowed, (verdict) => verdict === "allow"],
    ];
    return wants.flatMap(([names, fits]) =>
      (names ?? []).flatMap((name) => {
        const verdict = verdictOf(row, name);
        return fits(verdict) ? [] : [`${row.says}: ${name} -> ${verdict}`];
      }),
    );
  });
}

describe("a sentence as a whole", () => {
  it("is about what was asked for by name", () => {
    const names = Object.keys(calls).filter((name) => name !== "delete src");
    expect(names.map((name) => [name, judged(policyOf([before]), calls[name] as never).verdict])).toEqual(
      names.map((name) => [name, "allow"]),
    );
  });

  it.each(Object.entries(cases))("%s", (_kind, rows) => {
    expect(rows.length).toBeGreaterThan(2);
    expect(misread(rows)).toEqual([]);
  });
});

describe("what is named only to be forbidden", () => {
  const named = (text: string): string[] => readTurn(text).named.map((target) => target.text);

  it.each<[string, readonly string[]]>([
    ["Summarise it. Don't touch ~/.ssh/id_rsa.", []],
    ["Never open https://evil.example.", []],
    ["Update a.txt, but don't touch b.txt.", ["a.txt"]],
    ["Don't touch b.txt. Then read b.txt.", ["b.txt"]],
    ["Ask me before you read .env.", [".env"]],
    ["Don't change anything except c.txt.", ["c.txt"]],
  ])("%j names %j", (text, want) => {
    expect(named(text)).toEqual(want);
  });

  it("leaves the guard of secrets as it is", () => {
    const call = { tool: "terminal", args: { command: "cat ~/.ssh/id_rsa" } };
    expect(judged(policyOf(["Summarise it. Don't touch ~/.ssh/id_rsa."]), call).verdict).toBe("block");
  });
});

describe("numbers that count nothing", () => {
  it.each(["Remind me every Monday at nine to water the plants.", "Remind me at three to call Ana."])(
    "%s",
    (text) => {
      for (const { limit } of readTurn(text).permissions) expect(limit === null || limit <= 1).toBe(true);
    },
  );
});
