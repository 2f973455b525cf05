/** A clause that asks for something -> the classes of effect it asks for, and what they are good for. */

import type { FencedClass, Target } from "../types.ts";
import { familyOf } from "../verbs.ts";
import { type Draft, draftOf, produced } from "./classes.ts";
import type { Clause } from "./clause.ts";
import type { Language } from "./lexicon.ts";
import type { Named } from "./named.ts";
import { joinPlaces, namedIn, targetsOf } from "./targets.ts";
import { has, type Unit } from "./units.ts";

/** A permission before anyone says whose words it stands on. */
export interface Request {
  readonly risks: readonly FencedClass[];
  readonly verbs: readonly string[];
  readonly object: readonly string[];
  readonly targets: readonly Target[];
  readonly limit: number | null;
  /** Classes among `risks` for which the words can also be read otherwise. */
  readonly unsure: readonly FencedClass[];
  readonly again: boolean;
  readonly rationale: string;
}

const MOST_WORDS = 16;

export function requestOf(
  clause: Clause,
  units: readonly Unit[],
  text: string,
  language: Language,
  regular = false,
  before: readonly Target[] = [],
): Request | null {
  const family = familyOf(clause.verb);
  const hands = clause.looks && /^(?:get|bring)\b/.test(units[clause.head]?.text ?? "");
  const people =
    hands ||
    family === "message" ||
    family === "share" ||
    family === "pay" ||
    family === "schedule" ||
    family === "buy" ||
    clause.verb === "add" ||
    clause.verb === "delete" ||
    clause.verb === "draft" ||
    clause.verb === "write" ||
    clause.verb === "create" ||
    clause.verb === "make" ||
    clause.verb === "set_up" ||
    clause.verb === "upload";
  const named = namedIn(
    { text, units, language, loose: false, people },
    clause.head,
    clause.objects,
    clause.relatives,
  );
  if (/ (?:me|us|mich|uns)$|^(?:avisa|notifica|escribe)me$/.test(units[clause.head]?.text ?? ""))
    named.me = true;
  if (people && named.recipients.length === 0) lateRecipients(clause, named, units, text, language);
  if (clause.verb === "comment") antecedent(clause, named, units, before);
  const draft = clause.looks
    ? produced(clause, named, units, regular)
    : draftOf(clause, named, units, regular);
  if (draft === null || draft.risks.length === 0) return null;
  if (draft.risks.includes("DELETE")) joinPlaces(named);
  antecedent(clause, named, units, before);
  if (clause.verb === "run" && named.commands.length === 0) typedCommand(clause, named, units, text);
  const targets = relevant(named, draft);
  if (clause.explicit && !names(targets, draft)) return null;
  const limit = clause.certain && draft.sure ? limitOf(clause, named, draft, units) : 0;
  const verb = draft.verbs[0] ?? clause.verb;
  return {
    risks: draft.risks,
    verbs: [...new Set(draft.verbs)],
    object: [...new Set(named.nouns)].slice(0, MOST_WORDS),
    targets,
    limit,
    unsure: draft.unsure ?? [],
    again: targets.every(({ kind }) => kind !== "recipient") && someUnit(clause, units, "again"),
    rationale: `Your words ask to ${verb.replaceAll("_", " ")}${limit === 0 ? ", and can be read otherwise" : ""}.`,
  };
}

/** `… old/a.txt. Delete it.`: one thing that was named just before, or several for `them`. */
function antecedent(clause: Clause, named: Named, units: readonly Unit[], before: readonly Target[]): void {
  if (named.paths.length + named.items.length + named.hosts.length > 0) return;
  const words = clause.objects.flatMap(({ from, to }) => units.slice(from, to).map(({ text }) => text));
  const one = words.some((word) => /^(?:it|that|this|es|das|lo|la|它|这个|那个)$/.test(word));
  const more = words.some((word) => /^(?:them|these|those|both|sie|beide|los|las|它们|这些)$/.test(word));
  const kept = before.filter(({ kind }) => kind === "path" || kind === "item");
  const names = new Set(kept.filter(({ kind }) => kind === "path").map(({ text }) => text));
  const count = names.size > 0 ? names.size : kept.length;
  if ((one && count === 1) || (more && count > 1)) {
    named.paths.push(...kept.filter(({ kind }) => kind === "path"));
    named.items.push(...kept.filter(({ kind }) => kind === "item"));
  }
}

/** Programs that people name when they type a command out. */
const PROGRAMS =
  /^(?:git|npm|npx|yarn|pnpm|bun|node|deno|python|python3|pip|pip3|uv|poetry|pytest|ruby|bundle|gem|rake|cargo|rustc|go|make|cmake|gradle|mvn|java|docker|kubectl|helm|terraform|ansible|aws|gcloud|az|gh|glab|rm|mv|cp|mkdir|touch|chmod|chown|ls|cat|grep|find|sed|awk|curl|wget|ssh|scp|rsync|tar|zip|unzip|psql|mysql|sqlite3|redis-cli|systemctl|service|brew|apt|apt-get|sudo|bash|sh|zsh|echo|kill|pkill|vercel|netlify|wrangler|firebase|heroku|flyctl)$/;

/** `run git push origin main`: the command as typed, to the end of its clause. */
function typedCommand(clause: Clause, named: Named, units: readonly Unit[], text: string): void {
  if (announced(clause, named, units, text)) return;
  const first = units[clause.head + 1];
  if (first === undefined || !PROGRAMS.test(first.text.split(" ")[0] ?? "")) return;
  const to = clause.objects[0]?.to ?? clause.head + 1;
  let end = to;
  while (end > clause.head + 1 && units[end - 1]?.token.kind === "punct") end -= 1;
  const last = units[end - 1];
  // What stands in quotes is shown; a command ends where it begins.
  if (last === undefined || units.slice(clause.head + 1, end).some(({ token }) => token.kind === "quoted"))
    return;
  const typed = text.slice(first.start, last.end).trim();
  if (typed.length <= 200 && !typed.includes("\n")) named.commands.push({ kind: "command", text: typed });
}

