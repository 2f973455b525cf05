/** What a segment begins with, once the words that only lead up to it are skipped: an order, a question, a story, a ban. */
import type { Lexicon } from "./lexicon.ts";
import type { Segment } from "./segments.ts";
import { has, sense, type Unit } from "./units.ts";

export type HeadKind =
  | "verb"
  | "read"
  | "forbid"
  | "sub"
  | "inform"
  | "subject"
  | "delegate"
  | "assent"
  | "other"
  | "empty";

export interface Head {
  readonly kind: HeadKind;
  readonly at: number;
  /** The words turn to the agent, or ask politely. */
  readonly asks: boolean;
  /** The words speak of what the person has to do. */
  readonly weak: boolean;
  /** `please` or a word like it stands before the head. */
  readonly leads: boolean;
  readonly only: boolean;
}

const LEADS = ["idiom", "ask", "weak", "filler"] as const;
const FORBIDDING = ["not", "no", "nothing", "without", "avoid", "readonly", "draftonly"] as const;
const SUBORDINATE = ["if", "until", "after", "because"] as const;
/** Of words that can be fillers, these ask for something. */
const POLITE = new Set([
  "please",
  "pls",
  "plz",
  "kindly",
  "then",
  "now",
  "also",
  "next",
  "finally",
  "so",
  "just",
  "bitte",
  "dann",
  "jetzt",
  "por favor",
  "luego",
  "ahora",
  "请",
  "麻烦",
]);

export function headOf(units: readonly Unit[], segment: Segment, lexicon: Lexicon): Head {
  let at = segment.from;
  let [asks, weak, leads, only, gerund] = [false, false, false, false, false];
  if (segment.joints.includes("relative") && has(units[at], "relative") && has(units[at + 1], "ask")) at += 1;
  if (lexicon.language === "en") at = pastPlace(units, at, segment.to);
  for (; at < segment.to; at++) {
    const unit = units[at];
    if (unit === undefined) break;
    if (unit.token.kind === "quoted" || unit.token.kind === "punct" || unit.token.kind === "number") {
      // A quotation or an item's number before the order is no part of it.
      const next = units[at + 1];
      if (unit.token.kind === "number" && at + 1 < segment.to && !isOrder(next)) break;
      continue;
    }
    const isOnly =
      /^(?:solo|solamente|unicamente)$/.test(unit.text) && sense(units[at + 1], "verb", "b") !== null;
    if (isOnly || (has(unit, "only") && !has(unit, "filler") && !has(unit, "readonly"))) {
      only = true;
      continue;
    }
    if (has(unit, "readonly", "withdraw") && at + 1 >= segment.to) break;
    const lead = LEADS.map((tag) => sense(unit, tag)).find((found) => found !== null);
    if (lead === undefined || lead === null) break;
    const wantsGerund = unit.senses.some(
      ({ tag, value }) => (tag === "ask" || tag === "idiom") && value === "g",
    );
    const next = units[at + 1];
    const standsAlone = has(unit, "verb") || has(unit, "keep") || has(unit, "read") || has(unit, "delegate");
    // `start sending …` leads, `start the server` orders.
    if (wantsGerund && sense(next, "verb", "g") === null && sense(next, "read", "g") === null) {
      if (lead.value === "g" && standsAlone) break;
      if (lead.value === "g") break;
    }
    if (standsAlone && !isOrder(next) && !wantsGerund) break;
    if (lead.tag === "ask" || lead.tag === "idiom") {
      asks = true;
      gerund = wantsGerund && sense(next, "verb", "g") !== null;
    } else if (lead.tag === "weak") {
      weak = true;
      gerund = lead.value === "g";
    } else if (POLITE.has(unit.text)) leads = true;
  }
  const unit = at < segment.to ? units[at] : undefined;
  const head = (kind: HeadKind): Head => ({ kind, at, asks, weak, leads, only });
  if (unit === undefined) return head("empty");
  if (FORBIDDING.some((tag) => has(unit, tag))) return head("forbid");
  if (
    segment.joints.includes("if") &&
    /^(?:以后|之后|后|的时候|的话|完后|好后)$/.test(units[segment.to - 1]?.text ?? "")
  )
    return { ...head("sub"), at: segment.from };
  if (segment.joints.some((joint) => SUBORDINATE.includes(joint as "if")) && has(unit, "relative") === false)
    if (SUBORDINATE.some((tag) => has(unit, tag))) return head("sub");
  if (SUBORDINATE.some((tag) => has(unit, tag)) && !has(unit, "inform")) return head("sub");
  if (has(unit, "inform")) return head("inform");
  // In Chinese the word that asks stands where its answer will.
  if (
    lexicon.language === "zh" &&
    !asks &&
    units.slice(segment.from, segment.to).some((one) => has(one, "inform"))
  )
    return head("inform");
  if (has(unit, "delegate") && sense(unit, "verb", "b") === null) return head("delegate");
  // Where the agent is asked, other languages take the infinitive, or what follows a wish.
  const forms = gerund ? "gb" : lexicon.language !== "en" && (asks || weak) ? "bi" : "b";
  const last = lexicon.grammar.verbLast
    ? verbBehind(units, at, segment.to, lexicon, asks || leads || weak)
    : -1;
  // `let a@… know` tells; any other `let` only lets.
  if (unit.text === "let" && !units.slice(at, segment.to).some(({ text }) => LETS.test(text)))
    return head("other");
  const looks = sense(unit, "read", forms) !== null;
  if (looks && !(sense(unit, "verb", forms) !== null && isAddressed(units, at, segment.to)))
    return head("read");
  if (sense(unit, "verb", forms) !== null && !isNoun(units, at, segment.to, lexicon, asks || weak))
    return head("verb");
  if (last >= 0)
    return {
      kind: sense(units[last], "verb", "ib") !== null ? "verb" : "read",
      at: last,
      asks,
      weak,
      leads,
      only,
    };
  if (has(unit, "assent")) return head("assent");
  return head(has(unit, "subject") ? "subject" : "other");
}

