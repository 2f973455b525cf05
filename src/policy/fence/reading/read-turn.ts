/**
 * One typed turn -> what it asks for, what it forbids, and what was not taken from it. Pure, total, linear, stateless:
 * the heavy part of the fence, which needs no session and runs before one is asked.
 */
import { isMaterial, materialIn, type Part } from "../../text/material.ts";
import { dataSpans, isHarnessWritten } from "../../text/quoting.ts";
import { sentencesOf } from "../../text/sentences.ts";
import { type Token, tokenize } from "../../text/tokens.ts";
import type { Dropped, Permission, Prohibition, Said, Span, Target, TurnReading } from "../types.ts";
import type { Ban } from "./bans/index.ts";
import type { Range } from "./clause.ts";
import { exclusiveOf, type Forbidden, forbiddenBy } from "./forbidden.ts";
import { type Heading, headingOf, listedBy } from "./headings.ts";
import { type Language, lexiconOf } from "./lexicon.ts";
import { byBoxes, isDone, ORNAMENT } from "./marks.ts";
import { type Request, requestOf } from "./requests.ts";
import { readSentence } from "./sentence.ts";
import { onlyForbidden } from "./spared.ts";
import { namedIn, targetsOf } from "./targets.ts";
import { inherited, isPlain, isQualified, listedUnder, sentOf, under } from "./turn-parts.ts";
import { mended } from "./typos.ts";
import { has, languageOf, type Unit, unitsOf } from "./units.ts";
import { wholeOf } from "./whole/index.ts";
import type { Retraction } from "./whole/retractions.ts";

/** Requests that one turn is read into; a person's turn has a handful. */
export const MAX_TURN_PERMISSIONS = 64;
/** Prohibitions that are kept one by one; what more of them say is kept in one, without what narrows it. */
export const MAX_TURN_PROHIBITIONS = 64;
const MAX_DROPPED = 32;
const MAX_NAMED = 128;
const MAX_SUMS = 16;
/** Names longer than this are nobody's to type. */
const LONGEST_TARGET = 1_024;
const BRANCHES = /^(?:main|master|trunk|develop)$/;
/** Of words that are quoted to people. */
const MAX_QUOTE = 400;

/** Why a request is one no longer: the person took it back. */
export const WITHDRAWN = "withdrawn";

type Draft<T extends Said> = Omit<T, "id">;

export function readTurn(text: string): TurnReading {
  const reader = new TurnReader(typeof text === "string" ? text : "");
  return reader.read();
}

const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .filter(({ kind, text }) => (kind === "word" || kind === "han") && /[\p{L}]/u.test(text))
    .map(({ text }) => text)
    .join(" ");

function withoutOrnament(tokens: readonly Token[]): readonly Token[] {
  const from = tokens.findIndex(({ text }) => !ORNAMENT.test(text));
  return from > 0 ? tokens.slice(from) : tokens;
}

class TurnReader {
  readonly #text: string;
  readonly #permissions: Draft<Permission>[] = [];
  readonly #prohibitions: Draft<Prohibition>[] = [];
  readonly #dropped: Dropped[] = [];
  readonly #again: number[] = [];
  readonly #delegated: Said[] = [];
  readonly #named: Target[] = [];
  /** Sums of money anywhere in the turn. */
  readonly #sums: Target[] = [];
  #last: Request | null = null;
  #assents = false;
  #withdraws = false;
  /** Prohibitions that only end what was asked before: they fall away where the turn goes on to ask for something. */
  readonly #stops = new Set<Draft<Prohibition>>();
  /** Of these it was gone on. */
  readonly #passed = new Set<Draft<Prohibition>>();
  /** Forbidden in a sentence that begins with what it depends on. */
  readonly #conditional = new Set<Draft<Prohibition>>();
  #says = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): TurnReading {
    const text = this.#text;
    if (isHarnessWritten(text)) {
      this.#drop(0, text.length, "harness-written");
    } else {
      const spans = dataSpans(text);
      for (const { kind, start, end } of spans)
        if (kind !== "quote" && kind !== "code" && kind !== "note")
          this.#drop(start, end, "not-the-users-words");
      const parts = materialIn(text, spans);
      for (const { start, end } of parts) this.#drop(start, end, "not-the-users-words");
      this.#sentences(spans, parts);
      this.#settleSums();
      this.#settlePushes();
    }
    return {
      permissions: this.#permissions,
      prohibitions: this.#prohibitions.filter((one) => !this.#passed.has(one)),
      dropped: this.#dropped,
      again: this.#again,
      delegated: this.#delegated,
      named: this.#named,
      assents:
        this.#assents && !this.#says && this.#permissions.length === 0 && this.#prohibitions.length === 0,
      ...(this.#withdraws ? { withdraws: true as const } : {}),
    };
  }

