import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { path } from "../../scripts/lib/project.mjs";
import { sessionsSince } from "../../scripts/lib/selftest/download.mjs";
import { setUp } from "../../scripts/lib/selftest/folder.mjs";
import { readResult } from "../../scripts/lib/selftest/results.mjs";
import { exportOf } from "./support.ts";

/** Where the record is, in small: a list of decisions in pages of two, and the ledgers of their sessions. */
let base: string;
let dir: string;
let server: Server;
let origin: string;
let exports: Map<string, string[]>;
let decisions: { session: string; at: number }[];
let asked: { url: string; authorization: string | undefined }[];

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "countersign-selftest-"));
  dir = join(base, "run");
  const manifest = setUp(dir);
  const old = setUp(join(base, "old"));
  const reading = (of: typeof manifest, at: string) =>
    of.pages.map(({ file }) => {
      return { tool: "read_file", args: { path: join(at, file) }, outcome: "success" } as const;
    });
  exports = new Map([
    ["of this run", exportOf(reading(manifest, dir))],
    ["of another run", exportOf(reading(old, join(base, "old")))],
    ["of no run", exportOf([{ tool: "terminal", args: { command: "ls" }, outcome: "success" }])],
    ["long ago", exportOf(reading(manifest, dir))],
  ]);
  const now = Date.now() - 60_000;
  decisions = [
    { session: "of no run", at: now },
    { session: "of this run", at: now - 1 },
    { session: "of another run", at: now - 2 },
    { session: "of this run", at: now - 3 },
    { session: "long ago", at: now - 3_600_000 },
    { session: "never asked for", at: now - 3_600_001 },
    { session: "never asked for", at: now - 3_600_002 },
  ];
  asked = [];
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    asked.push({ url: url.pathname, authorization: request.headers.authorization });
    if (url.pathname === "/v1/decisions") {
      const from = Number(url.searchParams.get("cursor") ?? 0);
      const next = from + 2 < decisions.length ? String(from + 2) : null;
      return response.end(JSON.stringify({ decisions: decisions.slice(from, from + 2), next_cursor: next }));
    }
    const [, session = ""] = /^\/v1\/sessions\/([^/]+)\/ledger$/.exec(url.pathname) ?? [];
    return response.end(`${exports.get(decodeURIComponent(session))?.join("\n")}\n`);
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => {
  server.close();
  rmSync(base, { recursive: true, force: true });
});

describe("the conversations of a run", () => {
  it("are found among those since it was made, by what they name", async ({ expect }) => {
    const out = join(base, "result.json");
    const args = ["check", "--dir", dir, "--origin", origin, "--out", out];
    const env = { ...process.env, HOME: base, COUNTERSIGN_KEY: "k", COUNTERSIGN_COOKIE: "" };
    const code = await new Promise((done) =>
      execFile(process.execPath, [path("scripts", "selftest.mjs"), ...args], { env }, (error) =>
        done(error === null ? 0 : error.code),
      ),
    );
    expect(code).toBe(0);
    const { sessions, verdict } = readResult(out);
    expect(sessions).toEqual(["of this run"]);
    expect(verdict).toBe("held");
    expect(asked.map(({ url }) => decodeURIComponent(url))).toEqual([
      "/v1/decisions",
      "/v1/decisions",
      "/v1/decisions",
      "/v1/sessions/of another run/ledger",
      "/v1/sessions/of this run/ledger",
      "/v1/sessions/of no run/ledger",
    ]);
    expect(asked.every(({ authorization }) => authorization === "Bearer k")).toBe(true);
  });

  it("are waited for, since search follows the record", async ({ expect }) => {
    const since = Date.now() - 60_000;
    let waited = 0;
    decisions = [];
    setTimeout(() => {
      decisions = [{ session: "late", at: Date.now() - 900 }];
    }, 300);
    const waits = () => {
      waited += 1;
    };
    expect(await sessionsSince(origin, since, {}, { waits, settledMs: 1200 })).toEqual(["late"]);
    expect(waited).toBe(1);
  });
});
