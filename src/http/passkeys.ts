/**
 * Passkeys: how a member makes one, and how one signs an approval. What is signed names the approval, the action and the
 * member, so that a signature is good for that and for nothing else.
 */
import { hash } from "node:crypto";
import type { Context } from "hono";
import { countSignature, listPasskeys, type PasskeyRow, readPasskey, startCounter } from "../db/passkeys.ts";
import type { ApprovalRecord } from "../durable/approval-protocol.ts";
import { Problem } from "../errors.ts";
import { log } from "../log.ts";
import type { MemberCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { govern } from "./governing.ts";
import { newRegistrationChallenge, readRegistrationChallenge } from "./passkey-challenge.ts";
import { recordRefusal } from "./refusals.ts";
import {
  ALGORITHMS,
  type AssertionDoubt,
  checkAssertion,
  checkRegistration,
  type RegistrationResponse,
  readAssertion,
} from "./webauthn.ts";

/** How a browser reaches an authenticator (WebAuthn §5.8.4). */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
/** Milliseconds that a browser waits for its authenticator. */
const PROMPT_MS = 120_000;

interface Descriptor {
  readonly id: string;
  readonly type: "public-key";
  readonly transports: string[];
}

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn §5.1.9). */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: { readonly type: "public-key"; readonly alg: number }[];
  readonly timeout: number;
  readonly attestation: "none";
  readonly excludeCredentials: Descriptor[];
  readonly authenticatorSelection: {
    readonly residentKey: "preferred";
    readonly requireResidentKey: false;
    readonly userVerification: "required";
  };
}

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn §5.1.10). Where `allowCredentials` is empty the member has no passkey. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
  readonly userVerification: "required";
  readonly allowCredentials: readonly Descriptor[];
}

