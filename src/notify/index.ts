/** How people hear of asks and of what became of them, and the links by which they answer. */
import type { Reach } from "../addresses.ts";
import { type ChannelKind, sendBy } from "./kinds/index.ts";
import { mailerOf } from "./mailer.ts";
import { testMessage } from "./message.ts";

export { type FailureWords, failureWords } from "./failures.ts";
export { CHANNEL_KINDS, type ChannelKind, type ReadTarget, readTarget, TARGETS } from "./kinds/index.ts";
export type { TargetFault } from "./kinds/kind.ts";
export { newWebhookSecret } from "./kinds/webhook.ts";
export { CHANNEL_EVENTS, type ChannelEvent } from "./message.ts";
export { vapidPublicKey } from "./vapid.ts";

export interface TestDeps {
  readonly env: unknown;
  readonly channel: string;
  readonly origin: string;
  readonly reach: Reach;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly fetch: typeof globalThis.fetch;
}

/** One harmless message now, without retries, five seconds at most. @param target as it was sealed */
export async function sendTest(
  kind: ChannelKind,
  target: unknown,
  { env, channel, origin, reach, secrets, now, fetch }: TestDeps,
): Promise<{ readonly sent: true } | { readonly sent: false; readonly failure: string }> {
  const message = testMessage(`test_${channel}_${now}`, `${origin}/channels`, now);
  const ways = { origin, reach, secrets, now, fetch, mailer: mailerOf(env, origin) };
  const sent = await sendBy(kind, target, message, ways);
  return sent.sent ? { sent: true } : { sent: false, failure: sent.failure };
}
