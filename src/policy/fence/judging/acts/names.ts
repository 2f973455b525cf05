/**
 * A call that does what was asked for, to another thing than the one that the words name: another service, another
 * product, another lamp, more often, with more rights. Where the words name none of the kind, there is nothing to
 * compare, and an id that has to be looked up tells nothing.
 */
import type { Act, Item } from "../../../types.ts";
import { DEVICES, kindsOfNoun, PRODUCTS, productOf, ROOMS } from "../../objects.ts";
import { verbRow } from "../../verbs.ts";
import { asked, type Call, type Match, type Ready } from "./match.ts";
import { RECURS, stepOf } from "./recurs.ts";

/** What a call that would otherwise be covered is held for, or `null`. */
export function contradiction(ready: Ready, act: Act, call: Call): Match | null {
  const { items } = call.effects;
  if (isOtherProduct(ready, act, items, call.permissions)) return asked("target-not-named");
  if (isOpposite(ready, act)) return asked("class-not-requested");
  if (act.risk === "PERSISTENT") return null;
  const said = ready.quote.toLowerCase();
  const recurs = items.some(
    ({ name, value }) =>
      (REPEATS.test(name) && isRepeating(value)) ||
      (SCHEDULES.test(name) && stepOf(value.trim().toLowerCase()) !== "once"),
  );
  if (recurs && !RECURS.test(said)) return asked("scope-wider");
  if (items.some((item) => isMore(ready, said, item))) return asked("scope-wider");
  const entity = items.filter(({ name }) => ENTITY.test(name));
  if (entity.some(({ value }) => value.toLowerCase() === "all") && !EVERY.test(said))
    return asked("scope-wider");
  if (entity.some(({ value }) => isOtherDevice(ready, said, value))) return asked("target-not-named");
  const bought = act.risk === "FINANCIAL" || ready.families.has("cancel") || ready.families.has("buy");
  if (bought && ready.words.size > 0)
    for (const { name, value } of items)
      if (THING.test(name) && isOtherThing(ready, said, value)) return asked("target-not-named");
  return null;
}

/** Verbs that undo each other, which people and tools may be read under one name. */
const OPPOSITES: readonly (readonly [string, string])[] =
  "approve reject|accept decline|lock unlock|enable disable|close reopen|follow unfollow|mute unmute|star unstar|subscribe unsubscribe|arm disarm|pin unpin|block unblock|like unlike|upvote downvote|activate deactivate|archive unarchive|assign unassign|resolve reopen|increase decrease|hide unhide|open close|show hide"
    .split("|")
    .map((pair) => pair.split(" ") as [string, string]);

function isOpposite({ quote }: Ready, { verbs }: Act): boolean {
  const [verb = ""] = verbs;
  const said = new Set(tokensOf(quote));
  return OPPOSITES.some(([a, b]) => {
    const other = verb === a ? b : verb === b ? a : null;
    return other !== null && said.has(other) && !said.has(verb);
  });
}

const REPEATS = /^(?:recurrence|rrule|recurring|repeat|repeats|recurrence_rule|frequency|cadence)$/;
const SCHEDULES = /^(?:schedule|cron|cron_expression)$/;
const ENTITY =
  /^(?:entity_id|entity|entities|device|device_name|room|area|area_id|door|light|lamp|lock|window|appliance)$/;
const THING =
  /^(?:service|subscription_name|product|product_name|provider|merchant|vendor|item|item_name|name|title|restaurant|hotel)$/;
const COUNTS =
  /^(?:count|repeat|times|quantity|qty|copies|multiplier|units|number_of_(?:items|copies|units))$/;
const EVERY = /\b(?:all|every|everything|everywhere|whole|alle[ns]?|todas?|todos|toutes?|tous)\b|所有|全部/;

const isOn = (value: string): boolean => !/^(?:false|0|no|none|never|)$/i.test(value.trim());
const isRepeating = (value: string): boolean => isOn(value) && !/^(?:1|once|single|one)$/i.test(value.trim());

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** More of it than the one that was asked for. */
function isMore({ permission }: Ready, said: string, { name, value }: Item): boolean {
  if (!COUNTS.test(name) || permission.limit !== 1 || !/^\d{1,9}$/.test(value)) return false;
  const count = Number(value);
  if (count <= 1) return false;
  const word = NUMBERS[count];
  return !tokensOf(said).some((token) => token === value || token === word);
}

