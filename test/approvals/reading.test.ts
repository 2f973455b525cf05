/** What people approve is what they were shown: the reading and the reasons, beside what the digest names. */
import { describe, it } from "vitest";
import { linkOf, press } from "../approve/support.ts";
import {
  type Answer,
  ask,
  must,
  newSession,
  openSession,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";
import { answer, FENCED, lastRow, newCrew, rowOf, rowsOf, rulesOf, set, standing } from "./support.ts";

const COMMAND = "rm -rf $OUT/old";

/** The grant is gone, on record, and people are asked anew. */
async function askedAnew(tenant: Tenant, session: string, first: Answer, again: Answer) {
  const told = { verdict: again.json.verdict, same: again.json.action_digest === first.json.action_digest };
  const { body } = await rowOf(tenant, session, again);
  return {
    ...told,
    overruled: body.overruled === first.json.approval.id,
    did: body.approval?.did,
    grant: (await standing(tenant, first)).grant,
  };
}
const ANEW = { verdict: "ask", same: true, overruled: true, did: "opened", grant: "overruled" };

describe("a grant does not answer for what nobody was shown", () => {
  it("when a variable leads elsewhere by now", async ({ expect }) => {
    const { tenant, alice } = await newCrew();
    const session = await newSession(tenant, { variables: { OUT: "/tmp/scratch" } });
    const asked = await shell(tenant, session, COMMAND, { call_id: "first" });
    await answer(alice, asked, "approve");
    await openSession(tenant, session, { variables: { OUT: "/srv/production" } });
    const again = await shell(tenant, session, COMMAND, { call_id: "first" });
    expect(await askedAnew(tenant, session, asked, again)).toEqual(ANEW);
    await answer(alice, again, "approve");
    const runs = await shell(tenant, session, COMMAND, { call_id: "first" });
    expect(runs.json.verdict, runs.text).toBe("allow");
  });

  it("in a continuation with another home", async ({ expect }) => {
    const { tenant, alice } = await newCrew();
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, "rm -rf ~/build");
    await answer(alice, asked, "approve");
    const elsewhere = await newSession(tenant, { continues: session, home: "/home/other" });
    const again = await shell(tenant, elsewhere, "rm -rf ~/build");
    expect(await askedAnew(tenant, elsewhere, asked, again)).toEqual(ANEW);
    // One that runs where the first did has what was approved for it.
    await answer(alice, again, "approve");
    const same = await newSession(tenant, { continues: elsewhere, home: "/home/other" });
    expect((await shell(tenant, same, "rm -rf ~/build")).json.verdict).toBe("allow");
  });

  it("on another machine", async ({ expect }) => {
    const { tenant, alice } = await newCrew();
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, "rm -rf build", { call_id: "first", host: "laptop" });
    const path = `/v1/approvals/${asked.json.approval.id}?shown=true`;
    expect((await must(path, { cookie: alice.cookie })).json.shown.host).toBe("laptop");
    await answer(alice, asked, "approve");
    const again = await shell(tenant, session, "rm -rf build", { call_id: "first", host: "production-1" });
    expect(await askedAnew(tenant, session, asked, again)).toEqual(ANEW);
  });

  it("when a line was sworn that asks by the same rule", async ({ expect }) => {
    const { tenant, alice } = await newCrew({}, { engines: { fence: "off", oath: "ask" } });
    await swear(tenant, "never delete: ~/work/*.log\n");
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, "rm a.log keep/b", { call_id: "first" });
    expect(rulesOf(asked)).toEqual(["oath:never"]);
    await answer(alice, asked, "approve");
    // A line that moves is the line that was shown.
    await swear(tenant, "\n\nnever delete: ~/work/*.log\nnever delete: ~/work/keep/**\n", 1);
    const again = await shell(tenant, session, "rm a.log keep/b", { call_id: "first" });
    expect(again.json.reasons).toHaveLength(2);
    expect(await askedAnew(tenant, session, asked, again)).toEqual(ANEW);
    await answer(alice, again, "approve");
    await swear(tenant, "never delete: ~/work/keep/**\n\nnever delete: ~/work/*.log\n", 2);
    const runs = await shell(tenant, session, "rm a.log keep/b", { call_id: "first" });
    expect(runs.json.verdict, runs.text).toBe("allow");
  });

  it("when the tool's server says more of it than it did", async ({ expect }) => {
    const { tenant, alice } = await newCrew();
    const session = await newSession(tenant);
    const call = { call_id: "first", tool: "mcp__crm__update_record", args: { id: "7" } };
    const asked = await ask(tenant, session, call);
    await answer(alice, asked, "approve");
    const again = await ask(tenant, session, { ...call, annotations: { destructive_hint: true } });
    expect(await askedAnew(tenant, session, asked, again)).toEqual(ANEW);
  });

  it("when it takes more by now, whoever the harness would ask", async ({ expect }) => {
    const { tenant, alice } = await newCrew();
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, "rm -rf build");
    await answer(alice, asked, "approve");
    await set(tenant, { ...FENCED, approvals: { demands: [{ risks: ["DELETE"], people: 2 }] } });
    const again = await shell(tenant, session, "rm -rf build", { ask_through: "harness" });
    expect(again.json, again.text).toMatchObject({ verdict: "ask", approval: null });
    expect((await lastRow(tenant, session)).body).toMatchObject({
      verdict: "ask",
      overruled: asked.json.approval.id,
    });
    expect((await standing(tenant, asked)).grant).toBe("overruled");
  });
});

