/**
 * The vectors of docs/vectors: what another implementation of docs/ledger.md is run against. Keys and salts are fixed and
 * belong to nobody. Needs a Node that reads TypeScript.
 */
import {
  actionDigest,
  append,
  bodyHash,
  canonicalText,
  consistencyNodes,
  consistencyProof,
  EMPTY_ROOT,
  ed25519Signer,
  entryHash,
  formatVerifierKey,
  genesis,
  hashOf,
  hexOf,
  inclusionNodes,
  inclusionProof,
  leafHash,
  nodeHash,
  privateCommitment,
  signNote,
  TAGS,
  verifyNote,
} from "../../../src/ledger/index.ts";
import { ANCHORS } from "./anchor-rows.mjs";
import { CORRUPTIONS, LOG, SOUND } from "./corruptions.mjs";
import { saltOf, signerOf } from "./log.mjs";

const utf8 = (text) => new TextEncoder().encode(text);
const bytes = (...parts) => hexOf(Uint8Array.from(parts.flatMap((part) => [...part])));

const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
const row = (name, tag, parts, hash) => ({ name, tag, preimage: bytes(utf8(tag), ...parts), hash });

/** Every kind of preimage, byte for byte. */
function hashes() {
  const identity = { org: "org_vectors", session: "s-1" };
  const own = { org: "org_vectors", session: null };
  const of = (identity) => canonicalText({ v: 1, ...identity });
  const entry = LOG.chains.get("session:s-1")[1];
  const salt = saltOf(2);
  const text = entry.disclosed.private;
  const action = {
    organization: "org_vectors",
    session: "s-1",
    agent: "agt_1",
    tool: "pay",
    cwd: "/home/ana",
  };
  const args = { to: "Ana", amount: 40, note: '\u20ac "as agreed"\n' };
  const raw = '{"amount": 40, "amount": 4000}';
  const leaf = LOG.leaves[1];
  const unreadable = canonicalText({ v: 1, ...action, unreadable_args: hashOf(TAGS.rawArguments, raw) });
  return [
    row("genesis of a session", TAGS.genesis, [utf8(of(identity))], genesis(identity).hash),
    row("genesis of an organization's own chain", TAGS.genesis, [utf8(of(own))], genesis(own).hash),
    row("entry", TAGS.entry, [utf8(entry.entry)], entryHash(entry.entry)),
    row("body", TAGS.body, [utf8(entry.body)], bodyHash(entry.body)),
    row("private text", TAGS.private, [salt, utf8(text)], privateCommitment(salt, text)),
    row(
      "action",
      TAGS.action,
      [utf8(canonicalText({ v: 1, ...action, args }))],
      actionDigest(action, { object: args }),
    ),
    row("arguments that could not be read", TAGS.rawArguments, [utf8(raw)], hashOf(TAGS.rawArguments, raw)),
    row(
      "action with such arguments",
      TAGS.action,
      [utf8(unreadable)],
      actionDigest(action, { unreadable: raw }),
    ),
    { name: "leaf", preimage: bytes([0], utf8(leaf)), hash: leafHash(leaf) },
    {
      name: "node",
      preimage: bytes([1], fromHex(leafHash("a")), fromHex(leafHash("b"))),
      hash: nodeHash(leafHash("a"), leafHash("b")),
    },
  ];
}

/** RFC 8785 texts that have gone wrong elsewhere, and texts that are none. */
function canonical() {
  const values = [
    { "\u20ac": 1, "\r": 2, "\ufb33": 3, 1: 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 },
    [56.0, 1e21, 1e-7, 0.000001, 9007199254740991, -0, 4.5, 2e-3],
    { text: '\u20ac$\u000f\nA\'B"\\\\"/', controls: "\b\t\n\f\r\u007f\u2028" },
    { literals: [null, true, false], empty: [{}, []], 10: 1, 9: 2 },
  ];
  return {
    canonical: values.map((value) => canonicalText(value)),
    not_canonical: [
      '{"b":1,"a":2}',
      '{"a":1,"a":1}',
      '{"a": 1}',
      '{"a":1.0}',
      '{"a":1e0}',
      '{"a":-0}',
      '{"a":"\\u0061"}',
      '{"a":"\\/"}',
      '{"a":"\\ud800"}',
      '{"9":2,"10":1}',
      `${"[".repeat(129)}${"]".repeat(129)}`,
      "",
    ],
  };
}

