/** Web push: encrypted for one browser (RFC 8291), under the key that its subscription was made with. */
import { buildPushPayload } from "@block65/webcrypto-web-push";
import * as z from "zod";
import { readAddress } from "../../addresses.ts";
import { dispatch, failed, isRefusal } from "../dispatch.ts";
import { type Message, titleText } from "../message.ts";
import { plainText } from "../names.ts";
import { vapidKey } from "../vapid.ts";
import { addressFault, type Kind } from "./kind.ts";

/** A push service need not take more than 3,993 bytes (RFC 8291 §4); a message of ours has some 1,000. */
const MAX_BYTES = 3_900;
/** What is kept of title and lines, the first that fits: a link can be long, and must be whole. */
const CUTS = [
  [300, 1_000],
  [300, 200],
  [300, 0],
  [60, 0],
] as const;
const MIN_TTL_SECONDS = 30;

const Target = z.strictObject({
  endpoint: z.string().max(2_048).meta({ description: "Of the browser's push service." }),
  keys: z.strictObject({
    p256dh: z.string().regex(/^B[\w-]{86}=?$/),
    auth: z.string().regex(/^[\w-]{22}={0,2}$/),
  }),
  expirationTime: z.number().nullable().optional(),
});
const Kept = Target.extend({
  /** The public key that the subscription was made with. */
  vapid: z.string().max(100),
});

/** What the service worker is given. */
export function pushBody(message: Message): string {
  const title = [...titleText(message)];
  const lines = [...message.lines.map(plainText).join("\n")];
  let text = "";
  for (const [head, rest] of CUTS) {
    const cut = { title: title.slice(0, head).join(""), body: lines.slice(0, rest).join("") };
    text = JSON.stringify({ ...cut, url: message.url, tag: message.topic });
    if (new TextEncoder().encode(text).byteLength <= MAX_BYTES) break;
  }
  return text;
}

export const push: Kind<z.infer<typeof Target>, z.infer<typeof Kept>> = {
  target: Target,
  kept: Kept,
  faults: ({ endpoint }, reach) => {
    const read = readAddress(endpoint, reach, "whole");
    return read.ok ? [] : [addressFault("/endpoint", read.cause)];
  },
  shown: ({ endpoint }) => ({ host: new URL(endpoint).host }),
  send: async (target, message, ways) => {
    const key = vapidKey(target.vapid, ways.secrets);
    if (key === null) return failed("key-retired", false);
    let payload: Awaited<ReturnType<typeof buildPushPayload>>;
    try {
      payload = await buildPushPayload(
        {
          data: pushBody(message),
          options: {
            ttl: Math.max(Math.floor((message.until - ways.now) / 1000), MIN_TTL_SECONDS),
            urgency: message.urgent ? "high" : "normal",
            topic: message.topic,
          },
        },
        { endpoint: target.endpoint, expirationTime: null, keys: target.keys },
        { subject: ways.origin, ...key },
      );
    } catch {
      // The point is on no curve, or the endpoint is not https.
      return failed("target-unreadable", false);
    }
    const { "content-length": _length, ...headers } = payload.headers;
    const sent = await dispatch({ url: target.endpoint, headers, body: payload.body }, ways, isRefusal);
    // RFC 8030 §7.3: a subscription that has ended answers 404.
    return !sent.sent && sent.failure === "status-404" ? failed("gone", false) : sent;
  },
};
