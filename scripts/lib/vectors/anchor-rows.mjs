/** Anchors: proofs over a digest with block headers, and what can be wrong with them. */
import { base64Of, bytesOfHex } from "../../../src/ledger/index.ts";
import { chainOf, serializeProof } from "../../../src/ledger/ots/index.ts";

const hex = (text) => bytesOfHex(text);
/** The first Bitcoin block: the one header that everybody knows by heart. Its root is taken for a digest. */
const ROOT = "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a";
const HEADER = `01000000${"00".repeat(32)}${ROOT}29ab5f49ffff001d1dac2b7c`;
const bitcoin = (height) => ({ kind: "bitcoin", height });
const pending = { kind: "pending", uri: "https://calendar.example" };
const leaf = (...attestations) => ({ attestations, branches: [] });
const file = (timestamp) => base64Of(serializeProof({ hash: "sha256", timestamp }));
const over = (digest, ...attestations) => file({ message: hex(digest), ...leaf(...attestations) });
const along = (operations, ...attestations) =>
  file(chainOf(hex(ROOT), operations, () => leaf(...attestations)));
const append = (byte) => ({ kind: "append", argument: Uint8Array.of(byte) });
const sha256 = { kind: "sha256" };
const confirmed = over(ROOT, bitcoin(0));
const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const changed = (change) => base64Of(Uint8Array.from(change([...bytes(confirmed)])));
const forked = file({
  message: hex(ROOT),
  attestations: [bitcoin(0), pending],
  branches: [append(1), append(2)].map((operation) => ({
    operation,
    timestamp: chainOf(Uint8Array.of(...hex(ROOT), operation.argument[0]), [sha256], () => leaf(pending)),
  })),
});

/** @type {[string, string, Record<string, string>, any][]} name, proof, headers, statuses or pointer */
const ROWS = [
  ["confirmed by the first block", confirmed, { 0: HEADER }, ["ok", "ok"]],
  ["a block is named, and its header is not here", confirmed, {}, ["ok", "pending"]],
  ["a calendar's promise", over(ROOT, pending), {}, ["ok", "pending"]],
  ["both", over(ROOT, bitcoin(0), pending), { 0: HEADER }, ["ok", "ok", "note"]],
  [
    "along operations",
    along([append(7), sha256, { kind: "prepend", argument: hex("00ff") }, sha256], bitcoin(7)),
    {},
    ["ok", "pending"],
  ],
  [
    "along operations that turn and spell",
    along([{ kind: "reverse" }, { kind: "hexlify" }, { kind: "sha1" }], pending),
    {},
    ["ok", "pending"],
  ],
  [
    "along hashes that are seldom used",
    along(
      [{ kind: "ripemd160" }, { kind: "keccak256" }, { kind: "sha1" }, { kind: "keccak256" }],
      bitcoin(7),
    ),
    {},
    ["ok", "pending"],
  ],
  [
    "what stands twice",
    // Both the attestation, and a way to two of them.
    changed((one) => {
      const [start, end] = [one.slice(0, 65), one.slice(65)];
      const promise = bytes(over(ROOT, pending)).slice(65);
      return [
        ...start,
        0xff,
        8,
        ...promise,
        0xff,
        ...end,
        0xff,
        ...end,
        8,
        ...bytes(over(ROOT, bitcoin(7))).slice(65),
      ];
    }),
    { 0: HEADER },
    ["ok", "ok", "note", "note"],
  ],
  ["with forks", forked, { 0: HEADER }, ["ok", "ok", "note", "note", "note"]],
  ["another chain's block", over(ROOT, { kind: "litecoin", height: 9 }), {}, ["ok", "note", "pending"]],
  [
    "an attestation of no known kind",
    over(ROOT, { kind: "unknown", tag: "0102030405060708", payload: hex("aa") }),
    {},
    ["ok", "note", "pending"],
  ],
  ["over other bytes", over("11".repeat(32), bitcoin(0)), { 0: HEADER }, "/anchor/ots"],
  ["a header with another root", along([append(7), sha256], bitcoin(0)), { 0: HEADER }, "/anchor/headers/0"],
  ["a proof that ends in no root", along([append(7)], bitcoin(0)), { 0: HEADER }, "/anchor/headers/0"],
  [
    "a header that nobody has mined",
    confirmed,
    { 0: HEADER.replace("29ab5f49", "2aab5f49") },
    "/anchor/headers/0",
  ],
  [
    "a header with an easy target",
    confirmed,
    { 0: HEADER.replace("ffff001d", "ffff7f20") },
    "/anchor/headers/0",
  ],
  [
    "a header of difficulty 1 for a block of today",
    over(ROOT, bitcoin(800_000)),
    { 800000: HEADER },
    "/anchor/headers/800000",
  ],
  ["not base64", "AA=", {}, "/anchor/ots"],
  ["nothing", "", {}, "/anchor/ots"],
  ["another magic", changed((one) => [1, ...one.slice(1)]), {}, "/anchor/ots"],
  ["version 2", changed((one) => one.map((byte, i) => (i === 31 ? 2 : byte))), {}, "/anchor/ots"],
  [
    "stamped by another hash",
    changed((one) => one.map((byte, i) => (i === 32 ? 3 : byte))),
    {},
    "/anchor/ots",
  ],
  ["a header of 79 bytes", confirmed, { 0: HEADER.slice(2) }, "/anchor/headers/0"],
  ["a header of 81 bytes", confirmed, { 0: `${HEADER}00` }, "/anchor/headers/0"],
  ["a header of no bytes", confirmed, { 0: "" }, "/anchor/headers/0"],
  ["cut off", changed((one) => one.slice(0, -1)), {}, "/anchor/ots"],
  ["something after the end", changed((one) => [...one, 0]), {}, "/anchor/ots"],
  [
    "an operation that is none",
    changed((one) => [...one.slice(0, 65), 0xaa, ...one.slice(65)]),
    {},
    "/anchor/ots",
  ],
  [
    "256 operations in a row",
    changed((one) => [...one.slice(0, 65), ...Array(256).fill(8), ...one.slice(65)]),
    {},
    "/anchor/ots",
  ],
  [
    "a million operations",
    changed((one) => [...one.slice(0, 65), ...Array(1_000_000).fill(8), ...one.slice(65)]),
    {},
    "/anchor/ots",
  ],
  [
    "an endless message",
    changed((one) => [...one.slice(0, 65), ...Array(8).fill(0xf3), ...one.slice(65)]),
    {},
    "/anchor/ots",
  ],
];

export const ANCHORS = ROWS.map(([name, ots, headers, expect]) => ({
  name,
  digest: ROOT,
  anchor: { ots, headers },
  expect: typeof expect === "string" ? { pointer: expect } : { statuses: expect },
}));
