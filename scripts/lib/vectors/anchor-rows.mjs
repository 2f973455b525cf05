/** Anchors: proofs over a digest with block headers, and what can be wrong with them. */
import { base64Of, bytesOfHex } from "../../../src/ledger/index.ts";
import { chainOf, serializeProof } from "../../../src/ledger/ots/index.ts";

const hex = (text) => bytesOfHex(text);
/** Real headers of Bitcoin blocks, by their height. The root of the first is taken for a digest. */
const BLOCK = 800_352;
const LATER = 840_672;
const LATEST = 878_976;
const ROOT = "b9711364ed6f7e2cd6145207d8a37314d0908f048a71dc7c7f8a480b9a057e91";
const HEADER = `00e0fa2c6a3e49a364a2fbdc904dffc7ad35868e5edfaa2c8cdc00000000000000000000${ROOT}b314c164026105177f872aed`;
const LATER_HEADER =
  "04e000204be80184cc04d777daad1189724bc32a949e04601ebf0200000000000000000078ce8a1195d00b58c530046ec369868aa4cc856bf139ef2636192ced886ed412881c2966db3103172b1d1f06";
const LATEST_HEADER =
  "0080cb2a84fa5fcdb3c448a0dc7f38c6a7e55f1261fcec2f0b6d00000000000000000000a2282f81592e007e389fa35ed4a9f5559c2ebf12fa76b54f0316668dcba6d961af1f8467618c02178c74d981";
/** Of the first block, which is too early to show anything. */
const FIRST_ROOT = "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a";
const FIRST_HEADER = `01000000${"00".repeat(32)}${FIRST_ROOT}29ab5f49ffff001d1dac2b7c`;
/** Of a block that is older than OpenTimestamps, and has what stood in the chain already. */
const EARLY = 129_024;
const EARLY_HEADER =
  "01000000d5a05ffb7967ee7786787cf6b48fe64daf07a616e11853c7f91e00000000000079a181e3b5ebcec45ca94e7f3092c8a8f72f7e1bdc6b78d796e8de6cb87897a721c7ec4d2f931d1a211f0a05";
const EARLY_ROOT = EARLY_HEADER.slice(72, 136);
/** A proof of the reference client's examples, over SHA-256 of `Hello World!` and a line feed, and its block's header. */
const HELLO =
  "AE9wZW5UaW1lc3RhbXBzAABQcm9vZgC/ieLohOiSlAEIA7ogTlDRJuRnTABeBNguhMITZngK8fQ71Uo3gWtqs0AD8cgBAQAAAAHkgvnTLsw7ple2nYmAEIV7VEV6kEl5gv9W+XxOxY5vmAEAAABrSDBFAiEAslOt0dHPkIRDOKR1oE/xP8nnvSQrB3Yt6gf1YIst42cCIACyaMqcM0KzdpzdBiiRMXzc74eqwxC2hV6dk4mOu+jsASECDY5NEH0rM5sAUO/dS0oJJFqgVgSPElOWN06moqsHCcb/////AmUz5gUAAAAAGXapFAvwV9QPu6Z0SGJRX1tVojEN5XcviKyghgEAAAAAABl2qRTwBoisAAAAAAgI8SCph/cWxTORPDFMeONdNYhMrJQ/pCysSdKyxp9AA/hfiAgI8SDexVs0h+Hj9yKkm1WneDIVhieF9KOss5KEYBn3HcZKnQgI8SCyyhj0heCAR44CXas9RktBbA4ey2Ypya786MghTQQkMggI8CARsOkGYRlv9LCBPD7aFBurXpFgSDe996DJ3zfbDjoRmAgI8CDDS8GkoQk//RSMAWseZkdCkU6Tnvq+TT01ZRWRSybZ4ggI8CDD5ufDjGn2ryTCvjTrrEglft5h7AohuVNeREMne+MGRggI8SAHmL+GBuAAJOXV1UvwyWD2Kd+52taRV0VbbyZSwOjegQgI8CA/mtptYLqiRABrsKrVFEitL6+51LZIegmZz/JrkfD1NggI8SDHAwGelZqN0/rvdIm7MoukhVdHWOcJHwFGTrZYcsl1yAgI8CDL/v/1E/+EuRXj/tb515lnZjD4Nk6ipsdVf62UpbXXiAgI8SAL4jcJhZkTur1EYLvd+O0hPnyHc6Sx+s4w+Kz98JO3BQgIAAWIlg1z1xkBA/fvFQ==";
