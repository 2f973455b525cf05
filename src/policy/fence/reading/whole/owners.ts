/** What the person, or somebody else, does: `I'll take care of the email`, `Push is my job`, `lo mando yo`, `邮件我来发`. */
import type { Ban } from "../bans/index.ts";
import { sense } from "../units.ts";
import { banOf, deedsIn, type Said } from "./said.ts";

const BY_ITSELF =
  /\b(?:myself|ourselves|on my own|by hand|personally|selbst|selber|personlich|yo mism[oa])\b|我自己|亲自/u;

/** The deed is named, and the rest says whose it is. */
const HOLDS: readonly RegExp[] = [
  /\b(?:i'll|i will|i'm|i am|i can|let me|i'd rather|i shall|i'm going to|we'll|we will|i've|i have) (?:\w+ )?(?:take|taking|taken|took|handle|handling|do|doing|done|did|manage|deal|dealing|look after|see to|cover|own|got|get)\b(?: care of| with| over| on| to)?/u,
  /\b(?:is|are|remains|stays|will be|'s) (?:\w+ )?(?:my|mine|our|ours|on me|on us|up to me|up to us|for me to|(?:\w+'s|the \w+'?s?) (?:job|task|responsibility|business|duty|part|turn|call|thing|department))\b/u,
  /\b(?:leave|leaving|hand|give|pass|keep)\b.{0,40}\b(?:to|for|with) (?:me|us)\b/u,
  /\bi(?:'ll| will|'d| would)(?: \w+){1,3}(?: \w+){0,4} (?:myself|personally|on my own)$/u,
  /^i(?:'ve| have) \w+ (?:it|that|this|the \w+|them) (?:already|yesterday|before|myself)\b/u,
  /^(?:(?:die|den|das|der) )?\w+ \w+e ich(?: selbst| dann| spater| schon| selber| gleich| morgen)?$/u,
  /^(?:i got|i've got|i have) (?:the|this|that)\b/u,
  /\bmy (?:job|task|responsibility|business|duty|department)\b/u,
  /\b(?:let|have) me (?:do|handle|take|deal|worry|see)\b/u,
  /\b(?:uberlass|ueberlass|lass) (?:\w+ )?(?:mir|uns)\b|\bmich (?:\w+ ){0,4}(?:machen|erledigen|kummern|ubernehmen)\b|\b(?:ich|wir) (?:\w+ ){0,5}?(?:mich|selbst|selber|ubernehm\w*|uebernehm\w*|mach\w*|erledig\w*|kummer\w*|personlich)\b|\b(?:ubernehme|uebernehme|mache|erledige|kummere|kuemmere) ich\b|\b(?:ist|bleibt) (?:mein\w* (?:sache|aufgabe|job|ding)|chefsache)\b|\b(?:selbst|selber)\b.*\bich\b/u,
  /\byo\b|\b(?:me encargo|me ocupo|me toca a mi|es cosa mia|corre de mi cuenta|dejame\w*|dejamelo|dejalo en mis manos|a mi cargo|es mi (?:trabajo|tarea))\b/u,
];
const HAN_HOLDS =
  /我(?:自己|亲自)|(?:由|让)我(?:自己)?来?|我(?:自己)?来|我(?:会)?(?:负责|处理|搞定)|交给我|归我/;

/** Who speaks of a deed of their own: `I'll send it`, `I'm sending the mail`, `I already emailed him`. */
const FIRST =
  /^(?:(?:but|and|so|no|ok|then|please|well|actually|thanks) )*(?:i'll|i will|i shall|i'm going to|i am going to|i'm gonna|let me|i'd rather|i would rather|i prefer to|i'd prefer to|i'm|i am|i've already|i have already|i already|i just|i'll be|i will be|i do|i can|we'll|we will|we're|we already|we've already) (?:(?:then|later|just|also|already|quickly|personally|do|be|have|go and|always|usually|the) )*/u;

/** `Anna will send the email`, `somebody else is sending it`. */
const OTHERS =
  /^(?:(?:but|and|so|no|ok|then) )*(?:someone else|somebody else|another \w+|my \w+|the (?:other )?(?:\w+ ){1,2}?|\w+) (?:will|is going to|'ll|is|has already|already|takes care of|handles|does|is in charge of|is responsible for) /u;

/** Told to the agent, not done instead of it. */
const TO_AGENT = /\b(?:you|your|dir|dich|ihnen|te|usted)\b|你/u;

export function ownedBy(said: Said): Ban | null {
  const { words, bare, units, lexicon } = said;
  if (/\b(?:not|never|don't|can't|cannot|couldn't|won't|nicht|kein\w*|nunca)\b|不/u.test(words)) return null;
  const himself = BY_ITSELF.test(lexicon.language === "zh" ? bare : words);
  if (lexicon.language === "zh" ? HAN_HOLDS.test(bare) : HOLDS.some((form) => form.test(words))) {
    if (!himself && TO_AGENT.test(words) && !/\b(?:leave|uberlass|deja)/u.test(words)) return null;
    return made(said, deedsIn(units, lexicon, true), !himself && !/\bleave\b.*\bto me\b/u.test(words));
  }
  const first = FIRST.exec(words)?.[0];
  if (first !== undefined && !TO_AGENT.test(words)) return made(said, firstDeed(said, first), !himself);
  // `Anna sends the mail.`
  const [name, verb] = units;
  if (
    name?.token.kind === "word" &&
    name.senses.length === 0 &&
    sense(verb, "verb", "s") !== null &&
    /^\w+ \w+ (?:the|that|this|it|them|all)\b/u.test(words)
  )
    return TO_AGENT.test(words) ? null : made(said, deedsIn(units.slice(1, 2), lexicon), true);
  const others = OTHERS.exec(words)?.[0];
  if (others === undefined || TO_AGENT.test(words) || /\b(?:me|us)\b/u.test(words)) return null;
  if (/^(?:it|this|that|there|everything|nothing|what|which|who|the)\b/u.test(words)) return null;
  return made(said, firstDeed(said, others), true);
}

/** The verb right behind what leads up to it. */
function firstDeed({ words, units, lexicon }: Said, lead: string): string[] {
  if (/\b(?:hit|press|click|push) (?:on )?(?:the )?(?:send|enter|submit)\b/u.test(words))
    return ["send", "submit"];
  const skipped = lead.split(" ").length - 1;
  let seen = 0;
  for (const [at, unit] of units.entries()) {
    if (unit.token.kind === "punct" || unit.token.kind === "break") continue;
    const before = seen;
    seen += unit.text.split(" ").length;
    if (before < skipped && seen <= skipped) continue;
    if (before > skipped + 1) break;
    if (sense(unit, "verb", "bgpn") !== null) return deedsIn(units.slice(at, at + 1), lexicon);
  }
  return [];
}

const DEEDS_OF_NOTE =
  /^(?:send|email|message|text|reply|forward|post|publish|share|invite|delete|push|pay|transfer|refund|buy|order|book|upload|deploy|merge|submit|commit|cancel|release|tweet|call|overwrite|trash|clear|install|restart|write|update|run|schedule|notify)$/;

function made(said: Said, verbs: readonly string[], asks: boolean): Ban | null {
  const own = verbs.filter((verb) => DEEDS_OF_NOTE.test(verb));
  if (own.length === 0) return null;
  const names = said.units.some(({ token }) => /^(?:email|handle|phone|path|file|channel)$/.test(token.kind));
  return banOf(
    {
      kind: "verbs",
      verbs: own,
      asks,
      objects: names ? [{ from: 0, to: said.units.length }] : [],
    },
    said.units,
  );
}
