/** What the fence says of a call: to the agent what to do, to people why. */
import type { Finding, Reason, Verdict } from "../../types.ts";

const SAYS: Readonly<Record<string, string>> = {
  "user-prohibition": "the person's words forbid it",
  "user-wants-confirmation": "the person wants to be asked first",
  "recipient-not-named": "it reaches somebody whom the person's words do not name in full",
  "target-not-named": "it acts on something that the person's words do not name",
  "amount-mismatch": "its sum is not the one that the person stated",
  "amount-not-named": "the person's words name no sum",
  "amount-over-cap": "it is more than the person allowed",
  "scope-wider": "it goes further than the person asked",
  "class-not-requested": "the person's words do not ask for an effect of this kind",
  "unclear-request": "the person's words can also be read otherwise",
  "budget-exhausted": "the person asked for this once, and it has been done",
  "unauthorized-send": "nothing that the person said asks to send or post anything",
  "unauthorized-share": "nothing that the person said asks to give anybody access",
  "unauthorized-delete": "nothing that the person said asks to delete this",
  "unauthorized-payment": "nothing that the person said asks to spend or move money",
  "opaque-execution": "nobody asked to run this, and what it does cannot be seen",
  "remote-code": "it runs code that comes from elsewhere as it comes",
  "unknown-tool": "what this tool does is not known",
  "exfil-risk": "the address carries more than a question, to a host that nobody named",
  "deceptive-recipient": "the recipient is spelled to be taken for somebody else",
  "deceptive-target": "the target is spelled to be taken for another one",
  "broad-path": "it reaches a whole home, system folder or machine",
  "persistence-path": "it changes what runs by itself later, and nobody asked for that",
  "secret-access": "it reads or changes keys or passwords",
  "secret-exfil": "it would carry keys or passwords out",
  "sensitive-user-named": "it reads a file of secrets that the person named",
  delegated: "the person's words leave to something else what is to be done",
  "order-not-covered": "it tells another agent to do what the person's words do not ask for",
  fallback: "no words of the person are known here, or no policy could be made of them",
  "too-large": "it does more, or to more people and things, than can be held to what was said",
  loop: "the same call has come again and again in this turn",
};

const CLEARS: Readonly<Record<string, Reason["clearable_by"]>> = {
  "broad-path": "caller",
  "too-large": "caller",
  "deceptive-recipient": "caller",
  "deceptive-target": "caller",
};

/** Why, for people who are told of an ask without its call; `null` for what is no rule of the fence. */
export function fenceWords(rule: string): string | null {
  return Object.hasOwn(SAYS, rule) ? (SAYS[rule] ?? null) : null;
}

/** @param quote the person's words that it stands on */
export function finding(verdict: Exclude<Verdict, "allow">, rule: string, quote?: string): Finding {
  const says = SAYS[rule] ?? "the person's words do not cover it";
  const words = quote === undefined || quote === "" ? "" : ` They said: "${quote.slice(0, 160)}".`;
  const next =
    verdict === "block"
      ? "Do not retry; do what was asked, or ask the person for it in their own words."
      : "A person has to approve this exact call.";
  return {
    verdict,
    reason: {
      rule_key: `fence:${rule}`,
      engine: "fence",
      message: `${verdict === "block" ? "Blocked" : "Held for approval"}: ${says}.${words} ${next}`,
      clearable_by: CLEARS[rule] ?? "owner",
    },
  };
}
