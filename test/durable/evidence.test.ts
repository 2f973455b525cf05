import { describe, it } from "vitest";
import {
  ask,
  HOME,
  ledgerOf,
  must,
  newSession,
  newTenant,
  report,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";
import { settleInput, standing, stubOf } from "./support.ts";

const SKILL = `${HOME}/skills/a.md`;

async function sworn(): Promise<{ tenant: Tenant; session: string }> {
  const tenant = await newTenant();
  await swear(tenant, "always require backup before modify: ~/skills/**\n");
  return { tenant, session: await newSession(tenant) };
}

async function edit(tenant: Tenant, session: string): Promise<string> {
  const call = { tool: "Edit", args: { file_path: SKILL, old_string: "a", new_string: "b" } };
  return (await ask(tenant, session, call)).json.verdict;
}

async function done(tenant: Tenant, session: string, call: { call_id: string }, outcome = "success") {
  return (await report(tenant, session, { call_id: call.call_id, outcome })).json;
}

describe("a backup", () => {
  it("is none when a call that was decided after it removes the copy, whichever ran first", async ({
    expect,
  }) => {
    const { tenant, session } = await sworn();
    const copy = (await shell(tenant, session, `cp ${SKILL} /tmp/a.md`)).json;
    const remove = (await shell(tenant, session, "rm /tmp/a.md")).json;
    expect([copy.verdict, remove.verdict]).toEqual(["allow", "allow"]);
    expect((await done(tenant, session, copy)).evidence).toEqual([]);
    expect((await ledgerOf(tenant, session)).at(-1)?.body).toMatchObject({ backups_lost: 1 });
    expect(await edit(tenant, session)).toBe("block");
    await done(tenant, session, remove);
    expect(await edit(tenant, session)).toBe("block");
    // Made anew, after that, it counts.
    const again = (await shell(tenant, session, `cp ${SKILL} /tmp/a.md`)).json;
    expect((await done(tenant, session, again)).evidence).toHaveLength(1);
    expect(await edit(tenant, session)).toBe("allow");
  });

  it("is none when a call that was decided before it reports that it removed the copy", async ({
    expect,
  }) => {
    const { tenant, session } = await sworn();
    const remove = (await shell(tenant, session, "rm -rf /tmp/copies")).json;
    const copy = (await shell(tenant, session, `cp ${SKILL} /tmp/copies/a.md`)).json;
    expect((await done(tenant, session, copy)).evidence).toHaveLength(1);
    expect(await edit(tenant, session)).toBe("allow");
    await done(tenant, session, remove, "error");
    expect(await edit(tenant, session)).toBe("block");
  });

  it("stands when the call that would have removed it did not run", async ({ expect }) => {
    const { tenant, session } = await sworn();
    const remove = (await shell(tenant, session, "rm -rf /tmp/copies")).json;
    const copy = (await shell(tenant, session, `cp ${SKILL} /tmp/copies/a.md`)).json;
    await done(tenant, session, copy);
    await done(tenant, session, remove, "blocked");
    expect(await edit(tenant, session)).toBe("allow");
  });

  it("is none when a blocked call removed it all the same", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: /tmp/**\nalways require backup before modify: ~/skills/**\n");
    const session = await newSession(tenant);
    const copy = (await shell(tenant, session, `cp ${SKILL} /tmp/a.md`)).json;
    await done(tenant, session, copy);
    const remove = (await shell(tenant, session, "rm /tmp/a.md")).json;
    expect(remove.verdict).toBe("block");
    expect(await edit(tenant, session)).toBe("allow");
    await done(tenant, session, remove);
    expect(await edit(tenant, session)).toBe("block");
  });

  it("is none when an ask that the harness's own user answered removes it", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: /tmp/**\nalways require backup before modify: ~/skills/**\n");
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { engines: { oath: "ask", fence: "off" } },
    });
    const session = await newSession(tenant);
    const copy = (await shell(tenant, session, `cp ${SKILL} /tmp/a.md`)).json;
    const remove = (await shell(tenant, session, "rm /tmp/a.md", { ask_through: "harness" })).json;
    expect(remove.verdict).toBe("ask");
    await report(tenant, session, { call_id: remove.call_id, answered_by: "harness" });
    expect((await done(tenant, session, copy)).evidence).toEqual([]);
  });
});

describe("evidence", () => {
  it("that is too much to compare within a call's budget counts as overwritten", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const stub = stubOf(tenant, session);
    const base = settleInput(tenant, session, "copy");
    const backups = Array.from({ length: 100 }, (_, i) => ({
      src: `/s/${i}`,
      dest: `/b/${"*a".repeat(300)}${i}`,
    }));
    await stub.settle({ ...base, effects: { ...base.effects, backups, actions: [] } });
    const made = await stub.outcome({
      ...standing(tenant, session),
      call_id: "copy",
      outcome: "success",
      answered_by: null,
      fingerprints: null,
      private: base.private,
    });
    expect(made.ok && JSON.parse(made.answer).evidence).toHaveLength(100);
    const overwritten = Array.from({ length: 200 }, (_, i) => `/b/${"*z".repeat(300)}z${i}`);
    const start = performance.now();
    await stub.settle({
      ...settleInput(tenant, session, "hostile"),
      effects: {
        ...base.effects,
        backups: [],
        actions: overwritten.map((path) => ({ verb: "modify" as const, path })),
      },
    });
    expect(performance.now() - start).toBeLessThan(3_000);
    expect((await stub.status()).backups).toEqual([]);
  });

  it("beyond the newest thousand is retired for good", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const stub = stubOf(tenant, session);
    for (let round = 0; round < 3; round += 1) {
      const base = settleInput(tenant, session, `round ${round}`);
      const backups = Array.from({ length: 400 }, (_, i) => ({
        src: `/s/${round}/${i}`,
        dest: `/b/${round}/${i}`,
      }));
      await stub.settle({ ...base, effects: { ...base.effects, backups, actions: [] } });
      await stub.outcome({
        ...standing(tenant, session),
        call_id: base.call_id,
        outcome: "success",
        answered_by: null,
        fingerprints: null,
        private: base.private,
      });
    }
    expect((await stub.status()).backups).toHaveLength(1_000);
    const wipe = settleInput(tenant, session, "wipe");
    await stub.settle({
      ...wipe,
      effects: {
        ...wipe.effects,
        backups: [],
        actions: ["/b/1/**", "/b/2/**"].map((path) => ({ verb: "modify" as const, path })),
      },
    });
    const left = (await stub.status()).backups.map(({ src }) => src);
    expect(left).toHaveLength(200);
    expect(left).not.toContain("/s/0/0");
  });
});
