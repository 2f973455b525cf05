/** What an object lets whoever tells people see and do, and what that takes besides. */
import type { LiveChannel } from "../db/channel-health.ts";
import type { QuietHours } from "../policy/approval/index.ts";
import type { Alerts, Asked, CrowdOfAsks, Message, NoticeEvent } from "./message.ts";

/** A row of the object's, as `durable/notices.ts` has it. */
export interface Notice {
  readonly id: number;
  /** What it is about: an approval, or alerts that are told together. */
  readonly subject: string;
  readonly event: NoticeEvent;
  readonly channel: string | null;
  readonly member: string | null;
  readonly tries: number;
  readonly link: string | null;
}

/** An ask as the outbox has to know it. `notify_at`: when people are to hear of it, as it was reckoned last. */
export type AskedAt = Asked & { readonly origin: string; readonly notify_at: number };

export interface NoticeBox {
  readonly notices: {
    due(now: number, limit: number): Notice[];
    postpone(now: number, ms: number): void;
    fannedOut(
      id: number,
      channels: readonly { readonly channel: string; readonly member: string | null }[],
    ): void;
    keepLink(id: number, sealed: string): void;
    settled(
      id: number,
      result:
        | { readonly is: "done" }
        | { readonly is: "failed"; readonly jitter: number; readonly wait?: number },
    ): void;
  };
  /** Makes a change in one transaction. */
  write<T>(work: () => T): T;
  /** As it stands now; `null` for an unknown one. */
  record(approval: string): AskedAt | null;
  /** Makes a link's hash known, before anybody is sent the link. */
  link(approval: string, member: string, hash: string): { readonly ok: boolean };
  /** Has an ask that is held back wait as these hours say. True while it is held. */
  reconsider(approval: string, quiet: QuietHours | null): boolean;
  /** Whether people are told of an ask by itself: not where too many came within a minute. */
  tells(asked: AskedAt): Promise<boolean>;
  /** Asks that are told together; `null` for unknown ones. */
  crowd(subject: string): (CrowdOfAsks & { readonly origin: string }) | null;
  /** Alerts that are told together; `null` for unknown ones. */
  alerts(subject: string): (Alerts & { readonly origin: string }) | null;
}

export interface NoticeDeps {
  readonly db: D1Database;
  readonly organization: string;
  /** The parts of `SETTINGS_KEY`, newest first. */
  readonly secrets: readonly string[];
  readonly publicOrigin: string | null;
  /** Where a mailer is looked for. */
  readonly env: unknown;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly fetch: typeof globalThis.fetch;
}

/** What a notice is about, for the while of one try. */
export interface Matter {
  /** Where its messages lead. */
  readonly origin: string;
  /** Whether a channel that wants to hear of such things may hear of this one. */
  isFor(channel: LiveChannel): boolean;
  /**
   * Asked before it is fanned out. `held`: nobody is to hear of it yet, and it comes due again. `programs`: people are
   * told of it along with others.
   */
  readiness(): Promise<"held" | "all" | "programs">;
  /** What this channel is told; `null` when nobody needs to be told any more. */
  message(notice: Notice, channel: LiveChannel): Promise<Message | null>;
}

/** D1 that does not answer is taken as away after this long. */
export const DATABASE_TIMEOUT_MS = 5_000;
