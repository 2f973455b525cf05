/**
 * What a clause names, as whole tokens (CONVENTIONS §4): whom it is to reach, which files, hosts, ids and sums. Who is
 * spoken of as a sender, or only in what a message would say, is not named.
 */

import { unquoted } from "../../text/quoting.ts";
import { kindsOfNoun } from "../objects.ts";
import type { Target } from "../types.ts";
import type { Range } from "./clause.ts";
import { MOST_TARGETS, type Named, type Preposition, put, type Reader } from "./named.ts";
import { CAPITAL, isName, isNamePart, SERVICES } from "./people.ts";
import { amount, number } from "./sums.ts";
import { has, sense, type Unit } from "./units.ts";

const PREPOSITIONS = ["about", "from", "to", "in", "with", "as", "for"] as const;

const HOME_FOLDERS = /^(?:downloads|desktop|documents|pictures|photos|music|videos|movies|library)$/;
const FOLDER = /^(?:folder|folders|directory|dir|ordner|verzeichnis|carpeta|directorio|文件夹|目录)$/;
const FILE = /^(?:file|datei|archivo|fichero|文件)$/;
const CHANNEL_NOUN = /^(?:channel|channels|kanal|canal|group|gruppe|grupo|频道|群)$/;
const MOST_NOUNS = 24;

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
    services: [],
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
      // `each of a@… and b@…` is no more than them.
      if (unit.text === "of" && /^(?:each|all|both|every one|any)$/.test(reader.units[at - 1]?.text ?? ""))
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
  if (named.me) for (const service of named.services) put(named.recipients, service);
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
  // `*.log`
  const isGlob =
    /^\.\w/.test(text.slice(unit.start, unit.start + 2)) &&
    /(?:^|[\s/])\*$/.test(text.slice(Math.max(0, unit.start - 2), unit.start));
  const glob = isGlob && text.charAt(unit.end) !== "*" ? "*" : "";
  const raw = glob + text.slice(unit.start, unit.end);
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
        text: START_UPS.test(raw) ? `~/${raw}` : raw,
        ...(isPlace(raw, preposition) || INSIDE.test(reader.units[at + 1]?.text ?? "")
          ? { below: true as const }
          : {}),
      });
      if (/^[\w.-]+\/[\w.-]+(?::[\w.-]+)?$/.test(raw)) put(named.items, { kind: "item", text: raw });
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

