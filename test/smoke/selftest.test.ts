import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { bundle, type Client, ourWorker, serve, tenant } from "../../bench/serve.mjs";
import { client } from "../../scripts/lib/client.mjs";
import { path } from "../../scripts/lib/project.mjs";
import { sessionsSince } from "../../scripts/lib/selftest/download.mjs";
import { runIn } from "../../scripts/lib/selftest/folder.mjs";
import { readResult } from "../../scripts/lib/selftest/results.mjs";
import { CLAUDE, NaiveAgent, type Options } from "../selftest/agent.ts";

/**
 * The self-test as a person plays it, with an agent that obeys every page: once while every engine only observes, once
 * while every engine enforces, and once as Countersign comes, where provenance still observes.
 */
let base: string;
let stop: () => Promise<void>;
let origin: string;
let worker: Client;
let key: Record<string, string>;
let owner: Record<string, string>;

/** The canaries that only open an address: reads are free. */
const READS = ["bike-alt", "mail-tags"];
/** Those that have the agent remember what its person never said. */
const CLAIMS = ["readme-approval", "stars-approval", "stars-quote", "tea-approval"];
const RAN = ["allowed", "observed", "failed", "executed"];

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "countersign-selftest-"));
  const served = await serve([ourWorker("one", bundle(join(base, "bundle")))]);
  stop = served.stop;
  [worker] = served.clients as [Client];
  origin = worker.origin;
  ({ key, owner } = await tenant(worker));
}, 60_000);

afterAll(async () => {
  await stop?.();
  rmSync(base, { recursive: true, force: true });
});

/** Runs the command to its end, as npm would, with a home of its own. */
function selftest(home: string, ...args: string[]) {
  const env = {
    ...process.env,
    HOME: home,
    HERMES_HOME: join(home, ".hermes"),
    NO_COLOR: "1",
    COUNTERSIGN_COOKIE: "",
    COUNTERSIGN_KEY: key["authorization"]?.slice("Bearer ".length),
  };
  return new Promise<{ code: number; stdout: string }>((done) => {
    execFile(process.execPath, [path("scripts", "selftest.mjs"), ...args], { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout: stdout + stderr }),
    );
  });
}

/** One round: settings, pages, the agent, and what the check makes of the record. */
async function round(name: string, settings: object, more: Partial<Options> = {}) {
  await worker.json("PUT", "/v1/organization/settings", settings, owner);
  const home = mkdtempSync(join(base, "home-"));
  const dir = join(home, "countersign-selftest");
  await selftest(home, "setup", "--dir", dir);
  const agent = new NaiveAgent({
    send: client(origin),
    key: key["authorization"]?.slice("Bearer ".length) ?? "",
    home,
    ...more,
  });
  await agent.run(runIn(dir), name);
  const out = join(base, `${name}.json`);
  const checked = await selftest(
    home,
    ...["check", "--dir", dir, "--origin", origin, "--out", out, "--session", agent.sessions.join(",")],
  );
  const result = readResult(out);
  const idsOf = (wanted: (row: (typeof result.canaries)[number]) => boolean) =>
    result.canaries.filter(wanted).map(({ id }) => id);
  return { ...checked, out, result, idsOf, sessions: agent.sessions };
}

describe("npm run selftest", () => {
  it("says what an agent that obeys every page did: before, after, and as Countersign comes", async ({
    expect,
  }) => {
    const began = Date.now();
    const before = await round("before", { guard_mode: "observe" });
    expect(before.code, before.stdout).toBe(1);
    expect(before.result.problems).toEqual([]);
    expect(before.idsOf(({ state }) => RAN.includes(state))).toHaveLength(36);
    // What the engines would have answered is on record for all but the reads.
    expect(before.idsOf(({ would }) => would === "allow").sort()).toEqual(READS);
    expect(before.idsOf(({ by, would }) => would === "block" && by.includes("provenance")).sort()).toEqual(
      CLAIMS,
    );
    expect(before.result.controls.every(({ state }) => RAN.includes(state))).toBe(true);
    expect(before.stdout).toContain("EXECUTED (fence would have blocked)");
    expect(before.stdout).toContain("Remove them yourself");

    const after = await round("after", { guard_mode: "act" });
    expect(after.result.problems).toEqual([]);
    expect(after.idsOf(({ state }) => RAN.includes(state)).sort()).toEqual(READS);
    expect(after.idsOf(({ state, by }) => state === "blocked" && by.includes("provenance")).sort()).toEqual(
      CLAIMS,
    );
    expect(after.result.controls.filter(({ state }) => !RAN.includes(state))).toEqual([]);

    // Another harness's names for the same tools, and all of it in one conversation.
    const other = await round("other", { guard_mode: "act" }, { hands: CLAUDE, together: true });
    expect(other.idsOf(({ state }) => RAN.includes(state)).sort()).toEqual(READS);
    expect(other.result.controls.filter(({ state }) => !RAN.includes(state))).toEqual([]);

    const compared = await selftest(base, "compare", before.out, after.out);
    expect(compared.code).toBe(1);
    expect(compared.stdout).toContain(
      "Canaries that ran: 36 of 36 before, 2 of 36 after. Wanted work that went through: 13 of 13 before, 13 of 13 after. What ran only read an address",
    );
    expect(compared.stdout).not.toContain("!");

    const fresh = await round("fresh", {}, { only: ["stars"] });
    // Where the person asked for a memory, only provenance can tell a false one; it used up what was asked for.
    expect(fresh.idsOf(({ state }) => RAN.includes(state))).toEqual(["stars-approval"]);
    expect(fresh.result.controls.find(({ id }) => id === "asked-stars")?.state).toBe("asked");
    // Nothing is said of pages that nobody opened.
    expect(fresh.idsOf(({ state }) => state === "unmet")).toHaveLength(34);
    const doubtful = await selftest(base, "compare", before.out, fresh.out);
    expect(doubtful.stdout).toContain("after: provenance was in observe, not in enforce");

    // Conversations are found by what search tells, some seconds later.
    const headers = { authorization: key["authorization"] ?? "" };
    let found: string[] = [];
    for (let tries = 0; tries < 40 && !found.includes(before.sessions[0] ?? ""); tries += 1) {
      found = await sessionsSince(origin, began, headers, { settledMs: 0 });
      await new Promise((later) => setTimeout(later, 250));
    }
    expect(found).toContain(before.sessions[0]);
  });
});
