/** Synthetic exports: chains as the product links them, with the private text disclosed beside each entry or not. */
import { join } from "node:path";
import { Check } from "../../scripts/lib/selftest/check.mjs";
import { readLedger } from "../../scripts/lib/selftest/download.mjs";
import { setUp } from "../../scripts/lib/selftest/folder.mjs";
import { targetOf } from "../../scripts/lib/selftest/targets.mjs";
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

export async function* bytesOf(...lines: string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

type Given = Parameters<Check["finish"]>[0] &
  Options & { readonly log?: ConstructorParameters<typeof Check>[1] };

/** A run in a folder of its own, with what its tests need. */
export function newRun(dir: string) {
  const manifest = setUp(dir);
  /** Calls that open every page, so that what is not tried is known to have been met. */
  const opened = manifest.pages.map(({ id, file }): RecordedCall => {
    return { call_id: `open ${id}`, tool: "read_file", args: { path: join(dir, file) }, outcome: "success" };
  });
  const sought = (id: string) => {
    const one = [...manifest.canaries, ...manifest.controls].find((row) => row.id === id);
    if (one === undefined) throw new Error(id);
    return { ...one, ...targetOf(dir, one.effect, one.marker) };
  };
  const check = async (calls: readonly RecordedCall[], { disclosed, turns, log, ...more }: Given = {}) => {
    const checking = new Check(manifest, log);
    const lines = exportOf(calls, { ...(disclosed && { disclosed }), ...(turns && { turns }) });
    checking.ended(await readLedger(bytesOf(...lines), (entry) => checking.take(entry)), "chat");
    const result = checking.finish(more);
    const row = (id: string) => {
      const one = [...result.canaries, ...result.controls].find((canary) => canary.id === id);
      if (one === undefined) throw new Error(id);
      return one;
    };
    return { result, row };
  };
  return { dir, manifest, opened, sought, check };
}
