/** Whom a message, an invitation or a right reaches. */

import type { Act, Recipient } from "../../../types.ts";
import { compareKinds, kindsOfNouns, productOf } from "../../objects.ts";
import { familyOf } from "../../verbs.ts";
import { saysPublic, widerAccess } from "./access.ts";
import { idsBesides, idsNamed } from "./ids.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";

export function matchMessage(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const kinds = kindsOfNouns(act.object);
  const isEvent = kinds.has("event") && !kinds.has("mail");
  const asksEvent =
    ready.kinds.has("event") ||
    ready.kinds.has("reminder") ||
    ["invite", "schedule", "book", "call", "phone"].some((verb) => ready.verbs.has(verb));
  if (isEvent && !asksEvent) return null;
  // `Schedule a meeting with bob@…` invites him; a letter besides is another thing.
  const isLetter = kinds.has("mail") && !kinds.has("event");
  if (isLetter && ready.kinds.has("event") && ![...ready.verbs].some((verb) => familyOf(verb) === "message"))
    return asked("class-not-requested");
  const reached = effects.recipients;
  if (reached.length === 0) {
    const ids = idsNamed(ready, effects.items);
    if (ids === "named" && ready.recipients.length === 0) return named();
    if (ids === "open" && ready.recipients.length === 0 && idsBesides(ready, call) === "named")
      return named();
    if (isPublished(ready, act)) return named([], false);
    return asked("recipient-not-named");
  }
  return reach(ready, act, reached);
}

/** `Post a tweet`: it reaches whoever reads that service, and there is nobody to name. */
function isPublished(
  { verbs, recipients, words, quote }: Ready,
  { verbs: done, object, service }: Act,
): boolean {
  const [verb = ""] = done;
  return (
    ["post", "publish", "tweet"].some((one) => verbs.has(one)) &&
    recipients.every((one) => productOf(one) !== null) &&
    (PUBLISHES.test(service ?? "") || object.some((word) => word === "tweet" || word === "toot")) &&
    /^(?:post|publish|tweet|toot|create|share)$/.test(verb) &&
    !object.some((word) => PRIVATE.test(word)) &&
    (!/^(?:twitter|x|xurl)(?:_|$)/.test(service ?? "") ||
      ![...words].some((word) => ELSEWHERE.test(word)) ||
      ON_X.test(quote)) &&
    ![...words].some((word) => PRIVATE.test(word))
  );
}

const PUBLISHES = /^(?:twitter|x|xurl|linkedin|mastodon|bluesky|threads|facebook|instagram|tumblr)(?:_|$)/;
/** What is published somewhere of its own. */
const ELSEWHERE =
  /^(?:blog|article|page|site|website|wiki|package|release|newsletter|app|video|podcast|doc|document|report|repo|repository)$/;
const ON_X = /tweet|twitter|\bx\b/i;
const PRIVATE =
  /^(?:dm|dms|direct|message|messages|reply|replies|comment|comments|channel|group|chat|retweet|quote)$/;

/** Every one of those reached must be named. */
export function reach(ready: Ready, act: Act, reached: readonly Recipient[]): Match {
  if (act.verbs.includes("all") || act.object.includes("all")) return asked("recipient-not-named");
  const keys: string[] = [];
  for (const recipient of reached) {
    const found =
      ready.recipients.find((one) => sameAddress(one, recipient.address)) ??
      (isNamedItem(ready, recipient) ? recipient.address : undefined);
    if (found === undefined) {
      // A place that the words only describe, where all who are let in have a name in them.
      if (recipient.role === "channel" && act.risk === "SHARE" && isDescribed(ready, reached)) continue;
      return asked("recipient-not-named");
    }
    keys.push(found);
  }
  return named(keys);
}

export function isNamedItem(ready: Ready, recipient: Recipient): boolean {
  return (
    ready.names.some((name) => name.toLowerCase() === recipient.address) ||
    ready.hosts.includes(recipient.address)
  );
}

function isDescribed(ready: Ready, reached: readonly Recipient[]): boolean {
  const people = reached.filter(({ role }) => role !== "channel");
  return (
    people.length > 0 &&
    people.every(({ address }) => ready.recipients.some((one) => sameAddress(one, address))) &&
    !ready.recipients.some((one) => !people.some(({ address }) => sameAddress(one, address)))
  );
}

/** Case, `#` and `@`, and the gaps in a number make no other address; a plus-tag and a dot do. */
export function sameAddress(typed: string, address: string): boolean {
  if (typed === address) return true;
  const bare = (text: string): string => text.replace(/^[#@]/, "");
  if (/^[#@]/.test(typed) !== /^[#@]/.test(address) && bare(typed) === bare(address)) return true;
  if (/^\+?\d[\d\s().-]*$/.test(typed) && /^\+?\d/.test(address))
    return typed.replace(/\D/g, "") === address.replace(/\D/g, "");
  // `slack:#general`, `email:a@…`: the messenger's name before the address.
  const cut = /^[a-z]{2,16}:(.+)$/.exec(address)?.[1];
  return cut !== undefined && sameAddress(typed, cut);
}

/** To let somebody in, and to put somebody out. */
const TAKES = /^(?:remove|revoke|kick|ban|unshare|uninvite|delete|expel|evict)$/;
const TAKES_AWAY =
  /\b(?:remov|revok|kick|ban\b|unshar|uninvit|expel|evict|take|withdraw|delet|stop|entfern|entzieh|quita|revoca|elimina)|移除|撤销|踢/iu;

export function matchShare(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  // To keep somebody out is not to be left out oneself.
  if (
    act.verbs[0] === "unsubscribe" &&
    !/unsubscri|remov|off the|abmeld|abbestell|baja|退订/iu.test(ready.quote)
  )
    return null;
  const takes = TAKES.test(act.verbs[0] ?? "");
  if (takes !== [...ready.verbs].some((verb) => TAKES.test(verb)) && takes !== TAKES_AWAY.test(ready.quote))
    return takes ? asked("class-not-requested") : null;
  if (effects.recipients.some(({ role }) => role === "public"))
    return saysPublic(ready) ? named([], true) : asked("scope-wider");
  const wider = widerAccess(ready, act, effects.items);
  if (wider !== null) return wider;
  if (
    effects.items.some(
      ({ name, value }) =>
        (/^(?:visibility|public)$/.test(name) && /^(?:public|true)$/i.test(value)) ||
        (name === "private" && /^false$/i.test(value)),
    ) &&
    !/public|visib|privat/.test(ready.quote)
  )
    return asked("scope-wider", true);
  const kind = compareKinds(ready.kinds, kindsOfNouns(act.object));
  if (effects.recipients.length === 0) {
    if (kind === "other") return null;
    const ids = idsNamed(ready, effects.items);
    return ids === "named" ? named() : asked("target-not-named");
  }
  if (
    idsNamed(
      ready,
      effects.items.filter(({ name }) =>
        /^(?:owner|repo|repository|org|organization|board|project|folder|calendar|workspace|team)$/.test(
          name,
        ),
      ),
    ) === "other"
  )
    return asked("target-not-named");
  return reach(ready, act, effects.recipients);
}
