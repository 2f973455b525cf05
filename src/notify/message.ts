/**
 * What people and programs are told of an ask and of its outcome, and of what was found wrong with the record: a summary. Never an argument of the call and never a
 * quote: what a notification passes through is read by more than who is asked. Names come from strangers (`names.ts`).
 *
 * A webhook gets the same as JSON (Standard Webhooks), `{type, timestamp, data}`: `events.ts` has it as schemas. `url` is
 * the page on the dashboard; on a member's own channel, while the ask is open, it is that member's link.
 */
import type { RiskClass } from "../policy/types.ts";
import { plainText, shownName, type Text } from "./names.ts";
import { findingWords, momentWords, riskWords, ruleWords, shortDigest, timeWords } from "./words.ts";

export const CHANNEL_EVENTS = ["approval.opened", "approval.decided", "ledger.alert"] as const;
export type ChannelEvent = (typeof CHANNEL_EVENTS)[number];
/** What a notice is of. A channel hears of a crowd of asks if it wants to hear of asks. */
export type NoticeEvent = ChannelEvent | "approval.crowd";

/** What of an approval is told; the object's own record has it all. */
export interface Asked {
  readonly id: string;
  readonly session: string;
  readonly root: string;
  readonly agent: string;
  readonly call_id: string;
  readonly tool: string;
  readonly action_digest: string;
  readonly risks: readonly RiskClass[];
  readonly rule_keys: readonly string[];
  readonly demand: { readonly people: number };
  readonly status: "pending" | "approved" | "denied" | "expired";
  readonly opened_at: number;
  readonly expires_at: number;
  readonly extended: boolean;
  readonly decided_at: number | null;
  readonly decided_by: { readonly member: string; readonly via: "link" | "session" } | null;
}

/** Findings of which one message tells: alerts on the organization's ledger, from one entry through another. */
export interface Alerts {
  /** One for each message, at most 32 characters of base64url. */
  readonly id: string;
  readonly first_seq: number;
  readonly last_seq: number;
  /** When the first of them was put on record, epoch milliseconds. */
  readonly found_at: number;
  /** How many of each kind; none is 0. */
  readonly findings: readonly { readonly code: string; readonly place: string; readonly count: number }[];
}

/** Asks of one minute that are told together. */
export interface CrowdOfAsks {
  /** At most 32 characters of base64url. */
  readonly id: string;
  readonly count: number;
  readonly since: number;
}

/** Names as D1 has them; `null` for what is not there. */
export interface Names {
  readonly agent: string | null;
  readonly member: string | null;
}

