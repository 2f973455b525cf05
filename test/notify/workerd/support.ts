/** An object's outbox with channels in D1, a clock of the test's own, and a fetch that the test answers. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { channelStatement } from "../../../src/db/channels.ts";
import { Notices } from "../../../src/durable/notices.ts";
import { objectName } from "../../../src/durable/protocol.ts";
import { Tables } from "../../../src/durable/storage.ts";
import type { AskedAt, NoticeBox } from "../../../src/notify/box.ts";
import type { Alerts, CrowdOfAsks } from "../../../src/notify/message.ts";
import { sendNotices } from "../../../src/notify/outbox.ts";
import type { QuietHours } from "../../../src/policy/approval/index.ts";
import { seal } from "../../../src/sealing.ts";
import { newTenant, type Tenant } from "../../support/api.ts";

export const ORIGIN = "https://countersign.test";
export const SECRETS = ["settings-key-of-the-test-suite-only"];
export const HOUR = 3_600_000;

export interface Outgoing {
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

export type Answering = (sent: Outgoing, nth: number) => Response | Promise<Response>;

export interface World {
  readonly tenant: Tenant;
  readonly tables: Tables;
  readonly notices: Notices;
  readonly asked: Map<string, AskedAt>;
  readonly alerts: Map<string, Alerts & { readonly origin: string }>;
  /** Links as they were made known: hash, member. In order. */
  readonly links: { readonly hash: string; readonly member: string }[];
  readonly sent: Outgoing[];
  mayLink: boolean;
  /** Quiet hours that asks were looked at by, in order. */
  readonly quiet: (QuietHours | null)[];
  /** Whether an ask that is looked at is held on. */
  holds: (approval: string) => boolean;
  /** Whether people are told of an ask by itself. */
  tells: (approval: string) => boolean;
  readonly crowds: Map<string, CrowdOfAsks & { readonly origin: string }>;
  /** Called once a link is known, and before it is sent. */
  afterLink: () => void;
  /** Called before a change is made. */
  beforeWrite: () => void;
  answering: Answering;
  now: number;
  secrets: readonly string[];
  ask(change?: Partial<AskedAt>): AskedAt;
  run(): Promise<number>;
  rows(): Record<string, unknown>[];
}

let count = 0;

/** Runs `work` beside an object of its own. */
export async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const tenant = await newTenant();
  count += 1;
  const session = `ses_notices_${count}`;
  const stub = env.SESSION.getByName(
    objectName({ kind: "session", organization: tenant.organization, session }),
  );
  await runInDurableObject(stub, async (_, state) => {
    const tables = new Tables(state.storage);
    tables.transaction(() => tables.create());
    const world: World = {
      tenant,
      tables,
      notices: new Notices(tables, () => world.now),
      asked: new Map(),
      alerts: new Map(),
      links: [],
      sent: [],
      mayLink: true,
      quiet: [],
      holds: () => false,
      tells: () => true,
      crowds: new Map(),
      afterLink: () => {},
      beforeWrite: () => {},
      answering: () => new Response("ok"),
      now: Date.UTC(2026, 10, 30, 12),
      secrets: SECRETS,
      ask: (change = {}) => {
        count += 1;
        const one = {
          id: `apr_${String(count).padStart(20, "0")}`,
          session,
          root: session,
          agent: tenant.agent,
          call_id: "call-1",
          tool: "terminal",
          action_digest: "0123456789abcdef".repeat(4),
          risks: ["DELETE"],
          rule_keys: ["fence:unauthorized-delete"],
          demand: { people: 1 },
          status: "pending",
          opened_at: world.now,
          notify_at: world.now,
          expires_at: world.now + 600_000,
          extended: false,
          decided_at: null,
          decided_by: null,
          origin: ORIGIN,
          ...change,
        } as const;
        world.asked.set(one.id, one);
        return one;
      },
      run: () =>
        sendNotices(boxOf(world), {
          db: env.DB,
          organization: tenant.organization,
          secrets: world.secrets,
          publicOrigin: null,
          env: {},
          now: () => world.now,
          random: () => 0.5,
          fetch: async (url, init) => {
            const request = new Request(url as string, init as RequestInit);
            const outgoing = { url: String(url), headers: request.headers, text: await request.text() };
            world.sent.push(outgoing);
            return world.answering(outgoing, world.sent.length);
          },
        }),
      rows: () => tables.sql.exec("SELECT * FROM notices ORDER BY id").toArray(),
    };
    await work(world);
  });
}

function boxOf(world: World): NoticeBox {
  return {
    notices: world.notices,
    write: (change) => {
      world.beforeWrite();
      return world.tables.transaction(change);
    },
    record: (approval) => world.asked.get(approval) ?? null,
    reconsider: (approval, quiet) => {
      world.quiet.push(quiet);
      return world.holds(approval);
    },
    tells: ({ id }) => Promise.resolve(world.tells(id)),
    crowd: (subject) => world.crowds.get(subject) ?? null,
    alerts: (subject) => world.alerts.get(subject) ?? null,
    link: (_, member, hash) => {
      if (world.mayLink) world.links.push({ hash, member });
      world.afterLink();
      return { ok: world.mayLink };
    },
  };
}

export interface ChannelWish {
  readonly id: string;
  readonly member?: string | null;
  readonly kind?: string;
  readonly events?: readonly string[];
  readonly target?: object;
  readonly failures?: number;
  readonly removed_at?: number | null;
  readonly organization?: string;
}

/** A channel as the organization's object would have it in D1. By default Slack's, whose host is the channel's name. */
export async function addChannel({ tenant }: World, wish: ChannelWish): Promise<void> {
  const { id, kind = "slack", member = null, events = ["approval.opened"], removed_at = null } = wish;
  const organization = wish.organization ?? tenant.organization;
  const target = wish.target ?? { url: `https://${id}.example.org/hook` };
  const place = { organization, field: `channel ${id}` };
  await channelStatement(env.DB, organization, {
    op: "channel",
    channel_id: id,
    member_id: member,
    kind,
    name: id,
    events,
    target: await seal(JSON.stringify(target), place, SECRETS),
    shown: {},
    created_at: 1,
    removed_at,
    changed_seq: 1,
  }).run();
  if (wish.failures !== undefined)
    await env.DB.prepare("UPDATE channels SET failures = ? WHERE organization_id = ? AND channel_id = ?")
      .bind(wish.failures, organization, id)
      .run();
}

export async function healthOf({ tenant }: World, id: string) {
  return env.DB.prepare(
    "SELECT last_sent_at, last_failed_at, failures, last_failure FROM channels WHERE organization_id = ? AND channel_id = ?",
  )
    .bind(tenant.organization, id)
    .first<{
      last_sent_at: number | null;
      last_failed_at: number | null;
      failures: number;
      last_failure: string | null;
    }>();
}

/** The host of each request, in order. */
export function hosts({ sent }: World): string[] {
  return sent.map(({ url }) => new URL(url).hostname.replace(".example.org", ""));
}

/** The link in a message to Slack. */
export function linkIn(sent: Outgoing | undefined): string {
  return /<(https:[^|]+)\|/.exec(sent?.text ?? "")?.[1] ?? "";
}
