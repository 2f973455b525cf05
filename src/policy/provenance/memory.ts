/** Hermes' memory: entries joined by `\n§\n`, and the operations on them, replayed in the order of the call. */
import type { JsonObject, JsonValue } from "../types.ts";
import { type Effort, newEffort, placesOf, replaced } from "./fragment.ts";

export interface Operation {
  readonly action: string;
  /** `content`, or its alias `new_text`. */
  readonly content: string | null;
  readonly old: string | null;
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
    operations.push({
      action: (text("action") ?? "").trim().toLowerCase(),
      content: text("content") ?? text("new_text"),
      old: text("old_text"),
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
  /** Written by this call. */
  isNew: boolean;
}

export interface MemoryWrite {
  readonly pieces: readonly string[];
  readonly base: readonly string[];
  readonly isPartial: boolean;
}

/**
 * What stands in the memory after the call and did not before. A `replace` overwrites the whole entry, a `patch` the
 * fragment in it; the entry is the one that equals the text sought, else the only one that holds it. Where none is, the
 * text that the operation brings is all there is to check.
 */
export function memoryWrite(operations: readonly Operation[], stored: string | null): MemoryWrite {
  const before = stored === null || stored.trim() === "" ? [] : stored.split(DELIMITER);
  const entries: Entry[] = before.map((text) => ({ text, isNew: false }));
  const loose: string[] = [];
  let edits = false;
  let isPartial = false;
  const effort = newEffort();
  for (const { action, content, old } of operations) {
    if (action === "remove" || action === "delete") {
      const found = old === null ? null : find(entries, old, effort);
      if (found !== null) entries.splice(entries.indexOf(found), 1);
      edits = true;
      continue;
    }
    if (content === null) continue;
    if ((action === "replace" || action === "patch") && old !== null && old.trim() !== "") {
      edits = true;
      const found = find(entries, old, effort);
      if (found === null) {
        // Nothing is lost by reading what cannot be placed on its own.
        loose.push(content);
        isPartial = true;
        continue;
      }
      found.text = action === "replace" ? content : patched(found.text, old, content, effort);
      found.isNew = true;
    } else entries.push({ text: content, isNew: true });
  }
  const pieces = [...entries.filter(({ isNew }) => isNew).map(({ text }) => text), ...loose];
  // What is only added edits nothing: then stored quotes are no evidence.
  return { pieces, base: edits ? before : [], isPartial };
}

function find(entries: readonly Entry[], wanted: string, effort: Effort): Entry | null {
  const exact =
    entries.find(({ text }) => text === wanted) ?? entries.find(({ text }) => text.trim() === wanted.trim());
  if (exact !== undefined) return exact;
  const holding = entries.filter(({ text }) => placesOf(text, wanted, effort).length > 0);
  return holding.length === 1 ? (holding[0] ?? null) : null;
}

function patched(text: string, old: string, content: string, effort: Effort): string {
  const places = placesOf(text, old, effort);
  return places.length === 0 ? content : replaced(text, places, content);
}
