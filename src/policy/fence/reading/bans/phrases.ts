/**
 * Words that forbid, in front of what they forbid or behind it: don't, never, no …, nothing may be …, without …-ing,
 * hold off on, `send nothing`.
 */

import { productOf } from "../../objects.ts";
import type { Clause } from "../clause.ts";
import type { Segment } from "../segments.ts";
import { has, sense, type Unit } from "../units.ts";
import type { BanList } from "./list.ts";

/** A segment that begins with words that forbid. */
export function read(
  list: BanList,
  segment: Segment,
  at: number,
  current: Clause | null,
  inQuestion: boolean,
): "ban" | "aside" | "none" {
  const units = list.units;
  const unit = units[at];
  if (unit === undefined) return "none";
  const rest = { from: at + 1, to: segment.to };
  if (has(unit, "readonly")) {
    if (has(unit, "readonly", "stop") || has(unit, "readonly", "withdraw")) {
      // `never mind the email` leaves out one thing.
      if (at + 1 < segment.to && has(unit, "avoid")) return gerunds(list, segment, at, current);
      if (at + 1 < segment.to && has(unit, "not")) return afterNot(list, segment, at, current, inQuestion);
      if (at + 1 < segment.to || segment.joints.includes("and")) return "none";
      const ban = list.push("all", [], segment, { from: segment.to, to: segment.to }, "b", null, true);
      ban.stops = has(unit, "readonly", "withdraw") ? "withdraw" : "pause";
      return "ban";
    }
    if (has(unit, "readonly", "egress")) {
      list.push("egress", [], segment, { from: segment.to, to: segment.to });
      return "ban";
    }
    // `no toques nada más`
    if (/^(?:mas|else)$/.test(units[at + 1]?.text ?? "") && at + 1 < segment.to) {
      list.push("exclusive", ["all"], segment, { from: segment.to, to: segment.to }, "b", current);
      return "ban";
    }
    if (isRole(list, segment, at, current)) return "none";
    list.push(
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
    list.push("draft", [], segment, rest, "b", current);
    return "ban";
  }
  if (has(unit, "not")) return afterNot(list, segment, at, current, inQuestion);
  if (has(unit, "nothing")) {
    const made = nothing(list, segment, at);
    const towards = units
      .slice(at + 1, at + 2)
      .some((one) => has(one, "to") || has(one, "for") || has(one, "in"));
    // `… but nothing to Globex`, `… but nothing in api/`
    if (made === "ban" || current === null || !towards || at + 2 >= segment.to) return made;
    list.push("exclusive", ["not"], segment, { from: at + 1, to: segment.to }, "b", current);
    return "ban";
  }
  if (has(unit, "no")) return noNoun(list, segment, at);
  if (has(unit, "without")) return gerunds(list, segment, at, current);
  if (has(unit, "avoid")) return gerunds(list, segment, at, current);
  return "none";
}

function afterNot(
  list: BanList,
  segment: Segment,
  at: number,
  current: Clause | null,
  inQuestion: boolean,
): "ban" | "aside" | "none" {
  const units = list.units;
  let next = at + 1;
  while (next < segment.to && list.isLight(units[next]) && sense(units[next], "verb", "bgip") === null)
    next += 1;
  const unit = units[next];
  if (unit === undefined || next >= segment.to) {
    list.introduces = true;
    list.open = "once";
    return "aside";
  }
  if (inQuestion && has(unit, "subject")) return "aside";
  // `don't just draft it, send it`
  if (/^(?:just|only|merely)\b/.test(units[at + 1]?.text ?? "") && goesOn(units, segment.to)) return "aside";
  // `half done and not started` says how things are.
  const bare = /^(?:not|nicht|no)$/.test(list.units[at]?.text ?? "");
  // `I don't want any edits`.
  const wants = /want|quiero|will|mochte|想/.test(list.units[at]?.text ?? "");
  const found = list.verbs(next, segment.to, bare ? "bgi" : wants ? "bgipn" : "bgip");
  // `…, not Slack`: another way to do what is asked for.
  if (bare && found.end >= segment.to && productOf(units[found.end - 1]?.text ?? "") !== null) return "aside";
  // `don't send it to anyone else`, `no toques nada más`: all but what was asked for.
  // `I don't want to spend more than 50 euros` sets a limit.
  const rest = units.slice(next, segment.to);
  if (
    rest.some((one) => has(one, "floor")) &&
    rest.some((one) => has(one, "currency") || one.token.kind === "money")
  )
    return "aside";
  const others = units
    .slice(found.end, segment.to)
    .some((one) => has(one, "else") || /^(?:其他人|别人|任何其他人|其他任何人)$/.test(one.text));
  if (found.verbs.length > 0 && others) {
    const wide = found.verbs.some((verb) => /^(?:update|edit|change|modify|touch|run)$/.test(verb));
    list.push("exclusive", wide ? ["all"] : [], segment, { from: segment.to, to: segment.to }, "b", current);
    return "ban";
  }
  if (found.verbs.length > 0) {
    const ban = list.push(
      "verbs",
      found.verbs,
      segment,
      { from: found.end, to: segment.to },
      sense(units[found.end - 1], "verb", "b") !== null ? "b" : "g",
    );
    // `You can't send it too early` is no ban, or one that is hard to tell from none.
    if (/\bcan(?:'t|not| not|t)$/.test(units[at]?.text ?? "") && tooMuch(units, found.end, segment.to))
      ban.asks = true;
    return "ban";
  }
  // `I don't want anything sent`: the participle stands behind what nothing is to be done to.
  const late = list.participle(next, segment.to);
  if (late !== null) {
    list.push("verbs", [late.verb], segment, { from: next, to: late.at }, "p");
    return "ban";
  }
  if (has(unit, "keep")) return "aside";
  if (current !== null && list.namesSomething(next, segment.to)) {
    list.push("exclusive", ["not"], segment, { from: next, to: segment.to }, "b", current);
    return "ban";
  }
  if (current === null && list.namesSomething(next, segment.to)) {
    list.push("all", [], segment, { from: next, to: segment.to });
    return "ban";
  }
  // `deploy to staging, never to production`: the same, elsewhere.
  const towards = units
    .slice(at + 1, next + 1)
    .some((one) => has(one, "to") || /^(?:on|in|into|nach|auf|a|en)$/.test(one.text));
  if (current !== null && !current.looks && towards && !has(unit, "any") && !has(unit, "me")) {
    list.push("verbs", [current.verb], segment, { from: at + 1, to: segment.to });
    return "ban";
  }
  return sense(unit, "read") !== null ? "aside" : "none";
}

/** `too early`, `too often`: there is no such thing. */
function tooMuch(units: readonly Unit[], from: number, to: number): boolean {
  return units
    .slice(from, to)
    .some(
      ({ text }, at, all) =>
        text === "too" && /^(?:early|soon|often|much|fast|quickly|carefully)$/.test(all[at + 1]?.text ?? ""),
    );
}

/** Behind this part of the sentence stands an order. */
function goesOn(units: readonly Unit[], to: number): boolean {
  return sense(units[to + 1], "verb", "b") !== null && units[to]?.token.kind === "punct";
}

function noNoun(list: BanList, segment: Segment, at: number): "ban" | "none" {
  const units = list.units;
  // `no need for a long text` leaves it to the agent.
  if (/^(?:need|cc|bcc)$/.test(units[at + 1]?.text ?? "")) return "none";
  for (let next = at + 1; next < Math.min(segment.to, at + 5); next++) {
    const verb = sense(units[next], "verb", "ng");
    if (verb === null) {
      if (units[next]?.token.kind !== "word") break;
      continue;
    }
    const after = units[next + 1];
    if (
      next + 1 < segment.to &&
      /^(?:from|yet|so|so far|since|was|were|has|have|had|went|came|arrived|is|are)$/.test(after?.text ?? "")
    )
      return "none";
    const found = list.verbs(next, segment.to, "ngp");
    list.push("verbs", found.verbs, segment, { from: found.end, to: segment.to }, "g");
    return "ban";
  }
  return nothing(list, segment, at) === "ban" ? "ban" : "none";
}

/** `nothing may be deleted`, `nobody should get it`, `no file leaves this machine`. */
function nothing(list: BanList, segment: Segment, at: number): "ban" | "none" {
  const units = list.units;
  // Chinese puts the verb right behind: 什么都别删.
  let allowed = list.lexicon.language === "zh";
  for (let next = at + 1; next < segment.to; next++) {
    const unit = units[next];
    if (/^(?:was|were|had|has|have|did)$/.test(unit?.text ?? "")) return "none";
    const verb = sense(unit, "verb", "psbig");
    // `no one answered my mail` tells a story.
    if (
      verb?.form === "p" &&
      !allowed &&
      next === at + 1 &&
      /^(?:nobody|no one|noone|none of them|nadie|niemand)$/.test(list.units[at]?.text ?? "")
    )
      return "none";
    if (verb !== null && (allowed || verb.form !== "b" || verb.value === "egress")) {
      // The verb itself is none of the things that it is about.
      const ban = list.push("verbs", [verb.value], segment, { from: at + 1, to: next }, "p");
      if (next + 1 < segment.to) ban.objects.push({ from: next + 1, to: segment.to });
      return "ban";
    }
    if (/^(?:get|receive|see|have)$/.test(unit?.text ?? "") && allowed) {
      // `Nobody else should get it.`: whom it was meant for before, may.
      if (has(units[at], "else")) {
        list.push("exclusive", [], segment, { from: segment.to, to: segment.to });
        return "ban";
      }
      list.push("verbs", ["send"], segment, { from: at + 1, to: segment.to }, "p");
      return "ban";
    }
    allowed ||= has(unit, "modal") || has(unit, "be");
  }
  return "none";
}

export function gerunds(
  list: BanList,
  segment: Segment,
  at: number,
  current: Clause | null,
): "ban" | "aside" | "none" {
  const units = list.units;
  const found = list.verbs(at + 1, segment.to, "gni");
  if (
    found.verbs.length === 0 &&
    units.slice(at + 1, segment.to).some((unit) => unit.text === "being" || unit.text === "getting")
  ) {
    const done = list.participle(at + 1, segment.to);
    if (done !== null) {
      list.push("verbs", [done.verb], segment, { from: at + 1, to: done.at }, "p");
      return "ban";
    }
  }
  if (list.hasConsent(at, segment.to)) {
    list.waits.push({ from: at, to: segment.to });
    return "aside";
  }
  if (found.verbs.length === 0 && has(list.units[at], "avoid", "touch")) {
    // `Hands off: a.ts and b.ts`
    if (at + 1 >= segment.to && list.namesSomething(segment.to, units.length)) {
      list.push("all", [], segment, { from: segment.to, to: units.length }).last = units.length;
      return "ban";
    }
    list.push("all", [], segment, { from: at + 1, to: segment.to });
    return "ban";
  }
  if (found.verbs.length === 0) {
    if (at + 1 >= segment.to || !list.namesSomething(at + 1, segment.to) || current === null) {
      const bare = units.slice(at + 1, segment.to).every((unit) => has(unit, "any") || has(unit, "filler"));
      if (!bare) return "none";
      list.open = "once";
      return "aside";
    }
    list.push("exclusive", ["not"], segment, { from: at + 1, to: segment.to }, "b", current);
    return "ban";
  }
  list.push("verbs", found.verbs, segment, { from: found.end, to: segment.to }, "g");
  return "ban";
}

/** `send nothing`, `verschick nichts`, `lösch die Mails nicht`. */
export function behind(list: BanList, segment: Segment, head: number): boolean {
  const verb = sense(list.units[head], "verb", "big");
  // `ändere sonst nichts`: all but what was asked for.
  if (verb !== null && head + 1 < segment.to && has(list.units[head + 1], "else")) {
    const wide = /^(?:update|edit|change|modify|touch)$/.test(verb.value) ? ["all"] : [];
    list.push("exclusive", wide, segment, { from: segment.to, to: segment.to });
    return true;
  }
  for (let at = head + 1; at < segment.to; at++) {
    const unit = list.units[at];
    const near =
      at <= head + 1 ||
      list.lexicon.grammar.negationAfter ||
      (has(unit, "nothing", "object") && (has(list.units[at - 1], "with") || has(list.units[at - 1], "to")));
    if (!near) continue;
    if (
      !has(unit, "nothing") &&
      !has(unit, "no") &&
      !(list.lexicon.grammar.negationAfter && has(unit, "not"))
    )
      continue;
    if (verb === null) return false;
    const rest = has(unit, "no") ? { from: at + 1, to: segment.to } : { from: head + 1, to: segment.to };
    list.push("verbs", [verb.value, ...nounsAfter(list, unit, at, segment.to)], segment, rest, "b");
    return true;
  }
  return false;
}

/**
 * `README.md nicht anfassen`, `邮件我自己发`, `经我同意再发`: where the verb stands last, whatever holds it back stands
 * before it. A negation counts when only light words come between: `die nicht benötigten Dateien löschen` is a request.
 */
export function before(list: BanList, segment: Segment, head: number, current: Clause | null): boolean {
  const verb = sense(list.units[head], "verb", "big");
  if (verb === null) return false;
  const objects = { from: segment.from, to: segment.to };
  for (let at = head - 1; at >= segment.from; at--) {
    const unit = list.units[at];
    if (unit === undefined) return false;
    // `别的都不要动`
    if (has(unit, "else")) {
      list.push("exclusive", ["all"], segment, { from: segment.to, to: segment.to }, "b", current);
      return true;
    }
    if (has(unit, "myself") && !has(unit, "any")) {
      list.push("verbs", [verb.value], segment, { from: segment.to, to: segment.to });
      return true;
    }
    if (has(unit, "consent") || has(unit, "confirm")) {
      list.push("verbs", [verb.value], segment, { from: segment.to, to: segment.to }).asks = true;
      return true;
    }
    if (has(unit, "not") && (!has(unit, "readonly") || has(unit, "readonly", "stop"))) {
      list.push("verbs", [verb.value], segment, objects);
      return true;
    }
    if (!list.isLight(unit) && unit.token.kind !== "punct") return false;
  }
  return false;
}

function nounsAfter(list: BanList, unit: Unit | undefined, at: number, to: number): string[] {
  return has(unit, "no") ? list.verbs(at + 1, to, "n").verbs : [];
}

/** `do it without contacting anyone`. */
export function besides(list: BanList, segment: Segment, at: number): void {
  for (let index = at; index < segment.to; index++)
    if (has(list.units[index], "without")) {
      gerunds(list, { ...segment, from: index }, index, null);
      return;
    }
}

/** What a further object of a request leaves out; where it begins. */
export function leavesOut(list: BanList, segment: Segment, current: Clause): number {
  for (let at = segment.from; at < segment.to; at++)
    if (has(list.units[at], "except")) {
      list.push(
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
export function within(list: BanList, segment: Segment, head: number, current: Clause): void {
  for (let at = head + 1; at < segment.to; at++) {
    const unit = list.units[at];
    if (has(unit, "without")) {
      gerunds(list, { ...segment, from: at }, at, current);
      current.objects[0] = { from: segment.from, to: at };
      return;
    }
    if (current.looks && has(unit, "readonly") && has(list.units[at - 1], "as"))
      list.push("all", [], { ...segment, from: at }, { from: segment.from, to: at - 1 });
    if (has(unit, "draftonly") && at > head + 1)
      list.push("draft", [], { ...segment, from: at }, { from: segment.to, to: segment.to }, "b", current);
    const besides = has(unit, "except") ? list.verbs(at + 1, segment.to, "bg") : null;
    if (besides !== null && besides.verbs.length > 0) {
      list.push("verbs", besides.verbs, { ...segment, from: at }, { from: besides.end, to: segment.to }, "b");
      current.objects[0] = { from: segment.from, to: at };
      return;
    }
    if (has(unit, "except") && at > head) {
      list.push(
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
      list.push("exclusive", [], segment, { from: segment.to, to: segment.to }, "b", current);
  }
  list.pending = null;
}

/** What follows `read-only` where it is a right, and where it is a way to work. */
const ROLES =
  /^(?:access|permission|permissions|link|links|role|rights|view|copy|user|account|token|key|zugriff|rechte|acceso|权限)$/;
const TASKS =
  /^(?:task|job|session|request|exercise|question|mission|check|audit|review|run|mode|aufgabe|tarea)$/;

/** `share it, read only` gives a role; `treat the repository as read-only` gives an order. */
export function isRole(list: BanList, segment: Segment, at: number, current: Clause | null): boolean {
  if (/^(?:share|grant|invite|give|add|unshare)$/.test(current?.verb ?? "")) return true;
  const next = at + 1 < segment.to ? (list.units[at + 1]?.text ?? "") : "";
  if (ROLES.test(next)) return true;
  // `Keep it read-only`: what is kept so is worked on so.
  if (/^(?:it|them|everything|things|all|this|that)$/.test(list.units[at - 1]?.text ?? "")) return false;
  return (
    at > segment.from &&
    (has(list.units[at - 1], "with") || (has(list.units[at - 1], "det") && !TASKS.test(next)))
  );
}
