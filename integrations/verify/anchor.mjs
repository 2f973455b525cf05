/**
 * Judges an anchor: an OpenTimestamps proof over a digest, and the Bitcoin block headers that are known to it. For
 * `verify(file, { anchor: judgeAnchor })`. Hashes that WebCrypto does not have are not followed, and that is said.
 *
 *     judgeAnchor({ ots, headers }, digest, more) → [{ status, text }], or { pointer, message }
 *
 * `more` may bring hashes that WebCrypto lacks, from bytes to bytes: { ripemd160, keccak256 }.
 */
import { hex, isCount, joined, sha256, unbase64, unhex, utf8 } from "./hashed.mjs";

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
/** Difficulties below which no block of these heights was made. */
const LEAST = [
  [600_000, 10_000_000_000_000n],
  [500_000, 1_500_000_000_000n],
  [400_000, 120_000_000_000n],
  [300_000, 7_000_000_000n],
  [200_000, 2_500_000n],
  [100_000, 14_000n],
  [0, 1n],
];
const EASIEST = 0xffffn << 208n;

const digestOf = async (name, bytes) => new Uint8Array(await crypto.subtle.digest(name, bytes));
const limited = (bytes) => (bytes.length > 0 && bytes.length <= MOST.message ? bytes : undefined);
/** What each operation makes of a message: undefined where it may not, null where it cannot be followed here. */
const OPERATIONS = {
  2: async (message) => digestOf("SHA-1", message),
  3: async (message, _, { ripemd160 }) => ripemd160?.(message) ?? null,
  8: async (message) => digestOf("SHA-256", message),
  103: async (message, _, { ripemd160 }) => ripemd160?.(message) ?? null,
  240: async (message, argument) => limited(joined(message, argument)),
  241: async (message, argument) => limited(joined(argument, message)),
  242: async (message) => limited(message.slice().reverse()),
  243: async (message) => limited(utf8(hex(message))),
};
const COSTS = { 3: 4, 103: 16 };

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
    return { kind: "pending", uri };
  }
  if (NUMBERED[tag] === undefined) return { kind: "unknown", tag };
  const height = inner.number();
  inner.end();
  return { kind: NUMBERED[tag], height };
}

/** Every attestation of a proof with the message that it is of; without recursion, and within bounds. */
async function attestationsOf(file, digest, more) {
  const reader = readerOf(file);
  if (file.length > MOST.file) reader.refuse("The proof is too large.");
  for (const due of MAGIC)
    if (reader.take(1)[0] !== due) reader.refuse("This is no OpenTimestamps proof.", reader.at() - 1);
  if (reader.take(1)[0] !== 1) reader.refuse("The proof is not of version 1.", reader.at() - 1);
  if (reader.take(1)[0] !== 8) reader.refuse("The proof is not by SHA-256.", reader.at() - 1);
  if (hex(reader.take(32)) !== digest) reader.refuse("The proof is over other bytes.", reader.at() - 32);
  const found = [];
  const open = [{ message: unhex(digest), depth: 0 }];
  let [operations, work] = [0, 0];
  for (let here = open.pop(); here !== undefined; ) {
    let [tag] = reader.take(1);
    if (tag === 0xff) {
      open.push(here);
      [tag] = reader.take(1);
    }
    if (tag === 0) {
      found.push({ ...readAttestation(reader), ...here });
      if (found.length > MOST.attestations) reader.refuse("The proof has too many attestations.");
      here = open.pop();
      continue;
    }
    const apply = OPERATIONS[tag] ?? reader.refuse("This is no operation.", reader.at() - 1);
    const argument = tag === 240 || tag === 241 ? reader.sized(1, MOST.message) : null;
    operations += 1;
    work += (128 + (here.message?.length ?? 0)) * (COSTS[tag] ?? 1);
    if (operations > MOST.operations || work > MOST.work) reader.refuse("The proof has too many operations.");
    if (here.depth === MOST.depth) reader.refuse("Too many operations follow one another.");
    const message = here.message === null ? null : await apply(here.message, argument, more);
    if (message === undefined) reader.refuse("The message is too long.");
    here = { message, depth: here.depth + 1 };
  }
  reader.end();
  return found;
}

/** What is wrong with a header at a height, or what it says. */
async function readHeader(text, height) {
  const bytes = unhex(text);
  const view = new DataView(bytes.buffer);
  const bits = view.getUint32(72, true);
  const [exponent, mantissa] = [bits >>> 24, BigInt(bits & 0x7fffff)];
  const target =
    exponent > 3 ? mantissa << BigInt(8 * (exponent - 3)) : mantissa >> BigInt(8 * (3 - exponent));
  const [, least] = LEAST.find(([from]) => height >= from);
  if ((bits & 0x800000) !== 0 || exponent > 32 || target === 0n || target * least > EASIEST)
    return { wrong: "its header's target is not one that a block of that height had" };
  const hash = hex(unhex(await sha256(unhex(await sha256(bytes)))).reverse());
  if (BigInt(`0x${hash}`) > target) return { wrong: "its header's hash is not below its target" };
  return { hash, root: hex(bytes.subarray(36, 68)), time: new Date(view.getUint32(68, true) * 1_000) };
}

export async function judgeAnchor({ ots, headers }, digest, more = {}) {
  const file = unbase64(ots);
  if (file === undefined) return { pointer: "/anchor/ots", message: "The proof is not base64." };
  const lines = [{ status: "ok", text: `the proof is over these bytes (sha256 ${digest})` }];
  const say = (status, text) => lines.push({ status, text });
  try {
    for (const { kind, tag, uri, height, message, depth } of await attestationsOf(file, digest, more)) {
      const block = `${kind} block ${height}`;
      const header = headers[height];
      if (kind === "pending") say("pending", `pending: ${uri.slice(0, 200)}`);
      else if (kind === "unknown") say("note", `an attestation of a kind that is not known here (${tag})`);
      else if (kind !== "bitcoin") say("note", `${block} is named, and not checked here`);
      else if (message === null)
        say("pending", `${block} is named; a hash that is not known here leads to it`);
      else if (message.length === 32 && header === undefined)
        say("pending", `${block} is named; its header is not at hand, so its time is not known`);
      else {
        const read =
          message.length === 32
            ? await readHeader(header, height)
            : { wrong: "the proof does not end in a root" };
        const wrong =
          read.wrong ?? (read.root === hex(message) ? null : "its root is not what the proof leads to");
        if (wrong !== null) return { pointer: `/anchor/headers/${height}`, message: `${block}: ${wrong}` };
        const time = `${read.time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
        say("ok", `${depth} operations lead to the merkle root of ${block}, ${read.hash}, of ${time}`);
      }
    }
  } catch (error) {
    if (error.refused !== true) throw error;
    return { pointer: "/anchor/ots", message: error.message };
  }
  // Where one block confirms, what others still promise holds nothing up.
  const confirmed = lines.filter((one) => one.status === "ok").length > 1;
  return lines.map((one) => (confirmed && one.status === "pending" ? { ...one, status: "note" } : one));
}