it("an edited action is read with what the tool's server says of it, and runs so", async ({ expect }) => {
  const { tenant, alice } = await newCrew();
  const session = await newSession(tenant);
  const call = {
    call_id: "first",
    tool: "mcp__crm__update_record",
    args: { id: "7" },
    annotations: { destructive_hint: true },
    host: "laptop",
  };
  const asked = await ask(tenant, session, call);
  expect(asked.json.reading.risks).toContain("DELETE");
  const link = await linkOf(
    { tenant, session, approval: asked.json.approval.id, digest: asked.json.action_digest, call },
    { member: alice.member },
  );
  const pressed = await press(link, {
    decision: "approve",
    action_digest: asked.json.action_digest,
    args: '{"id":"8"}',
  });
  expect(pressed.status, pressed.text).toBe(303);
  const runs = await ask(tenant, session, { ...call, call_id: "second", args: { id: "8" } });
  expect(runs.json, runs.text).toMatchObject({ verdict: "allow", approval: { grant: "spent" } });
  const replaced = await standing(tenant, asked);
  const edited = await standing(tenant, { json: { approval: { id: replaced.replaced_by } } } as Answer);
  expect(edited).toMatchObject({ edit_of: replaced.id, grant: "spent" });
  expect(edited.risks).toContain("DELETE");
  // What it names as its decision is on record.
  const [row] = await rowsOf(tenant, session, "approval_edited");
  expect(row?.body.edited_decision).toBe(edited.decision_id);
});

it("a write that was approved runs, however often others like it were refused since", async ({ expect }) => {
  const { tenant, alice } = await newCrew({}, { engines: { fence: "off", provenance: "ask" } });
  const session = await newSession(tenant);
  const write = (day: string) =>
    ask(tenant, session, {
      tool: "memory",
      args: { action: "add", target: "memory", content: `The user decided to ship on ${day}.` },
    });
  const asked = await write("Friday");
  expect(rulesOf(asked)).toEqual(["provenance:no-quote"]);
  for (const day of ["Monday", "Tuesday", "Sunday"]) await write(day);
  await answer(alice, asked, "approve");
  const runs = await write("Friday");
  expect(runs.json, runs.text).toMatchObject({ verdict: "allow", approval: { grant: "spent" } });
});

it("half a character in the text that a call edits holds no call, and is shown as such", async ({
  expect,
}) => {
  const { tenant, alice } = await newCrew();
  const session = await newSession(tenant);
  expect((await shell(tenant, session, "ls", { stored: "a\ud800" })).json.verdict).toBe("allow");
  const asked = await ask(tenant, session, {
    tool: "write_file",
    args: { path: "a.txt", content: "b" },
    stored: "a\ud800",
  });
  expect(asked.json.verdict, asked.text).toBe("ask");
  const { shown } = (
    await must(`/v1/approvals/${asked.json.approval.id}?shown=true`, { cookie: alice.cookie })
  ).json;
  expect(shown.stored).toBe("a\ufffd");
});
