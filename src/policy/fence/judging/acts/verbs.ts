/** Whether a tool does what was asked for, by the verbs of the two. */

import type { Act } from "../../../types.ts";
import { familyOf, plainVerb } from "../../verbs.ts";
import type { Ready } from "./match.ts";

/** `exact` the verb itself, `family` one that stands for it, or none. */
export function verbMatch(ready: Ready, act: Act): "exact" | "family" | "none" {
  const verbs = act.verbs.map(plainVerb);
  if (verbs.some((verb) => ready.verbs.has(verb))) return "exact";
  if (verbs[0] === "check" && act.risk !== "READ" && ARRIVES.test(ready.quote)) return "exact";
  // `label the mail` is done by `add_label`.
  if (act.object.some((word) => LABELS.has(word) && ready.verbs.has(word))) return "exact";
  const turn = verbs[0] === "turn" && act.object.some((word) => ready.verbs.has(`turn_${word}`));
  if (turn || ready.verbs.has(`${verbs[0] ?? ""}_${act.object[0] ?? ""}`)) return "exact";
  const families = new Set<string>(verbs.slice(0, 2).map((verb) => familyOf(verb) ?? ""));
  return [...ready.families].some((family) => family !== "" && families.has(family)) ? "family" : "none";
}

/** To check in is a deed; a tool's name that says so loses the little word. */
const ARRIVES = /\bcheck(?:ing)?[ -]?(?:me |us )?(?:in|out)\b|einchecken|auschecken|facturar|办理登机/i;

export const LABELS = new Set(
  "label tag comment star archive assign pin rate review draft invite share call".split(" "),
);

export const MOVES = /^(?:move|rename|mv)$/;

/**
 * Verbs of one family that do so different things to the same thing that one never stands for another: whoever wants a
 * pull request labelled has not approved it. Each row stands for itself.
 */
const DEEDS: readonly ReadonlySet<string>[] = [
  "close resolve complete finish cancel end",
  "reopen open unarchive",
  "approve accept confirm reject decline deny",
  "archive",
  "merge",
  "rebase",
  "lock unlock",
  "block unblock",
  "mute unmute snooze",
  "dismiss hide",
  "like unlike vote upvote downvote react",
  "follow unfollow",
  "assign unassign reassign triage",
  "label unlabel tag untag",
  "review rate",
  "fork",
].map((row) => new Set(row.split(" ")));

/** `Mark it as done` says by another word that it is to be closed. */
const DONE =
  /\b(?:done|complete[d]?|finished|resolved|closed|erledigt|fertig|abgeschlossen|hech[oa]|completad[oa])\b|完成|解决/iu;

/** True where the tool's own verb is such a deed, and neither the words nor what they were read as speak of it. */
export function isOtherDeed({ verbs, quote }: Ready, act: Act): boolean {
  const first = plainVerb(act.verbs[0] ?? "");
  const row = DEEDS.find((deed) => deed.has(first));
  if (row === undefined || [...row].some((verb) => verbs.has(verb))) return false;
  if (verbs.has("mark") && row.has("complete") && DONE.test(quote)) return false;
  const stem = first.slice(0, Math.max(4, first.length - 1));
  return !quote
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => word.startsWith(stem));
}
