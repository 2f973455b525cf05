/**
 * The secrets that prove who asks. Each is a public id and a random part behind a prefix that scanners can find; only
 * the SHA-256 of the whole is stored, and it is compared in constant time after a look-up by the public id.
 */
import { createHash, hash } from "node:crypto";
import { randomText } from "../ids.ts";

const ID_LENGTH = 20;
const SECRET_LENGTH = 40;

const PREFIXES = { key: "cs_live_", link: "cs_link_", member_session: "cs_mses_" } as const;
const ID_PREFIXES = { key: "key_", link: "lnk_", member_session: "mss_" } as const;
export type CredentialKind = keyof typeof PREFIXES;

export interface NewCredential {
  readonly id: string;
  /** Shown once, to whoever asked for it. */
  readonly secret: string;
  readonly secret_hash: string;
}

export function newCredential(kind: CredentialKind): NewCredential {
  const id = randomText(ID_LENGTH);
  const secret = `${PREFIXES[kind]}${id}${randomText(SECRET_LENGTH)}`;
  return { id: `${ID_PREFIXES[kind]}${id}`, secret, secret_hash: secretHash(secret) };
}

/** The public id in a presented secret, or `null` for what was never one of this kind. */
export function credentialId(kind: CredentialKind, presented: string): string | null {
  const prefix = PREFIXES[kind];
  if (presented.length !== prefix.length + ID_LENGTH + SECRET_LENGTH || !presented.startsWith(prefix))
    return null;
  return /^[0-9A-Za-z]+$/.test(presented.slice(prefix.length))
    ? ID_PREFIXES[kind] + presented.slice(prefix.length, prefix.length + ID_LENGTH)
    : null;
}

export function secretHash(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Equality of two SHA-256 in hex, in constant time. */
export function sameHash(a: string, b: string): boolean {
  const encoder = new TextEncoder();
  return a.length === b.length && crypto.subtle.timingSafeEqual(encoder.encode(a), encoder.encode(b));
}

/** Equality of two texts in constant time: both are hashed, so that not even a length leaks. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Uint8Array => createHash("sha256").update(text, "utf8").digest();
  return crypto.subtle.timingSafeEqual(digest(a), digest(b));
}
