/** What a kind of channel is: a target that strangers write, what may be shown of it, and how it is sent something. */
import type * as z from "zod";
import type { AddressCause, Reach } from "../../addresses.ts";
import type { Sent, Ways } from "../dispatch.ts";
import type { Mailer } from "../mailer.ts";
import type { Message } from "../message.ts";

export interface SendWays extends Ways {
  readonly origin: string;
  /** The parts of `SETTINGS_KEY`, newest first. */
  readonly secrets: readonly string[];
  /** `null` where nothing sends mail. */
  readonly mailer: Mailer | null;
  readonly now: number;
}

export interface TargetFault {
  /** JSON pointer into the target. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface Kind<Target extends object = Record<string, unknown>, Kept extends Target = Target> {
  /** What a client sends. Each bound is below what the service itself takes. */
  readonly target: z.ZodType<Target>;
  /** What is sealed: the same, with what the server adds to it. */
  readonly kept: z.ZodType<Kept>;
  /** What a shape cannot say: where its addresses lead. */
  readonly faults: (target: Target, reach: Reach) => TargetFault[];
  /** What may be read back by those who may not write it. Never a secret, and nothing that can be used in place of one. */
  readonly shown: (target: Target) => Record<string, unknown>;
  readonly send: (target: Kept, message: Message, ways: SendWays) => Promise<Sent>;
}

/** The first and the last of a secret address, for whoever has it and wants to know which one it is. */
export function masked(text: string, kept = 4): string {
  return text.length > kept * 3 ? `${text.slice(0, kept)}…` : "…";
}

/** Why nothing may be sent to an address, and what to write instead. */
const ADDRESS_WORDS: Readonly<Record<AddressCause, string>> = {
  "not-a-url": "This is no whole address. Write one such as https://example.com/hook.",
  "not-https": "The address must begin with https, so that nobody on the way reads along.",
  "credentials-in-url": "Leave the name and the password before the @ out of the address.",
  "query-or-fragment": "Leave out what follows the #, and of a server what follows the ?.",
  "own-origin": "This is Countersign itself. Write the address of the program that is to be told.",
  loopback: "This leads back to the machine that asks. Write an address that is reached from the internet.",
  "private-address":
    "This is an address inside a private network, which is not reached from here. Write a public one.",
  "local-name": "This name is known inside a network only. Write one that is known on the internet.",
};

export function addressFault(pointer: string, code: AddressCause): TargetFault {
  return { pointer, code, detail: ADDRESS_WORDS[code] };
}
