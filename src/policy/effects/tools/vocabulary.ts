import type { RiskClass } from "../../types.ts";

/** What a word, or a whole name, says that a tool does. */
export type Kind =
  | "read"
  | "write"
  | "execute"
  | "communicate"
  | "share"
  | "delete"
  | "financial"
  | "persist";

/** What a word in a tool's name says about it. A word in two lists counts for the graver one. */
const WORDS: readonly (readonly [Kind, string])[] = [
  [
    "read",
    "get list read search find query fetch show view describe lookup retrieve check count browse inspect status info history preview track peek scan verify validate ping head diff compare analyze analyse summarize summarise calculate compute estimate explain select load ls cat stat details report reports select overview freebusy metadata profile whoami who what where convert translate render format parse detect aggregate classify recommend suggest autocomplete resolve transcribe navigate snapshot screenshot wait hover export think thinking sequentialthinking",
  ],
  [
    "write",
    "create update edit modify set add put patch write insert upsert upload move rename copy archive unarchive close reopen open assign unassign label unlabel mark merge approve reject star unstar like unlike react reaction save import schedule reschedule submit rate log adjust enable disable configure change reset restore register unregister signup follow unfollow touch fill click type press complete draft store append replace apply attach detach link pin unpin lock unlock confirm accept decline snooze queue generate build provision commit tag fork clone redirect book reserve hold mute unmute block unblock vote request subscribe unsubscribe upgrade downgrade sign turn arrange place push transition pause resume play skip connect disconnect dismiss freeze unfreeze resize",
  ],
  [
    "execute",
    "run execute exec eval evaluate invoke deploy trigger start restart stop kill reboot shutdown spawn launch compile install uninstall shell terminal bash script command sudo rerun redeploy",
  ],
  [
    "communicate",
    "send reply forward broadcast notify dm post publish tweet retweet deliver announce respond alert sms",
  ],
  [
    "share",
    "share unshare invite uninvite kick ban unban collaborator collaborators grant permission permissions visibility acl expose member members public role roles access",
  ],
  [
    "delete",
    "delete remove destroy purge wipe erase drop truncate trash clear empty unlink rm rmdir prune del discard revoke flush terminate cancel",
  ],
  [
    "financial",
    "pay payment payments purchase buy checkout refund transfer charge invoice donate tip deposit withdraw withdrawal trade sell bid payout money funds payroll billing remit wire standing void swap stake unstake mint redeem topup",
  ],
];

export const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  WORDS.flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);

export const RISKS: Readonly<Record<Kind, readonly RiskClass[]>> = {
  read: ["READ"],
  write: ["EXTERNAL_WRITE"],
  execute: ["EXECUTE"],
  communicate: ["COMMUNICATION"],
  share: ["SHARE"],
  delete: ["DELETE"],
  financial: ["FINANCIAL"],
  persist: ["PERSISTENT"],
};

/** `listThenPurge`, `kebab-case-name`, `customers.export.delete` -> lower-case words. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** What a word says, in its base form or bent. */
export function kindOfWord(word: string): Kind | undefined {
  return (
    KIND_OF.get(word) ??
    KIND_OF.get(word.replace(/(?:ing|ed|s)$/, "")) ??
    KIND_OF.get(word.replace(/(?:ing|ed)$/, "e"))
  );
}

/** True when a word of the name changes something. */
export function changes(name: string): boolean {
  return wordsOf(name).some((word) => (KIND_OF.get(word) ?? "read") !== "read");
}

/** Verbs that say nothing of what a tool does to anything, but are verbs. */
const PLAIN_VERBS = new Set(
  (
    "manage sync process handle calibrate reconcile use make do switch record mail email call message comment note log heartbeat finalize finalise void kick ban kindle rsvp attend join leave mount scan remind " +
    "play pause resume skip next previous shuffle seek key drag scroll capture focus connect disconnect"
  ).split(" "),
);

export function isVerb(word: string): boolean {
  return KIND_OF.has(word) || PLAIN_VERBS.has(word);
}
