/**
 * An organization's settings as the fields of a form, and back: each field is named by where its setting stands, as in
 * `fence-unauthorized-reading-DELETE`. Pure. What is wrong with a value is for the API's schema to say.
 */
import type { Fault } from "../../errors.ts";
import { JUDGED_CLASSES, type JudgedClass, TASK_KINDS, type TaskKind } from "../../policy/fence/index.ts";
import { MODED_ENGINES } from "../../policy/modes.ts";
import { APPROVAL_FIELDS, DEMANDS_ID, demandFields, demandsFrom } from "./approval-settings-values.ts";
import { engineName } from "./policy-words.ts";

/** Values by field; an empty one is not set, and so as by default. */
export type Fields = Readonly<Record<string, string>>;
export type Stored = Readonly<Record<string, unknown>>;

/** What a value is written as; a list and a set have one value on each line, demands are made of many fields. */
type Kind = "word" | "number" | "switch" | "list" | "set" | "demand";

export interface Field {
  readonly id: string;
  readonly kind: Kind;
  readonly label: string;
}

const KIND_WORDS: Readonly<Record<TaskKind, string>> = {
  reading: "in a task that only reads",
  acting: "in a task that acts",
};

export function mapId(kind: TaskKind, risk: JudgedClass): string {
  return `fence-unauthorized-${kind}-${risk}`;
}

export const SETTINGS_FIELDS: readonly Field[] = [
  ...MODED_ENGINES.map(
    (engine): Field => ({
      id: `engines-${engine}`,
      kind: "word",
      label: engineName(engine),
    }),
  ),
  { id: "guard_mode", kind: "word", label: "All engines" },
  { id: "fence-strict", kind: "switch", label: "Strict" },
  { id: "fence-loop_limit", kind: "number", label: "Loop limit" },
  { id: "provenance-search", kind: "word", label: "Where quotes may come from" },
  { id: "provenance-scope", kind: "word", label: "What has to be backed" },
  { id: "provenance-retention_days", kind: "number", label: "Days that words count" },
  { id: "provenance-names", kind: "list", label: "Names that stand for the user" },
  { id: "provenance-files", kind: "list", label: "Files that agents read at every start" },
  ...APPROVAL_FIELDS,
  { id: "retention-private_days", kind: "number", label: "Days that private text is kept" },
  { id: "retention-ended_sessions_days", kind: "number", label: "Days that idle sessions are kept" },
  { id: "hash_limit_bytes", kind: "number", label: "Hash limit" },
  ...TASK_KINDS.flatMap((kind) =>
    JUDGED_CLASSES.map(
      (risk): Field => ({
        id: mapId(kind, risk),
        kind: "word",
        label: `${risk} ${KIND_WORDS[kind]}`,
      }),
    ),
  ),
];

const NUMBER = /^[0-9]{1,15}$/;

/** The fields of settings as they are kept. */
export function fieldsOf(stored: Stored): Fields {
  const demands = demandFields(valueAt(stored, "approvals"));
  return Object.fromEntries(
    SETTINGS_FIELDS.map(({ id, kind }) => {
      if (kind === "demand") return [id, demands[id] ?? ""];
      const value = valueAt(stored, id);
      if (kind === "switch") return [id, value === true ? "yes" : ""];
      if (kind === "list" || kind === "set")
        return [id, Array.isArray(value) ? lines(value.map(oneLine)) : ""];
      // An older word for the same.
      if (id === "guard_mode" && value === "block") return [id, "act"];
      return [id, typeof value === "string" || typeof value === "number" ? String(value) : ""];
    }),
  );
}

/** What was typed and chosen. */
export function typedFields(form: URLSearchParams): Fields {
  return Object.fromEntries(
    SETTINGS_FIELDS.map(({ id, kind }) => {
      if (kind === "set") return [id, lines(form.getAll(id))];
      const text = (form.get(id) ?? "").trim();
      return [id, kind === "list" ? lines(text.split(/[\r\n]+/)) : text];
    }),
  );
}

/** A value that holds a line end, which the API takes, on a line of its own all the same. */
function oneLine(value: unknown): string {
  return String(value).replace(/[\r\n]+/g, " ");
}

function lines(values: readonly string[]): string {
  return values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .join("\n");
}

