/**
 * ntfy, here or on a server of the organization's. Published as JSON: in headers, its other way, a name could end a line.
 * Whoever knows a topic reads it, so a topic is kept like a secret, and a member's own wants a token or a long random one.
 */
import * as z from "zod";
import { readAddress } from "../../addresses.ts";
import { dispatch, isRefusal } from "../dispatch.ts";
import { type Message, titleText } from "../message.ts";
import { plainText } from "../names.ts";
import { addressFault, type Kind, masked } from "./kind.ts";

const DEFAULT_SERVER = "https://ntfy.sh";
const HIGH = 4;
const USUAL = 3;

const Target = z.strictObject({
  server: z.string().max(2_048).default(DEFAULT_SERVER).meta({ description: "https, without a path." }),
  topic: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .meta({
      description: "Whoever knows it can read along: choose a long random one, or protect it with a token.",
    }),
  token: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/)
    .nullable()
    .default(null)
    .meta({ description: "An access token of the server, `tk_…`." }),
});

export function ntfyBody(topic: string, message: Message): string {
  return JSON.stringify({
    topic,
    title: titleText(message),
    message: message.lines.map(plainText).join("\n"),
    priority: message.urgent ? HIGH : USUAL,
    click: message.url,
    markdown: false,
  });
}

export const ntfy: Kind<z.infer<typeof Target>> = {
  target: Target,
  kept: Target,
  faults: ({ server }, reach) => {
    const read = readAddress(server, reach);
    if (!read.ok) return [addressFault("/server", read.cause)];
    return read.url === read.origin
      ? []
      : [{ pointer: "/server", code: "path", detail: "A server is named without a path." }];
  },
  shown: ({ server, topic, token }) => ({
    host: new URL(server).host,
    topic: masked(topic),
    token_set: token !== null,
  }),
  send: ({ server, topic, token }, message, ways) =>
    dispatch(
      {
        url: server,
        headers: {
          "content-type": "application/json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: ntfyBody(topic, message),
      },
      ways,
      isRefusal,
    ),
};
