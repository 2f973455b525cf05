import type { JsonObject, RiskClass } from "../../types.ts";
import { GENERIC_VERBS, type Wording } from "../said.ts";
import { actionWords } from "./orders.ts";
import { isVerb, KIND_OF, kindOfWord, RISKS, wordsOf } from "./vocabulary.ts";

/** Words of a tool's name that say whose it is, not what it is about. */
const BRANDS = new Set(
  (
    "slack gmail google gdrive github gitlab bitbucket notion trello jira asana linear stripe paypal dropbox discord telegram whatsapp teams outlook " +
    "microsoft office salesforce hubspot zendesk shopify twitter x facebook instagram linkedin youtube spotify aws s3 azure gcp figma airtable zoom " +
    "confluence sentry vercel netlify supabase twilio sendgrid mailchimp intercom clickup monday todoist evernote feishu lark dingtalk wechat yb ha " +
    "signal matrix reddit mastodon bluesky"
  ).split(" "),
);

/** Words between the words that matter. */
const FILLERS = new Set(
  "to from in into the of for with a an by on at as new my and then or all via mcp tool api".split(" "),
);

/** Verbs that are nouns before another verb: `email_send`. */
const SPOKEN_NOUNS = new Set("email mail message comment note call log post order tag label".split(" "));

/** What people call what a noun in a name means: who creates a payment pays. */
const VERB_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    payment: "pay",
    payments: "pay",
    payout: "pay",
    refund: "refund",
    transfer: "transfer",
    transaction: "pay",
    purchase: "purchase",
    order: "order",
    invoice: "invoice",
    deposit: "deposit",
    tip: "tip",
    donation: "donate",
    subscription: "subscribe",
    comment: "comment",
    reply: "reply",
    message: "message",
    email: "email",
    mail: "mail",
    invitation: "invite",
    invite: "invite",
    dm: "message",
    tweet: "tweet",
    post: "post",
    draft: "draft",
  }),
);

/** What a table knows of a tool's words; spaces between. */
export interface KnownWords {
  readonly verbs?: string;
  readonly object?: string;
  readonly service?: string;
}

/**
 * How a tool's effects are put in words: its verbs, those that decide a class first, and the nouns that are their object.
 * `mcp__github__merge_pull_request` merges a pull request of github; `manage_page` with `action: "delete"` deletes a page.
 */
export function wordingOf(
  name: string,
  args: JsonObject,
  server: string | null,
  known: KnownWords = {},
): (risk: RiskClass) => Wording {
  // Most parts of a call, above all those that hold others, are never put in words.
  let told: ((risk: RiskClass) => Wording) | null = null;
  return (risk) => {
    told ??= tell(name, args, server, known);
    return told(risk);
  };
}

function tell(
  name: string,
  args: JsonObject,
  server: string | null,
  known: KnownWords,
): (risk: RiskClass) => Wording {
  const owner = new Set(server === null ? [] : wordsOf(server));
  const all = wordsOf(name);
  const brand = all.find((word) => BRANDS.has(word));
  const own = all.filter(
    (word) => !BRANDS.has(word) && (!owner.has(word) || isVerb(word) || all.length === 1),
  );
  const action = actionWords(args);
  const named = split(own);
  const acted = split(action);
  // What is no verb stands for one only where nothing else does.
  const guessed = named.guess && acted.verbs.length > 0 ? named.verbs : [];
  const verbs = [
    ...acted.verbs,
    ...(known.verbs?.split(" ") ?? named.verbs.filter((one) => !guessed.includes(one))),
  ];
  const object = [...acted.object, ...(known.object?.split(" ") ?? [...guessed, ...named.object])].map(
    singular,
  );
  const service = server === null ? (known.service ?? brand ?? null) : serviceName(server);
  const nouns = [...new Set([...action, ...own].flatMap((word) => VERB_OF.get(word) ?? []))];
  return (risk) => {
    // Who reads payments does not pay.
    const meant = risk === "READ" || risk === "NETWORK" ? [] : nouns;
    const decides = (verb: string): boolean => {
      const kind = kindOfWord(verb);
      return kind !== undefined && (RISKS[kind].includes(risk) || (risk === "WRITE" && kind === "write"));
    };
    const deciding = [...verbs, ...meant].filter(decides);
    const others = [...verbs, ...meant].filter((verb) => !decides(verb));
    // A class that no word names is still done by what the words name.
    const words = deciding.length ? [...deciding, ...others] : [...others, GENERIC_VERBS[risk]];
    return { verbs: words, object, service };
  };
}

/** `plugin_acme_mail` is what a plugin called acme calls its server; it is said as it is spelled. */
function serviceName(server: string): string {
  return server.toLowerCase();
}

/** Which words of a name are its verbs, and which are what they are about. */
function split(words: readonly string[]): {
  readonly verbs: string[];
  readonly object: string[];
  /** True when no word is known for a verb. */
  readonly guess: boolean;
} {
  const isSpoken = (word: string | undefined): boolean =>
    word !== undefined && isVerb(word) && !FILLERS.has(word);
  const at = new Set<number>();
  const last = words.length - 1;
  const noun = SPOKEN_NOUNS.has(words[0] ?? "") && KIND_OF.has(words[last] ?? "") && last > 0;
  if (isSpoken(words[0]) && !noun) at.add(0);
  else if (isSpoken(words[last])) {
    for (let from = last; from > 0 && isSpoken(words[from]); from--) at.add(from);
  } else {
    const found = words.findIndex(isSpoken);
    at.add(Math.max(found, 0));
  }
  for (const [index, word] of words.entries())
    if (/^(?:and|then|or)$/.test(word) && isSpoken(words[index + 1])) at.add(index + 1);
  return {
    guess: ![...at].some((index) => isSpoken(words[index])),
    verbs: words.filter((word, index) => at.has(index) && !/^\d+$/.test(word)),
    object: words.filter((word, index) => !at.has(index) && !FILLERS.has(word)),
  };
}

/** The base form of a noun, as far as its ending tells. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|news)$/.test(word)) return word;
  if (/^(?:cookies|movies|calories|zombies|pies|ties)$/.test(word)) return word.slice(0, -1);
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
