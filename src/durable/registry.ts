/** Where an organization's object keeps what governs: values by kind and id. */
import type { Tables } from "./storage.ts";

export class Registry {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  get<T>(kind: string, id: string): T | null {
    if (!this.#tables.exist) return null;
    const row = this.#tables.sql
      .exec<{ value: string }>("SELECT value FROM registry WHERE kind = ? AND id = ?", kind, id)
      .toArray()[0];
    return row === undefined ? null : (JSON.parse(row.value) as T);
  }

  all<T>(kind: string): T[] {
    return this.#tables.sql
      .exec<{ value: string }>("SELECT value FROM registry WHERE kind = ?", kind)
      .toArray()
      .map((row) => JSON.parse(row.value) as T);
  }

  count(kind: string): number {
    return this.#tables.sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM registry WHERE kind = ?", kind)
      .one().n;
  }

  put(kind: string, id: string, value: unknown): void {
    this.#tables.sql.exec(
      "INSERT INTO registry (kind, id, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      kind,
      id,
      JSON.stringify(value),
    );
  }

  /** Drops values of a kind that were good until then, epoch milliseconds, or earlier. */
  dropExpired(kind: string, until: number): void {
    this.#tables.sql.exec("DELETE FROM registry WHERE kind = ? AND value ->> 'expires_at' <= ?", kind, until);
  }
}
