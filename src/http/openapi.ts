/** The OpenAPI 3.1 document, made from the schemas that validate. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";
import { type Described, withRefusals } from "./operation.ts";

/** @param origin where this deployment answers */
export function openApiDocument(app: OpenAPIHono<AppEnv>, origin: string) {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version: "1",
      description:
        "A governance API that stands between AI agents and their tools. Before a tool runs, ask; the answer is `allow`, `block` or `ask`, decided by code and recorded before it is given.",
    },
    servers: [{ url: origin }],
  });
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as Record<string, Described>).map(([method, operation]) => [
        method,
        withRefusals(method, operation),
      ]),
    ),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths) as Record<string, Record<string, Described>>,
    components: {
      ...document.components,
      securitySchemes: {
        agentKey: {
          type: "http",
          scheme: "bearer",
          description: "An agent's key, `cs_live_…`, with the scope named.",
        },
        memberSession: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-countersign",
          description: "A signed-in member with at least the role named.",
        },
        operatorToken: { type: "http", scheme: "bearer", description: "The deployment's `OPERATOR_TOKEN`." },
      },
    },
  };
}
