/**
 * One sentence -> what it asks for and what it forbids, before anyone looks at who and what is named.
 *
 * A request is a clause that opens with the verb of its act, once the words that lead up to it are skipped (the seed:
 * "a clause that opens with the action's verb"). The mood of a sentence carries over to its later clauses: what follows
 * "how do I", "they wanted to" or "remind me to" asks for nothing, unless it turns to the agent again.
 */

import { familyOf } from "../verbs.ts";
import { doneBy, firstSaid, listsWhatTheySay, namedBefore, nounVerb, sendsOn, sparedTo } from "./asides.ts";
import { type Ban, Bans } from "./bans/index.ts";
import { type Clause, clauseOf, type Range } from "./clause.ts";
import { takesMaterial } from "./headings.ts";
import { type Head, headOf } from "./heads.ts";
import type { Lexicon } from "./lexicon.ts";
import {
  hasOnly,
  isListed,
  isParallel,
  isPronoun,
  isRegular,
  lateVerb,
  saysSomebody,
  toldAt,
  wishedAt,
} from "./moods.ts";
import { type Segment, segmentsOf } from "./segments.ts";
import { statementOf } from "./statements.ts";
import { has, sense, type Unit } from "./units.ts";

export interface SentenceReading {
  readonly units: readonly Unit[];
  readonly clauses: readonly Clause[];
  readonly bans: readonly Ban[];
  readonly dropped: readonly (Range & { readonly cause: string })[];
  readonly delegated: readonly Range[];
  /** Nothing but agreement. */
  readonly assents: boolean;
  /** It speaks of something that is to happen again and again. */
  readonly regular: boolean;
  /** It ends with a colon and forbids: its list is what it forbids. */
  readonly introducesBans: boolean;
  /** It takes back what was asked before it: `never mind`. */
  readonly withdraws: boolean;
}

/** `told`: behind a colon, somebody else speaks. */
type Mood = "none" | "do" | "ask" | "story" | "sub" | "ban" | "said" | "told";

/** Verbs whose infinitives and relative clauses tell what somebody or something else is to do. */
const TELLERS = new Set([
  "remind",
  "notify",
  "message",
  "email",
  "text",
  "call",
  "reply",
  "forward",
  "send",
  "post",
  "write",
  "draft",
  "implement",
  "create",
  "build",
  "comment",
  "remember",
  "schedule",
  "invite",
  "add",
]);

export function readSentence(
  units: readonly Unit[],
  lexicon: Lexicon,
  mark: string,
  listOfBans: boolean,
): SentenceReading {
  return new SentenceReader(units, lexicon, mark, listOfBans).read();
}

class SentenceReader {
  readonly #units: readonly Unit[];
  readonly #lexicon: Lexicon;
  readonly #isQuestion: boolean;
  readonly #listOfBans: boolean;
  readonly #clauses: Clause[] = [];
  readonly #dropped: (Range & { cause: string })[] = [];
  readonly #delegated: Range[] = [];
  readonly #bans: Bans;
  #segments: readonly Segment[] = [];
  #mood: Mood = "none";
  /** A bare verb may go on with the verb of the story, the infinitive or the modal before it. */
  #parallel = false;
  #current: Clause | null = null;
  #assents = 0;
  #other = 0;
  /** A list follows. */
  readonly #endsOpen: boolean;

  constructor(units: readonly Unit[], lexicon: Lexicon, mark: string, listOfBans: boolean) {
    this.#units = units;
    this.#lexicon = lexicon;
    this.#isQuestion =
      mark === "?" ||
      /[吗么呢]$/.test(
        units.findLast((unit) => unit.token.kind !== "punct" && unit.token.kind !== "break")?.text ?? "",
      );
    this.#endsOpen = mark === ":";
    this.#listOfBans = listOfBans;
    this.#bans = new Bans(units, lexicon);
  }

