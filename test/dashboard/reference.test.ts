import { describe, it } from "vitest";
import { PROBLEMS } from "../../src/errors.ts";
import type { Document } from "../../src/routes/reference/document.ts";
import { endpointsByTag } from "../../src/routes/reference/document.ts";
import { exampleBody, exampleCommand } from "../../src/routes/reference/examples.ts";
import { newSession, newTenant, OPERATOR, send, type Tenant } from "../support/api.ts";
import { open } from "./support.ts";

async function theDocument(): Promise<Document> {
  return (await send("/openapi.json")).json as Document;
}

describe("the API reference", () => {
  it("names every operation, who may call it, and every problem code", async ({ expect }) => {
    const page = await open("/docs");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    for (const [, endpoints] of endpointsByTag(await theDocument()))
      for (const { operation, path } of endpoints) {
        expect(page.text).toContain(`id="${operation.operationId}"`);
        expect(page.text).toContain(`href="#${operation.operationId}"`);
        expect(page.text).toContain(path);
      }
    for (const code of Object.keys(PROBLEMS)) expect(page.text).toContain(`id="problem-${code}"`);
    const ids = [...page.text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size, "every anchor is one place").toBe(ids.length);
    for (const [, target] of page.text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect(page.text).not.toContain("<script");
  });

  it("shows requests that the API takes as they stand", async ({ expect }) => {
    const document = await theDocument();
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const [, endpoints] of endpointsByTag(document))
      for (const endpoint of endpoints) {
        expect(exampleCommand(endpoint, document)).toContain("curl");
        const body = exampleBody(endpoint, document);
        if (body === undefined) continue;
        const answer = await sendExample(
          tenant,
          session,
          endpoint.method,
          endpoint.path,
          body,
          endpoint.operation,
        );
        expect(
          [400, 415, 422, 428].includes(answer.status),
          `${endpoint.operation.operationId}: ${answer.status} ${answer.text}`,
        ).toBe(false);
      }
  });

  it("keeps the frame of whoever is signed in", async ({ expect }) => {
    const tenant = await newTenant();
    expect((await open("/docs", tenant.cookie)).text).toContain("Olivia");
    expect((await open("/docs")).text).not.toContain("Sign out");
  });
});

async function sendExample(
  tenant: Tenant,
  session: string,
  method: string,
  path: string,
  json: unknown,
  operation: { readonly "x-access"?: { agent?: unknown; member?: unknown; operator?: unknown } },
) {
  const access = operation["x-access"] ?? {};
  const filled = path
    .replace("{session_id}", encodeURIComponent(session))
    .replace("{agent_id}", tenant.agent)
    .replace("{member_id}", tenant.owner)
    .replace("{organization_id}", tenant.organization);
  return send(filled, {
    method,
    json,
    headers: { "if-match": '"0"' },
    ...(access.agent !== undefined
      ? { key: tenant.key }
      : access.member !== undefined
        ? { cookie: tenant.cookie }
        : { key: OPERATOR }),
  });
}
