/**
 * What a sentence forbids, in any wording (CONVENTIONS §5): don't, never, no …, nothing may be …, without …-ing, hold off
 * on, keep it untouched, off limits, read only, draft only, I'll do it myself, only … and nothing else, ask me first.
 */
import type { Head } from "./heads.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Segment } from "./segments.ts";
import type { Clause, Range } from "./sentence.ts";
import { has, sense, type Unit } from "./units.ts";

export interface Ban {
  /** `verbs`: these; `all`: every effect; `egress`: whatever carries something out; `draft`: sending what is drafted. */
  readonly kind: "verbs" | "all" | "egress" | "draft" | "delete" | "exclusive";
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
  readonly exceptFrom: number | null;
}

type Forms = "b" | "g" | "p";

/** What follows `read-only` where it is a right, and where it is a way to work. */
const ROLES =
  /^(?:access|permission|permissions|link|links|role|rights|view|copy|user|account|token|key|zugriff|rechte|acceso|权限)$/;
const TASKS =
  /^(?:task|job|session|request|exercise|question|mission|check|audit|review|run|mode|aufgabe|tarea)$/;

export class Bans {
  readonly #units: readonly Unit[];
  readonly #lexicon: Lexicon;
  readonly #bans: Ban[] = [];
  /** The ban that the next segment may go on with, and in which form its verbs stand. */
  #pending: { ban: Ban; form: Forms; bare: boolean } | null = null;
  /** Clauses that something waits for: `until I confirm`, `before you send`. */
  readonly #waits: Range[] = [];
  /** A negation that has not come to its verb: `do not, under any circumstances, …`, `things you may not do: …`. */
  #open: "once" | "list" | null = null;
  #introduces = false;

  constructor(units: readonly Unit[], lexicon: Lexicon) {
    this.#units = units;
    this.#lexicon = lexicon;
  }

  end(): void {
    this.#pending = null;
  }

  subordinate(segment: Segment, at: number): void {
    const unit = this.#units[at];
    if (has(unit, "until") || has(unit, "after") || has(unit, "if"))
      this.#waits.push({ from: at, to: segment.to });
    this.#pending = null;
  }

