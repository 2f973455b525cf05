import { exports } from "cloudflare:workers";
import { describe, it } from "vitest";
import { ledgerOf, must, newSession, newTenant, ORIGIN, swear, type Tenant } from "../support/api.ts";

/** A decision whose body is held back until `between` has run. */
async function drip(tenant: Tenant, session: string, between: () => Promise<unknown>): Promise<Response> {
  const text = JSON.stringify({ call_id: "slow", tool: "terminal", args: { command: "rm ~/keep/a" } });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const answer = exports.default.fetch(
    new Request(`${ORIGIN}/v1/sessions/${encodeURIComponent(session)}/decisions`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
      body: readable,
    }),
  );
  await writer.write(encoder.encode(text.slice(0, 5)));
  await scheduler.wait(300);
  await between();
  await writer.write(encoder.encode(text.slice(5)));
  await writer.close();
  return answer;
}

describe("a body that drips", () => {
  it("is judged by the oath that is in force when it has arrived", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const answer = await drip(tenant, session, () => swear(tenant, "never delete: ~/keep/**\n"));
    expect(await answer.json()).toMatchObject({ verdict: "block", reasons: [{ rule_key: "oath:never" }] });
    expect((await ledgerOf(tenant, session)).at(-1)?.body.verdict).toBe("block");
  });

  it("is refused when its key was revoked meanwhile", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const answer = await drip(tenant, session, () =>
      must(`/v1/agents/${tenant.agent}/keys/${tenant.key_id}`, { method: "DELETE", cookie: tenant.cookie }),
    );
    expect(answer.status).toBe(401);
    expect((await ledgerOf(tenant, session)).at(-1)?.body).toMatchObject({ code: "unauthenticated" });
  });
});
