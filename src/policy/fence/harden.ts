/**
 * A model's draft, held to the words it was made from (the AgentsFence seed, "Compile at task start"). A draft can only
 * ever take away: what it asks for has to stand on a quote from the person's own words, in a clause that the offline
 * reader too hears asking for that very class; whom and what it names has to be named there. What it forbids is heard
 * wherever the quote is theirs, since narrowing is free.
 */
import { type DataSpan, dataSpans } from "../text/quoting.ts";
import type { Draft, DraftDropped, DraftPermission } from "./draft.ts";
import type { Dropped, Permission, Prohibition, Span, Target, TurnReading } from "./types.ts";

const MAX_DROPPED = 64;
/** Places at which one quote is looked for; a quote that stands more often names no place. */
const MOST_TRIES = 64;
/** Code in a sentence rather than a block of it. */
const LONGEST_INLINE = 200;

type Unplaced<T extends { id: string }> = Omit<T, "id">;

/**
 * @param draft as `readDraft` brought it into shape
 * @param left what was already left out on the way
 * @param text the turn as it was typed
 * @param reading what the offline reader says of the same text
 */
export function harden(
  draft: Draft,
  left: readonly DraftDropped[],
  text: string,
  reading: TurnReading,
): TurnReading {
  const spans = dataSpans(text);
  const dropped: Dropped[] = left.map(({ quote, cause }) => ({ quote, span: null, cause }));
  const drop = (quote: string, span: Span | null, cause: string): void => {
    if (dropped.length < MAX_DROPPED) dropped.push({ quote, span, cause });
  };
  const supports = new Map<number, DraftPermission[]>();
  for (const one of draft.permissions) {
    const places = placesOf(one.quote, text, spans);
    if (places.length === 0) {
      drop(one.quote, null, "not-the-users-words");
      continue;
    }
    const heard = reading.permissions.flatMap(({ risk, span }, at) =>
      risk === one.risk && places.some((place) => meets(span, place)) ? [at] : [],
    );
    if (heard.length === 0) drop(one.quote, places[0] ?? null, "no-request");
    for (const at of heard) supports.set(at, [...(supports.get(at) ?? []), one]);
  }
  const permissions: Unplaced<Permission>[] = [];
  const again: number[] = [];
  for (const [at, heard] of reading.permissions.entries()) {
    const drafts = supports.get(at);
    if (drafts === undefined) {
      drop(heard.quote, heard.span, "not-drafted");
      continue;
    }
    if (reading.again.includes(at)) again.push(permissions.length);
    permissions.push(narrowed(heard, drafts, drop));
  }
  const prohibitions: Unplaced<Prohibition>[] = [...reading.prohibitions];
  for (const one of draft.prohibitions) {
    const [span] = placesOf(one.quote, text, spans);
    if (span === undefined) drop(one.quote, null, "not-the-users-words");
    else prohibitions.push({ ...one, span, rationale: "A model reads these words as forbidding it." });
  }
  return { ...reading, permissions, prohibitions, again, dropped: [...reading.dropped, ...dropped] };
}

/** A turn that nobody could draft: what it forbids is in force, what it asks for is asked about. */
export function undrafted(reading: TurnReading): TurnReading {
  return { ...reading, permissions: [], again: [], delegated: [] };
}

/** The turn without what is only shown in it: all that a model is given. */
export function ownWords(text: string): string {
  let words = "";
  let from = 0;
  for (const { start, end, kind } of dataSpans(text)) {
    // A quoted name may be what the sentence is about; only what is shown at length is taken out.
    if (kind === "quote") continue;
    words += `${text.slice(from, start)} … `;
    from = end;
  }
  return words + text.slice(from);
}

/** What both say: the targets that draft and reader name, the lower of the limits. */
function narrowed(
  heard: Unplaced<Permission>,
  drafts: readonly DraftPermission[],
  drop: (quote: string, span: Span | null, cause: string) => void,
): Unplaced<Permission> {
  const drafted = drafts.flatMap(({ targets }) => targets);
  for (const one of drafted)
    if (!heard.targets.some((target) => same(target, one))) drop(one.text, heard.span, "target-not-named");
  const everyDraftNames = drafts.every(({ targets }) => targets.length > 0);
  const both = heard.targets.filter((target) => drafted.some((one) => same(target, one)));
  // A draft that names nothing of what is named there narrows nothing: without a target, more would be allowed.
  const targets = everyDraftNames && both.length > 0 ? both : heard.targets;
  const limits = [heard.limit, ...drafts.map(({ limit }) => limit)].filter((limit) => limit !== null);
  return { ...heard, targets, limit: limits.length === 0 ? null : Math.min(...limits) };
}

function same(a: Target, b: Target): boolean {
  return a.text.trim().toLowerCase() === b.text.trim().toLowerCase();
}

/** Where the quote stands in the person's own words, verbatim; not in what is only shown. */
function placesOf(quote: string, text: string, spans: readonly DataSpan[]): Span[] {
  const places: Span[] = [];
  if (quote.trim() === "") return places;
  let tries = 0;
  for (
    let at = text.indexOf(quote);
    at !== -1 && places.length < 8 && tries < MOST_TRIES;
    at = text.indexOf(quote, at + quote.length)
  ) {
    tries += 1;
    const place: Span = { turn: 0, start: at, end: at + quote.length };
    // A clause may hold a quoted name or a command; a quoted sentence is no clause of theirs.
    const isShown = (span: DataSpan): boolean =>
      span.kind === "quote" || (span.kind === "code" && span.end - span.start <= LONGEST_INLINE)
        ? span.start <= place.start && place.end <= span.end
        : meets(span, place);
    if (!spans.some(isShown)) places.push(place);
  }
  return places;
}

function meets(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}
