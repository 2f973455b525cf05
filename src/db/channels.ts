/** Channels in D1: where people hear of asks. */
import { keepStatement, type PublishedRow } from "./published.ts";

const COLUMNS = [
  "member_id",
  "kind",
  "name",
  "events",
  "target",
  "shown",
  "created_at",
  "removed_at",
] as const;

/** Keeps a channel as the organization's object has it; how it fares is left as it is. */
export function channelStatement(
  db: D1Database,
  organization: string,
  row: PublishedRow,
): D1PreparedStatement {
  return keepStatement(db, organization, "channels", ["channel_id"], COLUMNS, row);
}

/** A channel without its target: what may be shown. */
export interface ChannelRow {
  readonly channel_id: string;
  /** Whose own it is; `null` for the organization's. */
  readonly member_id: string | null;
  readonly kind: string;
  readonly name: string;
  /** JSON list. */
  readonly events: string;
  /** JSON. */
  readonly shown: string;
  readonly created_at: number;
  readonly last_sent_at: number | null;
  readonly last_failed_at: number | null;
  readonly failures: number;
  readonly last_failure: string | null;
  /** The member's, who may have left; `null` for the organization's. */
  readonly member_name: string | null;
}

const SHOWN = `c.channel_id, c.member_id, c.kind, c.name, c.events, c.shown, c.created_at, c.last_sent_at,
  c.last_failed_at, c.failures, c.last_failure, m.name AS member_name`;
const LIVE = `FROM channels AS c
  LEFT JOIN members AS m ON m.organization_id = c.organization_id AND m.member_id = c.member_id
  WHERE c.organization_id = ?1 AND c.removed_at IS NULL`;

/** Every live channel of the organization, oldest first, without the targets. */
export async function listChannels(db: D1Database, organization: string): Promise<ChannelRow[]> {
  const { results } = await db
    .prepare(`SELECT ${SHOWN} ${LIVE} ORDER BY c.created_at, c.channel_id`)
    .bind(organization)
    .all<ChannelRow>();
  return results;
}

/** A live channel with its sealed target; `null` when there is none. */
export async function readChannel(
  db: D1Database,
  organization: string,
  channel: string,
): Promise<(ChannelRow & { readonly target: string }) | null> {
  return db
    .prepare(`SELECT ${SHOWN}, c.target ${LIVE} AND c.channel_id = ?2`)
    .bind(organization, channel)
    .first<ChannelRow & { readonly target: string }>();
}
