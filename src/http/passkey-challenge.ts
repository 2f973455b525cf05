/**
 * The challenge that a new passkey answers. It is kept nowhere: what the browser is given is a JWT of ours (RFC 7519)
 * that names the member, their signed-in browser and the challenge, and is brought back with the answer. Whoever takes
 * it elsewhere has nothing: another browser, another member and another organization are not those it names.
 */
import { jwtVerify, SignJWT } from "jose";
import type { MemberCaller } from "./access.ts";

const TYPE = "passkey-challenge+jwt";
const AUDIENCE = "countersign:passkey";
const LIFETIME_SECONDS = 5 * 60;
const CHALLENGE_BYTES = 32;
/** Ours has some 500. */
export const MAX_CHALLENGE_TOKEN_CHARACTERS = 2_048;

export interface RegistrationChallenge {
  /** Base64url: what the authenticator is to answer. */
  readonly challenge: string;
  /** To be brought back with the answer, within five minutes. */
  readonly token: string;
}

/** @param secrets the parts of `SETTINGS_KEY`, newest first */
export async function newRegistrationChallenge(
  caller: MemberCaller,
  origin: string,
  secrets: readonly string[],
): Promise<RegistrationChallenge> {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("no secret to sign with");
  const random = crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES));
  const challenge = btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const token = await new SignJWT({ organization: caller.organization, challenge })
    .setProtectedHeader({ alg: "HS256", typ: TYPE })
    .setIssuer(origin)
    .setAudience(AUDIENCE)
    .setSubject(boundTo(caller))
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_SECONDS}s`)
    .sign(await keyOf(newest));
  return { challenge, token };
}

/** The challenge in the token, or `null` where it is not ours, not this browser's, or too old. Total. */
export async function readRegistrationChallenge(
  token: string,
  caller: MemberCaller,
  origin: string,
  secrets: readonly string[],
): Promise<string | null> {
  if (token.length > MAX_CHALLENGE_TOKEN_CHARACTERS) return null;
  for (const secret of secrets)
    try {
      const { payload } = await jwtVerify(token, await keyOf(secret), {
        algorithms: ["HS256"],
        typ: TYPE,
        issuer: origin,
        audience: AUDIENCE,
        subject: boundTo(caller),
        requiredClaims: ["exp"],
      });
      const { organization, challenge } = payload;
      if (organization === caller.organization && typeof challenge === "string") return challenge;
    } catch {
      // Another secret may have signed it; what none has is nobody's.
    }
  return null;
}

function boundTo({ member, member_session }: MemberCaller): string {
  return `${member}/${member_session}`;
}

/** RFC 5869 without salt: the secret is already uniformly random. The label makes it a key of its own. */
async function keyOf(secret: string): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveBits",
  ]);
  const bits = await crypto.subtle.deriveBits(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode("countersign/passkey-challenge/v1/sign"),
    },
    material,
    256,
  );
  return new Uint8Array(bits);
}
