/**
 * A job that runs later is an order with its owner's authority: what its prompt asks for has to be what the owner asked
 * for, and no more often. What another agent is told to do now carries no authority, but not every harness asks before
 * that agent acts: it is read the same way, where it goes further than looking, computing and writing in the workspace.
 */
import type { Effects, Environment } from "../../../types.ts";
import { kindsOfNouns } from "../../objects.ts";
import { readTurn } from "../../reading/read-turn.ts";
import type { Permission, Target } from "../../types.ts";
import { familyOf } from "../../verbs.ts";
import { covers, isInWorkspace, isItself, placeOf } from "../places.ts";
import type { Call, Ready } from "./match.ts";
import { tokensOf } from "./names.ts";
import { RECURS, stepOf } from "./recurs.ts";

/** A prompt longer than this is no reminder: a person looks at it. */
const MOST = 8192;

/** Whether the job asks for more than the words do. @param all every permission of the task */
export function ordersMore(ready: Ready, effects: Effects, all: readonly Ready[]): boolean {
  for (const { text } of effects.stored) {
    if (text.length > MOST) return true;
    const { permissions, delegated } = readTurn(text);
    if (delegated.length > 0 || !permissions.every((one) => isCovered(one, ready, all))) return true;
  }
  return false;
}

function isCovered(order: Omit<Permission, "id">, ready: Ready, all: readonly Ready[]): boolean {
  const said = order.quote.toLowerCase();
  if (order.verbs.includes("remind")) return !order.targets.some(({ kind }) => kind === "recipient");
  const named = order.targets.filter(({ kind }) => kind !== "item" && kind !== "amount");
  // To tell the person themselves is what a reminder is for.
  if (order.risk === "COMMUNICATION" && named.length === 0 && ITSELF.test(said) && !OTHERS.test(said))
    return true;
  const same = all.some(
    ({ permission }) =>
      permission.risk === order.risk &&
      permission.verbs.some((verb) => order.verbs.includes(verb)) &&
      named.every(({ kind, text }) =>
        permission.targets.some(
          (target) => target.kind === kind && target.text.toLowerCase() === text.toLowerCase(),
        ),
      ) &&
      (named.length > 0 || permission.targets.length === 0),
  );
  if (same) return true;
  // What is to be done later was said in these words; what somebody is reminded of, they do themselves.
  if (ready.verbs.has("remind")) return false;
  const words = new Set(tokensOf(ready.quote));
  return tokensOf(said).every((word) => words.has(word));
}

const ITSELF = /\b(?:user|me|owner|reminder|notification)\b/;
const OTHERS =
  /\b(?:all|every|everyone|everybody|contacts?|team|list|group|channel|customers?|clients?|subscribers?|colleagues?)\b/;

/** All that one call gives on; more of it is for a person to look at. */
const MOST_GIVEN_ON = 8192;

/** Whether a call tells somebody else to do what the person's words do not cover. */
export function givesOn({ effects, environment, permissions }: Call): boolean {
  let left = MOST_GIVEN_ON;
  if (effects.opaque?.causes.includes("too-many-stored") === true) return true;
  for (const { text } of effects.stored) {
    left -= text.length;
    if (left < 0) return true;
    const reading = readTurn(text);
    const said = reading.permissions;
    for (const order of said) {
      // `Write a summary` may mean a page as well as a file: where a file would do, a file is meant.
      const isLocal = said.some(
        (other) =>
          other !== order &&
          other.span.start === order.span.start &&
          (other.risk === "WRITE" || other.risk === "COMMUNICATION"),
      );
      if (order.risk === "EXTERNAL_WRITE" && isLocal && !order.verbs.includes("merge")) continue;
      if (!isGivenOn(order, permissions, environment)) return true;
    }
  }
  return false;
}

type Order = Omit<Permission, "id">;