/** The settings that the fields ask for; what has no field here stays as it is kept. */
export function settingsFrom(fields: Fields, stored: Stored): Stored {
  const before = fieldsOf(stored);
  const isDemanding = SETTINGS_FIELDS.some(
    ({ id, kind }) => kind === "demand" && (fields[id] ?? "") !== before[id],
  );
  const begun = isDemanding ? withMember(stored, DEMANDS_ID.split("-"), demandsFrom(fields)) : stored;
  return SETTINGS_FIELDS.reduce((settings, { id, kind }) => {
    const text = fields[id] ?? "";
    if (kind === "demand") return settings;
    const isList = kind === "list" || kind === "set";
    // A list that is as it was shown stays as it is kept.
    if (isList && text === before[id]) return settings;
    const value =
      text === ""
        ? undefined
        : isList
          ? text.split("\n")
          : kind === "switch"
            ? text === "yes"
            : kind === "number" && NUMBER.test(text)
              ? Number(text)
              : text;
    return withMember(settings, id.split("-"), value);
  }, begun);
}

/** The setting at `path` set, or taken away with whatever it leaves empty. */
function withMember(object: Stored, [name = "", ...rest]: readonly string[], value: unknown): Stored {
  const { [name]: before, ...others } = object;
  const after = rest.length === 0 ? value : withMember(isRecord(before) ? before : {}, rest, value);
  const isEmpty = after === undefined || (isRecord(after) && Object.keys(after).length === 0);
  return isEmpty ? others : { ...others, [name]: after };
}

function valueAt(stored: Stored, id: string): unknown {
  return id.split("-").reduce<unknown>((at, name) => memberOf(at, name), stored);
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field's fault, for people. */
export interface FieldFault {
  readonly id: string;
  readonly label: string;
  readonly message: string;
}

const DAYS = "Write a whole number from 1 to 36500, or leave it empty.";
const SECONDS = "Write a whole number of seconds from 30 to 86400, or leave it empty.";

/** What a field takes, where it is not one of a few words. */
const FAULT_WORDS: Readonly<Record<string, string>> = {
  "fence-loop_limit": "Write a whole number from 0 to 1000, or leave it empty.",
  "provenance-retention_days": "Write a whole number from 0 to 3650, or leave it empty.",
  "provenance-names": "Write at most 64 names, one a line, each of at most 64 characters.",
  "provenance-files": "Write at most 64 files, one a line, each of at most 64 characters.",
  "approvals-expires_after_seconds": SECONDS,
  "approvals-grant_lasts_seconds": SECONDS,
  "approvals-quiet_hours-time_zone":
    "Write a time zone such as Europe/Berlin, or leave all of the quiet hours empty.",
  "approvals-quiet_hours-from": "Write a time such as 22:00, or leave all of the quiet hours empty.",
  "approvals-quiet_hours-to":
    "Write another time than they begin at, such as 07:00, or leave all of the quiet hours empty.",
  "retention-private_days": DAYS,
  "retention-ended_sessions_days": DAYS,
  hash_limit_bytes: "Write a whole number from 0 to 1000000000, or leave it empty.",
};

/** Of what is no field by itself. */
const LABELS: Readonly<Record<string, string>> = { [DEMANDS_ID]: "What it takes to approve an action" };

/** The schema's faults, by field; each field's once, however many of its values are wrong. */
export function fieldFaults(faults: readonly Fault[]): readonly FieldFault[] {
  const ids = faults.map(({ pointer }) => {
    const id = pointer.slice(1).replaceAll("/", "-");
    if (id.startsWith(DEMANDS_ID)) return DEMANDS_ID;
    return SETTINGS_FIELDS.find((field) => id === field.id || id.startsWith(`${field.id}-`))?.id ?? id;
  });
  return [...new Set(ids)].map((id) => ({
    id,
    label: SETTINGS_FIELDS.find((field) => field.id === id)?.label ?? LABELS[id] ?? id,
    message: FAULT_WORDS[id] ?? "Choose one of what is offered.",
  }));
}

export interface Difference {
  readonly label: string;
  /** Empty where nothing is set. */
  readonly inForce: string;
}

/** Where settings in force differ from what was typed. */
export function differences(typed: Fields, inForce: Fields): readonly Difference[] {
  return SETTINGS_FIELDS.filter(({ id }) => typed[id] !== inForce[id]).map(({ id, label }) => ({
    label,
    inForce: (inForce[id] ?? "").replaceAll("\n", ", "),
  }));
}
