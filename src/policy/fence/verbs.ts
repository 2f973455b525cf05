/**
 * The verbs that both sides are read into: what a person asks for and what a tool's name says it does. One base form
 * per verb, in English, whatever the language of the words. Classes: CONVENTIONS §2.
 */
import type { FencedClass } from "./types.ts";

export interface VerbRow {
  /** Verbs of one family stand for each other when their object is the same: `open an issue` and `create_issue`. */
  readonly family: Family;
  /** Classes that the verb can be about; the object says which. */
  readonly risks: readonly FencedClass[];
}

export type Family =
  | "message"
  | "share"
  | "delete"
  | "cancel"
  | "pay"
  | "buy"
  | "create"
  | "draft"
  | "update"
  | "move"
  | "state"
  | "switch"
  | "play"
  | "push"
  | "form"
  | "run"
  | "remember"
  | "schedule"
  | "copy"
  | "commit";

const ROWS: readonly (readonly [Family, readonly FencedClass[], string])[] = [
  [
    "message",
    ["COMMUNICATION"],
    "send email mail message text sms dm reply respond answer forward tweet announce notify inform tell ping contact call phone comment thank congratulate apologize broadcast warn alert ask relay circulate write_to react mention greet say fax telegram whatsapp slack",
  ],
  ["message", ["COMMUNICATION", "EXTERNAL_WRITE"], "post publish deliver"],
  ["share", ["SHARE", "COMMUNICATION", "EXTERNAL_WRITE"], "invite"],
  ["share", ["SHARE"], "share grant unshare revoke restrict expose permit give allow collaborate kick ban"],
  [
    "delete",
    ["DELETE"],
    "delete remove erase wipe purge trash destroy drop clear empty discard prune flush unlink clean tidy truncate shred expunge rm uninstall",
  ],
  ["cancel", ["DELETE", "FINANCIAL", "EXTERNAL_WRITE"], "cancel unsubscribe terminate void end"],
  [
    "pay",
    ["FINANCIAL"],
    "pay refund transfer wire remit settle reimburse tip donate charge payout repay invoice bill deposit withdraw",
  ],
  [
    "buy",
    ["FINANCIAL", "EXTERNAL_WRITE"],
    "buy purchase order book reserve subscribe renew upgrade rent checkout hire sell bid invest trade trial",
  ],
  [
    "create",
    ["WRITE", "EXTERNAL_WRITE"],
    "create make add open file log raise insert generate register enter new write save store implement build_up produce record put import append attach compose prepare set_up provision fork clone export dump scaffold initialize document note_down list_up",
  ],
  ["draft", ["EXTERNAL_WRITE", "WRITE"], "draft word phrase"],
  [
    "update",
    ["WRITE", "EXTERNAL_WRITE"],
    "update edit change modify fix correct set adjust rename patch replace refactor rewrite amend revise improve format sort organize reorganize restructure convert translate_to overwrite alter touch resize crop compress encrypt merge rebase port migrate optimize apply improve configure customize clean_up simplify extend debug repair rework reword redo bump upgrade_code downgrade chmod chown annotate",
  ],
  ["move", ["WRITE", "EXTERNAL_WRITE"], "move archive unarchive relocate sync extract unpack unzip zip"],
  ["copy", ["WRITE", "EXTERNAL_WRITE"], "copy duplicate back_up download mirror"],
  [
    "state",
    ["EXTERNAL_WRITE"],
    "close reopen resolve complete finish mark assign unassign reassign label unlabel tag untag approve reject accept decline confirm star unstar pin unpin lock unlock rate review vote like unlike follow unfollow snooze mute unmute block unblock flag escalate triage prioritize link unlink_from request dismiss hide",
  ],
  [
    "switch",
    ["EXTERNAL_WRITE"],
    "turn_on turn_off turn switch dim toggle enable disable activate deactivate arm disarm heat cool lower increase decrease",
  ],
  ["play", ["EXTERNAL_WRITE"], "play pause resume skip queue shuffle"],
  ["push", ["EXTERNAL_WRITE"], "push upload deploy release ship submit_to"],
  [
    "form",
    ["EXTERNAL_WRITE"],
    "submit fill click type press select log_in sign_in sign_up apply_for check_in rsvp claim",
  ],
  [
    "run",
    ["EXECUTE"],
    "run execute test build compile install start launch restart stop kill shut_down reboot benchmark lint bisect revert undo profile serve simulate train evaluate compute calculate invoke call_up trigger typecheck check_out",
  ],
  ["commit", ["WRITE", "EXECUTE"], "commit stash squash cherry_pick"],
  ["remember", ["PERSISTENT"], "remember memorize learn forget"],
  ["schedule", ["PERSISTENT", "EXTERNAL_WRITE", "COMMUNICATION"], "schedule remind reschedule plan"],
];

const TABLE: ReadonlyMap<string, VerbRow> = new Map(
  ROWS.flatMap(([family, risks, verbs]) =>
    verbs.split(" ").map((verb): [string, VerbRow] => [verb, { family, risks }]),
  ),
);

/** What tools call verbs that the table has under another name. */
const ALIASES: Readonly<Record<string, string>> = {
  del: "delete",
  rmdir: "delete",
  destroy: "delete",
  mv: "move",
  cp: "copy",
  relocate: "move",
  modify: "update",
  put: "update",
  insert: "add",
  upsert: "update",
  archive: "archive",
  memorise: "memorize",
  exec: "run",
  eval: "run",
  invoke: "run",
  terminate: "cancel",
  respond: "reply",
  purchase: "buy",
  checkout: "checkout",
  comment: "comment",
  mail: "email",
  publish: "publish",
};

export function verbRow(verb: string): VerbRow | null {
  return TABLE.get(verb) ?? TABLE.get(ALIASES[verb] ?? "") ?? null;
}

export function familyOf(verb: string): Family | null {
  return verbRow(verb)?.family ?? null;
}

export function plainVerb(verb: string): string {
  return Object.hasOwn(ALIASES, verb) ? (ALIASES[verb] ?? verb) : verb;
}

/** Work on code: it implies running the project's own checks (CONVENTIONS §4). */
export const CODING_VERBS: ReadonlySet<string> = new Set(
  "implement fix refactor debug port migrate optimize bisect rebase rewrite upgrade_code bump repair patch scaffold simplify extend merge typecheck".split(
    " ",
  ),
);
