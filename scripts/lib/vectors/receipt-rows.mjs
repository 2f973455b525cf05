/** What can be done to a receipt. */
import { formatVerifierKey, signNote } from "../../../src/ledger/index.ts";
import { signerOf } from "./log.mjs";
import { foreign, keys, log, otherDigit, ROOT, signedAs as signed, signer, thief } from "./rows.mjs";

const receipt = log.receipt(ROOT, 4, { disclose: true });
export const turn = log.receipt(ROOT, 2, { disclose: true });
const r = (changes, of = turn) => ({ ...of, ...changes });
const inEntry = (changes, of = turn) => r({ entry: { ...of.entry, ...changes } }, of);
const noted = (note) => r({ checkpoint: note });
const [firstCheckpoint, secondCheckpoint] = log.checkpoints;
const signedAs = (changes, by) => signed(turn.checkpoint, changes, by);
const foreignReceipt = foreign.receipt(ROOT, 2, { disclose: true });
export const foreignKeys = [formatVerifierKey(signerOf("org_other").key)];
/** The same checkpoint, signed by somebody else, who puts their own key beside it. */
export const resigned = r({ checkpoint: signedAs({}, [thief]), keys: [formatVerifierKey(thief.key)] });

/** @type {[string, any, string, string, number | null, any?][]} name, receipt, code, pointer, seq, other keys */
export const RECEIPTS = [
  [
    "flip: a digit of the entry's hash",
    inEntry({ hash: otherDigit(turn.entry.hash) }),
    "entry-hash",
    "/entry/hash",
    2,
  ],
  [
    "flip: a letter of the entry",
    inEntry({ entry: turn.entry.entry.replace("turn", "tern") }),
    "entry-hash",
    "/entry/hash",
    2,
  ],
  [
    "flip: a letter of the body",
    inEntry({ body: turn.entry.body.replace("agt_1", "agt_2") }),
    "body-hash",
    "/entry/body",
    2,
  ],
  [
    "flip: a letter of the private text",
    r({ disclosed: { ...turn.disclosed, private: turn.disclosed.private.replace("Ana", "Eva") } }),
    "private",
    "/disclosed",
    2,
  ],
  [
    "flip: a digit of the salt",
    r({ disclosed: { ...turn.disclosed, salt: otherDigit(turn.disclosed.salt) } }),
    "private",
    "/disclosed",
    2,
  ],
  ["flip: the organization", r({ organization: "org_other" }), "organization", "/organization", 2],
  ["flip: the chain", r({ chain: "session:s-2" }), "chain", "/leaf", 3],
  ["flip: a session's entry for the organization's", r({ chain: "organization" }), "chain", "/chain", 2],
  [
    "flip: a letter of an entry of the path",
    r({ path: [turn.path[0].replace("decision", "decisiom")] }),
    "leaf",
    "/leaf",
    3,
  ],
  ["drop: an entry of the path", r({ path: receipt.path.slice(1) }, receipt), "leaf", "/leaf", 4],
  [
    "drop: the first of two",
    r({ path: log.receipt(ROOT, 4).path.slice(0, 0).concat(log.receipt(ROOT, 6).entry.entry) }, receipt),
    "sequence",
    "/path/0",
    5,
  ],
  ["duplicate: an entry of the path", r({ path: [...turn.path, ...turn.path] }), "sequence", "/path/1", 4],
  [
    "splice: a path from another organization",
    r({ path: foreignReceipt.path }),
    "previous-hash",
    "/path/0",
    3,
  ],
  ["splice: a leaf of another chain", r({ leaf: firstCheckpoint && log.leaves[0] }), "chain", "/leaf", 3],
  ["splice: another organization's leaf", r({ leaf: foreignReceipt.leaf }), "organization", "/leaf", 3],
  [
    "splice: another organization's checkpoint",
    r({ checkpoint: foreignReceipt.checkpoint, keys: foreignKeys }),
    "origin",
    "/checkpoint",
    null,
  ],
  ["splice: a later leaf of the chain", r({ leaf: log.leaves[2] }), "leaf", "/leaf", 3],
  ["leaf: with another time", r({ leaf: turn.leaf.replace('"at":1300', '"at":1301') }), "leaf", "/leaf", 3],
  ["leaf: not as it is written", r({ leaf: ` ${turn.leaf}` }), "malformed-leaf", "/leaf", 3],
  [
    "inclusion: another place",
    r({ inclusion: { ...turn.inclusion, index: 0 } }),
    "inclusion",
    "/inclusion",
    null,
  ],
  [
    "inclusion: a changed hash",
    r({ inclusion: { ...turn.inclusion, hashes: turn.inclusion.hashes.map(otherDigit) } }),
    "inclusion",
    "/inclusion",
    null,
  ],
  [
    "inclusion: no proof",
    r({ inclusion: { ...turn.inclusion, hashes: [] } }),
    "inclusion",
    "/inclusion",
    null,
  ],
  [
    "inclusion: another tree's size",
    r({ inclusion: { ...turn.inclusion, tree_size: 3 } }),
    "tree-size",
    "/inclusion/tree_size",
    null,
  ],
  ["checkpoint: another of the log", noted(secondCheckpoint.note), "tree-size", "/inclusion/tree_size", null],
  [
    "checkpoint: a changed time",
    noted(turn.checkpoint.replace("at 2000", "at 2001")),
    "signature",
    "/checkpoint",
    null,
  ],
  [
    "checkpoint: no signature",
    noted(turn.checkpoint.slice(0, turn.checkpoint.indexOf("\u2014"))),
    "malformed-note",
    "/checkpoint",
    null,
  ],
  [
    "checkpoint: a text that is none",
    noted(signNote("hello\n", [signer])),
    "malformed-checkpoint",
    "/checkpoint",
    null,
  ],
  ["re-sign: with another key, which it brings", resigned, "unknown-key", "/checkpoint", null],
  [
    "re-sign: with another key under the name of the right one",
    noted(signedAs({}, [{ key: signer.key, sign: thief.sign }])),
    "signature",
    "/checkpoint",
    null,
  ],
  [
    "re-sign: with the key of another log",
    r({ checkpoint: signedAs({}, [signerOf("org_other")]), keys: foreignKeys }),
    "origin",
    "/keys/0",
    null,
  ],
  [
    "key: one that did not sign",
    r({ keys: [...turn.keys, formatVerifierKey(thief.key)] }),
    "unknown-key",
    "/keys/1",
    null,
  ],
  [
    "key: one that does not have its id",
    r({ keys: turn.keys.map((key) => key.replace(/\+./, "+f")) }),
    "malformed-key",
    "/keys/0",
    null,
  ],
  [
    "back-date: the checkpoint, signed by the right key",
    noted(signedAs({ at: 1_250 })),
    "time",
    "/checkpoint",
    null,
  ],
  [
    "key: one whose time was over",
    turn,
    "key-time",
    "/checkpoint",
    null,
    [{ vkey: keys[0], from: 0, until: 2_000 }],
  ],
  [
    "key: one whose time had not come",
    turn,
    "key-time",
    "/checkpoint",
    null,
    [{ vkey: keys[0], from: 2_001, until: null }],
  ],
  [
    "signature: a second one by the same key, and wrong",
    noted(turn.checkpoint + secondCheckpoint.note.slice(secondCheckpoint.note.lastIndexOf("\n\n") + 2)),
    "signature",
    "/checkpoint",
    null,
  ],
  ["claims: it covers more", r({ covers: "Everything." }), "claims", "/covers", null],
  [
    "claims: a sentence less",
    r({ not_proven: turn.not_proven.slice(0, -1) }),
    "claims",
    `/not_proven/${turn.not_proven.length - 1}`,
    null,
  ],
  [
    "claims: a sentence more",
    r({ not_proven: [...turn.not_proven, "It is certain."] }),
    "claims",
    `/not_proven/${turn.not_proven.length}`,
    null,
  ],
  [
    "claims: a sentence changed",
    r({ not_proven: ["It shows it all.", ...turn.not_proven.slice(1)] }),
    "claims",
    "/not_proven/0",
    null,
  ],
  [
    "claims: private text is gone, and stands here",
    r({ private_gone: true }),
    "claims",
    "/private_gone",
    null,
  ],
  ["form: a member too many", r({ note: 1 }), "malformed-file", "", null],
  [
    "form: a hash of 63 digits",
    inEntry({ hash: turn.entry.hash.slice(1) }),
    "malformed-file",
    "/entry/hash",
    null,
  ],
  [
    "form: a header that is not 80 bytes",
    r({ anchor: { ots: "", headers: { 840000: "00".repeat(79) } } }),
    "malformed-file",
    "/anchor/headers/840000",
    null,
  ],
  ["version: 2", r({ countersign_receipt: 2 }), "unknown-version", "/countersign_receipt", null],
];
