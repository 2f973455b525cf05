/** Entries that a service keeps, what is pushed to it, and what is kept to run or to be remembered later. */

import type { Act, Item } from "../../../types.ts";
import { compareKinds, kindsOfNouns } from "../../objects.ts";
import { familyOf, plainVerb } from "../../verbs.ts";
import { changesOnly } from "./changes.ts";
import { pushed } from "./git.ts";
import { idsBesides, idsNamed } from "./ids.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";
import { tokensOf } from "./names.ts";
import { ordersMore, runsMore } from "./orders.ts";
import { isNamedItem, sameAddress } from "./people.ts";
import { compareThings } from "./things.ts";
import { isOtherDeed, LABELS, verbMatch } from "./verbs.ts";

export function matchEntry(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const kind = compareThings(ready, act);
  const verb = verbMatch(ready, act);
  // A draft reaches nobody: whoever may send a message may have it drafted.
  if (act.verbs.includes("draft") || act.object.includes("draft"))
    return ready.verbs.has("draft") && !act.verbs.includes("send") ? named([], false) : null;
  if (act.verbs.includes("push") || act.verbs.includes("force")) return pushed(ready, act, call);
  const first = plainVerb(act.verbs[0] ?? "");
  if (
    FORM.has(first) &&
    [...ready.verbs].some((one) => FORM.has(one) || familyOf(one) === "buy") &&
    (act.object.length === 0 || act.service === null || BROWSERS.test(act.service) || kind === "same")
  )
    return named([], false);
  const changes = changesOnly(ready, act, call);
  const labels = act.object.some((word) => LABELS.has(word) && ready.verbs.has(word));
  // The tool's own verb, typed at the head of the clause, whatever it was read as.
  const head = HEAD.exec(ready.quote)?.[1]?.toLowerCase() === first && first.length > 2 && kind === "same";
  if (!changes && !head) {
    if (kind === "other" && !labels) return null;
    if (verb !== "exact" && isOtherDeed(ready, act)) return null;
    if (verb === "none" && !(kind === "same" && GENERIC.has(first) && makesIt(ready, act))) return null;
    if (kind === "stranger") return asked("target-not-named");
  }
  // Where something is put, on the network, is its target.
  if (!effects.hosts.every((host) => ready.hosts.includes(host))) return asked("target-not-named");
  for (const recipient of effects.recipients)
    if (
      recipient.role !== "channel" &&
      !ready.recipients.some((one) => sameAddress(one, recipient.address)) &&
      !isNamedItem(ready, recipient)
    )
      return asked("recipient-not-named");
  const channels = ready.recipients.filter((one) => one.startsWith("#"));
  if (
    channels.length > 0 &&
    effects.recipients.some(
      ({ role, address }) =>
        role === "channel" &&
        !/^[a-z]\w*\d/i.test(address) &&
        !channels.some((one) => sameAddress(one, address)),
    )
  )
    return asked("target-not-named");
  if (channels.length > 0 && effects.items.some((item) => isOtherChannel(channels, item)))
    return asked("target-not-named");
  const ids = idsNamed(ready, effects.items);
  if (ids === "other" || (ids === "open" && idsBesides(ready, call) === "other"))
    return asked("target-not-named");
  return named([], ids === "named");
}

/**
 * `Create a Notion page`, `add a row to the Google Sheet`: what reads like a file, or like letting something in, is an
 * entry where the words name the service that keeps it, and the very kind of thing.
 */
export function isKeptBy({ permission, places, words, kinds, quote }: Ready, act: Act): boolean {
  if (permission.risk !== "WRITE" && permission.risk !== "SHARE") return false;
  if (permission.risk === "SHARE" && !/^\s*(?:please )?(?:add|append|insert|put)\b/i.test(quote))
    return false;
  if (places.some(({ root }) => /\.[a-z0-9]{1,8}$/i.test(root))) return false;
  const tokens = (act.service ?? "").split(/[_-]/).flatMap((token) => [token, ...(SERVICES[token] ?? [])]);
  const said = tokens.flatMap((token) => [token, token.replace(/s$/, "")]).find((token) => words.has(token));
  if (said === undefined || compareKinds(kinds, kindsOfNouns(act.object)) !== "same") return false;
  // `A summary of the Notion pages` is no page of Notion.
  const typed = tokensOf(quote);
  const at = typed.indexOf(said);
  return !typed.slice(Math.max(0, at - 4), at).some((word) => OF.test(word));
}

const OF = /^(?:of|from|about|von|aus|über|de|del)$/;

const SERVICES: Readonly<Record<string, readonly string[]>> = {
  gdrive: ["drive", "google"],
  gsheets: ["sheets", "google"],
  gdocs: ["docs", "google"],
  gslides: ["slides", "google"],
};

/** A channel by its name, where the words name another; what is looked up is spelled with digits. */
const isOtherChannel = (channels: readonly string[], { name, value }: Item): boolean =>
  /^(?:channel|channel_name)$/.test(name) &&
  !/\d/.test(value) &&
  !channels.some((one) => sameAddress(one, value.toLowerCase()));

/** One generic verb for another, of one family. */
const makesIt = (ready: Ready, act: Act): boolean =>
  [...ready.verbs].some((one) => GENERIC.has(one) && familyOf(one) === familyOf(act.verbs[0] ?? ""));

const HEAD = /^\s*(?:please |then |and )?([a-z]+)\b/i;
const BROWSERS = /browser|playwright|puppeteer|selenium|computer|chrome/;
const FORM = new Set("submit click type press fill select dialog".split(" "));
const GENERIC = new Set(
  "create add new insert make update edit change modify set put write patch save open file".split(" "),
);

export function matchKept(ready: Ready, act: Act, call: Call): Match | null {
  const own = kindsOfNouns(act.object);
  const memory = own.has("memory");
  const asksMemory = ready.verbs.has("remember") || ready.verbs.has("forget") || ready.kinds.has("memory");
  if (memory !== asksMemory && (memory || !own.has("skill")))
    return memory || asksMemory ? null : scheduled(ready, call, act);
  if (own.has("skill")) return ready.kinds.has("skill") ? named([], false) : null;
  if (memory) return forgetsOnly(ready, act) ? asked("class-not-requested") : named([], false);
  return scheduled(ready, call, act);
}

/** Whoever wants something forgotten has not asked for anything to be remembered instead. */
const forgetsOnly = ({ quote }: Ready, { verbs }: Act): boolean =>
  /^(?:add|create|save|remember|store)$/.test(verbs[0] ?? "") &&
  /\b(?:forget|vergiss|vergessen|olvida\w*|oublie\w*)\b|忘/iu.test(quote) &&
  !/\b(?:don['’]?t|do not|never|nicht|nie|no|pas)\b|不|别|remember|merk|recuerd/iu.test(quote);

function scheduled(ready: Ready, call: Call, act: Act): Match | null {
  const { effects } = call;
  const made =
    act.verbs.some((verb) => /^(?:create|schedule|add|save|remind)$/.test(verb)) &&
    !act.verbs.some((verb) => /^(?:update|remove|run|pause|delete)$/.test(verb));
  if (!ready.verbs.has("schedule") && !ready.verbs.has("remind")) return null;
  if (!made) return asked("class-not-requested");
  for (const recipient of effects.recipients)
    if (
      !/^(?:origin|here|local)$/.test(recipient.address) &&
      !ready.recipients.some((one) => sameAddress(one, recipient.address))
    )
      return asked("recipient-not-named");
  if (ordersMore(ready, effects, call.permissions) || runsMore(ready, effects)) return asked("scope-wider");
  return named([], false);
}
