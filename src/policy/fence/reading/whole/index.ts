/**
 * What a sentence says as a whole, beside its clauses: that everything waits for a word, that what was asked is not meant,
 * who is left out, whose job something is, what stays as it is. Words of this kind are short and come in many shapes; what
 * is misread here can only ever forbid, ask, or take back.
 */
import type { Ban } from "../bans/index.ts";
import type { Lexicon } from "../lexicon.ts";
import type { Segment } from "../segments.ts";
import { segmentsOf } from "../segments.ts";
import type { SentenceReading } from "../sentence.ts";
import { has, type Unit } from "../units.ts";
import { labelOf } from "./labels.ts";
import { ownedBy } from "./owners.ts";
import { leftOut } from "./people.ts";
import { isLabelled, isPutOff, type Retraction, retractionIn, TRAILS } from "./retractions.ts";
import { frameOf, keptPlace, ruleOf } from "./rules.ts";
import { banOf, deedsIn, type Said, saidOf } from "./said.ts";
import { waitOf } from "./waits.ts";

/** Longer sentences are read by their clauses alone. */
const MOST_WORDS = 26;

export interface Whole {
  readonly reading: SentenceReading;
  /** What was asked before this sentence is not meant, or may not be. */
  readonly retracts: Retraction;
  /** What this sentence itself asks for. */
  readonly doubts: Retraction;
}

/** @param asked the question right before this sentence, where there is one */
export function wholeOf(
  reading: SentenceReading,
  lexicon: Lexicon,
  mark: string,
  text: string,
  asked: readonly Unit[] | null,
): Whole {
  const { units } = reading;
  const acts = reading.clauses.filter(({ looks }) => !looks);
  const none = { reading, retracts: null, doubts: null };
  if (units.length > 4 * MOST_WORDS && acts.length === 0) return none;
  const said = saidOf(units, lexicon);
  const isShort = units.length <= MOST_WORDS && mark !== "?";
  const label = isShort ? labelOf(said) : null;
  if (label !== null) return only(reading, [label]);
  if (acts.length > 0) return within(reading, said, isShort);
  const retracts = retractionIn(spoken(said));
  if (retracts !== null) {
    const later = retracts === "doubted" ? frameOf(said, false) : null;
    if (later !== null) return { ...only(reading, [later]), retracts };
    const refused = asked === null ? [] : deedsIn(asked, lexicon);
    return refused.length > 0 && REFUSES.test(said.words)
      ? only(reading, [banOf({ kind: "verbs", verbs: refused }, units)])
      : { reading, retracts, doubts: null };
  }
  if (!isShort) return none;
  const made = alone(reading, said, text);
  const bans =
    exceptFirst(made ?? (reading.bans.length === 1 ? (reading.bans[0] ?? null) : null), units) ?? made;
  return bans === null ? none : only(reading, [bans]);
}

const only = (reading: SentenceReading, bans: readonly Ban[]): Whole => ({
  reading: { ...reading, bans, clauses: [], delegated: [], assents: false },
  retracts: null,
  doubts: null,
});

const REFUSES =
  /^(?:no|never|nope|nah|nein|nie|niemals|nunca|不|不行|不要|别|absolutely not|no way|of course not|certainly not)\b/u;

const spoken = ({ words, bare, lexicon }: Said): string => (lexicon.language === "zh" ? bare : words);

/** Where the clauses say what is forbidden, only what is said of everything says it better. */
function alone(reading: SentenceReading, said: Said, text: string): Ban | null {
  // `I don't want to spend more than 50 euros` sets a limit.
  const isSum = said.units.some((unit) => has(unit, "currency") || unit.token.kind === "money");
  if (isSum && said.units.some((unit) => has(unit, "floor"))) return null;
  const bans = reading.bans.filter(({ stops, soft }) => stops === undefined && !soft);
  const frame = frameOf(said, false) ?? (bans.length === 0 ? inParts(reading, said) : null);
  // `Nothing goes out without my approval.`
  if (frame !== null) return waitOf(said) === null ? frame : { ...frame, asks: true };
  // `The others stay.`: all but what was asked for just before.
  if (bans.length > 0 && bans.every(({ kind }) => kind === "all") && REST.test(spoken(said)))
    return banOf({ kind: "exclusive" }, said.units);
  if (bans.every(({ kind }) => kind === "all" || kind === "delete")) {
    const strong = leftOut(said, text) ?? keptPlace(said.units, said);
    if (strong !== null) return strong;
  }
  if (bans.every(({ asks }) => asks)) {
    const wait = waitOf(said);
    if (wait !== null) return wait;
  }
  return bans.length > 0 ? null : (ownedBy(said) ?? ruleOf(said));
}

/** `Except for README.md, don't change anything.`, `除了 README.md 之外什么都不要改`: what is named may. */
function exceptFirst(ban: Ban | null, units: readonly Unit[]): Ban | null {
  const at = units.findIndex(({ token }) => token.kind !== "punct" && token.kind !== "break");
  if (ban === null || !has(units[at], "except")) return null;
  const to = ban.first > at ? ban.first : units.length;
  const names = units.slice(at, to).some(({ token }) => NAMES.test(token.kind));
  if (!names || (ban.kind !== "all" && ban.kind !== "verbs")) return null;
  return { ...ban, first: at, objects: [{ from: at, to }], exceptFrom: at };
}

const NAMES = /^(?:email|handle|channel|path|file|host|url|quoted|id|phone)$/;

/** `Local only, nothing upstream.`: each part says it. */
function inParts({ units }: SentenceReading, { lexicon }: Said): Ban | null {
  const segments = segmentsOf(units);
  if (segments.length < 2) return null;
  for (const segment of segments) {
    const ban = frameOf(saidOf(units, lexicon, segment), true);
    if (ban !== null) return { ...ban, first: 0, last: units.length, objects: [] };
  }
  return null;
}

