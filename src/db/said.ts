/**
 * What users typed, in D1: kept when a turn is delivered, and asked where a quote stands. A text is found by pairs of its words
 * and compared as a whole, without any of it being loaded that does not hold the quote.
 */
import { inLists } from "./lists.ts";
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

const COLUMNS =
  "said_id, organization_id, agent_id, chain, seq, session_id, message_id, at, sender_id, text, searchable";
const BOUND = ["seq", "session_id", "message_id", "at", "sender_id", "text", "searchable"];
/** A turn that is kept already stays as it is, and what was purged meanwhile does not come back. */
const insert = (from: string, at: string, value: (column: string) => string, rank: string): string =>
  `INSERT INTO said (${COLUMNS})
   SELECT ${nextId("said", "said_id", SCOPE)} + ${rank}, ?1, ?2, ?3, ${BOUND.map(value).join(", ")}
   ${from} WHERE ${notPurged(at)} ON CONFLICT (organization_id, chain, seq) DO NOTHING`;

/**
 * Statements that keep turns of one chain, together in one batch.
 * @param rows in the order of the chain, and of one agent, as a family is
 */
export function saidStatements(
  db: D1Database,
  organization: string,
  chain: string,
  rows: readonly SaidRow[],
): D1PreparedStatement[] {
  const [first] = rows;
  if (first === undefined) return [];
  const of = (sql: string, ...values: unknown[]): D1PreparedStatement =>
    db.prepare(sql).bind(organization, first.agent_id, chain, ...values);
  return [
    scopeStatement(db, organization, first.agent_id),
    ...inLists(
      rows,
      (json) => [
        of(MANY, json),
        of(MANY_INDEXED, json),
        of(
          "UPDATE said SET indexed = 1 WHERE ?2 IS NOT NULL AND organization_id = ?1 AND chain = ?3 AND seq IN (SELECT value ->> 'seq' FROM json_each(?4))",
          json,
        ),
      ],
      (row) => [
        of(ONE, row.seq, row.session_id, row.message_id, row.at, row.sender_id, row.text, row.searchable),
        of(ONE_INDEXED, row.seq, row.pairs),
        of(
          "UPDATE said SET indexed = 1 WHERE ?2 IS NOT NULL AND organization_id = ?1 AND chain = ?3 AND seq = ?4",
          row.seq,
        ),
      ],
    ),
  ];
}

const MANY = insert(
  "FROM json_each(?4) AS e",
  "e.value ->> 'at'",
  (column) => `e.value ->> '${column}'`,
  "row_number() OVER (ORDER BY e.value ->> 'seq') - 1",
);
const ONE = insert("", "?7", (column) => `?${BOUND.indexOf(column) + 4}`, "0");
const MANY_INDEXED = `INSERT INTO said_search (rowid, pairs)
  SELECT s.said_id, e.value ->> 'pairs' FROM json_each(?4) AS e
  JOIN said AS s ON ?2 IS NOT NULL AND s.organization_id = ?1 AND s.chain = ?3 AND s.seq = e.value ->> 'seq'
  WHERE s.indexed = 0`;
const ONE_INDEXED = `INSERT INTO said_search (rowid, pairs)
  SELECT said_id, ?5 FROM said WHERE ?2 IS NOT NULL AND organization_id = ?1 AND chain = ?3 AND seq = ?4 AND indexed = 0`;

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
  /** The last messages of the chain, the newest first; a long one without its text, since no short quote is all of it. */
  readonly last: readonly SaidMessage[];
  /** What was typed before is purged, wherever it still stands. */
  readonly purged_before: number;
}

/** Messages that are told for one quote: the newest decide. */
const MOST_MESSAGES = 16;
/** Characters of all messages of one look-up; the newest of each quote come first. */
const MAX_CHARACTERS = 4_000_000;
/** Messages up to this are told by the first look-up. */
const MAX_INLINE = 2_000;
const LAST = 3;

/** Turns of one chain are kept in their order, so that nothing of it lies outside these. */
const end = (order: "ASC" | "DESC"): string =>
  `(SELECT said_id FROM said WHERE organization_id = ?1 AND chain = ?3 ORDER BY seq ${order} LIMIT 1)`;

