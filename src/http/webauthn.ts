/**
 * What an authenticator answers, and whether it holds (WebAuthn Level 3). Everything is bounded before it is decoded.
 * The library that checks signatures is large: only requests that bring one load it.
 */
import * as z from "zod";

/** COSE algorithms, as preferred: EdDSA, ES256, RS256 (RFC 9053). Every authenticator makes one of them. */
export const ALGORITHMS = [-8, -7, -257];
/** Bytes of a request that brings an answer of an authenticator. */
export const PASSKEY_LIMIT_BYTES = 16 * 1024;
/** §4: at most 1,023 bytes. */
const MAX_ID_CHARACTERS = 1_364;
/** An RSA key of 8,192 bits takes some 1,100. */
const MAX_PUBLIC_KEY_BYTES = 2_048;
/** In the flags of authenticator data (§6.1). */
const FLAGS_AT = 32;
const USER_VERIFIED = 0x04;

const base64url = (characters: number) =>
  z
    .string()
    .min(1)
    .max(characters)
    .regex(/^[\w-]+$/);
const CredentialId = base64url(MAX_ID_CHARACTERS);

/** `RegistrationResponseJSON` (§5.1.8), as `toJSON()` makes it; browsers add members that nothing here reads. */
export const RegistrationResponseSchema = z.looseObject({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: base64url(4_096),
    attestationObject: base64url(8_192),
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
});
export type RegistrationResponse = z.infer<typeof RegistrationResponseSchema>;

/** `AuthenticationResponseJSON` (§5.1.8). */
export const AssertionSchema = z.looseObject({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(2_048),
    signature: base64url(2_048),
  }),
});
export type Assertion = z.infer<typeof AssertionSchema>;

/** What was asked, and by whom: what an answer has to say of itself. */
export interface Asked {
  /** Base64url. */
  readonly challenge: string;
  /** To the letter. */
  readonly origin: string;
  /** The relying party (§5.4.2): the host of the origin. */
  readonly rpId: string;
}

export interface MadePasskey {
  readonly credential_id: string;
  /** COSE, base64url. */
  readonly public_key: string;
  /** Signatures that the authenticator has counted so far. */
  readonly counter: number;
}

/** Why a signature is not taken. */
export type AssertionDoubt =
  | "passkey-malformed"
  /** Another approval, action or member was signed for. */
  | "passkey-challenge"
  /** It was asked for on another site, or inside a frame of one. */
  | "passkey-origin"
  | "passkey-unverified"
  | "passkey-signature";

/** An answer that has the shape of one, from a value or from JSON text. Total. */
export function readAssertion(response: unknown): Assertion | null {
  const read = AssertionSchema.safeParse(jsonOf(response));
  return read.success && read.data.id === read.data.rawId ? read.data : null;
}

/** The same for the answer that a new passkey gives. Total. */
export function readRegistration(response: unknown): RegistrationResponse | null {
  const read = RegistrationResponseSchema.safeParse(jsonOf(response));
  return read.success ? read.data : null;
}

/**
 * Checks a signature (§7.2). Total. Says which of the things that have to hold did not; the library then checks all of
 * them again.
 * @param publicKey COSE, base64url
 * @returns the count that the authenticator signed: whether it is the next one is for whoever keeps counts
 */
export async function checkAssertion(
  { id, rawId, type, response }: Assertion,
  publicKey: string,
  asked: Asked,
): Promise<{ ok: true; counter: number } | { ok: false; doubt: AssertionDoubt }> {
  const { clientDataJSON, authenticatorData, signature } = response;
  const client = clientDataOf(clientDataJSON);
  const [data, key] = [bytesOf(authenticatorData), bytesOf(publicKey)];
  const no = (doubt: AssertionDoubt) => ({ ok: false, doubt }) as const;
  if (client === null || client["type"] !== "webauthn.get" || data === null) return no("passkey-malformed");
  if (client["origin"] !== asked.origin || isEmbedded(client)) return no("passkey-origin");
  if (client["challenge"] !== asked.challenge) return no("passkey-challenge");
  if (((data[FLAGS_AT] ?? 0) & USER_VERIFIED) === 0) return no("passkey-unverified");
  if (key === null) return no("passkey-signature");
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.origin,
      expectedRPID: asked.rpId,
      requireUserVerification: true,
      // It compares counts before it checks the signature: told one, it would let anybody make a passkey look copied.
      credential: { id, publicKey: key, counter: 0 },
    });
    return verified ? { ok: true, counter: authenticationInfo.newCounter } : no("passkey-signature");
  } catch {
    return no("passkey-signature");
  }
}

/** Checks the answer of a new passkey (§7.1); `null` where it does not hold. Total. */
export async function checkRegistration(
  { id, rawId, type, response }: RegistrationResponse,
  asked: Asked,
): Promise<MadePasskey | null> {
  const { clientDataJSON, attestationObject } = response;
  const client = clientDataOf(clientDataJSON);
  if (client === null || isEmbedded(client)) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    if (!(await isUnattested(attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.origin,
      expectedRPID: asked.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { publicKey, counter, id: signedId } = registrationInfo.credential;
    // What stands outside of the signed data is its sender's word alone.
    if (signedId !== id || publicKey.byteLength > MAX_PUBLIC_KEY_BYTES) return null;
    return { credential_id: id, public_key: textOf(publicKey), counter };
  } catch {
    return null;
  }
}

/**
 * True for what browsers send where attestation is "none" (§5.1.3): no statement, or one by the new key itself. Others
 * carry certificates: nothing here asks whose they are, and for some the library would fetch lists of revoked ones.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const bytes = bytesOf(attestationObject);
  if (bytes === null) return false;
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const decoded = decodeAttestationObject(bytes);
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

/** Asked for from within another site's page: ours are in no frame (§13.4.9). */
function isEmbedded(client: Readonly<Record<string, unknown>>): boolean {
  return (client["crossOrigin"] ?? false) !== false || client["topOrigin"] !== undefined;
}

function clientDataOf(clientDataJSON: string): Record<string, unknown> | null {
  const bytes = bytesOf(clientDataJSON);
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function jsonOf(response: unknown): unknown {
  if (typeof response !== "string") return response;
  if (response.length > PASSKEY_LIMIT_BYTES) return null;
  try {
    return JSON.parse(response);
  } catch {
    return null;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  } catch {
    return null;
  }
}

function textOf(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
