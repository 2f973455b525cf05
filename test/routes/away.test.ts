/**
 * D1 away, by error and by silence: every read says `unavailable` in bounded time, nothing of the inside leaks into the
 * answer, and nothing of the request into the log.
 */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, it, vi } from "vitest";
import { ledgerOf, must, newSession, newTenant, send, type Tenant } from "../support/api.ts";

const INTERNAL = "D1_ERROR: the inside of it";
/** The bound on D1, and what everything around it takes. */
const BOUND_MS = 9_000;
/** Reads that ask an object, or nobody, and not D1, once the caller is known. */
const OF_OBJECTS = [
  "readTaskPolicy",
  "readSession",
  "exportSessionLedger",
  "exportOrganizationLedger",
  "readPushKey",
  "listSigningKeys",
];
const PAGES = ["/", "/oath", "/agents", "/members"];
/** The statements that find a caller. */
const CREDENTIALS = /FROM (?:member_sessions|api_keys)/;

type Away = () => Promise<never>;
const fails: Away = () => Promise.reject(new Error(INTERNAL));
const never: Away = () => new Promise(() => undefined);

let tenant: Tenant;
let session: string;
/** One that this isolate has not opened: it has to be looked up. */
const approval = "apr_00000000000000000000";
const reads: { id: string; path: string }[] = [];

/** A statement that goes wrong as soon as it is asked. */
function awayStatement(how: Away): D1PreparedStatement {
  const statement = { bind: () => statement, first: how, all: how, run: how, raw: how };
  return statement as unknown as D1PreparedStatement;
}

function takeAway(how: Away, spared: RegExp | null): void {
  const prepare = env.DB.prepare.bind(env.DB);
  vi.spyOn(env.DB, "prepare").mockImplementation((query) =>
    spared?.test(query) ? prepare(query) : awayStatement(how),
  );
  vi.spyOn(env.DB, "batch").mockImplementation(how);
}

beforeAll(async () => {
  tenant = await newTenant("Away");
  session = await newSession(tenant);
  const { paths } = (await must("/openapi.json")).json;
  for (const [path, item] of Object.entries<Record<string, { operationId: string }>>(paths)) {
    const id = item["get"]?.operationId;
    if (id === undefined) continue;
    reads.push({
      id,
      path: path
        .replace("{session_id}", encodeURIComponent(session))
        .replace("{agent_id}", tenant.agent)
        .replace("{number}", "1")
        .replace("{member_id}", tenant.owner)
        .replace("{approval_id}", approval),
    });
  }
});
afterEach(() => vi.restoreAllMocks());

describe("with D1 away", () => {
  for (const [how, away] of [
    ["that fails", fails],
    ["that never answers", never],
  ] as const)
    for (const [when, spared] of [
      ["from the start", null],
      ["after the caller is known", CREDENTIALS],
    ] as const) {
      it(`${how} ${when}, every read is unavailable within a bound`, async ({ expect }) => {
        expect(reads.length).toBeGreaterThan(8);
        vi.spyOn(console, "error").mockReturnValue();
        takeAway(away, spared);
        const began = Date.now();
        await Promise.all(
          reads.map(async ({ id, path }) => {
            const answer = await send(path, { cookie: tenant.cookie });
            if (spared !== null && OF_OBJECTS.includes(id)) {
              expect(answer.status, id).toBe(200);
              return;
            }
            expect(answer.status, `${id}: ${answer.text}`).toBe(503);
            expect(answer.json, id).toMatchObject({ code: "unavailable", status: 503 });
            expect(answer.headers.get("retry-after"), id).toMatch(/^[0-9]+$/);
            // The instance is random text, and may look like anything.
            const said = JSON.stringify({ ...answer.json, instance: "" });
            expect(said, id).not.toMatch(/D1|SQL|params|select|timeout|no answer/i);
          }),
        );
        expect(Date.now() - began).toBeLessThan(BOUND_MS);
      });

      it(`${how} ${when}, every page says so within a bound`, async ({ expect }) => {
        vi.spyOn(console, "error").mockReturnValue();
        takeAway(away, spared);
        const began = Date.now();
        await Promise.all(
          PAGES.map(async (path) => {
            const answer = await send(path, { cookie: tenant.cookie });
            expect(answer.status, `${path}: ${answer.text}`).toBe(503);
            expect(answer.headers.get("retry-after"), path).toMatch(/^[0-9]+$/);
            expect(answer.text, path).not.toMatch(/D1_|SQLITE|params/);
          }),
        );
        expect(Date.now() - began).toBeLessThan(BOUND_MS);
      });
    }

  it("a decision is a block, and a member who swears hears that nothing was sworn", async ({ expect }) => {
    vi.spyOn(console, "error").mockReturnValue();
    const before = await ledgerOf(tenant);
    takeAway(fails, null);
    const asked = await send(`/v1/sessions/${encodeURIComponent(session)}/decisions`, {
      key: `cs_live_${"a".repeat(60)}`,
      json: { call_id: "x", tool: "terminal", args: { command: "ls" } },
    });
    expect(asked.json, asked.text).toMatchObject({ verdict: "block" });
    const swearing = await send("/v1/oath", {
      method: "PUT",
      cookie: tenant.cookie,
      headers: { "if-match": '"0"' },
      json: { text: "never delete: /x" },
    });
    expect(swearing.json).toMatchObject({ code: "unavailable" });
    vi.restoreAllMocks();
    expect(await ledgerOf(tenant)).toEqual(before);
  });

  it("a statement that is wrong in itself is our fault, and not the database's", async ({ expect }) => {
    vi.spyOn(console, "error").mockReturnValue();
    takeAway(() => Promise.reject(new Error("D1_ERROR: no such column: x: SQLITE_ERROR")), CREDENTIALS);
    const answer = await send("/v1/oath", { cookie: tenant.cookie });
    expect(answer.json).toMatchObject({ code: "internal", status: 500 });
    expect(answer.text).not.toContain("SQLITE");
  });
});

describe("the log", () => {
  it("says what failed and why, and nothing of what was asked", async ({ expect }) => {
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    takeAway(() => Promise.reject(new Error("D1_ERROR: near 'a clandestine value': gone")), CREDENTIALS);
    await send("/v1/decisions?session=a%20clandestine%20session&agent=a-clandestine-agent", {
      cookie: tenant.cookie,
    });
    const failed = lines.map((line) => JSON.parse(line)).find((line) => line.event === "failed");
    expect(failed).toMatchObject({ name: "Error", operation: "listDecisions" });
    expect(failed.cause).toMatch(
      /Failed query: select .* by DatabaseUnavailable: .* by Error: D1_ERROR: near/,
    );
    for (const line of lines) {
      expect(line).not.toMatch(/clandestine|params/);
      expect(line).not.toContain(tenant.organization);
    }
  });
});
