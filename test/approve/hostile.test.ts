/** Links that open nothing: one answer to all of them, and a row that tells them apart where an approval is named. */
import { describe, it } from "vitest";
import { linkHash, newJti, signLink } from "../../src/notify/links.ts";
import { wordsOf } from "../dashboard/support.ts";
import { stubOf } from "../durable/support.ts";
import { ledgerOf, must, newMember, ORIGIN, send } from "../support/api.ts";
import {
  type Asked,
  approveWith,
  asked,
  claimsOf,
  linkOf,
  published,
  refusalsOf,
  SECRETS,
  statusOf,
} from "./support.ts";

const OTHER_SECRET = ["another secret of the test suite, as long"];

function base64url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
/** The token with some of its claims changed and its signature left as it was. */
function changed(
  token: string,
  change: Record<string, unknown>,
  header: Record<string, unknown> = {},
): string {
  const [head = "", payload = "", signature = ""] = token.split(".");
  const part = (text: string, more: object) =>
    base64url(
      JSON.stringify({ ...JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))), ...more }),
    );
  return `${part(head, header)}.${part(payload, change)}.${signature}`;
}
async function known(one: Asked, jti: string, member = one.tenant.owner): Promise<void> {
  await stubOf(one.tenant, one.session).linkApproval({
    approval: one.approval,
    member,
    link: linkHash(jti),
  });
}

describe("a link that opens nothing", () => {
  it("is answered in one way, whatever is wrong with it; only the ledger tells", async ({ expect }) => {
    const one = await asked();
    const other = await asked();
    const colleague = await newMember(one.tenant, "approver");
    await published(one);
    const good = claimsOf(one);
    await known(one, good.jti);
    const token = await signLink(good, ORIGIN, SECRETS);
    const sign = (more: object) => signLink({ ...good, ...more }, ORIGIN, SECRETS);
    const { tenant } = one;

    /** What is presented, the code on the session's record, and the member whom the row names. */
    const cases: [string, string, string | null, string | null][] = [
      ["no token at all", "x", null, null],
      ["cut off", token.slice(0, -20), "link-forged", null],
      ["cut in half", token.slice(0, token.length / 2), null, null],
      ["too long", `${token}${"A".repeat(5_000)}`, null, null],
      ["100 KB", "A".repeat(100_000), null, null],
      ["another script", `${token}%C3%A9`, null, null],
      ["a NUL", `${token}%00`, null, null],
      ["a path in it", "..%2F..%2Fsign-in", null, null],
      ["SQL in it", "%27%20OR%201%3D1--", null, null],
      ["no algorithm", changed(token, {}, { alg: "none" }), "link-forged", null],
      ["a MAC", changed(token, {}, { alg: "HS256" }), "link-forged", null],
      ["another member", changed(token, { sub: colleague.member }), "link-forged", null],
      ["another digest", changed(token, { dig: other.digest }), "link-forged", null],
      ["more time", changed(token, { exp: 9e9 }), "link-forged", null],
      ["one more claim", changed(token, { role: "owner" }), "link-forged", null],
      ["another key", await signLink(good, ORIGIN, OTHER_SECRET), "link-unknown-key", null],
      [
        "another key under our name",
        changed(await signLink(good, ORIGIN, OTHER_SECRET), {}, JSON.parse(atob(token.split(".")[0] ?? ""))),
        "link-forged",
        null,
      ],
      ["another deployment", await signLink(good, "https://evil.example", SECRETS), "link-audience", null],
      ["too old", await sign({ expires_at: Date.now() - 1 }), "link-expired", tenant.owner],
      ["a jti that nobody was sent", await sign({ jti: newJti() }), "link-unknown", tenant.owner],
      ["a colleague's name on it", await sign({ member: colleague.member }), "link-member", colleague.member],
      ["another action's digest", await sign({ digest: other.digest }), "link-digest", tenant.owner],
      ["another approval", await sign({ approval: other.approval }), "link-unknown", tenant.owner],
      ["a member that is none", await sign({ member: "mem_x" }), "link-member-removed", "mem_x"],
      ["an approval that is none", changed(token, { apr: "apr_00000000000000000000" }), null, null],
      ["another organization", changed(token, { org: other.tenant.organization }), null, null],
      ["no organization", changed(token, { org: ["x"] }), null, null],
      ["an organization to be found", changed(token, { org: "org_%' OR '1'='1" }), null, null],
    ];
    const answers = new Set<string>();
    for (const [what, presented, code, member] of cases) {
      for (const method of ["GET", "POST"] as const) {
        const path = `/approve/${presented}`;
        const before = (await refusalsOf(one)).length;
        const answer = method === "GET" ? await send(path) : await approveWith(path, one);
        expect(answer.status, `${what} ${method}`).toBe(404);
        const { "x-request-id": _, ...headers } = Object.fromEntries(answer.headers);
        answers.add(JSON.stringify(headers) + answer.text);
        const rows = await refusalsOf(one);
        if (code === null) expect(rows.length, `${what} ${method}`).toBe(before);
        else {
          expect(rows.length, `${what} ${method}`).toBe(before + 1);
          expect(rows.at(-1), `${what} ${method}`).toEqual({ code, member, status: 404 });
        }
      }
    }
    expect([...answers]).toHaveLength(1);
    expect(wordsOf([...answers][0] ?? "")).toContain("This link opens nothing");
    expect(await statusOf(one)).toBe("pending");
    expect(await statusOf(other)).toBe("pending");
    expect(await refusalsOf(other)).toEqual([]);
    // And the good one still does.
    expect((await send(`/approve/${token}`)).status).toBe(200);
  });

  it("is one whose session family is another, even of the same organization", async ({ expect }) => {
    const one = await asked();
    const other = await asked(undefined, undefined, { tenant: one.tenant });
    const claims = claimsOf(one, { root: other.session });
    await known(one, claims.jti);
    const path = `/approve/${await signLink(claims, ORIGIN, SECRETS)}`;
    expect((await send(path)).status).toBe(404);
    expect((await approveWith(path, one)).status).toBe(404);
    expect((await refusalsOf(other)).map(({ code }) => code)).toEqual(["link-unknown", "link-unknown"]);
    expect([await statusOf(one), await statusOf(other)]).toEqual(["pending", "pending"]);
  });

  it("is one for another organization's approval, signed by ourselves", async ({ expect }) => {
    const one = await asked();
    const other = await asked();
    const claims = claimsOf(one, { organization: other.tenant.organization, member: other.tenant.owner });
    await known(one, claims.jti);
    const path = `/approve/${await signLink(claims, ORIGIN, SECRETS)}`;
    expect((await approveWith(path, one)).status).toBe(404);
    expect(await statusOf(one)).toBe("pending");
    // The family is not that organization's, so its own chain says that its member's link opened nothing.
    expect((await ledgerOf(other.tenant)).at(-1)?.body).toMatchObject({
      code: "link-unknown",
      member: other.tenant.owner,
      operation: "answerApproval",
    });
  });
});

