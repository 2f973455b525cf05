/** Lines of a chat, as its clients export them or people type them: who speaks, when, and what is said. */
import { isOwnLabel } from "./labels.ts";

/** `said`: a line with its speaker. `stamp`: a line that only says who and when, above what is said. */
export type ChatLine = "said" | "stamp";

const CLOCK = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \t]?[ap]\.?m\.?)?(?:[ \t]?uhr)?`;
const DAY = String.raw`(?:\d{1,4}[-./年]\d{1,2}[-./月]\d{1,4}日?|\d{1,2}\.?[ \t](?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]{0,6}\.?(?:[ \t]\d{2,4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?[ \t]\d{1,2}(?:,?[ \t]\d{4})?|today|yesterday|heute|gestern|hoy|ayer|今天|昨天|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mié|jue|vie|sáb|dom)\.?(?=[ ,]))`;
const WHEN = String.raw`(?:${DAY}(?:,|T|[ \t]at|[ \t]um)?[ \t]{0,2}(?:${CLOCK}(?:Z|[+-]\d{2}:?\d{2})?)?|${CLOCK})`;
const NAME = String.raw`(?:[~@+%&][ \t]?)?[\p{L}_][\p{L}\p{N}\p{M}'’._-]{0,30}(?:[ \t][\p{L}\p{N}(][\p{L}\p{N}\p{M}'’._)-]{0,30}){0,3}`;
/** A bullet, a number, a picture of who speaks. */
const ITEM = String.raw`^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:[~\p{S}\p{Extended_Pictographic}\ufe0f]{1,12}[ \t]*)?`;

/** A time and a speaker: nothing else looks like it. */
const TIMED = [
  // `[10:32] Bob: …`, `[12/05/2024, 10:32:11] Bob: …`, `10:32 <bob> …`, `12/05/2024, 10:32 - Bob: …`
  new RegExp(
    String.raw`${ITEM}[[(]?${WHEN}[\])]?[ \t]*(?:[-–—|,][ \t]*)?(?:<${NAME}>|(${NAME})(?:[ \t]{0,2}[:：>]|[ \t][-–][ \t]))`,
    "iu",
  ),
  // `Bob (10:32): …`, `Bob [10:32]: …`
  new RegExp(
    String.raw`${ITEM}(${NAME}?)[ \t]*(?:,|@|at|um)?[ \t]*[[(（]?${WHEN}[\])）]?[ \t]*(?:[:：>]|-[ \t])[ \t]*\S`,
    "iu",
  ),
];
/** `<bob> …`, `<@bob> …` */
const NICK = /^[ \t]*<[~@+%&]?[\p{L}_][\p{L}\p{N}\p{M}_.-]{0,30}>[ \t]+\S/u;
const HOUR = /\d|today|yesterday|heute|gestern|hoy|ayer|今天|昨天/i;
const STAMPS = [
  // `bob 10:32 AM`, `Bob Miller, 10:32`, `bob — Today at 10:32`, `Bob, [12.05.24 10:32]`, `Bob (10:32):`
  new RegExp(
    String.raw`^[ \t]*[*_]{0,2}${NAME}[*_]{0,2}[ \t]*(?:[,—–|·-][ \t]*)?(?:app[ \t]+)?[[(]?${WHEN}[\])]?[ \t]*:?[ \t]*$`,
    "iu",
  ),
  // `[5/12/2024 10:32 AM] Bob Miller`, `10:32 AM Bob`
  new RegExp(
    String.raw`^[ \t]*[[(]?${WHEN}[\])]?[ \t]*[-–—|]?[ \t]*[*_]{0,2}${NAME}[*_]{0,2}[ \t]*:?[ \t]*$`,
    "iu",
  ),
];
const SPEAKS = new RegExp(
  String.raw`${ITEM}[*_]{0,2}(${NAME})(?:[ \t]*(?:→|->|=>|›|»)[ \t]*${NAME})?(?:[ \t]*\([^()\n]{1,60}\))?[*_]{0,2}[ \t]*(?:[:：>]|[-–—][ \t])[*_]{0,2}[ \t]*\S`,
  "u",
);
const BRACKETED = /^[ \t]*[[【]([@~]?[\p{L}_][^[\]【】\n]{0,40})[\]】][ \t]*\S/u;
const HAN_NAME = /^[\p{Script=Han}·]{2,5}$/u;
const PARTICLES = /^(?:van|von|de|der|den|del|da|di|la|le|bin|al|el|zu)$/;

const OF_TIME =
  /^(?:a|p|am|pm|at|um|uhr|t|z|today|yesterday|heute|gestern|hoy|ayer|\p{L}{3,9}day|(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*|年|月|日|今天|昨天)$/iu;
/** `bob|10:32|…`, as logs of some clients have it. */
const BARRED = new RegExp(String.raw`^[ \t]*${NAME}\|${WHEN}\||^[ \t]*${WHEN}\|${NAME}\|`, "iu");

const isSomebody = (found: RegExpExecArray | null): boolean =>
  found !== null && (found[1] === undefined || !isOwnLabel(found[1]));

/** A line that bears a time with a speaker, or a nick in angles. @param line at most a few hundred characters */
export function timedLine(line: string): ChatLine | null {
  // `Lunch 12:30: …` is a person's own plan.
  // `Do not: …`: the short name of a day, without an hour, is a word before all.
  if (HOUR.test(line) && TIMED.some((form) => isSomebody(form.exec(line)))) return "said";
  if (NICK.test(line) || BARRED.test(line)) return "said";
  if (line.length > 120 || !STAMPS.some((form) => form.test(line))) return null;
  // `Meeting 10:30` and `10:30 email bob` are a person's own plan.
  const words = (line.match(/[\p{L}'’]+/gu) ?? []).filter((word) => !OF_TIME.test(word));
  return isOwnLabel(words[0] ?? "") || isOwnLabel(words.at(-1) ?? "") ? null : "stamp";
}

/**
 * Who speaks in `Bob: …`; `null` where the label is one that a person sets before their own words, or no name.
 * `isSure`: it is spelled as names are.
 */
export function speakerOf(line: string): { readonly name: string; readonly isSure: boolean } | null {
  const name = (SPEAKS.exec(line) ?? BRACKETED.exec(line))?.[1]?.trim() ?? "";
  if (name === "" || name.length > 50 || isOwnLabel(name)) return null;
  if (/\p{Script=Han}/u.test(name)) return HAN_NAME.test(name) ? { name, isSure: true } : null;
  const words = name.replace(/[()]/g, "").split(/[ \t]+/);
  const isCapital = (word: string): boolean => /^[~@+%&]?\p{Lu}|^\d+$/u.test(word);
  if (words.length === 1) return { name, isSure: isCapital(name) || /^@|[\d_]/.test(name) };
  return words.every((word) => isCapital(word) || PARTICLES.test(word)) ? { name, isSure: true } : null;
}
