/** How harnesses spell the tools of MCP servers. */

export interface Server {
  readonly name: string;
  /** True when the tool's part of the name is certain; `mcp_a_b_c` may be `b_c` of `a` or `c` of `a_b`. */
  readonly exact: boolean;
}

/** A tool's own name and, where a server offers it, the server. Linear. */
export function splitName(tool: string): { server: Server | null; name: string } {
  const double = /^mcp__(.+?)__(.+)$/s.exec(tool);
  if (double) return { server: { name: double[1] ?? "", exact: true }, name: lastPart(double[2] ?? "") };
  const colon = /^MCP:(?:([^:]+):)?(.+)$/s.exec(tool);
  if (colon) return { server: { name: colon[1] ?? "", exact: true }, name: colon[2] ?? "" };
  const single = /^mcp_([^_]+)_(.+)$/s.exec(tool);
  if (single) return { server: { name: single[1] ?? "", exact: false }, name: single[2] ?? "" };
  return { server: null, name: tool };
}

/** Plugin servers are spelled `plugin_x_server__tool`; the tool is what follows the last separator. */
function lastPart(name: string): string {
  const cut = name.lastIndexOf("__");
  return cut < 0 || cut + 2 >= name.length ? name : name.slice(cut + 2);
}

/** Every name that the tool of an inexact spelling may have. */
export function suffixesOf(name: string): string[] {
  const parts = name.split("_").slice(0, 12);
  return parts.map((_, at) => parts.slice(at).join("_"));
}

/** Names of tools that only carry other calls. */
export function isBridge(tool: string): boolean {
  return /^(?:tool_call|call_tool|use_mcp_tool|mcp_call|invoke_tool)$/i.test(tool);
}
