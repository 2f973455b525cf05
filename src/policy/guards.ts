/**
 * What is refused whatever the task and whatever the oath: a call that reaches for Countersign itself, and arguments
 * that two readers could read as two actions. Guards have no mode.
 */
import type { Effects, Engine, Finding } from "./types.ts";

const GOVERNANCE: Readonly<Record<string, string>> = {
  "own-origin": "it reaches for Countersign's own address",
  "own-key": "it carries a Countersign key",
  "own-key-variable": "it reads the variable that holds the Countersign key",
  "hook-configuration": "it changes the configuration that makes the agent ask first",
  "oath-file": "it changes the owner's oath",
  "own-policy": "it changes what governs the agent",
};

const CAUSES: Readonly<Record<string, string>> = {
  nul: "holds a NUL character",
  bidi: "holds invisible or direction-changing characters",
  control: "holds control characters",
  surrogate: "is not well-formed Unicode",
  "lone-surrogate": "is not well-formed Unicode",
  "too-long": "is longer than 4096 bytes",
  missing: "is missing",
  "wrong-type": "has the wrong type",
  "not-an-object": "is not a JSON object",
  "duplicate-key": "names a member twice",
  "too-many-files": "acts on more files than one call may",
  "inexact-number": "is a number that does not survive a double",
};

/** Findings of the guards for one reading. Pure; the order follows the reading's. */
export function judgeGuards(effects: Effects): Finding[] {
  const findings: Finding[] = effects.governance.map((what) =>
    block(
      "self-protection",
      `Blocked: ${GOVERNANCE[what] ?? "it reaches for what governs the agent"}. What governs an agent is changed by its owner, outside the agent. Do not retry.`,
      "nobody",
    ),
  );
  for (const { pointer, cause } of effects.unreadable) {
    const where = pointer === "" ? "The arguments" : `The argument at ${pointer}`;
    findings.push(
      block(
        "unreadable-arguments",
        `Blocked: ${where} cannot be read without doubt: ${pointer === "" ? "what was sent " : "it "}${CAUSES[cause] ?? "is not readable"}. Send the call again with plain arguments.`,
        "caller",
      ),
    );
  }
  return findings;
}

/** The finding that stands for an error in an engine: a failure is a block, never a pass (DESIGN §3.4). */
export function engineError(engine: Engine): Finding {
  return {
    verdict: "block",
    reason: {
      rule_key: `${engine}:engine-error`,
      engine,
      message:
        "Blocked: Countersign could not judge this call, and what it cannot judge it does not allow. Try once more; if it stays, tell an administrator.",
      clearable_by: "nobody",
    },
  };
}

/** Bounds that one condition may name; more of them ask for more evidence than anyone would record. */
const MAX_CONDITION_BOUNDS = 500;

/**
 * The finding that stands for more of one engine's than an answer tells one by one: as strict as the strictest of them,
 * and cleared only by evidence that would clear every one.
 */
export function moreFindings(engine: Engine, untold: readonly Finding[]): Finding {
  const bounds = [...new Set(untold.flatMap((finding) => finding.unless?.of ?? []))];
  const isConditional = untold.every((finding) => finding.unless !== undefined);
  return {
    verdict: untold.some((finding) => finding.verdict === "block") ? "block" : "ask",
    reason: {
      rule_key: `${engine}:more-findings`,
      engine,
      message: `${untold.length} more findings of this kind stand against this call. Send a smaller call.`,
      clearable_by: isConditional ? "evidence" : "caller",
    },
    ...(isConditional && bounds.length <= MAX_CONDITION_BOUNDS
      ? { unless: { evidence: "backup" as const, of: bounds } }
      : {}),
  };
}

function block(reason: string, message: string, clearable_by: "nobody" | "caller"): Finding {
  return {
    verdict: "block",
    reason: { rule_key: `guard:${reason}`, engine: "guard", message, clearable_by },
  };
}
