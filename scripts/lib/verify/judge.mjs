/**
 * What is said of one file, in Node and in a browser: the checks of integrations/verify, and those of bytes that were
 * anchored, whose proof stands beside them. Standard globals only; nothing is sent anywhere.
 */
import { judgeAnchor, judgeProof, stampedBy } from "../../../integrations/verify/anchor.mjs";
import { hex, sha256, text8, utf8 } from "../../../integrations/verify/hashed.mjs";
import { keccak256, ripemd160 } from "../../../integrations/verify/hashes.mjs";
import { newRun, RESULTS, verify } from "../../../integrations/verify/verify.mjs";
import { CLAIMS } from "../../../integrations/verify/words.mjs";

export { newRun };

/** Longest proof that is read; see docs/ledger.md, "Bounds". */
export const MAX_PROOF_BYTES = 1_048_576;
/** Longest list of keys or of headers that is read. */
export const MAX_LIST_BYTES = 1_048_576;
const MAX_NOTE_BYTES = 65_536;
const SUMMARY = {
  holds: "every check passed.",
  broken: "it is not what it claims to be; the check that failed says where.",
  pending: "right as far as it goes; what is pending is not established yet.",
  unreadable: "this could not be read; the line above says where.",
};
const MARKS = { ok: "ok   ", pending: "..   ", fail: "FAIL ", note: "     " };
const OTHER_BYTES = "The proof is over other bytes.";

/**
 * Controls, formats that turn or hide text, lone surrogates, and line ends: named instead of written, since a terminal
 * obeys them, and a name can be made to look like a line of ours.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800\u3164]/gu;
export const visible = (text) =>
  String(text)
    .replace(PILED, (marks) => `\u27e8${[...marks].length} marks\u27e9`)
    .replace(
      UNSEEN,
      (one) => `\u27e8U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`,
    );

/** Marks that stand over one another without end cover what stands around them: of more than three, so many are named. */
const PILED = /\p{M}{4,}/gu;

/** A check as a line of text. */
export const lineOf = ({ status, text }) => `  ${MARKS[status]} ${visible(text)}`;
export const resultLine = ({ text }) => `RESULT  ${visible(text)}`;

/** The worst of several results: a break, then what could not be read, then what is pending. */
export const worstOf = (results) =>
  ["broken", "unreadable", "pending"].find((one) => results.includes(one)) ?? "holds";
export const exitCodeOf = (results) => RESULTS.indexOf(worstOf(results));

/**
 * Judges one file.
 * @param {{ name: string, size: number | null, head: Uint8Array, open: () => any, digest: (hash: string) => Promise<string>,
 *   proof: Uint8Array | null }} file `head`: as many of its first bytes as a signed note may have; `open` gives what
 *   `verify` reads; `digest` the hash of all its bytes by one of sha1, ripemd160, sha256, keccak256; `proof` the `.ots` file beside it
 * @param {{ keys: any[], heads: any[], headers: Record<string, string>, compared: boolean, run: any }} given headers by
 *   height, as hex; `compared`: whether what sealed the heads was signed by keys that were compared; `run` from newRun()
 * @returns {Promise<{ lines: { status: string, text: string }[], result: string, text: string, heads: any[],
 *   sealed: boolean, compared: boolean }>}
 */
export async function judgeFile(file, { keys, heads, headers, compared, run }) {
  const anchor = (one, digest, since) => judgeAnchor(one, digest, since, headers);
  const judged = [];
  if (file.proof === null || isKnown(file) || isBraced(file)) {
    const read = await verify(file.open(), { keys, heads, anchor, run });
    // JSON that is none of ours may be stamped as any other bytes.
    if (file.proof === null || isKnown(file) || read.result !== "unreadable")
      judged.push(unsure(read, compared));
  }
  if (file.proof !== null) judged.push(await judgeStamped(file, headers));
  const result = worstOf(judged.map((one) => one.result));
  const last = judged.find((one) => one.result === result);
  return {
    lines: judged.flatMap((one) => one.lines),
    result,
    text: last.text,
    heads: judged.flatMap((one) => one.heads),
    sealed: judged.every((one) => one.sealed),
    compared: !judged.some(({ lines }) => lines.some(isUncompared)),
  };
}

const isUncompared = ({ status, text }) => status === "pending" && text === CLAIMS.keys;

/** Heads that anybody could have sealed show nothing of a chain yet. */
function unsure(judged, compared) {
  if (compared || judged.result !== "holds" || !judged.lines.some(({ text }) => text === CLAIMS.sealed))
    return judged;
  return resultOf([...judged.lines, { status: "pending", text: CLAIMS.keys }], "pending");
}

