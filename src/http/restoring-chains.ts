/** Puts the copy of one chain right: rows that were written over become what the entry says, and what is missing comes again. */
import { readHead, setHeadBack } from "../db/heads.ts";
import { columnsOf } from "../db/publish.ts";
import { firstMissing, overwriteRecord } from "../db/records.ts";
import type { ChainIdentity, StoredEntry } from "../ledger/index.ts";
import { readEntry, readStored } from "../ledger/reading.ts";
import type { Finding } from "./alerts.ts";
import { checkChain } from "./drift-chain.ts";
import { callObject, type SessionStub } from "./sessions.ts";

/** Pages of one chain that are looked through: what is wrong beyond is found by the next comparison. */
const PAGES = 50;

export interface ChainRestored {
  /** Records that were written over. */
  readonly rows: number;
  /** Entries that are delivered once more. */
  readonly entries: number;
  /** The chain's object is gone, and some of its copy with it. */
  readonly lost: boolean;
}

export async function restoreChain(
  env: Env,
  identity: ChainIdentity,
  chain: string,
  stub: () => SessionStub,
): Promise<ChainRestored> {
  const { org } = identity;
  const position = await callObject(stub, (object) => object.position());
  const missing = await firstMissing(env.DB, org, chain);
  if (position === null || position.removed)
    return { rows: 0, entries: 0, lost: position === null || missing <= position.delivered };
  let pages = 0;
  const { findings } = await checkChain(env, identity, { chain, checked_seq: 0 }, () => {
    pages += 1;
    return pages >= PAGES;
  });
  let rows = 0;
  for (const finding of findings) rows += await overwrite(env, org, chain, finding, stub);
  const isHeadWrong = findings.some(({ code }) => code === "altered-head" || code === "missing-head");
  if (isHeadWrong && (await readHead(env.DB, org, chain)) !== null) await setHeadBack(env.DB, org, chain);
  // A head comes back with the entry that it is.
  const first = isHeadWrong ? Math.min(missing, position.delivered) : missing;
  if (first < 1 || first > position.delivered) return { rows, entries: 0, lost: false };
  return { rows, entries: await callObject(stub, (object) => object.redeliver(first)), lost: false };
}

/** Writes the records that a finding names as their entries say. @returns how many */
async function overwrite(
  env: Env,
  organization: string,
  chain: string,
  { code, place, seq, through = seq }: Finding,
  stub: () => SessionStub,
): Promise<number> {
  if (place !== "database" || (code !== "altered-row" && code !== "forked")) return 0;
  let rows = 0;
  for (let after = seq - 1; after < through; ) {
    const { lines, next } = await callObject(stub, (object) => object.page(after));
    for (const line of lines) {
      const stored = JSON.parse(line) as StoredEntry;
      const entry = readEntry(stored.entry);
      // An entry that is not sound itself is no reason to write over anything.
      if (entry === null || entry.seq > through || "code" in readStored(stored, null)) continue;
      const { kind, at, session } = entry;
      const body = JSON.parse(stored.body) as Record<string, unknown>;
      await overwriteRecord(env.DB, organization, chain, {
        seq: entry.seq,
        kind,
        at,
        session_id: session,
        ...columnsOf(body),
        hash: stored.hash,
        body: stored.body,
      });
      rows += 1;
    }
    if (next === null) break;
    after = next;
  }
  return rows;
}
