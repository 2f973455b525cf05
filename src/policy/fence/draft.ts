/**
 * A draft: what a model says that a person's words ask for and forbid. It authorises nothing. Whatever the words do not
 * support is removed by the same hardening that the offline reader's own findings go through; here it is only brought
 * into shape, row by row, with a reason for everything that is left out.
 *
 * One table of fields makes the type's reader, the JSON Schema for structured output and the words of the prompt.
 */
import { RISK_CLASSES } from "../types.ts";
import {
  type Dropped,
  FENCED_CLASSES,
  type FencedClass,
  type Permission,
  type Prohibition,
  TARGET_KINDS,
} from "./types.ts";

export type DraftPermission = Omit<Permission, "id" | "span">;
export type DraftProhibition = Omit<Prohibition, "id" | "span">;

export interface Draft {
  readonly permissions: readonly DraftPermission[];
  readonly prohibitions: readonly DraftProhibition[];
}

export type DraftCause =
  /** Drafts never name tools: what a tool does is read from the call, and authority comes from words alone. */
  | "tool-list"
  | "unknown-member"
  | "wrong-type"
  | "missing-member"
  /** A class that needs no permission (reads) or is never a task's to give. */
  | "class-not-fenced"
  | "unknown-class"
  | "too-long"
  | "too-many"
  | "out-of-range"
  | "not-the-users-words";

/** Something of an answer that was left out. */
export interface DraftDropped extends Dropped {
  readonly span: null;
  readonly cause: DraftCause;
  /** JSON pointer into the answer, e.g. `/permissions/3/risk`; bounded. */
  readonly where: string;
}

export type ReadDraft =
  | { readonly ok: true; readonly draft: Draft; readonly dropped: readonly DraftDropped[] }
  | { readonly ok: false; readonly cause: "not-an-object" | "no-rows" };

/** Rows of one kind. A task of one person names a handful. */
export const MAX_DRAFT_ROWS = 64;
const MAX_WORDS = 16;
const MAX_WORD_CHARACTERS = 40;
const MAX_TARGETS = 64;
const MAX_TARGET_CHARACTERS = 1_024;
const MAX_QUOTE_CHARACTERS = 2_000;
const MAX_RATIONALE_CHARACTERS = 200;
const MAX_LIMIT = 1_000;
/** Reasons that are kept; an answer that is nothing but faults is not worth more. */
export const MAX_DRAFT_DROPPED = 64;
/** Of a quote, where it is only shown. */
export const MAX_SHOWN_CHARACTERS = 200;
const MAX_NAME_CHARACTERS = 40;

type JsonSchema = Readonly<Record<string, unknown>>;

type Took<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly cause: DraftCause };

interface Field<T> {
  /** What the member means, for the model. */
  readonly says: string;
  readonly schema: JsonSchema;
  /** What its absence means: never more than the row would allow with it. Without one, the row is dropped. */
  readonly missing?: T;
  readonly take: (value: unknown) => Took<T>;
}

type Fields<Row> = { readonly [Name in keyof Row]-?: Field<Row[Name]> };

const took = <T>(value: T): Took<T> => ({ ok: true, value });
const no = (cause: DraftCause): { ok: false; cause: DraftCause } => ({ ok: false, cause });

/** Only keywords that every implementation of structured output knows; bounds are held by the reader. */
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const TEXT: JsonSchema = { type: "string" };
const CLASS: JsonSchema = { type: "string", enum: FENCED_CLASSES };

const WORDS = {
  schema: listOf(TEXT),
  missing: [],
  take: takeWords,
};

const TARGETS = {
  schema: listOf(objectOf({ kind: { type: "string", enum: TARGET_KINDS }, text: TEXT })),
  missing: [],
  take: takeTargets,
};

const QUOTE: Field<string> = {
  says: "the clause that says so, copied character for character from one turn, in its own language",
  schema: TEXT,
  take: takeQuote,
};

const RATIONALE: Field<string> = {
  says: "why the quote says so, one short line in English",
  schema: TEXT,
  missing: "",
  take: takeLine,
};

