/** Channels as the fields of a form, and back; and the words for what they do. Pure. What is wrong is for the API to say. */
import type { Fault } from "../../errors.ts";
import type { Health, ShownChannel } from "../../http/channels.ts";
import { CHANNEL_EVENTS, type ChannelKind, failureWords } from "../../notify/index.ts";
import type { FieldFault } from "./settings-values.ts";

interface TargetField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** What to write where the shape of what was typed is wrong. */
  readonly shape: string;
  /** Left out of the target when it is empty. */
  readonly optional?: boolean;
  /** Goes in and never out, not even into the form that is answered. */
  readonly secret?: boolean;
}

interface KindWords {
  readonly name: string;
  /** What it takes, in a line. */
  readonly about: string;
  readonly fields: readonly TargetField[];
}

export const KINDS: Readonly<Record<ChannelKind, KindWords>> = {
  email: {
    name: "Email",
    about: "A mail to one address.",
    fields: [
      {
        name: "address",
        label: "Address",
        hint: "One address, such as ada@example.com.",
        shape: "Write one address, without a name around it.",
      },
    ],
  },
  slack: {
    name: "Slack",
    about: "A message in one Slack channel, by an incoming webhook.",
    fields: [
      {
        name: "url",
        label: "Webhook URL",
        hint: "Slack gives it to you under Incoming Webhooks. Whoever knows it can write there.",
        shape: "Copy the whole address, with https.",
        secret: true,
      },
    ],
  },
  telegram: {
    name: "Telegram",
    about: "A message of your own bot in one chat.",
    fields: [
      {
        name: "token",
        label: "Bot token",
        hint: "BotFather gives it to you.",
        shape: "Copy the whole token: a number, a colon, and letters and digits.",
        secret: true,
      },
      {
        name: "chat_id",
        label: "Chat id",
        hint: "A number. For your own links, of your private chat with the bot: a group would read them.",
        shape: "Write the number, or @ and the name.",
      },
    ],
  },
  ntfy: {
    name: "ntfy",
    about: "A push message on a phone, by ntfy.sh or a server of yours.",
    fields: [
      {
        name: "server",
        label: "Server",
        hint: "Empty: https://ntfy.sh.",
        shape: "Write its address, with https and without a path.",
        optional: true,
      },
      {
        name: "topic",
        label: "Topic",
        hint: "Whoever knows the topic of a public server can read it: make it hard to guess.",
        shape: "Write 1 to 64 letters, digits, - and _.",
      },
      {
        name: "token",
        label: "Access token",
        hint: "Where the server asks for one.",
        shape: "A token has at most 256 characters, without spaces.",
        optional: true,
        secret: true,
      },
    ],
  },
  webhook: {
    name: "Webhook",
    about: "A signed request to a program of yours (Standard Webhooks).",
    fields: [
      {
        name: "url",
        label: "URL",
        hint: "https. What is sent there is signed.",
        shape: "Write the whole address, with https.",
      },
    ],
  },
  push: {
    name: "Browser",
    about: "A notification of the browser that you are looking at now.",
    fields: [],
  },
};

/** Kinds that are set up by a form; a browser sets up itself. */
export const FORM_KINDS = ["email", "slack", "telegram", "ntfy", "webhook"] as const;

export const EVENT_WORDS: Readonly<Record<(typeof CHANNEL_EVENTS)[number], string>> = {
  "approval.opened": "when somebody is asked",
  "approval.decided": "when an ask was approved or denied, or has expired",
  "ledger.alert": "when a check of the record finds that something does not fit",
};

/** What a member may be told of: alerts of the record are for those who can look into it. */
export function eventsFor(isAdmin: boolean): readonly (typeof CHANNEL_EVENTS)[number][] {
  return CHANNEL_EVENTS.filter((event) => isAdmin || event !== "ledger.alert");
}

/** What was typed and chosen, secrets included: a page shows none of those. */
export interface ChannelDraft {
  readonly name: string;
  readonly events: readonly string[];
  readonly own: boolean;
  readonly target: Readonly<Record<string, string>>;
}

export function typedChannel(form: URLSearchParams, kind: ChannelKind): ChannelDraft {
  const field = (name: string): string => (form.get(name) ?? "").trim();
  return {
    name: field("name"),
    events: CHANNEL_EVENTS.filter((event) => form.getAll("event").includes(event)),
    own: form.get("whose") !== "organization",
    target: Object.fromEntries(KINDS[kind].fields.map(({ name }) => [name, field(`target-${name}`)])),
  };
}

/** The target that the fields ask for. */
export function targetFrom(kind: ChannelKind, { target }: ChannelDraft): Record<string, string> {
  return Object.fromEntries(
    KINDS[kind].fields.flatMap(({ name, optional }) => {
      const typed = target[name] ?? "";
      return typed === "" && optional === true ? [] : [[name, typed]];
    }),
  );
}

/** Faults of the API by the fields that they stand for. */
export function channelFaults(kind: ChannelKind, faults: readonly Fault[]): FieldFault[] {
  const seen = new Set<string>();
  return faults.flatMap(({ pointer, detail, code }) => {
    const [, first = "", second = ""] = pointer.split("/");
    const field = KINDS[kind].fields.find(({ name }) => first === "target" && name === second);
    const id = field === undefined ? first : `target-${field.name}`;
    if (seen.has(id)) return [];
    seen.add(id);
    const label = field?.label ?? LABELS[first] ?? "Target";
    const isShape = /^(?:invalid|too)[-_]/.test(code ?? "");
    const message = field !== undefined && isShape ? field.shape : messageOf(id, detail, code);
    return [{ id, label, message }];
  });
}

const LABELS: Readonly<Record<string, string>> = { name: "Name", events: "Told", own: "Whose" };

function messageOf(id: string, detail: string, code: string | undefined): string {
  if (id === "name" && code === "too_small") return "Write a name.";
  if (id === "name") return "A name has at most 100 characters, none of them invisible.";
  if (id === "events") return "Choose at least one.";
  return detail;
}

/** What may be shown of a target, as one text. */
export function shownText({ shown }: Pick<ShownChannel, "shown">): string {
  return Object.values(shown)
    .filter((value) => typeof value === "string" && value !== "")
    .join(" · ");
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago, roughly: the exact time stands beside it where it counts. */
export function ago(at: number, now: number): string {
  const ms = now - at;
  if (ms < MINUTE_MS) return "just now";
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`;
  const days = Math.floor(ms / DAY_MS);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** A stable word for a failure, in words. */
export function failureText(failure: string | null): string {
  return failure === null ? "it did not get there" : failureWords(failure).what;
}

/** Why a message did not get there and what to do, as sentences. */
export function failureSentences(failure: string): string {
  const { what, todo } = failureWords(failure);
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.${todo === null ? "" : ` ${todo}`}`;
}

export function isFailing({ state }: Health): boolean {
  return state === "failing";
}
