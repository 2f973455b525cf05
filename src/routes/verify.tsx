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
import { LEDGER, SERVED_PATH, SERVED_SCRIPTS, servedFile, servedUrl } from "./verify/served.ts";

/** A source that a policy names by its whole path. A path alone would be no source, and 'self' is every path. */
const only =
  (...paths: readonly string[]) =>
  (c: Context): string =>
    paths.map((path) => new URL(path, c.req.url).href).join(" ");

/**
 * Headers of `/verify`: around those of all pages. The page may load its own files by their paths, and nothing else from
 * anywhere: it has no connection to send a file by, no form, no frame and no worker. Browsers pass over the query of an
 * address that a policy names, and no policy of theirs forbids peer connections; no script of ours uses either.
 */
export const nothingLeaves = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: [only("/assets/style.css", servedUrl("src/routes/verify/style.css"))],
    scriptSrc: [only(...SERVED_SCRIPTS)],
    imgSrc: [only("/favicon.svg")],
    workerSrc: ["'none'"],
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
