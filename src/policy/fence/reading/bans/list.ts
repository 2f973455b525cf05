/** What a sentence has been found to forbid so far, and how its words are gone through for it. */

import type { Target } from "../../types.ts";
import type { Clause, Range } from "../clause.ts";
import type { Lexicon } from "../lexicon.ts";
import type { Segment } from "../segments.ts";
import { has, sense, type Unit } from "../units.ts";

export interface Ban {
  /**
   * `verbs`: these; `all`: every effect; `egress`: whatever carries something out; `draft`: sending what is drafted;
   * `service`: these, and whatever the services keep that are named.
   */
  readonly kind: "verbs" | "all" | "egress" | "draft" | "delete" | "exclusive" | "service";
  readonly verbs: string[];
  first: number;
  last: number;
  /** Where it names what it binds. */
  readonly objects: Range[];
  /** The request whose targets stay allowed, or whose class it narrows. */
  readonly clause: Clause | null;
  /** The person wants to be asked first. */
  asks: boolean;
  /** Falls away where the sentence also asks for something: `just read it and send …`. */
  readonly soft: boolean;
  /** It ends what was asked before: for now, or for good. */
  stops?: "pause" | "withdraw";
  readonly exceptFrom: number | null;
  /** Whom it binds, where that is not told by its objects. */
  readonly targets?: readonly Target[];
}

/** Bare, gerund, participle. */
export type Forms = "b" | "g" | "p";

export class BanList {
  readonly units: readonly Unit[];
  readonly lexicon: Lexicon;
  readonly bans: Ban[] = [];
  /** The ban that the next segment may go on with, and in which form its verbs stand. */
  pending: { ban: Ban; form: Forms; bare: boolean } | null = null;
  /** Clauses that something waits for: `until I confirm`, `before you send`. */
  readonly waits: Range[] = [];
  /** A negation that has not come to its verb: `do not, under any circumstances, …`, `things you may not do: …`. */
  open: "once" | "list" | null = null;
  introduces = false;

  constructor(units: readonly Unit[], lexicon: Lexicon) {
    this.units = units;
    this.lexicon = lexicon;
  }

  push(
    kind: Ban["kind"],
    verbs: readonly string[],
    segment: Segment,
    objects: Range,
    form: Forms = "b",
    clause: Clause | null = null,
    soft = false,
  ): Ban {
    let exceptFrom: number | null = null;
    for (let at = objects.from; at < objects.to; at++)
      if (has(this.units[at], "except")) {
        exceptFrom = at;
        break;
      }
    const ban: Ban = {
      kind,
      verbs: [...new Set(verbs)],
      first: segment.from,
      last: segment.to,
      objects: objects.to > objects.from ? [objects] : [],
      clause,
      asks: false,
      soft,
      exceptFrom,
    };
    this.bans.push(ban);
    this.pending = kind === "verbs" ? { ban, form, bare: objects.to <= objects.from } : null;
    return ban;
  }

  /** The verbs from `from` on, one after the other; `end` is where their object begins. */
  verbs(from: number, to: number, forms: string): { verbs: string[]; end: number } {
    const verbs: string[] = [];
    let end = from;
    for (let at = from; at < to; at++) {
      const unit = this.units[at];
      const verb = sense(unit, "verb", forms);
      // `the greeting`, `the building` are things.
      if (
        verb !== null &&
        verb.form === "g" &&
        at > from &&
        has(this.units[at - 1], "det") &&
        !has(this.units[at - 1], "any")
      )
        break;
      if (verb !== null) {
        // The next verb, without a conjunction, is a noun: `delete the push history`, `send mail`.
        verbs.push(verb.value);
        end = at + 1;
        break;
      }
      if (this.lexicon.language === "zh" && at < from + 8) continue;
      if (!this.isLight(unit) && !(forms.includes("n") && unit?.token.kind === "word" && at < from + 4))
        break;
    }
    return { verbs, end };
  }

  participle(from: number, to: number): { verb: string; at: number } | null {
    for (let at = from; at < to; at++) {
      const verb = sense(this.units[at], "verb", "p");
      if (verb !== null) return { verb: verb.value, at };
    }
    return null;
  }

  /** Words between a negation and its verb. */
  isLight(unit: Unit | undefined): boolean {
    if (unit === undefined) return false;
    if (sense(unit, "verb", "b") !== null && !has(unit, "ask") && !has(unit, "any")) return false;
    return (
      has(unit, "filler") ||
      has(unit, "only") ||
      has(unit, "be") ||
      has(unit, "ask") ||
      has(unit, "first") ||
      has(unit, "any") ||
      has(unit, "subject") ||
      has(unit, "modal") ||
      /^(?:to|ever|even|yet|really|dare|attempt|start|begin|you|under any circumstances|unnecessarily|accidentally|by accident|at any point|simply|blindly|please|auto|zu|etwas|irgendetwas|se|lo|la|les|me|te|nos|el|le|en ningun caso|再|去|给我)$/.test(
        unit.text,
      )
    );
  }

  namesSomething(from: number, to: number): boolean {
    return this.units
      .slice(from, to)
      .some((unit) => /^(?:email|handle|channel|path|file|host|url|quoted|id|phone)$/.test(unit.token.kind));
  }

  hasConsent(from: number, to: number): boolean {
    return this.units.slice(from, to).some((unit) => has(unit, "consent"));
  }
}
