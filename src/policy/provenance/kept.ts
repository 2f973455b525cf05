/** What a call keeps, whoever says so: the tool that is known to, or the one reading of any call. Pure, total, linear. */
import type { Effects, ToolCall } from "../types.ts";
import type { ProvenanceConfiguration } from "./configuration.ts";
import { readWrite, type Write } from "./writes.ts";

/**
 * What a tool is known to keep; else what the reading says of one that keeps text, such as an organization's own.
 * @param stored the text now stored where the call edits it; `null` when the client does not say
 */
export function keptBy(
  call: ToolCall,
  { stored: kept }: Pick<Effects, "stored">,
  stored: string | null,
  { tools }: Pick<ProvenanceConfiguration, "tools">,
): Write {
  const write = readWrite(call, stored, tools);
  if (write.kind !== "none" || kept.length === 0) return write;
  return {
    kind: "write",
    tool: call.tool,
    target: call.tool,
    pieces: kept.map(({ text }) => text),
    base: stored === null ? [] : [stored],
    isPartial: stored === null,
  };
}
