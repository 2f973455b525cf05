import { describe, it } from "vitest";
import { dashboard } from "../../src/routes/dashboard/index.tsx";
import { signIn } from "../../src/routes/sign-in.tsx";
import { ledgerOf, newMember, newTenant } from "../support/api.ts";
import { FROM_ELSEWHERE, post } from "./support.ts";

/** Every form there is, from the routers themselves: one that is added is tested. */
const FORMS = [
  ...new Set(
    [...dashboard.routes, ...signIn.routes].filter(({ method }) => method === "POST").map(({ path }) => path),
  ),
];

/** Forms that are not a member's: they bring one in, or let one go. */
const OPEN = ["/sign-in", "/sign-out"];

/**
 * Forms that are every member's: they change nothing, or only what is theirs, or bring what is checked by itself; and what
 * they answer when sent empty.
 */
const EVERYBODYS: ReadonlyMap<string, number> = new Map([
  ["/anchors/:anchor/headers", 404],
  ["/evidence/check", 422],
  ["/passkeys/remove", 404],
  ["/tools/reading", 422],
  ["/session", 404],
]);

describe("every form", () => {
  it("is one of those that are known here", ({ expect }) => {
    expect(FORMS.toSorted()).toEqual(
      [
        ...OPEN,
        "/agents",
        "/agents/:agent/keys",
        "/agents/:agent/keys/:key/revoke",
        "/anchors",
        "/anchors/settings",
        "/approvals/:approval",
        "/approvals/:approval/link",
        "/approvals/denials",
        "/channels/:channel",
        "/channels/:channel/remove",
        "/channels/:channel/rotate",
        "/channels/:channel/target",
        "/channels/:channel/test",
        "/channels/new/:kind",
        "/members",
        "/members/:member/link",
        "/members/:member/passkeys/remove",
        "/members/:member/remove",
        "/members/:member/role",
        "/oath",
        "/passkeys",
        "/record/alerts",
        "/record/check",
        "/record/checkpoints",
        "/record/keys",
        "/record/restore",
        "/settings",
        "/settings/compiler",
        "/settings/purge",
        "/tools",
        ...EVERYBODYS.keys(),
      ].toSorted(),
    );
  });

  it("refuses another site, a stranger and a viewer, and records whom it knows", async ({ expect }) => {
    const tenant = await newTenant();
    const viewer = await newMember(tenant, "viewer");
    for (const form of FORMS) {
      const path = form
        .replace(":agent", tenant.agent)
        .replace(":key", tenant.key_id)
        .replace(":member", viewer.member)
        .replace(":kind", "email");
      const before = (await ledgerOf(tenant)).length;
      const foreign = await post(path, tenant.cookie, {}, FROM_ELSEWHERE);
      expect(foreign.status, path).toBe(403);
      if (form === "/sign-in") continue;
      const row = (await ledgerOf(tenant)).slice(before);
      expect(
        row.map(({ body }) => [body.code, body.member]),
        path,
      ).toEqual([["cross-site", tenant.owner]]);
      if (OPEN.includes(form)) continue;
      expect((await post(path, undefined, {})).status, path).toBe(401);
      const everybodys = EVERYBODYS.get(form);
      if (everybodys !== undefined) {
        expect((await post(path, viewer.cookie, {})).status, path).toBe(everybodys);
        continue;
      }
      expect((await post(path, viewer.cookie, {})).status, path).toBe(403);
      const [refusal] = (await ledgerOf(tenant)).slice(before + 1);
      expect(refusal?.body, path).toMatchObject({ code: "forbidden", member: viewer.member });
    }
  });

  it("reads no more than a form can hold", async ({ expect }) => {
    const tenant = await newTenant();
    for (const path of [
      "/agents",
      "/anchors",
      "/anchors/settings",
      "/anchors/x/headers",
      "/approvals/denials",
      "/channels/new/email",
      "/members",
      "/oath",
      "/passkeys",
      "/session",
      "/settings",
      "/settings/compiler",
      "/settings/purge",
    ])
      expect((await post(path, tenant.cookie, { text: "x".repeat(500_000) })).status, path).toBe(413);
    for (const path of ["/approvals/x", "/tools", "/tools/reading", "/evidence/check"])
      expect((await post(path, tenant.cookie, { text: "x".repeat(1_100_000) })).status, path).toBe(413);
  });
});