/** Of a receipt, as docs/ledger.md bounds it. */
const MAX_RECORD_BYTES = 67_108_864;
/** JSON: a record of ours can begin with any of its members. */
const isBraced = ({ head, size }) =>
  size !== null && size <= MAX_RECORD_BYTES && /^\s*\{/.test(String.fromCharCode(...head.subarray(0, 64)));

/** Where a proof stands beside it, a file may be any bytes: then only what looks like a record is read as one. */
function isKnown({ head, size }) {
  if (head[0] === 0x7b)
    return /^\{\s*"(hash"|countersign_|kind":"manifest","countersign_)/.test(
      text8(head.subarray(0, 64)) ?? "",
    );
  return noteText({ head, size }) !== null;
}

/** The text that a signed note signs, if this is one: a checkpoint's proof is over that. */
function noteText({ head, size }) {
  if (size === null || size > MAX_NOTE_BYTES) return null;
  const text = text8(head) ?? "";
  const end = text.indexOf("\n\n\u2014 ");
  return end === -1 ? null : text.slice(0, end + 1);
}

async function judgeStamped(file, headers) {
  const { proof } = file;
  const signed = noteText(file);
  const over = stampedBy(proof);
  const ofText = signed === null ? null : await sha256(utf8(signed));
  // What is no proof is refused by its own bytes, whatever stands beside it.
  const digest = over === null ? "" : over.digest === ofText ? ofText : await file.digest(over.name);
  return stamped(proof, digest, headers, digest === ofText ? "the text that the checkpoint signs" : null);
}

/** A proof whose bytes are not at hand: it is judged by the digest that it names itself. */
export async function judgeLoneProof(proof, headers) {
  const digest = stampedBy(proof)?.digest ?? "";
  const judged = await stamped(proof, digest, headers, "the digest that it names");
  if (judged.result !== "broken" && judged.result !== "unreadable")
    judged.lines.push({
      status: "pending",
      text: "the bytes are not at hand: put them beside the proof, under its name without .ots",
    });
  return judged.result === "holds" ? resultOf(judged.lines, "pending") : judged;
}

async function stamped(proof, digest, headers, what) {
  if (proof.length > MAX_PROOF_BYTES)
    return failed(
      `The proof is larger than ${MAX_PROOF_BYTES} bytes. (byte ${MAX_PROOF_BYTES})`,
      "unreadable",
    );
  const judged = await judgeProof(proof, digest, headers);
  if (!Array.isArray(judged)) {
    const broken = judged.pointer !== "/anchor/ots" || judged.message.startsWith(OTHER_BYTES);
    return failed(judged.message, broken ? "broken" : "unreadable");
  }
  const [first, ...rest] = judged;
  const lines = [
    what === null ? first : { ...first, text: first.text.replace("these bytes", what) },
    ...rest,
  ];
  const note = (text) => lines.push({ status: "note", text });
  if (rest.some(({ status }) => status === "ok")) {
    note(CLAIMS.integrity);
    for (const text of CLAIMS.timestamp) note(text);
    return resultOf(lines, "holds");
  }
  lines.push({ status: "pending", text: CLAIMS.unconfirmed });
  return resultOf(lines, "pending");
}

const failed = (text, result) => resultOf([{ status: "fail", text }], result);
const resultOf = (lines, result) => ({
  lines,
  result,
  text: `${result} \u2014 ${SUMMARY[result]}`,
  heads: [],
  sealed: true,
});
const WHOLE = { ripemd160, keccak256 };
/** Of a file that is stamped by a hash which no platform has in parts: the reference client stamps none by Keccak-256. */
const MAX_WHOLE_BYTES = 8_388_608;

/**
 * The digest of a file by one of the hashes that are written here, which take all its bytes at once.
 * @param {string} name @param {number} size @param {() => Promise<Uint8Array>} read
 */
export async function hashedWhole(name, size, read) {
  if (size > MAX_WHOLE_BYTES)
    throw new Refused(
      `it is larger than ${MAX_WHOLE_BYTES} bytes, and stamped by ${name}: it is not hashed here`,
    );
  return hex(WHOLE[name](await read()));
}

/** What was given to check with is not of its form. `message` says where. */
export class Refused extends Error {}

/**
 * The verifier keys in a text: one a line, or what `/.well-known/countersign/{organization}/keys` answers.
 * @param {string} text @returns {(string | { vkey: string, from?: number, until?: number | null })[]} with the times
 *   in which they sign, where these are said
 */
export function keysOf(text) {
  const trimmed = text.trim();
  if (trimmed === "") throw new Refused("there is no key in it");
  if (!trimmed.startsWith("{"))
    return trimmed
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  let value;
  try {
    value = JSON.parse(trimmed);
  } catch {
    throw new Refused("it is not JSON");
  }
  if (!Array.isArray(value.keys)) throw new Refused("there is no list at /keys");
  return value.keys.map((one, i) => {
    if (typeof one?.vkey !== "string") throw new Refused(`there is no verifier key at /keys/${i}/vkey`);
    const { vkey, from, until } = one;
    return { vkey, from, until };
  });
}

/**
 * Block headers in a text: `HEIGHT:HEX`, one a line.
 * @param {string} text @returns {Record<string, string>} hex by height
 */
export function headersOf(text) {
  const headers = {};
  for (const [i, line] of text.split("\n").entries()) {
    const one = line.trim();
    if (one === "") continue;
    const [height, digits, ...more] = one.split(":");
    const where = `line ${i + 1}`;
    if (!/^(0|[1-9]\d{0,8})$/.test(height) || digits === undefined || more.length > 0)
      throw new Refused(`${where}: a header is written HEIGHT:HEX`);
    const bad = digits.search(/[^0-9a-fA-F]/);
    if (bad !== -1) throw new Refused(`${where}: column ${height.length + 2 + bad} is no hex digit`);
    if (digits.length !== 160)
      throw new Refused(
        `${where}: a header is 80 bytes, 160 hex digits; this one has ${digits.length} digits`,
      );
    headers[height] = digits.toLowerCase();
  }
  if (Object.keys(headers).length === 0) throw new Refused("there is no header in it");
  return headers;
}
