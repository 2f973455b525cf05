/**
 * What can be done to a proof, and what every verifier must then say: the code of the break and its place. The vectors
 * hold these rows, and the tests run them through both verifiers. Needs a Node that reads TypeScript.
 */
import { formatReceipt, formatVerifierKey } from "../../../src/ledger/index.ts";
import { CHECKPOINTS, file, notes, timed } from "./checkpoints-rows.mjs";
import { EXPORTS } from "./export-rows.mjs";
import { signerOf, smallLog } from "./log.mjs";
import { RECEIPTS, resigned, turn } from "./receipt-rows.mjs";
import {
  changed,
  HEADS,
  keys,
  log,
  plain,
  ROOT,
  relinked,
  signedAs,
  signer,
  text,
  thief,
  told,
} from "./rows.mjs";

const resultOf = (code) => (code === "unknown-version" ? "unreadable" : "broken");
const filed = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Every row: what the file is, what is given beside it, and what must be said. */
export const CORRUPTIONS = [
  ...EXPORTS.map(([name, lines, code, line, seq, heads = []]) => ({
    name,
    kind: "export",
    file: text(lines),
    keys: [],
    heads,
    expect: { result: resultOf(code), code, line, seq },
  })),
  ...RECEIPTS.map(([name, value, code, pointer, seq, given = keys]) => ({
    name,
    kind: "receipt",
    file: filed(value),
    keys: given,
    heads: [],
    expect: { result: resultOf(code), code, pointer, seq },
  })),
  ...CHECKPOINTS.map(([name, value, code, pointer, given = keys]) => ({
    name,
    kind: "checkpoints",
    file: filed(value),
    keys: given,
    heads: [],
    expect: { result: resultOf(code), code, pointer, seq: null },
  })),
];

const kept = log.receipt(ROOT, 2);
const gone = log.receipt(ROOT, 2, { gone: true });
const rotated = smallLog({ signers: [signer, thief] });
const own = rotated.receipt(ROOT, 3);
const elsewhere = signerOf("org_b", 3, "else.example");
const holds = { result: "holds", code: null };

/** What is in order, and what is not established yet. */
export const SOUND = [
  ["a session's export", "export", text(plain), [], [], holds],
  ["a session's export with its private text", "export", text(told), [], [], holds],
  [
    "a session's export after a purge: commitments alone are left",
    "export",
    text(changed(told, 1, () => plain[1])),
    [],
    [],
    holds,
  ],
  ["a session's export that holds every sealed head", "export", text(plain), [], HEADS, holds],
  [
    "an organization's export that holds every sealed head",
    "export",
    text(log.lines(null)),
    [],
    HEADS,
    holds,
  ],
  ["an export without its last line feed", "export", text(plain).slice(0, -1), [], [], holds],
  ["truncate: the tail, which a chain alone does not show", "export", text(plain.slice(0, 5)), [], [], holds],
  [
    "rewrite: an entry, linked, which a chain alone does not show",
    "export",
    text(relinked(2, { body: {} })),
    [],
    [],
    holds,
  ],
  ["a receipt with its private text", "receipt", formatReceipt(turn), keys, [], holds],
  ["a receipt in one line", "receipt", JSON.stringify(turn), keys, [], holds],
  ["a receipt whose private text is kept apart", "receipt", formatReceipt(kept), keys, [], holds],
  ["a receipt whose private text is gone", "receipt", formatReceipt(gone), keys, [], holds],
  [
    "a receipt of the organization's own chain",
    "receipt",
    formatReceipt(log.receipt(null, 1)),
    keys,
    [],
    holds,
  ],
  [
    "a receipt that both keys of a rotation signed",
    "receipt",
    formatReceipt(own),
    [],
    [],
    { result: "pending", code: null },
  ],
  [
    "a receipt, its keys not compared",
    "receipt",
    formatReceipt(turn),
    [],
    [],
    { result: "pending", code: null },
  ],
  [
    "re-sign: with another key, which nobody compares",
    "receipt",
    formatReceipt(resigned),
    [],
    [],
    { result: "pending", code: null },
  ],
  ["checkpoints with proofs and leaves", "checkpoints", filed(file()), keys, [], holds],
  [
    "checkpoints by a key within its time, to the millisecond",
    "checkpoints",
    filed(file()),
    timed(2_000, 4_001),
    [],
    holds,
  ],
  [
    "checkpoints that another log's key signed, too",
    "checkpoints",
    filed(file({ checkpoints: notes.map((note) => signedAs(note, {}, [signer, elsewhere])) })),
    [...keys, formatVerifierKey(elsewhere.key)],
    [],
    holds,
  ],
  ["checkpoints with proofs", "checkpoints", filed(file({ leaves: null })), keys, [], holds],
  ["checkpoints with leaves", "checkpoints", filed(file({ consistency: null })), keys, [], holds],
  [
    "checkpoints alone",
    "checkpoints",
    filed(file({ consistency: null, leaves: null })),
    keys,
    [],
    { result: "pending", code: null },
  ],
  [
    "one checkpoint of many",
    "checkpoints",
    filed(file({ checkpoints: notes.slice(1, 2), consistency: null, leaves: null })),
    keys,
    [],
    holds,
  ],
].map(([name, kind, file, keys, heads, expect]) => ({ name, kind, file, keys, heads, expect }));

/** The log that the rows are made of, for tests that corrupt it further. */
export { HEADS, keys as KEYS, log as LOG };