  read(): SentenceReading {
    const segments = segmentsOf(this.#units);
    this.#segments = segments;
    for (const [index, segment] of segments.entries()) this.#segment(segment, segments, index);
    const { bans, clauses, introduces, withdraws } = this.#bans.finish(
      segments,
      this.#clauses,
      this.#endsOpen,
    );
    return {
      units: this.#units,
      clauses,
      bans,
      dropped: this.#dropped,
      delegated: this.#delegated,
      assents: this.#assents > 0 && this.#other === 0 && clauses.length === 0 && bans.length === 0,
      regular: isRegular(this.#units),
      introducesBans: introduces,
      withdraws,
    };
  }

  #segment(segment: Segment, segments: readonly Segment[], index: number): void {
    const found = headOf(this.#units, segment, this.#lexicon);
    // `¿Debería borrarla?`
    const wonders = this.#isQuestion && found.weak && has(this.#units[segment.from + 1], "inform");
    const head =
      wonders || (this.#isQuestion && has(this.#units[segment.from], "inform"))
        ? { ...found, kind: "inform" as const }
        : found;
    if (
      this.#listOfBans &&
      index === firstSaid(this.#units, segments) &&
      (head.kind === "verb" || head.kind === "other")
    ) {
      if (this.#bans.item(segment, head.at)) {
        this.#mood = "ban";
        return;
      }
    }
    if (this.#bans.continues(segment, head, segments, index)) {
      this.#mood = "ban";
      return;
    }
    if ((head.weak || head.kind === "subject") && this.#bans.own(segment, head.at)) {
      this.#mood = "ban";
      this.#current = null;
      return;
    }
    const relative = segment.joints.includes("relative");
    if (relative && head.kind !== "verb" && !head.asks) {
      this.#attach(segment, this.#current !== null && this.#speaks(this.#current) ? "bodies" : "relatives");
      this.#bans.aside(segment);
      this.#parallel = isParallel(this.#units, segment);
      if (this.#current !== null && TELLERS.has(this.#current.verb)) this.#mood = "said";
      return;
    }
    switch (head.kind) {
      case "forbid":
        this.#forbid(segment, head);
        break;
      case "verb":
        this.#verb(segment, head, index);
        break;
      case "read":
        this.#look(segment, head);
        break;
      case "inform":
        this.#mood = "ask";
        this.#current = null;
        this.#other += 1;
        this.#bans.end();
        break;
      case "sub":
        this.#subordinate(segment, head);
        break;
      case "delegate":
        this.#delegate(segment, head);
        break;
      case "assent":
        this.#assents += 1;
        this.#bans.besides(segment, head.at);
        break;
      case "subject":
      case "other":
        this.#statement(segment, head);
        break;
      case "empty":
        break;
      default:
        head.kind satisfies never;
    }
  }

  #forbid(segment: Segment, head: Head): void {
    const before = this.#current;
    const made = this.#bans.read(segment, head.at, before, this.#mood === "ask");
    if (made === "none") {
      // `pause the music`
      if (
        has(this.#units[head.at], "readonly", "stop") &&
        has(this.#units[head.at + 1], "det") &&
        !has(this.#units[head.at + 1], "any") &&
        sense(this.#units[head.at], "verb", "b") !== null
      ) {
        this.#verb(segment, { ...head, kind: "verb" });
        return;
      }
      // `…, nobody imports it anymore` says how things are.
      if (/^(?:nobody|no one|noone)$/.test(this.#units[head.at]?.text ?? "") && head.at + 1 < segment.to)
        this.#current = null;
      else this.#statement(segment, { ...head, kind: "other" });
      return;
    }
    if (made === "ban") this.#mood = this.#mood === "none" ? "ban" : this.#mood;
  }

  #verb(segment: Segment, head: Head, index = -1): void {
    const units = this.#units;
    const unit = units[head.at];
    const found = sense(unit, "verb", "bgi");
    if (unit === undefined || found === null) return;
    // `send nothing`, `verschick nichts`: the verb is there to be forbidden.
    if (this.#bans.behind(segment, head.at)) {
      this.#mood = "ban";
      this.#current = null;
      return;
    }
    // `die Datei nicht löschen`, `邮件暂时不要发送`: what stands between the object and its verb decides.
    if (this.#lexicon.grammar.verbLast && this.#bans.before(segment, head.at, this.#current)) {
      this.#mood = "ban";
      this.#current = null;
      return;
    }
    // `reply to a@… and thank her`: what the message says is no request of its own.
    if (
      this.#current !== null &&
      this.#speaks(this.#current) &&
      !head.asks &&
      sense(unit, "say") !== null &&
      isPronoun(this.#units, head.at + 1, segment.to)
    ) {
      this.#attach(segment, "bodies");
      return;
    }
    // `… and cc b@…`: one more whom the same message reaches.
    if (
      this.#current !== null &&
      familyOf(this.#current.verb) === "message" &&
      /^(?:cc|bcc|loop in|copy|copy in|keep)$/.test(unit.text) &&
      !head.asks
    ) {
      this.#attach(segment, "objects");
      return;
    }
    const drop = this.#refused(segment, head, found.value, index);
    if (drop !== null) {
      this.#dropped.push({ from: segment.from, to: segment.to, cause: drop });
      this.#current = null;
      return;
    }
    this.#other += 1;
    const light = nounVerb(this.#units, segment, head.at);
    const clause = clauseOf(
      light ??
        (unit.text === "let" && !this.#units.slice(head.at, segment.to).some(({ text }) => text === "know")
          ? "grant"
          : found.value),
      head.at,
      segment,
      {
        certain: !(head.weak || (this.#isQuestion && !head.asks) || segment.joints.includes("or")),
        explicit: this.#mood === "ask" && !head.asks,
        exclusive: head.only || hasOnly(this.#units, segment, head.at),
      },
    );
    const named =
      this.#lexicon.language === "zh" ? namedBefore(units, this.#segments, segment, head.at) : null;
    if (named !== null) clause.objects.unshift(named);
    const told = toldAt(this.#units, segment, head.at);
    if (told >= 0 && TELLERS.has(clause.verb)) {
      clause.objects[0] = { from: segment.from, to: told };
      clause.bodies.push({ from: told, to: segment.to });
    }
    this.#clauses.push(clause);
    this.#current = clause;
    this.#bans.end();
    this.#bans.within(segment, head.at, clause);
    this.#mood = TELLERS.has(clause.verb) && told >= 0 ? "said" : "do";
    if (listsWhatTheySay(this.#units, this.#segments, segment)) this.#mood = "told";
    this.#parallel = this.#mood === "said";
  }

  /** Why a bare verb here asks for nothing, or `null`. */
  #refused(segment: Segment, head: Head, verb: string, index: number): string | null {
    if (this.#mood === "told") return "no-request";
    if (head.asks || head.weak) return null;
    if (this.#isQuestion && this.#lexicon.language === "zh") return "informational";
    const turns =
      head.leads || segment.joints.some((joint) => joint === "then" || joint === "colon" || joint === "but");
    switch (this.#mood) {
      case "none":
      case "do":
      case "ban":
        return null;
      case "ask": {
        if (turns) return null;
        const family = familyOf(verb);
        return family === "message" || family === "create" || family === "copy" ? null : "informational";
      }
      case "story":
        return this.#parallel &&
          !turns &&
          (isListed(this.#units, this.#segments, segment, index) || !segment.joints.includes("comma"))
          ? "no-request"
          : null;
      case "sub":
        return turns ||
          segment.joints.some(
            (joint) => joint === "comma" || joint === "dash" || joint === "line" || joint === "paren",
          )
          ? null
          : "no-request";
      case "said":
        return turns || (!this.#parallel && sendsOn(this.#units, segment, head.at, this.#current))
          ? null
          : "no-request";
      default:
        return this.#mood satisfies never;
    }
  }

  #look(segment: Segment, head: Head): void {
    this.#other += 1;
    // `Translate: delete the folder`: what follows the colon is the task's material.
    const next = this.#segments[this.#segments.indexOf(segment) + 1];
    const words = this.#units.slice(segment.from, segment.to).map(({ text }) => text);
    const shown = this.#units[next?.from ?? -1]?.token.kind === "quoted";
    if (next?.joints.includes("colon") === true && !shown && takesMaterial(words.join(" "))) {
      this.#mood = "told";
      this.#current = null;
      return;
    }
    if (this.#bans.behind(segment, head.at)) return;
    this.#bans.end();
    this.#mood = "do";
    if (this.#wished(segment, head) || this.#pulled(segment, head)) return;
    // `list save and delete commands`: what it lists are verbs, and they are nouns.
    const after = this.#units[head.at + 1];
    this.#parallel = false;
    if (head.at + 2 >= segment.to && sense(after, "verb", "b") !== null) this.#mood = "said";
    this.#current = clauseOf("", head.at, segment, {
      exclusive: head.only || hasOnly(this.#units, segment, head.at),
      looks: true,
    });
    this.#clauses.push(this.#current);
    this.#bans.within(segment, head.at, this.#current);
    if (this.#units[head.at] !== undefined && has(this.#units[head.at], "delegate"))
      this.#delegate(segment, head);
  }

  /** `commit and pull`: with nothing that is pulled, it is a repository's. */
  #pulled(segment: Segment, head: Head): boolean {
    const rest = this.#units.slice(head.at + 1, segment.to);
    if (this.#units[head.at]?.text !== "pull" || !rest.every((unit) => has(unit, "filler"))) return false;
    this.#current = clauseOf("rebase", head.at, segment);
    this.#clauses.push(this.#current);
    return true;
  }

  #wished(segment: Segment, head: Head): boolean {
    const at = wishedAt(this.#units, segment, head.at);
    const verb = sense(this.#units[at], "verb", "p");
    if (verb === null) return false;
    this.#current = clauseOf(verb.value, at, segment, {
      objects: [{ from: head.at + 1, to: segment.to }],
    });
    this.#clauses.push(this.#current);
    return true;
  }

  #subordinate(segment: Segment, head: Head): void {
    // What a message says of waiting is no condition of sending it.
    if (this.#mood !== "said") this.#bans.subordinate(segment, head.at);
    const rest = this.#units.slice(head.at + 1, segment.to);
    const isTime = !rest.some(
      (unit) => has(unit, "subject") || has(unit, "be") || has(unit, "modal") || sense(unit, "verb") !== null,
    );
    if (isTime) {
      this.#attach({ ...segment, from: head.at + 1 }, "relatives");
      return;
    }
    this.#parallel = isParallel(this.#units, segment);
    const late = lateVerb(this.#units, segment, head.at);
    if (late >= 0) {
      this.#mood = "sub";
      this.#verb(
        { ...segment, from: late, joints: ["comma"] },
        { kind: "verb", at: late, asks: false, weak: false, leads: false, only: false },
      );
      return;
    }
    if (this.#mood === "none" || this.#mood === "sub") this.#mood = "sub";
  }

  #delegate(segment: Segment, head: Head): void {
    this.#other += 1;
    if (this.#mood === "ask" || this.#mood === "story" || this.#isQuestion) return;
    this.#delegated.push({ from: segment.from, to: segment.to });
    if (head.kind === "delegate") this.#mood = "do";
  }

  #statement(segment: Segment, head: Head): void {
    this.#other += 1;
    const units = this.#units;
    const next = this.#segments[this.#segments.indexOf(segment) + 1];
    if (next?.joints.includes("colon") === true && saysSomebody(units, segment)) {
      this.#mood = "told";
      this.#current = null;
      return;
    }
    // `lösch nicht a.txt, sondern b.txt`
    const instead = /^(?:sondern|sino)$/.test(units[segment.from - 1]?.text ?? "")
      ? this.#bans.lastVerb()
      : null;
    if (instead !== null && !this.#isQuestion) {
      this.#current = clauseOf(instead, segment.from - 1, segment);
      this.#clauses.push(this.#current);
      this.#bans.end();
      this.#mood = "do";
      return;
    }
    if (this.#bans.statement(segment, head.at, this.#current)) return;
    const spared = this.#current === null ? -1 : sparedTo(units, this.#segments, segment, this.#current);
    if (this.#current !== null && spared >= 0) {
      this.#bans.spares({ ...segment, to: spared }, this.#current);
      return;
    }
    const isStory =
      head.kind === "subject" ||
      units
        .slice(head.at, segment.to)
        .some((unit) => has(unit, "be") || has(unit, "modal") || sense(unit, "verb", "s") !== null);
    const joined = segment.joints.every(
      (joint) =>
        joint === "comma" || joint === "and" || joint === "or" || joint === "paren" || joint === "dash",
    );
    if (!isStory && (joined || this.#current !== null) && !segment.joints.includes("start")) {
      this.#attach(segment, this.#current !== null && this.#isBody(segment) ? "bodies" : "objects");
      if (this.#current !== null && hasOnly(this.#units, segment, segment.from))
        this.#current.exclusive = true;
      return;
    }
    if (!this.#isQuestion && this.#mood !== "ask") {
      const found =
        (isStory ? null : doneBy(units, segment, head.at)) ?? statementOf(units, segment, head.at);
      if (found !== null) {
        const clause = clauseOf(found.verb, found.head, segment, found);
        this.#clauses.push(clause);
        this.#current = clause;
        this.#mood = "do";
        return;
      }
    }
    if (this.#current !== null && this.#isBody(segment)) {
      this.#attach(segment, "bodies");
      this.#parallel = isParallel(this.#units, segment);
      return;
    }
    if (this.#mood === "sub" && isStory) return;
    if (this.#mood !== "ask") this.#mood = "story";
    this.#parallel = isParallel(this.#units, segment);
    this.#current = null;
  }

  #attach(segment: Segment, to: "objects" | "relatives" | "bodies"): void {
    if (this.#current === null) return;
    const end = to === "objects" ? this.#bans.leavesOut(segment, this.#current) : segment.to;
    if (end > segment.from) this.#current[to].push({ from: segment.from, to: end });
    this.#current.last = segment.to;
  }

  #speaks(clause: Clause): boolean {
    const family = familyOf(clause.verb);
    return family === "message" || family === "remember" || family === "schedule" || family === "draft";
  }

  /** What a message would say: after `that`, `saying`, a colon. */
  #isBody(segment: Segment): boolean {
    if (this.#current === null || !this.#speaks(this.#current)) return false;
    if (this.#current.bodies.length > 0) return !segment.joints.includes("and");
    const first = this.#units[segment.from];
    return segment.joints.includes("colon") || sense(first, "say") !== null;
  }
}
