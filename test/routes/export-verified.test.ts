/** What `POST /v1/export` writes is what the verifier reads: every chain, checkpoint and leaf of it, with the published keys. */
import { describe, it } from "vitest";
import { newRun, verify } from "../../integrations/verify/verify.mjs";
import { ask, must, newTenant, openSession, send } from "../support/api.ts";
import { checkpointOf } from "../support/record.ts";

describe("an export of everything", () => {
  it("holds by the published keys, beside the log's file of checkpoints, and shows what was taken out", async ({
    expect,
  }) => {
    const tenant = await newTenant("Exported and verified", { engines: { fence: "off" } });
    const say = async (session: string, text: string) =>
      must(`/v1/sessions/${session}/turns`, { key: tenant.key, json: { text } });
    for (const session of ["one", "two"]) {
      await openSession(tenant, session);
      await say(session, `hello ${session}`);
      await ask(tenant, session, { tool: "write_file", args: { path: "a.txt", content: session } });
      await checkpointOf(tenant, session);
    }
    await must("/v1/signing-keys", { cookie: tenant.cookie, json: { overlap_days: 1 } });
    await say("one", "and more");
    await checkpointOf(tenant, "one");
    // The old keys sign no more from here on, and what they signed stays signed.
    await must("/v1/signing-keys", { cookie: tenant.cookie, json: { overlap_days: 0 } });
    await say("two", "and the last");
    await checkpointOf(tenant, "two");
    const published = await send(`/.well-known/countersign/${tenant.organization}/keys`);
    const { keys } = published.json;
    expect(keys).toHaveLength(3);

    const { text } = await send("/v1/export", { cookie: tenant.cookie, json: {} });
    const told = await verify(text, { keys });
    expect(told.lines.filter(({ status }) => status !== "note" && status !== "ok")).toEqual([]);
    expect(told).toMatchObject({ kind: "whole", result: "holds", sealed: true });
    expect(told.lines.map(({ text: line }) => line).join("\n")).toMatch(
      /4 checkpoints follow .* signed\n\d+ leaves give/,
    );
    expect((await verify(text)).result).toBe("pending");

    const run = newRun();
    const file = await send("/v1/checkpoints.json", { cookie: tenant.cookie });
    const log = await verify(file.text, { keys, run });
    expect(log.result).toBe("holds");
    expect((await verify(text, { keys, heads: log.heads, run })).result).toBe("holds");

    const lines = text.split("\n");
    const turn = lines.findIndex((line) => line.includes("hello two"));
    for (const cut of [lines.toSpliced(turn, 1), lines.toSpliced(turn, lines.length - turn - 2)])
      expect((await verify(cut.join("\n"), { keys })).broken).toMatchObject({
        code: expect.stringMatching(/^(sequence|truncated)$/),
        line: turn + 1,
      });
  });
});
