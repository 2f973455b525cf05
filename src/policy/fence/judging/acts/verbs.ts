/** Whether a tool does what was asked for, by the verbs of the two. */

import type { Act } from "../../../types.ts";
import { familyOf, plainVerb } from "../../verbs.ts";
import type { Ready } from "./match.ts";

/** `exact` the verb itself, `family` one that stands for it, or none. */
export function verbMatch(ready: Ready, act: Act): "exact" | "family" | "none" {
  const verbs = act.verbs.map(plainVerb);
  if (verbs.some((verb) => ready.verbs.has(verb))) return "exact";
  // `label the mail` is done by `add_label`.
  if (act.object.some((word) => LABELS.has(word) && ready.verbs.has(word))) return "exact";
  const turn = verbs[0] === "turn" && act.object.some((word) => ready.verbs.has(`turn_${word}`));
  if (turn || ready.verbs.has(`${verbs[0] ?? ""}_${act.object[0] ?? ""}`)) return "exact";
  const families = new Set<string>(verbs.slice(0, 2).map((verb) => familyOf(verb) ?? ""));
  return [...ready.families].some((family) => family !== "" && families.has(family)) ? "family" : "none";
}

export const LABELS = new Set(
  "label tag comment star archive assign pin rate review draft invite share call".split(" "),
);

export const MOVES = /^(?:move|rename|mv)$/;
