/** Reads a request's call into effects and findings: what needs no session state (DESIGN §3.2 and §3.3). */
import type { Context } from "hono";
import { log } from "../log.ts";
import { type Explanation, effectsWith, explainCall, type Tables } from "../policy/effects/index.ts";
import { engineError, judgeGuards, moreFindings } from "../policy/guards.ts";
import { type BoundOath, judgeOath } from "../policy/oath/index.ts";
import {
  type Effects,
  ENGINES,
  type Finding,
  type JsonObject,
  type ReadingContext,
  type Self,
  type Unreadable,
} from "../policy/types.ts";
import type { AppEnv } from "./context.ts";
import type { Doubt } from "./strict-json.ts";

/** Variables that clients keep an agent's key in. */
const KEY_VARIABLES = ["COUNTERSIGN_KEY", "COUNTERSIGN_API_KEY"] as const;

/** Files that one call may act on: what a person could still read, and what a row of an object holds. */
const MAX_ACTIONS = 2_000;
/** Findings that are told one by one. */
const MAX_FINDINGS = 50;
const MAX_MESSAGE_CHARACTERS = 2_000;

export interface Reading {
  readonly effects: Effects;
  readonly findings: readonly Finding[];
}

/** Every spelling by which a machine reaches itself: on a laptop each of them is this deployment. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"] as const;

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.some((name) => name === hostname);
}

/** What this deployment is called, by its own configuration and by the request that reached it. */
export function selfOf(c: Context<AppEnv>): Self {
  const hosts = new Set<string>();
  const add = ({ hostname, host, port }: URL): void => {
    const isLoopback = isLoopbackHost(hostname);
    for (const name of isLoopback ? LOOPBACK : []) hosts.add(port === "" ? name : `${name}:${port}`);
    hosts.add(host);
  };
  add(new URL(c.req.url));
  const { publicOrigin } = c.get("config");
  if (publicOrigin !== null) add(new URL(publicOrigin));
  return { hosts: [...hosts], variables: KEY_VARIABLES };
}

/** What is wrong with a call's arguments before anyone reads them; empty when they are an object that can be believed. */
export function unreadableArguments(args: unknown, doubts: readonly Doubt[], base: string): Unreadable[] {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return [{ pointer: "", cause: "not-an-object" }];
  return doubts.map(({ pointer, cause }) => ({ pointer: pointer.slice(base.length), cause }));
}

/**
 * Total: an error in reading or judging becomes a finding that blocks. `unreadable` is what
 * {@link unreadableArguments} found; then `args` is not looked at.
 */
export function readCall(
  call: { tool: string; args: unknown; unreadable: readonly Unreadable[] },
  context: ReadingContext,
  tables: Tables,
  oaths: readonly BoundOath[],
): Reading {
  let effects: Effects;
  const findings: Finding[] = [];
  try {
    effects =
      call.unreadable.length > 0
        ? unread(call.tool, call.unreadable)
        : effectsWith(tables, { tool: call.tool, args: call.args as JsonObject }, context);
    findings.push(...judgeGuards(effects));
  } catch (error) {
    log.error("engine-failed", error, { engine: "guard" });
    effects = unread(call.tool, []);
    findings.push(engineError("guard"));
  }
  try {
    findings.push(...judgeOath(oaths, effects));
  } catch (error) {
    log.error("engine-failed", error, { engine: "oath" });
    findings.push(engineError("oath"));
  }
  if (effects.actions.length > MAX_ACTIONS) {
    findings.push(...judgeGuards(unread(call.tool, [{ pointer: "", cause: "too-many-files" }])));
    effects = { ...effects, actions: effects.actions.slice(0, MAX_ACTIONS) };
  }
  return { effects, findings: bounded(findings) };
}

/** The reading alone, and how it came about. Total, as {@link readCall} is. */
export function explain(
  call: { tool: string; args: unknown; unreadable: readonly Unreadable[] },
  context: ReadingContext,
  tables: Tables,
): Effects & Explanation {
  const nothing: Explanation = { texts: [], steps: [], truncated: false };
  if (call.unreadable.length > 0) return { ...unread(call.tool, call.unreadable), ...nothing };
  const { effects, explanation } = explainCall(
    tables,
    { tool: call.tool, args: call.args as JsonObject },
    context,
  );
  return { ...effects, ...explanation };
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
function unread(tool: string, unreadable: readonly Unreadable[]): Effects {
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
