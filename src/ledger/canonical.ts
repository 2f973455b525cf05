/**
 * Every byte that the ledger hashes is made here. Pure. A preimage is an ASCII tag, which separates the kinds and
 * their versions, followed by RFC 8785 text; the text is stored, so verification hashes what was stored and never
 * serialises again.
 */
import { createHash, hash } from "node:crypto";
import canonicalizeJson from "canonicalize";

export const TAGS = {
  genesis: "countersign/genesis/v1\n",
  entry: "countersign/entry/v1\n",
  body: "countersign/body/v1\n",
  private: "countersign/private/v1\n",
  action: "countersign/action/v1\n",
  rawArguments: "countersign/raw-arguments/v1\n",
} as const;

/**
 * RFC 8785 text of a JSON value.
 * @throws {TypeError} when the value is not JSON or holds a lone surrogate: two values must never share one text
 */
export function canonicalText(value: unknown): string {
  const text = canonicalizeJson(value);
  if (text === undefined) throw new TypeError("not a JSON value");
  return text;
}

/** SHA-256 of `tag ‖ parts…`, in lower-case hex. Text is taken as UTF-8. */
export function hashOf(tag: string, ...parts: (string | Uint8Array)[]): string {
  // One call costs half of an object that is fed; every decision hashes several times.
  if (parts.every((part) => typeof part === "string")) return hash("sha256", tag + parts.join(""), "hex");
  const digest = createHash("sha256").update(tag, "utf8");
  for (const part of parts) typeof part === "string" ? digest.update(part, "utf8") : digest.update(part);
  return digest.digest("hex");
}

/** What a person would be approving. `session` is the root's id for continuations, the child's own for children (DESIGN §3). */
export interface Action {
  readonly organization: string;
  readonly session: string;
  readonly agent: string;
  readonly tool: string;
  readonly cwd: string | null;
}

/**
 * The action digest: SHA-256 over the tag and the RFC 8785 form of the action (DESIGN §1).
 * `args` is an object that was read strictly; `unreadable` is the text of arguments that could not be, hashed as it
 * came under a member of its own, so that no readable action can share its digest.
 */
export function actionDigest(action: Action, args: { object: unknown } | { unreadable: string }): string {
  const what =
    "object" in args
      ? { args: args.object }
      : { unreadable_args: hashOf(TAGS.rawArguments, args.unreadable) };
  return hashOf(TAGS.action, canonicalText({ v: 1, ...action, ...what }));
}

/**
 * Salted commitment to private text: without the 32-byte salt nothing can be guessed back, and once text and salt are
 * deleted the chain still verifies (DESIGN §6).
 */
export function privateCommitment(salt: Uint8Array, text: string): string {
  return hashOf(TAGS.private, salt, text);
}
