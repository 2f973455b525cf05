/**
 * Findings and a session's evidence become one verdict with all its reasons. Pure, total, and run inside the session
 * object's transaction. Nothing is short-circuited: any block wins, else any ask, else allow (DESIGN §3.4).
 */
import type { Mode, Modes } from "./modes.ts";
import { coveredBy, evidenceMeets } from "./oath/index.ts";
import type { Steps } from "./paths/index.ts";
import { type Backup, ENGINES, type Engine, type Finding, type Reason, type Verdict } from "./types.ts";

/** Whether a verdict was acted on. */
export type Enforcement = "enforced" | "observed";

export interface EngineDecision {
  readonly mode: Mode;
  /** What the engine found, before its mode was applied. */
  readonly verdict: Verdict;
  readonly enforcement: Enforcement;
  readonly reasons: readonly Reason[];
}

export interface Decision {
  /** What to do. */
  readonly verdict: Verdict;
  /** `observed` when nothing counted against the call, and an engine found something that its mode kept from counting. */
  readonly enforcement: Enforcement;
  /** The reasons that count, strictest first, in the order of the engines. */
  readonly reasons: readonly Reason[];
  readonly engines: Readonly<Partial<Record<Engine, EngineDecision>>>;
}

export interface SessionState {
  /** Backups that were made and reported as made in this family, and that nothing has touched since. */
  readonly backups: readonly Backup[];
  readonly fold_case: boolean;
  /** Shared with whatever else is compared for this call; a budget of its own without it. */
  readonly steps?: Steps;
}

/** Steps that the evidence for one call may take, some 40 ms; beyond, it meets no more conditions. */
const MAX_EVIDENCE_STEPS = 2_000_000;

const RANK: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, block: 2 };

/** @param findings of all engines, in any order; a finding whose condition the state meets falls away */
export function decide(state: SessionState, findings: readonly Finding[], modes: Modes): Decision {
  const steps = state.steps ?? { left: MAX_EVIDENCE_STEPS };
  const covered = coveredBy(state.backups, state.fold_case, steps);
  const standing = findings.filter(
    (finding) => finding.unless === undefined || !evidenceMeets(finding.unless, covered),
  );
  const engines: Partial<Record<Engine, EngineDecision>> = {};
  const counted: { verdict: Verdict; reason: Reason }[] = [];
  let observedMore = false;
  for (const engine of ENGINES) {
    const mode = modes[engine];
    if (mode === "off") {
      engines[engine] = { mode, verdict: "allow", enforcement: "observed", reasons: [] };
      continue;
    }
    const own = standing.filter((finding) => finding.reason.engine === engine);
    const verdict = worst(own.map((finding) => finding.verdict));
    const observed = mode === "observe";
    engines[engine] = {
      mode,
      verdict,
      enforcement: observed ? "observed" : "enforced",
      reasons: own.map((finding) => finding.reason),
    };
    if (observed) observedMore ||= verdict !== "allow";
    else
      for (const finding of own)
        counted.push({ verdict: mode === "ask" ? "ask" : finding.verdict, reason: finding.reason });
  }
  counted.sort((a, b) => RANK[b.verdict] - RANK[a.verdict]);
  const verdict = worst(counted.map((one) => one.verdict));
  return {
    verdict,
    enforcement: observedMore && verdict === "allow" ? "observed" : "enforced",
    reasons: counted.map((one) => one.reason),
    engines,
  };
}

function worst(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((a, b) => (RANK[b] > RANK[a] ? b : a), "allow");
}
