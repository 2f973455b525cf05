/**
 * Adding and removing passkeys. A signed-in browser alone can be stolen: whoever holds a passkey changes none, theirs or
 * another member's, without a signature by one. What is signed names the change, which can be made once: a passkey that
 * was added or removed is not added again.
 */
import type { Context } from "hono";
import { listPasskeys } from "../db/passkeys.ts";
import type { MemberCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { govern } from "./governing.ts";
import {
  digestOf,
  passkeyOptions,
  type RequestOptions,
  type SignatureDoubt,
  verifySignature,
} from "./passkeys.ts";

/** A change to the passkeys of `member`, as its signature names it. */
export interface PasskeyChange {
  readonly act: "add" | "remove";
  readonly member: string;
  readonly credential_id: string;
}

/** Base64url of SHA-256 over the change and who makes it. */
export function challengeOfChange(
  { organization, member: by }: Pick<MemberCaller, "organization" | "member">,
  { act, member, credential_id }: PasskeyChange,
): string {
  return digestOf("passkey-change", organization, by, act, member, credential_id);
}

/** What a browser needs to have this change signed; `allowCredentials` is empty for who holds none and signs nothing. */
export function confirmationOptions(
  c: Context<AppEnv>,
  caller: MemberCaller,
  change: PasskeyChange,
): Promise<RequestOptions> {
  const { organization, member } = caller;
  return passkeyOptions(c, organization, member, challengeOfChange(caller, change));
}

const LOST = "If you have lost them all, an owner can remove them for you, on your page under Members.";

/** What is said otherwise than of an approval. */
const DOUBTS: Partial<Record<SignatureDoubt, string>> = {
  "passkey-malformed": `You hold a passkey, so this takes a signature by one. Do it on the page Passkeys, with JavaScript on. ${LOST}`,
  "passkey-unknown": `This passkey is not one of yours here. Use one that your list of passkeys shows. ${LOST}`,
  "passkey-challenge": "Your passkey signed something else. Open the page again, and begin anew.",
  "passkey-origin": "Your passkey was asked to sign by another site. Open the page here, and tell an owner.",
  "passkey-signature": "The signature does not hold. Open the page again, and try once more.",
};

/**
 * The passkey of the caller that has signed this change; `null` where they hold none, and need none. The organization's
 * object looks once more whether that is so.
 * @param response an assertion of theirs, unchecked; `null` for none
 * @throws {Problem} `passkey-demanded`, `not-recorded`
 */
export async function signerOf(
  c: Context<AppEnv>,
  caller: MemberCaller,
  change: PasskeyChange,
  response: unknown,
): Promise<string | null> {
  const { organization, member } = caller;
  const held = await listPasskeys(c.env.DB, organization, member);
  if (held.length === 0) return null;
  return verifySignature(c, organization, member, challengeOfChange(caller, change), response, DOUBTS);
}

/**
 * Removes a passkey of a member's.
 * @param response as for {@link signerOf}
 * @throws {Problem} `passkey-demanded`, `not-found`, `forbidden`, `publish-pending`
 */
export async function removePasskey(
  c: Context<AppEnv>,
  caller: MemberCaller,
  member: string,
  credential_id: string,
  response: unknown,
): Promise<void> {
  const { organization, member: by } = caller;
  const held = await listPasskeys(c.env.DB, organization, member);
  // Nobody is asked to sign for what is not there.
  const isThere = held.some((one) => one.credential_id === credential_id);
  const change = { act: "remove", member, credential_id } as const;
  const signed_by = isThere ? await signerOf(c, caller, change, response) : null;
  await govern(c, organization, { kind: "remove_passkey", member_id: member, credential_id, signed_by }, by);
}

/**
 * Removes all passkeys of a member, as the operator: for the last owner, whom nobody in the organization can help.
 * @returns how many
 * @throws {Problem} `publish-pending`: some may be left, ask again
 */
export async function resetPasskeys(
  c: Context<AppEnv>,
  organization: string,
  member: string,
): Promise<number> {
  const held = await listPasskeys(c.env.DB, organization, member);
  for (const { credential_id } of held)
    await govern(
      c,
      organization,
      { kind: "remove_passkey", member_id: member, credential_id, signed_by: null },
      null,
    );
  return held.length;
}