const HELLO_DIGEST = "03ba204e50d126e4674c005e04d82e84c21366780af1f43bd54a37816b6ab340";
const HELLO_HEADER =
  "02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb3802040000000000000000007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6";
/** Of the block, in its header. */
const TIME_MS = 1_690_375_347_000;
const TWO_HOURS = 7_200_000;
const bitcoin = (height) => ({ kind: "bitcoin", height });
const pending = { kind: "pending", uri: "https://calendar.example" };
const leaf = (...attestations) => ({ attestations, branches: [] });
const file = (timestamp) => base64Of(serializeProof({ hash: "sha256", timestamp }));
const over = (digest, ...attestations) => file({ message: hex(digest), ...leaf(...attestations) });
const along = (operations, ...attestations) =>
  file(chainOf(hex(ROOT), operations, () => leaf(...attestations)));
const append = (byte) => ({ kind: "append", argument: Uint8Array.of(byte) });
const sha256 = { kind: "sha256" };
const confirmed = over(ROOT, bitcoin(BLOCK));
const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const changed = (change) => base64Of(Uint8Array.from(change([...bytes(confirmed)])));
const forked = file({
  message: hex(ROOT),
  attestations: [bitcoin(BLOCK), pending],
  branches: [append(1), append(2)].map((operation) => ({
    operation,
    timestamp: chainOf(Uint8Array.of(...hex(ROOT), operation.argument[0]), [sha256], () => leaf(pending)),
  })),
});

/** Two blocks are named; the second has another root than what leads to it. */
const halfWrong = file({
  message: hex(ROOT),
  attestations: [bitcoin(BLOCK)],
  branches: [
    {
      operation: append(1),
      timestamp: chainOf(Uint8Array.of(...hex(ROOT), 1), [sha256], () => leaf(bitcoin(LATER))),
    },
  ],
});
const latestRoot = LATEST_HEADER.slice(72, 136);

