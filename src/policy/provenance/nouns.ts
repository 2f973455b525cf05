/**
 * Decisions told without a subject and its verb: passives (`as requested by the user`), what was settled with or came
 * from the user, the user's decision as a noun, `Decision (user, 3 Oct):`, `user-approved`.
 */
import type { Reading, Saying } from "./reading.ts";
import { Kind } from "./tokens.ts";
import { type DecisionKind, Role, type VerbForm } from "./words/index.ts";
import {
  ADJECTIVES,
  ASKING,
  CHINESE_LABELS,
  CHINESE_NOUNS,
  COMPOUND,
  FOLLOWING,
  NOUNS,
  OPEN_WORDS,
  OWNED_ONLY,
  PARTICIPLES,
  PARTICLES,
  PICKED,
  RECEIVED,
  TOGETHER,
  UNDECIDED,
  WEAK,
} from "./words/nouns.ts";

const FORMS = new Map<string, VerbForm>();

function form(pattern: string, kind: DecisionKind): VerbForm {
  const key = `${pattern} ${kind}`;
  let known = FORMS.get(key);
  if (known === undefined) {
    known = { pattern, kind };
    FORMS.set(key, known);
  }
  return known;
}

/** A saying whose words are the tokens `first` to `last`. */
function saying(
  reading: Reading,
  pattern: string,
  kind: DecisionKind,
  first: number,
  last: number,
  trailing: boolean,
): Saying | null {
  const start = reading.at(first)?.start;
  const end = reading.at(last)?.end;
  if (start === undefined || end === undefined) return null;
  return { form: form(pattern, kind), head: { start, end }, trailing, needs: [], next: last + 1 };
}

/** The subject as an object: `approved by the user`, `agreed with the user`, `the go-ahead from the owner`, `per the user`. */
export function objectSaying(reading: Reading, start: number, at: number): Saying | null {
  const before = start - 1;
  const preposition = reading.text(before);
  if (preposition === "per") return perSaying(reading, before, at);
  if (preposition === "of") return ofSaying(reading, before, at);
  if (
    start === at &&
    FOLLOWING.has(preposition) &&
    ASKING.has(reading.text(at + 1)) &&
    !isOpen(reading, before)
  )
    return saying(reading, "en:following-the-user", "instruction", before, at + 1, true);
  const isBy = preposition === "by";
  if (!isBy && preposition !== "with" && preposition !== "from") return null;
  if (!endsName(reading, at) && !(preposition === "from" && CAME.test(reading.text(at + 1)))) return null;
  if (preposition === "from") return fromSaying(reading, before, at);
  const table = isBy ? PARTICIPLES : TOGETHER;
  let back = before - 1;
  while (
    back > before - 6 &&
    (reading.has(back, Role.Filler | Role.Time) || PARTICLES.has(reading.text(back)))
  )
    back -= 1;
  const word = reading.text(back);
  const kind = table.get(word);
  // `Decision by the user, 4 Nov: …`
  const noun = isBy ? NOUNS.get(word) : undefined;
  if (kind === undefined && noun !== undefined && !isOpen(reading, back) && isAnnounced(reading, at))
    return saying(reading, "en:decision-by-the-user", noun, back, at, false);
  if (kind === undefined || isOpen(reading, back)) return null;
  if (isBy && WEAK.has(word) && !isReported(reading, back)) return null;
  // `The supplier confirmed with the user that …` says what the supplier did.
  if (
    word === "confirmed" &&
    !isBy &&
    reading.isPlain(back - 1) &&
    /^(?:that|whether)$/.test(reading.text(at + 1))
  )
    return null;
  return saying(reading, isBy ? "en:by-the-user" : "en:with-the-user", kind, back, at, true);
}

/** The name ends with the subject: not `by the user interface`, `with the owner's lawyer`. */
function endsName(reading: Reading, at: number): boolean {
  const next = reading.at(at + 1);
  if (next === undefined || next.kind === Kind.mark || next.kind === Kind.number) return true;
  if (/^(?:last|this|next|that|one|two|each)$/.test(reading.text(at + 1))) return true;
  return (
    next.quote !== (reading.at(at)?.quote ?? -1) ||
    (next.roles & ~(Role.Field | Role.Source | Role.Scenario | Role.Stage | Role.Medium | Role.Doubt)) !== 0
  );
}

/** A passive that is a rule, a wish or still to come. */
function isOpen(reading: Reading, at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - 8); back--) {
    if (reading.has(back, Role.Comma | Role.Dash | Role.Colon | Role.Open)) return false;
    if (reading.has(back, Role.Negation | Role.Modal | Role.Condition | Role.Hedge)) return true;
    if (OPEN_WORDS.has(reading.text(back))) return true;
  }
  return false;
}

