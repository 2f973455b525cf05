/**
 * D1 with a bound on every answer. A database that is away rejects, or says nothing at all; either way whoever asked
 * hears of it soon, by one class of error, whatever function of this room they called.
 */
import { within } from "../within.ts";

/** A query or a batch that has not answered after this long is given up on; its effect may still come. */
export const DATABASE_TIMEOUT_MS = 5_000;

/** The database could not be reached, or did not answer in time. `cause` is for the log alone. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("the database cannot be reached", { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** What SQLite or D1 says of a statement that is wrong in itself: asked again, it fails again. */
const OWN_FAULT = /SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|MISUSE)|D1_TYPE_ERROR/;

/** True for an error that came of a database that is away, however deep in its causes. */
export function isDatabaseAway(error: unknown): boolean {
  let one: unknown = error;
  for (let depth = 0; depth < 8 && one instanceof Error; depth += 1) {
    if (one instanceof DatabaseUnavailable) return true;
    one = one.cause;
  }
  return false;
}

const bounded = new WeakMap<D1Database, D1Database>();

/** The same database, each of whose answers comes within {@link DATABASE_TIMEOUT_MS} or rejects. */
export function boundedDatabase(db: D1Database): D1Database {
  let made = bounded.get(db);
  if (made === undefined) {
    made = new BoundedDatabase(db);
    bounded.set(db, made);
  }
  return made;
}

async function answerOf<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await within(DATABASE_TIMEOUT_MS, ask());
  } catch (error) {
    throw told(error);
  }
}

function told(error: unknown): unknown {
  return error instanceof Error && OWN_FAULT.test(error.message) ? error : new DatabaseUnavailable(error);
}

class BoundedDatabase implements D1Database {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  prepare(query: string): D1PreparedStatement {
    try {
      return new BoundedStatement(this.#db.prepare(query));
    } catch (error) {
      throw told(error);
    }
  }

  batch<T = unknown>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    return answerOf(() => this.#db.batch<T>(statements.map(innerOf)));
  }

  exec(query: string): Promise<D1ExecResult> {
    return answerOf(() => this.#db.exec(query));
  }

  /** Not bounded: nothing here asks within a session of D1's. */
  withSession(at?: D1SessionBookmark | D1SessionConstraint): D1DatabaseSession {
    return this.#db.withSession(at);
  }

  dump(): Promise<ArrayBuffer> {
    return answerOf(() => this.#db.dump());
  }
}

class BoundedStatement implements D1PreparedStatement {
  readonly inner: D1PreparedStatement;

  constructor(inner: D1PreparedStatement) {
    this.inner = inner;
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new BoundedStatement(this.inner.bind(...values));
  }

  first<T = unknown>(column?: string): Promise<T | null> {
    return answerOf(() => (column === undefined ? this.inner.first<T>() : this.inner.first<T>(column)));
  }

  run<T = Record<string, unknown>>(): Promise<D1Result<T>> {
    return answerOf(() => this.inner.run<T>());
  }

  all<T = Record<string, unknown>>(): Promise<D1Result<T>> {
    return answerOf(() => this.inner.all<T>());
  }

  raw<T = unknown[]>(options: { columnNames: true }): Promise<[string[], ...T[]]>;
  raw<T = unknown[]>(options?: { columnNames?: false }): Promise<T[]>;
  raw(options?: { columnNames?: boolean }): Promise<unknown[]> {
    return answerOf<unknown[]>(() => this.inner.raw(options as { columnNames?: false }));
  }
}

function innerOf(statement: D1PreparedStatement): D1PreparedStatement {
  return statement instanceof BoundedStatement ? statement.inner : statement;
}
