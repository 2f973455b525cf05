/**
 * Compares D1's copy of one chain with the chain itself and with what was sealed of it. Rows are delivered while this
 * looks, so what must be there is asked for first and looked at afterwards: nothing that is only on its way is an alarm.
 */
import { listLeavesOf, readNewestLeaf, readNodes } from "../db/checkpoints.ts";
import { type HeadRow, readHead } from "../db/heads.ts";
import { columnsOf } from "../db/publish.ts";
import { readPurged } from "../db/purged.ts";
import { type CopiedRow, lastCopied, listCopied, listDisclosed } from "../db/records.ts";
import type { ChainPosition } from "../durable/protocol.ts";
import {
  bytesOfHex,
  type ChainIdentity,
  commitmentOf,
  type Entry,
  genesis,
  hashOf,
  leafHash,
  parseLeaf,
  privateCommitment,
  type StoredEntry,
} from "../ledger/index.ts";
import { readEntry, readStored } from "../ledger/reading.ts";
import type { Finding, FindingCode } from "./alerts.ts";
import { entryOfRow } from "./chain-copy.ts";
import { checkSessions } from "./drift-sessions.ts";
import { callObject, organizationStub, type SessionStub, sessionStub } from "./sessions.ts";

/** What is hashed of what was found, so that a finding does not tell it. */
const FOUND = "countersign/found/v1\n";
/** Findings of one chain in one run: whoever changed everything is heard of all the same. */
const MAX_FINDINGS = 20;

export interface ChainCheck {
  readonly findings: readonly Finding[];
  readonly entries: number;
  /** Up to here, when it was broken off; `null` at the end of the chain. */
  readonly broken_off: number | null;
}

/**
 * @param head as it was listed; read again here
 * @param isLate told after each page; then the check is broken off
 */
export async function checkChain(
  env: Env,
  identity: ChainIdentity,
  listed: Pick<HeadRow, "chain" | "checked_seq">,
  isLate: () => boolean,
): Promise<ChainCheck> {
  const walk = new ChainWalk(env, identity, listed.chain);
  return walk.run(listed.checked_seq, isLate);
}

class ChainWalk {
  readonly #env: Env;
  readonly #identity: ChainIdentity;
  readonly #chain: string;
  readonly #findings: (Finding & { through: number; what: string })[] = [];

  constructor(env: Env, identity: ChainIdentity, chain: string) {
    this.#env = env;
    this.#identity = identity;
    this.#chain = chain;
  }

