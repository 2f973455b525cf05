/** Where a text stands in another: exactly, or with white space, Unicode forms and quote marks made equal. */
import { normalise } from "./normal.ts";
import type { Span } from "./tokens.ts";

const CURLED = /[\u2018\u2019\u201a\u201b\u2032]/g;
const DOUBLE_CURLED = /[\u201c\u201d\u201e\u201f\u2033]/g;
/** More places than this are not looked for. */
const MOST = 1000;

/** Steps that looking may still take; many operations on a long text must not cost their product. */
export interface Effort {
  left: number;
}

/** Some 100 ms. */
export const newEffort = (): Effort => ({ left: 40_000_000 });
const FOLDING_STEPS = 12;

/**
 * All places of `wanted`, none overlapping. When it stands nowhere as it is, it is looked for again with white space
 * collapsed and Unicode and quote marks made equal, as Hermes applies patches; the seed's "fuzzy matching" without its
 * block anchors. Total, linear; nothing is found once the effort is spent.
 */
export function placesOf(text: string, wanted: string, effort: Effort): Span[] {
  if (wanted === "" || effort.left < text.length) return [];
  effort.left -= text.length;
  const exact = all(text, wanted);
  if (exact.length > 0) return exact;
  const folding = (text.length + wanted.length) * FOLDING_STEPS;
  if (effort.left < folding) return [];
  effort.left -= folding;
  const inside = folded(text);
  const looked = folded(wanted).text.trim();
  if (looked === "") return [];
  return all(inside.text, looked).map(({ start, end }) => ({
    start: inside.at[start] ?? 0,
    end: inside.at[end] ?? text.length,
  }));
}

function all(text: string, wanted: string): Span[] {
  const found: Span[] = [];
  for (
    let at = text.indexOf(wanted);
    at >= 0 && found.length < MOST;
    at = text.indexOf(wanted, at + wanted.length)
  )
    found.push({ start: at, end: at + wanted.length });
  return found;
}

/** `at[i]` is where the character `i` of the folded text began; one more for the end. */
function folded(text: string): { text: string; at: readonly number[] } {
  const normal = normalise(text);
  const plain = normal.text.replace(CURLED, "'").replace(DOUBLE_CURLED, '"');
  const at: number[] = [];
  let out = "";
  let last = 0;
  for (const match of plain.matchAll(/\s+/g)) {
    for (let index = last; index < match.index; index++) at.push(normal.offsetOf(index));
    out += plain.slice(last, match.index);
    at.push(normal.offsetOf(match.index));
    out += " ";
    last = match.index + match[0].length;
  }
  for (let index = last; index < plain.length; index++) at.push(normal.offsetOf(index));
  out += plain.slice(last);
  at.push(text.length);
  return { text: out, at };
}

/** The text with each of `places` replaced. */
export function replaced(text: string, places: readonly Span[], replacement: string): string {
  let out = "";
  let last = 0;
  for (const { start, end } of places) {
    out += text.slice(last, start) + replacement;
    last = end;
  }
  return out + text.slice(last);
}
