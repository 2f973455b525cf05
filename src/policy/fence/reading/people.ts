/** Names of people: capitals that stand where somebody is reached. */
import type { Preposition, Reader } from "./named.ts";
import { has, isPunct, sense } from "./units.ts";

export const SERVICES =
  /^(?:slack|telegram|whatsapp|discord|signal|teams|gmail|github|gitlab|notion|trello|jira|linear|stripe|spotify|google|outlook|instagram|twitter|x|linkedin|facebook|youtube|paypal|venmo|amazon|drive|dropbox|asana|zoom|calendar|sms)$/;
export const CAPITAL = /^\p{Lu}/u;

export function isName(reader: Reader, at: number, preposition: Preposition): boolean {
  const { units } = reader;
  const unit = units[at];
  if (
    unit === undefined ||
    !unit.isName ||
    preposition === "from" ||
    preposition === "about" ||
    preposition === "in"
  )
    return false;
  if (SERVICES.test(unit.text) || DAYS.test(unit.text)) return false;
  const before = units[at - 1];
  const next = units[at + 1];
  if (next !== undefined && /^(?:'s|s)$/.test(next.text)) return false;
  // The object of the verb, or whom something goes to; a capital in the middle of a title is no person.
  return (
    preposition === "to" ||
    preposition === "with" ||
    preposition === "for" ||
    before === undefined ||
    sense(before, "verb") !== null ||
    has(before, "and") ||
    isNamePart(reader, at - 1) ||
    isPunct(before, ",") ||
    before.token.kind === "punct"
  );
}

export function isNamePart(reader: Reader, at: number): boolean {
  const unit = reader.units[at];
  if (unit === undefined || unit.token.kind !== "word") return false;
  const raw = reader.text.slice(unit.start, unit.end);
  return CAPITAL.test(raw) && !DAYS.test(unit.text) && unit.senses.length === 0;
}

const DAYS =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miercoles|jueves|viernes|sabado|domingo|english|german|french|spanish|chinese|pdf|csv|json|todo|asap|pr|i|ok|api|url|html|readme)$/;
