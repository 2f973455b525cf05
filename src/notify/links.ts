/**
 * The link that an approver is sent: a JWT (RFC 7519) that names one approval, one action and one member, and that whoever
 * forwards it cannot widen. It is signed with a key that nothing else is signed with, so that no other token of this
 * deployment opens an approval.
 *
 *     { alg: "Ed25519", typ: "approval+jwt", kid }
 *     { iss: <origin>, aud: "countersign:approval", sub: <member>, org, apr, root, dig, jti, iat, exp }
 *
 * Keys are derived from the parts of the secret `SETTINGS_KEY`, newest first: the first signs, all verify, so that a
 * rotation is the one which that secret has already. `kid` is the key's RFC 7638 thumbprint. Only a hash of `jti` is
 * ever stored: who reads the database holds nobody's link.
 */
import { hash } from "node:crypto";
import { compactVerify, decodeProtectedHeader } from "jose";
import { EXTENSION_MS } from "../policy/approval/index.ts";

const ALGORITHM = "Ed25519";
const TYPE = "approval+jwt";
const AUDIENCE = "countersign:approval";
/** Before anything of a token is decoded: ours are some 700 characters, and 3,200 with the longest session id. */
const MAX_TOKEN_CHARACTERS = 4_096;
const JTI_BYTES = 32;
const HASH_TAG = "countersign/approval-link/v1\n";
/** RFC 8410: what stands before the 32 bytes of an Ed25519 seed in PKCS#8. */
const PKCS8_PREFIX = "302e020100300506032b657004220420";

/** What a link says. Times are epoch milliseconds. */
export interface LinkClaims {
  readonly organization: string;
  readonly approval: string;
  /** The session family in whose object the approval lives. */
  readonly root: string;
  readonly member: string;
  /** The action digest of what is to be approved. */
  readonly digest: string;
  readonly jti: string;
  readonly issued_at: number;
  readonly expires_at: number;
}

export type LinkFault = "malformed" | "forged" | "unknown-key" | "expired" | "wrong-audience" | "wrong-type";

export type ReadLink =
  | { readonly ok: true; readonly claims: LinkClaims }
  | {
      readonly ok: false;
      readonly cause: LinkFault;
      /** What the token says of itself, for the record alone: anybody can write that. */
      readonly unverified: Partial<LinkClaims> | null;
    };

/** A link's own secret: 256 random bits, base64url. */
export function newJti(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(JTI_BYTES)));
}

/** What is stored of a link: SHA-256 over a tag and its `jti`, lower-case hex. */
export function linkHash(jti: string): string {
  return hash("sha256", HASH_TAG + jti, "hex");
}

/**
 * Signs under the newest key.
 * @param origin the deployment's own, which the token names as its issuer
 * @param secrets the parts of `SETTINGS_KEY`, newest first, at least one
 */
export async function signLink(
  claims: LinkClaims,
  origin: string,
  secrets: readonly string[],
): Promise<string> {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("no secret to sign under");
  const { kid, signing } = await keyOf(newest);
  // Written by hand: the library's own builder cuts times to seconds, and a link would outlive what it says.
  const header = encoded({ alg: ALGORITHM, typ: TYPE, kid });
  const payload = encoded({
    iss: origin,
    aud: AUDIENCE,
    sub: claims.member,
    org: claims.organization,
    apr: claims.approval,
    root: claims.root,
    dig: claims.digest,
    jti: claims.jti,
    iat: claims.issued_at / 1000,
    exp: claims.expires_at / 1000,
  });
  const signed = `${header}.${payload}`;
  const signature = await crypto.subtle.sign(ALGORITHM, signing, new TextEncoder().encode(signed));
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}

/**
 * Reads a token that a stranger may have written. Total: whatever is wrong with it is an answer. Nothing that it says
 * is taken for true before its signature is checked, and which key and algorithm that is done with is ours to say.
 */
