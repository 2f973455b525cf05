/** A sentence's units -> segments: pieces between commas, conjunctions and what begins a clause of its own. */
import { has, isPunct, type Unit } from "./units.ts";
import type { Tag } from "./words/table.ts";

/** What stands before a segment. */
export type Joint =
  | "start"
  | "comma"
  | "colon"
  | "dash"
  | "line"
  | "paren"
  | "and"
  | "or"
  | "but"
  | "then"
  | Subordinate;
export type Subordinate = "if" | "until" | "after" | "because" | "relative";

/** Units `from` up to, not with, `to`. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly joints: readonly Joint[];
}

const JOINING: readonly (readonly [Tag, Joint])[] = [
  ["but", "but"],
  ["and", "and"],
  ["or", "or"],
  ["then", "then"],
];
const SUBORDINATE: readonly Subordinate[] = ["if", "until", "after", "because", "relative"];

export function segmentsOf(units: readonly Unit[]): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  let joints: Joint[] = ["start"];
  const close = (to: number, next: Joint): void => {
    if (to > from) {
      segments.push({ from, to, joints });
      joints = [next];
    } else joints.push(next);
  };
  for (let at = 0; at < units.length; at++) {
    const unit = units[at];
    if (unit === undefined) break;
    const joint = punctuation(unit) ?? joining(units, at);
    if (joint !== null) {
      close(at, joint);
      from = at + 1;
      continue;
    }
    if (at === from) continue;
    // Chinese says behind a clause that another depends on it.
    if (/^(?:以后|之后|后|的时候|的话|完后|好后)$/.test(unit.text)) {
      segments.push({ from, to: at + 1, joints: [...joints, "if"] });
      joints = ["comma"];
      from = at + 1;
      continue;
    }
    const opens = SUBORDINATE.find((tag) => has(unit, tag));
    if (opens !== undefined && begins(units, at, opens)) {
      close(at, opens);
      from = at;
    }
  }
  close(units.length, "start");
  return segments;
}

function punctuation(unit: Unit): Joint | null {
  if (unit.token.kind === "break") return "line";
  if (isPunct(unit, ",")) return "comma";
  if (isPunct(unit, ":")) return "colon";
  if (isPunct(unit, "-|")) return "dash";
  if (isPunct(unit, "()[]")) return "paren";
  return isPunct(unit, ".!?;") ? "comma" : null;
}

function joining(units: readonly Unit[], at: number): Joint | null {
  const unit = units[at];
  // `only` and `yet` join clauses in some senses and not in others; the plain words decide.
  if (has(unit, "only") || has(unit, "any") || has(unit, "except"))
    return has(unit, "but") && unit?.text === "but" ? "but" : null;
  for (const [tag, joint] of JOINING) if (has(unit, tag)) return joint;
  return null;
}

/** `the email that alice sent` begins a clause, `delete that` does not; `before Friday` is a time. */
function begins(units: readonly Unit[], at: number, tag: Subordinate): boolean {
  const next = units[at + 1];
  if (next === undefined || next.token.kind === "punct") return false;
  if (tag === "relative") {
    const before = units[at - 1];
    // `to that channel`: behind a preposition it points.
    if (
      has(before, "to") ||
      has(before, "in") ||
      has(before, "from") ||
      has(before, "with") ||
      has(before, "for")
    )
      return false;
    if (has(units[at], "any") && (has(before, "verb") || has(before, "read") || has(before, "not"))) {
      // `tell bob@… that …` says something; `delete that file` names something.
      return has(next, "subject") || has(next, "modal") || has(next, "be") || has(next, "det");
    }
    return true;
  }
  return true;
}
