/** What is hashed: bytes, RFC 8785 text, stored entries, leaves. WebCrypto and standard globals only. */
import { SAY } from "./words.mjs";

/** Ends a check: `where` is { pointer, seq }; an export knows its line itself. */
export const no = (code, where = {}, unreadable = false, message = SAY[code]) => {
  throw Object.assign(new Error(message), { code, where, unreadable });
};
export const attempt = (what) => {
  try {
    return what();
  } catch {
    return undefined;
  }
};
export const json = (text) => attempt(() => JSON.parse(text));
export const utf8 = (text) => new TextEncoder().encode(text);
export const text8 = (bytes) =>
  attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
export const hex = (bytes) => bytes.reduce((text, byte) => text + PAIRS[byte], "");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const unbase64 = (text) =>
  attempt(() =>
    btoa(atob(text)) === text ? Uint8Array.from(atob(text), (one) => one.charCodeAt(0)) : undefined,
  );
export const joined = (...parts) => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
export const sha256 = async (of) =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", typeof of === "string" ? utf8(of) : of)));
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
export const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

/** RFC 8785 text. Throws past 128 levels, and at a lone surrogate. */
function jcs(value, depth = 0) {
  if (typeof value === "string" && !value.isWellFormed()) throw new RangeError();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth === 128) throw new RangeError();
  if (Array.isArray(value)) return `[${value.map((one) => jcs(one, depth + 1)).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${jcs(name)}:${jcs(value[name], depth + 1)}`).join()}}`;
}
export const isJcs = (text) => attempt(() => jcs(JSON.parse(text))) === text;

export function readEntry(text) {
  const entry = json(text);
  if (!isObject(entry) || Object.keys(entry).length !== 8) return null;
  const { v, org, session, seq, at, prev, kind, body_hash: bodyHash } = entry;
  const texts = [org, kind, bodyHash, session ?? ""].every((one) => typeof one === "string");
  return v === 1 && texts && session !== undefined && [seq, at].every(Number.isSafeInteger) && isHash(prev)
    ? entry
    : null;
}

/** An entry as it is stored, every hash of it made again. `at` gives the place of a part. */
export async function readStored({ hash, entry: text, body }, disclosed, at) {
  const entry = readEntry(text) ?? no("malformed-entry", at("entry/entry"));
  const where = (part) => ({ ...at(part), seq: entry.seq });
  const [entryHash, bodyHash] = await Promise.all([
    sha256(`countersign/entry/v1\n${text}`),
    sha256(`countersign/body/v1\n${body}`),
  ]);
  if (entryHash !== hash) no("entry-hash", where("entry/hash"));
  if (bodyHash !== entry.body_hash) no("body-hash", where("entry/body"));
  if (!isJcs(text)) no("malformed-entry", where("entry/entry"));
  if (!isJcs(body)) no("malformed-body", where("entry/body"));
  if (disclosed === null) return entry;
  const { salt, private: told } = disclosed;
  const commitment = await sha256(joined(utf8("countersign/private/v1\n"), unhex(salt), utf8(told)));
  return told.isWellFormed() && json(body)?.private === commitment
    ? entry
    : no("private", where("disclosed"));
}
export const isFirstOf = async ({ org, session, prev }) =>
  (await sha256(`countersign/genesis/v1\n${jcs({ org, session, v: 1 })}`)) === prev;
export const chainOf = ({ session }) => (session === null ? "organization" : `session:${session}`);

/** A leaf of the log of heads, or null. */
export function readLeaf(text) {
  const leaf = json(text);
  const { v, org, chain, seq, hash, at } = isObject(leaf) ? leaf : {};
  const texts =
    typeof org === "string" && typeof chain === "string" && /^(organization$|session:)/.test(chain);
  const known = v === 1 && texts && isHash(hash) && isCount(seq) && seq >= 1 && Number.isSafeInteger(at);
  return known && attempt(() => jcs({ at, chain, hash, org, seq, v })) === text
    ? { org, chain, seq, hash, at }
    : null;
}
