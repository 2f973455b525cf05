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
