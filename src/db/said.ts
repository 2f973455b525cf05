/**
 * What users typed, in D1: kept when a turn is delivered, and asked where a quote stands. A text is found by pairs of its words
 * and compared as a whole, without any of it being loaded that does not hold the quote.
 */
import { notPurged } from "./purged.ts";
import { inScope, nextId, scopeStatement } from "./search-ranges.ts";

/** A turn as it is delivered. `searchable` and `pairs` are made of `text` by `policy/provenance`. */
export interface SaidRow {
  readonly agent_id: string;
  readonly seq: number;
  readonly session_id: string;
  readonly message_id: string;
  readonly at: number;
  readonly sender_id: string | null;
  readonly text: string;
  readonly searchable: string;
  readonly pairs: string;
}

const SCOPE = "organization_id = ?1 AND scope = ?2";

/** Statements that keep one turn, together in one batch; a turn that is kept already stays as it is. */
export function saidStatements(
  db: D1Database,
  organization: string,
  chain: string,
  row: SaidRow,
): D1PreparedStatement[] {
  return [
    scopeStatement(db, organization, row.agent_id),
    db
      .prepare(
        `INSERT INTO said (said_id, organization_id, agent_id, chain, seq, session_id, message_id, at, sender_id, text, searchable)
         SELECT ${nextId("said", "said_id", SCOPE)}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
         WHERE ${notPurged("?7")} ON CONFLICT (organization_id, chain, seq) DO NOTHING`,
      )
      .bind(
        organization,
        row.agent_id,
        chain,
        row.seq,
        row.session_id,
        row.message_id,
        row.at,
        row.sender_id,
        row.text,
        row.searchable,
      ),
    db
      .prepare(
        `INSERT INTO said_search (rowid, pairs)
         SELECT said_id, ?4 FROM said WHERE organization_id = ?1 AND chain = ?2 AND seq = ?3 AND indexed = 0`,
      )
      .bind(organization, chain, row.seq, row.pairs),
    db
      .prepare("UPDATE said SET indexed = 1 WHERE organization_id = ? AND chain = ? AND seq = ?")
      .bind(organization, chain, row.seq),
  ];
}

/** A quote to look for: the pairs of words that an index is asked for, and the text that must stand there. */
export interface Sought {
  readonly match: string;
  readonly needle: string;
}

export interface SaidQuery {
  readonly agent: string;
  readonly chain: string;
  /** False where only this chain counts; true for every session of the agent. */
  readonly profile: boolean;
  /** Nothing older than this counts, in epoch milliseconds. */
  readonly since: number;
  readonly sought: readonly Sought[];
}

export interface SaidMessage {
  readonly seq: number;
  readonly chain: string;
  readonly message_id: string;
  readonly sender_id: string | null;
  readonly text: string;
}

export interface SaidFound {
  /** By the index of what was sought: messages that hold it, this chain's first, the newest first. */
  readonly found: readonly (readonly SaidMessage[])[];
  /** The last messages of the chain, the newest first, each short enough to be a short quote's whole message. */
  readonly last: readonly SaidMessage[];
}

/** Messages that are told for one quote: the newest decide. */
const MOST_MESSAGES = 8;
/** Characters of all messages of one look-up; the newest of each quote come first. */
const MAX_CHARACTERS = 4_000_000;
const LAST = 3;

/** Turns of one chain are kept in their order, so that nothing of it lies outside these. */
const end = (order: "ASC" | "DESC"): string =>
  `(SELECT said_id FROM said WHERE organization_id = ?1 AND chain = ?3 ORDER BY seq ${order} LIMIT 1)`;

const places = (where: string): string => `
SELECT n.key AS needle, s.said_id, s.chain, length(s.text) AS characters
FROM json_each(?4) AS n JOIN said AS s ON s.said_id IN (
  SELECT f.rowid FROM said_search AS f JOIN said AS x ON x.said_id = f.rowid
  WHERE said_search MATCH n.value ->> 'match' AND ${where}
    AND x.at >= ?5 AND instr(x.searchable, n.value ->> 'needle') > 0
  ORDER BY f.rowid DESC LIMIT ${MOST_MESSAGES})`;

const IN_CHAIN = places(
  `?2 IS NOT NULL AND x.chain = ?3 AND f.rowid BETWEEN ${end("ASC")} AND ${end("DESC")}`,
);
const ELSEWHERE = places(`x.chain <> ?3 AND ${inScope("f.rowid", SCOPE)}`);

/**
 * Where quotes stand. Two round trips, however many quotes there are: the first finds, the second reads what was found.
 * Rejects as D1 does.
 */
export async function findSaid(db: D1Database, organization: string, query: SaidQuery): Promise<SaidFound> {
  const list = JSON.stringify(query.sought);
  const find = (sql: string): D1PreparedStatement =>
    db.prepare(sql).bind(organization, query.agent, query.chain, list, query.since);
  const [last, ...answers] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `SELECT seq, chain, message_id, sender_id, substr(text, 1, ${MAX_SHORT}) AS text FROM said
         WHERE organization_id = ? AND chain = ? AND at >= ? ORDER BY seq DESC LIMIT ${LAST}`,
      )
      .bind(organization, query.chain, query.since),
    ...(query.sought.length === 0 ? [] : [find(IN_CHAIN), ...(query.profile ? [find(ELSEWHERE)] : [])]),
  ]);
  const rows = answers.flatMap(({ results }) => results as unknown as Place[]);
  const messages = await read(db, organization, chosen(rows));
  return {
    found: query.sought.map((_, index) =>
      rows
        .filter(({ needle }) => needle === index)
        .sort(
          (a, b) =>
            Number(b.chain === query.chain) - Number(a.chain === query.chain) || b.said_id - a.said_id,
        )
        .flatMap(({ said_id }) => messages.get(said_id) ?? []),
    ),
    last: (last?.results ?? []) as unknown as SaidMessage[],
  };
}

/** A message that a short quote is all of is not longer than this. */
const MAX_SHORT = 1_000;

interface Place {
  readonly needle: number;
  readonly said_id: number;
  readonly chain: string;
  readonly characters: number;
}

/** The messages to be read: the newest for every quote, then the next newest, as many as the bound lets. */
function chosen(rows: readonly Place[]): number[] {
  const byNeedle = Map.groupBy(rows, ({ needle }) => needle);
  const ids = new Set<number>();
  let characters = 0;
  for (let rank = 0; rank < 2 * MOST_MESSAGES; rank += 1)
    for (const places of byNeedle.values()) {
      const place = places.toSorted((a, b) => b.said_id - a.said_id)[rank];
      if (place === undefined || ids.has(place.said_id)) continue;
      characters += place.characters;
      if (characters > MAX_CHARACTERS && ids.size > 0) return [...ids];
      ids.add(place.said_id);
    }
  return [...ids];
}

async function read(
  db: D1Database,
  organization: string,
  ids: readonly number[],
): Promise<Map<number, SaidMessage>> {
  if (ids.length === 0) return new Map();
  const { results } = await db
    .prepare(
      `SELECT said_id, seq, chain, message_id, sender_id, text FROM said
       WHERE organization_id = ? AND said_id IN (SELECT value FROM json_each(?))`,
    )
    .bind(organization, JSON.stringify(ids))
    .all<SaidMessage & { said_id: number } & Record<string, unknown>>();
  return new Map(results.map(({ said_id, ...message }) => [said_id, message]));
}
