/**
 * What a clause names, as whole tokens (CONVENTIONS §4): whom it is to reach, which files, hosts, ids and sums. Who is
 * spoken of as a sender, or only in what a message would say, is not named.
 */

import { readSum } from "../amounts.ts";
import { kindsOfNoun } from "../objects.ts";
import type { Target } from "../types.ts";
import type { Language } from "./lexicon.ts";
import type { Range } from "./sentence.ts";
import { has, isPunct, sense, type Unit } from "./units.ts";

export interface Named {
  readonly recipients: Target[];
  readonly paths: Target[];
  readonly hosts: Target[];
  readonly items: Target[];
  readonly amounts: Target[];
  readonly commands: Target[];
  /** The words of the clause that name things, folded. */
  readonly nouns: string[];
  /** Somebody is meant, by name, by what they are, or as `me`. */
  persons: boolean;
  me: boolean;
  /** A number of things, where the words say one. */
  quantity: number | null;
  /** Each, every, all of them, or a plural without a number. */
  open: boolean;
  /** Things named one after the other. */
  listed: number;
  /** Nothing but anything, it, them. */
  universal: boolean;
}

type Preposition = "" | "to" | "in" | "from" | "with" | "about" | "as" | "for";
const PREPOSITIONS = ["about", "from", "to", "in", "with", "as", "for"] as const;

const HOME_FOLDERS = /^(?:downloads|desktop|documents|pictures|photos|music|videos|movies|library)$/;
const FOLDER = /^(?:folder|folders|directory|dir|ordner|verzeichnis|carpeta|directorio|文件夹|目录)$/;
const CHANNEL_NOUN = /^(?:channel|channels|kanal|canal|group|gruppe|grupo|频道|群)$/;
const SERVICES =
  /^(?:slack|telegram|whatsapp|discord|signal|teams|gmail|github|gitlab|notion|trello|jira|linear|stripe|spotify|google|outlook|instagram|twitter|x|linkedin|facebook|youtube|paypal|venmo|amazon|drive|dropbox|asana|zoom|calendar|sms)$/;
const MOST_TARGETS = 64;
const MOST_NOUNS = 24;

export interface Reader {
  readonly text: string;
  readonly units: readonly Unit[];
  readonly language: Language;
  /** Where folders may be named without a path: what is forbidden is read as wide as it can be meant. */
  readonly loose: boolean;
  /** Names of people count: the clause reaches somebody. */
  readonly people: boolean;
}

export function namedIn(
  reader: Reader,
  head: number,
  objects: readonly Range[],
  relatives: readonly Range[] = [],
): Named {
  const named: Named = {
    recipients: [],
    paths: [],
    hosts: [],
    items: [],
    amounts: [],
    commands: [],
    nouns: [],
    persons: false,
    me: false,
    quantity: null,
    open: false,
    listed: 0,
    universal: false,
  };
  const state = { preposition: "" as Preposition, marked: "" as Preposition };
  let any = 0;
  for (const range of objects) {
    named.listed += 1;
    let since = 0;
    for (let at = range.from; at < range.to; at++) {
      const unit = reader.units[at];
      if (unit === undefined || at === head) {
        state.preposition = "";
        continue;
      }
      // What leads up to the verb names nothing.
      if (at < head && (has(unit, "ask") || has(unit, "idiom") || has(unit, "weak") || has(unit, "filler")))
        continue;
      const found = PREPOSITIONS.find((tag) => has(unit, tag));
      if (found !== undefined && unit.token.kind !== "quoted") {
        state.preposition = found === "from" && unit.text === "by" && since === 0 ? "" : found;
        if (found === "to" && /^(?:at)$/.test(unit.text)) state.preposition = state.marked || "to";
        else state.marked = state.preposition;
        continue;
      }
      since += 1;
      if (has(unit, "any")) any += 1;
      takeUnit(reader, named, at, range, state.preposition, at < head);
    }
  }
  for (const range of relatives)
    for (let at = range.from; at < range.to; at++) {
      const kind = reader.units[at]?.token.kind;
      if (kind === "path" || kind === "file" || kind === "quoted" || kind === "id")
        takeUnit(reader, named, at, range, "in", false);
    }
  named.universal = any > 0 && named.nouns.length === 0 && targetsOf(named).length === 0;
  return named;
}

export function targetsOf(named: Named): Target[] {
  return [
    ...named.recipients,
    ...named.paths,
    ...named.hosts,
    ...named.items,
    ...named.amounts,
    ...named.commands,
  ].slice(0, MOST_TARGETS);
}

