/** Statements that forbid: `tests/ is off limits`, `keep it as it is`, `it must not be shared`, `I'll send it myself`. */

import { familyOf } from "../../verbs.ts";
import type { Clause } from "../clause.ts";
import type { Segment } from "../segments.ts";
import { has, isPunct, sense, type Unit } from "../units.ts";
import type { BanList } from "./list.ts";
import { besides, gerunds, isRole, read } from "./phrases.ts";

/** `keep it read-only`, `stay read-only`: said of all that there is. */
const KEPT = /^(?:it|them|everything|things|all|this|that|stay|remain|stays|remains)$/;
/** No name of its own: what was named before. */
const POINTS = /^(?:those|these|they|that|it|this|that one|die|das|diese|esos|esas|estos|eso)$/;
/** All but what was asked for. */
const REST =
  /^(?:the )?(?:rest|others?|everything else|all else|anything else)$|^(?:den|der|die) rest$|^alles andere$|^(?:el resto|lo demas)$/;
const SAID_OF_ALL = /^(?:it|this|that|everything|all|task|session|job|run|mode)$/;

/** Bans that stand at the end of a statement, or in one about things: `tests/ is off limits`, `it must not be shared`. */
export function statement(list: BanList, segment: Segment, at: number, current: Clause | null): boolean {
  const units = list.units;
  // `our rule: we never share documents`: what they always do is what is to be done.
  if (
    /^(?:we|one)$/.test(units[at]?.text ?? "") &&
    has(units[at + 1], "not") &&
    saysRule(units, segment.from)
  )
    return read(list, { ...segment, from: at + 1 }, at + 1, current, false) === "ban";
  // `you may look, but not share it`, `mails may be read but not answered`, `everything except sending`.
  for (let index = at; index < segment.to; index++) {
    if (!has(units[index], "except")) continue;
    const allowed = units.slice(0, index).some((unit) => has(unit, "modal"));
    const found = list.verbs(index + 1, segment.to, allowed ? "bgp" : index > at ? "gn" : "bg");
    if (found.verbs.length === 0) continue;
    list.push(
      "verbs",
      found.verbs,
      segment,
      { from: found.end, to: segment.to },
      sense(units[found.end - 1], "verb", "b") !== null ? "b" : "p",
    );
    return true;
  }
  if (has(units[at], "except") && current !== null) {
    list.push("exclusive", ["not"], segment, { from: at + 1, to: segment.to }, "b", current);
    return true;
  }
  for (let index = at; index < segment.to; index++) {
    const unit = units[index];
    if (unit === undefined) break;
    if (has(unit, "else")) {
      list.push("exclusive", [], segment, { from: segment.to, to: segment.to }, "b", current);
      return true;
    }
    // `别碰README.md`: what it binds stands behind it.
    if (has(unit, "offlimits") && index === at && list.namesSomething(at + 1, segment.to)) {
      list.push("all", [], segment, { from: at + 1, to: segment.to });
      return true;
    }
    // `Off limits: a.ts, b.ts`
    const next = units[index + 1];
    if (has(unit, "offlimits") && index === at && index + 1 >= segment.to && isPunct(next, ":")) {
      if (!list.namesSomething(index + 2, units.length)) return false;
      list.push("all", [], segment, { from: index + 2, to: units.length }).last = units.length;
      return true;
    }
    if (has(unit, "offlimits") && index > at && staysPut(list, unit, index, segment)) {
      // `hands off db/, those are frozen`: once more the same.
      if (
        list.bans.length > 0 &&
        POINTS.test(
          units
            .slice(at, index)
            .map(({ text }) => text)
            .join(" "),
        )
      )
        return true;
      if (
        REST.test(
          units
            .slice(at, index)
            .map(({ text }) => text)
            .join(" "),
        ) &&
        current !== null
      ) {
        list.push("exclusive", [], segment, { from: segment.to, to: segment.to }, "b", current);
        return true;
      }
      const deeds = list.verbs(at, index, "gn");
      if (deeds.verbs.length > 0 && sense(units[at], "verb", "gn") !== null)
        list.push("verbs", deeds.verbs, segment, { from: deeds.end, to: index });
      else list.push("all", [], segment, { from: at, to: index });
      return true;
    }
    // `do what you need in src/, but tests/ is read-only`
    if (
      has(unit, "readonly") &&
      index > at + 1 &&
      /^(?:is|are)$/.test(units[index - 1]?.text ?? "") &&
      segment.joints.includes("but") &&
      list.namesSomething(segment.from, index)
    ) {
      list.push("all", [], segment, { from: segment.from, to: index });
      return true;
    }
    if (
      has(unit, "draftonly") ||
      (has(unit, "readonly") &&
        !has(unit, "readonly", "stop") &&
        !has(unit, "readonly", "withdraw") &&
        !isRole(list, segment, index, current) &&
        (index === at ||
          has(units[index - 1], "det") ||
          KEPT.test(units[index - 1]?.text ?? "") ||
          // `this is read-only`; a file that is so is what the person tells of it.
          (units[index - 1]?.text === "is" && SAID_OF_ALL.test(units[index - 2]?.text ?? ""))))
    ) {
      list.push(
        has(unit, "draftonly") ? "draft" : "all",
        [],
        segment,
        { from: segment.to, to: segment.to },
        "b",
        current,
      );
      return true;
    }
    if (has(unit, "keep") && index === at && keeps(list, segment, index)) return true;
    if (has(unit, "keep") && index > at && keepsLast(list, index, segment, current)) return true;
    if (has(unit, "avoid", "says") && index > at && gerunds(list, segment, index, current) === "ban")
      return true;
    if (has(unit, "nothing") && index > at && /want|need|like|wish/.test(units[index - 1]?.text ?? "")) {
      const wanted = list.participle(index + 1, segment.to);
      if (wanted !== null) {
        list.push("verbs", [wanted.verb], segment, { from: index + 1, to: wanted.at }, "p");
        return true;
      }
    }
    if (has(unit, "not") && index > at && isPassiveBan(unit, units[index - 1])) {
      const found = list.verbs(index + 1, segment.to, "bpgi");
      // Of other things it is said how they work; of what is to happen to things, what may not.
      const passive =
        units.slice(index + 1, found.end).some((one) => has(one, "be")) || found.verbs[0] === "egress";
      const agent =
        /^(?:you|we are|i am)|allowed|permitted/.test(unit.text) ||
        /^(?:you|agent|assistant|hermes|bot|du|sie)$/.test(units[index - 1]?.text ?? "");
      if (found.verbs.length > 0 && !passive && !agent) continue;
      if (found.verbs.length === 0 && index + 2 >= segment.to) {
        list.open = "list";
        list.introduces = true;
        return true;
      }
      if (found.verbs.length > 0) {
        list.push("verbs", found.verbs, segment, { from: at, to: segment.to }, "p");
        return true;
      }
    }
    if (has(unit, "without") && index > at) {
      besides(list, segment, index);
      return false;
    }
  }
  return byMyself(list, segment, at);
}

