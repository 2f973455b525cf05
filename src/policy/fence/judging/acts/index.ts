/**
 * One effect of a call against one permission: was this asked for, and was this very target named? Levels, from worst:
 * nothing of the kind was asked for; the kind was, and this target was not named; it was, with its target.
 */

import type { Act } from "../../../types.ts";
import { widerAccess } from "./access.ts";
import { carriesOther } from "./carried.ts";
import { matchDictated, matchExecute } from "./commands.ts";
import { isKeptBy, matchEntry, matchKept } from "./entries.ts";
import { matchDelete, matchWrite } from "./files.ts";
import { matchClone, matchGitStep, matchTag } from "./git.ts";
import type { Call, Match, Ready } from "./match.ts";
import { matchMoney } from "./money.ts";
import { contradiction } from "./names.ts";
import { matchMessage, matchShare, reach } from "./people.ts";
import { matchProgram } from "./programs.ts";
import { matchRemoteCopy } from "./remotes.ts";
import { otherValue } from "./values.ts";
import { verbMatch } from "./verbs.ts";

/** `null`: nothing of the kind was asked for. */
export function matchAct(ready: Ready, act: Act, call: Call): Match | null {
  const match = compared(ready, act, call);
  if (match === null || match.rule !== null) return match;
  return (
    contradiction(ready, act, call) ??
    otherValue(ready, act, call) ??
    widerAccess(ready, act, call.effects.items) ??
    carriesOther(act, call) ??
    match
  );
}

function compared(ready: Ready, act: Act, call: Call): Match | null {
  if (act.risk === "DELETE" || act.risk === "WRITE") {
    const step = matchGitStep(ready, act, call);
    if (step !== null) return step;
    const tag = matchTag(ready, act, call);
    if (tag !== null) return tag;
    if (act.service === "git" && act.verbs.includes("clone")) return matchClone(ready, call);
  }
  // A call or an invitation that a service counts as an entry of its own reaches somebody all the same.
  if (
    act.risk === "EXTERNAL_WRITE" &&
    (ready.permission.risk === "COMMUNICATION" || ready.permission.risk === "SHARE") &&
    call.effects.recipients.length > 0 &&
    verbMatch(ready, act) === "exact"
  )
    return reach(ready, act, call.effects.recipients);
  if (act.risk === "EXECUTE" || act.risk === "DELETE") {
    const program = matchProgram(ready, call);
    if (program !== null) return program;
  }
  const copied = matchRemoteCopy(ready, act, call);
  if (copied !== null) return copied;
  if (ready.permission.risk === "EXECUTE" && act.risk !== "EXECUTE") return matchDictated(ready, act, call);
  if (act.risk === "EXTERNAL_WRITE" && isKeptBy(ready, act)) return matchEntry(ready, act, call);
  if (ready.permission.risk !== act.risk) return null;
  switch (act.risk) {
    case "WRITE":
      return matchWrite(ready, act, call);
    case "DELETE":
      return matchDelete(ready, act, call);
    case "EXECUTE":
      return matchExecute(ready, act, call);
    case "COMMUNICATION":
      return matchMessage(ready, act, call);
    case "SHARE":
      return matchShare(ready, act, call);
    case "FINANCIAL":
      return matchMoney(ready, act, call);
    case "EXTERNAL_WRITE":
      return matchEntry(ready, act, call);
    case "PERSISTENT":
      return matchKept(ready, act, call);
    default:
      return null;
  }
}
