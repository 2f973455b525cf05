/**
 * What D1 holds of what governs, row by row, to be held against what the organization's object has on record, and to be
 * put right. Approvals are read the same way, against their families' objects.
 */
import { APPROVAL_COLUMNS } from "./approvals.ts";
import { columnOf, type PublishedRow } from "./published.ts";

interface Shape {
  /** Columns after the organization's that name a row. */
  readonly key: readonly string[];
  /** Columns that the object's row has, too; each is compared. */
  readonly columns: readonly string[];
  /** Whether a row says which change wrote it. */
  readonly counted: boolean;
  /** Rows of one page. */
  readonly limit: number;
}

const CREDENTIAL = ["member_id", "secret_hash", "created_at", "expires_at"];

const SHAPES = {
  organizations: shape(
    [],
    ["name", "policy_version", "settings", "created_at", "tool_table", "tool_table_version", "purged_before"],
  ),
  members: shape(["member_id"], ["name", "role", "created_at", "removed_at"]),
  agents: shape(["agent_id"], ["name", "settings", "created_at"]),
  api_keys: shape(["key_id"], ["agent_id", "name", "scopes", "secret_hash", "created_at", "revoked_at"]),
  oath_versions: shape(["oath", "version"], ["text", "sworn_by", "sworn_at"], false, 20),
  channels: shape(
    ["channel_id"],
    ["member_id", "kind", "name", "events", "target", "shown", "created_at", "removed_at"],
  ),
  passkeys: shape(
    ["credential_id"],
    ["member_id", "name", "public_key", "transports", "created_at", "removed_at"],
  ),
  signing_keys: shape(["key_id"], ["vkey", "sealed", "valid_from", "valid_until"]),
  anchors: shape(
    ["reference"],
    ["anchor_id", "digest", "private", "size", "published_at", "created_by", "created_at"],
  ),
  sign_in_links: shape(["link_id"], CREDENTIAL, false),
  member_sessions: shape(["member_session_id"], [...CREDENTIAL, "ended_at"], false),
  approvals: shape(["approval_id"], APPROVAL_COLUMNS),
} as const satisfies Record<string, Shape>;

export type ComparedTable = keyof typeof SHAPES;

const VERSION_DIGITS = 10;

function shape(key: readonly string[], columns: readonly string[], counted = true, limit = 200): Shape {
  return { key, columns, counted, limit };
}

/** A row by its id, with the columns that are compared. */
export interface FoundRow {
  readonly id: string;
  readonly values: Readonly<Record<string, string | number | null>>;
  /** Of the change that wrote it; 0 where the table does not say. */
  readonly changed_seq: number;
}

/** The columns of a table that are compared. */
export function comparedColumns(table: ComparedTable): readonly string[] {
  return SHAPES[table].columns;
}

/**
 * A page of a table in the order of its key's bytes.
 * @param now credentials that have run out by then are left out: nobody comes in by them
 */
