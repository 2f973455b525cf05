/**
 * What a replay is made of, for the API and for the pages: what is tried laid over the policy in force, and a family's
 * turns and calls judged once more under it. A dry run: nothing is recorded.
 */
import * as z from "zod";
import { readOrganization } from "../db/governance.ts";
import type { SessionContext } from "../durable/protocol.ts";
import { Problem } from "../errors.ts";
import { parseToolTable, TABLES, toolsWith } from "../policy/effects/index.ts";
import { type HeardTurn, readConfiguration } from "../policy/fence/index.ts";
import type { SentCall } from "../policy/judge.ts";
import { GUARD_MODES, MODED_ENGINES, type Mode, resolveModes } from "../policy/modes.ts";
import { bindOath, compileOath, parseOath } from "../policy/oath/index.ts";
import { readProvenance, type TypedMessage } from "../policy/provenance/index.ts";
import { Replay, type ReplayConfiguration, type ReplayedCall } from "../policy/replay.ts";
import type { Engine, Reason, RiskClass, Verdict } from "../policy/types.ts";
import { type Policy, policyFor } from "./policy.ts";
import type { RecordedCall } from "./recorded.ts";
import { ToolTableSchema } from "./schemas.ts";
import { EngineModes, FenceSettings, ProvenanceSettings } from "./settings.ts";

export const TriedConfiguration = z
  .strictObject({
    guard_mode: z.enum(GUARD_MODES).optional(),
    engines: EngineModes.optional(),
    fence: FenceSettings.optional(),
    provenance: ProvenanceSettings.optional(),
    oath: z
      .string()
      .max(64 * 1024)
      .optional()
      .meta({
        description: "In place of the organization's oath, cited as version 0.",
      }),
    tool_table: ToolTableSchema.optional(),
  })
  .meta({
    id: "ReplayConfiguration",
    description: "What is tried; what it leaves out is as it is in force.",
  });
export type TriedConfiguration = z.infer<typeof TriedConfiguration>;

/** Turns and calls to be judged, in order; a call that is made up has no record. */
export interface ReplayedEvents {
  readonly events: readonly (
    | { readonly kind: "turn"; readonly turn: HeardTurn; readonly typed: TypedMessage | null }
    | { readonly kind: "call"; readonly call: ReplayedCall; readonly recorded: RecordedCall | null }
  )[];
  readonly unkept: number;
  readonly truncated: boolean;
}

/** What is answered to a call now, beside what was then. */
export interface Rejudged {
  readonly call: SentCall;
  readonly recorded: RecordedCall | null;
  readonly verdict: Verdict;
  /** The verdict is another one than was recorded. */
  readonly changed: boolean;
  readonly reasons: readonly Reason[];
  readonly risks: readonly RiskClass[];
}

/** Judges what happened, in its order. */
export function rejudge(
  configuration: ReplayConfiguration,
  events: ReplayedEvents["events"],
): readonly Rejudged[] {
  const judged = new Replay(configuration);
  return events.flatMap((event): Rejudged[] => {
    if (event.kind === "turn") {
      judged.turn(event.turn, event.typed);
      return [];
    }
    const { recorded, call } = event;
    const { verdict, reasons, effects } = judged.call(call);
    const changed = recorded !== null && recorded.verdict !== verdict;
    return [{ call: call.call, recorded, verdict, changed, reasons, risks: effects.risks }];
  });
}

/**
 * The policy that binds a session: its agent's, whoever asks.
 * @throws {Problem} `unavailable`, `not-found`
 */
export async function policyOfSession(
  db: D1Database,
  organization: string,
  { agent }: SessionContext,
): Promise<Policy> {
  const row = await readOrganization(db, organization);
  if (row === null) throw new Problem("not-found", "There is no such organization.");
  const { policy_version } = row;
  return policyFor(db, {
    kind: "agent",
    organization,
    agent,
    key: "",
    policy_version,
    stale: false,
    waiting: { organization: 0, agent: 0 },
  });
}

/** The policy in force with what is tried laid over it. @throws {Problem} `invalid-oath`, `invalid-tool-table` */
export function configurationOf(policy: Policy, tried: TriedConfiguration): ReplayConfiguration {
  const parsed = tried.oath === undefined ? null : parseOath(tried.oath);
  if (parsed?.ok === false)
    throw new Problem("invalid-oath", "Mend the lines that errors names.", {
      errors: parsed.diagnostics.map(({ code, message, line, column }) => ({
        pointer: "/configuration/oath",
        detail: message,
        code,
        line,
        column,
      })),
    });
  const table = tried.tool_table === undefined ? null : parseToolTable(tried.tool_table);
  if (table?.ok === false)
    throw new Problem("invalid-tool-table", "Mend what errors names.", {
      errors: table.faults.map(({ pointer, code, message }) => ({
        pointer: `/configuration/tool_table${pointer}`,
        detail: message,
        code,
      })),
    });
  const oaths =
    parsed === null
      ? policy.oaths
      : [
          compileOath(parsed.oath, "organization", 0),
          ...policy.oaths.filter((compiled) => compiled.source === "agent"),
        ];
  const resolved = resolveModes(tried, {});
  const modes: Record<Engine, Mode> = { ...policy.modes };
  for (const engine of MODED_ENGINES)
    if (tried.guard_mode !== undefined || tried.engines?.[engine] !== undefined)
      modes[engine] = resolved[engine];
  return {
    modes,
    fence: tried.fence === undefined ? policy.fence : readConfiguration(tried.fence),
    provenance: tried.provenance === undefined ? policy.provenance : readProvenance(tried.provenance),
    tables: table === null ? policy.tables : toolsWith(TABLES, table.table),
    bind: (environment) =>
      parsed === null ? policy.bind(environment) : oaths.map((compiled) => bindOath(compiled, environment)),
  };
}
