import type { ReadingContext, RiskClass } from "../types.ts";
import type { Report } from "./report.ts";
import { stringsIn, type ToolReading } from "./tools/arguments.ts";

/** Classes under which a tool may do more than they say. */
const MERE: ReadonlySet<RiskClass> = new Set([
  "READ",
  "WRITE",
  "EXTERNAL_WRITE",
  "NETWORK",
  "UNKNOWN",
  "PERSISTENT",
]);

/**
 * What an MCP server says of its tool may raise what was read, never lower it: `readOnlyHint: true` says nothing, since
 * whoever writes a tool that wipes can write that too.
 *
 * - `destructiveHint: true` on what reads as a mere look, write or unknown is DELETE besides.
 * - `readOnlyHint: false` on what reads as a mere look is UNKNOWN: it changes something, and nobody says what. That is
 *   no EXTERNAL_WRITE, which a task that asks for one could allow.
 * - `openWorldHint: true` is NETWORK.
 *
 * Where a class is raised the call is opaque, and whatever its arguments name is what it may change.
 */
export function raise(
  annotations: ReadingContext["annotations"],
  reading: ToolReading,
  report: Report,
): void {
  if (annotations === undefined) return;
  const risks = report.risks;
  if (annotations.openWorldHint === true) report.risk("NETWORK");
  if (annotations.destructiveHint === true && risks.every((risk) => MERE.has(risk))) {
    report.risk("DELETE");
    doubt("declared-destructive", reading, report);
  } else if (
    annotations.readOnlyHint === false &&
    risks.every((risk) => risk === "READ" || risk === "NETWORK")
  ) {
    report.risk("UNKNOWN");
    doubt("declared-change", reading, report);
  }
}

function doubt(cause: string, { args, context }: ToolReading, report: Report): void {
  report.opaque(cause);
  for (const text of stringsIn(args, 200)) report.opaque(cause, text, context.environment.cwd);
}
