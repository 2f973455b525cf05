/**
 * Entries of a chain out of D1's copy. The copy holds what an entry says, not its text; the text is made again, and is
 * the entry only when its hash is the one that stands beside it.
 */
import { type CopiedRow, listCopied } from "../db/records.ts";
import { bodyHash, canonicalText, entryHash, type StoredEntry } from "../ledger/index.ts";

/**
 * The entry that a copied row stands for.
 * @param prev the hash of the entry before it
 * @returns `null` when what is made of the row does not have the row's hash
 */
export function entryOfRow(organization: string, row: CopiedRow, prev: string): StoredEntry | null {
  let entry: string;
  try {
    entry = canonicalText({
      v: 1,
      org: organization,
      session: row.session_id,
      seq: row.seq,
      prev,
      at: row.at,
      kind: row.kind,
      body_hash: bodyHash(row.body),
    });
  } catch {
    return null;
  }
  return entryHash(entry) === row.hash ? { hash: row.hash, entry, body: row.body } : null;
}

/**
 * Entries `first` to `last` of a chain, in order; fewer where one is not there or not what its hash says.
 * @param prev the hash of the entry before the first
 */
export async function copiedEntries(
  db: D1Database,
  organization: string,
  chain: string,
  first: number,
  last: number,
  prev: string,
): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  let before = prev;
  while (first + entries.length <= last) {
    const rows = await listCopied(db, organization, chain, first + entries.length, last);
    if (rows.length === 0) return entries;
    for (const row of rows) {
      const entry = row.seq === first + entries.length ? entryOfRow(organization, row, before) : null;
      if (entry === null) return entries;
      entries.push(entry);
      before = entry.hash;
    }
  }
  return entries;
}
