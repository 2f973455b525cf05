/** Mail, as plain text: no markup that a name could end, and no line in the subject that it could begin. */
import * as z from "zod";
import { readAddress } from "../../addresses.ts";
import { failed } from "../dispatch.ts";
import { bodyText, titleText } from "../message.ts";
import type { Kind } from "./kind.ts";

const MAX_SUBJECT = 150;

const Target = z.strictObject({
  address: z
    .string()
    .max(254)
    // The plain form of RFC 5321 alone: quoted names and comments are read in more than one way.
    .regex(
      /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?)*$/,
    )
    .meta({ description: "ASCII; a domain with other letters in its `xn--` form." }),
});

export const email: Kind<z.infer<typeof Target>> = {
  target: Target,
  kept: Target,
  faults: ({ address }, reach) => {
    const host = address.slice(address.lastIndexOf("@") + 1);
    const read = readAddress(`https://${host}`, { own: [], loopback: reach.loopback });
    return read.ok
      ? []
      : [{ pointer: "/address", code: read.cause, detail: "Mail goes to a public domain by its name." }];
  },
  // Whose mail it is stands on the ledger for good; enough of it to tell two addresses apart is enough.
  shown: ({ address }) => ({ address: address.replace(/^(.).*@/, "$1…@") }),
  send: async ({ address }, message, { mailer }) =>
    mailer === null
      ? failed("no-mailer", false)
      : mailer.send({
          to: address,
          subject: [...titleText(message)].slice(0, MAX_SUBJECT).join(""),
          text: `${titleText(message)}\n\n${bodyText(message)}\n`,
          link: message.url,
        }),
};
