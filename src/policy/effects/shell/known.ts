/**
 * What a shell knows by name: variables, functions. Every change makes another version, so that any point of a script can
 * be gone back to. A bound on the names makes a version cheap; that a version knows what it was made from makes
 * it cheap to say where two of them differ.
 */

/** Names that one script may give to variables, or to functions. Ordinary commands give a handful. */
export const MOST_NAMES = 64;

/** Where a version comes from. It holds no values, so that a long line of versions is cheap to keep. */
interface Line {
  readonly from: Line | null;
  /** The names in which this version differs from what it was made from. */
  readonly changed: readonly string[];
  /** How many versions came before it. */
  readonly age: number;
}

/** What holds for all versions of one kind of names. */
interface Kind<T> {
  /** The value of a name that may have been given any. */
  readonly unsure: T;
  /** How many names are kept. */
  readonly most: number;
}

export class Known<T> {
  readonly #kind: Kind<T>;
  /** `null` once there were more names than are kept: then any name may have been given a value. */
  readonly #entries: ReadonlyMap<string, T> | null;
  readonly #line: Line;

  private constructor(
    kind: Kind<T>,
    entries: ReadonlyMap<string, T> | null,
    from: Line | null,
    changed: readonly string[],
  ) {
    this.#kind = kind;
    this.#entries = entries;
    this.#line = { from, changed, age: from === null ? 0 : from.age + 1 };
  }

  /** @param unsure the value of a name that may have been given any. */
  static of<T>(entries: ReadonlyMap<string, T>, unsure: T): Known<T> {
    // What is there from the start takes nobody's place.
    return new Known({ unsure, most: MOST_NAMES + entries.size }, entries, null, []);
  }

  /** Knows no name any more. */
  lost(): Known<T> {
    return this.isLost ? this : new Known(this.#kind, null, null, []);
  }

  get isLost(): boolean {
    return this.#entries === null;
  }

  get size(): number {
    return this.#entries?.size ?? Number.POSITIVE_INFINITY;
  }

  get(name: string): T | undefined {
    return this.#entries === null ? this.#kind.unsure : this.#entries.get(name);
  }

  has(name: string): boolean {
    return this.#entries?.has(name) ?? true;
  }

  keys(): Iterable<string> {
    return this.#entries?.keys() ?? [];
  }

  values(): Iterable<T> {
    return this.#entries?.values() ?? [];
  }

  with(name: string, value: T): Known<T> {
    if (this.#entries === null) return this;
    return this.#next(new Map(this.#entries).set(name, value), [name]);
  }

  without(names: readonly string[]): Known<T> {
    if (this.#entries === null) return this;
    const entries = new Map(this.#entries);
    const changed = names.filter((name) => entries.delete(name));
    return this.#next(entries, changed);
  }

  /** With what an earlier version knew of these names. */
  restored(names: Iterable<string>, before: Known<T>): Known<T> {
    if (this.#entries === null) return this;
    const entries = new Map(this.#entries);
    const changed = [...names];
    for (const name of changed) {
      const value = before.get(name);
      if (value === undefined) entries.delete(name);
      else entries.set(name, value);
    }
    return this.#next(entries, changed);
  }

  /** What both know. Where they do not agree by `same`, or only one of them knows the name, its value is unsure. */
  joined(other: Known<T>, same: (a: T, b: T) => boolean): Known<T> {
    if (this === other) return this;
    if (this.#entries === null || other.#entries === null) return this.lost();
    const { unsure } = this.#kind;
    const changed: string[] = [];
    for (const name of this.#differing(other)) {
      const [a, b] = [this.#entries.get(name), other.#entries.get(name)];
      const agree = a === b || (a !== undefined && b !== undefined && same(a, b));
      if (!agree && a !== unsure) changed.push(name);
    }
    if (changed.length === 0) return this;
    const entries = new Map(this.#entries);
    for (const name of changed) entries.set(name, unsure);
    return this.#next(entries, changed);
  }

  isSame(other: Known<T>, same: (a: T, b: T) => boolean): boolean {
    if (this === other) return true;
    if (this.#entries === null || other.#entries === null) return this.isLost && other.isLost;
    for (const name of this.#differing(other)) {
      const [a, b] = [this.#entries.get(name), other.#entries.get(name)];
      if (a !== b && (a === undefined || b === undefined || !same(a, b))) return false;
    }
    return true;
  }

  #next(entries: ReadonlyMap<string, T>, changed: readonly string[]): Known<T> {
    if (changed.length === 0) return this;
    if (entries.size > this.#kind.most) return this.lost();
    return new Known(this.#kind, entries, this.#line, changed);
  }

  /** Names that may differ: those that changed since both were one, or all where that is too long ago. */
  #differing(other: Known<T>): Iterable<string> {
    const names = new Set<string>();
    let a: Line | null = this.#line;
    let b: Line | null = other.#line;
    for (let steps = this.size + other.size; a !== b && a !== null && b !== null && steps > 0; steps--) {
      const younger: Line = a.age > b.age ? a : b;
      for (const name of younger.changed) names.add(name);
      if (younger === a) a = a.from;
      else b = b.from;
    }
    return a === b ? names : new Set([...this.keys(), ...other.keys()]);
  }
}

/** Names without values; more of them than are kept are any name. */
export class Names {
  static readonly none = new Names(new Set());
  static readonly any = new Names(null);

  /** `null` for any name. */
  readonly #names: ReadonlySet<string> | null;

  private constructor(names: ReadonlySet<string> | null) {
    this.#names = names;
  }

  static of(names: Iterable<string>): Names {
    return new Names(new Set(names));
  }

  get isAny(): boolean {
    return this.#names === null;
  }

  get size(): number {
    return this.#names?.size ?? Number.POSITIVE_INFINITY;
  }

  has(name: string): boolean {
    return this.#names?.has(name) ?? true;
  }

  /** Those that are known; none for any name. */
  [Symbol.iterator](): Iterator<string> {
    return (this.#names ?? new Set<string>()).values();
  }

  with(name: string): Names {
    if (this.#names === null || this.#names.has(name)) return this;
    return this.#names.size >= MOST_NAMES ? Names.any : new Names(new Set(this.#names).add(name));
  }

  joined(other: Names): Names {
    if (this === other) return this;
    if (this.#names === null || other.#names === null) return Names.any;
    return new Names(new Set([...this.#names, ...other.#names]));
  }
}