export async function listCompared(
  db: D1Database,
  organization: string,
  table: ComparedTable,
  after: string | null,
  now: number,
): Promise<{ readonly rows: FoundRow[]; readonly full: boolean }> {
  const { key, limit }: Shape = SHAPES[table];
  const from = after === null || key.length === 0 ? [] : keyOf(table, after);
  if (after !== null && key.length === 0) return { rows: [], full: false };
  const beyond = from.length === 0 ? "" : `AND (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  const order = key.length === 0 ? "" : `ORDER BY ${key.join(", ")}`;
  const { results } = await db
    .prepare(
      `SELECT ${selected(table)} FROM ${table} WHERE organization_id = ? ${beyond} ${live(table)} ${order} LIMIT ${limit}`,
    )
    .bind(organization, ...from, ...(live(table) === "" ? [] : [now]))
    .all<Record<string, string | number | null>>();
  return { rows: results.map((row) => foundOf(table, row)), full: results.length === limit };
}

/** The rows of these ids, as far as there are any. */
export async function readCompared(
  db: D1Database,
  organization: string,
  table: ComparedTable,
  ids: readonly string[],
  now: number,
): Promise<Map<string, FoundRow>> {
  const { key }: Shape = SHAPES[table];
  const keys = ids.map((id) => keyOf(table, id));
  const where =
    key.length === 0
      ? ""
      : `AND (${key.join(", ")}) IN (SELECT ${key.map((_, i) => `value ->> ${i}`).join(", ")} FROM json_each(?))`;
  const { results } = await db
    .prepare(`SELECT ${selected(table)} FROM ${table} WHERE organization_id = ? ${where} ${live(table)}`)
    .bind(
      organization,
      ...(key.length === 0 ? [] : [JSON.stringify(keys)]),
      ...(live(table) === "" ? [] : [now]),
    )
    .all<Record<string, string | number | null>>();
  return new Map(results.map((row) => [String(foundOf(table, row).id), foundOf(table, row)]));
}

/** A column of an object's row as D1 takes it. */
export function expectedValue(
  table: ComparedTable,
  row: Readonly<Record<string, unknown>>,
  column: string,
): string | number | null {
  // Beside a session that goes on, when it ended says nothing.
  if (table === "member_sessions" && column === "ended_at") return row["ended"] === true ? 1 : null;
  return columnOf(row as PublishedRow, table === "anchors" && column === "next_at" ? "created_at" : column);
}

/** Whether the object's row says what stands in a column: an older one may not have kept it. */
export function isKnown(row: Readonly<Record<string, unknown>>, column: string): boolean {
  return row[column] !== undefined || column === "ended_at";
}

/**
 * Writes a row as its object has it, in place of the one that was found, or takes away one that nobody put on record.
 * Whatever was written since it was found is left alone.
 * @param row the object's; `null` for none
 * @param found D1's; `null` for none
 * @param changedSeq of the object's chain when the row was read: what changes later comes after it
 */
export async function putRight(
  db: D1Database,
  organization: string,
  table: ComparedTable,
  id: string,
  row: Readonly<Record<string, unknown>> | null,
  found: FoundRow | null,
  changedSeq: number,
): Promise<boolean> {
  const { key, columns, counted }: Shape = SHAPES[table];
  const keys = keyOf(table, id);
  const named = key.map((column) => ` AND ${column} = ?`).join("");
  const isAsFound = counted ? " AND changed_seq = ?" : "";
  const as = counted ? [found?.changed_seq ?? 0] : [];
  let statement: D1PreparedStatement;
  if (row === null)
    statement = db
      .prepare(`DELETE FROM ${table} WHERE organization_id = ?${named}${isAsFound}`)
      .bind(organization, ...keys, ...as);
  else {
    // What was never kept cannot be put back.
    if (!columns.every((column) => isKnown(row, column))) return false;
    const written = [...columns.filter((column) => column !== "ended_at"), ...(MORE[table] ?? [])];
    const values = written.map((column) => expectedValue(table, row, column));
    const set = counted ? [...written, "changed_seq"] : written;
    const all = counted ? [...values, changedSeq] : values;
    statement =
      found === null
        ? db
            .prepare(
              `INSERT INTO ${table} (${["organization_id", ...key, ...set].join(", ")})
               VALUES (${[organization, ...keys, ...all].map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
            )
            .bind(organization, ...keys, ...all)
        : db
            .prepare(
              `UPDATE ${table} SET ${set.map((column) => `${column} = ?`).join(", ")}
               WHERE organization_id = ?${named}${isAsFound}`,
            )
            .bind(...all, organization, ...keys, ...as);
  }
  const { meta } = await statement.run();
  return meta.changes > 0;
}

/** Columns that are set where a row is written anew: what was stamped is due to be stamped once more. */
const MORE: Partial<Record<ComparedTable, readonly string[]>> = { anchors: ["next_at"] };

/** What the record says of a version of an oath whose text the object does not keep. */
export async function readSworn(
  db: D1Database,
  organization: string,
  oath: string,
  version: number,
): Promise<{ readonly at: number; readonly body: string; readonly private: string | null } | null> {
  return db
    .prepare(
      `SELECT at, body, private FROM records WHERE organization_id = ? AND kind = 'oath_sworn'
         AND chain = 'organization' AND body ->> 'oath' = ? AND body ->> 'version' = ? LIMIT 1`,
    )
    .bind(organization, oath, version)
    .first();
}

function selected(table: ComparedTable): string {
  const { key, columns, counted }: Shape = SHAPES[table];
  return [...key, ...columns, counted ? "changed_seq" : "0 AS changed_seq"].join(", ");
}

function live(table: ComparedTable): string {
  return table === "sign_in_links" || table === "member_sessions" ? "AND expires_at > ?" : "";
}

function foundOf(table: ComparedTable, row: Readonly<Record<string, string | number | null>>): FoundRow {
  const { key, columns }: Shape = SHAPES[table];
  const parts = key.map((column) => String(row[column] ?? ""));
  const id =
    table === "oath_versions"
      ? `${parts[0]}/${(parts[1] ?? "").padStart(VERSION_DIGITS, "0")}`
      : (parts[0] ?? "");
  return {
    id,
    values: Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
    changed_seq: Number(row["changed_seq"] ?? 0),
  };
}

function keyOf(table: ComparedTable, id: string): (string | number)[] {
  if (table === "organizations") return [];
  if (table !== "oath_versions") return [id];
  const at = id.lastIndexOf("/");
  return [id.slice(0, at), Number(id.slice(at + 1))];
}