export const PERMISSION_FIELDS: Fields<DraftPermission> = {
  risk: { says: "the class of effect that is asked for", schema: CLASS, take: takeClass },
  verbs: {
    ...WORDS,
    says: 'English base forms of the clause\'s action verbs, e.g. ["send"]',
  },
  object: {
    ...WORDS,
    says: 'English base forms of the nouns that the verb acts on, e.g. ["pull", "request"]',
  },
  targets: {
    ...TARGETS,
    says: "the addresses, hosts, paths, amounts, names or commands that the clause names as the target, copied as typed; empty if it names none",
  },
  limit: {
    says: "how often the words allow it: 1 for one act, the number of named targets, or null for an open plural",
    schema: { anyOf: [{ type: "integer" }, { type: "null" }] },
    missing: 1,
    take: takeLimit,
  },
  quote: QUOTE,
  rationale: RATIONALE,
};

export const PROHIBITION_FIELDS: Fields<DraftProhibition> = {
  risks: {
    says: 'the classes that are forbidden, or "all" for every effect',
    schema: { anyOf: [listOf(CLASS), { type: "string", enum: ["all"] }] },
    take: takeClasses,
  },
  verbs: { ...WORDS, says: "English base forms of the verbs it is narrowed to; empty if to none" },
  object: { ...WORDS, says: "English base forms of the nouns it is narrowed to; empty if to none" },
  targets: { ...TARGETS, says: "the targets that it names, copied as typed; empty if it names none" },
  except: {
    says: "true if everything but the targets is forbidden",
    schema: { type: "boolean" },
    missing: false,
    take: (value) => (typeof value === "boolean" ? took(value) : no("wrong-type")),
  },
  verdict: {
    says: '"block", or "ask" where the person only wants to be asked first',
    schema: { type: "string", enum: ["block", "ask"] },
    missing: "block",
    take: (value) => (value === "block" || value === "ask" ? took(value) : no("wrong-type")),
  },
  quote: QUOTE,
  rationale: RATIONALE,
};

/** JSON Schema of a draft, as `response_format: json_schema` takes it. */
export const DRAFT_SCHEMA: JsonSchema = objectOf({
  permissions: listOf(rowSchema(PERMISSION_FIELDS)),
  prohibitions: listOf(rowSchema(PROHIBITION_FIELDS)),
});

function rowSchema(fields: Readonly<Record<string, { readonly schema: JsonSchema }>>): JsonSchema {
  return objectOf(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])));
}

/**
 * Brings any JSON value into the shape of a draft. Total and linear in the value. A row with a fault is dropped whole,
 * so that nothing is ever read as wider than it was written; one list may be missing, not both.
 */
export function readDraft(value: unknown): ReadDraft {
  if (!isRecord(value)) return { ok: false, cause: "not-an-object" };
  if (!Array.isArray(own(value, "permissions")) && !Array.isArray(own(value, "prohibitions")))
    return { ok: false, cause: "no-rows" };
  const dropped = new Leavings();
  for (const name of Object.keys(value))
    if (name !== "permissions" && name !== "prohibitions") dropped.member("", name, "");
  return {
    ok: true,
    draft: {
      permissions: readRows<DraftPermission>(value, "permissions", PERMISSION_FIELDS, dropped),
      prohibitions: readRows<DraftProhibition>(value, "prohibitions", PROHIBITION_FIELDS, dropped),
    },
    dropped: dropped.all,
  };
}

function readRows<Row extends object>(
  value: Readonly<Record<string, unknown>>,
  list: "permissions" | "prohibitions",
  fields: Fields<Row>,
  dropped: Leavings,
): Row[] {
  const given = own(value, list);
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    dropped.add(`/${list}`, "", "wrong-type");
    return [];
  }
  if (given.length > MAX_DRAFT_ROWS) dropped.add(`/${list}/${MAX_DRAFT_ROWS}`, "", "too-many");
  const rows: Row[] = [];
  for (let i = 0; i < Math.min(given.length, MAX_DRAFT_ROWS); i += 1) {
    const row = readRow(given[i], `/${list}/${i}`, fields, dropped);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function readRow<Row extends object>(
  given: unknown,
  at: string,
  fields: Fields<Row>,
  dropped: Leavings,
): Row | null {
  if (!isRecord(given)) {
    dropped.add(at, "", "wrong-type");
    return null;
  }
  const quoted = own(given, "quote");
  const quote = typeof quoted === "string" ? quoted : "";
  const row: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<Field<unknown>>(fields)) {
    const value = own(given, name);
    const read =
      value !== undefined
        ? field.take(value)
        : Object.hasOwn(field, "missing")
          ? took(field.missing)
          : no("missing-member");
    if (!read.ok) {
      dropped.add(`${at}/${name}`, quote, read.cause);
      return null;
    }
    row[name] = read.value;
  }
  for (const name of Object.keys(given)) if (!Object.hasOwn(fields, name)) dropped.member(at, name, quote);
  return row as Row;
}