/** `in the repo, run …`, `for each bug create …`: where and for what, before the order. */
function pastPlace(units: readonly Unit[], from: number, to: number): number {
  const first = units[from];
  if (
    first === undefined ||
    !(
      has(first, "in") ||
      has(first, "for") ||
      first.text === "to" ||
      has(first, "from") ||
      first.text === "with"
    )
  )
    return from;
  if (sense(first, "verb", "b") !== null || sense(first, "read", "b") !== null) return from;
  // An infinitive is no place.
  if (sense(units[from + 1], "verb", "b") !== null || sense(units[from + 1], "read", "b") !== null)
    return from;
  for (let at = from + 2; at + 1 < to; at++) {
    const unit = units[at];
    const before = units[at - 1];
    if (has(unit, "subject") || has(unit, "modal") || has(unit, "be")) return from;
    if (
      sense(unit, "verb", "b") === null ||
      has(before, "det") ||
      has(before, "to") ||
      has(before, "from") ||
      has(before, "in")
    )
      continue;
    const next = units[at + 1];
    if (
      has(next, "det") ||
      has(next, "any") ||
      has(next, "me") ||
      (next !== undefined && next.token.kind !== "word")
    )
      return at;
  }
  return from;
}

const LETS = /^(?:know|view|see|edit|comment|access|read|open|join|write)$/;

const isOrder = (unit: Unit | undefined): boolean =>
  unit !== undefined &&
  (sense(unit, "verb", "bg") !== null ||
    sense(unit, "read", "bg") !== null ||
    LEADS.some((tag) => has(unit, tag)) ||
    FORBIDDING.some((tag) => has(unit, tag)));

/** `tell a@… that`, `give Bob access`: what is told or given to somebody else is no question. */
function isAddressed(units: readonly Unit[], at: number, to: number): boolean {
  for (let next = at + 1; next < to && next <= at + 2; next++) {
    const unit = units[next];
    if (unit === undefined || has(unit, "me")) return false;
    if (/^(?:email|handle|phone|channel)$/.test(unit.token.kind) || has(unit, "person")) return true;
    if (!has(unit, "det") && !has(unit, "to"))
      return unit.token.kind === "word" && unit.senses.length === 0 && unit.isName;
  }
  return false;
}

/**
 * Where a language puts the verb behind its object: `bitte die Datei löschen`, `把文件发给…`. A clause with a subject of
 * its own tells a story, unless it turned to the agent before.
 */
function verbBehind(
  units: readonly Unit[],
  from: number,
  to: number,
  lexicon: Lexicon,
  asked: boolean,
): number {
  const isChinese = lexicon.language === "zh";
  if (!asked)
    for (let at = from; at < to; at++) {
      const unit = units[at];
      if (has(unit, "subject") || has(unit, "modal")) return -1;
      if (isChinese && sense(unit, "verb", "b") !== null) break;
    }
  if (isChinese) {
    // Behind 把 stands the object, and its words may be verbs elsewhere.
    const object = /^[把将]$/.test(units[from]?.text ?? "");
    let found = -1;
    for (let at = from; at < to && (found < 0 || object); at++)
      if (sense(units[at], "verb", "b") !== null || (sense(units[at], "read", "b") !== null && found < 0))
        found = at;
    return found;
  }
  for (let at = to - 1; at >= from; at--) {
    if (sense(units[at], "verb", "i") !== null || sense(units[at], "read", "i") !== null) return at;
    if (!asked && units[at]?.token.kind !== "punct") return -1;
  }
  return -1;
}

/** `share price`, `Order has arrived`, `email from alice@…`: the verb is a noun here. */
export function isNoun(
  units: readonly Unit[],
  at: number,
  to: number,
  lexicon: Lexicon,
  asked: boolean,
): boolean {
  const unit = units[at];
  const next = at + 1 < to ? units[at + 1] : undefined;
  if (unit === undefined || next === undefined || asked || unit.text.includes(" ")) return false;
  if (next.text === "of" || next.text === "'s") return true;
  const partners = lexicon.compounds.get(unit.text);
  const words = next.text.split(" ");
  if (partners !== undefined && (partners.has(next.text) || partners.has(words[0] ?? "")))
    return !namesTarget(units, at, to);
  if (
    /^(?:email|mail|message|text|reply|order|post|call|comment|invoice|request|note|transfer|payment|tweet|refund)$/.test(
      unit.text,
    ) &&
    /^(?:from|by|about|with|is|says|said)$/.test(words[0] ?? "")
  )
    return true;
  if (has(next, "be") && next.text !== "get") return true;
  if (/^(?:is|are|was|were)\b/.test(next.text)) return true;
  return has(next, "modal") && !has(next, "verb") && !has(next, "read") && next.text !== "want";
}

/** `Send report to a@…` has no article and is an order all the same: it names its target. */
function namesTarget(units: readonly Unit[], at: number, to: number): boolean {
  for (let next = at + 1; next < to; next++)
    if (/^(?:email|handle|channel|path|file|phone)$/.test(units[next]?.token.kind ?? "")) return true;
  return false;
}