  aside(segment: Segment): void {
    if (this.#pending !== null) this.#pending.ban.last = segment.to;
  }

  /** An item of a list that forbids. */
  item(segment: Segment, at: number): boolean {
    const found = this.#verbs(at, segment.to, "bgpn");
    if (found.verbs.length === 0) return false;
    this.#push("verbs", found.verbs, segment, { from: found.end, to: segment.to });
    return true;
  }

  /** Whether the segment goes on with the ban before it: `don't send, delete or share`, `or the drafts`. */
  continues(segment: Segment, head: Head, segments: readonly Segment[], index: number): boolean {
    const aside = head.kind === "subject" || /^(?:ever|ever again)$/.test(this.#units[head.at]?.text ?? "");
    if (
      this.#open === "once" &&
      !aside &&
      !segment.joints.every(
        (joint) => joint === "comma" || joint === "paren" || joint === "line" || joint === "dash",
      )
    )
      this.#open = null;
    if (this.#open !== null && !head.asks && !head.leads && (head.kind === "verb" || head.kind === "other")) {
      if (this.item(segment, head.at)) {
        if (this.#open === "once") this.#open = null;
        return true;
      }
    }
    const pending = this.#pending;
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
    const unit = this.#units[head.at];
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
      (!isColon || this.#namesSomething(segment.from, segment.to))
    ) {
      pending.ban.objects.push({ from: segment.from, to: segment.to });
      pending.ban.last = segment.to;
      return true;
    }
    return false;
  }

  /** `a, b or c`: what comes before the last comma is part of the enumeration when an `or` follows. */
  #endsInOr(segments: readonly Segment[], index: number): boolean {
    const pending = this.#pending;
    if (pending === null || !pending.bare) return false;
    for (let next = index + 1; next < segments.length && next < index + 6; next++)
      if (segments[next]?.joints.includes("or")) return true;
    return false;
  }

  /** `send nothing`, `verschick nichts`, `lösch die Mails nicht`. */
  behind(segment: Segment, head: number): boolean {
    const verb = sense(this.#units[head], "verb", "big");
    for (let at = head + 1; at < segment.to; at++) {
      const unit = this.#units[at];
      const near =
        at <= head + 1 ||
        this.#lexicon.grammar.negationAfter ||
        (has(unit, "nothing", "object") &&
          (has(this.#units[at - 1], "with") || has(this.#units[at - 1], "to")));
      if (!near) continue;
      if (
        !has(unit, "nothing") &&
        !has(unit, "no") &&
        !(this.#lexicon.grammar.negationAfter && has(unit, "not"))
      )
        continue;
      if (verb === null) return false;
      const rest = has(unit, "no") ? { from: at + 1, to: segment.to } : { from: head + 1, to: segment.to };
      this.#push("verbs", [verb.value, ...this.#nounsAfter(unit, at, segment.to)], segment, rest, "b");
      return true;
    }
    return false;
  }

  #nounsAfter(unit: Unit | undefined, at: number, to: number): string[] {
    return has(unit, "no") ? this.#verbs(at + 1, to, "n").verbs : [];
  }

  /** `I want to place the order myself`. */
  own(segment: Segment, at: number): boolean {
    return this.#byMyself(segment, at);
  }

  /** `do it without contacting anyone`. */
  besides(segment: Segment, at: number): void {
    for (let index = at; index < segment.to; index++)
      if (has(this.#units[index], "without")) {
        this.#gerunds({ ...segment, from: index }, index, null);
        return;
      }
  }

  /** What a further object of a request leaves out; where it begins. */
  leavesOut(segment: Segment, current: Clause): number {
    for (let at = segment.from; at < segment.to; at++)
      if (has(this.#units[at], "except")) {
        this.#push(
          "exclusive",
          ["not"],
          { ...segment, from: at },
          { from: at + 1, to: segment.to },
          "b",
          current,
        );
        return at;
      }
    return segment.to;
  }

  /** What a request forbids inside its own segment: `prepare it without emailing anyone`. */
  within(segment: Segment, head: number, current: Clause): void {
    for (let at = head + 1; at < segment.to; at++) {
      const unit = this.#units[at];
      if (has(unit, "without")) {
        this.#gerunds({ ...segment, from: at }, at, current);
        current.objects[0] = { from: segment.from, to: at };
        return;
      }
      if (current.looks && has(unit, "readonly") && has(this.#units[at - 1], "as"))
        this.#push("all", [], { ...segment, from: at }, { from: segment.from, to: at - 1 });
      if (has(unit, "draftonly") && at > head + 1)
        this.#push("draft", [], { ...segment, from: at }, { from: segment.to, to: segment.to }, "b", current);
      const besides = has(unit, "except") ? this.#verbs(at + 1, segment.to, "bg") : null;
      if (besides !== null && besides.verbs.length > 0) {
        this.#push(
          "verbs",
          besides.verbs,
          { ...segment, from: at },
          { from: besides.end, to: segment.to },
          "b",
        );
        current.objects[0] = { from: segment.from, to: at };
        return;
      }
      if (has(unit, "except") && at > head) {
        this.#push(
          "exclusive",
          ["not"],
          { ...segment, from: at },
          { from: at + 1, to: segment.to },
          "b",
          current,
        );
        current.objects[0] = { from: segment.from, to: at };
        return;
      }
      if (has(unit, "else") && at > head)
        this.#push("exclusive", [], segment, { from: segment.to, to: segment.to }, "b", current);
    }
    this.#pending = null;
  }

  /** A segment that begins with words that forbid. */
  read(segment: Segment, at: number, current: Clause | null, inQuestion: boolean): "ban" | "aside" | "none" {
    const unit = this.#units[at];
    if (unit === undefined) return "none";
    const rest = { from: at + 1, to: segment.to };
    if (has(unit, "readonly")) {
      if (has(unit, "readonly", "stop")) {
        if (at + 1 < segment.to || segment.joints.includes("and")) return "none";
        this.#push("all", [], segment, { from: segment.to, to: segment.to }, "b", null, true);
        return "ban";
      }
      if (has(unit, "readonly", "egress")) {
        this.#push("egress", [], segment, { from: segment.to, to: segment.to });
        return "ban";
      }
      if (this.#isRole(segment, at, current)) return "none";
      this.#push(
        "all",
        [],
        segment,
        { from: segment.to, to: segment.to },
        "b",
        null,
        /\b(?:just|only) |^nur |^solo |^只/.test(unit.text) && !/touch|nothing/.test(unit.text),
      );
      return "ban";
    }
    if (has(unit, "draftonly")) {
      this.#push("draft", [], segment, rest, "b", current);
      return "ban";
    }
    if (has(unit, "not")) return this.#afterNot(segment, at, current, inQuestion);
    if (has(unit, "nothing")) return this.#nothing(segment, at);
    if (has(unit, "no")) return this.#noNoun(segment, at);
    if (has(unit, "without")) return this.#gerunds(segment, at, current);
    if (has(unit, "avoid")) return this.#gerunds(segment, at, current);
    return "none";
  }

  #afterNot(
    segment: Segment,
    at: number,
    current: Clause | null,
    inQuestion: boolean,
  ): "ban" | "aside" | "none" {
    const units = this.#units;
    let next = at + 1;
    while (next < segment.to && this.#isLight(units[next]) && sense(units[next], "verb", "bgip") === null)
      next += 1;
    const unit = units[next];
    if (unit === undefined || next >= segment.to) {
      this.#introduces = true;
      this.#open = "once";
      return "aside";
    }
    if (inQuestion && has(unit, "subject")) return "aside";
    // `half done and not started` says how things are.
    const bare = /^(?:not|nicht|no)$/.test(this.#units[at]?.text ?? "");
    // `I don't want any edits`.
    const wants = /want|quiero|will|mochte|想/.test(this.#units[at]?.text ?? "");
    const found = this.#verbs(next, segment.to, bare ? "bgi" : wants ? "bgipn" : "bgip");
    if (found.verbs.length > 0) {
      this.#push(
        "verbs",
        found.verbs,
        segment,
        { from: found.end, to: segment.to },
        sense(units[found.end - 1], "verb", "b") !== null ? "b" : "g",
      );
      return "ban";
    }
    // `I don't want anything sent`: the participle stands behind what nothing is to be done to.
    const late = this.#participle(next, segment.to);
    if (late !== null) {
      this.#push("verbs", [late.verb], segment, { from: next, to: late.at }, "p");
      return "ban";
    }
    if (has(unit, "keep")) return "aside";
    if (current !== null && this.#namesSomething(next, segment.to)) {
      this.#push("exclusive", ["not"], segment, { from: next, to: segment.to }, "b", current);
      return "ban";
    }
    if (current === null && this.#namesSomething(next, segment.to)) {
      this.#push("all", [], segment, { from: next, to: segment.to });
      return "ban";
    }
    return sense(unit, "read") !== null ? "aside" : "none";
  }

  #noNoun(segment: Segment, at: number): "ban" | "none" {
    const units = this.#units;
    for (let next = at + 1; next < Math.min(segment.to, at + 5); next++) {
      const verb = sense(units[next], "verb", "ng");
      if (verb === null) {
        if (units[next]?.token.kind !== "word") break;
        continue;
      }
      const after = units[next + 1];
      if (
        next + 1 < segment.to &&
        /^(?:from|yet|so|so far|since|was|were|has|have|had|went|came|arrived|is|are)$/.test(
          after?.text ?? "",
        )
      )
        return "none";
      const found = this.#verbs(next, segment.to, "ngp");
      this.#push("verbs", found.verbs, segment, { from: found.end, to: segment.to }, "g");
      return "ban";
    }
    return this.#nothing(segment, at) === "ban" ? "ban" : "none";
  }

  /** `nothing may be deleted`, `nobody should get it`, `no file leaves this machine`. */
  #nothing(segment: Segment, at: number): "ban" | "none" {
    const units = this.#units;
    let allowed = false;
    for (let next = at + 1; next < segment.to; next++) {
      const unit = units[next];
      if (/^(?:was|were|had|has|have|did)$/.test(unit?.text ?? "")) return "none";
      const verb = sense(unit, "verb", "psbig");
      if (verb !== null && (allowed || verb.form !== "b" || verb.value === "egress")) {
        this.#push("verbs", [verb.value], segment, { from: at + 1, to: segment.to }, "p");
        return "ban";
      }
      if (/^(?:get|receive|see)$/.test(unit?.text ?? "") && allowed) {
        this.#push("verbs", ["send"], segment, { from: at + 1, to: segment.to }, "p");
        return "ban";
      }
      allowed ||= has(unit, "modal") || has(unit, "be");
    }
    return "none";
  }

  #gerunds(segment: Segment, at: number, current: Clause | null): "ban" | "aside" | "none" {
    const units = this.#units;
    const found = this.#verbs(at + 1, segment.to, "gni");
    if (
      found.verbs.length === 0 &&
      units.slice(at + 1, segment.to).some((unit) => unit.text === "being" || unit.text === "getting")
    ) {
      const done = this.#participle(at + 1, segment.to);
      if (done !== null) {
        this.#push("verbs", [done.verb], segment, { from: at + 1, to: done.at }, "p");
        return "ban";
      }
    }
    if (this.#hasConsent(at, segment.to)) {
      this.#waits.push({ from: at, to: segment.to });
      return "aside";
    }
    if (found.verbs.length === 0 && has(this.#units[at], "avoid", "touch")) {
      this.#push("all", [], segment, { from: at + 1, to: segment.to });
      return "ban";
    }
    if (found.verbs.length === 0) {
      if (at + 1 >= segment.to || !this.#namesSomething(at + 1, segment.to) || current === null) {
        const bare = units.slice(at + 1, segment.to).every((unit) => has(unit, "any") || has(unit, "filler"));
        if (!bare) return "none";
        this.#open = "once";
        return "aside";
      }
      this.#push("exclusive", ["not"], segment, { from: at + 1, to: segment.to }, "b", current);
      return "ban";
    }
    this.#push("verbs", found.verbs, segment, { from: found.end, to: segment.to }, "g");
    return "ban";
  }

  /** Bans that stand at the end of a statement, or in one about things: `tests/ is off limits`, `it must not be shared`. */
  statement(segment: Segment, at: number, current: Clause | null): boolean {
    const units = this.#units;
    // `you may look, but not share it`, `mails may be read but not answered`, `everything except sending`.
    for (let index = at; index < segment.to; index++) {
      if (!has(units[index], "except")) continue;
      const allowed = units.slice(0, index).some((unit) => has(unit, "modal"));
      const found = this.#verbs(index + 1, segment.to, allowed ? "bgp" : index > at ? "gn" : "bg");
      if (found.verbs.length === 0) continue;
      this.#push(
        "verbs",
        found.verbs,
        segment,
        { from: found.end, to: segment.to },
        sense(units[found.end - 1], "verb", "b") !== null ? "b" : "p",
      );
      return true;
    }
    if (has(units[at], "except") && current !== null) {
      this.#push("exclusive", ["not"], segment, { from: at + 1, to: segment.to }, "b", current);
      return true;
    }
    for (let index = at; index < segment.to; index++) {
      const unit = units[index];
      if (unit === undefined) break;
      if (has(unit, "else")) {
        this.#push("exclusive", [], segment, { from: segment.to, to: segment.to }, "b", current);
        return true;
      }
      if (has(unit, "offlimits") && index > at && this.#staysPut(unit, index, segment)) {
        const deeds = this.#verbs(at, index, "gn");
        if (deeds.verbs.length > 0 && sense(units[at], "verb", "gn") !== null)
          this.#push("verbs", deeds.verbs, segment, { from: deeds.end, to: index });
        else this.#push("all", [], segment, { from: at, to: index });
        return true;
      }
      if (
        has(unit, "draftonly") ||
        (has(unit, "readonly") &&
          !this.#isRole(segment, index, current) &&
          (index === at || has(units[index - 1], "det")))
      ) {
        this.#push(
          has(unit, "draftonly") ? "draft" : "all",
          [],
          segment,
          { from: segment.to, to: segment.to },
          "b",
          current,
        );
        return true;
      }
      if (has(unit, "keep") && index === at && this.#keeps(segment, index)) return true;
      if (has(unit, "avoid", "says") && index > at && this.#gerunds(segment, index, current) === "ban")
        return true;
      if (has(unit, "nothing") && index > at && /want|need|like|wish/.test(units[index - 1]?.text ?? "")) {
        const wanted = this.#participle(index + 1, segment.to);
        if (wanted !== null) {
          this.#push("verbs", [wanted.verb], segment, { from: index + 1, to: wanted.at }, "p");
          return true;
        }
      }
      if (has(unit, "not") && index > at && this.#isPassiveBan(unit, units[index - 1])) {
        const found = this.#verbs(index + 1, segment.to, "bpgi");
        // Of other things it is said how they work; of what is to happen to things, what may not.
        const passive =
          units.slice(index + 1, found.end).some((one) => has(one, "be")) || found.verbs[0] === "egress";
        const agent =
          /^(?:you|we are|i am)|allowed|permitted/.test(unit.text) ||
          /^(?:you|agent|assistant|hermes|bot|du|sie)$/.test(units[index - 1]?.text ?? "");
        if (found.verbs.length > 0 && !passive && !agent) continue;
        if (found.verbs.length === 0 && index + 2 >= segment.to) {
          this.#open = "list";
          this.#introduces = true;
          return true;
        }
        if (found.verbs.length > 0) {
          this.#push("verbs", found.verbs, segment, { from: at, to: segment.to }, "p");
          return true;
        }
      }
      if (has(unit, "without") && index > at) {
        this.besides(segment, index);
        return false;
      }
    }
    return this.#byMyself(segment, at);
  }

  #keeps(segment: Segment, at: number): boolean {
    const units = this.#units;
    for (let index = at + 1; index < segment.to; index++) {
      const unit = units[index];
      // `keep it out of #near`.
      if (unit?.text === "out of" && this.#namesSomething(index + 1, segment.to)) {
        this.#push("all", [], segment, { from: index + 1, to: segment.to });
        return true;
      }
      if (has(unit, "asis") && (index > at + 1 || index === segment.to - 1)) {
        this.#push("all", [], segment, { from: at + 1, to: index });
        return true;
      }
      if (has(unit, "local") && !has(unit, "det")) {
        this.#push("egress", [], segment, { from: segment.to, to: segment.to });
        return true;
      }
      const verb = sense(unit, "verb", "gn");
      if (
        verb !== null &&
        /^(?:to me|me)$/.test(`${units[index + 1]?.text ?? ""} ${units[index + 2]?.text ?? ""}`.trim())
      ) {
        this.#push("verbs", [verb.value], segment, { from: segment.to, to: segment.to });
        return true;
      }
    }
    if (
      !/^(?:keep|leave|preserve|retain|behalte|behalt|behalten|lass|conserva|guarda|deja|保留|留着)$/.test(
        units[at]?.text ?? "",
      )
    )
      return false;
    const named = this.#namesSomething(at + 1, segment.to) || has(units[segment.to - 1], "any");
    if (!named) return false;
    this.#push("delete", [], segment, { from: at + 1, to: segment.to });
    return true;
  }

  #staysPut(unit: Unit, index: number, segment: Segment): boolean {
    if (!/stay|remain|kept|survive/.test(unit.text)) return true;
    return (
      index + 1 >= segment.to || has(this.#units[index + 1], "asis") || has(this.#units[index + 1], "local")
    );
  }

  /** `you may not do`, `it must not be sent`; not what others or I do not do. */
  #isPassiveBan(unit: Unit, before: Unit | undefined): boolean {
    if (
      /^(?:you may not|you must not|you can't|you cannot|you should not|you shouldn't|you are not to)/.test(
        unit.text,
      )
    )
      return true;
    if (/^(?:we|i)$/.test(before?.text ?? "") && /allowed|permitted/.test(unit.text)) return true;
    if (/^(?:i|he|she|they|we|people)$/.test(before?.text ?? "")) return false;
    return (
      /^(?:must|mustn|may|can|cannot|should|shall|ought|are not|is not|aren|isn)|^not$/.test(unit.text) &&
      (unit.text !== "not" || has(before, "modal") || has(before, "be"))
    );
  }

  /** `I'll press the button myself`. */
  #byMyself(segment: Segment, at: number): boolean {
    const units = this.#units;
    const told =
      sense(units[at], "verb", "g") !== null && units.slice(at, segment.to).some((unit) => unit.text === "i");
    if (
      !told &&
      !/^(?:i|i'll|we|we'll|ich|wir|yo|我)$/.test(units[at]?.text ?? "") &&
      !has(units[at], "weak") &&
      !has(units[segment.from], "weak")
    )
      return false;
    const rest = units.slice(segment.from, segment.to);
    if (!rest.some((unit) => has(unit, "myself")) || rest.some((unit) => has(unit, "not"))) return false;
    const verbs = units
      .slice(segment.from, segment.to)
      .flatMap((unit) =>
        unit.senses
          .filter(
            ({ tag, form }) =>
              tag === "verb" && (form === "b" || form === "n" || form === "i" || form === "g"),
          )
          .map(({ value }) => value),
      );
    if (verbs.length === 0) return false;
    this.#push("verbs", [...new Set(verbs)], segment, { from: segment.to, to: segment.to });
    return true;
  }

  /** `share it, read only` gives a role; `treat the repository as read-only` gives an order. */
  #isRole(segment: Segment, at: number, current: Clause | null): boolean {
    if (/^(?:share|grant|invite|give|add|unshare)$/.test(current?.verb ?? "")) return true;
    const next = at + 1 < segment.to ? (this.#units[at + 1]?.text ?? "") : "";
    if (ROLES.test(next)) return true;
    return (
      at > segment.from &&
      (has(this.#units[at - 1], "with") || (has(this.#units[at - 1], "det") && !TASKS.test(next)))
    );
  }

  /** What waits for the person's word, and what else only the whole sentence tells. */
  finish(
    segments: readonly Segment[],
    clauses: readonly Clause[],
    endsOpen: boolean,
  ): { readonly bans: readonly Ban[]; readonly clauses: readonly Clause[]; readonly introduces: boolean } {
    const units = this.#units;
    let kept = clauses;
    const confirmAt = units.findIndex((unit) => has(unit, "confirm"));
    const consents = this.#waits.some(
      ({ from, to }) => this.#hasConsent(from, to) || this.#waitsForMe(from, to),
    );
    const consented = units.some(
      (unit, at) => has(unit, "without") && this.#hasConsent(at, Math.min(units.length, at + 8)),
    );
    const isFirst =
      units.some((unit, at) => has(unit, "first") && at > confirmAt && confirmAt >= 0) ||
      /\b(?:first)$/.test(units[confirmAt]?.text ?? "");
    const gates = this.#waits.filter(({ from }) => has(units[from], "until") || has(units[from], "without"));
    // `frozen until Thursday, so nothing gets committed`: what was put off before is another matter.
    const gated = (ban: Ban): boolean =>
      gates.some(({ from }) => from >= ban.first) ||
      (gates.length > 0 && ban.first === 0 && ban.last > (gates[0]?.from ?? 0));
    if (consents) for (const clause of clauses) clause.exclusive = false;
    const beforeMe = gates.some(({ from, to }) =>
      units.slice(from, to).some((unit) => /^(?:you|i|we)$/.test(unit.text)),
    );
    if (this.#bans.some((ban) => ban.kind === "verbs") && (consents || consented || gates.length > 0)) {
      for (const ban of this.#bans) ban.asks ||= consents || consented || beforeMe || gated(ban);
    } else if (confirmAt >= 0 && (isFirst || gates.length > 0 || consents)) {
      const waiting = gates.flatMap(({ from, to }) => this.#verbs(from + 1, to, "bgpni").verbs);
      const own = clauses.filter(
        ({ head, first, last }) => confirmAt >= first && confirmAt < last && head <= confirmAt + 1,
      );
      kept = clauses.filter((clause) => !own.includes(clause));
      const verbs = waiting.length > 0 ? waiting : this.#verbsAnywhere(own.map(({ head }) => head));
      this.#ask(verbs, kept, segments);
    } else if (consents) {
      for (const clause of clauses) if (!clause.looks) this.#ask([clause.verb], [clause], segments);
    }
    // `Wait, don't.`, `hold off on that`: what was asked before.
    if (
      this.#open === "once" &&
      !endsOpen &&
      this.#bans.length === 0 &&
      clauses.every((clause) => clause.looks)
    )
      this.#bans.push({
        kind: "all",
        verbs: [],
        first: 0,
        last: units.length,
        objects: [],
        clause: null,
        asks: false,
        soft: false,
        exceptFrom: null,
      });
    const asksForSomething = kept.some((clause) => !clause.looks);
    return {
      bans: this.#bans.filter((ban) => !(ban.soft && asksForSomething)),
      clauses: kept,
      introduces: this.#introduces,
    };
  }

  #ask(verbs: readonly string[], clauses: readonly Clause[], segments: readonly Segment[]): void {
    const last = segments.at(-1)?.to ?? this.#units.length;
    const own =
      verbs.length > 0 ? verbs : clauses.filter((clause) => !clause.looks).map((clause) => clause.verb);
    this.#bans.push({
      kind: own.length > 0 ? "verbs" : "all",
      verbs: [...new Set(own)],
      first: 0,
      last,
      objects: [],
      clause: null,
      asks: true,
      soft: false,
      exceptFrom: null,
    });
  }

  #verbsAnywhere(leaveOut: readonly number[]): string[] {
    return this.#units.flatMap((unit, at) =>
      leaveOut.includes(at) || has(unit, "confirm")
        ? []
        : unit.senses
            .filter(({ tag, form }) => tag === "verb" && (form === "n" || form === "g" || form === "b"))
            .slice(0, 1)
            .map(({ value }) => value),
    );
  }

  #hasConsent(from: number, to: number): boolean {
    return this.#units.slice(from, to).some((unit) => has(unit, "consent"));
  }

  #waitsForMe(from: number, to: number): boolean {
    const units = this.#units.slice(from, to);
    return (has(units[0], "until") || has(units[0], "after")) && units.some((unit) => has(unit, "confirm"));
  }

  #push(
    kind: Ban["kind"],
    verbs: readonly string[],
    segment: Segment,
    objects: Range,
    form: Forms = "b",
    clause: Clause | null = null,
    soft = false,
  ): void {
    let exceptFrom: number | null = null;
    for (let at = objects.from; at < objects.to; at++)
      if (has(this.#units[at], "except")) {
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
    this.#bans.push(ban);
    this.#pending = kind === "verbs" ? { ban, form, bare: objects.to <= objects.from } : null;
  }

  /** The verbs from `from` on, one after the other; `end` is where their object begins. */
  #verbs(from: number, to: number, forms: string): { verbs: string[]; end: number } {
    const verbs: string[] = [];
    let end = from;
    for (let at = from; at < to; at++) {
      const unit = this.#units[at];
      const verb = sense(unit, "verb", forms);
      // `the greeting`, `the building` are things.
      if (
        verb !== null &&
        verb.form === "g" &&
        at > from &&
        has(this.#units[at - 1], "det") &&
        !has(this.#units[at - 1], "any")
      )
        break;
      if (verb !== null) {
        // The next verb, without a conjunction, is a noun: `delete the push history`, `send mail`.
        verbs.push(verb.value);
        end = at + 1;
        break;
      }
      if (this.#lexicon.language === "zh" && at < from + 8) continue;
      if (!this.#isLight(unit) && !(forms.includes("n") && unit?.token.kind === "word" && at < from + 4))
        break;
    }
    return { verbs, end };
  }

  #participle(from: number, to: number): { verb: string; at: number } | null {
    for (let at = from; at < to; at++) {
      const verb = sense(this.#units[at], "verb", "p");
      if (verb !== null) return { verb: verb.value, at };
    }
    return null;
  }

  /** Words between a negation and its verb. */
  #isLight(unit: Unit | undefined): boolean {
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

  #namesSomething(from: number, to: number): boolean {
    return this.#units
      .slice(from, to)
      .some((unit) => /^(?:email|handle|channel|path|file|host|url|quoted|id|phone)$/.test(unit.token.kind));
  }

  #isStory(segment: Segment): boolean {
    return this.#units
      .slice(segment.from, segment.to)
      .some((unit) => has(unit, "be") || has(unit, "modal") || has(unit, "subject"));
  }
}
