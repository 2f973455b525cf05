/** `/verify`, where anybody checks a file in the browser, and `/docs/ledger`, which says what is checked. */
import type { Context } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { Problem } from "../errors.ts";
import type { AppEnv } from "../http/context.ts";
import { newRouter } from "../http/router.ts";
import { sendPage } from "./dashboard/layout.tsx";
import { frameOrNone } from "./docs.tsx";
import { LedgerPage } from "./docs-ledger/page.tsx";
import { VerifyPage } from "./verify/page.tsx";
import { LEDGER, SERVED_PATH, servedFile } from "./verify/served.ts";

/**
 * Headers of `/verify`: around those of all pages. The page can send nothing anywhere, so that a file which is checked
 * stays where it is, whatever a script of ours did.
 */
export const nothingLeaves = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
});

export const verifyPages = newRouter();

// Nobody is asked who they are: a stranger checks a record without telling us that they do.
verifyPages.get("/verify", (c) => sendPage(c, <VerifyPage origin={originOf(c)} />));

verifyPages.get("/docs/ledger", async (c) =>
  sendPage(c, <LedgerPage text={LEDGER} frame={await frameOrNone(c)} />),
);

verifyPages.get(SERVED_PATH, (c) => {
  const file = servedFile(c.req.param("tag"), c.req.param("path"));
  if (file === null) throw new Problem("not-found", "There is no such file. See /verify.");
  return c.body(file.text, 200, {
    "content-type": file.type,
    "cache-control": "public, max-age=31536000, immutable",
  });
});

function originOf(c: Context<AppEnv>): string {
  return c.get("config").publicOrigin ?? new URL(c.req.url).origin;
}
