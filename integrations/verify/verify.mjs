/**
 * Checks what Countersign proves, with nothing of Countersign's: exports of a ledger, receipts and checkpoints. No
 * dependencies but the files beside this one; the same files run in Node 20 or newer and in a browser. The rules, and what
 * each code of a break means, stand in docs/ledger.md. Nothing is sent anywhere.
 *
 *     verify(file, { keys, heads, kind, anchor }) → { kind, lines, result, text, broken, heads }
 *
 * file    text, bytes, a Blob, a stream of bytes (an export is read line by line), a list of lines, or a JSON value
 * keys    verifier keys that you trust, from elsewhere than the file: texts, or members of the published list
 * heads   heads that other files gave back: an export is held against those of its chain, as far as those files hold
 * kind    "export", "receipt" or "checkpoints", where the file is not to be asked; "note" is one signed checkpoint alone
 * anchor  judges the timestamp proof of a receipt: `judgeAnchor` of anchor.mjs
 * lines   [{ status: "ok" | "pending" | "fail" | "note", text }], a line a check
 * result  one of RESULTS; its index is an exit code
 * broken  null, or { code, message } and where: { line, seq, byte } of an export, { pointer, seq } of other files
 */

import {
  attempt,
  chainOf,
  isFirstOf,
  isHash,
  isObject,
  joined,
  json,
  no,
  readStored,
  text8,
} from "./hashed.mjs";
import { checkCheckpoints, checkNote, checkReceipt, FORMS } from "./proofs.mjs";
import { keyOf } from "./signed.mjs";
import {
  hasLine,
  inBounds,
  isBraced,
  isSource,
  MAX_FILE_BYTES,
  MAX_TEXT_BYTES,
  notPacked,
  piecesOf,
} from "./sources.mjs";
import { CLAIMS } from "./words.mjs";

export const RESULTS = ["holds", "broken", "pending", "unreadable"];

const SUMMARY = {
  holds: "every check passed.",
  broken: "it is not what it claims to be; the check that failed says where.",
  pending: "right as far as it goes; what is pending is not established yet.",
  unreadable: "this is no export, receipt or checkpoint that is known here.",
};
const CHECKS = { export: checkExport, receipt: checkReceipt, checkpoints: checkCheckpoints, note: checkNote };
const EXPORT = '{"hash":"';
const FIRST_LINE = { line: 1, seq: 1, byte: 0 };
/**
 * Verifies a file. Rejects only where the source does, or a key that was given is none.
 * @param {any} file
 * @param {{ keys?: any[], heads?: any[], kind?: string | null, anchor?: any }} [options]
 * @returns {Promise<{ kind: string | null, lines: { status: string, text: string }[], result: string, text: string,
 *   broken: any, heads: any[] }>}
 */
export async function verify(file, { keys = [], heads = [], kind: asked = null, anchor = null } = {}) {
  const lines = [];
  const say = (status, text) => lines.push({ status, text });
  let [kind, broken, proved] = [asked, null, []];
  const trusted = await Promise.all(keys.map((one) => keyOf(one.vkey ?? one, null)));
  try {
    const opened = await open(file, asked);
    kind = opened.kind;
    FORMS[kind]?.(opened.what, "");
    proved = await CHECKS[kind](opened.what, { keys: trusted, heads, anchor, sure: opened.sure }, say);
  } catch (error) {
    if (error.code === undefined || error.where === undefined) throw error;
    const { line, seq, byte, pointer } = error.where;
    broken = { code: error.code, ...error.where, message: error.message, unreadable: error.unreadable };
    const where = [
      line && `line ${line}`,
      pointer || null,
      seq && `seq ${seq}`,
      byte !== undefined && `byte ${byte}`,
    ];
    say(
      "fail",
      `${error.message} [${error.code}] (where: ${where.filter(Boolean).join(", ") || "the file"})`,
    );
  }
  const pending = lines.some((one) => one.status === "pending");
  const result =
    broken !== null ? (broken.unreadable ? "unreadable" : "broken") : pending ? "pending" : "holds";
  return {
    kind,
    lines,
    result,
    text: `${result} \u2014 ${SUMMARY[result]}`,
    broken,
    heads: broken === null ? proved : [],
  };
}

/** Asks a file what it is; an export is not read to its end for that. */
async function open(file, kind) {
  if (!isSource(file)) return readKind(file, kind);
  const pieces = piecesOf(file);
  let head = new Uint8Array();
  while (head.length < EXPORT.length) {
    const { value, done } = await pieces.next();
    if (done) break;
    head = joined(head, value);
  }
  const all = (async function* () {
    yield head;
    yield* pieces;
  })();
  if (kind === "export" || (kind === null && text8(head.subarray(0, EXPORT.length)) === EXPORT))
    return { kind: "export", what: all, sure: true };
  notPacked(head);
  const most = isBraced(head) || kind !== null ? MAX_FILE_BYTES : MAX_TEXT_BYTES;
  const parts = [];
  let [size, lines] = [0, false];
  for await (const one of all) {
    size += one.length;
    parts.push(one);
    lines ||= size > MAX_TEXT_BYTES && hasLine(one, EXPORT);
    if (size <= most && !lines) continue;
    // What begins otherwise, or has such lines, can only be an export, and its first line is none.
    if (kind === null && (most === MAX_TEXT_BYTES || lines)) no("malformed-line", FIRST_LINE, true);
    if (size <= MAX_FILE_BYTES) continue;
    no("malformed-file", { byte: most }, true, `A file of this kind has ${most} bytes at most.`);
  }
  const bytes = joined(...parts.splice(0));
  inBounds(bytes);
  const source = text8(bytes);
  if (kind === null && source?.includes("\n\n\u2014 ")) return { kind: "note", what: source };
  const value = source === undefined ? undefined : json(source);
  if (kind === null && markOf(value) === null) return { kind: "export", what: piecesOf(bytes) };
  const opened = readKind(value, kind);
  const bare = source.endsWith("\n") ? source.slice(0, -1) : source;
  const indent = bare.startsWith("{\n") ? 2 : 0;
  return attempt(() => JSON.stringify(value, null, indent)) === bare
    ? opened
    : no("malformed-file", { pointer: "" });
}