function takeUnit(
  reader: Reader,
  named: Named,
  at: number,
  range: Range,
  preposition: Preposition,
  isBefore: boolean,
): void {
  const { units, text } = reader;
  const unit = units[at];
  if (unit === undefined) return;
  const raw = text.slice(unit.start, unit.end);
  const away = preposition === "from" || preposition === "about";
  switch (unit.token.kind) {
    case "email":
      if (!away) put(named.recipients, { kind: "recipient", text: raw.replace(/^mailto:/i, "") });
      return;
    case "handle":
    case "phone":
      if (!away) put(named.recipients, { kind: "recipient", text: raw });
      return;
    case "channel":
      if (!away) put(named.recipients, { kind: "recipient", text: raw });
      return;
    case "url":
    case "host":
      if (!away || preposition === "about") put(named.hosts, { kind: "host", text: raw });
      return;
    case "path":
    case "file":
      put(named.paths, {
        kind: "path",
        text: raw,
        ...(isPlace(raw, preposition) ? { below: true as const } : {}),
      });
      if (/^[\w.-]+\/[\w.-]+$/.test(raw)) put(named.items, { kind: "item", text: raw });
      return;
    case "quoted":
      quoted(reader, named, at, range, preposition);
      return;
    case "id":
      put(named.items, { kind: "item", text: raw });
      return;
    case "money":
      amount(reader, named, at, raw);
      return;
    case "number":
      number(reader, named, at, raw);
      return;
    case "word":
    case "han":
      word(reader, named, at, range, preposition, isBefore);
      return;
    default:
  }
}

/** `in logs/` is about what lies there; a name with an ending is a file wherever it stands. */
function isPlace(raw: string, preposition: Preposition): boolean {
  return (preposition === "in" || preposition === "from") && !/[^./\\]\.[a-z0-9]{1,8}$/i.test(raw);
}

function put(list: Target[], target: Target): void {
  if (list.length < MOST_TARGETS && !list.some((one) => one.text === target.text && one.kind === target.kind))
    list.push(target);
}

