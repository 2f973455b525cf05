/** What pages load, all of it from here: `/assets/…` and `/favicon.svg`. The address of each names its content. */
import { contentTag } from "../../../http/content-tag.ts";
import { newRouter } from "../../../http/router.ts";
import { APPROVE_STYLE } from "../../approve/style.ts";
import { DIGEST } from "./digest.ts";
import { ICONS, MANIFEST } from "./installed.ts";
import { LEFT } from "./left.ts";
import { COPY, LIVE } from "./live.ts";
import { PASSKEYS } from "./passkeys.ts";
import { PUSH, PUSH_WORKER, PUSH_WORKER_PATH } from "./push.ts";
import { STYLE } from "./style.ts";
import { STYLE_PARTS } from "./style-parts.ts";

/** Two strokes over one line: what one hand wrote, another signed. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#16161a"/><path d="M7 23h18" stroke="#8b8b96" stroke-width="2" stroke-linecap="round"/><path d="M8 14l5 5L22 7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M19 19l5-7" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;

const ASSETS = {
  "/assets/style.css": ["text/css; charset=utf-8", STYLE + STYLE_PARTS + APPROVE_STYLE],
  "/assets/live.js": ["text/javascript; charset=utf-8", LIVE],
  "/assets/left.js": ["text/javascript; charset=utf-8", LEFT],
  "/assets/digest.js": ["text/javascript; charset=utf-8", DIGEST],
  "/assets/copy.js": ["text/javascript; charset=utf-8", COPY],
  "/assets/passkeys.js": ["text/javascript; charset=utf-8", PASSKEYS],
  "/assets/push.js": ["text/javascript; charset=utf-8", PUSH],
  "/favicon.svg": ["image/svg+xml", FAVICON],
} as const;
export type Asset = keyof typeof ASSETS;

const tags = new Map(Object.entries(ASSETS).map(([path, [, text]]) => [path, contentTag(text)]));

/** The address of an asset, new whenever its content is. */
export function assetUrl(path: Asset): string {
  return `${path}?v=${tags.get(path)}`;
}

export const assets = newRouter();
for (const [path, [type, text]] of Object.entries(ASSETS))
  assets.get(path, (c) => {
    const current = c.req.query("v") === tags.get(path);
    return c.body(text, 200, {
      "content-type": type,
      "cache-control": current ? "public, max-age=31536000, immutable" : "public, max-age=300",
    });
  });

// A browser asks for its worker by this one address, and has to see at once when there is a newer one.
assets.get(PUSH_WORKER_PATH, (c) =>
  c.body(PUSH_WORKER, 200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" }),
);

// These are named by the manifest, which a phone keeps: their addresses stay.
assets.get("/manifest.webmanifest", (c) =>
  c.body(MANIFEST, 200, {
    "content-type": "application/manifest+json",
    "cache-control": "public, max-age=300",
  }),
);
for (const [path, bytes] of Object.entries(ICONS))
  assets.get(path, (c) =>
    c.body(bytes, 200, { "content-type": "image/png", "cache-control": "public, max-age=86400" }),
  );
