/** What can be done to checkpoints. */
import {
  append,
  checkpointText,
  formatVerifierKey,
  leafHash,
  leafText,
  signNote,
} from "../../../src/ledger/index.ts";
import { foreignKeys } from "./receipt-rows.mjs";
import {
  changed,
  foreign,
  keys,
  log,
  otherDigit,
  signedAs,
  signer,
  swapped,
  thief,
  without,
} from "./rows.mjs";

export const file = (changes = {}) => ({
  countersign_checkpoints: 1,
  organization: log.organization,
  checkpoints: log.checkpoints.map((one) => one.note),
  consistency: log.consistency(),
  leaves: log.leaves,
  keys,
  ...changes,
});
export const notes = file().checkpoints;
const second = (changes, by) => changed(notes, 1, (note) => signedAs(note, changes, by));
const signatureOf = (note) => note.slice(note.lastIndexOf("\n\n") + 2);
const ZEROS = "0".repeat(64);

const vkey = keys[0];
/** The published list, of a key that has signed from one time until before another. */
export const timed = (from, until) => [{ vkey, from, until }];
const [proof = []] = log.consistency();
/** A log whose one checkpoint holds one head. */
const single = (at, ...heads) => {
  const leaves = heads.map(([seq, when]) =>
    leafText({ org: log.organization, chain: "session:s-1", seq, hash: "a".repeat(64), at: when }),
  );
  const { size, root } = append(0, [], leaves.map(leafHash));
  const note = signNote(checkpointText({ origin: log.origin, size, root, prev: null, at }), [signer]);
  return file({ checkpoints: [note], consistency: [], leaves });
};

/** @type {[string, any, string, string, any?][]} name, file, code, pointer, keys where others are given */
export const CHECKPOINTS = [
  [
    "flip: a letter of a checkpoint",
    file({ checkpoints: changed(notes, 1, (one) => one.replace("at 3000", "at 3001")) }),
    "signature",
    "/checkpoints/1",
  ],
  [
    "drop: a checkpoint",
    file({ checkpoints: without(notes, 1), consistency: null }),
    "previous-checkpoint",
    "/checkpoints/1",
  ],
  [
    "swap: two checkpoints",
    file({ checkpoints: swapped(notes, 0, 1) }),
    "previous-checkpoint",
    "/checkpoints/1",
  ],
  [
    "duplicate: a checkpoint",
    file({ checkpoints: [notes[0], ...notes], consistency: null }),
    "previous-checkpoint",
    "/checkpoints/1",
  ],
  [
    "splice: another organization's checkpoint",
    file({ checkpoints: [...notes, foreign.checkpoints[2].note], consistency: null }),
    "unknown-key",
    "/checkpoints/3",
  ],
  ["re-sign: with another key", file({ checkpoints: second({}, [thief]) }), "unknown-key", "/checkpoints/1"],
  [
    "re-sign: with another key, which it brings",
    file({ checkpoints: second({}, [thief]), keys: [formatVerifierKey(thief.key)] }),
    "unknown-key",
    "/checkpoints/1",
  ],
  ["back-date: a checkpoint", file({ checkpoints: second({ at: 1_900 }) }), "time", "/checkpoints/1"],
  ["rewrite: a root", file({ checkpoints: second({ root: ZEROS }) }), "consistency", "/checkpoints/1"],
  [
    "rewrite: a root, without proofs",
    file({
      checkpoints: [...second({ root: ZEROS }).slice(0, 2)],
      consistency: null,
      leaves: log.leaves.slice(0, 4),
    }),
    "root",
    "/checkpoints/1",
  ],
  ["shrink: a tree", file({ checkpoints: second({ size: 1, root: ZEROS }) }), "tree-size", "/checkpoints/1"],
  [
    "rewrite: a leaf",
    file({ leaves: changed(log.leaves, 0, (one) => one.replace(/(?<="hash":")./, (d) => otherDigit(d))) }),
    "root",
    "/checkpoints/0",
  ],
  ["drop: a leaf", file({ leaves: without(log.leaves, 5) }), "tree-size", "/leaves"],
  ["duplicate: a leaf", file({ leaves: [...log.leaves, log.leaves[5]] }), "leaf", "/leaves/6"],
  [
    "splice: another organization's leaf",
    file({ leaves: changed(log.leaves, 2, () => foreign.leaves[2]) }),
    "malformed-leaf",
    "/leaves/2",
  ],
  ["swap: two leaves of a chain", file({ leaves: swapped(log.leaves, 1, 2) }), "leaf", "/leaves/2"],
  [
    "consistency: a changed hash",
    file({ consistency: log.consistency().map((one) => one.map(otherDigit)) }),
    "consistency",
    "/checkpoints/1",
  ],
  ["consistency: no proofs", file({ consistency: [] }), "malformed-file", "/consistency"],
  ["consistency: a proof too few", file({ consistency: [proof] }), "malformed-file", "/consistency"],
  [
    "consistency: a proof too many",
    file({ consistency: [...log.consistency(), []] }),
    "malformed-file",
    "/consistency",
  ],
  [
    "rewrite: two trees with nothing in common, and no proofs",
    file({ checkpoints: second({ root: ZEROS }).slice(0, 2), consistency: [], leaves: null }),
    "malformed-file",
    "/consistency",
  ],
  [
    "rewrite: two trees with nothing in common, and an empty proof",
    file({ checkpoints: second({ root: ZEROS }).slice(0, 2), consistency: [[]], leaves: null }),
    "consistency",
    "/checkpoints/1",
  ],
  ["back-date: a checkpoint over a newer head", single(1, [1, 9_000]), "time", "/checkpoints/0"],
  ["back-date: a later head of a chain", single(9_000, [1, 4_000], [2, 10]), "time", "/leaves/1"],
  ["key: one whose time was over", file(), "key-time", "/checkpoints/1", timed(0, 3_000)],
  ["key: one whose time had not come", file(), "key-time", "/checkpoints/0", timed(2_001, null)],
  [
    "signature: a second one by the same key, and wrong",
    file({
      checkpoints: changed(notes, 1, (note) => note + signatureOf(signedAs(note, { at: 3_500 }))),
    }),
    "signature",
    "/checkpoints/1",
  ],
  ["key: another log's", file({ keys: foreignKeys }), "origin", "/keys/0"],
  [
    "organization: another",
    file({ organization: "org_other", keys: foreignKeys }),
    "origin",
    "/organization",
  ],
  ["form: no checkpoints", file({ checkpoints: [] }), "malformed-file", "/checkpoints"],
  ["version: 2", file({ countersign_checkpoints: 2 }), "unknown-version", "/countersign_checkpoints"],
];
