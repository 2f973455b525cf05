/** Synthetic exports: chains as the product links them, with the private text disclosed beside each entry or not. */
import { exportLine, genesis, type Head, link, privateCommitment } from "../../src/ledger/index.ts";

export interface RecordedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly call_id?: string;
  readonly session?: string;
  readonly verdict?: "allow" | "block" | "ask";
  /** What an observing engine would have answered. */
  readonly would?: "block" | "ask";
  readonly outcome?: "success" | "error" | "blocked" | "unknown";
  readonly answered_by?: "harness";
}

interface Options {
  /** `no`: as an export without the private texts; `false`: with texts that were not committed to. */
  readonly disclosed?: "yes" | "no" | "false";
  readonly turns?: readonly string[];
}

const ORGANIZATION = "org_selftest";
const ROOT = "chat";

/** The lines of an export, without line feeds. */
export function exportOf(
  calls: readonly RecordedCall[],
  { disclosed = "yes", turns = [] }: Options = {},
): string[] {
  const lines: string[] = [];
  let head: Head = genesis({ org: ORGANIZATION, session: ROOT });
  const append = (session: string, kind: string, body: Record<string, unknown>, kept: unknown): void => {
    const salt = new Uint8Array(32).fill(lines.length + 1);
    const text = JSON.stringify(kept);
    const entry = link(head, {
      org: ORGANIZATION,
      session,
      at: 1_800_000_000_000 + lines.length,
      kind,
      body: { ...body, private: privateCommitment(salt, text) },
    });
    head = entry;
    const line = exportLine(entry);
    lines.push(
      disclosed === "no"
        ? line
        : JSON.stringify({
            ...JSON.parse(line),
            private: disclosed === "yes" ? text : text.replace("args", "argz"),
            salt: Buffer.from(salt).toString("hex"),
          }),
    );
  };
  append(ROOT, "session", {}, { environment: {} });
  for (const text of turns) append(ROOT, "turn", { turn: 1 }, { text });
  for (const [index, call] of calls.entries()) {
    const { tool, args, session = ROOT, verdict = "allow", would } = call;
    const call_id = call.call_id ?? `call ${index + 1}`;
    const engine = (mode: string, found: string, enforcement: string) => {
      return { mode, verdict: found, enforcement, rule_keys: [] };
    };
    append(
      session,
      "decision",
      {
        call_id,
        tool,
        verdict,
        enforcement: would === undefined ? "enforced" : "observed",
        engines: {
          guard: engine("enforce", "allow", "enforced"),
          fence:
            would === undefined
              ? engine("enforce", verdict, "enforced")
              : engine("observe", would, "observed"),
        },
        rule_keys: [],
      },
      { args, cwd: null },
    );
    if (call.outcome !== undefined)
      append(
        session,
        "outcome",
        { call_id, outcome: call.outcome, answered_by: call.answered_by ?? null, verdict },
        { exit_code: null, error: null },
      );
  }
  return lines;
}