export interface Message {
  /** Stable: whoever is sent the same twice can tell. */
  readonly id: string;
  readonly type: NoticeEvent | "test";
  /** When it happened, epoch milliseconds. */
  readonly at: number;
  /** What it is about, for whoever replaces an earlier message by a later one. At most 32 characters of base64url. */
  readonly topic: string;
  readonly title: Text;
  readonly lines: readonly Text[];
  readonly url: string;
  /** What stands on the link. */
  readonly action: string;
  readonly urgent: boolean;
  /** Nobody wants to read it after that. */
  readonly until: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * @param url where it is shown whole
 * @param isOwn the link in it is that of one member
 */
export function openedMessage(asked: Asked, names: Names, url: string, isOwn: boolean, now: number): Message {
  const { people } = asked.demand;
  return {
    ...common(asked, "approval.opened"),
    at: asked.opened_at,
    title: [agentOf(asked, names), " asks to use ", { name: shownName(asked.tool) }],
    lines: [
      [`It could ${riskWords(asked.risks)}.`],
      [`It is asked because ${ruleWords(asked.rule_keys)}.`],
      [`Time left: ${timeWords(asked.expires_at - now)}, until ${momentWords(asked.expires_at)}.`],
      ...(people > 1 ? [[`It takes ${people} people to approve it.`]] : []),
      [`Action ${shortDigest(asked.action_digest)}.`],
      ...(isOwn ? [["The link is yours alone: do not pass it on."]] : []),
    ],
    url,
    action: isOwn ? "See what it is, and decide" : "Open it in Countersign",
    urgent: true,
    until: asked.expires_at,
    data: {
      ...about(asked, names),
      risks: asked.risks,
      rule_keys: asked.rule_keys,
      opened_at: asked.opened_at,
      expires_at: asked.expires_at,
      url,
    },
  };
}

/** Of an outcome there is an hour to hear: whoever waits for it asks the API. */
const OUTCOME_LASTS_MS = 60 * 60_000;

export function decidedMessage(asked: Asked, names: Names, url: string, now: number): Message {
  const by = asked.decided_by;
  const at = asked.decided_at ?? asked.expires_at;
  const outcome =
    asked.status === "approved"
      ? "Approved: "
      : asked.status === "denied"
        ? "Denied: "
        : "Nobody answered in time, and that means no: ";
  return {
    ...common(asked, "approval.decided"),
    at,
    title: [outcome, { name: shownName(asked.tool) }, " of ", agentOf(asked, names)],
    lines: [
      ...(by === null
        ? []
        : [
            [
              "Decided by ",
              { name: shownName(names.member ?? by.member) },
              by.via === "link" ? " through their link." : " on the dashboard.",
            ],
          ]),
      [`Action ${shortDigest(asked.action_digest)}, ${momentWords(at)}.`],
    ],
    url,
    action: "Open it in Countersign",
    urgent: false,
    until: now + OUTCOME_LASTS_MS,
    data: {
      ...about(asked, names),
      decided_at: at,
      decided_by: by?.member ?? null,
      via: by?.via ?? null,
      url,
    },
  };
}

/** Asks do not wait for long: after that it is no news. */
const CROWD_LASTS_MS = 10 * 60_000;

/** Says how many, and nothing of any of them. @param url of the page that has them all */
export function crowdMessage({ id, count, since }: CrowdOfAsks, url: string): Message {
  return {
    id,
    type: "approval.crowd",
    at: since,
    topic: id,
    title: [count === 1 ? "One more ask came in" : `${count} more asks came in`],
    lines: [
      [`They came within a minute of ${momentWords(since)}, and are not told one by one.`],
      ["Those that nobody answers expire, which means no."],
    ],
    url,
    action: "See what waits",
    urgent: true,
    until: since + CROWD_LASTS_MS,
    data: { count, since, url },
  };
}

/** Alerts stand on record until somebody says that they have seen them: this long a message about them is news. */
const ALERT_LASTS_MS = 24 * 60 * 60_000;

/** @param url of the page that has all of them */
export function alertMessage(alerts: Alerts, url: string): Message {
  const { id, first_seq, last_seq, found_at, findings } = alerts;
  const count = findings.reduce((sum, one) => sum + one.count, 0);
  return {
    id,
    type: "ledger.alert",
    at: found_at,
    topic: id,
    title: [
      count === 1
        ? "The record was checked, and one thing does not fit"
        : `The record was checked, and ${count} things do not fit`,
    ],
    lines: [
      ...findingWords(findings).map((line) => [line]),
      ["Somebody may have changed it, or something went wrong: a check tells that it differs, not why."],
      [`First found ${momentWords(found_at)}. There may be more.`],
    ],
    url,
    action: "See what was found, and where",
    urgent: true,
    until: found_at + ALERT_LASTS_MS,
    data: { count, findings, first_seq, last_seq, found_at, url },
  };
}

/** Harmless: for whoever wants to see whether a channel works. @param id of this test alone */
export function testMessage(id: string, url: string, now: number): Message {
  return {
    id,
    type: "test",
    at: now,
    topic: "test",
    title: ["A test from Countersign"],
    lines: [["This channel works. Nothing was asked, and there is nothing to do."]],
    url,
    action: "Open Countersign",
    urgent: false,
    until: now + OUTCOME_LASTS_MS,
    data: { url },
  };
}

/** The title as one line of plain text. */
export function titleText(message: Message): string {
  return plainText(message.title);
}

/** What stands under the title, with the link on a line of its own. */
export function bodyText(message: Message): string {
  return [...message.lines.map(plainText), "", `${message.action}:`, message.url].join("\n");
}

function common(asked: Asked, type: ChannelEvent) {
  const what = type === "approval.opened" ? "opened" : "decided";
  return { id: `${asked.id}_${what}`, type, topic: asked.id.replace(/[^\w-]/g, "").slice(0, 32) };
}

function agentOf(asked: Asked, names: Names): { readonly name: string } {
  return { name: shownName(names.agent ?? asked.agent) };
}

function about(asked: Asked, names: Names): Record<string, unknown> {
  return {
    approval: asked.id,
    status: asked.status,
    session: asked.session,
    call_id: asked.call_id,
    agent: asked.agent,
    agent_name: names.agent,
    tool: asked.tool,
    action_digest: asked.action_digest,
  };
}