function keeps(list: BanList, segment: Segment, at: number): boolean {
  const units = list.units;
  for (let index = at + 1; index < segment.to; index++) {
    const unit = units[index];
    // `keep it out of #near`.
    if (unit?.text === "out of" && list.namesSomething(index + 1, segment.to)) {
      list.push("all", [], segment, { from: index + 1, to: segment.to });
      return true;
    }
    if (has(unit, "asis") && (index > at + 1 || index === segment.to - 1)) {
      list.push("all", [], segment, { from: at + 1, to: index });
      return true;
    }
    if (has(unit, "local") && !has(unit, "det")) {
      list.push("egress", [], segment, { from: segment.to, to: segment.to });
      return true;
    }
    const verb = sense(unit, "verb", "gn");
    if (
      verb !== null &&
      /^(?:to me|me)$/.test(`${units[index + 1]?.text ?? ""} ${units[index + 2]?.text ?? ""}`.trim())
    ) {
      list.push("verbs", [verb.value], segment, { from: segment.to, to: segment.to });
      return true;
    }
  }
  if (
    !/^(?:keep|leave|preserve|retain|behalte|behalt|behalten|lass|conserva|guarda|deja|保留|留着)$/.test(
      units[at]?.text ?? "",
    )
  )
    return false;
  const named = list.namesSomething(at + 1, segment.to) || has(units[segment.to - 1], "any");
  if (!named) return false;
  list.push("delete", [], segment, { from: at + 1, to: segment.to });
  return true;
}

/** `b.txt behalten`, `old.log留着`, `README.md 保持不变`: what is kept stands before the word. */
function keepsLast(list: BanList, at: number, segment: Segment, current: Clause | null): boolean {
  const end = segment.to - 1;
  const stays = at < end && has(list.units[at + 1], "asis");
  // `den Rest lass in Ruhe`
  const words = list.units.slice(segment.from, at).map(({ text }) => text);
  const isRest = REST.test(words.join(" ")) || /^(?:其他|其余|剩下|别的)/.test(words.join(""));
  if ((stays || at === end) && current !== null && isRest) {
    list.push("exclusive", [], segment, { from: segment.to, to: segment.to }, "b", current);
    return true;
  }
  if ((at !== end && !stays) || !list.namesSomething(segment.from, at)) return false;
  list.push(stays ? "all" : "delete", [], segment, { from: segment.from, to: at });
  return true;
}

function staysPut(list: BanList, unit: Unit, index: number, segment: Segment): boolean {
  if (!/stay|remain|kept|survive/.test(unit.text)) return true;
  return index + 1 >= segment.to || has(list.units[index + 1], "asis") || has(list.units[index + 1], "local");
}

/** `you may not do`, `it must not be sent`; not what others or I do not do. */
function isPassiveBan(unit: Unit, before: Unit | undefined): boolean {
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
export function byMyself(list: BanList, segment: Segment, at: number): boolean {
  const units = list.units;
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
          ({ tag, form }) => tag === "verb" && (form === "b" || form === "n" || form === "i" || form === "g"),
        )
        .map(({ value }) => value),
    );
  // `I'll correct them myself`: what the agent is to make first.
  const pronoun = rest.some(({ text }) => /^(?:it|them|that|this|es|sie|lo|la|los|las)$/.test(text));
  const amends = verbs.every((verb) => familyOf(verb) === "update");
  if (verbs.length === 0 || (amends && pronoun)) return false;
  list.push("verbs", [...new Set(verbs)], segment, { from: segment.to, to: segment.to });
  return true;
}

/** The words before this part of the sentence announce a rule. */
function saysRule(units: readonly Unit[], to: number): boolean {
  return units
    .slice(0, to)
    .some(({ text }) =>
      /^(?:rule|rules|policy|policies|principle|guideline|guidelines|convention)$/.test(text),
    );
}
