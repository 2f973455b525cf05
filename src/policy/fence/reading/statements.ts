/** Requests in the form of a statement: `the lease has to go out to a@…`, `I want these deleted`, `a@… should get it`. */

import type { Range } from "./clause.ts";
import type { Segment } from "./segments.ts";
import { has, sense, type Unit } from "./units.ts";

export interface Statement {
  readonly verb: string;
  readonly head: number;
  readonly objects: Range[];
  readonly certain: boolean;
}

/** Words behind an obligation that say that something reaches somebody. */
const REACHES = /^(?:go|goes|go to|go out|go out to|go over|reach|arrive|land|be with|be in)$/;
/** Who is to see it. */
const OPENS = /^(?:visible|accessible|available|readable|viewable|shared|open)$/;
const RECEIVES = /^(?:get|receive|have|see)$/;

/** @param at where the statement begins once what leads up to it is skipped */
export function statementOf(units: readonly Unit[], segment: Segment, at: number): Statement | null {
  const all = [{ from: segment.from, to: segment.to }];
  for (let index = at; index < segment.to; index++) {
    const unit = units[index];
    const obliges = has(unit, "modal", "oblige");
    const allows = has(unit, "modal", "may");
    const wishes = isWish(units, index, at);
    if (!obliges && !allows && !wishes) continue;
    if (obliges && RECEIVES.test(units[index + 1]?.text.split(" ")[0] ?? "") && isAddress(units[index - 1]))
      return { verb: "send", head: index + 1, objects: [{ from: segment.from, to: index }], certain: true };
    // `muss heute an a@… geschickt werden`: the verb stands last, in two words.
    const last = units[segment.to - 1];
    const done = sense(units[segment.to - 2], "verb", "p");
    if (obliges && done !== null && has(last, "be") && segment.to - 2 > index)
      return { verb: done.value, head: segment.to - 2, objects: all, certain: true };
    let next = index + 1;
    let passive = false;
    while (
      next < segment.to &&
      (has(units[next], "be") ||
        has(units[next], "filler") ||
        /^(?:now|then|also|both|all|still|really|finally|to)$/.test(units[next]?.text ?? ""))
    ) {
      passive ||= has(units[next], "be");
      next += 1;
    }
    const verb = units[next];
    if (verb === undefined || next >= segment.to) continue;
    if (wishes) {
      // `I want these files deleted`: the participle stands behind its object.
      for (let far = index + 1; far < segment.to; far++) {
        const participle = sense(units[far], "verb", "p");
        const attributive = has(units[far - 1], "det") && !has(units[far - 1], "any");
        if (participle !== null && far > index + 1 && !attributive && !has(units[far - 1], "from"))
          return { verb: participle.value, head: far, objects: all, certain: true };
      }
      continue;
    }
    if (passive && obliges && OPENS.test(verb.text) && leads(units, next + 1, segment.to))
      return { verb: "share", head: next, objects: all, certain: true };
    const participle = sense(verb, "verb", "p");
    if (passive && participle !== null)
      return { verb: participle.value, head: next, objects: all, certain: obliges };
    const gerund = sense(verb, "verb", "g");
    if (obliges && gerund !== null && /^needs?$/.test(unit?.text ?? ""))
      return { verb: gerund.value, head: next, objects: all, certain: true };
    if (obliges && REACHES.test(verb.text) && leads(units, next + 1, segment.to))
      return { verb: "send", head: next, objects: all, certain: true };
    if (obliges && RECEIVES.test(verb.text) && isAddress(units[index - 1]))
      return { verb: "send", head: next, objects: [{ from: segment.from, to: index }], certain: true };
  }
  return null;
}

function isWish(units: readonly Unit[], index: number, at: number): boolean {
  const unit = units[index];
  if (unit === undefined) return false;
  if (/^(?:i want|i need|i'd like|i would like|we want|we need|get|have)$/.test(unit.text)) return true;
  return (
    /^(?:want|need|like|would like)$/.test(unit.text) &&
    /^(?:i|we|i'd|we'd)$/.test(units[index - 1]?.text ?? "") &&
    index - 1 >= at
  );
}

function leads(units: readonly Unit[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isAddress(units[at]) || has(units[at], "to")) return true;
  return false;
}

const isAddress = (unit: Unit | undefined): boolean =>
  /^(?:email|handle|channel)$/.test(unit?.token.kind ?? "");
