/** A row that came with an entry, as its object queued it for D1. */
export type PublishedRow = { readonly op: string } & Readonly<
  Record<string, string | number | null | undefined | object>
>;

/** A member of the row as SQLite takes it: lists and objects as JSON, what is not there as `null`. */
export function columnOf(row: PublishedRow, name: string): string | number | null {
  const found = row[name];
  if (found === undefined || found === null) return null;
  return typeof found === "object" ? JSON.stringify(found) : found;
}

/**
 * The statement that keeps a row under its key, once per change: an older state that arrives late changes nothing.
 * @param key columns after the organization's that name the row
 * @param columns the others; each is written by every change
 * @param written SQL of a column's value, where it is not what the row brings. `?1` is the organization
 */
export function keepStatement(
  db: D1Database,
  organization: string,
  table: string,
  key: readonly string[],
  columns: readonly string[],
  row: PublishedRow,
  written: (column: string, placeholder: (column: string) => string) => string = (column, placeholder) =>
    placeholder(column),
): D1PreparedStatement {
  const named = [...key, ...columns, "changed_seq"];
  const placeholder = (column: string): string => `?${named.indexOf(column) + 2}`;
  const set = [...columns, "changed_seq"].map((column) => `${column} = excluded.${column}`).join(", ");
  return db
    .prepare(
      `INSERT INTO ${table} (organization_id, ${named.join(", ")}) VALUES (?1, ${named.map((column) => written(column, placeholder)).join(", ")})
       ON CONFLICT (organization_id, ${key.join(", ")}) DO UPDATE SET ${set}
       WHERE excluded.changed_seq > ${table}.changed_seq`,
    )
    .bind(organization, ...named.map((column) => columnOf(row, column)));
}
