/** `/openapi.json` and `/docs`, the page made from it: one source, so that neither can say what the other does not. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { memberOf } from "../http/access.ts";
import type { AppEnv } from "../http/context.ts";
import { openApiDocument } from "../http/openapi.ts";
import { newRouter } from "../http/router.ts";
import { log } from "../log.ts";
import { type Frame, frameOf, sendPage } from "./dashboard/layout.tsx";
import type { Document } from "./reference/document.ts";
import { ReferencePage } from "./reference/page.tsx";
import { describeWebhooks } from "./reference/webhooks.tsx";

export function docs(app: OpenAPIHono<AppEnv>) {
  const router = newRouter();
  describeWebhooks(app);
  let made: Document | undefined;
  const documentFor = (origin: string): Document => {
    // What the schemas say does not change while an isolate lives; only where it is served does.
    made ??= openApiDocument(app, "") as unknown as Document;
    return { ...made, servers: [{ url: origin }] };
  };

  router.get("/openapi.json", (c) => c.json(documentFor(originOf(c))));

  // For everyone; whoever is signed in keeps the frame they came with.
  router.get("/docs", async (c) => {
    c.header("x-robots-tag", "noindex");
    return sendPage(c, <ReferencePage document={documentFor(originOf(c))} frame={await frameOrNone(c)} />);
  });
  return router;
}

function originOf(c: Context<AppEnv>): string {
  return c.get("config").publicOrigin ?? new URL(c.req.url).origin;
}

/** The reference is there for a stranger, and so also when the database cannot say who it is. */
export async function frameOrNone(c: Context<AppEnv>): Promise<Frame | null> {
  try {
    const member = await memberOf(c);
    if (member === null) return null;
    c.set("caller", member);
    return await frameOf(c);
  } catch (error) {
    log.error("read-failed", error, { what: "frame", request: c.get("requestId") });
    return null;
  }
}
