/** The forms of a verb that a table gives by its base form alone. */
import type { Row } from "./words/table.ts";

/** Verbs whose forms are not made by rule: base, past, participle. */
const IRREGULAR: Readonly<Record<string, string>> = {
  send: "sent",
  resend: "resent",
  write: "wrote written",
  rewrite: "rewrote rewritten",
  buy: "bought",
  sell: "sold",
  pay: "paid",
  repay: "repaid",
  get: "got gotten",
  give: "gave given",
  take: "took taken",
  make: "made",
  do: "did done",
  put: "put",
  set: "set",
  reset: "reset",
  cut: "cut",
  hit: "hit",
  shut: "shut",
  bid: "bid",
  cast: "cast",
  let: "let",
  throw: "threw thrown",
  shoot: "shot",
  tell: "told",
  say: "said",
  build: "built",
  rebuild: "rebuilt",
  run: "ran run",
  rerun: "reran rerun",
  forget: "forgot forgotten",
  hold: "held",
  keep: "kept",
  leave: "left",
  ring: "rang rung",
  break: "broke broken",
  drive: "drove driven",
  draw: "drew drawn",
  withdraw: "withdrew withdrawn",
  strip: "stripped",
  blow: "blew blown",
  wake: "woke woken",
  stick: "stuck",
  spin: "spun",
  stand: "stood",
  spend: "spent",
  bear: "bore borne",
  find: "found",
  see: "saw seen",
  go: "went gone",
  come: "came come",
  kick: "kicked",
  override: "overrode overridden",
  overwrite: "overwrote overwritten",
};

function formsOf(base: string): { g: string[]; p: string[]; s: string[] } {
  const ing = /[^aeiou][aeiou][bdgklmnprt]$/.test(base) && isShort(base);
  const stem = base.endsWith("e") && !/[eoy]e$/.test(base) ? base.slice(0, -1) : base;
  const double = ing ? base + base.slice(-1) : null;
  const irregular = Object.hasOwn(IRREGULAR, base) ? (IRREGULAR[base]?.split(" ") ?? []) : null;
  const y = /[^aeiou]y$/.test(base) ? base.slice(0, -1) : null;
  // British English doubles an l, American does not.
  const british = double === null && /[aeiou]l$/.test(base) ? `${base}l` : null;
  const both = british === null ? [] : [british];
  return {
    g: [
      `${double ?? stem}ing`,
      ...(double === null ? [] : [`${base}ing`]),
      ...both.map((one) => `${one}ing`),
    ],
    p: irregular ?? [y !== null ? `${y}ied` : `${double ?? stem}ed`, ...both.map((one) => `${one}ed`)],
    s: [y !== null ? `${y}ies` : /(?:[sxz]|ch|sh|o)$/.test(base) ? `${base}es` : `${base}s`],
  };
}

/** One syllable, or the stress on the last: the consonant doubles. */
function isShort(base: string): boolean {
  return (
    (base.match(/[aeiou]+/g)?.length ?? 0) === 1 ||
    /^(?:un|re)?(?:commit|submit|refer|transfer|unsubscrib|admit|begin|forget|reset|input|output|unpin|unzip|format)/.test(
      base,
    )
  );
}

export function inflected(row: Row): Row[] {
  if ((row.tag !== "verb" && row.tag !== "read") || row.form !== undefined) return [row];
  const rows: Row[] = [{ ...row, form: "b" }];
  for (const phrase of row.words.split("|")) {
    const [first = "", ...rest] = phrase.split(" ");
    const tail = rest.length > 0 ? ` ${rest.join(" ")}` : "";
    const forms = formsOf(first);
    for (const form of ["g", "p", "s"] as const)
      rows.push({ ...row, form, words: forms[form].map((one) => one + tail).join("|") });
  }
  return rows;
}

/** `dass du den Bericht schickst`: the form that follows `du`, made of the infinitive. */
export function addressed(row: Row): Row[] {
  if ((row.tag !== "verb" && row.tag !== "read") || row.form !== "i") return [row];
  const words = row.words
    .split("|")
    .filter((word) => /^[^\s]+en$/.test(word))
    .map((word) => (/[td]en$/.test(word) ? word.replace(/en$/, "est") : word.replace(/en$/, "st")));
  return words.length > 0 ? [row, { ...row, words: words.join("|") }] : [row];
}
