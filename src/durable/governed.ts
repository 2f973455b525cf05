/**
 * What D1 must hold of what an organization's object has on record: its members, keys, settings, oaths and the rest, row
 * by row, as they were queued for D1. Whoever compares the copy asks here, and whoever restores it takes it from here.
 */
import type { Tables } from "./storage.ts";

/** The tables of D1 that the organization's object is the truth of. */
export const GOVERNED = [
  "organizations",
  "members",
  "agents",
  "api_keys",
  "oath_versions",
  "channels",
  "passkeys",
  "signing_keys",
  "anchors",
  "sign_in_links",
  "member_sessions",
] as const;
export type GovernedTable = (typeof GOVERNED)[number];

type Value = string | number | null | object;

/** A row as it is queued for D1; `null` in a member that this object never kept. */
export interface GovernedRow {
  readonly id: string;
  readonly row: Readonly<Record<string, Value>> & { readonly op: string };
  /** A change of it is still on its way to D1. */
  readonly pending: boolean;
}

export interface GovernedPage {
  readonly rows: readonly GovernedRow[];
  /** Rows after this id are another page's; `null` at the end. */
  readonly next: string | null;
  /** Of the chain, when this was read. */
  readonly head: number;
  /** Since when credentials of members are kept here, epoch milliseconds; older ones are not known to this object. */
  readonly since: number;
}

/** Bounds of one answer. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 1_000_000;
/** More that D1 does not have yet is not looked through: then every row may be on its way. */
const MAX_UNDELIVERED = 2_000;

const VERSION_DIGITS = 10;
const PURGED = "purged_before";
const SINCE = "credentials_since";

/** Where rows of a table stand in the registry, and how they are named on their way to D1. */
const SOURCES: Readonly<Record<GovernedTable, { kind: string; op: string; key: string }>> = {
  organizations: { kind: "organization", op: "organization", key: "" },
  members: { kind: "member", op: "member", key: "member_id" },
  agents: { kind: "agent", op: "agent", key: "agent_id" },
  api_keys: { kind: "key", op: "key", key: "key_id" },
  oath_versions: { kind: "oath", op: "oath", key: "" },
  channels: { kind: "channel", op: "channel", key: "channel_id" },
  passkeys: { kind: "passkey", op: "passkey", key: "credential_id" },
  signing_keys: { kind: "signing_key", op: "signing_key", key: "key_id" },
  anchors: { kind: "anchor", op: "anchor", key: "reference" },
  sign_in_links: { kind: "sign_in_link", op: "sign_in_link", key: "link_id" },
  member_sessions: { kind: "member_session", op: "member_session", key: "member_session_id" },
};

/** How a version of an oath is named among the rows: in the order of its number. */
export function oathRowId(oath: string, version: number): string {
  return `${oath}/${String(version).padStart(VERSION_DIGITS, "0")}`;
}

interface Kept {
  readonly [column: string]: SqlStorageValue;
  readonly id: string;
  readonly value: string;
}

export class Governed {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Rows of a table after the one of this id, in the order of their ids' bytes. */
  page(table: GovernedTable, after: string | null, head: number, delivered: number): GovernedPage {
    const all = table === "oath_versions" ? this.#oaths(after) : this.#kept(table, after);
    return this.#answer(table, all, head, delivered, MAX_ROWS);
  }

  /** The rows of these ids, as far as there are any. */
  rows(table: GovernedTable, ids: readonly string[], head: number, delivered: number): GovernedPage {
    const found = function* (this: Governed): Generator<Kept> {
      for (const id of ids) {
        if (table === "oath_versions") yield* this.#oath(id);
        else yield* this.#one(table, id);
      }
    };
    return this.#answer(table, found.call(this), head, delivered, ids.length);
  }

  /** Since when private text is kept. An organization whose purges were never counted has them looked up, once. */
  purgedBefore(): number {
    const known = this.#tables.getText(PURGED);
    if (known !== null) return Number(known);
    const { before } = this.#tables.sql
      .exec<{ before: number | null }>(
        "SELECT max(body ->> 'before') AS before FROM entries WHERE entry ->> 'kind' = 'purge'",
      )
      .one();
    this.#tables.setText(PURGED, String(before ?? 0));
    return before ?? 0;
  }

  /** Keeps that what is older is purged. */
  purge(before: number): void {
    this.#tables.setText(PURGED, String(Math.max(before, this.purgedBefore())));
  }

  /** When this object began to keep the credentials of members: those that are older are none of its own. */
  since(now: number): number {
    const known = this.#tables.getNumber(SINCE);
    if (known > 0) return known;
    this.#tables.setNumber(SINCE, now);
    return now;
  }

