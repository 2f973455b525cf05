/** The kinds of channels there are. */
import type * as z from "zod";
import type { Reach } from "../../addresses.ts";
import { log } from "../../log.ts";
import { failed, type Sent } from "../dispatch.ts";
import type { Message } from "../message.ts";
import { email } from "./email.ts";
import type { Kind, SendWays, TargetFault } from "./kind.ts";
import { ntfy } from "./ntfy.ts";
import { push } from "./push.ts";
import { slack } from "./slack.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

export const CHANNEL_KINDS = ["webhook", "slack", "ntfy", "telegram", "email", "push"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

const KINDS = { webhook, slack, ntfy, telegram, email, push } as const satisfies Record<ChannelKind, unknown>;

/** What a client sends as a target, by kind. */
export const TARGETS = {
  webhook: webhook.target,
  slack: slack.target,
  ntfy: ntfy.target,
  telegram: telegram.target,
  email: email.target,
  push: push.target,
} as const satisfies Record<ChannelKind, z.ZodType>;

export type ReadTarget =
  | {
      readonly ok: true;
      /** Plain JSON, to be sealed. */
      readonly target: Record<string, unknown>;
      readonly shown: Record<string, unknown>;
    }
  | { readonly ok: false; readonly faults: TargetFault[] };

const MAX_FAULTS = 20;

/** Reads a target that a client sent. Total; no fault quotes it. @param reach what its addresses are judged against */
export function readTarget(kind: ChannelKind, value: unknown, reach: Reach): ReadTarget {
  const one = kindOf(kind);
  const parsed = one.target.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      faults: parsed.error.issues.slice(0, MAX_FAULTS).map((issue) => ({
        pointer: issue.path.map((part) => `/${String(part)}`).join(""),
        code: issue.code.replaceAll("_", "-"),
        detail:
          issue.code === "unrecognized_keys"
            ? "It has a member that a target of this kind does not have."
            : "This cannot be taken as it is.",
      })),
    };
  const faults = one.faults(parsed.data, reach);
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, target: parsed.data, shown: one.shown(parsed.data) };
}

/** Sends one message by a target as it was sealed. Total. */
export async function sendBy(kind: string, target: unknown, message: Message, ways: SendWays): Promise<Sent> {
  if (!Object.hasOwn(KINDS, kind)) return failed("unknown-kind", false);
  const one = kindOf(kind as ChannelKind);
  // Another release may have sealed it.
  const kept = one.kept.safeParse(target);
  if (!kept.success) return failed("target-unreadable", false);
  try {
    return await one.send(kept.data, message, ways);
  } catch (error) {
    log.error("notice-not-made", error, { kind });
    return failed("internal", true);
  }
}

function kindOf(kind: ChannelKind): Kind {
  return KINDS[kind] as unknown as Kind;
}