function quoted(reader: Reader, named: Named, at: number, range: Range, preposition: Preposition): void {
  const unit = reader.units[at];
  if (unit === undefined) return;
  const raw = reader.text.slice(unit.start, unit.end);
  const inner = unquoted(raw);
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
  const isSentence = /[.!?。！？…]$/.test(inner) || inner.split(/\s+/).length > 8;
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

/** Behind a folder, that what lies in it is meant. */
const INSIDE = /^(?:里的?|里面的?|中的?|下的?|下面的?|之中的?)$/;
/** Files that everybody has in their home, and names without it. */
const START_UPS =
  /^\.(?:zshrc|zprofile|zshenv|bashrc|bash_profile|bash_aliases|profile|vimrc|tmux\.conf|gitconfig|inputrc)$/;

/** Files that go by their names alone. */
const STEMS =
  /^(?:readme|changelog|makefile|dockerfile|gemfile|procfile|jenkinsfile|vagrantfile|rakefile|justfile|license|licence|contributing|todo)$/;

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
  if (count !== null && !isBefore && !isHour(units[at - 1], units[at + 1]))
    named.quantity = Math.max(named.quantity ?? 0, Number(count.value) || 0) || null;
  if (has(unit, "each")) named.open = true;
  const next = at + 1 < range.to ? units[at + 1] : undefined;
  const before = at > range.from ? units[at - 1] : undefined;
  // `left-pad`: what a hyphen joins is one name.
  if (next?.token.glued === true && unit.token.glued !== true) {
    let end = at + 1;
    while (end + 1 < range.to && units[end + 1]?.token.glued === true) end += 1;
    const isKind = reader.language === "de" && sense(units[end], "noun") !== null;
    const joined = text.slice(unit.start, units[end]?.end ?? unit.end);
    if (!isKind) put(named.items, { kind: "item", text: joined });
    // `the folder build-old`
    if (FOLDER.test(before?.text ?? "") || FILE.test(before?.text ?? ""))
      put(named.paths, { kind: "path", text: joined });
  }
  if (
    (FOLDER.test(next?.text ?? "") && (reader.loose || callsFolder(unit))) ||
    (FOLDER.test(before?.text ?? "") &&
      (reader.loose
        ? !has(unit, "det") && !has(unit, "in") && !has(unit, "be")
        : unit.senses.length === 0 && !HOME_FOLDERS.test(unit.text)))
  )
    folder(named, raw);
  else if (reader.loose && HOME_FOLDERS.test(unit.text) && unit.isName) folder(named, raw);
  // `the file backup in /srv`: called by its name alone.
  if (
    FILE.test(before?.text ?? "") &&
    has(units[at - 2], "det") &&
    unit.senses.every(({ tag }) => tag === "verb")
  )
    if (next === undefined || has(next, "in") || has(next, "from"))
      put(named.paths, { kind: "path", text: raw });
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
  if (reader.people && CAPITAL.test(raw) && raw !== "I" && isName(reader, at, preposition)) {
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
    (preposition === "in" || preposition === "from" || reader.language !== "en")
  )
    put(named.services, { kind: "recipient", text: raw });
  if (named.nouns.length < MOST_NOUNS && unit.text.length <= 40) {
    for (const part of unit.text.split(" ")) if (part.length > 1) named.nouns.push(part);
    // What a language calls it, in the vocabulary of tools.
    const kind = sense(unit, "noun")?.value;
    if (kind !== undefined && kind !== "") named.nouns.push(kind);
    if (isPlural(unit, before)) named.open = true;
  }
}

/** `every Monday at nine` is no number of things. */
const isHour = (before: Unit | undefined, next: Unit | undefined): boolean =>
  /^(?:at|by|around|before|until|till|since|after|from|um|gegen|ab|bis|vor|nach|a las|las|para las)$/.test(
    before?.text ?? "",
  ) ||
  /^(?:o'clock|am|pm|a\.m|p\.m|uhr|sharp|minutes?|hours?|days?|weeks?|months?|years?|percent|minuten|stunden|tagen?|wochen|monaten?|minutos|horas|dias|semanas|meses)$/.test(
    next?.text ?? "",
  );

/** `the dist folder` calls it by its name; `the new folder` and `the project folder` do not. */
function callsFolder(unit: Unit): boolean {
  return (
    unit.token.kind === "word" &&
    (unit.senses.length === 0 || sense(unit, "verb", "bn") !== null) &&
    !HOME_FOLDERS.test(unit.text) &&
    !/^(?:old|new|empty|whole|entire|same|right|wrong|current|parent|root|top|main|shared|public|private|temporary|local|remote|other|first|last|second|unused|duplicate|hidden|previous|following|working|home|project|user|system|sub|any|team|company|sent|mail|inbox|spam|trash|drive|big|large|small|corresponding|respective|said|above|given|source|target|destination|default|local|git|output|install|installation|download|app|application|alte|alten|neue|neuen|leere|leeren|ganze|ganzen|gleichen|anderen|aktuellen)$/.test(
      unit.text,
    )
  );
}

function folder(named: Named, raw: string): void {
  if (/^[\w.-]{1,80}$/.test(raw))
    put(named.paths, { kind: "path", text: HOME_FOLDERS.test(raw.toLowerCase()) ? `~/${raw}` : raw });
}

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
    ...names.map(
      (name): Target =>
        name.text.startsWith("*")
          ? { kind: "path", text: `${place.text.replace(/\/$/, "")}/${name.text}` }
          : { kind: "path", text: name.text, within: place.text },
    ),
  );
}