const ANNOUNCES =
  /^(?:this|the|these|following|exact|command|commands|shell|terminal|bash|in|a|my|please|here|now|one|line|diesen|folgenden|befehl|im|este|comando|en|la|el|siguiente)$/;

/** `Run this command in the terminal: echo a > b.txt`: what stands behind the colon, to the end of its line. */
function announced(clause: Clause, named: Named, units: readonly Unit[], text: string): boolean {
  const colon = units.findIndex(
    ({ token, text: mark }, at) => at > clause.head && token.kind === "punct" && mark === ":",
  );
  const between = units.slice(clause.head + 1, colon);
  if (colon < 0 || !between.every((unit) => unit.text.split(" ").every((word) => ANNOUNCES.test(word))))
    return false;
  const [first, last] = [units[colon + 1], units.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (first.token.kind === "quoted") {
    const shown = text.slice(first.start, first.end);
    if (!shown.startsWith("`") || shown.length > 200) return false;
    named.commands.push({ kind: "command", text: shown.replaceAll("`", "").trim() });
    return true;
  }
  const typed = (text.slice(first.start, last.end).split("\n", 1)[0] ?? "").trim();
  if (typed.length === 0 || typed.length > 200) return false;
  named.commands.push({ kind: "command", text: typed });
  return true;
}

/** `send information about what they serve to Bob`; `visit Dora and Eve and message them`. */
function lateRecipients(
  clause: Clause,
  named: Named,
  units: readonly Unit[],
  text: string,
  language: Language,
): void {
  if (familyOf(clause.verb) !== "message") return;
  for (const { from, to } of [...clause.relatives, ...clause.bodies])
    for (let at = to - 1; at > from; at--)
      if (units[at]?.text === "to") {
        const late = namedIn({ text, units, language, loose: false, people: true }, -1, [{ from: at, to }]);
        named.recipients.push(...late.recipients.slice(0, 1));
        break;
      }
  if (named.recipients.length > 0) return;
  const speaks = units
    .slice(clause.head + 1, clause.head + 3)
    .some((unit) => /^(?:them|her|him|both|both of them)$/.test(unit.text));
  if (!speaks) return;
  for (let at = 1; at < clause.head; at++) {
    const unit = units[at];
    // A name, not the name of a place: it stands before what tells where it is found.
    if (unit === undefined || !unit.isName || unit.senses.length > 0 || named.recipients.length >= 4)
      continue;
    named.recipients.push({ kind: "recipient", text: text.slice(unit.start, unit.end) });
  }
}

function someUnit(clause: Clause, units: readonly Unit[], tag: "again" | "each" | "regularly"): boolean {
  return clause.objects.some(({ from, to }) => units.slice(from, to).some((unit) => has(unit, tag)));
}

/** Of what the clause names, what says something about effects of these classes. */
function relevant(named: Named, draft: Draft): Target[] {
  const has = (risk: FencedClass): boolean => draft.risks.includes(risk);
  return targetsOf(named).filter(({ kind }) => {
    switch (kind) {
      case "recipient":
        return (
          has("COMMUNICATION") ||
          has("SHARE") ||
          has("FINANCIAL") ||
          has("PERSISTENT") ||
          has("EXTERNAL_WRITE")
        );
      case "path":
        return has("WRITE") || has("DELETE") || has("EXECUTE") || has("EXTERNAL_WRITE") || has("SHARE");
      case "amount":
        return has("FINANCIAL");
      case "host":
        return !has("FINANCIAL");
      default:
        return true;
    }
  });
}

function names(targets: readonly Target[], draft: Draft): boolean {
  if (draft.risks.includes("COMMUNICATION"))
    return targets.some(({ kind, text }) => kind === "recipient" && /@|#|\+\d/.test(text));
  return targets.some(({ kind }) => kind === "path");
}

/** How often: once for each target, unless the words set another number or none (CONVENTIONS §7). */
function limitOf(clause: Clause, named: Named, draft: Draft, units: readonly Unit[]): number | null {
  const [risk] = draft.risks;
  const family = familyOf(clause.verb);
  const times = named.quantity;
  if (risk === "FINANCIAL")
    return draft.verbs.includes("buy") || draft.verbs.includes("book") || draft.verbs.includes("order")
      ? (times ?? 1)
      : named.open && named.amounts.length === 0
        ? null
        : 1;
  if (risk === "WRITE" || risk === "EXECUTE") return null;
  if (risk === "DELETE") return times !== null ? Math.max(times, named.listed) : null;
  // `each of a@… and b@…`: once for each of them.
  if (risk === "COMMUNICATION" && named.recipients.filter(({ text }) => text.includes("@")).length > 1)
    return times ?? 1;
  if (someUnit(clause, units, "each") || named.open) return times !== null && times > 1 ? times : null;
  if (risk === "COMMUNICATION" || risk === "SHARE" || risk === "PERSISTENT") return times ?? 1;
  if (
    draft.verbs[0] === "schedule" ||
    family === "create" ||
    family === "schedule" ||
    family === "draft" ||
    family === "message"
  )
    // `two reminders: …, …` says how many there are.
    return times !== null && times > 1
      ? times
      : Math.max(1, named.recipients.length === 0 ? named.listed : 1);
  return null;
}
