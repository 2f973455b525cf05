/**
 * Judges an anchor: an OpenTimestamps proof over a digest, and the Bitcoin block headers that are known to it. For
 * `verify(file, { anchor: judgeAnchor })`.
 *
 *     judgeAnchor({ ots, headers }, digest, since, given) → [{ status, text }], or { pointer, message }
 *     judgeProof(bytes, digest, headers)    the same of a file's own proof, by whichever hash; see stampedBy
 */

import { hex, isCount, joined, unbase64, unhex, utf8 } from "./hashed.mjs";
import { keccak256, ripemd160 } from "./hashes.mjs";
import { FIRST_HEIGHT, readHeader } from "./header.mjs";

const MAGIC = joined([0], utf8("OpenTimestamps"), [0, 0], utf8("Proof"), [0], unhex("bf89e2e884e89294"));
const PENDING = "83dfe30d2ef90c8e";
const BITCOIN = "0588960d73d71901";
const NUMBERED = { [BITCOIN]: "bitcoin", "06869a0d73d71b45": "litecoin", "30fe8087b5c7ead7": "ethereum" };
const MOST = {
  file: 1_048_576,
  message: 4_096,
  operations: 10_000,
  attestations: 1_000,
  depth: 255,
  work: 4_194_304,
};
const digestOf = async (name, bytes) => new Uint8Array(await crypto.subtle.digest(name, bytes));
const limited = (bytes) => (bytes.length > 0 && bytes.length <= MOST.message ? bytes : undefined);
/** What each operation makes of a message; undefined where it may not. */
const OPERATIONS = {
  2: (message) => digestOf("SHA-1", message),
  3: (message) => ripemd160(message),
  8: (message) => digestOf("SHA-256", message),
  103: (message) => keccak256(message),
  240: (message, argument) => limited(joined(message, argument)),
  241: (message, argument) => limited(joined(argument, message)),
  242: (message) => limited(message.slice().reverse()),
  243: (message) => limited(utf8(hex(message))),
};
const COSTS = { 3: 4, 103: 16 };
/** The hashes of files, with the bytes of a digest. */
const FILE_HASHES = { 2: ["sha1", 20], 3: ["ripemd160", 20], 8: ["sha256", 32], 103: ["keccak256", 32] };

/** Reads bytes from the front. What is wrong is thrown with its byte. */
function readerOf(bytes, base = 0) {
  let at = 0;
  const refuse = (message, byte = base + at) => {
    throw Object.assign(new Error(`${message} (byte ${byte})`), { refused: true });
  };
  const take = (length) => {
    if (at + length > bytes.length) refuse("The proof ends too early.", base + bytes.length);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = () => {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const [byte] = take(1);
      value += (byte & 0x7f) * place;
      if (!isCount(value) || place > 2 ** 56) refuse("The number is too large.");
      if (byte < 0x80) return value;
    }
  };
  const sized = (least, most) => {
    const length = number();
    return length < least || length > most ? refuse("This has a length that it may not have.") : take(length);
  };
  const end = () => at === bytes.length || refuse("Something stands after the end.");
  return { refuse, take, number, sized, end, at: () => base + at };
}

function readAttestation(reader) {
  const tag = hex(reader.take(8));
  const payload = reader.sized(0, 8_192);
  const inner = readerOf(payload, reader.at() - payload.length);
  if (tag === PENDING) {
    const uri = String.fromCharCode(...inner.sized(0, 1_000));
    if (!/^[A-Za-z0-9\-._/:]*$/.test(uri)) inner.refuse("The address of a calendar holds what it may not.");
    inner.end();
    return { key: `${tag} ${uri}`, kind: "pending", uri };
  }
  if (NUMBERED[tag] === undefined) return { key: `${tag} ${hex(payload)}`, kind: "unknown", tag };
  const height = inner.number();
  inner.end();
  return { key: `${tag} ${height}`, kind: NUMBERED[tag], height };
}

function readStart(reader, size) {
  if (size > MOST.file) reader.refuse("The proof is too large.");
  for (const due of MAGIC)
    if (reader.take(1)[0] !== due) reader.refuse("This is no OpenTimestamps proof.", reader.at() - 1);
  if (reader.take(1)[0] !== 1) reader.refuse("The proof is not of version 1.", reader.at() - 1);
  const [name, length] =
    FILE_HASHES[reader.take(1)[0]] ?? reader.refuse("No file is stamped by this hash.", reader.at() - 1);
  return { name, message: reader.take(length).slice() };
}

/** Which hash of a file a proof is over, and the digest that it names; null where it is no proof. */
export function stampedBy(file) {
  try {
    const { name, message } = readStart(readerOf(file), file.length);
    return { name, digest: hex(message) };
  } catch (error) {
    if (error.refused === true) return null;
    throw error;
  }
}

/**
 * A whole proof: its tree is built without recursion and within bounds, and what stands twice in it stands once. Then
 * every attestation with the message that it is of, those of a message before what is made of it.
 */
