/** An organization's tool table, for whoever shows it or changes it. */
import type { Context } from "hono";
import type * as z from "zod";
import { readOrganization } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { parseToolTable, type ToolTable } from "../policy/effects/index.ts";
import { organizationCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import type { ToolTableSchema } from "./schemas.ts";

/** A table as it is sent and stored. */
export type StoredToolTable = z.infer<typeof ToolTableSchema>;

export interface ToolTableInForce {
  /** 0 before the first. */
  readonly version: number;
  readonly stored: StoredToolTable;
  readonly table: ToolTable;
}

/**
 * The table in force, as it is stored and as it is read.
 * @throws {Problem} `not-found`
 */
export async function tableInForce(c: Context<AppEnv>): Promise<ToolTableInForce> {
  const { organization } = organizationCaller(c);
  const row = await readOrganization(c.env.DB, organization);
  if (row === null) throw new Problem("not-found", "There is no such organization.");
  const stored = JSON.parse(row.tool_table) as StoredToolTable;
  const parsed = parseToolTable(stored);
  // It was whole when it was saved. If it no longer is, no answer may be given as if there were none.
  if (!parsed.ok) throw new Error(`the tool table, version ${row.tool_table_version}, cannot be read`);
  return { version: row.tool_table_version, stored, table: parsed.table };
}