/** @type {[string, string, Record<string, string>, any, any?][]} name, proof, headers, statuses or pointer, more */
const ROWS = [
  ["confirmed by a block", confirmed, { [BLOCK]: HEADER }, ["ok", "ok"]],
  ["a block is named, and its header is not here", confirmed, {}, ["ok", "pending"]],
  ["a calendar's promise", over(ROOT, pending), {}, ["ok", "pending"]],
  ["both", over(ROOT, bitcoin(BLOCK), pending), { [BLOCK]: HEADER }, ["ok", "ok", "note"]],
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
    { [BLOCK]: HEADER },
    ["ok", "ok", "note", "note"],
  ],
  ["with forks", forked, { [BLOCK]: HEADER }, ["ok", "ok", "note", "note", "note"]],
  ["another chain's block", over(ROOT, { kind: "litecoin", height: 9 }), {}, ["ok", "note", "pending"]],
  [
    "an attestation of no known kind",
    over(ROOT, { kind: "unknown", tag: "0102030405060708", payload: hex("aa") }),
    {},
    ["ok", "note", "pending"],
  ],
  ["over other bytes", over("11".repeat(32), bitcoin(BLOCK)), { [BLOCK]: HEADER }, "/anchor/ots"],
  [
    "a header with another root",
    along([append(7), sha256], bitcoin(BLOCK)),
    { [BLOCK]: HEADER },
    `/anchor/headers/${BLOCK}`,
  ],
  [
    "a proof that ends in no root",
    along([append(7)], bitcoin(BLOCK)),
    { [BLOCK]: HEADER },
    `/anchor/headers/${BLOCK}`,
  ],
  [
    "a header that nobody has mined",
    confirmed,
    { [BLOCK]: HEADER.replace("b314c164", "b414c164") },
    `/anchor/headers/${BLOCK}`,
  ],
  [
    "a header with an easy target",
    confirmed,
    { [BLOCK]: HEADER.replace("02610517", "ffff7f20") },
    `/anchor/headers/${BLOCK}`,
  ],
  [
    "a header of difficulty 1 for a block of today",
    over(ROOT, bitcoin(800_000)),
    { 800000: FIRST_HEADER },
    "/anchor/headers/800000",
  ],
  [
    "a real proof, by the header of its block",
    HELLO,
    { 358391: HELLO_HEADER },
    ["ok", "ok"],
    { digest: HELLO_DIGEST },
  ],
  [
    "a block after the last of those whose time is known",
    over(latestRoot, bitcoin(LATEST)),
    { [LATEST]: LATEST_HEADER },
    ["ok", "ok"],
    { digest: latestRoot },
  ],
  [
    "the first block, by its real header",
    over(FIRST_ROOT, bitcoin(0)),
    { 0: FIRST_HEADER },
    ["ok", "pending"],
    { digest: FIRST_ROOT },
  ],
  [
    "the last height that establishes nothing",
    over(ROOT, bitcoin(99_999)),
    { 99999: HEADER },
    ["ok", "pending"],
  ],
  [
    "a block that is older than OpenTimestamps, by its real header",
    over(EARLY_ROOT, bitcoin(EARLY)),
    { [EARLY]: EARLY_HEADER },
    ["ok", "ok"],
    { digest: EARLY_ROOT },
  ],
  [
    "that header, a year later",
    over(EARLY_ROOT, bitcoin(175_000)),
    { 175000: EARLY_HEADER },
    "/anchor/headers/175000",
    { digest: EARLY_ROOT },
  ],
  [
    "a height that had its blocks years before",
    over(ROOT, bitcoin(700_000)),
    { 700000: HEADER },
    "/anchor/headers/700000",
  ],
  [
    "a height that had its blocks weeks later",
    over(ROOT, bitcoin(803_500)),
    { 803500: HEADER },
    "/anchor/headers/803500",
  ],
  [
    "a height far beyond, at the time of a block before",
    over(latestRoot, bitcoin(900_000)),
    { 900000: LATEST_HEADER },
    "/anchor/headers/900000",
    { digest: latestRoot },
  ],
  [
    "one block confirms it, and the other that is named does not",
    halfWrong,
    { [BLOCK]: HEADER, [LATER]: LATER_HEADER },
    ["ok", "ok", "note"],
  ],
  ["the other alone", halfWrong, { [LATER]: LATER_HEADER }, `/anchor/headers/${LATER}`],
  [
    "a block that is two hours older than what was stamped",
    confirmed,
    { [BLOCK]: HEADER },
    ["ok", "ok"],
    { since: TIME_MS + TWO_HOURS },
  ],
  [
    "a block that is older than that",
    confirmed,
    { [BLOCK]: HEADER },
    `/anchor/headers/${BLOCK}`,
    { since: TIME_MS + TWO_HOURS + 1 },
  ],
  [
    "a header that is not the one that the reader has",
    confirmed,
    { [BLOCK]: HEADER },
    `/anchor/headers/${BLOCK}`,
    { given: { [BLOCK]: LATER_HEADER } },
  ],
  ["a header that the reader has", confirmed, {}, ["ok", "ok"], { given: { [BLOCK]: HEADER.toUpperCase() } }],
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
  ["a header of 79 bytes", confirmed, { [BLOCK]: HEADER.slice(2) }, `/anchor/headers/${BLOCK}`],
  ["a header of 81 bytes", confirmed, { [BLOCK]: `${HEADER}00` }, `/anchor/headers/${BLOCK}`],
  ["a header of no bytes", confirmed, { [BLOCK]: "" }, `/anchor/headers/${BLOCK}`],
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

/** `since`: when what was stamped was made; `given`: headers that the reader has from elsewhere. */
export const ANCHORS = ROWS.map(([name, ots, headers, expect, more = {}]) => ({
  name,
  digest: ROOT,
  ...more,
  anchor: { ots, headers },
  expect: typeof expect === "string" ? { pointer: expect } : { statuses: expect },
}));
