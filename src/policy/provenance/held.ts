/**
 * What else the arguments of a write hold: a tool may take a text under any of several names, and which of two it keeps
 * nobody but the tool knows. So each is read, whichever was expected. Pure, total, linear.
 */
import type { JsonObject, JsonValue } from "../types.ts";
import { isObject, parsed } from "./arguments.ts";

/** Names of what is only looked for, in lower case and without what parts their words. */
const SOUGHT =
  /^(?:old|search|find|match|pattern|regex|needle|before|original|previous|target|anchor|context)/;
/** Names of what is kept. */
const KEPT =
  /(?:content|contents|text|texts|string|str|code|codeedit|body|value|values|fact|facts|note|notes|memory|memories|knowledgetostore|observation|observations|replacement|replacements|replace|repl|insert|append|lines?|markdown|patch|diff|newsource|data|entry|entries)$/;
/** Names of lists whose items are edits. */
const LISTS = /^(?:edits?|changes?|operations?|ops|replacements?|replacementchunks|chunks|hunks|files)$/;

/** Nobody nests edits deeper. */
const DEEPEST = 8;
const MOST = 2000;

/** Name of an argument without case and without what parts its words. */
const plainOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "");

/**
 * The texts under names of what is kept, at any depth, without those that are read already.
 * @param read texts that are checked anyway, or were taken apart
 */
export function alsoHeld(args: JsonObject, read: Iterable<string>): string[] {
  const known = new Set(read);
  const found: string[] = [];
  const take = (name: string, value: JsonValue | undefined, depth: number): void => {
    if (depth > DEEPEST || found.length >= MOST) return;
    if (typeof value === "string") {
      if (value.trim() === "" || known.has(value)) return;
      const list = LISTS.test(name) ? parsed(value) : null;
      if (typeof list === "object" && list !== null) take(name, list, depth + 1);
      else if (KEPT.test(name) || LISTS.test(name)) {
        known.add(value);
        found.push(value);
      }
    } else if (Array.isArray(value)) for (const one of value) take(name, one, depth + 1);
    else if (isObject(value))
      for (const [key, one] of Object.entries(value)) {
        const inner = plainOf(key);
        if (!SOUGHT.test(inner)) take(inner, one, depth + 1);
      }
  };
  take("", args, 0);
  return found;
}
