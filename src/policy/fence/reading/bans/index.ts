/**
 * What a sentence forbids, in any wording (CONVENTIONS §5): don't, never, no …, nothing may be …, without …-ing, hold off
 * on, keep it untouched, off limits, read only, draft only, I'll do it myself, only … and nothing else, ask me first.
 */

import type { Clause } from "../clause.ts";
import type { Head } from "../heads.ts";
import type { Lexicon } from "../lexicon.ts";
import type { Segment } from "../segments.ts";
import { has, sense, type Unit } from "../units.ts";
import { type Ban, BanList } from "./list.ts";
import { before, behind, besides, leavesOut, read, within } from "./phrases.ts";
import { byMyself, statement } from "./statements.ts";
import { finish } from "./waits.ts";

export type { Ban };

export class Bans {
  readonly #list: BanList;

  constructor(units: readonly Unit[], lexicon: Lexicon) {
    this.#list = new BanList(units, lexicon);
  }

  end(): void {
    this.#list.pending = null;
  }

  subordinate(segment: Segment, at: number): void {
    const unit = this.#list.units[at];
    // `now that I've approved it`: nothing is waited for.
    const settled = unit?.text === "now that";
    if (!settled && (has(unit, "until") || has(unit, "after") || has(unit, "if")))
      this.#list.waits.push({ from: at, to: segment.to });
    this.#list.pending = null;
  }

  aside(segment: Segment): void {
    if (this.#list.pending !== null) this.#list.pending.ban.last = segment.to;
  }

  /** An item of a list that forbids. */
  item(segment: Segment, at: number): boolean {
    const found = this.#list.verbs(at, segment.to, "bgpni");
    if (found.verbs.length === 0) return this.#list.lexicon.grammar.verbLast && this.#lastly(segment, at);
    this.#list.push("verbs", found.verbs, segment, { from: found.end, to: segment.to });
    return true;
  }

  /** `Mails an b@… schicken`: where the verb stands behind its object. */
  #lastly(segment: Segment, at: number): boolean {
    for (let last = segment.to - 1; last > at; last--) {
      const verb = sense(this.#list.units[last], "verb", "ib");
      if (verb === null) continue;
      this.#list.push("verbs", [verb.value], segment, { from: at, to: last });
      return true;
    }
    return false;
  }

  /** Whether the segment goes on with the ban before it: `don't send, delete or share`, `or the drafts`. */
  continues(segment: Segment, head: Head, segments: readonly Segment[], index: number): boolean {
    const aside =
      head.kind === "subject" || /^(?:ever|ever again)$/.test(this.#list.units[head.at]?.text ?? "");
    if (
      this.#list.open === "once" &&
      !aside &&
      !segment.joints.every(
        (joint) => joint === "comma" || joint === "paren" || joint === "line" || joint === "dash",
      )
    )
      this.#list.open = null;
    if (
      this.#list.open !== null &&
      !head.asks &&
      !head.leads &&
      (head.kind === "verb" || head.kind === "other")
    ) {
      if (this.item(segment, head.at)) {
        if (this.#list.open === "once") this.#list.open = null;
        return true;
      }
    }
    const pending = this.#list.pending;
    if (
      pending === null ||
      head.asks ||
      head.leads ||
      head.only ||
      head.kind === "forbid" ||
      head.kind === "sub" ||
      head.kind === "inform"
    )
      return false;
    const isColon = segment.joints.includes("colon");
    if (
      !segment.joints.every(
        (joint) =>
          joint === "comma" || joint === "and" || joint === "or" || joint === "line" || joint === "colon",
      )
    )
      return false;
    const isOr = segment.joints.includes("or");
    const unit = this.#list.units[head.at];
    // `…, and ask me before you pay` is a rule of its own.
    if (has(unit, "confirm") && segment.joints.includes("and")) return false;
    // `avoid force pushes, push to origin`: what is forbidden already is not forbidden once more.
    const again = sense(unit, "verb", "b")?.value ?? "";
    if (
      pending.form === "g" &&
      head.kind === "verb" &&
      pending.ban.verbs.includes(again) &&
      head.at + 1 < segment.to
    )
      return false;
    // `stop drafting, email it to …`: the next part is an order.
    if (
      pending.form === "g" &&
      head.kind === "verb" &&
      segment.joints.every((joint) => joint === "comma") &&
      sense(unit, "verb", "g") === null &&
      this.#list.namesSomething(head.at + 1, segment.to)
    )
      return false;
    const forms = pending.form === "b" ? "b" : pending.form === "g" ? "gn" : "p";
    const verb = sense(unit, "verb", forms);
    if (verb !== null && (pending.form !== "b" || head.kind === "verb" || isOr)) {
      const joins = isOr || pending.form !== "b" || pending.bare || this.#endsInOr(segments, index);
      if (!joins) return false;
      pending.ban.verbs.push(verb.value);
      pending.ban.objects.push({ from: head.at + 1, to: segment.to });
      pending.ban.last = segment.to;
      pending.bare = head.at + 1 >= segment.to;
      return true;
    }
    if (
      head.kind === "other" &&
      !this.#isStory(segment) &&
      (!isColon || this.#list.namesSomething(segment.from, segment.to))
    ) {
      pending.ban.objects.push({ from: segment.from, to: segment.to });
      pending.ban.last = segment.to;
      return true;
    }
    return false;
  }

  /** `a, b or c`: what comes before the last comma is part of the enumeration when an `or` follows. */
  #endsInOr(segments: readonly Segment[], index: number): boolean {
    const pending = this.#list.pending;
    if (pending === null || !pending.bare) return false;
    for (let next = index + 1; next < segments.length && next < index + 6; next++)
      if (segments[next]?.joints.includes("or")) return true;
    return false;
  }

  #isStory(segment: Segment): boolean {
    return this.#list.units
      .slice(segment.from, segment.to)
      .some((unit) => has(unit, "be") || has(unit, "modal") || has(unit, "subject"));
  }

  /** `I want to place the order myself`. */
  own(segment: Segment, at: number): boolean {
    return byMyself(this.#list, segment, at);
  }

  behind(segment: Segment, head: number): boolean {
    return behind(this.#list, segment, head);
  }

  before(segment: Segment, head: number, current: Clause | null): boolean {
    return before(this.#list, segment, head, current);
  }

  besides(segment: Segment, at: number): void {
    besides(this.#list, segment, at);
  }

  /** What was forbidden last. */
  lastVerb(): string | null {
    const last = this.#list.bans.at(-1);
    return last?.kind === "verbs" ? (last.verbs.at(-1) ?? null) : null;
  }

  /** All that the request is about, but this. */
  spares(segment: Segment, current: Clause): boolean {
    const range = { from: segment.from, to: segment.to };
    this.#list.push("exclusive", ["not", "words"], segment, range, "b", current);
    return true;
  }

  leavesOut(segment: Segment, current: Clause): number {
    return leavesOut(this.#list, segment, current);
  }

  within(segment: Segment, head: number, current: Clause): void {
    within(this.#list, segment, head, current);
  }

  read(segment: Segment, at: number, current: Clause | null, inQuestion: boolean): "ban" | "aside" | "none" {
    return read(this.#list, segment, at, current, inQuestion);
  }

  statement(segment: Segment, at: number, current: Clause | null): boolean {
    return statement(this.#list, segment, at, current);
  }

  finish(
    segments: readonly Segment[],
    clauses: readonly Clause[],
    endsOpen: boolean,
  ): ReturnType<typeof finish> {
    return finish(this.#list, segments, clauses, endsOpen);
  }
}
