/**
 * Any program of the organization's: Standard Webhooks 1.0. Signed with each secret that is live, so that a receiver can
 * change over in its own time; the id stays the same however often it is tried, the timestamp is that of the try.
 */
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { readAddress } from "../../addresses.ts";
import { dispatch, failed } from "../dispatch.ts";
import type { Message } from "../message.ts";
import { addressFault, type Kind } from "./kind.ts";

const SECRET_BYTES = 32;
/** Two during a rotation. */
const MAX_SECRETS = 2;

const Secret = z.object({
  secret: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/),
  /** Signs until then, epoch milliseconds; `null` for the one that stays. */
  until: z.number().nullable(),
});
const Target = z.strictObject({
  url: z.string().max(2_048).meta({ description: "https. Sent a POST with a Standard Webhooks signature." }),
});
const Kept = Target.extend({ secrets: z.array(Secret).min(1).max(MAX_SECRETS) });

/** A new secret for a webhook, `whsec_` and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** The body of a webhook. The same however often it is tried. */
export function webhookBody(message: Message): string {
  return JSON.stringify({
    type: message.type,
    timestamp: new Date(message.at).toISOString(),
    data: message.data,
  });
}

export const webhook: Kind<z.infer<typeof Target>, z.infer<typeof Kept>> = {
  target: Target,
  kept: Kept,
  faults: ({ url }, reach) => {
    const read = readAddress(url, reach, "whole");
    return read.ok ? [] : [addressFault("/url", read.cause)];
  },
  // A path or a query is often the secret of whoever listens.
  shown: ({ url }) => ({ host: new URL(url).host }),
  send: async (target, message, ways) => {
    const body = webhookBody(message);
    const live = target.secrets.filter(({ until }) => until === null || until > ways.now);
    const at = new Date(ways.now);
    const signatures = live.map(({ secret }) => new Webhook(secret).sign(message.id, at, body));
    if (signatures.length === 0) return failed("no-secret", false);
    return dispatch(
      {
        url: target.url,
        headers: {
          "content-type": "application/json",
          "webhook-id": message.id,
          "webhook-timestamp": String(Math.floor(ways.now / 1000)),
          "webhook-signature": signatures.join(" "),
        },
        body,
      },
      ways,
    );
  },
};
