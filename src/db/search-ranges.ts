/**
 * Row ids for what is searched by words. An FTS5 index knows neither organizations nor agents and reads the rows of all
 * that hold a word; a range of row ids is what it can be bounded by. So each scope has a range of its own.
 */

/** Rows of one scope: 2^29. With it a row id stays an exact number for 16 million scopes. */
const SPAN = 536_870_912;

/** The first row id of a scope, as SQL over `search_scopes`. @param where SQL that names the scope's row */
function base(where: string): string {
  return `(SELECT number * ${SPAN} FROM search_scopes WHERE ${where})`;
}

/** SQL that is true for row ids of a scope. Binds nothing that `where` does not. */
export function inScope(id: string, where: string): string {
  return `${id} BETWEEN ${base(where)} AND ${base(where)} + ${SPAN - 1}`;
}

/** The row id after the newest of a scope, as SQL. */
export function nextId(table: string, id: string, where: string): string {
  return `coalesce((SELECT max(${id}) FROM ${table} WHERE ${inScope(id, where)}), ${base(where)}) + 1`;
}

/** Makes a scope where there is none. */
export function scopeStatement(db: D1Database, organization: string, scope: string): D1PreparedStatement {
  return db
    .prepare("INSERT INTO search_scopes (organization_id, scope) VALUES (?, ?) ON CONFLICT DO NOTHING")
    .bind(organization, scope);
}