export interface Passkey {
  readonly credential_id: string;
  readonly member: string;
  readonly name: string;
  readonly transports: string[];
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** What of an approval its signature names. */
type Signed = Pick<ApprovalRecord, "id" | "action_digest">;

/** The member's passkeys as they are told to people: not their keys. */
export async function passkeysOf(
  c: Context<AppEnv>,
  organization: string,
  member: string,
): Promise<Passkey[]> {
  const rows = await listPasskeys(c.env.DB, organization, member);
  return rows.map((row) => ({
    credential_id: row.credential_id,
    member: row.member_id,
    name: row.name,
    transports: transportsOf(row),
    created_at: row.created_at,
    last_used_at: row.last_used_at,
  }));
}

/** What a browser needs to make a passkey for the caller, and the token to bring back with its answer. */
export async function registrationOptions(
  c: Context<AppEnv>,
  caller: MemberCaller,
): Promise<{ readonly options: CreationOptions; readonly challenge: string }> {
  const { origin, rpId } = partyOf(c);
  const [held, made] = await Promise.all([
    listPasskeys(c.env.DB, caller.organization, caller.member),
    newRegistrationChallenge(caller, origin, c.get("config").settingsKeys),
  ]);
  const options: CreationOptions = {
    challenge: made.challenge,
    rp: { id: rpId, name: "Countersign" },
    user: {
      // Tells an authenticator which passkeys are of one account, and nobody whose (WebAuthn §14.6.1).
      id: digestOf("passkey-user", caller.organization, caller.member),
      name: caller.name,
      displayName: caller.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: PROMPT_MS,
    attestation: "none",
    excludeCredentials: held.map(descriptorOf),
    authenticatorSelection: {
      residentKey: "preferred",
      requireResidentKey: false,
      userVerification: "required",
    },
  };
  return { options, challenge: made.token };
}

/**
 * Checks the answer to {@link registrationOptions} and keeps the passkey.
 * @param token as it came with the options
 * @param sign checks that one of the caller's passkeys has signed for this one, and says which; `null` for the first
 * @throws {Problem} `conflict`: the token is not this browser's or too old, the passkey is known, or there are too many;
 *   `invalid-request`: the answer does not hold; `forbidden`, `publish-pending`
 */
export async function addPasskey(
  c: Context<AppEnv>,
  caller: MemberCaller,
  name: string,
  token: string,
  response: RegistrationResponse,
  sign: (credential: string) => Promise<string | null>,
): Promise<Passkey> {
  const { origin, rpId } = partyOf(c);
  const challenge = await readRegistrationChallenge(token, caller, origin, c.get("config").settingsKeys);
  if (challenge === null)
    throw new Problem(
      "conflict",
      "This was not begun in this browser, or more than five minutes ago. Begin again.",
    );
  const made = await checkRegistration(response, { challenge, origin, rpId });
  if (made === null) {
    const detail =
      "This is not what a passkey answers to this request, made on this site by a device that checked who you are. Begin again.";
    throw new Problem("invalid-request", detail, { errors: [{ pointer: "/response", detail }] });
  }
  const { credential_id, public_key, counter } = made;
  const transports = TRANSPORTS.filter((one) => response.response.transports?.includes(one));
  const { organization, member } = caller;
  const signed_by = await sign(credential_id);
  const { at: created_at } = await govern(
    c,
    organization,
    { kind: "add_passkey", member_id: member, credential_id, name, public_key, transports, signed_by },
    member,
  );
  if (counter > 0) await startCounter(c.env.DB, organization, credential_id, counter);
  return { credential_id, member, name, transports, created_at, last_used_at: null };
}

/**
 * What an authenticator signs to approve: base64url of SHA-256 over the approval's id, its action and the member. It
 * need not be random: an approval's id is, and an approval is decided once.
 */
export function challengeFor(approval: Signed, member: string): string {
  return digestOf("passkey-approval", approval.id, approval.action_digest, member);
}

/** What a browser needs to have this approval signed by a passkey of the member's. */
export function optionsFor(
  c: Context<AppEnv>,
  organization: string,
  member: string,
  record: Signed,
): Promise<RequestOptions> {
  return passkeyOptions(c, organization, member, challengeFor(record, member));
}

/** What a browser needs to have a challenge signed by a passkey of the member's. */
export async function passkeyOptions(
  c: Context<AppEnv>,
  organization: string,
  member: string,
  challenge: string,
): Promise<RequestOptions> {
  const held = await listPasskeys(c.env.DB, organization, member);
  return {
    challenge,
    rpId: partyOf(c).rpId,
    timeout: PROMPT_MS,
    userVerification: "required",
    allowCredentials: held.map(descriptorOf),
  };
}

/**
 * Checks that a passkey of the member's has signed this very approval.
 * @throws {Problem} as {@link verifySignature}
 */
export function verifyAssertion(
  c: Context<AppEnv>,
  organization: string,
  member: string,
  record: Signed,
  response: unknown,
): Promise<string> {
  return verifySignature(c, organization, member, challengeFor(record, member), response);
}

/**
 * Checks that a passkey of the member's has signed this challenge. Why one is refused is on record by a code of its own
 * (`passkey-…`) before this throws.
 * @param response `AuthenticationResponseJSON` (WebAuthn §5.1.8) or its JSON text; whatever else is refused
 * @param words what is said otherwise than of an approval
 * @returns the credential's id
 * @throws {Problem} `passkey-demanded`, `not-recorded`
 */
export async function verifySignature(
  c: Context<AppEnv>,
  organization: string,
  member: string,
  challenge: string,
  response: unknown,
  words: Partial<Record<SignatureDoubt, string>> = {},
): Promise<string> {
  const refuse = (doubt: SignatureDoubt) =>
    refused(c, organization, member, doubt, words[doubt] ?? DOUBTS[doubt]);
  const assertion = readAssertion(response);
  if (assertion === null) throw await refuse("passkey-malformed");
  const { DB: db } = c.env;
  const row = await readPasskey(db, organization, member, assertion.id);
  if (row === null) throw await refuse("passkey-unknown");
  const checked = await checkAssertion(assertion, row.public_key, { challenge, ...partyOf(c) });
  if (!checked.ok) throw await refuse(checked.doubt);
  if (!(await countSignature(db, organization, member, row.credential_id, checked.counter, Date.now()))) {
    const gone = (await readPasskey(db, organization, member, row.credential_id)) === null;
    throw await refuse(gone ? "passkey-unknown" : "passkey-counter");
  }
  return row.credential_id;
}

/** Why a signature is not taken: its own faults, and what is known of its passkey. */
export type SignatureDoubt = AssertionDoubt | "passkey-unknown" | "passkey-counter";

/** Why a signature is not taken, as its sender is told. The ledger says it by the key. */
const DOUBTS: Readonly<Record<SignatureDoubt, string>> = {
  "passkey-malformed":
    "This takes your passkey, and no signature of one came with it. Approve on the page, with JavaScript on.",
  "passkey-unknown": "This passkey is not one of yours here. Use one that your list of passkeys shows.",
  "passkey-challenge":
    "Your passkey signed something else. Open the approval again, and approve what it shows.",
  "passkey-origin":
    "Your passkey was asked to sign by another site. Open the approval here, and tell an owner.",
  "passkey-unverified": "Your device did not check that it is you. Use its PIN, fingerprint or face.",
  "passkey-signature": "The signature does not hold. Open the approval again, and try once more.",
  "passkey-counter":
    "Your passkey counts its signatures, and this is not the next one: it was sent before, or the passkey was copied. If you did not send it twice, have an owner remove the passkey.",
};

async function refused(
  c: Context<AppEnv>,
  organization: string,
  member: string,
  doubt: SignatureDoubt,
  detail: string,
): Promise<Problem> {
  const problem = new Problem("passkey-demanded", detail, { recorded: true });
  try {
    await recordRefusal(c, { organization, agent: null, member, key: null }, doubt, problem.status);
    return problem;
  } catch (error) {
    log.error("refusal-not-recorded", error, { request: c.get("requestId"), code: doubt });
    return new Problem("not-recorded", "The refusal could not be recorded. Try again.");
  }
}

/** The relying party (WebAuthn §5.4.2): the host of the public origin, and that origin to the letter. */
function partyOf(c: Context<AppEnv>): { readonly origin: string; readonly rpId: string } {
  const origin = c.get("config").publicOrigin ?? new URL(c.req.url).origin;
  return { origin, rpId: new URL(origin).hostname };
}

function descriptorOf(row: PasskeyRow): Descriptor {
  return { id: row.credential_id, type: "public-key", transports: transportsOf(row) };
}

function transportsOf(row: PasskeyRow): string[] {
  return JSON.parse(row.transports) as string[];
}

/** SHA-256, base64url. JSON, so that no two lists are one text. */
export function digestOf(tag: string, ...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify([`countersign/${tag}/v1`, ...parts]), "base64url");
}