  #sentences(spans: ReturnType<typeof dataSpans>, parts: readonly Part[]): void {
    const tokens = tokenize(this.#text, spans, parts);
    const forbidden = new Set<number>();
    const overall = languageOf(tokens, "en");
    const bansAt = new Set<number>();
    const sentences = byBoxes(sentencesOf(tokens, this.#text), tokens, this.#text);
    const introduced = new Set(sentences.map(({ intro }) => intro));
    const headings = new Map<number, Heading>();
    let before: readonly Target[] = [];
    let asked: readonly Unit[] | null = null;
    for (const [index, sentence] of sentences.entries()) {
      const part = tokens.slice(sentence.from, sentence.to);
      const language = languageOf(part, overall);
      const lexicon = lexiconOf(language);
      const units = mended(unitsOf(withoutOrnament(part), language, this.#text), lexicon);
      const above = sentence.intro === null ? undefined : headings.get(sentence.intro);
      const said = introduced.has(index) ? wordsOf(part) : "";
      const known = introduced.has(index) ? (headingOf(said) ?? inherited(above)) : undefined;
      const isBanned =
        above === "forbid" || above === "ask" || (sentence.intro !== null && bansAt.has(sentence.intro));
      const whole = wholeOf(
        readSentence(units, lexicon, sentence.mark, isBanned),
        lexicon,
        sentence.mark,
        this.#text,
        asked,
      );
      asked = sentence.mark === "?" ? units : null;
      const read = isDone(this.#typed(part))
        ? { ...whole.reading, clauses: [], delegated: [] }
        : whole.reading;
      const heading =
        known ??
        (introduced.has(index)
          ? listedUnder(
              listedBy(
                said,
                sentence.mark,
                read.clauses.some(({ looks }) => !looks),
              ),
              above,
            )
          : undefined);
      if (heading !== undefined) headings.set(index, heading);
      // `Do not:` above a list takes nothing back.
      if (sentence.mark !== ":") this.#retract(whole.retracts);
      const made = this.#permissions.length;
      const isShown = isMaterial(parts, part.find(({ kind }) => kind !== "break")?.start ?? 0);
      // Whosever words these are, they ask for nothing; what they forbid waits for the person.
      const reading = isShown
        ? under(read, "ask")
        : isPlain(above) && (isPlain(heading) || heading === "data")
          ? read
          : under(read, isPlain(above) ? null : (above ?? null));
      if (reading.introducesBans || (isBanned && sentence.mark === ":")) bansAt.add(index);
      for (const start of onlyForbidden(reading)) forbidden.add(start);
      this.#take(units, reading, language, before);
      this.#retract(above === "unsure" ? "doubted" : whole.doubts, made, true);
      if (isShown) {
        before = [];
        continue;
      }
      for (const target of namedIn({ text: this.#text, units, language, loose: false, people: false }, -1, [
        { from: 0, to: units.length },
      ]).amounts)
        if (
          typeof target.currency === "string" &&
          this.#sums.length < MAX_SUMS &&
          !this.#sums.some(({ value, currency }) => value === target.value && currency === target.currency)
        )
          this.#sums.push(target);
      before = targetsOf(
        namedIn({ text: this.#text, units, language, loose: false, people: false }, -1, [
          { from: 0, to: units.length },
        ]),
      );
    }
    for (const token of tokens)
      if (!isMaterial(parts, token.start) && !forbidden.has(token.start)) this.#name(token);
  }

  /** A sentence as it was typed. */
  #typed(tokens: readonly Token[]): string {
    return this.#text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
  }

  /** Whatever the words name, for whatever reason: what was named is not far-fetched. */
  #name({ kind, start, end }: Token): void {
    if (this.#named.length >= MAX_NAMED) return;
    const text = this.#text.slice(start, end);
    const add = (target: Target): void => {
      if (
        target.text.length <= LONGEST_TARGET &&
        !this.#named.some((one) => one.kind === target.kind && one.text === target.text)
      )
        this.#named.push(target);
    };
    if (kind === "url" || kind === "host") add({ kind: "host", text });
    else if (kind === "path" || kind === "file") add({ kind: "path", text });
    else if (kind === "quoted" && text.length <= MAX_QUOTE) {
      const inner = text.replace(/^[^\p{L}\p{N}~./$]+|[^\p{L}\p{N}/]+$/gu, "");
      if (/^[~.]?[\w./-]*[/.][\w./-]+$/.test(inner)) add({ kind: "path", text: inner });
    }
  }

  /** `Buy the lamp. It costs 40 EUR.`, `My limit is 40 EUR.`: the sum of a payment that states none itself. */
  #settleSums(): void {
    const caps = this.#sums.filter(({ most }) => most === true);
    const sums = caps.length > 0 ? caps : this.#sums.length === 1 ? this.#sums : [];
    if (sums.length === 0) return;
    for (const [at, permission] of this.#permissions.entries())
      if (permission.risk === "FINANCIAL" && permission.targets.every(({ kind }) => kind !== "amount"))
        this.#permissions[at] = { ...permission, targets: [...permission.targets, ...sums] };
  }

  /** `Don't push to main.`: where no other branch is named, a push may be one to it. */
  #settlePushes(): void {
    const elsewhere = this.#permissions.some(
      ({ verbs, targets }) =>
        verbs.includes("push") && targets.some(({ kind }) => kind === "item" || kind === "path"),
    );
    if (elsewhere) return;
    for (const [at, one] of this.#prohibitions.entries())
      if (
        one.verbs.length === 1 &&
        one.verbs[0] === "push" &&
        one.targets.every(({ text }) => BRANCHES.test(text))
      )
        this.#prohibitions[at] = { ...one, targets: [] };
  }

  #take(
    units: readonly Unit[],
    reading: ReturnType<typeof readSentence>,
    language: Language,
    earlier: readonly Target[],
  ): void {
    if (reading.assents) this.#assents = true;
    else if (reading.clauses.length > 0 || reading.bans.length > 0) this.#says = true;
    if (reading.withdraws) this.#withdraw();
    for (const [index, clause] of reading.clauses.entries()) {
      const told = { from: 0, to: clause.first };
      const here =
        clause.first > 0
          ? targetsOf(namedIn({ text: this.#text, units, language, loose: false, people: false }, -1, [told]))
          : [];
      const found = requestOf(
        clause,
        units,
        this.#text,
        language,
        reading.regular,
        here.length > 0 ? here : earlier,
      );
      const request = index > 0 ? sentOf(found, this.#last, clause, units) : found;
      if (request === null) {
        if (clause.explicit && !clause.looks)
          this.#dropUnits(units, { from: clause.first, to: clause.last }, "informational");
        continue;
      }
      this.#last = request;
      const said = this.#said(units, clause.first, clause.last, request.rationale);
      for (const risk of request.risks) {
        if (this.#permissions.length >= MAX_TURN_PERMISSIONS) {
          this.#dropUnits(units, { from: clause.first, to: clause.last }, "too-many-requests");
          break;
        }
        if (has(units[0], "if")) this.#unlessElse(request.verbs);
        if (request.again) this.#again.push(this.#permissions.length);
        const { verbs, object, targets, limit } = request;
        for (const stop of this.#stops) this.#passed.add(stop);
        this.#permissions.push({
          ...said,
          risk,
          verbs,
          object,
          targets,
          limit: request.unsure.includes(risk) ? 0 : limit,
        });
      }
    }
    const bans = [...reading.bans, ...reading.clauses.flatMap((clause) => exclusiveOf(clause) ?? [])];
    for (const ban of bans) {
      const found = forbiddenBy(ban, reading.clauses, units, this.#text, language);
      const rest = found.length === 0 && ban.kind === "exclusive" && reading.clauses.length === 0;
      for (const one of rest ? this.#restOfLast(ban) : found) {
        const forbidden = this.#besides(one, ban, units);
        this.#forbid(units, forbidden);
        const last = this.#prohibitions.at(-1);
        if (last !== undefined && has(units[0], "if")) this.#conditional.add(last);
        if (
          ban.stops !== undefined &&
          last !== undefined &&
          this.#prohibitions.length < MAX_TURN_PROHIBITIONS
        )
          this.#stops.add(last);
      }
    }
    for (const { from, to, cause } of reading.dropped) this.#dropUnits(units, { from, to }, cause);
    for (const { from, to } of reading.delegated)
      if (this.#delegated.length < 8)
        this.#delegated.push(this.#said(units, from, to, "Your words ask to do what something else says."));
  }

  /**
   * `Delete it — just kidding.`, `Delete it. Hmm, no.`: what was asked in this turn is not meant, or may not be.
   * @param from the first request that the words are about; without it, all of the turn
   * @param own they stand in the sentence itself
   */
  #retract(retraction: Retraction, from = 0, own = false): void {
    if (retraction === null) return;
    if (!own && retraction === "withdrawn") {
      this.#withdraw();
      return;
    }
    for (let at = from; at < this.#permissions.length; at++) {
      const one = this.#permissions[at];
      if (one !== undefined) this.#permissions[at] = { ...one, limit: 0 };
    }
  }

  /** `If they fail, don't push. If they pass, push.`: which of them it is, the words do not tell. */
  #unlessElse(verbs: readonly string[]): void {
    for (const [at, one] of this.#prohibitions.entries())
      if (this.#conditional.has(one) && verbs.some((verb) => one.verbs.includes(verb)))
        this.#prohibitions[at] = { ...one, verdict: "ask" };
  }

  /** What a ban leaves of what the same turn asks for by name. */
  #besides(forbidden: Forbidden, ban: Ban, units: readonly Unit[]): Forbidden {
    if (forbidden.targets.length > 0 || forbidden.except || ban.kind !== "verbs") return forbidden;
    const asked = this.#permissions.filter(({ risk }) =>
      (forbidden.risks as readonly string[]).includes(risk),
    );
    if (forbidden.risks === "all" || asked.length === 0) return forbidden;
    // `Book the train. Don't book first class.`: one way to do it.
    if (forbidden.risks.includes("FINANCIAL") && ban.verbs.length === 1 && isQualified(ban, asked, units))
      return { ...forbidden, verdict: "ask" };
    // `Mail it to a@…. If they write, don't reply to them.`: no answer is asked for.
    const others = asked.filter(({ verbs }) => !verbs.includes("reply"));
    const targets = others.flatMap((one) => one.targets.filter(({ kind }) => kind === "recipient"));
    return ban.verbs.length === 1 && ban.verbs[0] === "reply" && targets.length > 0
      ? { ...forbidden, object: [], targets, except: true }
      : forbidden;
  }

  /** `Never mind.`: what was asked before, in this turn too, is asked no more. */
  #withdraw(): void {
    this.#withdraws = true;
    for (const { quote, span } of this.#permissions)
      if (this.#dropped.length < MAX_DROPPED) this.#dropped.push({ quote, span, cause: WITHDRAWN });
    this.#permissions.length = 0;
    this.#again.length = 0;
    this.#delegated.length = 0;
  }

  /** `Email it to a@…. Nobody else should get it.`: the rest of what the sentence before asked for. */
  #restOfLast(ban: Ban): Forbidden[] {
    const last = this.#last;
    // `Ändere sonst nichts.`: where nothing was asked for, that is all.
    if (last === null && ban.verbs[0] === "all")
      return [
        {
          first: ban.first,
          last: ban.last,
          risks: "all",
          verbs: [],
          object: [],
          targets: [],
          except: false,
          verdict: "block",
          rationale: "Your words forbid it.",
        },
      ];
    if (last === null || (ban.verbs.length > 0 && ban.verbs[0] !== "all")) return [];
    const targets = last.targets.filter(({ kind }) => kind !== "amount");
    if (targets.length === 0) return [];
    return [
      {
        first: ban.first,
        last: ban.last,
        risks: ban.verbs[0] === "all" ? "all" : last.risks,
        verbs: [],
        object: [],
        targets,
        except: true,
        verdict: ban.asks ? "ask" : "block",
        rationale: "Your words forbid it.",
      },
    ];
  }

  #forbid(units: readonly Unit[], forbidden: Forbidden): void {
    const { risks, verbs, object, targets, except, verdict, rationale } = forbidden;
    const said = this.#said(units, forbidden.first, forbidden.last, rationale);
    const last = this.#prohibitions.at(-1);
    if (this.#prohibitions.length < MAX_TURN_PROHIBITIONS || last === undefined) {
      this.#prohibitions.push({ ...said, risks, verbs, object, targets, except, verdict });
      return;
    }
    const together =
      last.risks === "all" || risks === "all" ? "all" : [...new Set([...last.risks, ...risks])];
    this.#prohibitions[this.#prohibitions.length - 1] = {
      ...last,
      risks: together,
      verbs: [],
      object: [],
      targets: [],
      except: false,
      verdict: last.verdict === "block" || verdict === "block" ? "block" : "ask",
    };
  }

  #said(units: readonly Unit[], from: number, to: number, rationale: string): Said {
    let end = to;
    while (end > from + 1 && units[end - 1]?.token.kind === "punct") end -= 1;
    const start = units[from]?.start ?? 0;
    const stop = Math.min(units[end - 1]?.end ?? start, start + MAX_QUOTE);
    const span: Span = { turn: 0, start, end: stop };
    return { quote: this.#text.slice(start, stop), span, rationale };
  }

  #dropUnits(units: readonly Unit[], { from, to }: Range, cause: string): void {
    this.#drop(units[from]?.start ?? 0, units[to - 1]?.end ?? 0, cause);
  }

  #drop(start: number, end: number, cause: string): void {
    if (this.#dropped.length >= MAX_DROPPED || end <= start) return;
    const stop = Math.min(end, start + MAX_QUOTE);
    this.#dropped.push({ quote: this.#text.slice(start, stop), span: { turn: 0, start, end: stop }, cause });
  }
}