/** `as requested`, `was requested`, `…, requested`. */
function isReported(reading: Reading, at: number): boolean {
  let back = at - 1;
  while (back >= 0 && reading.has(back, Role.Filler | Role.Time)) back -= 1;
  const text = reading.text(back);
  if (back < 0 || text === "as" || text === "was" || text === "were" || text === "been") return true;
  return reading.has(back, Role.Comma | Role.Dash | Role.Open | Role.Perfect);
}

/** `by order of the user`, `at the request of the owner`. */
function ofSaying(reading: Reading, before: number, at: number): Saying | null {
  const kind = NOUNS.get(reading.text(before - 1));
  if (kind === undefined) return null;
  let first = before - 2;
  while (first > before - 4 && (reading.has(first, Role.Determiner) || ADJECTIVES.has(reading.text(first))))
    first -= 1;
  const frame = reading.text(first);
  if (!(FOLLOWING.has(frame) || (frame === "with" && isTold(reading, first, at))) || isOpen(reading, first))
    return null;
  return saying(reading, "en:following-the-user", kind, first, at, true);
}

/** `Deployed with the owner's approval`, `With the user's approval, I …`: done, not to be done. */
function isTold(reading: Reading, preposition: number, at: number): boolean {
  for (let back = preposition - 1; back >= Math.max(0, preposition - 8); back--)
    if (/.ed$|^(?:sent|made|wrote|took|gave|built|ran|went|did|put|was|were)$/.test(reading.text(back)))
      return true;
  for (let next = at + 1; next < at + 8; next++)
    if (reading.has(next, Role.Modal)) return false;
    else if (reading.has(next, Role.Comma))
      return /^(?:i|we)$/.test(reading.text(next + 1)) && !reading.has(next + 2, Role.Modal);
    else if (/.ed$|^(?:was|were|went|is)$/.test(reading.text(next)))
      return next > at + 2 || /^(?:i|we)$/.test(reading.text(next - 1));
  return false;
}

function perSaying(reading: Reading, before: number, at: number): Saying | null {
  if (reading.text(at - 1) === "per") {
    // `60 requests per user` is a rate; `per user request` is none.
    const kind = NOUNS.get(reading.text(at + 1));
    return kind === undefined ? null : saying(reading, "en:per-the-user", kind, before, at + 1, true);
  }
  const next = reading.at(at + 1);
  const ends =
    next === undefined ||
    (next.kind === Kind.mark && (next.roles & Role.Open) === 0) ||
    (next.roles & (Role.Time | Role.Function | Role.Preposition | Role.Open)) !== 0;
  const kind = ends ? "instruction" : NOUNS.get(reading.text(at + 1));
  if (kind === undefined) return null;
  return saying(reading, "en:per-the-user", kind, before, ends ? at : at + 1, true);
}

/** `Approval from the user for the trip is pending`. */
function isOpenBehind(reading: Reading, at: number): boolean {
  for (let next = at + 1; next < at + 12; next++)
    if (UNDECIDED.has(reading.text(next)) || reading.has(next, Role.Negation | Role.Modal | Role.Condition))
      return true;
  return false;
}

const CAME = /^(?:came|arrived|received|in|was|on|reached)$/;

function fromSaying(reading: Reading, before: number, at: number): Saying | null {
  let noun = before - 1;
  while (noun > before - 5 && reading.has(noun, Role.Filler | Role.Time)) noun -= 1;
  let kind = NOUNS.get(reading.text(noun));
  if (kind === undefined && reading.text(noun) === "light" && reading.text(noun - 1) === "green")
    kind = "approval";
  if (kind === undefined || isOpen(reading, noun)) return null;
  let first = noun;
  while (
    first > 0 &&
    first > noun - 4 &&
    (ADJECTIVES.has(reading.text(first - 1)) || /^(?:the|a|an|green)$/.test(reading.text(first - 1)))
  )
    first -= 1;
  const isLabel = reading.has(at + 1, Role.Colon | Role.Dash) && !UNDECIDED.has(reading.text(at + 2));
  const isHeld = RECEIVED.has(reading.text(first - 1));
  const came = CAME.test(reading.text(at + 1));
  const isNote = first <= 1 && /^(?:for|to|on)$/.test(reading.text(at + 1)) && !isOpenBehind(reading, at);
  return isLabel || isHeld || isNote || came
    ? saying(reading, "en:from-the-user", kind, first, at, !isLabel)
    : null;
}