/** What was left out, bounded in number and in length. */
class Leavings {
  readonly all: DraftDropped[] = [];

  add(where: string, quote: string, cause: DraftCause): void {
    if (this.all.length < MAX_DRAFT_DROPPED)
      this.all.push({ where, quote: oneLine(quote, MAX_SHOWN_CHARACTERS), span: null, cause });
  }

  /** A member that no draft has. Its name is the model's: one line of it is kept. */
  member(at: string, name: string, quote: string): void {
    const shown = oneLine(name, MAX_NAME_CHARACTERS).replaceAll("~", "~0").replaceAll("/", "~1");
    this.add(`${at}/${shown}`, quote, /tool/i.test(name) ? "tool-list" : "unknown-member");
  }
}

function takeClass(value: unknown): Took<FencedClass> {
  if (typeof value !== "string") return no("wrong-type");
  const known = FENCED_CLASSES.find((one) => one === value);
  if (known !== undefined) return took(known);
  return no(RISK_CLASSES.some((one) => one === value) ? "class-not-fenced" : "unknown-class");
}

function takeClasses(value: unknown): Took<readonly FencedClass[] | "all"> {
  if (value === "all") return took("all");
  if (!Array.isArray(value)) return no("wrong-type");
  if (value.length > RISK_CLASSES.length) return no("too-many");
  const classes = new Set<FencedClass>();
  for (const one of value) {
    const read = takeClass(one);
    // What needs no permission can be forbidden in the same breath ("don't read or send"); the rest still binds.
    if (!read.ok && read.cause === "class-not-fenced") continue;
    if (!read.ok) return read;
    classes.add(read.value);
  }
  return classes.size === 0 ? no("class-not-fenced") : took([...classes]);
}

/** Lower-case words; `pull request` is two. */
function takeWords(value: unknown): Took<readonly string[]> {
  if (!Array.isArray(value)) return no("wrong-type");
  if (value.length > MAX_WORDS) return no("too-many");
  const words = new Set<string>();
  for (const one of value) {
    if (typeof one !== "string") return no("wrong-type");
    if (one.length > MAX_WORDS * MAX_WORD_CHARACTERS) return no("too-long");
    for (const word of one.toLowerCase().split(/\s+/)) {
      if (word.length > MAX_WORD_CHARACTERS) return no("too-long");
      if (word !== "") words.add(word);
    }
  }
  return words.size > MAX_WORDS ? no("too-many") : took([...words]);
}

function takeTargets(value: unknown): Took<readonly Permission["targets"][number][]> {
  if (!Array.isArray(value)) return no("wrong-type");
  if (value.length > MAX_TARGETS) return no("too-many");
  const targets: Permission["targets"][number][] = [];
  for (const one of value) {
    if (!isRecord(one)) return no("wrong-type");
    const given = own(one, "kind");
    const kind = TARGET_KINDS.find((known) => known === given);
    const text = own(one, "text");
    if (kind === undefined || typeof text !== "string" || text.trim() === "") return no("wrong-type");
    if (text.length > MAX_TARGET_CHARACTERS) return no("too-long");
    targets.push({ kind, text: text.trim() });
  }
  return took(targets);
}

function takeLimit(value: unknown): Took<number | null> {
  if (value === null) return took(null);
  if (typeof value !== "number") return no("wrong-type");
  return Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT ? took(value) : no("out-of-range");
}

function takeQuote(value: unknown): Took<string> {
  if (typeof value !== "string" || value.trim() === "") return no("wrong-type");
  return value.length > MAX_QUOTE_CHARACTERS ? no("too-long") : took(value);
}

/** A rationale only explains: it is cut to one line rather than costing its row. */
function takeLine(value: unknown): Took<string> {
  return typeof value === "string" ? took(oneLine(value, MAX_RATIONALE_CHARACTERS)) : no("wrong-type");
}

/** A model's text for people: one line that shows what it holds, without control, format or direction characters. */
export function oneLine(text: string, most: number): string {
  return text
    .slice(0, most * 2)
    .toWellFormed()
    .replace(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member itself: never what an object inherits. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