function isGivenOn(order: Order, all: readonly Ready[], environment: Environment): boolean {
  const { risk, targets, verbs, quote } = order;
  const said = quote.toLowerCase();
  if (risk === "PERSISTENT") return true;
  if (risk === "WRITE" || risk === "EXECUTE") {
    const outside = targets.filter((target) => isOutside(target, environment));
    return outside.every((target) => all.some((ready) => isMeant(ready, target, environment)));
  }
  const named = targets.filter(({ kind }) => kind !== "item" && kind !== "command");
  if (
    (risk === "COMMUNICATION" || risk === "SHARE") &&
    named.length === 0 &&
    INWARD.test(said) &&
    !MAILS.test(verbs[0] ?? "") &&
    !OTHERS.test(said)
  )
    return true;
  if (named.length === 0 && isMeansOfSpeech(order, said)) return true;
  const families = new Set(verbs.map(familyOf));
  const same = all.filter(
    ({ permission }) =>
      permission.risk === risk &&
      permission.limit !== 0 &&
      (risk !== "EXTERNAL_WRITE" || permission.verbs.some((verb) => families.has(familyOf(verb)))),
  );
  if (same.length === 0) return false;
  if (named.length > 0)
    return named.every((target) => same.some((ready) => isMeant(ready, target, environment)));
  // To name nothing is to leave it to what was said; what is destroyed or paid is not left to anybody.
  if (risk !== "DELETE" && risk !== "FINANCIAL") return true;
  return same.some((ready) => {
    const words = new Set(tokensOf(ready.quote));
    return tokensOf(said).every((word) => words.has(word));
  });
}

/**
 * `Call out risks`, `bugs in the send functions`, `mark unsafe ones`: prompts for agents are full of verbs that reach
 * nobody. Without anybody or anything named, only what is about a thing that services keep or carry is an order.
 */
function isMeansOfSpeech({ risk, verbs, object, limit }: Order, said: string): boolean {
  if (limit === 0) return true;
  const kinds = kindsOfNouns(object);
  if (OTHERS.test(said)) return false;
  if (risk === "EXTERNAL_WRITE")
    return (
      /^(?:state|create|update|switch)$/.test(familyOf(verbs[0] ?? "") ?? "") &&
      !verbs.includes("merge") &&
      [...kinds].every((kind) => kind === "code" || kind === "file")
    );
  if (risk !== "COMMUNICATION") return false;
  return SPEECH.test(verbs[0] ?? "") || (kinds.size > 0 && [...kinds].every((kind) => kind === "code"));
}

/** Verbs that say by what it would go out. */
const MAILS = /^(?:email|mail|text|sms|tweet|fax|publish|forward)$/;
const SPEECH = /^(?:call|mention|say|tell|answer|respond|explain|ask|alert|warn)$/;

/** To whoever gave the order. */
const INWARD =
  /\b(?:user|me|us|owner|parent|orchestrator|main agent|caller|back|final|findings|results?|answer|response|conclusions?)\b/;

/** Commands that only look, or check a project; anything else is as good as a script. */
const HARMLESS =
  /^(?:npm (?:run )?(?:test|lint|build|check|ci)|npx (?:vitest|jest|tsc|eslint)|pytest|python3? -m pytest|go (?:test|vet|build)|cargo (?:test|check|build|clippy)|make (?:test|lint|check|build)|tsc|ls|cat|grep|rg|find|wc|head|tail|git (?:status|diff|log|show|blame))\b[^|;&><`$]*$/;

function isOutside(target: Target, environment: Environment): boolean {
  if (target.kind === "command") return !HARMLESS.test(target.text.trim());
  const place = placeOf(target, environment);
  return place !== null && place.stem === null && !isInWorkspace(place.root, environment);
}

/** The person named it too: that very one, or the folder that it lies in. */
function isMeant(ready: Ready, target: Target, environment: Environment): boolean {
  const place = placeOf(target, environment);
  if (place !== null)
    return ready.places.some(
      (known) => covers(known, place.root, environment) || isItself(known, place.root),
    );
  const text = target.text.toLowerCase();
  return ready.permission.targets.some(
    (known) => known.kind === target.kind && known.text.toLowerCase() === text,
  );
}

/** Whether the job runs more often than the words say. */
export function runsMore({ permission, quote }: Ready, { items }: Effects): boolean {
  const said = quote.toLowerCase();
  const repeat = items.find(({ name }) => name === "repeat")?.value;
  for (const { name, value } of items) {
    if (!/^(?:schedule|cron|cron_expression|rrule)$/.test(name)) continue;
    const step = stepOf(value.trim().toLowerCase());
    if (step === "once" || repeat === "1") continue;
    // `Every day at 7, remind me`: the words of time may stand before the clause that is quoted.
    if (!RECURS.test(said) && permission.verbs[0] !== "schedule") return true;
    if (step === "minute" && !/\bmin(?:ute)?s?\b|minut|分/.test(said)) return true;
    if (step === "hour" && !/hour|\bmin|minut|stund|stünd|hora|heure|小时|分/.test(said)) return true;
    if (step === "day" && /\b(?:weekly|monthly|yearly|(?:every|each) (?:week|month|year))\b/.test(said))
      return true;
  }
  return false;
}
