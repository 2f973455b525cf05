/** What can be done to checkpoints. */
import { formatVerifierKey } from "../../../src/ledger/index.ts";
import { foreignKeys } from "./receipt-rows.mjs";
import { changed, foreign, keys, log, otherDigit, signedAs, swapped, thief, without } from "./rows.mjs";

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
const ZEROS = "0".repeat(64);

/** @type {[string, any, string, string][]} name, file, code, pointer */
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
    file({ checkpoints: [...notes, foreign.checkpoints[2].note] }),
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