/** The words name a product, and the call is for another one that does the same. */
function isOtherProduct(ready: Ready, act: Act, items: readonly Item[], all: readonly Ready[]): boolean {
  const named_ = productsOf(ready);
  // A clause that names none is meant for those that the task names.
  const said = named_.size > 0 ? named_ : new Set(all.flatMap((one) => [...productsOf(one)]));
  if (said.size === 0) return false;
  const given = new Set<string>();
  const own = productOf(act.service ?? "");
  if (own !== null) given.add(own);
  for (const { name, value } of items)
    if (
      value.length <= 60 &&
      (THING.test(name) || /(?:^|_)(?:id|subscription|plan|platform|app)$/.test(name))
    )
      for (const token of tokensOf(value)) {
        const product = productOf(token);
        if (product !== null) given.add(product);
      }
  if (given.size === 0 || [...given].some((one) => said.has(one))) return false;
  return PRODUCTS.some(
    (group) => [...said].some((one) => group.has(one)) && [...given].some((one) => group.has(one)),
  );
}

function productsOf({ words, recipients, names, quote }: Ready): Set<string> {
  const found = new Set<string>();
  for (const word of [...words, ...recipients, ...names]) {
    const product = productOf(word);
    if (product !== null) found.add(product);
  }
  if (/\b(?:re)?tweet/i.test(quote)) found.add("twitter");
  return found;
}

/** `light.kitchen` for the bedroom's, `fan.bedroom` for the bedroom's light. */
function isOtherDevice(ready: Ready, said: string, value: string): boolean {
  const folded = value.toLowerCase();
  if (folded === "all" || value.length > 120) return false;
  const dot = folded.indexOf(".");
  const domain = dot > 0 ? folded.slice(0, dot) : "";
  const own = DEVICES.get(domain);
  if (own !== undefined) {
    const words = tokensOf(said).filter((word) => [...DEVICES.values()].some((device) => device.has(word)));
    if (words.length > 0 && !words.some((word) => own.has(word))) return true;
  }
  // A device of which the words say only what it is may be any of them.
  const specific = [...ready.words].filter(
    (word) =>
      !kindsOfNoun(word).includes("device") && verbRow(word) === null && word.length > 2 && !LEVEL.test(word),
  );
  if (specific.length === 0) return false;
  const tokens = tokensOf(folded.slice(dot + 1)).filter((token) => token.length > 2 && !/\d/.test(token));
  const places = tokens.filter(
    (token) => !kindsOfNoun(token).includes("device") || ROOMS.some((room) => room.has(token)),
  );
  if (places.length > 0) return !places.some((token) => isSaid(token, said));
  // Nothing but what it is: the oven is no light.
  const whats = tokens.filter((token) => token !== "switch");
  const spoken = tokensOf(said);
  const isSame = (token: string): boolean =>
    isSaid(token, said) ||
    [...DEVICES.values()].some((device) => device.has(token) && spoken.some((word) => device.has(word)));
  return (
    domain === "switch" &&
    whats.length > 0 &&
    spoken.some((word) => kindsOfNoun(word).includes("device")) &&
    !whats.some(isSame)
  );
}

/** How much and when, not which. */
const LEVEL =
  /^(?:degrees?|grad|grados|percent|prozent|celsius|fahrenheit|brightness|volume|minutes?|hours?|now|please|house|home)$|\d/;

/** What is to be bought or ended is called by words of which the person said none, or only the maker's. */
function isOtherThing(ready: Ready, said: string, value: string): boolean {
  if (value.length > 200) return false;
  const tokens = tokensOf(value).filter((token) => token.length > 2 && !/\d/.test(token));
  const last = tokens.at(-1);
  if (last === undefined || (tokens.length === 1 && /[\d_]/.test(value))) return false;
  if (verbRow(tokens[0] ?? "") !== null && /_/.test(value)) return false;
  if (!tokens.some((token) => isSaid(token, said))) return true;
  const head = [...ready.words].filter((word) => !SCAFFOLD.test(word)).at(-1) ?? "";
  return (
    !isSaid(last, said) &&
    head !== "" &&
    productOf(head) === null &&
    !tokens.some((token) => isAlike(token, head)) &&
    tokens.length > 1
  );
}

const SCAFFOLD = /^(?:pack|packs|piece|pieces|pair|order|cart|subscription|membership|plan|copy|copies)$/;

export function tokensOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/['’]s\b/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== "");
}

/** A word that the words hold, whatever its ending, or in another language's name of the same room. */
export function isSaid(token: string, said: string): boolean {
  const others = ROOMS.find((row) => row.has(token));
  const words = tokensOf(said);
  return (
    words.some((word) => isAlike(word, token) || others?.has(word) === true) ||
    (token.length > 5 && words.join("").includes(token))
  );
}

/** The same word, whatever its ending. */
function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length > 3 && long.startsWith(short) && long.length - short.length < 3;
}
