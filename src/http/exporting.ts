/**
 * Chains as they are exported: from the object that they stand in, or from D1's copy where that object was removed; a page
 * at a time, so that a chain's length bounds nobody's memory.
 */
import { chainName } from "../db/publish.ts";
import { readPurged } from "../db/purged.ts";
import { type DisclosedRow, listCopied, listDisclosed } from "../db/records.ts";
import { type ChainIdentity, exportLine, genesis, type StoredEntry } from "../ledger/index.ts";
import { entryOfRow } from "./chain-copy.ts";
import { callObject, organizationStub, type SessionStub, sessionStub } from "./sessions.ts";

/**
 * The lines of a chain after an entry.
 * @param disclose adds the private texts and salts that are still kept
 * @param after sequence number
 * @throws where the copy of a removed object is not what its hashes say: nothing is made up in its place
 */
export async function* chainLines(
  env: Env,
  identity: ChainIdentity,
  disclose: boolean,
  after = 0,
): AsyncGenerator<string> {
  const stub = (): SessionStub =>
    identity.session === null
      ? organizationStub(env, identity.org)
      : sessionStub(env, identity.org, identity.session);
  // What is purged is told by nobody, also where it has not yet arrived, and from one page to the next. Oaths are not purged.
  const toldSince = async (): Promise<number | null> =>
    !disclose ? null : identity.session === null ? 0 : readPurged(env.DB, identity.org);
  const told = (lines: readonly string[]): AsyncIterable<string> | readonly string[] =>
    disclose ? disclosedLines(env.DB, identity, lines) : lines;
  let at: number | null = after;
  while (at !== null) {
    const from: number = at;
    const since = await toldSince();
    const page = await callObject(stub, (object) => object.page(from, since));
    if (page.removed) {
      const head = await callObject(stub, (object) => object.position());
      // A mark behind the end is one that no export has said: nothing comes after it.
      if (head === null || from >= head.seq) return;
      for await (const lines of copiedPages(env.DB, identity, from)) yield* told(lines);
      return;
    }
    yield* told(page.lines);
    at = page.next;
  }
}

async function* copiedPages(
  db: D1Database,
  identity: ChainIdentity,
  after: number,
): AsyncGenerator<readonly string[]> {
  const chain = chainName(identity);
  let seq = after;
  let prev = genesis(identity).hash;
  if (after > 0) {
    const [before] = await listCopied(db, identity.org, chain, after, after);
    if (before === undefined) throw new Error(`the copy of a chain has no entry ${after}`);
    prev = before.hash;
  }
  for (;;) {
    const rows = await listCopied(db, identity.org, chain, seq + 1, Number.MAX_SAFE_INTEGER);
    if (rows.length === 0) return;
    const lines: string[] = [];
    for (const row of rows) {
      const entry = row.seq === seq + 1 ? entryOfRow(identity.org, row, prev) : null;
      if (entry === null) throw new Error(`the copy of a chain breaks at entry ${seq + 1}`);
      lines.push(exportLine(entry));
      seq = row.seq;
      prev = row.hash;
    }
    yield lines;
  }
}

/** The lines with what D1 keeps of their private texts; those that the object still had stand in them already. */
async function* disclosedLines(
  db: D1Database,
  identity: ChainIdentity,
  lines: readonly string[],
): AsyncGenerator<string> {
  const rows = lines.map((line) => {
    const stored = JSON.parse(line) as StoredEntry & { private?: string };
    const { seq } = JSON.parse(stored.entry) as { seq: number };
    return { line, stored, seq, waits: stored.private === undefined && stored.body.includes('"private":') };
  });
  const last = rows.findLast((row) => row.waits)?.seq ?? 0;
  let known = new Map<number, DisclosedRow>();
  let askedUpTo = 0;
  for (const { line, stored, seq, waits } of rows) {
    if (waits && seq > askedUpTo) {
      const found = await listDisclosed(db, identity.org, chainName(identity), seq, last);
      known = new Map(found.map((row) => [row.seq, row]));
      askedUpTo = found.at(-1)?.seq ?? last;
    }
    yield waits ? exportLine(stored, known.get(seq) ?? null) : line;
  }
}

/** Characters of one part of a stream: few parts, and little of it waits in memory. */
const PART_CHARACTERS = 256 * 1024;

/**
 * A stream of lines, each with its line feed, made as fast as it is read.
 * Rejects where the first part fails, so that this can still be told; what fails later breaks the stream off.
 * @param end what follows each piece, where it is no line
 */
export async function streamOf(
  lines: AsyncGenerator<string>,
  end = "\n",
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const part = async (): Promise<Uint8Array | null> => {
    const texts: string[] = [];
    let characters = 0;
    while (characters < PART_CHARACTERS) {
      const { done, value } = await lines.next();
      if (done === true) break;
      texts.push(value, end);
      characters += value.length + end.length;
    }
    return texts.length === 0 ? null : encoder.encode(texts.join(""));
  };
  let next = await part();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === null) return controller.close();
      controller.enqueue(next);
      next = await part();
      if (next === null) controller.close();
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
