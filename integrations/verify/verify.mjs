/**
 * Checks what Countersign proves, with nothing of Countersign's: exports of a ledger, receipts and checkpoints. No
 * dependencies but the files beside this one; the same files run in Node 20 or newer and in a browser. The rules, and what
 * each code of a break means, stand in docs/ledger.md. Nothing is sent anywhere.
 *
 *     verify(file, { keys, heads, kind, anchor, run }) → { kind, lines, result, text, broken, heads, sealed }
 *
 * file    text, bytes, a Blob, a stream of bytes (an export is read line by line), a list of lines, or a JSON value
 * keys    verifier keys that you trust, from elsewhere than the file: texts, or members of the published list
 * heads   heads that other files gave back: an export is held against those of its chain, as far as those files hold
 * kind    "export", "whole", "receipt" or "checkpoints", where the file is not to be asked; "note" is one signed checkpoint alone
 * anchor  judges the timestamp proof of a receipt: `judgeAnchor` of anchor.mjs
 * run     what other files of this run said, from newRun(): two that contradict each other are not both right
 * lines   [{ status: "ok" | "pending" | "fail" | "note", text }], a line a check
 * result  one of RESULTS; its index is an exit code
 * sealed  false where an export holds, and no sealed head of it was at hand
 * broken  null, or { code, message } and where: { line, seq, byte } of an export, { pointer, seq } of other files
 */

import { FORMS } from "./forms.mjs";
import { attempt, isObject, joined, json, no, text8 } from "./hashed.mjs";
import { checkExport, FIRST_LINE } from "./lines.mjs";
import { checkCheckpoints, checkNote, checkReceipt } from "./proofs.mjs";
import { notesOf } from "./run.mjs";
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
import { checkWhole } from "./whole.mjs";
import { CLAIMS } from "./words.mjs";

export { newRun } from "./run.mjs";

export const RESULTS = ["holds", "broken", "pending", "unreadable"];

const SUMMARY = {
  holds: "every check passed.",
  broken: "it is not what it claims to be; the check that failed says where.",
  pending: "right as far as it goes; what is pending is not established yet.",
  unreadable: "this is no export, receipt or checkpoint that is known here.",
};
const UNSEALED =
  "every check passed, and nothing seals this chain yet: it may have been cut off, or made anew.";
const CHECKS = {
  export: checkExport,
  whole: checkWhole,
  receipt: checkReceipt,
  checkpoints: checkCheckpoints,
  note: checkNote,
};
const EXPORT = '{"hash":"';
/** Of everything that an organization has: as many bytes. */
const WHOLE = '{"kind":"';
/**
 * Verifies a file. Rejects only where the source does, or a key that was given is none.
 * @param {any} file
 * @param {{ keys?: any[], heads?: any[], kind?: string | null, anchor?: any, run?: any }} [options]
 * @returns {Promise<{ kind: string | null, lines: { status: string, text: string }[], result: string, text: string,
 *   broken: any, heads: any[], sealed: boolean }>}
 */
export async function verify(
  file,
  { keys = [], heads = [], kind: asked = null, anchor = null, run = null } = {},
) {
  const lines = [];
  const say = (status, text) => lines.push({ status, text });
  let [kind, broken, proved] = [asked, null, []];
  const trusted = await Promise.all(keys.map((one) => keyOf(one, null)));
  const notes = notesOf(run);
  try {
    const opened = await open(file, asked);
    kind = opened.kind;
    FORMS[kind]?.(opened.what, "");
    proved = await CHECKS[kind](opened.what, { keys: trusted, heads, anchor, notes, sure: opened.sure }, say);
    notes.keep();
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
  const sealed = !lines.some(({ text }) => text === CLAIMS.unsealed);
  return {
    kind,
    lines,
    result,
    text: `${result} \u2014 ${result === "holds" && !sealed ? UNSEALED : SUMMARY[result]}`,
    sealed,
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
  const begins = text8(head.subarray(0, EXPORT.length));
  if (kind === "export" || (kind === null && begins === EXPORT))
    return { kind: "export", what: all, sure: true };
  if (kind === "whole" || (kind === null && begins === WHOLE)) return { kind: "whole", what: all };
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
  // A lone surrogate is no character: as bytes it would be another text.
  const source = typeof file === "string" ? file : text8(bytes);
  if (kind === null && source?.includes("\n\n\u2014 ")) return { kind: "note", what: source };
  const value = source === undefined ? undefined : json(source);
  notAnAnswer(source ?? "", value);
  if (kind === null && markOf(value) === null) return { kind: "export", what: piecesOf(bytes) };
  const opened = readKind(value, kind);
  const bare = source.endsWith("\n") ? source.slice(0, -1) : source;
  const indent = bare.startsWith("{\n") ? 2 : 0;
  return attempt(() => JSON.stringify(value, null, indent)) === bare
    ? opened
    : no("malformed-file", { pointer: "" });
}

/** What was saved in place of a file is named: an answer that says why there is none (RFC 9457), or a page. */
function notAnAnswer(source, value) {
  const where = { pointer: "" };
  const { code, detail, title } = isObject(value) && markOf(value) === null ? value : {};
  const told = typeof detail === "string" ? detail : title;
  if (typeof code === "string" && typeof told === "string") {
    const said = `${told.slice(0, 500)} (${code.slice(0, 100)})`;
    no(
      "malformed-file",
      where,
      true,
      `This is an answer of the API, saved in place of a file. It says: ${said}`,
    );
  }
  if (/^\s*<(!doctype html|html|\?xml)/i.test(source.slice(0, 1_000)))
    no(
      "malformed-file",
      where,
      true,
      "This is a web page, saved in place of a file: perhaps nobody was signed in.",
    );
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

// Whoever runs this file by itself gets no verdict, and must not take silence for one.
if (import.meta.main) throw new Error("This is a module: `npm run -s verify -- FILE` checks files with it.");
