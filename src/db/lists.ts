/** As few statements as the size of a parameter allows: many rows in one JSON list, a large one by itself. */

/** D1 takes 2,000,000 bytes in one parameter, in UTF-8 and with everything that JSON escapes: half of that leaves room. */
const MAX_PARAMETER_BYTES = 1_000_000;
/** A row above this is bound column by column, so that nothing of it is escaped and it takes no other's room. */
const MAX_SHARED_BYTES = 500_000;

/**
 * Statements for rows, in their order.
 * @param list of rows that share a parameter, as JSON text
 * @param alone of a row that is too large to share one
 */
export function inLists<Row>(
  rows: readonly Row[],
  list: (json: string) => readonly D1PreparedStatement[],
  alone: (row: Row) => readonly D1PreparedStatement[],
): D1PreparedStatement[] {
  const statements: D1PreparedStatement[] = [];
  let texts: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (texts.length > 0) statements.push(...list(`[${texts.join(",")}]`));
    texts = [];
    size = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    const bytes = new TextEncoder().encode(text).byteLength + 1;
    if (bytes > MAX_SHARED_BYTES) {
      flush();
      statements.push(...alone(row));
      continue;
    }
    if (size + bytes > MAX_PARAMETER_BYTES) flush();
    texts.push(text);
    size += bytes;
  }
  flush();
  return statements;
}
