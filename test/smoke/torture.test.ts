import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { path } from "../../scripts/lib/project.mjs";
import { follow } from "../../scripts/lib/torture/chains.mjs";
import { judge, Trace } from "../../scripts/lib/torture/trace.mjs";

/**
 * `npm run torture` as a person runs it, for a few kills; and that it would notice: its model of a chain and its reading
 * of a trace are given what must never be.
 */
const folder = mkdtempSync(join(tmpdir(), "countersign-torture-test-"));
const script = path("scripts", "torture.mjs");
const env = { ...process.env, TMPDIR: folder, NO_COLOR: "1" };
const MINUTES_MS = 240_000;

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function torture(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Processes that were started on a file of this test's folder. */
function left(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return (
          environment.split("\0").includes(`TMPDIR=${folder}`) &&
          readFileSync(`/proc/${pid}/cmdline`, "utf8") !== ""
        );
      } catch {
        return false;
      }
    });
}

async function untilNoneIsLeft(): Promise<string[]> {
  for (let tries = 0; tries < 100 && left().length > 0; tries += 1)
    await new Promise((later) => setTimeout(later, 100));
  return left();
}

describe("npm run torture", () => {
  it(
    "kills the Worker thrice and finds everything as it was told, and leaves nothing behind",
    async ({ expect }) => {
      const { code, stdout, stderr } = await torture("--kills", "3");
      expect(stderr).toBe("");
      expect(code, stdout).toBe(0);
      expect(stdout).toMatch(/✓ 3 kills in \d+ s: [1-9]\d* answers are on the ledgers as they were told/);
      expect(readdirSync(folder).filter((name) => name.startsWith("countersign-"))).toEqual([]);
      expect(await untilNoneIsLeft()).toEqual([]);
    },
    MINUTES_MS,
  );

  it.each(["SIGINT", "SIGKILL"] as const)(
    "leaves no process behind after %s",
    async (signal) => {
      const child = spawn(process.execPath, [script, "--kills", "1000"], {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      await new Promise<void>((begun) => {
        child.stdout.on("data", (chunk) => /1000 {2}killed/.test(String(chunk)) && begun());
      });
      const closed = new Promise<number | null>((done) => child.on("close", (code) => done(code)));
      child.kill(signal);
      const code = await closed;
      if (signal === "SIGINT" && code !== 130) throw new Error(`it ended with ${code}`);
      const still = await untilNoneIsLeft();
      if (still.length > 0) throw new Error(`processes ${still} are left`);
    },
    MINUTES_MS,
  );

  it("names an option that is none", async ({ expect }) => {
    expect((await torture("--kills", "many")).stderr).toMatch(/^✗ "many" is not a number of kills[^\n]*\n$/);
    expect((await torture("--kill", "1")).stderr).toMatch(/^✗ Unknown option '--kill'[^\n]*\n$/);
  });
});

const OPENS_AT = 1_000;
const EXPIRES_AT = 31_000;
type Entry = [kind: string, body: object, at?: number];

const decision = (verdict: string, approval?: object, more: object = {}, at = OPENS_AT): Entry => [
  "decision",
  {
    call_id: "c",
    tool: "write_file",
    risks: ["WRITE"],
    policy_version: 1,
    verdict,
    ...(approval === undefined ? {} : { approval }),
    ...more,
  },
  at,
];
const opened = (more: object = {}) =>
  decision("ask", { id: "a", did: "opened", expires_at: EXPIRES_AT }, more);
const decided = (outcome: string, by: string | null = "one", more: object = {}, at = OPENS_AT): Entry => [
  "approval_decided",
  {
    approval: "a",
    outcome,
    by,
    via: "link",
    action_digest: "d",
    decision_seq: 1,
    ...(outcome === "approved" ? { approved_by: [by] } : {}),
    ...more,
  },
  at,
];
const vote = (by: string): Entry => ["approval_vote", { approval: "a", by, action_digest: "d" }];
const spent = (more: object = {}, at = OPENS_AT) => decision("allow", { id: "a", did: "spent" }, more, at);
const outcome = (said = "success", grant = "reported"): Entry => [
  "outcome",
  { call_id: "c", outcome: said, approval: { id: "a", grant } },
];

const walk = (entries: readonly Entry[]) =>
  follow(
    "root",
    entries.map(([kind, body, at = OPENS_AT], i) => ({
      seq: i + 1,
      hash: "",
      session: "root",
      kind,
      body,
      at,
      // By which action it is: told beside the body, which only commits to it.
      private: "action_digest" in body ? JSON.stringify({ action_digest: body["action_digest"] }) : null,
    })),
    new Set(["one", "two"]),
    new Map([
      [1, "ask"],
      [2, "enforce"],
    ]),
  );

describe("what it holds a chain against", () => {
  it.each<[string, Entry[]]>([
    ["an approval that runs and is reported", [opened(), decided("approved"), spent(), outcome()]],
    ["a denial", [opened(), decided("denied"), decision("block", { id: "a", did: "refused" })]],
    ["time that ran out", [opened(), decided("expired", null, {}, EXPIRES_AT)]],
    ["an unknown outcome", [opened(), decided("approved"), spent(), outcome("unknown", "ambiguous")]],
    [
      "two people",
      [
        opened({ risks: ["DELETE"] }),
        vote("one"),
        decided("approved", "two", { approved_by: ["one", "two"] }),
      ],
    ],
  ])("lets pass %s", (_, entries) => {
    walk(entries);
  });

  it.each<[string, Entry[]]>([
    ["a second outcome", [opened(), decided("approved"), decided("denied", "two")]],
    ["a grant that is spent twice", [opened(), decided("approved"), spent(), spent({ call_id: "other" })]],
    ["a run without a person", [decision("allow")]],
    ["a run of what was denied", [opened(), decided("denied"), spent()]],
    ["a run of what nobody has answered", [opened(), spent()]],
    [
      "a run of what has expired",
      [opened(), decided("expired", null, {}, EXPIRES_AT), spent({}, EXPIRES_AT)],
    ],
    ["a run after the grant's time", [opened(), decided("approved"), spent({}, OPENS_AT + 30_000)]],
    ["a run that the policy blocks", [opened(), decided("approved"), spent({ policy_version: 2 })]],
    ["an older policy after a newer one", [decision("block", undefined, { policy_version: 2 }), opened()]],
    ["an approval by a viewer", [opened(), decided("approved", "viewer")]],
    ["an approval after its time", [opened(), decided("approved", "one", {}, EXPIRES_AT)]],
    ["an expiry before its time", [opened(), decided("expired", null)]],
    [
      "an approval of another action",
      [
        opened({ risks: ["DELETE"] }),
        vote("one"),
        decided("approved", "two", { approved_by: ["one", "two"], action_digest: "e" }),
      ],
    ],
    ["one person where two are demanded", [opened({ risks: ["DELETE"] }), decided("approved")]],
    [
      "one person twice",
      [
        opened({ risks: ["DELETE"] }),
        vote("one"),
        decided("approved", "one", { approved_by: ["one", "one"] }),
      ],
    ],
    ["two outcomes of a call", [opened(), decided("approved"), spent(), outcome(), outcome("error")]],
    ["two openings", [opened(), opened()]],
    [
      "a retry that attaches to what is denied",
      [opened(), decided("denied"), decision("ask", { id: "a", did: "attached" })],
    ],
  ])("finds %s", (_, entries) => {
    let broken = "";
    try {
      walk(entries);
    } catch (error) {
      broken = String(error);
    }
    if (!/root, entry \d+/.test(broken)) throw new Error(`it was let pass: ${broken}`);
  });
});

const SOCKET = "TCP:[127.0.0.1:80->127.0.0.1:5000]";
const WAL = "/s/do/countersign-SessionObject/1.sqlite-wal";
const arrives = `7 1.0 read(5<${SOCKET}>, "POST /v1/sessions/s/decisions HTTP"..., 4096) = 300`;
const written = `7 1.1 pwrite64(9<${WAL}>, "..."..., 4120, 0) = 4120`;
const synced = `7 1.2 fdatasync(9<${WAL}>) = 0`;
const leaves = `7 1.3 writev(5<${SOCKET}>, [{iov_base="HTTP/1.1 200 OK\\r\\n"..., iov_len=90}], 1) = 90`;

const verdicts = (...lines: string[]) => {
  const trace = new Trace(80);
  for (const line of lines) trace.take(line);
  return trace.longest().map((events) => judge(events).verdict);
};

describe("how it reads system calls", () => {
  it.each<[string, string, string[]]>([
    ["a sync before the answer", "held", [arrives, written, synced, leaves]],
    ["an answer before the sync", "not", [arrives, written, leaves, synced]],
    ["no sync", "not", [arrives, written, leaves]],
    ["nothing written", "not", [arrives, leaves]],
    [
      "a sync that failed",
      "not",
      [arrives, written, synced.replace("= 0", "= -1 EIO (Input/output error)"), leaves],
    ],
    ["a sync of another file", "not", [arrives, written, synced.replaceAll("1.sqlite", "2.sqlite"), leaves]],
    ["a sync of what was before", "not", [arrives, synced, written, leaves]],
    [
      "an answer that began while the sync went on",
      "not",
      [
        arrives,
        written,
        `8 1.2 fdatasync(9<${WAL}> <unfinished ...>`,
        leaves,
        "8 1.4 <... fdatasync resumed>) = 0",
      ],
    ],
    [
      "a sync that ended before",
      "held",
      [
        arrives,
        written,
        `8 1.2 fdatasync(9<${WAL}> <unfinished ...>`,
        "8 1.25 <... fdatasync resumed>) = 0",
        leaves,
      ],
    ],
    ["another's work after its own", "between", [arrives, written, synced, written, leaves]],
  ])("%s", (_, verdict, lines) => {
    const found = verdicts(...lines);
    if (found.length !== 1 || found[0] !== verdict) throw new Error(`read as ${found}`);
  });
});