/**
 * The user's decision as a noun: `the user's decision: …`, `User decision: …`, `Decision (user, 3 Oct): …`,
 * `user-approved …`. @param at a word without a role, or a subject
 */
export function nounSaying(reading: Reading, at: number): Saying | null {
  const token = reading.at(at);
  if (token === undefined) return null;
  if ((token.roles & Role.Subject) === 0) return compoundSaying(reading, at);
  if (!token.owns && reading.has(at - 1, Role.Open)) return labelledSaying(reading, at);
  if (reading.isHan(at)) return token.owns ? null : chineseNoun(reading, at);
  let noun = at + 1;
  while (noun < at + 4 && ADJECTIVES.has(reading.text(noun))) noun += 1;
  const word = reading.text(noun);
  const start = reading.has(at - 1, Role.Determiner) ? at - 1 : at;
  // `User's answer: yes`.
  if (
    /^(?:answer|reply|response)$/.test(word) &&
    reading.has(noun + 1, Role.Colon) &&
    ANSWERS.test(reading.text(noun + 2))
  )
    return saying(reading, "en:the-user's-answer", "approval", start, noun + 2, false);
  const kind = NOUNS.get(word);
  if (kind === undefined) return null;
  const isAllowed =
    token.owns ||
    reading.text(at) === "owner" ||
    word === "instruction" ||
    word === "directive" ||
    !OWNED_ONLY.has(word);
  if (kind === "approval" && isReceived(reading, noun) && !isOpen(reading, start))
    return saying(reading, "en:user-approval-received", kind, start, noun, false);
  if (!isAllowed) return null;
  if (isAnnounced(reading, noun)) return saying(reading, "en:the-user's-decision", kind, start, noun, false);
  if (!token.owns) return null;
  const before = reading.text(start - 1);
  if (
    /^(?:got|have|has|had|received|obtained|secured)$/.test(before) &&
    NOUNS.get(word) === "approval" &&
    !isOpen(reading, start - 1)
  )
    return saying(reading, "en:got-the-user's-approval", kind, start - 1, noun, true);
  const follows = FOLLOWING.has(before) || (before === "with" && isTold(reading, start - 1, noun));
  if (follows && !isOpen(reading, start - 1))
    return saying(reading, "en:following-the-user", kind, start - 1, noun, true);
  if (/^(?:was|is|were)$/.test(before) && /^(?:it|this|that|these|which)$/.test(reading.text(start - 2)))
    return saying(reading, "en:it-was-the-user's-decision", kind, start - 2, noun, true);
  return null;
}

