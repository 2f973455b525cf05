import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../http/context.ts";
import { openApiDocument } from "../http/openapi.ts";
import { newRouter } from "../http/router.ts";

export function docs(app: OpenAPIHono<AppEnv>) {
  const router = newRouter();
  router.get("/openapi.json", (c) => c.json(openApiDocument(app, new URL(c.req.url).origin)));
  return router;
}