const BY_MYSELF =
  /^(?:(?:but|and|no|ok) )*(?:i|i'd|i'll|i want|i will|we|we'll|ich|yo)\b.*\b(?:myself|ourselves|personally|on my own|selbst|selber|yo mism[oa])$|^(?:(?:den|die|das|der) )?\w+ (?:mache|erledige|ubernehme|schicke|sende|pushe|schreibe) ich(?: (?:selbst|selber|dann|spater|schon))?$/u;

/** What stands behind it is the text of something. */
const QUOTES =
  /\b(?:says|saying|reads|reading|text|message|words|content|body|titled|title|subject|following|sagt|steht|lautet|text|dice|diga|texto|contenido)$|(?:写着|内容|说|内容是|写道)$/u;

const REST =
  /^(?:please )?(?:(?:leave|keep) )?(?:everything|all|anything|the) (?:else|others?|other \w+|rest)\b|^(?:others|der rest|alles andere|die anderen|lo demas|el resto|los demas)\b|^(?:其他|其余|别的)/u;

/** Verbs by which the person gives their word, or others do. */
const ANSWERS = /^(?:approve|confirm|rate|share|make|create|fix|accept|sign|notify|grant|reply|answer)$/;

/** `run it by me`, `show me first` */
const GIVES = /^(?:run|show|get|clear|check|ask|confirm|leg|lege|fang|fange)\b/u;

/** A sentence that asks for something and takes it back, puts it off, or lets it wait. */
function within(reading: SentenceReading, said: Said, isShort: boolean): Whole {
  const whole = clauses(reading, said, isShort);
  if (whole.doubts === null) return whole;
  // What an earlier turn asked for is put off with it.
  const put = whole.reading.clauses
    .filter(({ looks }) => !looks)
    .map(({ verb, objects }) =>
      banOf({ kind: "verbs", verbs: [verb], objects: [...objects], asks: true }, reading.units),
    );
  return { ...whole, reading: { ...whole.reading, bans: [...whole.reading.bans, ...put] } };
}

function clauses(reading: SentenceReading, said: Said, isShort: boolean): Whole {
  const { units, clauses } = reading;
  const { lexicon } = said;
  const segments = segmentsOf(units);
  const first = clauses.find(({ looks }) => !looks);
  const spared = units.filter(
    (_, at) => !clauses.some(({ bodies }) => bodies.some(({ from, to }) => at >= from && at < to)),
  );
  const outside = spared.length === units.length ? said : saidOf(spared, lexicon);
  let doubts: Retraction = trailing(segments, units, lexicon, first?.head ?? 0);
  if (doubts === null && first !== undefined && TRAILS.test(outside.words)) doubts = "withdrawn";
  if (doubts === null && isPutOff(outside.words, outside.bare)) doubts = "doubted";
  const colon = units.findIndex(({ token, text }) => token.kind === "punct" && text === ":");
  const label = colon > 0 ? saidOf(units, lexicon, { from: 0, to: colon }) : null;
  if (doubts === null && label !== null && isLabelled(spoken(label))) doubts = "doubted";
  // `Write a note that says: never delete anything.`
  if (label !== null && QUOTES.test(label.words) && first !== undefined && first.head < colon)
    return {
      reading: { ...reading, bans: reading.bans.filter((ban) => ban.first < colon) },
      retracts: null,
      doubts,
    };
  if (!isShort) return { reading, retracts: null, doubts };
  const frame = frameOf(said, true);
  if (frame !== null) {
    // `commit locally only and email Bob`: whatever does not leave by that way is asked for.
    const kept =
      frame.verbs[0] === "push" ? clauses.filter(({ verb }) => verb !== "push" && verb !== "upload") : [];
    return {
      reading: { ...reading, clauses: kept, bans: [frame], delegated: [] },
      retracts: null,
      doubts,
    };
  }
  // `邮件我来发`: the verb is there, and somebody else does it.
  const own =
    reading.bans.length === 0 && (lexicon.language === "zh" || BY_MYSELF.test(said.words))
      ? ownedBy(said)
      : null;
  if (own !== null) return only(reading, [own]);
  const wait = reading.bans.every(({ asks }) => asks) ? waitOf(outside, true) : null;
  if (wait === null) return { reading, retracts: null, doubts };
  const kept = clauses.filter(
    ({ looks, verb, head }) => !looks && !ANSWERS.test(verb) && !GIVES.test(units[head]?.text ?? ""),
  );
  const verbs = kept.map(({ verb }) => verb);
  return {
    reading: {
      ...reading,
      clauses: kept,
      bans: [verbs.length > 0 ? { ...wait, kind: "verbs", verbs } : wait],
    },
    retracts: null,
    doubts,
  };
}

/** The last parts of the sentence, as far as they say nothing but that it is not meant. */
function trailing(
  segments: readonly Segment[],
  units: readonly Unit[],
  lexicon: Lexicon,
  head: number,
): Retraction {
  let found: Retraction = null;
  for (let index = segments.length - 1; index > 0; index--) {
    const segment = segments[index];
    if (segment === undefined || segment.from <= head) break;
    if (segment.joints.includes("then")) break;
    if (segment.joints.includes("or") || segment.joints.includes("and")) {
      const words = saidOf(units, lexicon, segment).words;
      if (!/^(?:rather|maybe|perhaps|better)/u.test(words)) break;
    }
    const part = saidOf(units, lexicon, segment);
    const one = retractionIn(lexicon.language === "zh" ? part.bare : part.words);
    if (one === null) break;
    if (found !== "withdrawn") found = one;
  }
  return found;
}