  #answer(
    table: GovernedTable,
    all: Iterable<Kept>,
    head: number,
    delivered: number,
    limit: number,
  ): GovernedPage {
    const pending = this.#pending(delivered, head);
    const rows: GovernedRow[] = [];
    let characters = 0;
    let next: string | null = null;
    for (const { id, value } of all) {
      if (rows.length >= limit || characters >= MAX_CHARACTERS) {
        next = rows.at(-1)?.id ?? null;
        break;
      }
      const row = this.#rowOf(table, id, value);
      characters += value.length;
      rows.push({ id, row, pending: pending === null || pending.has(`${row.op} ${id}`) });
    }
    return { rows, next, head, since: this.#tables.getNumber(SINCE) };
  }

  #rowOf(table: GovernedTable, id: string, value: string): GovernedRow["row"] {
    const { op, key } = SOURCES[table];
    const kept = JSON.parse(value) as Record<string, Value>;
    switch (table) {
      case "organizations":
        return {
          op,
          ...kept,
          ...this.#toolTable(),
          policy_version: this.#tables.getNumber("policy_version"),
          purged_before: this.purgedBefore(),
        };
      case "oath_versions": {
        const { oath, version } = oathOfRow(id);
        return { op, oath, version, text: null, sworn_by: null, sworn_at: null, ...kept };
      }
      case "anchors":
        return { op, ...kept, reference: id };
      default:
        return { op, ...kept, [key]: id };
    }
  }

  #toolTable(): { tool_table: object; tool_table_version: number } {
    const [kept] = this.#query("SELECT id, value FROM registry WHERE kind = 'tool_table' AND id = ''");
    const { version, table } = (kept === undefined ? null : JSON.parse(kept.value)) ?? {
      version: 0,
      table: { tools: [] },
    };
    return { tool_table: table, tool_table_version: version };
  }

  *#kept(table: GovernedTable, after: string | null): Generator<Kept> {
    const { kind } = SOURCES[table];
    yield* this.#query(
      `SELECT id, value FROM registry WHERE kind = ?1 AND (?2 IS NULL OR id > ?2) ORDER BY id LIMIT ${MAX_ROWS + 1}`,
      kind,
      after,
    );
  }

  *#one(table: GovernedTable, id: string): Generator<Kept> {
    yield* this.#query("SELECT id, value FROM registry WHERE kind = ? AND id = ?", SOURCES[table].kind, id);
  }

  /** Every version that was sworn after this one: what is known of each, beginning with the first that is another's. */
  *#oaths(after: string | null): Generator<Kept> {
    const from = after === null ? { oath: "", version: 0 } : oathOfRow(after);
    const newest = this.#query(
      "SELECT id, value FROM registry WHERE kind = 'oath' AND id >= ? ORDER BY id",
      from.oath,
    );
    for (const { id: oath, value } of newest) {
      const first = oath === from.oath ? from.version + 1 : 1;
      for (let version = first; version <= Number(value); version += 1)
        yield this.#sworn(oathRowId(oath, version));
    }
  }

  *#oath(id: string): Generator<Kept> {
    const { oath, version } = oathOfRow(id);
    const [newest] = this.#query("SELECT id, value FROM registry WHERE kind = 'oath' AND id = ?", oath);
    if (newest !== undefined && version >= 1 && version <= Number(newest.value)) yield this.#sworn(id);
  }

  #sworn(id: string): Kept {
    const [kept] = this.#query("SELECT id, value FROM registry WHERE kind = 'sworn' AND id = ?", id);
    return { id, value: kept?.value ?? "{}" };
  }

  #query(statement: string, ...values: (string | null)[]): Kept[] {
    return this.#tables.sql.exec<Kept & Record<string, SqlStorageValue>>(statement, ...values).toArray();
  }

  /** Rows that D1 may not have as they stand, as `op id`; `null` where it may be any. */
  #pending(delivered: number, head: number): Set<string> | null {
    if (head - delivered > MAX_UNDELIVERED) return null;
    const pending = new Set<string>();
    const entries = this.#tables.sql.exec<{ publish: string }>(
      "SELECT publish FROM entries WHERE seq > ? AND publish IS NOT NULL",
      delivered,
    );
    for (const { publish } of entries)
      for (const row of JSON.parse(publish) as Record<string, string | number>[]) pending.add(nameOf(row));
    return pending;
  }
}

/** What a row that is on its way is about. */
function nameOf(row: Readonly<Record<string, string | number>>): string {
  const { op } = row;
  if (op === "purge") return "organization ";
  if (op === "oath") return `oath ${oathRowId(String(row["oath"]), Number(row["version"]))}`;
  const source = Object.values(SOURCES).find((one) => one.op === op);
  return `${op} ${source === undefined || source.key === "" ? "" : String(row[source.key])}`;
}

function oathOfRow(id: string): { oath: string; version: number } {
  const at = id.lastIndexOf("/");
  return { oath: id.slice(0, Math.max(at, 0)), version: Number(id.slice(at + 1)) };
}
