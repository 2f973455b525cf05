import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

/** One resource's routes. What its schemas refuse is answered by `app.ts`, as everything is. */
export function newRouter(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>();
}