const places = (list: string, where: string): string => `
SELECT n.key AS needle, s.said_id, s.seq, s.chain, s.message_id, s.sender_id, length(s.text) AS characters,
  iif(length(s.text) <= ${MAX_INLINE}, s.text, NULL) AS text
FROM json_each(${list}) AS n JOIN said AS s ON s.said_id IN (
  SELECT f.rowid FROM said_search AS f JOIN said AS x ON x.said_id = f.rowid
  WHERE said_search MATCH n.value ->> 'match' AND ${where}
    AND x.at >= ?5 AND ${notPurged("x.at")} AND instr(x.searchable, n.value ->> 'needle') > 0
  ORDER BY f.rowid DESC LIMIT ${MOST_MESSAGES})`;

const IN_CHAIN = places(
  // A chain in which nobody typed costs no search.
  "iif(EXISTS (SELECT 1 FROM said WHERE organization_id = ?1 AND chain = ?3), ?4, '[]')",
  `?2 IS NOT NULL AND x.chain = ?3 AND f.rowid BETWEEN ${end("ASC")} AND ${end("DESC")}`,
);
const ELSEWHERE = places("?4", `x.chain <> ?3 AND ${inScope("f.rowid", SCOPE)}`);

/**
 * Where quotes stand. At most two round trips, however many quotes there are: the first finds, and brings what is short;
 * the second reads the long ones that were found.
 * Rejects as D1 does.
 */
export async function findSaid(db: D1Database, organization: string, query: SaidQuery): Promise<SaidFound> {
  const list = JSON.stringify(query.sought);
  const find = (sql: string): D1PreparedStatement =>
    db.prepare(sql).bind(organization, query.agent, query.chain, list, query.since);
  const [last, purged, ...answers] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `SELECT seq, chain, message_id, sender_id, iif(length(text) <= ${MAX_SHORT}, text, '') AS text FROM said
         WHERE organization_id = ?1 AND chain = ?2 AND at >= ?3 AND ${notPurged("at")} ORDER BY seq DESC LIMIT ${LAST}`,
      )
      .bind(organization, query.chain, query.since),
    db.prepare("SELECT purged_before FROM organizations WHERE organization_id = ?").bind(organization),
    ...(query.sought.length === 0 ? [] : [find(IN_CHAIN), ...(query.profile ? [find(ELSEWHERE)] : [])]),
  ]);
  const rows = answers.flatMap(({ results }) => results as unknown as Place[]);
  const read = await readLong(db, organization, chosen(rows));
  const messageOf = ({ said_id, text, seq, chain, message_id, sender_id }: Place): SaidMessage[] => {
    const whole = text ?? read.get(said_id);
    return whole === undefined ? [] : [{ seq, chain, message_id, sender_id, text: whole }];
  };
  const byNeedle = Map.groupBy(rows, ({ needle }) => needle);
  return {
    found: query.sought.map((_, index) =>
      (byNeedle.get(index) ?? [])
        .sort(
          (a, b) =>
            Number(b.chain === query.chain) - Number(a.chain === query.chain) || b.said_id - a.said_id,
        )
        .flatMap(messageOf),
    ),
    last: (last?.results ?? []) as unknown as SaidMessage[],
    purged_before: Number(purged?.results[0]?.["purged_before"] ?? 0),
  };
}

/** A message that a short quote is all of is not longer than this. */
const MAX_SHORT = 1_000;

interface Place extends Omit<SaidMessage, "text"> {
  readonly needle: number;
  readonly said_id: number;
  readonly characters: number;
  /** `null` for one that is long. */
  readonly text: string | null;
}

/** The long messages to be read: the newest for every quote, then the next newest, as many as the bound lets. */
function chosen(rows: readonly Place[]): number[] {
  const byNeedle = Map.groupBy(
    rows.filter(({ text }) => text === null),
    ({ needle }) => needle,
  );
  const sorted = [...byNeedle.values()].map((places) => places.toSorted((a, b) => b.said_id - a.said_id));
  const ids = new Set<number>();
  let characters = 0;
  for (let rank = 0; rank < 2 * MOST_MESSAGES; rank += 1)
    for (const places of sorted) {
      const place = places[rank];
      if (place === undefined || ids.has(place.said_id)) continue;
      characters += place.characters;
      if (characters > MAX_CHARACTERS && ids.size > 0) return [...ids];
      ids.add(place.said_id);
    }
  return [...ids];
}

async function readLong(
  db: D1Database,
  organization: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const { results } = await db
    .prepare(
      "SELECT said_id, text FROM said WHERE organization_id = ? AND said_id IN (SELECT value FROM json_each(?))",
    )
    .bind(organization, JSON.stringify(ids))
    .all<{ said_id: number; text: string }>();
  return new Map(results.map(({ said_id, text }) => [said_id, text]));
}