const ANSWERS = /^(?:yes|no|ok|okay|approved|agreed|go|fine|not|never|rejected|do|don't)$/;

/** `User approval received`, `Owner go-ahead for the fence came on Monday`. */
function isReceived(reading: Reading, noun: number): boolean {
  for (let next = noun + 1; next < noun + 8; next++) {
    const text = reading.text(next);
    if (/^(?:received|obtained|given|granted|secured|arrived|came)$/.test(text))
      return !reading.has(next - 1, Role.Negation | Role.Modal) && reading.text(next - 1) !== "be";
    if (reading.has(next, Role.Comma | Role.Colon | Role.Dash | Role.Negation | Role.Modal | Role.Condition))
      return false;
    if (text === "" || text === "is" || text === "to") return false;
  }
  return false;
}

/** `…: ship on Friday`, `… (3 Oct): …`, `… was to ship`, `… stands`; not `…: pending`. */
function isAnnounced(reading: Reading, noun: number): boolean {
  let next = noun + 1;
  if (reading.has(next, Role.Open)) next = reading.closing(next) + 1;
  while (next > 0 && next < noun + 10 && !reading.has(next, Role.Colon)) {
    const isDate = reading.has(next, Role.Time | Role.Filler | Role.Preposition);
    if (!isDate && !(reading.has(next, Role.Comma) && reading.has(next + 1, Role.Time))) break;
    next += 1;
  }
  if (reading.has(next, Role.Colon))
    return !UNDECIDED.has(reading.text(next + 1)) && reading.text(next + 1) !== "?";
  if (reading.has(next, Role.Dash)) return next === noun + 1 && !UNDECIDED.has(reading.text(next + 1));
  const text = reading.text(next);
  if (text === "stands" || text === "stood") return true;
  if (!/^(?:was|is|were)$/.test(text)) return false;
  const said = reading.text(next + 1);
  if (said === "not") return /^(?:to|before|until|more)$/.test(reading.text(next + 2));
  // `The user's pick is the walnut desk`; not `… is saved in a cookie`.
  const plain =
    reading.isPlain(next + 1) &&
    !/(?:ed|en|ing|ble)$/.test(said) &&
    !UNDECIDED.has(said) &&
    PICKED.has(reading.text(noun));
  return (
    plain ||
    (reading.has(next + 1, Role.Determiner) && PICKED.has(reading.text(noun))) ||
    /^(?:to|that|final|no|yes|against|binding|for)$/.test(said)
  );
}

/** `Decision (user, 3 Oct): …`, `Approved [owner] - …`. */
function labelledSaying(reading: Reading, at: number): Saying | null {
  const open = at - 1;
  const close = reading.closing(open);
  if (close < 0 || !reading.has(at + 1, Role.Comma | Role.Time | Role.Close | Role.Filler | Role.Preposition))
    return null;
  const word = reading.text(open - 1) === "off" ? "signed" : reading.text(open - 1);
  const end = reading.at(open)?.start ?? 0;
  const chinese = CHINESE_NOUN.exec(reading.lower.slice(Math.max(reading.start, end - 4), end))?.[0].trim();
  const kind =
    NOUNS.get(word) ??
    PARTICIPLES.get(word) ??
    (chinese === undefined ? undefined : CHINESE_NOUNS.get(chinese));
  if (kind === undefined || !reading.has(close + 1, Role.Colon | Role.Dash)) return null;
  return UNDECIDED.has(reading.text(close + 2))
    ? null
    : saying(reading, "en:decision-(user)", kind, open - 1, close, false);
}

function compoundSaying(reading: Reading, at: number): Saying | null {
  const token = reading.at(at);
  if (token === undefined || token.kind !== Kind.word || token.end - token.start < 10) return null;
  const first = reading.lower.charCodeAt(token.start);
  if (first !== 0x75 && first !== 0x6f) return null;
  const found = COMPOUND.exec(reading.text(at));
  if (found === null || isOpen(reading, at) || /^(?:a|an|non|any)$/.test(reading.text(at - 1))) return null;
  if (reading.has(at + 1, Role.Field) || reading.has(at + 1, Role.Be)) return null;
  return saying(reading, "en:user-approved", PARTICIPLES.get(found[1] ?? "") ?? "approval", at, at, true);
}

const CHINESE_NOUN = new RegExp(`(?:${[...CHINESE_NOUNS.keys()].join("|")})\\s*$`);
const CHINESE_UNDECIDED = /^[:\s]*(?:待|未|无|暂|没|不详|不明|\?|空|n\/a|tbd)/;

/** 用户的决定:…, 用户的意思是…, 这是老板的决定。 */
function chineseNoun(reading: Reading, at: number): Saying | null {
  if (CHINESE_LABELS.has(reading.text(at + 1))) {
    const last = at + 1;
    const told =
      reading.has(last + 1, Role.Colon) &&
      !CHINESE_UNDECIDED.test(
        reading.lower.slice(reading.at(last)?.end ?? 0, (reading.at(last)?.end ?? 0) + 4),
      );
    return told ? saying(reading, "zh:用户意见", "decision", at, last, false) : null;
  }
  if (reading.text(at + 1) !== "的") return null;
  let noun = at + 2;
  while (noun < at + 4 && /^(?:最终|最后|最新|正式|明确|原话|书面)$/.test(reading.text(noun))) noun += 1;
  const kind = CHINESE_NOUNS.get(reading.text(noun));
  if (kind === undefined) return null;
  const next = reading.text(noun + 1);
  const announced = next === ":" || (next === "是" && !/^(?:什么|否|啥)/.test(reading.text(noun + 2)));
  const got = /(?:得到|获得|獲得|取得|征得|拿到|有)了?$/.test(
    reading.lower.slice(Math.max(reading.start, (reading.at(at)?.start ?? 0) - 4), reading.at(at)?.start),
  );
  if (
    got &&
    kind === "approval" &&
    /了$|已/.test(
      reading.lower.slice(Math.max(reading.start, (reading.at(at)?.start ?? 0) - 6), reading.at(at)?.start),
    ) &&
    !/^(?:后|之|以|才|前|再)/.test(next)
  )
    return saying(reading, "zh:得到用户的同意", kind, at, noun, true);
  const told = reading.text(at - 1) === "是" && /^(?:这|那|此|都|正)$/.test(reading.text(at - 2) || "这");
  return announced || told ? saying(reading, "zh:用户的决定", kind, at, noun, !announced) : null;
}
