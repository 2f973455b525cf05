/**
 * What was found to be wrong with the copy of the ledgers, with a ledger itself or with the log of heads. Each finding
 * is an entry of the organization's chain, once, however often it is found.
 */
import { readRestored, readSeen } from "../db/alerts.ts";
import { canonicalText, hashOf } from "../ledger/index.ts";
import { log } from "../log.ts";
import { governAs } from "./governing.ts";

/** What is wrong. */
export const FINDINGS = {
  "missing-row": "The database lacks a record that was delivered to it.",
  "altered-row": "A record in the database is not the entry that its hash was made of.",
  "altered-private": "The private text of a record is not the one that its entry commits to.",
  "missing-head": "The database lacks the head of a chain that is on record.",
  "altered-head": "The head of a chain in the database is not the entry that stands there.",
  "altered-entry": "An entry of the ledger itself is not what it was when it was linked.",
  "missing-entry": "An entry of the ledger itself is gone.",
  "missing-ledger": "The ledger itself is gone: its object holds nothing.",
  truncated: "The ledger ends before an entry that it had.",
  forked: "Another entry stands in the ledger than the one that was delivered or sealed.",
  "altered-leaf": "A leaf of the log is not the one that was sealed.",
  "altered-log": "What the database holds of the log's tree is not what was signed.",
  // Stands on ledgers from when keys were taken from the database.
  "missing-key": "The database lacks the key that signed a checkpoint.",
  "missing-private": "The private text of a record is gone from the database, and no purge has removed it.",
  "missing-governing": "The database lacks a row of what governs the organization.",
  "altered-governing": "A row of what governs the organization is not the one that is on record.",
  "unrecorded-governing":
    "The database holds a row of what governs the organization that nobody has put on record.",
  "missing-session": "The database lacks a session that is on record, in its index of sessions.",
  "altered-session": "A session in the database's index is not whose or what it is on record.",
  "missing-approval": "The database lacks an approval that is on record.",
  "altered-approval": "An approval in the database is not the one that is on record.",
  "unrecorded-approval": "The database holds an approval that nobody was ever asked for.",
  "missing-checkpoint": "The database lacks a checkpoint that was made.",
  "altered-checkpoint": "A checkpoint in the database is not the one that was signed.",
  unreadable:
    "What the database holds there is not what can stand there, and the comparison broke off at it.",
} as const;

export type FindingCode = keyof typeof FINDINGS;

export interface Finding {
  readonly code: FindingCode;
  /** Whose it is that is wrong. `database`: the copy; `ledger`: the object's own; `log`: leaves, nodes, checkpoints. */
  readonly place: "database" | "ledger" | "log";
  /** The chain; `null` where it is the log's own. */
  readonly chain: string | null;
  /** Of the entry; in the log, of the leaf or the checkpoint; 0 where it is a row of a table. */
  readonly seq: number;
  /** The table and the row's id in it, where it is one of what governs or an approval. */
  readonly table?: string;
  readonly id?: string;
  /** The last one of those in a row that it is true of; `seq` where it is the only one. */
  readonly through?: number;
  /** The column that differs, where it is one. */
  readonly column?: string;
  /** What was found there, hashed: whoever changes the same place to something else is heard of again. Not told. */
  readonly what?: string;
}

/**
 * Puts a finding on record. An alert that cannot be written is found again by the next check.
 * @returns true when it is new
 */
export async function raiseAlert(env: Env, organization: string, finding: Finding): Promise<boolean> {
  const { code, place, chain, seq, through = seq, column = null, what = null, table, id: row } = finding;
  const where = table === undefined || row === undefined ? null : { table, id: row };
  const told = { code, place, chain, seq, through, column, ...where };
  log.error("ledger-alert", FINDINGS[code], { organization, code, place, seq });
  // A row that was put right and is wrong once more is another finding, once somebody has seen the first.
  const seen = where === null ? null : { ...where, seen: await orNone(readSeen(env.DB, organization)) };
  // So is one that comes back after an owner had it put right.
  const restored = await orNone(readRestored(env.DB, organization));
  const name = canonicalText({ code, place, chain, seq, column, what, restored, ...seen });
  const id = `alert/${hashOf("countersign/finding/v1\n", name)}`;
  const before = Date.now();
  try {
    const { at } = await governAs(env, organization, { kind: "alert", finding: told }, null, id);
    return at >= before;
  } catch (error) {
    log.error("alert-not-recorded", error, { organization });
    return false;
  }
}

/** Where the database cannot even be asked, what was found in it must still come on record. */
async function orNone(asked: Promise<number>): Promise<number> {
  try {
    return await asked;
  } catch (error) {
    log.error("alerts-unreadable", error);
    return 0;
  }
}
