/**
 * Signed notes (C2SP signed-note) with Ed25519 signatures. Pure: a signature is a function of key and text. Reading is
 * total and bounded; a note is refused with the byte that is wrong.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from "./bytes.ts";

/** C2SP asks for 16 signatures at least; nothing signed here is larger than this. */
export const MAX_NOTE_BYTES = 65_536;
export const MAX_NOTE_SIGNATURES = 16;
export const MAX_KEY_NAME_CHARACTERS = 512;

/** The type byte of Ed25519 in a key id and in a verifier key. */
const ED25519 = 0x01;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** PKCS #8 of an Ed25519 private key up to its 32 bytes (RFC 8410 §7). */
const PKCS8 = "302e020100300506032b657004220420";

/** A public key, as a note names it: by its name and the first four bytes of a hash over both. */
export interface VerifierKey {
  readonly name: string;
  /** Eight lower-case hex digits. */
  readonly id: string;
  readonly publicKey: Uint8Array;
  /** Epoch milliseconds in which it signs, where they are known: from the first on, until before the second. */
  readonly from?: number;
  /** `null` for a key that still signs. */
  readonly until?: number | null;
}

export interface NoteSignature {
  readonly name: string;
  readonly id: string;
  readonly signature: Uint8Array;
}

export interface Note {
  /** What is signed, with its last line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export type ReadNote =
  | { readonly ok: true; readonly note: Note }
  /** `byte` counts from 0. */
  | { readonly ok: false; readonly byte: number; readonly message: string };

export type VerifiedNote =
  | { readonly ok: true; readonly text: string; readonly signers: readonly VerifierKey[] }
  | {
      readonly ok: false;
      /** `signature`: a key that was given did not make the signature that bears its name. `unknown-key`: none signed. */
      readonly code: "malformed-note" | "signature" | "unknown-key";
      /** Of the whole note, from 0. */
      readonly byte: number;
      readonly message: string;
    };

/** Signs the bytes of a text. */
export interface NoteSigner {
  readonly key: VerifierKey;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** The verifier key of a name and 32 bytes of Ed25519 public key. @throws {RangeError} on a name that no note may bear */
export function verifierKey(name: string, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) throw new RangeError("not a key name");
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new RangeError("not an Ed25519 public key");
  const digest = createHash("sha256").update(`${name}\n`, "utf8").update(Uint8Array.of(ED25519));
  return { name, id: digest.update(publicKey).digest("hex").slice(0, 8), publicKey };
}

/** `<name>+<key id in hex>+<base64 of 0x01 ‖ public key>`. */
export function formatVerifierKey(key: VerifierKey): string {
  return `${key.name}+${key.id}+${base64Of(Uint8Array.of(ED25519, ...key.publicKey))}`;
}

/**
 * Reads a key that a reader trusts: its text, or a member of the published list, with the time in which it signs. Total.
 * @returns `null` where it is no verifier key, or its times are none
 */
export function parseTrustedKey(value: unknown): VerifierKey | null {
  if (typeof value === "string") return parseVerifierKey(value);
  const { vkey, from = 0, until = null } = (value ?? {}) as Record<string, unknown>;
  const key = typeof vkey === "string" ? parseVerifierKey(vkey) : null;
  const isTime = (time: unknown): time is number => Number.isSafeInteger(time) && (time as number) >= 0;
  return key !== null && isTime(from) && (until === null || isTime(until)) ? { ...key, from, until } : null;
}

/** Whether a key signs at a time: `from` until before `until`. One whose times are not known signs at any. */
export function signsAt({ from, until }: VerifierKey, at: number): boolean {
  return (from === undefined || from <= at) && (until === undefined || until === null || at < until);
}

/** Reads a verifier key; `null` when it is none, of another kind, or does not have the id that it claims. Total. */
export function parseVerifierKey(text: string): VerifierKey | null {
  if (text.length > MAX_KEY_NAME_CHARACTERS + 64) return null;
  const match = /^([^+]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/=]+)$/.exec(text);
  const [, name = "", id = "", base64 = ""] = match ?? [];
  const bytes = bytesOfBase64(base64);
  if (!isKeyName(name) || bytes === null) return null;
  if (bytes.length !== PUBLIC_KEY_BYTES + 1 || bytes[0] !== ED25519) return null;
  const key = verifierKey(name, bytes.slice(1));
  return key.id === id ? key : null;
}

