/** What the pages about provenance ask of D1 beside the lists: the messages behind quotes, and the decisions behind claims. */
import { inScope } from "./search-ranges.ts";

/** Where a quote was found, and the words by which an index finds the message again; `null` for a quote of no words. */
export interface QuotedPlace {
  readonly agent: string;
  readonly chain: string;
  /** Of the decision: what was typed came before it. */
  readonly seq: number;
  readonly message_id: string;
  readonly quote: string;
  readonly match: string | null;
}

/** A part of a message that a user typed, with the quote in it where it stands there as it is quoted. */
export interface QuotedMessage {
  readonly message_id: string;
  readonly at: number;
  readonly session_id: string;
  readonly text: string;
  readonly cut_before: boolean;
  readonly cut_after: boolean;
}

/** Characters of a message that are shown before its quote, and in all. */
const BEFORE = 200;
const SHOWN = 900;
/** A quote too short to be looked up by its words is one of the last messages before the write (the provenance seed). */
const LAST = 3;

const OF_QUOTE = "organization_id = ?1 AND scope = n.value ->> 'agent'";
const FROM = `max(1, instr(s.text, n.value ->> 'quote') - ${BEFORE})`;

/** Place by place, and each message by its row: the other way round everything that was typed would be read. */
const MESSAGES = `
SELECT DISTINCT s.message_id, s.at, s.session_id, substr(s.text, ${FROM}, ${SHOWN}) AS text,
  ${FROM} > 1 AS cut_before, length(s.text) >= ${FROM} + ${SHOWN} AS cut_after
FROM json_each(?2) AS n CROSS JOIN said AS s ON s.said_id IN (
  SELECT x.said_id FROM said_search AS f JOIN said AS x ON x.said_id = f.rowid
  WHERE n.value ->> 'match' IS NOT NULL AND said_search MATCH n.value ->> 'match'
    AND ${inScope("f.rowid", OF_QUOTE)} AND x.message_id = n.value ->> 'message_id'
  LIMIT 1)
WHERE +s.organization_id = ?1`;

const SHORT_MESSAGES = `
SELECT DISTINCT s.message_id, s.at, s.session_id, substr(s.text, ${FROM}, ${SHOWN}) AS text,
  ${FROM} > 1 AS cut_before, length(s.text) >= ${FROM} + ${SHOWN} AS cut_after
FROM json_each(?2) AS n CROSS JOIN said AS s ON s.said_id IN (
  SELECT said_id FROM said
  WHERE organization_id = ?1 AND chain = n.value ->> 'chain' AND seq < n.value ->> 'seq'
  ORDER BY seq DESC LIMIT ${LAST})
WHERE s.message_id = n.value ->> 'message_id'`;

type MessageRow = Omit<QuotedMessage, "cut_before" | "cut_after"> & {
  readonly cut_before: number;
  readonly cut_after: number;
};

/** The messages that quotes were found in, by their ids; those that are no longer kept are not among them. */
export async function quotedMessages(
  db: D1Database,
  organization: string,
  places: readonly QuotedPlace[],
): Promise<Map<string, QuotedMessage>> {
  const indexed = places.filter(({ match }) => match !== null);
  const short = places.filter(({ match }) => match === null);
  const ask = (sql: string, some: readonly QuotedPlace[]): D1PreparedStatement[] =>
    some.length === 0 ? [] : [db.prepare(sql).bind(organization, JSON.stringify(some))];
  const statements = [...ask(MESSAGES, indexed), ...ask(SHORT_MESSAGES, short)];
  if (statements.length === 0) return new Map();
  const answers = await db.batch<MessageRow & Record<string, unknown>>(statements);
  return new Map(
    answers
      .flatMap(({ results }) => results)
      .map(({ text, cut_before, cut_after, ...row }) => {
        const whole = cut_before === 1 ? text.replace(/^\S{0,30}\s/u, "") : text;
        return [
          row.message_id,
          {
            ...row,
            text: (cut_after === 1 ? whole.replace(/\s\S{0,30}$/u, "") : whole).toWellFormed(),
            cut_before: cut_before === 1,
            cut_after: cut_after === 1,
          },
        ];
      }),
  );
}

/** Which of these places hold the record of a decision, as `chain seq` each. */
export async function decisionsAt(
  db: D1Database,
  organization: string,
  places: readonly { readonly chain: string; readonly seq: number }[],
): Promise<ReadonlySet<string>> {
  if (places.length === 0) return new Set();
  const { results } = await db
    .prepare(
      `SELECT r.chain, r.seq FROM json_each(?2) AS n
       CROSS JOIN records AS r ON r.organization_id = ?1 AND r.chain = n.value ->> 0 AND r.seq = n.value ->> 1
       WHERE +r.kind = 'decision'`,
    )
    .bind(organization, JSON.stringify(places.map(({ chain, seq }) => [chain, seq])))
    .all<{ chain: string; seq: number } & Record<string, unknown>>();
  return new Set(results.map(({ chain, seq }) => `${chain} ${seq}`));
}