function merkle() {
  const leaves = Array.from({ length: 11 }, (_, i) => (i === 0 ? "" : `leaf ${i}`));
  const hashes = leaves.map(leafHash);
  const nodes = new Map(
    append(0, [], hashes).nodes.map((node) => [`${node.level}/${node.index}`, node.hash]),
  );
  const read = ({ level, index }) => nodes.get(`${level}/${index}`);
  const rootAt = (size) => append(0, [], hashes.slice(0, size)).root;
  const sizes = leaves.map((_, i) => i + 1);
  const inclusion = sizes.flatMap((size) =>
    Array.from({ length: size }, (_, index) => ({
      index,
      size,
      root: rootAt(size),
      leaf: hashes[index],
      nodes: inclusionNodes(index, size).map(({ level, index }) => `${level}/${index}`),
      proof: inclusionProof(index, size, read),
    })),
  );
  const consistency = sizes.flatMap((second) =>
    Array.from({ length: second }, (_, i) => ({
      first: i + 1,
      second,
      first_root: rootAt(i + 1),
      second_root: rootAt(second),
      nodes: consistencyNodes(i + 1, second).map(({ level, index }) => `${level}/${index}`),
      proof: consistencyProof(i + 1, second, read),
    })),
  );
  // The one before the last hash of the first tree is a full subtree of 2^49 leaves: no logarithm tells it from 2^49 + 1.
  const [leaf, next, before] = ["a", "b", "c"].map((digit) => digit.repeat(64));
  const large = {
    first: 2 ** 49 + 1,
    second: 2 ** 49 + 2,
    first_root: nodeHash(before, leaf),
    second_root: nodeHash(before, nodeHash(leaf, next)),
    nodes: consistencyNodes(2 ** 49 + 1, 2 ** 49 + 2).map(({ level, index }) => `${level}/${index}`),
    proof: [leaf, next, before],
  };
  const [good] = inclusion.filter(({ index, size }) => index === 5 && size === 11);
  const [grown] = consistency.filter(({ first, second }) => first === 6 && second === 11);
  return {
    leaves,
    empty_root: EMPTY_ROOT,
    roots: sizes.map((size) => ({ size, root: rootAt(size) })),
    inclusion,
    consistency: [...consistency, large],
    wrong_inclusion: [
      { name: "another place", ...good, index: 4 },
      { name: "another size", ...good, size: 5 },
      { name: "another leaf", ...good, leaf: hashes[4] },
      { name: "another root", ...good, root: rootAt(10) },
      { name: "a hash less", ...good, proof: good.proof.slice(1) },
      { name: "a hash more", ...good, proof: [...good.proof, good.leaf] },
      { name: "hashes swapped", ...good, proof: good.proof.toReversed() },
    ],
    wrong_consistency: [
      { name: "another old root", ...grown, first_root: rootAt(5) },
      { name: "another new root", ...grown, second_root: rootAt(10) },
      { name: "a hash less", ...grown, proof: grown.proof.slice(1) },
      { name: "a hash more", ...grown, proof: [...grown.proof, EMPTY_ROOT] },
      { name: "the other way round", ...grown, first: grown.second, second: grown.first },
      { name: "an empty proof", ...grown, proof: [] },
    ],
  };
}

function notes() {
  const ours = signerOf("org_vectors", 1);
  const newer = signerOf("org_vectors", 2);
  const other = ed25519Signer("else.example/log", saltOf(3));
  const [checkpoint] = LOG.checkpoints;
  const note = signNote(checkpoint.text, [ours]);
  const signed = (name, text, keys) => {
    const verified = verifyNote(
      text,
      keys.map((signer) => signer.key),
    );
    return {
      name,
      note: text,
      keys: keys.map((signer) => formatVerifierKey(signer.key)),
      expect: verified.ok ? "ok" : verified.code,
    };
  };
  return {
    keys: [ours, newer, other].map(({ key }, i) => ({
      private_key: hexOf(saltOf(i + 1)),
      public_key: hexOf(key.publicKey),
      key_name: key.name,
      key_id: key.id,
      vkey: formatVerifierKey(key),
    })),
    digests: LOG.checkpoints.map(({ text }) => ({ text, sha256: hashOf("", text) })),
    notes: [
      signed("signed", note, [ours]),
      signed("by both keys of a rotation", signNote(checkpoint.text, [ours, newer]), [newer]),
      signed("beside a stranger's signature", signNote(checkpoint.text, [other, ours]), [ours]),
      signed("a text with an empty line", signNote("a\n\nb\n", [ours]), [ours]),
      signed("by nobody who was named", note, [newer]),
      signed(
        "by another key under this one's name and id",
        signNote(checkpoint.text, [{ key: ours.key, sign: newer.sign }]),
        [ours],
      ),
      signed(
        "twice by one key, the second time wrongly",
        note + signNote(`${checkpoint.text}more\n`, [ours]).split("\n\n").at(-1),
        [ours],
      ),
      signed("twice by one key", note + note.split("\n\n").at(-1), [ours]),
      signed("a changed letter", note.replace("at ", "aT "), [ours]),
      signed("a carriage return", note.replace("\n", "\r\n"), [ours]),
      signed("no last line feed", note.slice(0, -1), [ours]),
      signed("no blank line", note.replace("\n\n", "\n"), [ours]),
      signed("a hyphen for the dash", note.replace("\u2014", "-"), [ours]),
      signed(
        "base64 with bits that a decoder drops",
        note.replace(/(.)(==?)\n$/, (_, last, pad) => `${next(last)}${pad}\n`),
        [ours],
      ),
      signed("no signature", `${checkpoint.text}\n`, [ours]),
    ],
  };
}

/** The next digit of base64: it differs in its lowest bit, which padding leaves unused. */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const next = (digit) => DIGITS[DIGITS.indexOf(digit) + 1];

const files = (kind) =>
  [...SOUND, ...CORRUPTIONS].filter((row) => row.kind === kind).map(({ kind: _, ...row }) => row);

/** Each file of docs/vectors, by name. */
export function vectors() {
  return {
    hashes: hashes(),
    canonical: canonical(),
    merkle: merkle(),
    notes: notes(),
    exports: files("export"),
    receipts: files("receipt"),
    checkpoints: files("checkpoints"),
    // A proof of a megabyte is for the tests alone.
    anchors: ANCHORS.filter(({ anchor }) => anchor.ots.length < 4_096),
  };
}

export const vectorText = (value) => `${JSON.stringify(value, null, 1)}\n`;
