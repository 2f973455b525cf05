import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { bundle, type Client, ourWorker, serve, tenant } from "../../bench/serve.mjs";

/** Two isolates over the same objects and the same database: what one changes, the other must follow at once. */
let dir: string;
let stop: () => Promise<void>;
let one: Client;
let two: Client;
let key: Record<string, string>;
let owner: Record<string, string>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "countersign-bundle-"));
  const contents = bundle(dir);
  const served = await serve([ourWorker("one", contents), ourWorker("two", contents, "one")]);
  stop = served.stop;
  [one, two] = served.clients as [Client, Client];
  // Nobody speaks in these sessions: what is looked at here is the oath.
  ({ key, owner } = await tenant(one, { engines: { fence: "off" } }));
  await one.json("PUT", "/v1/sessions/s", { home: "/home/u", cwd: "/home/u" }, key);
}, 60_000);

afterAll(async () => {
  await stop?.();
  rmSync(dir, { recursive: true, force: true });
});

let calls = 0;
const verdict = async (client: Client, command = "rm ~/keep/a") => {
  calls += 1;
  const call = { call_id: `call ${calls}`, tool: "terminal", args: { command } };
  return (await client.json("POST", "/v1/sessions/s/decisions", call, key))["verdict"];
};
const swear = (client: Client, text: string, version: number) =>
  client.json("PUT", "/v1/oath", { text }, { ...owner, "if-match": `"${version}"` });

describe("two isolates", () => {
  it("follow an oath that was sworn through either of them with the very next decision", async ({
    expect,
  }) => {
    expect([await verdict(one), await verdict(two)]).toEqual(["allow", "allow"]);
    for (let version = 0; version < 10; version += 2) {
      await swear(version % 4 === 0 ? one : two, "never delete: ~/keep/**\n", version);
      expect([await verdict(two), await verdict(one)]).toEqual(["block", "block"]);
      await swear(version % 4 === 0 ? two : one, "# nothing\n", version + 1);
      expect([await verdict(one), await verdict(two)]).toEqual(["allow", "allow"]);
    }
  });

  it("follow an environment that changed through the other", async ({ expect }) => {
    await swear(one, "never delete: ~/keep/**\n", 10);
    expect(await verdict(two)).toBe("block");
    await one.json("PUT", "/v1/sessions/s", { home: "/home/v", cwd: "/home/v" }, key);
    expect(await verdict(two, "rm /home/u/keep/a")).toBe("allow");
    expect(await verdict(two, "rm /home/v/keep/a")).toBe("block");
  });

  it("keep one chain between them", async ({ expect }) => {
    const many = await Promise.all(
      Array.from({ length: 100 }, (_, i) => verdict(i % 2 ? one : two, `rm /tmp/${i}`)),
    );
    expect(many.every((one) => one === "allow")).toBe(true);
    const { text } = await two.send("GET", "/v1/sessions/s/ledger", "", key);
    const checked = await one.send("POST", "/v1/ledger/verify", text, {
      ...key,
      "content-type": "application/x-ndjson",
    });
    expect(JSON.parse(checked.text)).toMatchObject({ ok: true, entries: text.trimEnd().split("\n").length });
  });

  it("stop for a key that was revoked through the other", async ({ expect }) => {
    const listed = JSON.parse((await one.send("GET", "/v1/agents", "", owner)).text) as {
      agents: { agent: string }[];
    };
    const agent = listed.agents[0]?.agent ?? "";
    const made = await one.json("POST", `/v1/agents/${agent}/keys`, { name: "short-lived" }, owner);
    const short = { authorization: `Bearer ${made["key"]}` };
    expect((await two.send("GET", "/v1/oath", "", short)).status).toBe(200);
    await one.send("DELETE", `/v1/agents/${agent}/keys/${made["key_id"]}`, "", owner);
    expect((await two.send("GET", "/v1/oath", "", short)).status).toBe(401);
  });
});