  async run(from: number, isLate: () => boolean): Promise<ChainCheck> {
    const { DB } = this.#env;
    const { org } = this.#identity;
    // First what the object must have, then the object; first what D1 must have, then D1.
    const copied = await lastCopied(DB, org, this.#chain);
    const head = await readHead(DB, org, this.#chain);
    const leaf = await readNewestLeaf(DB, org, this.#chain);
    const sealed = leaf?.seq ?? 0;
    if (head === null) this.#found("missing-head", "database", copied);
    else if (head.seq < copied || head.sealed_seq > sealed)
      this.#found("altered-head", "database", Math.max(head.seq, 0));
    const position = await callObject(this.#stub, (object) => object.position());
    const known = Math.max(copied, sealed, position?.delivered ?? 0);
    // Beyond everything that anybody else has of the chain: the head is what is wrong, and not the chain.
    const isBeyond = position?.removed === false && (head?.seq ?? 0) > Math.max(known, position.seq);
    if (isBeyond) this.#found("altered-head", "database", head?.seq ?? 0, { what: head?.hash ?? "" });
    const least = isBeyond ? known : Math.max(known, head?.seq ?? 0);
    const isGone = position === null || position.removed;
    if (position === null) this.#found("missing-ledger", "ledger", 1);
    let seq = from;
    let entries = 0;
    let prev = await this.#prevOf(from);
    for (;;) {
      const page = isGone ? await this.#copiedPage(seq, prev.copy) : await this.#page(seq);
      const last = await this.#compare(page, seq, prev, isGone ? null : position.delivered, head);
      this.#compareEnd(position, page, seq, last.seq);
      entries += page.length;
      seq = last.seq;
      prev = last.prev;
      if (page.length === 0 || this.#findings.length >= MAX_FINDINGS) break;
      if (isLate()) return this.#report(entries, seq);
    }
    const missed = this.#findings.length >= MAX_FINDINGS;
    if (missed || seq >= least) return this.#report(entries, null);
    if (isGone) this.#found("missing-row", "database", seq + 1, { through: least });
    else {
      // Removed while it was being read: then it is looked at once more, as what it is now.
      const now = await callObject(this.#stub, (object) => object.position());
      if (now?.removed === true) return { findings: [], entries, broken_off: from };
      this.#found("truncated", "ledger", seq + 1, { through: least });
    }
    return this.#report(entries, null);
  }

  /** The entry at which the object says that its chain ends, or that it ended when it was removed. */
  #compareEnd(
    position: ChainPosition | null,
    page: readonly StoredEntry[],
    after: number,
    last: number,
  ): void {
    if (position === null || position.seq <= after || position.seq > last) return;
    const at = page[position.seq - last + page.length - 1];
    if (at === undefined || at.hash === position.hash) return;
    if (position.removed) this.#found("forked", "database", position.seq);
    else this.#found("altered-entry", "ledger", position.seq);
  }

  readonly #stub = (): SessionStub => {
    const { org, session } = this.#identity;
    return session === null ? organizationStub(this.#env, org) : sessionStub(this.#env, org, session);
  };

  async #page(after: number): Promise<StoredEntry[]> {
    const { lines } = await callObject(this.#stub, (object) => object.page(after));
    return lines.map((line) => JSON.parse(line) as StoredEntry);
  }

  /** Where the object is gone, the copy is all there is: the entries that its rows stand for. */
  async #copiedPage(after: number, before: string): Promise<StoredEntry[]> {
    const { org } = this.#identity;
    const rows = await listCopied(this.#env.DB, org, this.#chain, after + 1, Number.MAX_SAFE_INTEGER);
    const entries: StoredEntry[] = [];
    let prev = before;
    for (const row of rows) {
      const entry = entryOfRow(org, row, prev);
      if (entry === null) this.#found("altered-row", "database", row.seq);
      prev = row.hash;
      entries.push(entry ?? { hash: row.hash, entry: "", body: row.body });
    }
    return entries;
  }

  async #prevOf(seq: number): Promise<Prev> {
    const { hash } = genesis(this.#identity);
    if (seq === 0) return { entry: hash, copy: hash };
    const [row] = await listCopied(this.#env.DB, this.#identity.org, this.#chain, seq, seq);
    return { entry: null, copy: row?.hash ?? "" };
  }

  /** @param delivered what D1 must have; `null` when the entries are its own */
  async #compare(
    page: readonly StoredEntry[],
    after: number,
    before: Prev,
    delivered: number | null,
    head: HeadRow | null,
  ): Promise<{ seq: number; prev: Prev }> {
    const read = this.#walk(page, after, before.entry, delivered === null);
    const last = read.at(-1);
    if (last === undefined) return { seq: after, prev: before };
    const { DB } = this.#env;
    const { org } = this.#identity;
    const rows = new Map<number, CopiedRow>();
    for (let first = after + 1; first <= last.seq; ) {
      const some = await listCopied(DB, org, this.#chain, first, last.seq);
      for (const row of some) rows.set(row.seq, row);
      first = (some.at(-1)?.seq ?? last.seq) + 1;
    }
    let copy = before.copy;
    for (const { seq, stored, entry } of read) {
      const row = rows.get(seq);
      if (row === undefined) {
        if (delivered !== null && seq <= delivered) this.#found("missing-row", "database", seq);
        continue;
      }
      if (delivered !== null && entry !== null) this.#compareRow(row, stored, entry, copy);
      copy = row.hash;
    }
    await this.#compareSessions(read, delivered);
    await this.#compareKept(read, rows);
    if ([...rows.values()].some(({ kept }) => kept === 1))
      await this.#compareDisclosed(
        new Map(read.map((one) => [one.seq, one.stored.body])),
        after + 1,
        last.seq,
      );
    await this.#compareLeaves(new Map(read.map((one) => [one.seq, one.stored.hash])), after + 1, last.seq);
    if (head !== null && head.seq > after && head.seq <= last.seq) {
      const at = read.find(({ seq }) => seq === head.seq);
      const isOther =
        at !== undefined && (at.stored.hash !== head.hash || (at.entry?.at ?? head.at) !== head.at);
      if (isOther) this.#found("altered-head", "database", head.seq, { what: `${head.hash} ${head.at}` });
    }
    return { seq: last.seq, prev: { entry: last.stored.hash, copy } };
  }

  /** The entries with their places, each held against its own hash and the one before it. */
  #walk(page: readonly StoredEntry[], after: number, before: string | null, isCopy: boolean): Walked[] {
    const walked: Walked[] = [];
    let seq = after;
    let prev = before;
    for (const stored of page) {
      const entry = readEntry(stored.entry);
      const due = seq + 1;
      seq = entry !== null && entry.seq > due ? entry.seq : due;
      const [code, place] = isCopy
        ? (["missing-row", "database"] as const)
        : (["missing-entry", "ledger"] as const);
      if (seq > due) this.#found(code, place, due, { through: seq - 1 });
      const sound = !("code" in readStored(stored, null)) && entry !== null && entry.seq === seq;
      const follows = seq > due || prev === null || entry?.prev === prev;
      const own = entry?.org === this.#identity.org;
      // A row of the copy that is wrong was found when its entry was made of it.
      if (stored.entry !== "" && !(sound && follows && own)) this.#found("altered-entry", "ledger", seq);
      walked.push({ seq, stored, entry: sound ? entry : null });
      prev = stored.hash;
    }
    return walked;
  }

  #compareRow(row: CopiedRow, stored: StoredEntry, entry: Entry, copyBefore: string): void {
    const { org } = this.#identity;
    const body = JSON.parse(stored.body) as Record<string, unknown>;
    const due: Readonly<Record<string, unknown>> = {
      kind: entry.kind,
      at: entry.at,
      session_id: entry.session,
      body: stored.body,
      ...columnsOf(body),
    };
    if (row.hash !== stored.hash) {
      // A row that is whole in itself tells another story; one that is not was written over.
      const whole = entryOfRow(org, row, copyBefore) !== null || entryOfRow(org, row, entry.prev) !== null;
      const what = JSON.stringify(row);
      if (whole) this.#found("forked", "database", row.seq, { what });
      else this.#found("altered-row", "database", row.seq, { column: "hash", what });
      return;
    }
    const other = Object.entries(due).find(([column, value]) => row[column as keyof CopiedRow] !== value);
    if (other !== undefined)
      this.#found("altered-row", "database", row.seq, { column: other[0], what: JSON.stringify(row) });
  }

  async #compareSessions(read: readonly Walked[], delivered: number | null): Promise<void> {
    const { org, session: root } = this.#identity;
    if (root === null) return;
    const had = read.filter(({ seq }) => delivered === null || seq <= delivered);
    const opened = had.flatMap(({ entry, stored: { body } }) => (entry === null ? [] : [{ entry, body }]));
    for (const { seq, ...finding } of await checkSessions(this.#env.DB, org, root, opened))
      if (this.#findings.length < MAX_FINDINGS)
        this.#findings.push({ ...finding, seq, through: seq, what: "" });
  }

  /** Private text that is neither there nor purged. What a purge may take is asked after the rows were read. */
  async #compareKept(read: readonly Walked[], rows: ReadonlyMap<number, CopiedRow>): Promise<void> {
    const committed = read.filter(({ seq, stored }) => rows.has(seq) && commitmentOf(stored.body) !== null);
    if (committed.every(({ seq }) => rows.get(seq)?.kept === 1)) return;
    const { org, session } = this.#identity;
    // What an organization swore is never purged.
    const purged = session === null ? 0 : await readPurged(this.#env.DB, org);
    let first: number | null = null;
    let last = 0;
    const end = (): void => {
      if (first !== null) this.#found("missing-private", "database", first, { through: last });
      first = null;
    };
    for (const { seq, entry } of committed) {
      const row = rows.get(seq);
      if (row?.kept === 1 || (entry?.at ?? row?.at ?? 0) < purged) end();
      else {
        first ??= seq;
        last = seq;
      }
    }
    end();
  }

  /** @param bodies of the entries, whose commitments count: a row may have come since the others were read */
  async #compareDisclosed(bodies: ReadonlyMap<number, string>, first: number, last: number): Promise<void> {
    for (let at = first; at <= last; ) {
      const some = await listDisclosed(this.#env.DB, this.#identity.org, this.#chain, at, last);
      for (const { seq, private: text, salt } of some) {
        const body = bodies.get(seq);
        const bytes = bytesOfHex(salt);
        // Salted: once text and salt are purged, nobody can try by it what the text was.
        const what = bytes === null ? "" : privateCommitment(bytes, text);
        const isCommitted = body !== undefined && bytes !== null && what === commitmentOf(body);
        if (body !== undefined && !isCommitted) this.#found("altered-private", "database", seq, { what });
      }
      const end = some.at(-1);
      if (end === undefined) return;
      at = end.seq + 1;
    }
  }

  async #compareLeaves(hashes: ReadonlyMap<number, string>, first: number, last: number): Promise<void> {
    const { DB } = this.#env;
    const { org } = this.#identity;
    const leaves = await listLeavesOf(DB, org, this.#chain, first, last);
    const nodes = await readNodes(
      DB,
      org,
      leaves.map(({ leaf_index: index }) => ({ level: 0, index })),
    );
    for (const { leaf_index, seq, data } of leaves) {
      const leaf = parseLeaf(data);
      const isSealed = leaf?.seq === seq && leafHash(data) === nodes.get(`0/${leaf_index}`);
      // One that is not what was sealed is told of with the log.
      if (isSealed && hashes.has(seq) && leaf.hash !== hashes.get(seq))
        this.#found("forked", "ledger", seq, { what: hashes.get(seq) ?? "" });
    }
  }

  #found(
    code: FindingCode,
    place: Finding["place"],
    seq: number,
    more: { readonly through?: number; readonly column?: string; readonly what?: string } = {},
  ): void {
    const { through = seq, column, what = "" } = more;
    const before = this.#findings.at(-1);
    const goesOn =
      before?.code === code &&
      before.place === place &&
      before.column === column &&
      before.through === seq - 1;
    if (goesOn) {
      before.through = through;
      before.what = hashOf(FOUND, `${before.what} ${what}`);
    } else if (this.#findings.length < MAX_FINDINGS)
      this.#findings.push({
        code,
        place,
        chain: this.#chain,
        seq,
        through,
        what: hashOf(FOUND, what),
        ...(column === undefined ? {} : { column }),
      });
  }

  #report(entries: number, brokenOff: number | null): ChainCheck {
    return { findings: this.#findings, entries, broken_off: brokenOff };
  }
}

/** Hashes of the entry before a page: in the chain, where it is known, and in the copy. */
interface Prev {
  readonly entry: string | null;
  readonly copy: string;
}

interface Walked {
  readonly seq: number;
  readonly stored: StoredEntry;
  /** `null` for one that is not sound. */
  readonly entry: Entry | null;
}
