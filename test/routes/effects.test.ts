import { describe, it } from "vitest";
import { HOME, ledgerOf, must, newTenant } from "../support/api.ts";

const HERE = { home: HOME, cwd: `${HOME}/work` };

describe("explaining a reading", () => {
  it("says which part of a command line does what, inside other texts too", async ({ expect }) => {
    const tenant = await newTenant();
    const command = "cd /tmp && rm -rf x; bash -c 'cp a b'";
    const before = (await ledgerOf(tenant)).length;
    const { json } = await must("/v1/effects/explain", {
      key: tenant.key,
      json: { tool: "terminal", args: { command }, ...HERE },
    });
    expect(json).toMatchObject({ tool: "shell", risks: ["DELETE", "WRITE"], opaque: null, truncated: false });
    expect(json.actions).toContainEqual({ verb: "delete", path: "/tmp/x/**" });
    expect(json.texts).toEqual([command, "cp a b"]);
    const [first, second] = json.steps;
    expect(first).toMatchObject({ pointer: "/command", text: 0, quote: "rm -rf x" });
    expect(command.slice(first.start, first.end)).toBe("rm -rf x");
    expect(first.found).toContainEqual({ fact: "acts", verb: "delete", path: "/tmp/x/**" });
    expect(second).toMatchObject({ text: 1, start: 0, end: 6, quote: "cp a b" });
    expect(await ledgerOf(tenant), "a dry run").toHaveLength(before);
  });

  it("names whom and what a tool's arguments name, each with its place", async ({ expect }) => {
    const tenant = await newTenant();
    const { json } = await must("/v1/effects/explain", {
      cookie: tenant.cookie,
      json: {
        tool: "mcp__gmail__send_message",
        args: { to: "John <JOHN@Example.com>", cc: ["p@x.example"], body: "a@b.example" },
      },
    });
    expect(json.recipients).toEqual([
      { role: "copy", address: "p@x.example", given: "p@x.example", pointer: "/cc/0" },
      { role: "to", address: "john@example.com", given: "John <JOHN@Example.com>", pointer: "/to" },
    ]);
    expect(json.acts).toMatchObject([{ risk: "COMMUNICATION", service: "gmail" }]);
  });

  it("reads by the organization's own rows and by annotations", async ({ expect }) => {
    const tenant = await newTenant();
    const explain = (more = {}) =>
      must("/v1/effects/explain", { key: tenant.key, json: { tool: "mcp__x__get_it", args: {}, ...more } });
    expect((await explain()).json.risks).toEqual(["READ"]);
    expect((await explain({ annotations: { destructive_hint: true } })).json.risks).toContain("DELETE");
    await must("/v1/tool-table", {
      method: "PUT",
      cookie: tenant.cookie,
      headers: { "if-match": '"0"' },
      json: { tools: [{ name: "mcp__x__get_it", risks: ["FINANCIAL"], capability: "bank.pay" }] },
    });
    expect((await explain()).json).toMatchObject({ tool: "bank.pay", risks: ["FINANCIAL"] });
  });

  it("says what it could not read, and refuses nothing for it", async ({ expect }) => {
    const tenant = await newTenant();
    const explain = async (args: unknown) =>
      (await must("/v1/effects/explain", { key: tenant.key, json: { tool: "terminal", args, ...HERE } }))
        .json;
    expect(await explain("ls")).toMatchObject({ unreadable: [{ pointer: "", cause: "not-an-object" }] });
    expect(await explain({ command: "$(" })).toMatchObject({
      opaque: { unparsed: true },
      risks: ["EXECUTE"],
    });
    expect(await explain({ command: "rm x\u0000y" })).toMatchObject({
      opaque: { causes: expect.any(Array) },
    });
  });
});
