/** Columns of tables: names with spaces between. They are constants, so each is taken apart once. */

/** Tables have some hundreds; an organization's own rows may bring more in the life of an isolate. */
const MOST_KEPT = 2048;
const kept = new Map<string, readonly string[]>();

export function listOf(names: string | undefined): readonly string[] {
  if (names === undefined) return [];
  const known = kept.get(names);
  if (known !== undefined) return known;
  const list = names.split(" ");
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(names, list);
  return list;
}

/** What follows from one thing alone, such as a row of a table, worked out once for each. */
export function perRow<R extends object, T>(make: (row: R) => T): (row: R) => T {
  const made = new WeakMap<R, T>();
  return (row) => {
    const known = made.get(row);
    if (known !== undefined) return known;
    const fresh = make(row);
    made.set(row, fresh);
    return fresh;
  };
}
