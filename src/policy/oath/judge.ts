/** Bound oaths and the one reading of a call -> everything that the oaths hold against it. */

import { type CompiledBound, compileBound } from "../paths/bound.ts";
import { treeBound } from "../paths/index.ts";
import { compiledIntersect, type Steps } from "../paths/match.ts";
import { near } from "../paths/near.ts";
import type { Effects, FileAction, Finding, Opacity, PathBound } from "../types.ts";
import type { BoundLine, BoundOath } from "./compile.ts";
import { backupNeeded } from "./evidence.ts";
import {
  neverMessage,
  opaqueMessage,
  opaqueRequireMessage,
  requireMessage,
  UNKNOWN_PATH,
  unresolvedMessage,
} from "./messages.ts";

/**
 * Comparison steps for one call, some 300 ms. A call of fifty globs against a thousand lines needs a third of it; past it each
 * further line counts as touched, so that a call cannot be too intricate to refuse.
 */
const MAX_CALL_STEPS = 8_000_000;

/** What of a call touches one line. */
interface Touch {
  readonly actions: FileAction[];
  readonly names: PathBound[];
}

/**
 * All findings of all oaths (an organization's and an agent's both bind), in the order of the oaths and their lines; none without
 * an oath, or when no line is touched. Each cites its line.
 *
 * - `oath:never`: an action of the line's verb may act on a path of its surface. An unknown path may be any.
 * - `oath:require-backup`: the same for an `always require` line; falls away `unless` backups cover what is acted on.
 * - `oath:opaque`: what the call does cannot be seen, and it names the line's surface, a path in it or a folder above it, or could not
 *   even be parsed. For an `always require` line it falls away as above; a named path in the surface needs only itself covered.
 * - `oath:unresolved-variable`: the line names what the session did not declare, and the call is opaque or has an action of its verb.
 *
 * Pure and total. Source: the Oathkeeper seed ("any violation blocks the whole call, fail-closed, with the oath line cited").
 */
export function judgeOath(oaths: readonly BoundOath[], effects: Effects): Finding[] {
  const steps: Steps = { left: MAX_CALL_STEPS };
  return oaths.flatMap((oath) => judgeOne(oath, effects, steps));
}

function judgeOne(oath: BoundOath, { actions, opaque }: Effects, steps: Steps): Finding[] {
  if (oath.lines.length === 0 || (actions.length === 0 && opaque === null)) return [];
  const touched = new Map<number, Touch>();
  const touch = (at: number): Touch => {
    const known = touched.get(at);
    if (known !== undefined) return known;
    const fresh: Touch = { actions: [], names: [] };
    touched.set(at, fresh);
    return fresh;
  };

  for (const [path, there] of byPath(actions)) {
    for (const at of meeting(oath, path, steps)) {
      const verbs = oath.lines[at]?.verbs ?? [];
      const counted = there.filter(({ verb }) => verbs.includes(verb));
      if (counted.length > 0) touch(at).actions.push(...counted);
    }
  }
  // Code that is handed a folder may reach everything in it, so that a name stands for its whole tree.
  for (const name of new Set(opaque?.names)) {
    for (const at of meeting(oath, treeBound(name), steps)) touch(at).names.push(name);
  }
  if (opaque?.unparsed) for (const [at, line] of oath.lines.entries()) if (line.surface !== null) touch(at);
  for (const at of oath.index.missing) {
    const verbs = oath.lines[at]?.verbs ?? [];
    if (opaque !== null || actions.some(({ verb }) => verbs.includes(verb))) touch(at);
  }

  const order = [...touched.keys()].sort((a, b) => a - b);
  return order.flatMap((at) => {
    const line = oath.lines[at];
    return line === undefined ? [] : findingsOf(line, touch(at), opaque, oath.foldCase);
  });
}

function byPath(actions: readonly FileAction[]): Map<PathBound, FileAction[]> {
  const grouped = new Map<PathBound, FileAction[]>();
  for (const action of actions) {
    const known = grouped.get(action.path);
    if (known === undefined) grouped.set(action.path, [action]);
    else known.push(action);
  }
  return grouped;
}

/** The lines (places) whose surface may share a path with `bound`. */
function meeting(oath: BoundOath, bound: PathBound, steps: Steps): number[] {
  const wanted: CompiledBound = compileBound(bound, oath.foldCase ? "fold" : "exact");
  return near(oath.index, wanted).filter((at) => {
    const surface = oath.lines[at]?.surface ?? null;
    steps.left -= 1;
    return surface !== null && (steps.left < 0 || compiledIntersect(surface.compiled, wanted, steps));
  });
}

function findingsOf(line: BoundLine, touch: Touch, opaque: Opacity | null, foldCase: boolean): Finding[] {
  const { cite, rule } = line;
  if (line.missing !== null) {
    return [block("oath:unresolved-variable", unresolvedMessage(cite, line.missing), "caller", line)];
  }
  const findings: Finding[] = [];
  const unseen = opaque !== null && (opaque.unparsed || touch.names.length > 0) ? opaque : null;
  if (rule.kind === "never") {
    if (touch.actions.length > 0) {
      const known = touch.actions.some(({ path }) => path !== UNKNOWN_PATH);
      findings.push(block("oath:never", neverMessage(cite, touch.actions), known ? "owner" : "caller", line));
    }
    if (unseen !== null) {
      findings.push(block("oath:opaque", opaqueMessage(cite, unseen, touch.names), "caller", line));
    }
    return findings;
  }
  if (touch.actions.length > 0) {
    const paths = touch.actions.map(({ path }) => path);
    const unless = backupNeeded(line, paths, foldCase);
    const message = requireMessage(cite, touch.actions, unless.of);
    findings.push({ ...block("oath:require-backup", message, "evidence", line), unless });
  }
  if (unseen !== null) {
    const unless = backupNeeded(line, unseen.unparsed ? [UNKNOWN_PATH] : touch.names, foldCase);
    const message = opaqueRequireMessage(cite, unseen, touch.names, unless.of);
    findings.push({ ...block("oath:opaque", message, "evidence", line), unless });
  }
  return findings;
}

function block(
  rule_key: string,
  message: string,
  clearable_by: "owner" | "evidence" | "caller",
  line: BoundLine,
): Finding {
  return { verdict: "block", reason: { rule_key, engine: "oath", message, cite: line.cite, clearable_by } };
}