function quoted(reader: Reader, named: Named, at: number, range: Range, preposition: Preposition): void {
  const unit = reader.units[at];
  if (unit === undefined) return;
  const raw = reader.text.slice(unit.start, unit.end);
  const inner = raw
    .replace(/^(?:`{1,3}|["'“”„‘’«»「」『』《》‹›])|(?:`{1,3}|["'“”„‘’«»「」『』《》‹›])$/g, "")
    .trim();
  if (inner === "" || inner.length > 200) return;
  const isCode = raw.startsWith("`");
  if (isCode && /\s/.test(inner)) put(named.commands, { kind: "command", text: inner });
  if (/^(?:mailto:)?[^\s@]+@[^\s@]+\.[^\s@]+$/.test(inner)) {
    if (preposition !== "from" && preposition !== "about")
      put(named.recipients, { kind: "recipient", text: inner });
    return;
  }
  const neighbour = [reader.units[at + 1]?.text ?? "", reader.units[at - 1]?.text ?? ""];
  if (
    /^[#@]\S+$/.test(inner) ||
    (reader.people && at + 1 <= range.to && neighbour.some((one) => CHANNEL_NOUN.test(one)))
  ) {
    put(named.recipients, { kind: "recipient", text: inner });
    return;
  }
  const isSentence = /[.!?]$/.test(inner) || inner.split(/\s+/).length > 8;
  if (isSentence) return;
  if (
    /^[^\n]{1,120}$/.test(inner) &&
    (/(?:^|[^.\s])\.[a-z0-9]{1,8}$/i.test(inner) ||
      /^[~.]?\/|\/$/.test(inner) ||
      (/\//.test(inner) && !/\s/.test(inner)))
  )
    put(named.paths, {
      kind: "path",
      text: inner,
      ...(isPlace(inner, preposition) ? { below: true as const } : {}),
    });
  put(named.items, { kind: "item", text: inner });
  if (reader.people && preposition === "to") put(named.recipients, { kind: "recipient", text: inner });
}

function amount(reader: Reader, named: Named, at: number, raw: string): void {
  const sum = readSum(raw.toLowerCase(), reader.language === "de" || reader.language === "es");
  if (sum === null) return;
  const next = reader.units[at + 1];
  const currency = sum.currency ?? sense(next, "currency")?.value ?? null;
  put(named.amounts, { kind: "amount", text: raw, value: sum.value, currency, ...boundOf(reader, at) });
}

/** `up to`, `no more than`; `each`. */
function boundOf(reader: Reader, at: number): { most?: true; each?: true } {
  const near = [at - 1, at - 2, at - 3, at - 4].map((index) => reader.units[index]);
  const behind = [at + 1, at + 2, at + 3].map((index) => reader.units[index]);
  const most = near.some((unit) => has(unit, "ceiling")) || behind.some((unit) => has(unit, "ceiling"));
  const each = behind.some((unit) =>
    /^(?:each|per|apiece|a piece|pro|je|cada|每)$/.test(unit?.text.split(" ")[0] ?? ""),
  );
  return { ...(most ? { most: true as const } : {}), ...(each ? { each: true as const } : {}) };
}

function number(reader: Reader, named: Named, at: number, raw: string): void {
  const { units } = reader;
  const next = units[at + 1];
  const before = units[at - 1];
  const currency = sense(next, "currency") ?? sense(before, "currency");
  if (currency !== null) {
    amount(reader, named, at, raw);
    return;
  }
  if (/^\d+$/.test(raw) && raw.length < 4 && next !== undefined && isThing(next) && !isThing(before)) {
    named.quantity = Number(raw);
    return;
  }
  const cents = /^\d+[.,]\d{2}$/.test(raw);
  if (cents || boundOf(reader, at).most === true) amount(reader, named, at, raw);
  else if (
    isThing(before) ||
    has(before, "called") ||
    isPunct(before, "#") ||
    /^(?:no|nr|number|num|id|account|konto|cuenta|订单|账号)$/.test(before?.text ?? "")
  )
    put(named.items, { kind: "item", text: raw });
  else if (/^\d{1,9}$/.test(raw)) {
    // A bare number may be a sum or an id; in a payment it is a sum, and elsewhere it names by its digits alone.
    put(named.items, { kind: "item", text: raw });
    put(named.amounts, {
      kind: "amount",
      text: raw,
      value: String(Number(raw)),
      currency: null,
      ...boundOf(reader, at),
    });
  }
}

const isThing = (unit: Unit | undefined): boolean =>
  unit !== undefined && (kindsOfNoun(unit.text).length > 0 || has(unit, "noun"));

/** A word that may name something: one that no table knows, or one that is a noun besides what else it is. */
function isNoun(unit: Unit): boolean {
  if (unit.senses.length === 0) return !/^\d/.test(unit.text);
  return (
    kindsOfNoun(unit.text).length > 0 ||
    unit.senses.every(
      ({ tag }) => tag === "noun" || tag === "person" || tag === "verb" || tag === "read" || tag === "local",
    )
  );
}

/** Files that go by their names alone. */
const STEMS =
  /^(?:readme|changelog|makefile|dockerfile|gemfile|procfile|jenkinsfile|vagrantfile|rakefile|justfile|license|licence|contributing|todo)$/;

const CAPITAL = /^\p{Lu}/u;

function word(
  reader: Reader,
  named: Named,
  at: number,
  range: Range,
  preposition: Preposition,
  isBefore: boolean,
): void {
  const { units, text } = reader;
  const unit = units[at];
  if (unit === undefined) return;
  const raw = text.slice(unit.start, unit.end);
  if (has(unit, "me")) named.me = true;
  if (has(unit, "person")) named.persons = true;
  const count = sense(unit, "number");
  if (count !== null && !isBefore)
    named.quantity = Math.max(named.quantity ?? 0, Number(count.value) || 0) || null;
  if (has(unit, "each")) named.open = true;
  const next = at + 1 < range.to ? units[at + 1] : undefined;
  const before = at > range.from ? units[at - 1] : undefined;
  // `left-pad`: what a hyphen joins is one name.
  if (next?.token.glued === true && unit.token.glued !== true) {
    let end = at + 1;
    while (end + 1 < range.to && units[end + 1]?.token.glued === true) end += 1;
    put(named.items, { kind: "item", text: text.slice(unit.start, units[end]?.end ?? unit.end) });
  }
  if (
    reader.loose &&
    (FOLDER.test(next?.text ?? "") ||
      (FOLDER.test(before?.text ?? "") && !has(unit, "det") && !has(unit, "in") && !has(unit, "be")))
  )
    folder(named, raw);
  else if (reader.loose && HOME_FOLDERS.test(unit.text) && unit.isName) folder(named, raw);
  if (has(before, "called") && !has(unit, "det")) put(named.items, { kind: "item", text: raw });
  if (STEMS.test(unit.text) && !/^(?:license|todo)$/.test(raw))
    put(named.paths, { kind: "path", text: raw, stem: true });
  if (!isNoun(unit)) return;
  if (
    reader.people &&
    CHANNEL_NOUN.test(next?.text ?? "") &&
    unit.senses.length === 0 &&
    !/^(?:the|a|private|public|new|same|right|correct|slack|team|necessary|other)$/.test(unit.text)
  )
    put(named.recipients, { kind: "recipient", text: raw });
  if (
    reader.people &&
    CAPITAL.test(raw) &&
    raw !== "I" &&
    unit.senses.every(({ tag }) => tag !== "verb" || true) &&
    isName(reader, at, preposition)
  ) {
    let end = at;
    while (end + 1 < range.to && isNamePart(reader, end + 1)) end += 1;
    const whole = text.slice(unit.start, units[end]?.end ?? unit.end);
    if (!isNamePart(reader, at - 1) || at === range.from)
      put(named.recipients, { kind: "recipient", text: whole });
    named.persons = true;
  }
  if (
    reader.people &&
    !reader.loose &&
    SERVICES.test(unit.text) &&
    named.me &&
    (preposition === "in" || preposition === "from")
  )
    put(named.recipients, { kind: "recipient", text: raw });
  if (named.nouns.length < MOST_NOUNS && unit.text.length <= 40) {
    for (const part of unit.text.split(" ")) if (part.length > 1) named.nouns.push(part);
    // What a language calls it, in the vocabulary of tools.
    const kind = sense(unit, "noun")?.value;
    if (kind !== undefined && kind !== "") named.nouns.push(kind);
    if (isPlural(unit, before)) named.open = true;
  }
}

function folder(named: Named, raw: string): void {
  if (/^[\w.-]{1,80}$/.test(raw))
    put(named.paths, { kind: "path", text: HOME_FOLDERS.test(raw.toLowerCase()) ? `~/${raw}` : raw });
}

function isName(reader: Reader, at: number, preposition: Preposition): boolean {
  const { units } = reader;
  const unit = units[at];
  if (
    unit === undefined ||
    !unit.isName ||
    preposition === "from" ||
    preposition === "about" ||
    preposition === "in"
  )
    return false;
  if (SERVICES.test(unit.text) || DAYS.test(unit.text)) return false;
  const before = units[at - 1];
  const next = units[at + 1];
  if (next !== undefined && /^(?:'s|s)$/.test(next.text)) return false;
  // The object of the verb, or whom something goes to; a capital in the middle of a title is no person.
  return (
    preposition === "to" ||
    preposition === "with" ||
    preposition === "for" ||
    before === undefined ||
    sense(before, "verb") !== null ||
    has(before, "and") ||
    isNamePart(reader, at - 1) ||
    isPunct(before, ",") ||
    before.token.kind === "punct"
  );
}

function isNamePart(reader: Reader, at: number): boolean {
  const unit = reader.units[at];
  if (unit === undefined || unit.token.kind !== "word") return false;
  const raw = reader.text.slice(unit.start, unit.end);
  return CAPITAL.test(raw) && !DAYS.test(unit.text) && unit.senses.length === 0;
}

const DAYS =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miercoles|jueves|viernes|sabado|domingo|english|german|french|spanish|chinese|pdf|csv|json|todo|asap|pr|i|ok|api|url|html|readme)$/;

function isPlural(unit: Unit, before: Unit | undefined): boolean {
  if (!/[^s]s$/.test(unit.text) || unit.text.length < 4 || sense(before, "number") !== null) return false;
  return kindsOfNoun(unit.text).length > 0 && !kindsOfNoun(unit.text).includes("list");
}

/** `the file backup in /home/u/cron`: one name in one place is that file alone. */
export function joinPlaces(named: Named): void {
  const places = named.paths.filter((target) => target.below === true);
  const [place] = places;
  if (place === undefined || places.length !== 1) return;
  const names = [
    ...named.paths.filter((target) => target.below !== true && !/[\\/]/.test(target.text)),
    ...named.items.filter(
      (item) =>
        !named.paths.some((path) => path.text === item.text) &&
        !/[\\/]/.test(item.text) &&
        !/^\d+$/.test(item.text),
    ),
  ];
  if (names.length === 0) return;
  const rest = named.paths.filter((target) => target !== place && !names.includes(target));
  named.paths.length = 0;
  named.paths.push(
    ...rest,
    ...names.map((name): Target => ({ kind: "path", text: name.text, within: place.text })),
  );
}
