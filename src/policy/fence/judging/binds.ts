/** Does a prohibition bind one act of a call? In doubt it does: what is forbidden is read as wide as it can be meant. */

import type { Act, PathBound } from "../../types.ts";
import { compareKinds, kindsOfNouns } from "../objects.ts";
import { plainVerb } from "../verbs.ts";
import { areTyped } from "./acts/commands.ts";
import type { Call } from "./acts/match.ts";
import { sameAddress } from "./acts/people.ts";
import { covers, isItself, isPart, liesIn, touches } from "./places.ts";
import type { ReadyBan } from "./ready.ts";

export function binds(ban: ReadyBan, act: Act, call: Call): boolean {
  const { risks, except } = ban.prohibition;
  if (risks === "all" ? !isEffect(act) : !(risks as readonly string[]).includes(act.risk)) return false;
  if (except) return !isExcepted(ban, act, call);
  // A file that may not be overwritten may not be written: what was named is safe from its whole class.
  const isSafe =
    (act.risk === "WRITE" || act.risk === "DELETE") && ban.places.length > 0 && meets(ban, act, call);
  if (
    !isSafe &&
    ban.verbs.size > 0 &&
    !act.verbs.some((verb) => ban.verbs.has(plainVerb(verb)) || ban.verbs.has(verb)) &&
    !isOpaque(ban, act) &&
    !isByAnotherName(ban, act)
  )
    return false;
  if (act.risk === "SHARE" && ban.prohibition.object.some((word) => RULES.test(word))) {
    // The gravest of the rights that it gives decides, in whatever order they are told.
    const rights = call.effects.items.filter(({ name }) =>
      /^(?:role|roles|permission|permissions|access|access_level|level|rights)$/.test(name),
    );
    return rights.length === 0 || rights.some(({ value }) => RULES.test(value.toLowerCase()));
  }
  if (ban.prohibition.targets.length > 0) return meets(ban, act, call);
  const { object } = ban.prohibition;
  if (object.length === 0) return true;
  // No mail, but another messenger may do.
  if (object[0] === "email" && object.length === 1) return !CHATS.test(act.service ?? "");
  const paths = pathsOf(act, call);
  if (paths.length > 0 && object.some((word) => WHOLE.test(word))) return true;
  if (paths.length > 0 && object.some(isPart))
    return object.some((word) => isPart(word) && paths.some((path) => liesIn(word, path)));
  const { service } = act;
  if (
    service !== null &&
    HOLDERS.some(([words, inside]) => inside.test(service) && object.some((word) => words.test(word)))
  )
    return true;
  return compareKinds(ban.kinds, kindsOfNouns(act.object)) !== "other";
}

/** What holds everything that a service keeps: to forbid changing the repository is to forbid changing a file of it. */
const HOLDERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:repository|repo|project|codebase|repositorio|proyecto|projekt|仓库)$/, /git|bitbucket/],
  [
    /^(?:site|website|blog|shop|store|seite|webseite|sitio|网站)$/,
    /wordpress|webflow|cms|shopify|netlify|vercel|git/,
  ],
  [/^(?:inbox|mailbox|mail|postfach|posteingang|buzon|bandeja|邮箱)$/, /mail|outlook|imap/],
  [/^(?:calendar|kalender|calendario|日历)$/, /calendar|gcal/],
  [/^(?:drive|dropbox|cloud|laufwerk|nube|云盘)$/, /drive|dropbox|box|sharepoint|onedrive/],
  [
    /^(?:workspace|slack|server|discord|notion|wiki|crm)$/,
    /slack|discord|teams|notion|confluence|wiki|crm|salesforce|hubspot/,
  ],
];

/** Whatever is written, is written there. */
const WHOLE =
  /^(?:repository|repo|project|codebase|workspace|machine|computer|system|laptop|filesystem|disk)$/;

/** Rights beyond looking: to forbid them is not to forbid sharing. */
const RULES =
  /^(?:edit|editor|editing|write|writer|writing|admin|administrator|owner|ownership|manager|maintain|push|schreibrechte|edicion|编辑)$/;

/** What is unknown stays a question whatever is forbidden (CONVENTIONS §5). */
const isEffect = (act: Act): boolean =>
  act.risk !== "READ" &&
  act.risk !== "NETWORK" &&
  act.risk !== "UNKNOWN" &&
  act.risk !== "CREDENTIAL" &&
  act.risk !== "GOVERNANCE";

/** Code whose acts cannot be seen is no push, but a form may be submitted by it. */
const isOpaque = (ban: ReadyBan, act: Act): boolean =>
  act.risk === "EXECUTE" &&
  ban.verbs.has("submit") &&
  act.verbs.some((verb) => verb === "evaluate" || verb === "run") &&
  act.service === null;

