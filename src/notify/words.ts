/** Why something is asked and what it could do, in words for people who have not seen the call. */
import { fenceWords } from "../policy/fence/index.ts";
import type { RiskClass } from "../policy/types.ts";

const RISKS: Readonly<Record<RiskClass, string>> = {
  READ: "read something",
  WRITE: "change files",
  DELETE: "delete something",
  EXECUTE: "run a program",
  NETWORK: "reach another computer",
  COMMUNICATION: "send a message",
  SHARE: "give somebody access",
  EXTERNAL_WRITE: "change something outside this computer",
  FINANCIAL: "spend or move money",
  PERSISTENT: "change what the agent remembers or does later",
  CREDENTIAL: "use keys or passwords",
  GOVERNANCE: "change what governs the agent",
  UNKNOWN: "do something that is not known",
};

const RULES: Readonly<Record<string, string>> = {
  "oath:never": "the owner's oath says never",
  "oath:require-backup": "the owner's oath wants a backup first",
  "oath:opaque": "it cannot be seen whether it touches what the owner's oath protects",
  "oath:unresolved-variable": "a line of the owner's oath could not be read for this agent",
  "guard:secret-access": "it reads or changes keys, passwords or tokens",
  "guard:secret-exfil": "it would carry keys, passwords or tokens out",
  "guard:sensitive-user-named": "it touches a secret that the person named",
  "guard:outcome-unknown": "it was approved before, and nobody has said whether it ran",
};

/** For a rule that has no words of its own. */
const ENGINES: Readonly<Record<string, string>> = {
  oath: "the owner's oath",
  fence: "the person's words do not cover it",
  provenance: "it would remember something that the person's words do not back",
  guard: "a guard holds it",
};

const MOST_WORDS = 4;

/** What it could do, `delete something; send a message`. At most four things. */
export function riskWords(risks: readonly RiskClass[]): string {
  // Whatever acts also reads: that is only said of what does nothing else.
  const telling = risks.filter((risk) => risk !== "READ");
  return listed((telling.length > 0 ? telling : risks).map((risk) => RISKS[risk] ?? RISKS.UNKNOWN));
}

/** Why it is asked, each thing once. At most four. */
export function ruleWords(keys: readonly string[]): string {
  return listed(keys.map(wordsOfRule));
}

function wordsOfRule(key: string): string {
  const [engine = "", rule = ""] = key.split(":", 2);
  const own = Object.hasOwn(RULES, key) ? RULES[key] : engine === "fence" ? fenceWords(rule) : null;
  return own ?? (Object.hasOwn(ENGINES, engine) ? ENGINES[engine] : null) ?? "a rule holds it";
}

function listed(words: readonly string[]): string {
  const once = [...new Set(words)];
  const told = once.slice(0, MOST_WORDS);
  const rest = once.length - told.length;
  return rest === 0 ? told.join("; ") : `${told.join("; ")}; and ${rest} more`;
}

/** Whose it is that does not fit. */
const PLACES: Readonly<Record<string, string>> = {
  database: "In the database's copy of it",
  ledger: "In a ledger itself",
  log: "In the signed log of ledgers",
};

/** A line for each place, `In a ledger itself: truncated; altered-entry (3 times)`: the codes are those of the page and the docs. */
export function findingWords(
  findings: readonly { readonly code: string; readonly place: string; readonly count: number }[],
): string[] {
  const places = Map.groupBy(findings, ({ place }) => place);
  return [...places].map(([place, found]) => {
    const told = found.map(({ code, count }) => (count === 1 ? code : `${code} (${count} times)`));
    return `${(Object.hasOwn(PLACES, place) ? PLACES[place] : undefined) ?? `In ${place}`}: ${listed(told)}.`;
  });
}

/** `8 minutes`; what is left is rounded down, so that nobody is promised more than there is. */
export function timeWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return counted(seconds, "second");
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? counted(minutes, "minute") : counted(Math.floor(minutes / 60), "hour");
}

/** `30 Nov, 14:32 UTC` */
export function momentWords(at: number): string {
  const told = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
  }).format(at);
  return `${told} UTC`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The beginning of a digest, as the page shows it too: enough to see that both speak of one action. */
export function shortDigest(digest: string): string {
  return (
    digest
      .slice(0, 12)
      .match(/.{1,4}/g)
      ?.join(" ") ?? ""
  );
}