async function readProof(file) {
  const reader = readerOf(file);
  const { name, message: digest } = readStart(reader, file.length);
  const nodeOf = (message, depth) => ({ message, depth, attestations: new Map(), branches: new Map() });
  const root = nodeOf(digest, 0);
  const open = [root];
  let [operations, attestations, work] = [0, 0, 0];
  for (let here = open.pop(); here !== undefined; ) {
    let [tag] = reader.take(1);
    if (tag === 0xff) {
      open.push(here);
      [tag] = reader.take(1);
    }
    if (tag === 0) {
      attestations += 1;
      if (attestations > MOST.attestations) reader.refuse("The proof has too many attestations.");
      const one = readAttestation(reader);
      here.attestations.set(one.key, one);
      here = open.pop();
      continue;
    }
    const apply = OPERATIONS[tag] ?? reader.refuse("This is no operation.", reader.at() - 1);
    const argument = tag === 240 || tag === 241 ? reader.sized(1, MOST.message) : null;
    operations += 1;
    work += (128 + here.message.length) * (COSTS[tag] ?? 1);
    if (operations > MOST.operations || work > MOST.work) reader.refuse("The proof has too many operations.");
    if (here.depth === MOST.depth) reader.refuse("Too many operations follow one another.");
    const key = `${tag} ${argument === null ? "" : hex(argument)}`;
    if (!here.branches.has(key)) {
      const message = await apply(here.message, argument);
      if (message === undefined) reader.refuse("The message is too long.");
      here.branches.set(key, nodeOf(message, here.depth + 1));
    }
    here = here.branches.get(key);
  }
  reader.end();
  const found = [];
  open.push(root);
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    for (const one of here.attestations.values())
      found.push({ ...one, message: here.message, depth: here.depth });
    open.push(...[...here.branches.values()].reverse());
  }
  return { name, digest: hex(digest), found };
}

/**
 * A receipt's anchor: over the SHA-256 of its checkpoint.
 * @param {any} anchor @param {string} digest
 * @param {number} since epoch milliseconds of the checkpoint: a block that is older by more than two hours holds
 *   something else, or one of the two times is wrong
 * @param {Record<string, string>} given headers from elsewhere: what the file brings must not differ from them
 */
export async function judgeAnchor({ ots, headers }, digest, since = 0, given = {}) {
  const file = unbase64(ots);
  if (file === undefined) return { pointer: "/anchor/ots", message: "The proof is not base64." };
  for (const [height, one] of Object.entries(headers))
    if (Object.hasOwn(given, height) && given[height].toLowerCase() !== one.toLowerCase()) {
      const message = `bitcoin block ${height}: the header that the file brings is not the one that was given`;
      return { pointer: `/anchor/headers/${height}`, message };
    }
  const stamped = stampedBy(file);
  if (stamped !== null && stamped.name !== "sha256")
    return { pointer: "/anchor/ots", message: `The proof is by ${stamped.name}, not by sha256.` };
  return judgeProof(file, digest, { ...headers, ...given }, since);
}

const OFF_MS = 7_200_000;

/** What one attestation comes to: a line, or what is wrong. */
async function judgeAttestation({ kind, tag, uri, height, message, depth }, headers, since) {
  const block = `${kind} block ${height}`;
  const line = (status, text) => ({ status, text });
  if (kind === "pending") return line("pending", `pending: ${uri.slice(0, 200)}`);
  if (kind === "unknown") return line("note", `an attestation of a kind that is not known here (${tag})`);
  if (kind !== "bitcoin") return line("note", `${block} is named, and not checked here`);
  const wrong = (why) => ({ ...line("fail", `${block}: ${why}`), pointer: `/anchor/headers/${height}` });
  if (message.length !== 32) return wrong("the proof does not end in a root");
  if (height < FIRST_HEIGHT)
    return line(
      "pending",
      `${block} is named: a header with the work of so early a block is cheap to make, and shows nothing here`,
    );
  if (headers[height] === undefined)
    return line("pending", `${block} is named; its header is not at hand, so its time is not known`);
  const read = await readHeader(headers[height], height);
  if (read.wrong !== undefined) return wrong(read.wrong);
  if (read.root !== hex(message)) return wrong("its root is not what the proof leads to");
  if (read.time.getTime() + OFF_MS < since) return wrong("it is older than what it would confirm");
  const time = `${read.time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return line("ok", `${depth} operations lead to the merkle root of ${block}, ${read.hash}, of ${time}`);
}

/** @param {Uint8Array} file @param {string} digest hex, by the hash that `stampedBy` names */
export async function judgeProof(file, digest, headers, since = 0) {
  let proof;
  try {
    proof = await readProof(file);
  } catch (error) {
    if (error.refused !== true) throw error;
    return { pointer: "/anchor/ots", message: error.message };
  }
  if (proof.digest !== digest)
    return { pointer: "/anchor/ots", message: "The proof is over other bytes. (byte 33)" };
  const lines = [];
  for (const one of proof.found) lines.push(await judgeAttestation(one, headers, since));
  const confirmed = lines.some(({ status }) => status === "ok");
  const wrong = lines.find(({ status }) => status === "fail");
  if (!confirmed && wrong !== undefined) return { pointer: wrong.pointer, message: wrong.text };
  // Where one block confirms, what others promise holds nothing up, and what is wrong of them takes nothing away.
  const told = lines.map(({ status, text }) => ({
    status: confirmed && status !== "ok" ? "note" : status,
    text,
  }));
  const over = { status: "ok", text: `the proof is over these bytes (${proof.name} ${proof.digest})` };
  const nothing = "no attestation of this proof is of a kind that is checked here: nothing is established";
  const isNothing = !lines.some(({ status }) => status !== "note");
  return [over, ...told, ...(isNothing ? [{ status: "pending", text: nothing }] : [])];
}