/** A signer from the 32 bytes of an Ed25519 private key (RFC 8032 §5.1.5). */
export function ed25519Signer(name: string, seed: Uint8Array): NoteSigner {
  const der = bytesOfHex(`${PKCS8}${hexOf(seed)}`);
  if (seed.length !== 32 || der === null) throw new RangeError("not an Ed25519 private key");
  const privateKey = createPrivateKey({ key: der as Buffer, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" }) as { x?: string };
  return {
    key: verifierKey(
      name,
      bytesOfBase64(`${x.replaceAll("-", "+").replaceAll("_", "/")}=`) ?? new Uint8Array(),
    ),
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
  };
}

/**
 * A note over `text`, signed by each of the signers in turn.
 * @throws {RangeError} when no note may hold this text
 */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  const bytes = new TextEncoder().encode(text);
  const signatures = signers.map(({ key, sign }) => ({ name: key.name, id: key.id, signature: sign(bytes) }));
  const note = formatNote({ text, signatures });
  const read = parseNote(note);
  if (!read.ok || read.note.text !== text) throw new RangeError("no note can hold this text");
  return note;
}

export function formatNote(note: Note): string {
  const lines = note.signatures.map(
    ({ name, id, signature }) =>
      `— ${name} ${base64Of(Uint8Array.of(...(bytesOfHex(id) ?? []), ...signature))}\n`,
  );
  return `${note.text}\n${lines.join("")}`;
}

/** Takes a note apart. Signatures of kinds that nobody here knows are kept: they are ignored, not refused. Total. */
export function parseNote(note: string): ReadNote {
  const no = (at: number, message: string): ReadNote => ({
    ok: false,
    byte: utf8Length(note.slice(0, at)),
    message,
  });
  if (note.length > MAX_NOTE_BYTES || utf8Length(note) > MAX_NOTE_BYTES)
    return no(0, `A note has ${MAX_NOTE_BYTES} bytes at most.`);
  if (!note.isWellFormed()) return no(0, "A note is well-formed Unicode.");
  const control = /[\0-\x09\x0b-\x1f]/.exec(note);
  if (control !== null) return no(control.index, "A note holds no control characters but line feeds.");
  const end = note.lastIndexOf("\n\n");
  if (end === -1) return no(note.length, "A blank line parts the text of a note from its signatures.");
  if (!note.endsWith("\n")) return no(note.length, "A note ends with a line feed.");
  const signatures: NoteSignature[] = [];
  let at = end + 2;
  for (const line of note.slice(at, -1).split("\n")) {
    const signature = parseSignature(line);
    if (signature === null) return no(at, "This is not a signature line.");
    if (signatures.length === MAX_NOTE_SIGNATURES)
      return no(at, `A note has ${MAX_NOTE_SIGNATURES} signatures at most.`);
    signatures.push(signature);
    at += line.length + 1;
  }
  return { ok: true, note: { text: note.slice(0, end + 1), signatures } };
}

/**
 * Verifies a note. Signatures by other keys are passed over; one that bears the name and id of a key that was given must
 * be that key's, or the whole note is refused, however often that key stands there.
 * @param keys that are trusted; whoever wrote the note has no say in them
 */
export function verifyNote(text: string, keys: readonly VerifierKey[]): VerifiedNote {
  const read = parseNote(text);
  if (!read.ok) return { ...read, code: "malformed-note" };
  const bytes = new TextEncoder().encode(read.note.text);
  const start = bytes.length + 1;
  const signers: VerifierKey[] = [];
  for (const { name, id, signature } of read.note.signatures) {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    if (!isSignedBy(key, bytes, signature))
      return {
        ok: false,
        code: "signature",
        byte: start,
        message: `The signature of ${name} (${id}) is not one of this text by that key.`,
      };
    if (!signers.includes(key)) signers.push(key);
  }
  if (signers.length === 0)
    return {
      ok: false,
      code: "unknown-key",
      byte: start,
      message: "None of the given keys signed this.",
    };
  return { ok: true, text: read.note.text, signers };
}

/** Whether an Ed25519 signature is this key's over these bytes. Total. */
export function isSignedBy(key: VerifierKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    const x = base64Of(key.publicKey).replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, bytes, publicKey, signature);
  } catch {
    return false;
  }
}

function parseSignature(line: string): NoteSignature | null {
  const match = /^\u2014 (\S+) ([0-9A-Za-z+/=]+)$/.exec(line);
  const [, name = "", base64 = ""] = match ?? [];
  const bytes = bytesOfBase64(base64);
  if (!isKeyName(name) || bytes === null || bytes.length < 5) return null;
  return { name, id: hexOf(bytes.slice(0, 4)), signature: bytes.slice(4) };
}

/** Non-empty, without spaces of any kind and without a plus sign, which parts the fields of a verifier key. */
function isKeyName(name: string): boolean {
  if (name.length === 0 || name.length > MAX_KEY_NAME_CHARACTERS || !name.isWellFormed()) return false;
  return !/[\s\p{Z}\p{Cc}+]/u.test(name);
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
