/**
 * Channels, for the API and for the pages: who is told of asks, and where. A member's own channel carries links by which
 * they countersign, so only they set it up; the organization's carries none and is an admin's.
 */
import type { Context } from "hono";
import * as z from "zod";
import { recordHealth } from "../db/channel-health.ts";
import { type ChannelRow, listChannels, readChannel } from "../db/channels.ts";
import { type Fault, Problem } from "../errors.ts";
import { newId } from "../ids.ts";
import {
  CHANNEL_EVENTS,
  CHANNEL_KINDS,
  type ChannelKind,
  newWebhookSecret,
  readTarget,
  sendTest,
  vapidPublicKey,
} from "../notify/index.ts";
import { open, type Place, seal } from "../sealing.ts";
import { hasRole, type MemberCaller, memberCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { reachOf } from "./drafting.ts";
import { govern, governLater } from "./governing.ts";
import { Name } from "./schemas.ts";

/** How long a webhook is signed with the secret before, too: long enough to give every receiver the new one. */
export const ROTATION_MS = 24 * 60 * 60 * 1000;

export const Events = z
  .array(z.enum(CHANNEL_EVENTS))
  .min(1)
  .max(CHANNEL_EVENTS.length)
  .refine((events) => new Set(events).size === events.length, { message: "each event once" })
  .meta({
    description:
      "`approval.opened` when somebody is asked, `approval.decided` when it was approved, denied or has expired, `ledger.alert` when a check of the record found something that does not fit (for admins and owners).",
  });

const Target = z.record(z.string().max(64), z.unknown()).meta({
  description:
    "By kind. webhook: `url`. slack: `url` of an incoming webhook. ntfy: `server`, `topic`, `token`. telegram: `token` of the bot, `chat_id`. email: `address`. push: the browser's subscription, `endpoint` and `keys` with `p256dh` and `auth`. Kept encrypted; only `shown` is ever read back.",
});

export const NewChannel = z
  .strictObject({
    kind: z.enum(CHANNEL_KINDS),
    name: Name,
    events: Events.optional().meta({
      description: "Without it: `approval.opened`, and for admins and owners `ledger.alert` as well.",
    }),
    own: z.boolean().default(true).meta({
      description:
        "`true`: yours, and it carries your own links. `false`: the organization's, which carries none; takes an admin.",
    }),
    target: Target,
  })
  .meta({ id: "NewChannel" });
export type NewChannel = z.infer<typeof NewChannel>;

export const ChannelChange = z
  .strictObject({
    name: Name.optional(),
    events: Events.optional(),
    target: Target.optional().meta({ description: "Replaces the target whole. A webhook keeps its secret." }),
    rotate: z.literal(true).optional().meta({
      description:
        "Makes a new secret for a webhook, shown in this answer alone. The one before signs beside it for 24 hours.",
    }),
  })
  .refine((change) => Object.keys(change).length > 0, { message: "Say what is to be changed." })
  .meta({ id: "ChannelChange", minProperties: 1 });
export type ChannelChange = z.infer<typeof ChannelChange>;

/** Whether messages get there. */
export interface Health {
  readonly state: "unused" | "working" | "failing";
  readonly last_sent_at: number | null;
  readonly last_failed_at: number | null;
  /** In a row; 0 after a success. */
  readonly failures: number;
  /** A stable word, e.g. `timeout`, `status-500`. */
  readonly last_failure: string | null;
}

/** A channel as it may be shown: nothing of its target but `shown`. */
export interface ShownChannel {
  readonly channel: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly events: readonly (typeof CHANNEL_EVENTS)[number][];
  /** Whose own it is; `null` for the organization's. */
  readonly member: string | null;
  readonly member_name: string | null;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly created_at: number;
  readonly health: Health;
}

/** What a change left behind. */
export interface ChangedChannel {
  readonly channel: ShownChannel;
  /** Of a webhook, where a new one was made: to be shown this once. */
  readonly secret: string | null;
  /** False while the database cannot be written. */
  readonly in_force: boolean;
}

/** The target of a webhook as it is sealed. `until`, epoch milliseconds; `null` for the one that stays. */
interface WebhookTarget extends Record<string, unknown> {
  readonly secrets: readonly { readonly secret: string; readonly until: number | null }[];
}

/** What is wrong with a target alone, for a form that says everything at once. */
export function targetFaults(c: Context<AppEnv>, kind: ChannelKind, target: unknown): Fault[] {
  const read = readTarget(kind, target, reachOf(c));
  return read.ok ? [] : read.faults.map((fault) => ({ ...fault, pointer: `/target${fault.pointer}` }));
}

/** The caller's own and the organization's; for an admin everybody's. Oldest first. */
export async function channelsInSight(c: Context<AppEnv>): Promise<ShownChannel[]> {
  const caller = memberCaller(c);
  const rows = await listChannels(c.env.DB, caller.organization);
  return rows.filter((row) => maySee(caller, row)).map(shownChannel);
}

/** @throws {Problem} `not-found`, also for a channel that is another member's and none of the caller's business */
export async function channelInSight(c: Context<AppEnv>, id: string): Promise<ShownChannel> {
  return shownChannel(await rowInSight(c, id));
}

/** True when the caller may change the channel and send a test by it; who may remove it is wider. */
export function maySet(caller: MemberCaller, owner: string | null): boolean {
  return owner === null ? hasRole(caller.role, "admin") : owner === caller.member;
}

/** True for whoever set it up, and for admins, who are to be rid of what is dead or not wanted. */
export function mayRemove(caller: MemberCaller, owner: string | null): boolean {
  return maySet(caller, owner) || hasRole(caller.role, "admin");
}

/**
 * Sets up a channel.
 * @throws {Problem} `forbidden`, `invalid-request` with a fault for each place, and whatever `govern` refuses by
 */
export async function addChannel(c: Context<AppEnv>, wish: NewChannel): Promise<ChangedChannel> {
  const caller = memberCaller(c);
  const owner = wish.own ? caller.member : null;
  if (!maySet(caller, owner)) throw notTheirs(owner);
  const { events = usualEvents(caller.role) } = wish;
  mayBeTold(caller, events);
  const id = newId("chn");
  const { target: read, shown } = await targetOf(c, wish.kind, wish.target);
  const secret = wish.kind === "webhook" ? newWebhookSecret() : null;
  const target = secret === null ? read : { ...read, secrets: [{ secret, until: null }] };
  const { at, in_force } = await governLater(
    c,
    caller.organization,
    {
      kind: "add_channel",
      channel_id: id,
      origin: originOf(c),
      member_id: owner,
      channel_kind: wish.kind,
      name: wish.name,
      events,
      target: await sealed(c, id, target),
      shown,
    },
    caller.member,
  );
  const channel: ShownChannel = {
    channel: id,
    kind: wish.kind,
    name: wish.name,
    events,
    member: owner,
    member_name: owner === null ? null : caller.name,
    shown,
    created_at: at,
    health: UNUSED,
  };
  return { channel, secret, in_force };
}

/**
 * Changes a channel. What is not said stays as it is.
 * @throws {Problem} `not-found`, `forbidden`, `conflict`, `invalid-request`, and whatever `govern` refuses by
 */
export async function changeChannel(
  c: Context<AppEnv>,
  id: string,
  change: ChannelChange,
): Promise<ChangedChannel> {
  const caller = memberCaller(c);
  const row = await rowInSight(c, id);
  if (!maySet(caller, row.member_id)) throw notTheirs(row.member_id);
  const before = shownChannel(row);
  // Whoever was an admin once may keep the word in the list: they are told nothing by it.
  mayBeTold(caller, change.events?.filter((event) => !before.events.includes(event)) ?? []);
  if (change.rotate === true && before.kind !== "webhook")
    throw invalid([
      { pointer: "/rotate", detail: "Only a webhook has a secret of ours.", code: "not-a-webhook" },
    ]);
  const changed = await changedTarget(c, row, before, change);
  const { name = before.name, events = before.events } = change;
  const shown = changed?.shown ?? before.shown;
  const { in_force } = await governLater(
    c,
    caller.organization,
    {
      kind: "change_channel",
      channel_id: id,
      origin: originOf(c),
      ...(change.name === undefined ? {} : { name }),
      ...(change.events === undefined ? {} : { events }),
      ...(changed === null ? {} : { target: { from: row.target, to: changed.target, shown } }),
    },
    caller.member,
  );
  return { channel: { ...before, name, events, shown }, secret: changed?.secret ?? null, in_force };
}

/** What a channel is for where nobody says it. */
export function usualEvents(role: MemberCaller["role"]): (typeof CHANNEL_EVENTS)[number][] {
  return hasRole(role, "admin") ? ["approval.opened", "ledger.alert"] : ["approval.opened"];
}

/** Nobody is to wait for messages that never come. @throws {Problem} `invalid-request` */
function mayBeTold({ role }: MemberCaller, events: readonly string[]): void {
  if (hasRole(role, "admin") || !events.includes("ledger.alert")) return;
  const detail = "Alerts of the record are told to admins and owners. Leave `ledger.alert` out.";
  throw invalid([{ pointer: "/events", detail, code: "not-an-admin" }]);
}

/** @throws {Problem} `not-found`, `forbidden`, and whatever `govern` refuses by */
export async function removeChannel(c: Context<AppEnv>, id: string): Promise<void> {
  const caller = memberCaller(c);
  const row = await rowInSight(c, id);
  if (!mayRemove(caller, row.member_id))
    throw new Problem("forbidden", "Only its owner or an administrator removes a channel.");
  await govern(c, caller.organization, { kind: "remove_channel", channel_id: id }, caller.member);
}

export type TestResult =
  | { readonly sent: true }
  | { readonly sent: false /** A stable word, as in {@link Health}. */; readonly failure: string };

/**
 * Sends a harmless message now, once, and keeps how it went with the channel. The message is no ask, and has no link.
 * @throws {Problem} `not-found`, `forbidden`
 */
export async function testChannel(c: Context<AppEnv>, id: string): Promise<TestResult> {
  const caller = memberCaller(c);
  const row = await rowInSight(c, id);
  if (!maySet(caller, row.member_id)) throw notTheirs(row.member_id);
  const target = await openedTarget(c, row);
  const { settingsKeys } = c.get("config");
  const result: TestResult =
    target === null
      ? { sent: false, failure: "target-unreadable" }
      : await sendTest(row.kind as ChannelKind, target, {
          env: c.env,
          channel: id,
          origin: originOf(c),
          reach: reachOf(c),
          secrets: settingsKeys,
          now: Date.now(),
          fetch: (...request) => fetch(...request),
        });
  const failure = result.sent ? null : result.failure;
  await recordHealth(c.env.DB, caller.organization, id, failure, Date.now());
  return result;
}

/** What a browser subscribes with: changes when `SETTINGS_KEY` does, and subscriptions made before keep theirs. */
export async function pushKey(c: Context<AppEnv>): Promise<string> {
  return vapidPublicKey(c.get("config").settingsKeys);
}

const UNUSED: Health = {
  state: "unused",
  last_sent_at: null,
  last_failed_at: null,
  failures: 0,
  last_failure: null,
};

function shownChannel(row: ChannelRow): ShownChannel {
  const { failures, last_sent_at, last_failed_at } = row;
  const state = failures > 0 ? "failing" : last_sent_at === null ? "unused" : "working";
  return {
    channel: row.channel_id,
    kind: row.kind as ChannelKind,
    name: row.name,
    events: JSON.parse(row.events) as ShownChannel["events"],
    member: row.member_id,
    member_name: row.member_name,
    shown: JSON.parse(row.shown) as Record<string, unknown>,
    created_at: row.created_at,
    health: { state, last_sent_at, last_failed_at, failures, last_failure: row.last_failure },
  };
}

function maySee(caller: MemberCaller, { member_id: owner }: ChannelRow): boolean {
  return owner === null || owner === caller.member || hasRole(caller.role, "admin");
}

type WholeRow = NonNullable<Awaited<ReturnType<typeof readChannel>>>;

async function rowInSight(c: Context<AppEnv>, id: string): Promise<WholeRow> {
  const caller = memberCaller(c);
  const row = await readChannel(c.env.DB, caller.organization, id);
  if (row === null || !maySee(caller, row)) throw new Problem("not-found", "There is no such channel.");
  return row;
}

async function targetOf(
  c: Context<AppEnv>,
  kind: ChannelKind,
  value: unknown,
): Promise<{ target: Record<string, unknown>; shown: Record<string, unknown> }> {
  const read = readTarget(kind, value, reachOf(c));
  if (!read.ok) throw invalid(targetFaults(c, kind, value));
  const { target, shown } = read;
  // A push service takes a message for a subscription from the key alone that it was made with.
  return { target: kind === "push" ? { ...target, vapid: await pushKey(c) } : { ...target }, shown };
}

/** The sealed target after a change, what is shown of it, and the secret that it made; `null` where it stays. */
async function changedTarget(
  c: Context<AppEnv>,
  row: WholeRow,
  before: ShownChannel,
  change: ChannelChange,
): Promise<{ target: string; shown: ShownChannel["shown"]; secret: string | null } | null> {
  const isNew = change.target !== undefined;
  if (!isNew && change.rotate !== true) return null;
  const read = isNew ? await targetOf(c, before.kind, change.target) : null;
  if (before.kind !== "webhook" && read !== null)
    return { target: await sealed(c, row.channel_id, read.target), shown: read.shown, secret: null };
  const kept = await openedTarget(c, row);
  if (kept === null && (read === null || change.rotate !== true))
    throw new Problem(
      "conflict",
      "What is kept of this webhook can no longer be read. Send its target, and rotate its secret.",
    );
  const now = Date.now();
  const secrets = ((kept as WebhookTarget | null)?.secrets ?? []).filter(
    ({ until }) => until === null || until > now,
  );
  const secret = change.rotate === true ? newWebhookSecret() : null;
  const [newest] = secrets;
  const after: WebhookTarget = {
    ...(read?.target ?? kept),
    // Two at most: whoever rotates twice in a day has no use for the oldest.
    secrets:
      secret === null
        ? secrets
        : [
            { secret, until: null },
            ...(newest === undefined ? [] : [{ secret: newest.secret, until: now + ROTATION_MS }]),
          ],
  };
  return { target: await sealed(c, row.channel_id, after), shown: read?.shown ?? before.shown, secret };
}

function placeOf(c: Context<AppEnv>, id: string): Place {
  return { organization: memberCaller(c).organization, field: `channel ${id}` };
}

async function sealed(c: Context<AppEnv>, id: string, target: object): Promise<string> {
  return seal(JSON.stringify(target), placeOf(c, id), c.get("config").settingsKeys);
}

/** The target in the clear; `null` when it cannot be opened: the secret that it was sealed under is gone. */
async function openedTarget(c: Context<AppEnv>, row: WholeRow): Promise<Record<string, unknown> | null> {
  const opened = await open(row.target, placeOf(c, row.channel_id), c.get("config").settingsKeys);
  return opened.ok ? (JSON.parse(opened.text) as Record<string, unknown>) : null;
}

function originOf(c: Context<AppEnv>): string {
  return c.get("config").publicOrigin ?? new URL(c.req.url).origin;
}

function notTheirs(owner: string | null): Problem {
  return new Problem(
    "forbidden",
    owner === null
      ? "Only an administrator sets up a channel of the organization."
      : "A member's own channel carries their links: only they set it up.",
  );
}

function invalid(errors: readonly Fault[]): Problem {
  return new Problem("invalid-request", "Nothing was changed. See errors for each place.", { errors });
}
