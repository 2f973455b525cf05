/** Hermes' memory: entries joined by `\n§\n`, and the operations on them, replayed in the order of the call. */
import type { JsonObject, JsonValue } from "../types.ts";
import { exactPlaces, foldedPlaces, newEffort, placesOf, replacedWithin, spend } from "./fragment.ts";
import { alsoHeld } from "./held.ts";
import type { Origin } from "./write.ts";

export interface Operation {
  readonly action: string;
  /** `content`, or its alias `new_text`. */
  readonly content: string | null;
  readonly old: string | null;
  /** What else it holds that may be kept. */
  readonly others: readonly string[];
}

export type DecodedOperations =
  | { readonly ok: true; readonly operations: readonly Operation[] }
  | { readonly ok: false; readonly detail: string };

const MAX_OPERATIONS = 1000;

/**
 * The operations of a call, decoded as Hermes decodes them before it runs the tool: `operations` as JSON text, as one
 * object, as texts of objects. An empty list runs the flat fields. Total.
 */
export function decodeOperations(args: JsonObject): DecodedOperations {
  const given = args["operations"];
  let list: JsonValue | undefined = given;
  if (typeof given === "string") {
    const text = given.trim();
    if (text === "") list = [];
    else {
      const value = json(text);
      if (value === undefined) return { ok: false, detail: "operations is not JSON" };
      list = value;
    }
  }
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0))
    return decodeAll([args]);
  if (!Array.isArray(list)) list = [list];
  if (list.length > MAX_OPERATIONS) return { ok: false, detail: "there are too many operations" };
  return decodeAll(list);
}

function decodeAll(list: readonly JsonValue[]): DecodedOperations {
  const operations: Operation[] = [];
  for (const item of list) {
    const value = typeof item === "string" ? json(item) : item;
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { ok: false, detail: "an operation is not an object" };
    for (const key of ["action", "content", "new_text", "old_text"]) {
      const field = value[key];
      if (field !== undefined && field !== null && typeof field !== "string")
        return { ok: false, detail: `${key} is not a text` };
    }
    const text = (key: string): string | null => (typeof value[key] === "string" ? value[key] : null);
    const content = text("content") ?? text("new_text");
    operations.push({
      action: (text("action") ?? "").trim().toLowerCase(),
      content,
      old: text("old_text"),
      others: alsoHeld(value, content === null ? [] : [content]),
    });
  }
  return { ok: true, operations };
}

function json(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const DELIMITER = /\n\u00a7\n/;

interface Entry {
  text: string;
  /** What stood there before the call, if anything did. */
  readonly was: string | null;
  /** Written by this call. */
  isNew: boolean;
  isGone: boolean;
}

export interface MemoryWrite {
  readonly pieces: readonly string[];
  readonly base: readonly string[];
  readonly origins: readonly Origin[];
  readonly isPartial: boolean;
}

/**
 * What stands in the memory after the call and did not before. A `replace` overwrites the whole entry, a `patch` the
 * fragment in it; the entry is the one that equals the text sought, else the only one that holds it. Where none is, the
 * text that the operation brings is all there is to check. `null` when they are too many to replay.
 */
export function memoryWrite(operations: readonly Operation[], stored: string | null): MemoryWrite | null {
  const before = stored === null || stored.trim() === "" ? [] : stored.split(DELIMITER);
  const entries = new Entries(before);
  const loose: string[] = [];
  /** What was taken out: an entry that is merged with another one goes on in that one. */
  const removed: string[] = [];
  let edits = false;
  let isPartial = false;
  for (const { action, content, old, others } of operations) {
    if (action === "remove" || action === "delete") {
      const found = old === null ? null : entries.find(old);
      if (found === null) continue;
      found.isGone = true;
      edits = true;
      if (found.was !== null) removed.push(found.was);
      continue;
    }
    loose.push(...others);
    if (content === null) continue;
    if ((action === "replace" || action === "patch") && old !== null && old.trim() !== "") {
      edits = true;
      const found = entries.find(old);
      if (found === null) {
        // Nothing is lost by reading what cannot be placed on its own.
        loose.push(content);
        isPartial = true;
      } else entries.write(found, action === "replace" ? content : entries.patched(found.text, old, content));
    } else entries.add(content);
  }
  if (entries.isSpent) return null;
  const written = entries.written();
  // What is only added edits nothing: then stored sentences are written again.
  const base = edits ? before : [];
  const origin = (quoted: readonly string[]): Origin => ({ known: base, quoted });
  return {
    pieces: [...written.map(({ text }) => text), ...loose],
    base,
    origins: [
      ...written.map(({ was }) => origin(was === null ? [] : [was, ...removed])),
      ...loose.map(() => origin([])),
    ],
    isPartial,
  };
}

/** The entries of a memory, found by their text without walking them all for each operation. */
class Entries {
  readonly #list: Entry[];
  readonly #effort = newEffort();
  /** By the text, and by the text without the white space around it where that is another one. */
  #index: Map<string, Entry[]> | null = null;

  constructor(texts: readonly string[]) {
    this.#list = texts.map((text) => ({ text, was: text, isNew: false, isGone: false }));
  }

  add(text: string): void {
    const entry: Entry = { text, was: null, isNew: true, isGone: false };
    this.#list.push(entry);
    if (this.#index !== null) put(this.#index, entry);
  }

  write(entry: Entry, text: string): void {
    entry.text = text;
    entry.isNew = true;
    if (this.#index !== null) put(this.#index, entry);
  }

  /** Some text was not looked for everywhere, so nobody knows what results. */
  get isSpent(): boolean {
    return this.#effort.isSpent === true;
  }

  written(): Entry[] {
    return this.#list.filter(({ isNew, isGone }) => isNew && !isGone);
  }

  /** The entry that equals a text, else the only one that holds it. */
  find(wanted: string): Entry | null {
    const plain = wanted.trim();
    const isThere = (entry: Entry): boolean => !entry.isGone && entry.text.trim() === plain;
    this.#index ??= indexed(this.#list);
    // What was overwritten or taken out since is still listed; there are no more of those than operations.
    return (
      this.#index.get(wanted)?.find((entry) => isThere(entry) && entry.text === wanted) ??
      this.#index.get(plain)?.find(isThere) ??
      this.#holding((text) => exactPlaces(text, wanted, this.#effort)) ??
      this.#holding((text) => foldedPlaces(text, wanted, this.#effort))
    );
  }

  #holding(places: (text: string) => readonly unknown[]): Entry | null {
    if (!spend(this.#effort, this.#list.length)) return null;
    let found: Entry | null = null;
    for (const entry of this.#list) {
      if (entry.isGone || places(entry.text).length === 0) continue;
      if (found !== null) return null;
      found = entry;
    }
    return found;
  }

  patched(text: string, old: string, content: string): string {
    const places = placesOf(text, old, this.#effort);
    return places.length === 0 ? content : replacedWithin(text, places, content);
  }
}

function indexed(entries: readonly Entry[]): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const entry of entries) put(index, entry);
  return index;
}

function put(index: Map<string, Entry[]>, entry: Entry): void {
  const plain = entry.text.trim();
  for (const key of plain === entry.text ? [plain] : [plain, entry.text]) {
    const known = index.get(key);
    if (known === undefined) index.set(key, [entry]);
    else known.push(entry);
  }
}
