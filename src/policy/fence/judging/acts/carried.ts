/**
 * What goes out with a message, a post or an upload besides its text, and in whose name. Whoever may be written to may not
 * therefore be sent any file: each one was named, is what the words describe, or is asked about.
 */
import { hostOfTarget } from "../../../effects/hosts.ts";
import type { Act } from "../../../types.ts";
import { covers, isInWorkspace, isItself, placeOf } from "../places.ts";
import { asked, type Call, type Match, type Ready } from "./match.ts";
import { tokensOf } from "./names.ts";

/** What a call that would otherwise be covered is held for, or `null`. */
export function carriesOther(act: Act, call: Call): Match | null {
  if (act.risk !== "COMMUNICATION" && act.risk !== "SHARE" && act.risk !== "EXTERNAL_WRITE") return null;
  const { permissions } = call;
  for (const { name, value } of call.effects.items) {
    if ((name === "attachment" || name === "input") && !isMeant(value, name === "input", call))
      return asked("target-not-named");
    const acts = PERSONA.test(name) ? isSomebody(value) : isOtherSender(name, value, call);
    if (acts && !permissions.some(({ quote }) => isTyped(quote, value))) return asked("recipient-not-named");
  }
  return null;
}

/**
 * Many mail tools want the person's own address, which nobody says. Where the words do say from whom it goes, it goes
 * from nobody else.
 */
function isOtherSender(name: string, value: string, { permissions }: Call): boolean {
  return (
    SENDER.test(name) && value.includes("@") && permissions.some(({ quote }) => NAMES_SENDER.test(quote))
  );
}

const NAMES_SENDER = /(?:\b(?:as|from|using|von|als|mit|como|desde|de)\s+|[从從用以]\s*)["'<]?[^\s"'<>@]+@/iu;

/** Arguments that say in whose name it is done: one's own is not said, another's has to be. */
const PERSONA =
  /^(?:on_behalf_of|behalf_of|send_as|sent_as|sends_as|as|acting_as|act_as|as_user|run_as|impersonate|impersonate_user|impersonated_user|delegate_for)$/;
const SENDER =
  /^(?:from|sender|from_email|from_address|sender_email|sender_alias|from_user|mailbox|account_email)$/;
const isSomebody = (value: string): boolean =>
  !/^(?:true|false|0|1|yes|no|none|me|self|myself|default|user|bot|assistant|)$/i.test(value.trim());

function isTyped(quote: string, value: string): boolean {
  const words = quote.toLowerCase();
  const typed = value.toLowerCase().trim();
  for (let at = words.indexOf(typed); at >= 0; at = words.indexOf(typed, at + 1))
    if (
      !IN_NAME.test(words.charAt(at - 1)) &&
      !/^(?:[\p{L}\p{N}@_+-]|\.[\p{L}\p{N}])/u.test(words.slice(at + typed.length, at + typed.length + 2))
    )
      return true;
  return false;
}

const IN_NAME = /[\p{L}\p{N}@._+-]/u;

/** Names for nothing but the text itself, as agents call the file that they put it into. */
const TEXTS =
  /^(?:body|message|messages|mail|email|msg|draft|text|content|contents|reply|letter|note|comment|post|payload|tmp|temp|out|output)$/;
/** What tells one state of a thing from another, not what it is. */
const STATES =
  /^(?:final|draft|latest|new|old|updated|copy|export|signed|v?\d+|the|a|of|and|for|to|my|our|jan\p{L}*|feb\p{L}*|march?|apr\p{L}*|may|june?|july?|aug\p{L}*|sep\p{L}*|oct\p{L}*|nov\p{L}*|dec\p{L}*|q[1-4])$/u;
const PASSING = /^\/(?:private\/)?(?:var\/)?tmp\//;

/** All that the task's requests say, in words; once for all of a policy. */
const WORDS = new WeakMap<readonly Ready[], ReadonlySet<string>>();

function wordsOf(permissions: readonly Ready[]): ReadonlySet<string> {
  const known = WORDS.get(permissions);
  if (known !== undefined) return known;
  const words = new Set(permissions.flatMap(({ quote, words: nouns }) => [...tokensOf(quote), ...nouns]));
  WORDS.set(permissions, words);
  return words;
}

/** Named, in a place that was named, or in the workspace and called as the words call it: `q3_report.pdf` is the Q3 report. */
function isMeant(value: string, isText: boolean, { environment, permissions }: Call): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
    const host = hostOfTarget(value);
    return host !== null && permissions.some(({ hosts }) => hosts.includes(host));
  }
  // An id that was looked up tells nothing.
  if (!/[./\\~]/.test(value)) return true;
  const place = placeOf({ kind: "path", text: value }, environment);
  if (place === null) return false;
  const { root } = place;
  const isNamed = permissions.some(
    ({ places, names }) =>
      names.includes(value.toLowerCase()) ||
      places.some((known) => covers(known, root, environment) || isItself(known, root)),
  );
  if (isNamed) return true;
  const stem = value
    .slice(Math.max(value.lastIndexOf("/"), value.lastIndexOf("\\")) + 1)
    .replace(/\.[a-z0-9]{1,8}$/i, "");
  if (stem.startsWith(".") || (!isInWorkspace(root, environment) && !PASSING.test(root))) return false;
  const words = tokensOf(stem);
  if (words.length === 0) return false;
  if (isText && words.every((word) => TEXTS.test(word))) return true;
  const said = wordsOf(permissions);
  const numbers = [...said].filter((word) => /^\d+$/.test(word));
  const own = words.filter((word) => /^\d+$/.test(word));
  if (own.length > 0 && numbers.length > 0 && !own.some((word) => numbers.includes(word))) return false;
  const telling = words.filter((word) => !STATES.test(word));
  return (telling.length > 0 ? telling : words).every(
    (word) => said.has(word) || said.has(`${word}s`) || (word.endsWith("s") && said.has(word.slice(0, -1))),
  );
}
