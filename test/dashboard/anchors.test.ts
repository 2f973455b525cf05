import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { INTEGRITY_ONLY, TIMESTAMP_NOT_PROVEN, TIMESTAMP_PENDING } from "../../src/ledger/index.ts";
import { chainOf, parseProof, serializeProof, serializeTimestamp } from "../../src/ledger/ots/index.ts";
import { ledgerOf, must, newMember, newTenant, type Tenant } from "../support/api.ts";
import { FROM_ELSEWHERE, fieldOf, open, post } from "./support.ts";

const HEADER =
  "00e0fa2c6a3e49a364a2fbdc904dffc7ad35868e5edfaa2c8cdc00000000000000000000b9711364ed6f7e2cd6145207d8a37314d0908f048a71dc7c7f8a480b9a057e91b314c164026105177f872aed";
/** The root of a block of Bitcoin, taken for a digest. */
const ROOT = HEADER.slice(72, 136);
const DIGEST = createHash("sha256").update("the exact bytes").digest("hex");
const CALENDAR = "https://calendar.example";
const shown = (sentence: string) => sentence.replaceAll("'", "&#39;");
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

let sent: string[] = [];
beforeEach(() => {
  sent = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    sent.push(request.url);
    const made = chainOf(new Uint8Array(await request.arrayBuffer()), [{ kind: "sha256" }], () => ({
      attestations: [{ kind: "pending", uri: CALENDAR }],
      branches: [],
    }));
    return made === null ? new Response(null, { status: 400 }) : new Response(serializeTimestamp(made));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const stamp = (tenant: Tenant, fields: object = {}, cookie = tenant.cookie) =>
  post("/anchors", cookie, { digest: DIGEST, reference: "post 1", published: "", ...fields });
const idOf = (location: string | null) => /^\/anchors\/([^?]+)/.exec(location ?? "")?.[1] ?? "";
const anchorsOf = async (tenant: Tenant) =>
  (await must("/v1/anchors", { cookie: tenant.cookie })).json.anchors;

describe("the page of timestamps", () => {
  it("says that no calendar is set, stamps a digest, and shows how far it is", async ({ expect }) => {
    const tenant = await newTenant();
    const empty = await open("/anchors", tenant.cookie);
    expect(empty.text).toContain("No calendar is set");
    expect(empty.text).toContain("Nothing yet.");
    for (const sentence of [TIMESTAMP_PENDING, INTEGRITY_ONLY, ...TIMESTAMP_NOT_PROVEN])
      expect(empty.text).toContain(shown(sentence));

    const made = await stamp(tenant, { published: "2026-01-31T14:00", digest: ` ${DIGEST.toUpperCase()} ` });
    const id = idOf(made.headers.get("location"));
    expect([made.status, made.headers.get("location")]).toEqual([303, `/anchors/${id}?done=made#result`]);
    const [anchor] = await anchorsOf(tenant);
    expect(anchor).toMatchObject({
      anchor: id,
      digest: DIGEST,
      private: true,
      size: null,
      published_at: Date.UTC(2026, 0, 31, 14),
      state: "unsubmitted",
    });
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      anchor: id,
      digest: DIGEST,
      private: true,
    });
    const list = (await open("/anchors", tenant.cookie)).text;
    expect(list).toContain("unsubmitted: no calendar has taken it");
    expect(list).toContain("31 Jan 2026, 14:00:00 UTC");
    const page = (await open(`/anchors/${id}?done=made`, tenant.cookie)).text;
    expect(page).toContain("It is on the ledger");
    expect(page).toContain(shown(anchor.covers));
    expect(page).toContain(shown(TIMESTAMP_PENDING));
    expect(page).toContain("<strong>not established</strong>");
    expect((await open(`/anchors/${id}/proof.ots`, tenant.cookie)).status).toBe(404);
    expect(sent).toEqual([]);
    // The same again is the same; other bytes under its name are not taken.
    expect((await stamp(tenant)).headers.get("location")).toBe(`/anchors/${id}?done=known#result`);
    const other = await stamp(tenant, { digest: "0".repeat(64) });
    expect([other.status, other.text.includes("Other bytes stand under this reference.")]).toEqual([
      409,
      true,
    ]);
    expect(fieldOf(other.text, "digest")).toBe("0".repeat(64));
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "makeAnchor",
      code: "conflict",
    });
  });

  it("keeps what was typed where it cannot be stamped, and says why", async ({ expect }) => {
    const tenant = await newTenant();
    for (const [fields, why] of [
      [{ digest: "abc" }, "A SHA-256 is 64 hex digits"],
      [{ digest: "" }, "A SHA-256 is 64 hex digits"],
      [{ reference: "" }, "Reference: "],
      [{ reference: "x".repeat(201) }, "Reference: "],
      [{ reference: "checkpoint:1" }, "must not begin with checkpoint:"],
      [{ reference: "a\u202eb" }, "invisible characters"],
      [{ published: "yesterday" }, "Write the time of publishing"],
      [{ published: "2026-02-31T25:00" }, "Write the time of publishing"],
      [{ published: "1969-12-31T00:00" }, "Write the time of publishing"],
    ] as const) {
      const refused = await stamp(tenant, fields);
      expect([refused.status, refused.text.includes(why)], JSON.stringify(fields)).toEqual([422, true]);
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
        operation: "makeAnchor",
        code: "invalid-request",
      });
    }
    expect(await anchorsOf(tenant)).toEqual([]);
  });

  it("sets calendars, has them asked, and gives the proof as a file", async ({ expect }) => {
    const tenant = await newTenant();
    const set = async (fields: object) =>
      post("/anchors/settings", tenant.cookie, {
        expected: fieldOf((await open("/anchors", tenant.cookie)).text, "expected") ?? "",
        calendars: "",
        headers: "",
        ...fields,
      });
    for (const [fields, why] of [
      [{ calendars: "http://calendar.example" }, "Line 1: This address may not be asked"],
      [{ calendars: `${CALENDAR}\r\nhttps://10.0.0.1` }, "Line 2: This address may not be asked"],
      [{ headers: "ftp://blocks.example" }, "This address may not be asked"],
      [{ calendars: Array(7).fill(CALENDAR).join("\n") }, "Nothing was changed"],
      [{ expected: "old" }, "Somebody changed these settings"],
    ] as const) {
      const refused = await set(fields);
      expect([refused.status, refused.text.includes(why)], JSON.stringify(fields)).toEqual([422, true]);
    }
    expect(
      (await must("/v1/organization", { cookie: tenant.cookie })).json.settings.anchoring,
    ).toBeUndefined();
    const saved = await set({ calendars: `${CALENDAR}\r\n`, checkpoints: "yes" });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, "/anchors?done=saved#calendars"]);
    expect((await must("/v1/organization", { cookie: tenant.cookie })).json.settings.anchoring).toEqual({
      calendars: [CALENDAR],
      checkpoints: true,
    });
    expect((await open("/anchors", tenant.cookie)).text).not.toContain("No calendar is set");

    const id = idOf((await stamp(tenant)).headers.get("location"));
    expect(sent).toEqual([`${CALENDAR}/digest`]);
    expect((await open("/anchors", tenant.cookie)).text).toContain("pending: no block yet");
    const file = await open(`/anchors/${id}/proof.ots`, tenant.cookie);
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="post_1.ots"');
    const row = await env.DB.prepare("SELECT proof FROM anchors WHERE anchor_id = ?")
      .bind(id)
      .first<{ proof: string }>();
    expect(parseProof(new Uint8Array(Buffer.from(row?.proof ?? "", "base64"))).ok).toBe(true);
    expect((await open(`/anchors/${id}`, tenant.cookie)).text).toContain(CALENDAR);
  });

  it("takes a block's header, and tells what is established apart", async ({ expect }) => {
    const tenant = await newTenant();
    const id = idOf((await stamp(tenant, { digest: ROOT })).headers.get("location"));
    const proof = serializeProof({
      hash: "sha256",
      timestamp: { message: bytes(ROOT), attestations: [{ kind: "bitcoin", height: 800_352 }], branches: [] },
    });
    await env.DB.prepare(
      "UPDATE anchors SET proof = ?, state = 'attested', created_at = 1690375347000 WHERE anchor_id = ?",
    )
      .bind(Buffer.from(proof).toString("base64"), id)
      .run();
    const before = (await open(`/anchors/${id}`, tenant.cookie)).text;
    expect(before).toContain("its proof names block 800352, whose header is not here");
    expect(before).toContain(shown(TIMESTAMP_PENDING));
    const bring = (height: string, header: string) =>
      post(`/anchors/${id}/headers`, tenant.cookie, { height, header });
    for (const [height, header, why] of [
      ["800352", HEADER.slice(2), "A block header is 80 bytes"],
      ["800352", `${HEADER}00`, "A block header is 80 bytes"],
      ["800352", "", "A block header is 80 bytes"],
      ["1", HEADER, "The proof names no Bitcoin block of this height."],
      ["x", HEADER, "The height of a block is a whole number."],
      ["800352", HEADER.replace("b314c164", "b214c164"), "it was not mined"],
    ] as const) {
      const refused = await bring(height, header);
      expect([refused.status, refused.text.includes(why)], `${height} ${header}`).toEqual([422, true]);
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ operation: "addAnchorHeader" });
    }
    const taken = await bring("800352", `${HEADER.slice(0, 80)}\r\n${HEADER.slice(80)}`);
    expect([taken.status, taken.headers.get("location")]).toEqual([303, `/anchors/${id}?done=header#result`]);
    const page = (await open(`/anchors/${id}`, tenant.cookie)).text;
    expect(page).toContain("in block 800352");
    expect(page).toContain("<strong>established</strong>: that the bytes");
    expect(page).toContain("<strong>not claimed</strong>: that they were there");
    for (const sentence of [INTEGRITY_ONLY, ...TIMESTAMP_NOT_PROVEN]) expect(page).toContain(shown(sentence));
    const earlier = (await open(`/anchors/${id}?published=2023-07-26T12:42:27`, tenant.cookie)).text;
    expect(earlier).toContain("<strong>not established</strong>: that they were there");
    const later = (await open(`/anchors/${id}?published=2023-07-26T12:42:28`, tenant.cookie)).text;
    expect(later).toContain("<strong>established</strong>: that they were there");
    expect(later).not.toContain(shown(INTEGRITY_ONLY));
    expect((await open(`/anchors/${id}?published=soon`, tenant.cookie)).text).toContain("Write a time as");
    expect((await anchorsOf(tenant))[0].published_at).toBeNull();
  });

  it("is read by every member, changed by admins, and nobody else's", async ({ expect }) => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const id = idOf((await stamp(tenant)).headers.get("location"));
    const viewer = await newMember(tenant, "viewer");
    const page = (await open("/anchors", viewer.cookie)).text;
    expect(page).toContain("post 1");
    expect(page).not.toContain("Stamp a file");
    for (const path of ["/anchors", "/anchors/settings"]) {
      expect((await post(path, viewer.cookie, {})).status).toBe(403);
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "forbidden" });
      expect((await post(path, tenant.cookie, {}, FROM_ELSEWHERE)).status).toBe(403);
    }
    for (const path of [`/anchors/${id}`, `/anchors/${id}/proof.ots`])
      expect((await open(path, other.cookie)).status, path).toBe(404);
    expect((await post(`/anchors/${id}/headers`, other.cookie, { height: "0", header: HEADER })).status).toBe(
      404,
    );
    expect((await open("/anchors", other.cookie)).text).not.toContain("post 1");
    expect((await open("/anchors")).headers.get("location")).toBe("/sign-in");
  });

  it("comes in pages", async ({ expect }) => {
    const tenant = await newTenant();
    for (let i = 0; i < 21; i += 1)
      await must("/v1/anchors", { cookie: tenant.cookie, json: { reference: `note ${i}`, digest: DIGEST } });
    const first = (await open("/anchors", tenant.cookie)).text;
    expect(first.match(/<bdi dir="ltr">note \d+<\/bdi>/g)).toHaveLength(20);
    const next = /href="(\/anchors\?before=[^"#]+)/.exec(first)?.[1] ?? "";
    const second = (await open(next, tenant.cookie)).text;
    expect(second.match(/<bdi dir="ltr">note \d+<\/bdi>/g)).toHaveLength(1);
    expect(second).not.toContain("?before=");
    expect((await open("/anchors?before=x", tenant.cookie)).status).toBe(422);
    expect((await open(`/anchors?before=${"x".repeat(5_000)}`, tenant.cookie)).status).toBe(404);
  });
});
