/**
 * The secrets guard: keys, passwords and tokens are nobody's task, whatever the task (CONVENTIONS §3.1). What the person
 * named in their own words becomes a question. Comes before the fence and has no mode.
 */
import { escapeBound } from "../../paths/index.ts";
import type { Effects, Environment, Finding, Verdict } from "../../types.ts";
import type { TaskPolicy } from "../types.ts";
import { isItself, placeOf } from "./places.ts";

const SAYS: Readonly<Record<string, string>> = {
  "secret-access": "it reads or changes keys, passwords or tokens",
  "secret-exfil": "it would carry keys, passwords or tokens out",
  "sensitive-user-named": "it touches a secret that the person named",
};

/** Classes by which something leaves this machine. */
const LEAVES = ["COMMUNICATION", "SHARE", "EXTERNAL_WRITE", "NETWORK"] as const;

export function judgeSecrets(policy: TaskPolicy, effects: Effects, environment: Environment): Finding[] {
  const secrets = effects.items.filter(({ name }) => name === "secret");
  const { risks } = effects;
  if (!risks.includes("CREDENTIAL") && secrets.length === 0) return [];
  const leaves = LEAVES.some((risk) => risks.includes(risk));
  const isOwnAct = effects.acts.some(
    ({ risk, verbs }) =>
      risk === "CREDENTIAL" &&
      verbs.some((verb) => /^(?:update|change|set|reset|rotate|unlock|fill|save|manage)$/.test(verb)),
  );
  const verdicts: { verdict: Exclude<Verdict, "allow">; rule: string }[] = [];
  for (const { value } of secrets) {
    if (leaves) verdicts.push({ verdict: "block", rule: "secret-exfil" });
    else if (value === "environment") verdicts.push({ verdict: "ask", rule: "secret-access" });
    else if (isNamed(policy, value, environment))
      verdicts.push({ verdict: "ask", rule: "sensitive-user-named" });
    else verdicts.push({ verdict: "block", rule: "secret-access" });
  }
  if (secrets.length === 0 && isOwnAct)
    verdicts.push({
      verdict: policy.permissions.some(({ risk }) => risk === "EXTERNAL_WRITE") ? "ask" : "block",
      rule: "secret-access",
    });
  else if (secrets.length === 0) verdicts.push({ verdict: "block", rule: "secret-access" });
  const seen = new Set<string>();
  return verdicts.flatMap(({ verdict, rule }) => {
    if (seen.has(verdict + rule)) return [];
    seen.add(verdict + rule);
    return [made(verdict, rule)];
  });
}

function isNamed(policy: TaskPolicy, secret: string, environment: Environment): boolean {
  const bound = escapeBound(secret);
  return policy.named.some((target) => {
    const place = placeOf(target, environment);
    return place !== null && (isItself(place, bound) || isItself(place, secret));
  });
}

function made(verdict: Exclude<Verdict, "allow">, rule: string): Finding {
  const next = verdict === "block" ? "Do not retry." : "A person has to approve this exact call.";
  return {
    verdict,
    reason: {
      rule_key: `guard:${rule}`,
      engine: "guard",
      message: `${verdict === "block" ? "Blocked" : "Held for approval"}: ${SAYS[rule] ?? rule}. ${next}`,
      clearable_by: "owner",
    },
  };
}
