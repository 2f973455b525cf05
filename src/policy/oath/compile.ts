/**
 * Oath -> compiled oath (once per version) -> bound oath (once per environment). Both are cached by whoever holds them;
 * judging then touches only the lines that could matter to a call.
 */

import { type CompiledBound, compileBound } from "../paths/bound.ts";
import { foldsCase } from "../paths/index.ts";
import type { NearIndex } from "../paths/near.ts";
import type { Environment, FileVerb, OathCitation, PathBound } from "../types.ts";
import { type Oath, type RuleLine, verbsOf } from "./oath.ts";
import { bindPattern, type Missing } from "./pattern.ts";

export type OathSource = OathCitation["oath"];

/** An oath and which one it is: what every reason cites. */
export interface CompiledOath {
  readonly source: OathSource;
  readonly version: number;
  readonly missions: readonly string[];
  readonly rules: readonly RuleLine[];
}

/** One rule in one session. */
export interface BoundLine {
  readonly rule: RuleLine;
  readonly cite: OathCitation;
  readonly verbs: readonly FileVerb[];
  /** `null` when the line could not be bound, or when it can name no path on this session's system. */
  readonly surface: { readonly bound: PathBound; readonly compiled: CompiledBound } | null;
  /** What the session must declare before the line can be checked. */
  readonly missing: Missing | null;
}

/** An oath with its patterns expanded for one environment. Not plain data: keep it in memory, bind it anew elsewhere. */
export interface BoundOath {
  readonly source: OathSource;
  readonly version: number;
  readonly missions: readonly string[];
  readonly lines: readonly BoundLine[];
  readonly foldCase: boolean;
  readonly index: LineIndex;
}

/** Bound lines by the folders that their patterns begin with, so that a call meets only the lines near its paths. */
export interface LineIndex extends NearIndex {
  /** Lines that lack something of the environment. */
  readonly missing: readonly number[];
}

/** A parsed oath as the organization's or an agent's, under the version that its swearing made. */
export function compileOath(oath: Oath, source: OathSource, version: number): CompiledOath {
  const missions: string[] = [];
  const rules: RuleLine[] = [];
  for (const line of oath.lines) {
    if (line.kind === "mission") missions.push(line.mission);
    else rules.push(line);
  }
  return { source, version, missions, rules };
}

/**
 * Expands the patterns for one environment. A line whose home or variable the session did not declare stays in force without
 * a surface: {@link judgeOath} then refuses what it cannot rule out. Case is folded on darwin and windows. Total.
 */
export function bindOath(compiled: CompiledOath, environment: Environment): BoundOath {
  const { source, version, missions } = compiled;
  const foldCase = foldsCase(environment);
  const letters = foldCase ? "fold" : "exact";
  const byKey = new Map<string, number[]>();
  const missing: number[] = [];
  const lines = compiled.rules.map((rule, at): BoundLine => {
    const cite: OathCitation = { oath: source, version, line: rule.line, text: rule.text };
    const found = bindPattern(rule.pattern, environment);
    const line = { rule, cite, verbs: verbsOf(rule.verb), surface: null, missing: null };
    if (found.kind === "elsewhere") return line;
    if (found.kind === "missing") {
      missing.push(at);
      return { ...line, missing: found.missing };
    }
    const bound = compileBound(found.bound, letters);
    const known = byKey.get(bound.key);
    if (known === undefined) byKey.set(bound.key, [at]);
    else known.push(at);
    return { ...line, surface: { bound: found.bound, compiled: bound } };
  });
  return {
    source,
    version,
    missions,
    lines,
    foldCase,
    index: { keys: [...byKey.keys()].sort(), byKey, missing },
  };
}