/** Programs that bring something out, and what they are told when they do. */
const BRINGS_OUT =
  /^(?:kubectl|oc|helm|terraform|tofu|pulumi|vercel|netlify|fly|flyctl|heroku|railway|firebase|wrangler|surge|cap|ansible-playbook)$/;
const BRINGS = /^(?:apply|upgrade|install|rollout|up|create|replace|deploy|publish|promote|set)$/;
const HOSTS = /^(?:vercel|netlify|surge|cap|ansible-playbook)$/;

/**
 * The forbidden deed by the name of a script or a thing: `npm run deploy`, `./deploy.sh`, `create_deployment`; or by the
 * word of a program that does nothing else with it.
 */
function isByAnotherName({ verbs }: ReadyBan, act: Act): boolean {
  if (act.risk !== "EXECUTE" && act.risk !== "EXTERNAL_WRITE") return false;
  const parts = act.object.slice(0, 32).flatMap((word) => word.split(/[^a-z]+/));
  if (act.risk === "EXECUTE" && parts.some((part) => part.length > 3 && verbs.has(part))) return true;
  if (!verbs.has("deploy")) return false;
  const { service } = act;
  return (
    parts.includes("deployment") ||
    (service !== null &&
      BRINGS_OUT.test(service) &&
      (act.verbs.some((verb) => BRINGS.test(verb)) || (HOSTS.test(service) && parts.length === 1)))
  );
}

function meets(ban: ReadyBan, act: Act, call: Call): boolean {
  const { effects, environment } = call;
  const paths = pathsOf(act, call);
  if (ban.places.some((place) => paths.some((path) => touches(place, path, environment)))) return true;
  if (
    ban.recipients.some((one) =>
      effects.recipients.some(({ address, given }) => sameAddress(one, address) || isNameOf(one, given)),
    )
  )
    return true;
  if (ban.hosts.some((host) => effects.hosts.includes(host))) return true;
  const words = new Set([...act.object, ...effects.items.map(({ value }) => value.toLowerCase())]);
  if (act.risk === "EXECUTE" && ban.names.length > 0)
    for (const { name, value } of effects.items)
      if (name === "command")
        for (const word of value.toLowerCase().split(/[^\p{L}\p{N}]+/u)) words.add(word);
  if (ban.names.some((name) => words.has(name))) return true;
  if (ban.prohibition.targets.some(({ kind }) => kind === "path") && ban.places.length === 0) return true;
  // A folder that was forbidden by name, and code that may reach into it.
  return (
    act.risk === "EXECUTE" &&
    effects.opaque !== null &&
    ban.places.some(
      (place) => effects.opaque?.names.some((name) => touches(place, name, environment)) ?? false,
    )
  );
}

function pathsOf(act: Act, call: Call): readonly PathBound[] {
  if (act.risk === "DELETE") return call.deletes;
  if (act.risk === "EXECUTE") return [...call.writes, ...call.deletes];
  return act.risk === "WRITE" ? [...call.writes, ...call.deletes] : [];
}

/** `Lena` is whoever is given as `Lena Koch <…>` or `lena@…`. */
function isNameOf(name: string, given: string): boolean {
  if (name.includes("@") || name.startsWith("#") || name.length < 3) return false;
  return new Set(given.toLowerCase().split(/[^\p{L}\p{N}]+/u)).has(name.toLowerCase());
}

const CHATS =
  /slack|discord|telegram|teams|whatsapp|signal|matrix|mattermost|sms|twilio|wechat|feishu|lark|chat/;

/** Everything that the act names is among what stays allowed. */
function isExcepted(ban: ReadyBan, act: Act, call: Call): boolean {
  const { effects, environment } = call;
  if (areTyped(ban.commands, effects)) return true;
  if (
    effects.recipients.length > 0 &&
    (act.risk === "COMMUNICATION" || act.risk === "SHARE" || act.risk === "FINANCIAL")
  )
    return effects.recipients.every(({ address }) => ban.recipients.some((one) => sameAddress(one, address)));
  const paths = pathsOf(act, call);
  if (paths.length > 0)
    return paths.every((path) =>
      ban.places.some((place) => covers(place, path, environment) || isItself(place, path)),
    );
  const words = new Set([...act.object, ...effects.items.map(({ value }) => value.toLowerCase())]);
  if (ban.prohibition.targets.length === 0) {
    const spoken = new Set([...act.object, ...act.verbs]);
    const { object } = ban.prohibition;
    const heard = (word: string): boolean =>
      spoken.has(word) || (word.endsWith("s") && spoken.has(word.slice(0, -1)));
    return object.length > 0
      ? object.every(heard)
      : act.verbs.some((verb) => verb !== "run" && ban.verbs.has(plainVerb(verb)));
  }
  return ban.names.some((name) => words.has(name)) || ban.hosts.some((host) => effects.hosts.includes(host));
}
