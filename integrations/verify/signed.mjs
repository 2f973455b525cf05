/** What is signed: notes, checkpoints and keys, and the tree that a checkpoint is over (RFC 9162 §2.1). */
import { hex, isCount, joined, no, sha256, unbase64, unhex, utf8 } from "./hashed.mjs";

function readKey(vkey) {
  const [, name, id, base64] = /^([^+]{1,512})\+([0-9a-f]{8})\+([0-9A-Za-z+/=]+)$/.exec(vkey) ?? [];
  const bytes = base64 === undefined ? undefined : unbase64(base64);
  return bytes?.length === 33 && bytes[0] === 1 && !/[\s\p{Z}\p{Cc}]/u.test(name)
    ? { name, id, bytes }
    : null;
}
/**
 * Reads a verifier key, as a text or as a member of the published list.
 * @param pointer where it stands; `null` for one that was given beside the file
 */
export async function keyOf(one, pointer) {
  const { vkey, from = 0, until = null } = typeof one === "string" ? { vkey: one } : (one ?? {});
  const isTimed = isCount(from) && (until === null || isCount(until));
  const key = typeof vkey === "string" && isTimed ? readKey(vkey) : null;
  const digest = key === null ? "" : await sha256(joined(utf8(`${key.name}\n`), key.bytes));
  if (key !== null && digest.startsWith(key.id)) return { ...key, from, until };
  if (pointer === null) throw new RangeError("a key that was given is no verifier key");
  return no("malformed-key", { pointer });
}

/** Takes a signed note apart (C2SP signed-note). */
export function readNote(note, pointer) {
  const wrong = () => no("malformed-note", { pointer });
  const end = note.lastIndexOf("\n\n");
  if (utf8(note).length > 65_536 || !note.isWellFormed() || /[\0-\x09\x0b-\x1f]/.test(note)) wrong();
  if (end === -1 || !note.endsWith("\n")) wrong();
  const signatures = note
    .slice(end + 2, -1)
    .split("\n")
    .map((line) => {
      const [, name, base64] = /^\u2014 ([^\s\p{Z}\p{Cc}+]{1,512}) ([0-9A-Za-z+/=]+)$/u.exec(line) ?? wrong();
      const bytes = unbase64(base64);
      return bytes === undefined || bytes.length < 5
        ? wrong()
        : { name, id: hex(bytes.slice(0, 4)), bytes: bytes.slice(4) };
    });
  return signatures.length > 16 ? wrong() : { text: note.slice(0, end + 1), signatures };
}

/** Which of the keys signed a note: one at least, and none wrongly, however often it stands there. */
export async function signersOf({ text, signatures }, keys, pointer) {
  const signers = new Set();
  for (const { name, id, bytes } of signatures) {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    key.imported ??= crypto.subtle.importKey("raw", key.bytes.slice(1), "Ed25519", false, ["verify"]);
    const made = await key.imported.then(
      (imported) => crypto.subtle.verify("Ed25519", imported, bytes, utf8(text)),
      (error) => (error.name === "NotSupportedError" ? no("no-ed25519", { pointer }, true) : false),
    );
    signers.add(made ? key : no("signature", { pointer }));
  }
  return signers.size === 0 ? no("unknown-key", { pointer }) : signers;
}

/** Those of a checkpoint's signers that are the log's own and sign at its time: one at least. */
export function witnessesOf(signers, { origin, at }, pointer) {
  const own = [...signers].filter((key) => key.name === origin);
  if (own.length === 0) no("origin", { pointer });
  const timely = own.filter(({ from, until }) => from <= at && (until === null || at < until));
  return timely.length === 0 ? no("key-time", { pointer }) : timely;
}

export function readCheckpoint(text, pointer) {
  const [, origin, size, base64, prev, at] =
    /^(\S+)\n(0|[1-9]\d{0,15})\n(\S{44})\nprev (-|[0-9a-f]{64})\nat (0|[1-9]\d{0,15})\n$/.exec(text) ?? [];
  const root = base64 === undefined ? undefined : unbase64(base64);
  const [leaves, when] = [Number(size), Number(at)];
  if (text.length > 2_048 || root?.length !== 32 || !isCount(leaves) || !isCount(when))
    no("malformed-checkpoint", { pointer });
  if (leaves === 0 && hex(root) !== EMPTY_ROOT) no("malformed-checkpoint", { pointer });
  return { origin, size: leaves, root: hex(root), prev, at: when };
}
export const organizationOf = (origin) => /^[^/]+\/([^/]+)$/.exec(origin)?.[1] ?? null;

const EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
export const leafHash = (text) => sha256(joined([0], utf8(text)));
const nodeHash = (left, right) => sha256(joined([1], unhex(left), unhex(right)));
const half = (n) => Math.floor(n / 2);

/** §2.1.3.2 */
export async function isIncluded(leaf, index, size, proof, root) {
  if (index >= size) return false;
  let [fn, sn, hash] = [index, size - 1, leaf];
  for (const one of proof) {
    if (sn === 0) return false;
    const left = fn % 2 === 1 || fn === sn;
    hash = left ? await nodeHash(one, hash) : await nodeHash(hash, one);
    while (left && fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && hash === root;
}

/** §2.1.4.2 */
export async function isConsistent(old, next, proof) {
  if (old.size === next.size) return proof.length === 0 && old.root === next.root;
  if (old.size === 0) return proof.length === 0;
  let odd = old.size;
  while (odd % 2 === 0) odd /= 2;
  const [start, ...rest] = odd === 1 ? [old.root, ...proof] : proof;
  if (start === undefined) return false;
  let [fn, sn, before, after] = [old.size - 1, next.size - 1, start, start];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  for (const one of rest) {
    if (sn === 0) return false;
    const left = fn % 2 === 1 || fn === sn;
    if (left) before = await nodeHash(one, before);
    after = left ? await nodeHash(one, after) : await nodeHash(after, one);
    while (left && fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && before === old.root && after === next.root;
}

/** Adds a leaf to the full subtrees of the right edge, [leaves, hash] each. */
export async function grow(edge, text) {
  let node = [1, await leafHash(text)];
  while (edge.at(-1)?.[0] === node[0]) node = [2 * node[0], await nodeHash(edge.pop()[1], node[1])];
  edge.push(node);
}
export async function rootOf(edge) {
  let root = edge.at(-1)?.[1] ?? EMPTY_ROOT;
  for (const [, hash] of edge.slice(0, -1).reverse()) root = await nodeHash(hash, root);
  return root;
}