const MARKED = ["receipt", "checkpoints"];
const markOf = (value) =>
  MARKED.find((kind) => isObject(value) && Object.hasOwn(value, `countersign_${kind}`)) ?? null;

function readKind(value, asked) {
  const kind = markOf(value);
  if (kind === null || (asked !== null && asked !== kind)) no("malformed-file", { pointer: "" }, true);
  if (value[`countersign_${kind}`] !== 1) no("unknown-version", { pointer: `/countersign_${kind}` }, true);
  return { kind, what: value };
}

const MAX_LINE_BYTES = 33_554_432;
/** Lines are hashed while others are read: so many, or so many bytes of them. */
const AHEAD = 64;
const AHEAD_BYTES = 4_194_304;

/** The lines of a stream of bytes, and the byte that each begins at. One past the bound is the last, and no UTF-8. */
async function* linesOf(chunks) {
  let at = 0;
  let rest = [];
  let size = 0;
  const line = () => {
    const whole = { bytes: rest.length === 1 ? rest[0] : joined(...rest), byte: at };
    [at, rest, size] = [at + size + 1, [], 0];
    return whole;
  };
  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(10, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      rest.push(part);
      size += part.length;
      if (size > MAX_LINE_BYTES) return yield { bytes: Uint8Array.of(255), byte: at };
      if (end !== -1) yield line();
      start += part.length + (end === -1 ? 0 : 1);
    }
  }
  if (size > 0) yield line();
}

function readLine(bytes) {
  const text = text8(bytes);
  const value = text === undefined ? null : json(text);
  if (!isObject(value)) return null;
  const { hash, entry, body, salt, private: told } = value;
  if (!isHash(hash) || typeof entry !== "string" || typeof body !== "string") return null;
  const disclosed = typeof told === "string" && isHash(salt) ? { private: told, salt } : null;
  return JSON.stringify({ hash, entry, body, ...disclosed }) === text
    ? { stored: { hash, entry, body }, disclosed }
    : null;
}

/** What can be said of a line by itself: its entry, or what is wrong. */
async function judge(bytes) {
  try {
    const { stored, disclosed } = readLine(bytes) ?? no("malformed-line");
    return { hash: stored.hash, entry: await readStored(stored, disclosed, () => ({})) };
  } catch (error) {
    return { error };
  }
}

async function checkExport(chunks, { heads, sure = false }, say) {
  let [line, seq, head, at, end, held, first] = [0, 0, "", 0, 0, 0, null];
  const own = new Map();
  const follow = async ({ error, entry, hash }) => {
    if (error !== undefined) throw error;
    if (first === null) {
      if (entry.seq !== 1) no("sequence");
      if (!(await isFirstOf(entry))) no("genesis");
      first = entry;
      for (const one of heads)
        if (one.org === entry.org && one.chain === chainOf(entry))
          own.set(one.seq, (own.get(one.seq) ?? new Set()).add(one.hash));
    } else {
      if (entry.seq !== seq + 1) no("sequence");
      if (entry.prev !== head) no("previous-hash");
      if (entry.org !== first.org) no("organization");
      if (entry.at < at) no("time");
    }
    for (const one of own.get(entry.seq) ?? []) if (one !== hash) no("forked");
    [seq, head, at] = [entry.seq, hash, entry.at];
  };
  const ahead = [];
  const next = async () => {
    const { judged, byte, size } = ahead.shift();
    line += 1;
    held -= size;
    end = byte + size;
    const where = { line, seq: seq + 1, byte };
    await follow(await judged).catch((error) => {
      const unreadable = !sure && line === 1 && error.code === "malformed-line";
      throw error.code === undefined ? error : Object.assign(error, { where, unreadable });
    });
  };
  for await (const { bytes, byte } of linesOf(chunks)) {
    ahead.push({ judged: judge(bytes), byte, size: bytes.length });
    held += bytes.length;
    while (ahead.length > AHEAD || held > AHEAD_BYTES) await next();
  }
  while (ahead.length > 0) await next();
  if (line === 0) no("malformed-line", FIRST_LINE, true);
  const last = [...own.keys()].reduce((most, one) => Math.max(most, one), 0);
  if (seq < last) no("truncated", { line: line + 1, seq: seq + 1, byte: end });
  say("ok", `${seq} entries of ${chainOf(first)} of ${first.org} follow one another; the head is ${head}`);
  if (last > 0) say("ok", `every sealed head stands in it, the last at entry ${last}`);
  say("note", last > 0 ? CLAIMS.sealed : CLAIMS.chain);
  return [];
}
