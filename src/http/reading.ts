/** What a request says of a call, and what the deployment is called, as the judges take them. */
import type { Context } from "hono";
import { log } from "../log.ts";
import { type Explanation, explainCall, type Tables } from "../policy/effects/index.ts";
import { type Judged, judgeCall, type SentCall, unread } from "../policy/judge.ts";
import type { BoundOath } from "../policy/oath/index.ts";
import type { Effects, JsonObject, ReadingContext, Self, Unreadable } from "../policy/types.ts";
import type { AppEnv } from "./context.ts";
import type { Doubt } from "./strict-json.ts";

/** Variables that clients keep an agent's key in. */
const KEY_VARIABLES = ["COUNTERSIGN_KEY", "COUNTERSIGN_API_KEY"] as const;

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
  return doubts
    .filter(({ pointer }) => pointer === base || pointer.startsWith(`${base}/`))
    .map(({ pointer, cause }) => ({ pointer: pointer.slice(base.length), cause }));
}

/** Total, as {@link judgeCall} is; what failed on the way is logged. */
export function readCall(
  call: SentCall,
  context: ReadingContext,
  tables: Tables,
  oaths: readonly BoundOath[],
): Judged {
  const judged = judgeCall(call, context, tables, oaths);
  for (const { engine, error } of judged.failures) log.error("engine-failed", error, { engine });
  return judged;
}

/** The reading alone, and how it came about. Total, as {@link readCall} is. */
export function explain(call: SentCall, context: ReadingContext, tables: Tables): Effects & Explanation {
  const nothing: Explanation = { texts: [], steps: [], truncated: false };
  if (call.unreadable.length > 0) return { ...unread(call.tool, call.unreadable), ...nothing };
  const { effects, explanation } = explainCall(
    tables,
    { tool: call.tool, args: call.args as JsonObject },
    context,
  );
  return { ...effects, ...explanation };
}
