/** What an oath says to the agent at the start of a session, and which paths its clients keep fingerprints of. */

import type { PathBound } from "../types.ts";
import type { BoundOath, OathSource } from "./compile.ts";

export interface Briefing {
  readonly missions: string[];
  /** The rules in force, each as sworn. */
  readonly rules: string[];
  /** Both as prose, to be put before the agent's first turn. */
  readonly text: string;
}

/** A sworn set of paths. `pattern` is as written, `bound` as expanded; `line` is the first that swears it. */
export interface Surface {
  readonly pattern: string;
  readonly bound: PathBound;
  readonly line: number;
  readonly oath: OathSource;
}

/**
 * What is briefed on the first turn of a session and of each continuation: standing missions first, then the rules in force.
 * `null` when there is nothing sworn, since an agent without an oath is told nothing. Source: the Oathkeeper seed, `pre_llm_call`.
 */
export function briefingOf(oaths: readonly BoundOath[]): Briefing | null {
  const missions = unique(oaths.flatMap((oath) => oath.missions));
  const inForce = oaths.flatMap((oath) =>
    oath.lines.filter((line) => line.surface !== null || line.missing !== null),
  );
  const rules = unique(inForce.map((line) => line.cite.text));
  if (missions.length === 0 && rules.length === 0) return null;

  const parts: string[] = [];
  if (missions.length > 0) {
    const one = missions.length === 1;
    parts.push(
      `Your owner gave you ${one ? "a standing mission" : "standing missions"}. ${one ? "It outlives" : "They outlive"} any single task:`,
      ...missions.map((mission) => `- ${mission}`),
    );
  }
  if (rules.length > 0) {
    if (parts.length > 0) parts.push("");
    parts.push(
      "Your owner swore this oath. Each tool call is checked against it before it runs, and one that breaks it is refused:",
      ...rules.map((rule) => `- ${rule}`),
    );
    if (inForce.some((line) => line.rule.kind === "require")) {
      parts.push(
        "A required backup is a copy made with cp, rsync, tar, zip or scp, in an earlier call of this session that succeeded.",
      );
    }
    parts.push(
      "Only the owner can change the oath, and not through you. When a line stands in your way, say so and ask.",
    );
  }
  return { missions, rules, text: parts.join("\n") };
}

/** The sworn paths of this session, each once, in the order of the oaths and lines. Lines that could not be bound have none. */
export function surfacesOf(oaths: readonly BoundOath[]): Surface[] {
  const surfaces = new Map<PathBound, Surface>();
  for (const oath of oaths) {
    for (const { rule, surface } of oath.lines) {
      if (surface === null || surfaces.has(surface.bound)) continue;
      surfaces.set(surface.bound, {
        pattern: rule.pattern,
        bound: surface.bound,
        line: rule.line,
        oath: oath.source,
      });
    }
  }
  return [...surfaces.values()];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
