import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import { CHECKPOINT_NOT_PROVEN, parseVerifierKey, verifyCheckpointsFile } from "../../src/ledger/index.ts";
import { ledgerOf, must, newMember, newSession, newTenant, shell } from "../support/api.ts";
import { deliver } from "../support/record.ts";
import { FROM_ELSEWHERE, fieldOf, open, post } from "./support.ts";

describe("the page of the record", () => {
  it("makes a checkpoint, shows it with the figures on record, and gives its note as a file", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const { cookie } = tenant;
    const empty = await open("/record", cookie);
    expect(empty.text).toContain("There is none yet.");
    expect(empty.text).toContain("The first one is made with the first checkpoint.");
    await deliver(tenant);
    const made = await post("/record/checkpoints", cookie, {});
    expect([made.status, made.headers.get("location")]).toEqual([303, "/record?done=sealed#result"]);
    const again = await post("/record/checkpoints", cookie, {});
    expect(again.headers.get("location")).toBe("/record?done=unmoved#result");
    const { json } = await must("/v1/checkpoints/1", { cookie });
    const { text } = await open("/record?done=sealed", cookie);
    expect(text).toContain(json.root.slice(0, 16));
    expect(text).toContain(new Date(json.at).toISOString());
    expect(text).toContain(`<td data-label="Leaves">${json.tree_size}</td>`);
    for (const sentence of CHECKPOINT_NOT_PROVEN) expect(text).toContain(sentence.replaceAll("'", "&#39;"));
    const keys = (await must("/v1/signing-keys", { cookie })).json.keys;
    expect(text).toContain(keys[0].vkey);
    const file = await open("/record/checkpoint?number=1", cookie);
    expect(file.text).toBe(json.note);
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="checkpoint-1.txt"');
    expect(empty.text).not.toContain("/record/checkpoints.json");
    expect(text).toContain('href="/record/checkpoints.json"');
    const all = await open("/record/checkpoints.json", cookie);
    expect(all.headers.get("content-disposition")).toBe('attachment; filename="checkpoints-1-1.json"');
    expect(all.text).toBe((await must("/v1/checkpoints.json", { cookie })).text);
    const trusted = parseVerifierKey(keys[0].vkey);
    expect(verifyCheckpointsFile(all.text, { keys: trusted === null ? [] : [trusted] }).result).toBe("holds");
    const other = await newTenant();
    expect((await open("/record/checkpoints.json", other.cookie)).status).toBe(404);
    for (const number of ["2", "0", "x", ""])
      expect((await open(`/record/checkpoint?number=${number}`, cookie)).status).toBe(404);
  });

  it("says where the record does not hold, on every page of admins, until one has seen it", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const { cookie } = tenant;
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await deliver(tenant, session);
    await post("/record/checkpoints", cookie, {});
    const sound = await post("/record/check", cookie, {});
    expect(sound.text).toContain("Nothing has drifted");
    expect((await open("/agents", cookie)).text).not.toContain("The record does not hold.");

    await env.DB.prepare("UPDATE records SET tool = 'x' WHERE organization_id = ? AND kind = 'decision'")
      .bind(tenant.organization)
      .run();
    const found = await post("/record/check", cookie, {});
    expect(found.status).toBe(200);
    expect(found.text).toContain("Something is wrong");
    const viewer = await newMember(tenant, "viewer");
    for (const path of ["/", "/agents", "/oath", "/record", "/docs"]) {
      expect((await open(path, cookie)).text, path).toContain("The record does not hold.");
      expect((await open(path, viewer.cookie)).text, path).not.toContain("The record does not hold.");
    }
    const page = (await open("/record", cookie)).text;
    expect(page).toContain("A record in the database is not the entry that its hash was made of.");
    expect(page).toContain(`session:${session}`);
    expect(page).toContain("column <code>tool</code>");
    // Whoever may do nothing about it may still read it.
    expect((await open("/record", viewer.cookie)).text).toContain("altered-row");
    expect((await open("/record", viewer.cookie)).text).not.toContain("I have seen these");

    const through = fieldOf(page, "through") ?? "";
    const seen = await post("/record/alerts", cookie, { through });
    expect([seen.status, seen.headers.get("location")]).toEqual([303, "/record?done=seen#result"]);
    expect((await open("/agents", cookie)).text).not.toContain("The record does not hold.");
    expect((await ledgerOf(tenant)).at(-1)).toMatchObject({
      entry: { kind: "alerts_acknowledged" },
      body: { by: tenant.owner, through: Number(through) },
    });
  });

  it("gives a decision's receipt from the decision's own page", async ({ expect }) => {
    const tenant = await newTenant();
    const { cookie } = tenant;
    const session = await newSession(tenant);
    const decision = (await shell(tenant, session, "ls")).json;
    await deliver(tenant, session);
    const chain = `session:${session}`;
    const place = new URLSearchParams({ chain, seq: String(decision.ledger.seq) });
    const page = await open(`/decision?${place}`, cookie);
    expect(page.text).toContain(`href="/record/receipt?${place.toString().replaceAll("&", "&amp;")}"`);
    const early = await open(`/record/receipt?${place}`, cookie);
    expect(early.status).toBe(409);
    expect(early.text).toContain("No checkpoint covers this entry yet.");
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "downloadReceipt",
      code: "not-sealed-yet",
    });
    await post("/record/checkpoints", cookie, {});
    const file = await open(`/record/receipt?${place}`, cookie);
    expect(file.headers.get("content-disposition")).toBe(
      `attachment; filename="receipt-${decision.ledger.seq}.json"`,
    );
    expect(file.text).toBe((await must(`/v1/decisions/${decision.id}/receipt`, { cookie })).text);
    const other = await newTenant();
    expect((await open(`/record/receipt?${place}`, other.cookie)).status).toBe(404);
    for (const query of ["", "chain=x&seq=1", "chain=organization&seq=x", "chain=organization&seq=1e9"])
      expect((await open(`/record/receipt?${query}`, cookie)).status, query).toBe(404);
  });

  it("refuses what a role may not do, and what another site sends, with a row each", async ({ expect }) => {
    const tenant = await newTenant();
    const viewer = await newMember(tenant, "viewer");
    const admin = await newMember(tenant, "admin");
    for (const [path, operation] of [
      ["/record/checkpoints", "makeCheckpoint"],
      ["/record/check", "checkDrift"],
      ["/record/alerts", "acknowledgeAlerts"],
      ["/record/keys", "rotateSigningKey"],
      ["/record/restore", "restoreCopy"],
    ] as const) {
      const refused = await post(path, viewer.cookie, {});
      expect(refused.status, path).toBe(403);
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ operation, code: "forbidden" });
      const elsewhere = await post(path, tenant.cookie, {}, FROM_ELSEWHERE);
      expect(elsewhere.status, path).toBe(403);
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ operation, code: "cross-site" });
    }
    expect((await post("/record/keys", admin.cookie, {})).status).toBe(403);
    expect((await post("/record/restore", admin.cookie, {})).status).toBe(403);
    expect((await post("/record/restore", tenant.cookie, { cursor: "x" })).status).toBe(422);
    expect((await post("/record/alerts", tenant.cookie, { through: "x" })).status).toBe(422);
    expect((await open("/record")).headers.get("location")).toBe("/sign-in");
  });

  it("makes a new key for an owner, and ends the old one at once where it may have leaked", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await deliver(tenant);
    await post("/record/checkpoints", tenant.cookie, {});
    expect((await post("/record/keys", tenant.cookie, {})).headers.get("location")).toBe(
      "/record?done=rotated#result",
    );
    const keys = async () => (await must("/v1/signing-keys", { cookie: tenant.cookie })).json.keys;
    const [old] = await keys();
    expect(old.until - Date.now()).toBeGreaterThan(6.9 * 24 * 3600 * 1000);
    await post("/record/keys", tenant.cookie, { leaked: "yes" });
    const now = Date.now();
    expect(
      (await keys()).map(({ until }: { until: number | null }) => until === null || until > now),
    ).toEqual([false, false, true]);
  });
});