export async function readLink(
  token: string,
  origin: string,
  secrets: readonly string[],
  now: number,
): Promise<ReadLink> {
  if (token.length > MAX_TOKEN_CHARACTERS || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
    return { ok: false, cause: "malformed", unverified: null };
  const header = headerOf(token);
  const said = parsed(token.split(".")[1] ?? "");
  if (header === null || said === null) return { ok: false, cause: "malformed", unverified: null };
  const unverified = partOf(said);
  const no = (cause: LinkFault): ReadLink => ({ ok: false, cause, unverified });
  // `none`, an HMAC whose secret would be our public key, or terms (RFC 7515 §4.1.11): the token does not choose how it
  // is checked.
  if (header.alg !== ALGORITHM || header.crit !== undefined) return no("forged");

  let key: CryptoKey | null = null;
  for (const secret of secrets) {
    const known = await keyOf(secret);
    if (known.kid === header.kid) key = known.verifying;
  }
  if (key === null) return no("unknown-key");
  try {
    await compactVerify(token, key, { algorithms: [ALGORITHM] });
  } catch {
    return no("forged");
  }

  if (header.typ !== TYPE) return no("wrong-type");
  if (said["iss"] !== origin || said["aud"] !== AUDIENCE) return no("wrong-audience");
  const claims = whole(unverified);
  if (claims === null) return no("malformed");
  return now >= claims.expires_at ? no("expired") : { ok: true, claims };
}

/** A link outlives its ask by this, so that whoever comes late is told who was first. */
const OUTCOME_MS = 60 * 60_000;

/** When a link to an approval ends: its time, what may yet be given on top, and then some to learn the outcome. */
export function linkExpiry(approval: { readonly expires_at: number; readonly extended: boolean }): number {
  return approval.expires_at + (approval.extended ? 0 : EXTENSION_MS) + OUTCOME_MS;
}

/** The page that a link opens. */
export function linkUrl(origin: string, token: string): string {
  return `${origin}/approve/${token}`;
}

interface LinkKey {
  readonly kid: string;
  readonly signing: CryptoKey;
  readonly verifying: CryptoKey;
}

/** Two while a rotation lasts; finished keys, not promises, since those belong to the request that made them. */
const MAX_REMEMBERED = 4;
const remembered = new Map<string, LinkKey>();

/** RFC 5869 without salt: the secret is uniformly random already. The label keeps this key apart from the one that seals. */
async function keyOf(secret: string): Promise<LinkKey> {
  const known = remembered.get(secret);
  if (known !== undefined) return known;
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveBits",
  ]);
  const seed = await crypto.subtle.deriveBits(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode("countersign/approval-link/v1/ed25519"),
    },
    material,
    256,
  );
  const pkcs8 = new Uint8Array([...bytesOfHex(PKCS8_PREFIX), ...new Uint8Array(seed)]);
  const readable = await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, true, ["sign"]);
  const { x } = (await crypto.subtle.exportKey("jwk", readable)) as JsonWebKey;
  if (x === undefined) throw new Error("the platform exports no public key");
  const key: LinkKey = {
    kid: thumbprint(x),
    signing: await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]),
    verifying: await crypto.subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", x }, ALGORITHM, false, [
      "verify",
    ]),
  };
  const oldest = remembered.keys().next();
  if (remembered.size >= MAX_REMEMBERED && !oldest.done) remembered.delete(oldest.value);
  remembered.set(secret, key);
  return key;
}

/** RFC 7638 with the members that RFC 8037 requires of an OKP key, in their order. */
function thumbprint(x: string): string {
  return hash("sha256", JSON.stringify({ crv: "Ed25519", kty: "OKP", x }), "base64url");
}

function headerOf(token: string): Readonly<Record<"alg" | "kid" | "typ" | "crit", unknown>> | null {
  try {
    const { alg, kid, typ, crit } = decodeProtectedHeader(token);
    return { alg, kid, typ, crit };
  } catch {
    return null;
  }
}

function parsed(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    const value: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Those of the claims that have their type. */
function partOf(said: Readonly<Record<string, unknown>>): Partial<LinkClaims> {
  const text = (claim: string) => {
    const value = said[claim];
    return typeof value === "string" && value !== "" && value.isWellFormed() ? value : undefined;
  };
  const time = (claim: string) => {
    const value = said[claim];
    // A NumericDate may have a fraction (RFC 7519 §2); ours are whole milliseconds.
    return typeof value === "number" && Number.isFinite(value) ? Math.round(value * 1000) : undefined;
  };
  const found = {
    organization: text("org"),
    approval: text("apr"),
    root: text("root"),
    member: text("sub"),
    digest: text("dig"),
    jti: text("jti"),
    issued_at: time("iat"),
    expires_at: time("exp"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function whole(part: Partial<LinkClaims>): LinkClaims | null {
  return Object.keys(part).length === 8 ? (part as LinkClaims) : null;
}

function encoded(value: unknown): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOfHex(text: string): number[] {
  return (text.match(/../g) ?? []).map((two) => Number.parseInt(two, 16));
}