describe("somebody who may not decide", () => {
  it("gets a plain page that says whom to ask, once their role is too low", async ({ expect }) => {
    const one = await asked();
    const demoted = await newMember(one.tenant, "approver");
    const path = await linkOf(one, { member: demoted.member });
    expect((await send(path)).status).toBe(200);
    await must(`/v1/members/${demoted.member}`, {
      method: "PATCH",
      cookie: one.tenant.cookie,
      json: { role: "viewer" },
    });
    for (const answer of [await send(path), await approveWith(path, one)]) {
      expect(answer.status).toBe(403);
      const words = wordsOf(answer.text);
      expect(words).toContain("Only an approver or higher decides this. You are a viewer.");
      expect(words).toContain("Ask Olivia (owner).");
      expect(words).not.toContain("git push");
      expect(answer.text).not.toContain("<form");
    }
    expect(await refusalsOf(one)).toEqual([
      { code: "forbidden", member: demoted.member, status: 403 },
      { code: "forbidden", member: demoted.member, status: 403 },
    ]);
    expect(await statusOf(one)).toBe("pending");
  });

  it("is a stranger, once they were removed", async ({ expect }) => {
    const one = await asked();
    const removed = await newMember(one.tenant, "admin");
    const path = await linkOf(one, { member: removed.member });
    await must(`/v1/members/${removed.member}`, { method: "DELETE", cookie: one.tenant.cookie });
    for (const answer of [await send(path), await approveWith(path, one)]) {
      expect(answer.status).toBe(404);
      expect(wordsOf(answer.text)).toContain("This link opens nothing");
    }
    expect((await refusalsOf(one)).map(({ code }) => code)).toEqual([
      "link-member-removed",
      "link-member-removed",
    ]);
    expect(await statusOf(one)).toBe("pending");
  });

  it("is somebody else than the browser's own member", async ({ expect }) => {
    const one = await asked();
    const stranger = await asked();
    const colleague = await newMember(one.tenant, "approver");
    const path = await linkOf(one);
    for (const [cookie, member] of [
      [colleague.cookie, colleague.member],
      [stranger.tenant.cookie, null],
    ] as const) {
      for (const answer of [await send(path, { cookie }), await approveWith(path, one, { cookie })]) {
        expect(answer.status).toBe(403);
        expect(wordsOf(answer.text)).toContain("It was made for Olivia.");
        expect(wordsOf(answer.text)).not.toContain("git push");
        expect((await refusalsOf(one)).at(-1)).toEqual({ code: "link-somebody-else", member, status: 403 });
      }
    }
    expect(await statusOf(one)).toBe("pending");
    expect(await refusalsOf(stranger)).toEqual([]);
    // A cookie that is nobody's any more changes nothing.
    const stale = await approveWith(path, one, { cookie: "__Host-countersign=cs_mses_x" });
    expect(stale.status).toBe(303);
    expect(await statusOf(one)).toBe("approved");
  });
});
