/**
 * A call is read once, and judged by what needs no session: guards and the oath's lines (DESIGN §3.2 and §3.3). Pure and
 * total: an engine that fails has found something that blocks.
 */
import { effectsWith, type Tables } from "./effects/index.ts";
import { engineError, judgeGuards, moreFindings } from "./guards.ts";
import { type BoundOath, judgeOath } from "./oath/index.ts";
import {
  type Effects,
  ENGINES,
  type Engine,
  type Finding,
  type JsonObject,
  type ReadingContext,
  type Unreadable,
} from "./types.ts";

/** Files that one call may act on: what a person could still read, and what a row of an object holds. */
const MAX_ACTIONS = 2_000;
/** Findings that are told one by one. */
const MAX_FINDINGS = 50;
const MAX_MESSAGE_CHARACTERS = 2_000;

/** A call as it came: `args` is whatever was sent, and is not looked at where something in it is `unreadable`. */
export interface SentCall {
  readonly tool: string;
  readonly args: unknown;
  readonly unreadable: readonly Unreadable[];
}

export interface Judged {
  readonly effects: Effects;
  readonly findings: readonly Finding[];
  /** What failed on the way, for the log. Each stands among the findings as a block. */
  readonly failures: readonly { readonly engine: Engine; readonly error: unknown }[];
}

/** Reads and judges one call. */
export function judgeCall(
  call: SentCall,
  context: ReadingContext,
  tables: Tables,
  oaths: readonly BoundOath[],
): Judged {
  const findings: Finding[] = [];
  const failures: { engine: Engine; error: unknown }[] = [];
  const failed = (engine: Engine, error: unknown): void => {
    failures.push({ engine, error });
    findings.push(engineError(engine));
  };
  let effects: Effects;
  try {
    effects =
      call.unreadable.length > 0
        ? unread(call.tool, call.unreadable)
        : effectsWith(tables, { tool: call.tool, args: call.args as JsonObject }, context);
    findings.push(...judgeGuards(effects));
  } catch (error) {
    effects = unread(call.tool, []);
    failed("guard", error);
  }
  try {
    findings.push(...judgeOath(oaths, effects));
  } catch (error) {
    failed("oath", error);
  }
  if (effects.actions.length > MAX_ACTIONS) {
    findings.push(...judgeGuards(unread(call.tool, [{ pointer: "", cause: "too-many-files" }])));
    effects = { ...effects, actions: effects.actions.slice(0, MAX_ACTIONS) };
  }
  return { effects, findings: bounded(findings), failures };
}

/**
 * At most {@link MAX_FINDINGS}, blocks without a condition first, since no evidence clears them. What is left over stands
 * in one more finding of its engine: nothing may pass because there was too much against it, and no mode is passed over.
 */
function bounded(findings: readonly Finding[]): Finding[] {
  const rank = (finding: Finding): number =>
    finding.unless === undefined && finding.verdict === "block" ? 0 : 1;
  const sorted = findings
    .toSorted((a, b) => rank(a) - rank(b))
    .map((finding) => ({
      ...finding,
      reason: { ...finding.reason, message: clipped(finding.reason.message) },
    }));
  const told = sorted.slice(0, MAX_FINDINGS);
  const rest = sorted.slice(MAX_FINDINGS);
  for (const engine of ENGINES) {
    const untold = rest.filter((finding) => finding.reason.engine === engine);
    if (untold.length > 0) told.push(moreFindings(engine, untold));
  }
  return told;
}

function clipped(message: string): string {
  return message.length <= MAX_MESSAGE_CHARACTERS
    ? message
    : `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…`.toWellFormed();
}

/** The reading of what cannot be read: anything might happen. */
export function unread(tool: string, unreadable: readonly Unreadable[]): Effects {
  return {
    tool,
    risks: ["UNKNOWN"],
    actions: [],
    opaque: { causes: ["unreadable-arguments"], unparsed: true, names: [] },
    backups: [],
    hosts: [],
    acts: [],
    recipients: [],
    amounts: [],
    items: [],
    stored: [],
    deceptions: [],
    governance: [],
    unreadable,
  };
}
