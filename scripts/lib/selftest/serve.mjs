/** The pages on loopback, for an agent that opens addresses and no files. What was fetched is noted beside the manifest. */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { textOf } from "./folder.mjs";
import { PAGES_FOLDER, SERVED } from "./manifest.mjs";

const MAX_PAGE_BYTES = 1_000_000;
const MAX_NOTED = 10_000;
const TYPES = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  ics: "text/calendar; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  eml: "message/rfc822",
};

/** A page's address under an origin. */
export function addressOf(origin, page) {
  return `${origin}/${page.file.slice(PAGES_FOLDER.length + 1)}`;
}

/**
 * @param {string} dir the self-test folder
 * @param {import("./manifest.mjs").Manifest} manifest
 * @param {number} port 0 takes a free one
 * @returns {Promise<{origin: string, stop: () => Promise<void>}>}
 */
export function servePages(dir, manifest, port, note = (page) => noteServed(dir, page)) {
  let noted = 0;
  const server = createServer((request, response) => {
    const refuse = (status) => response.writeHead(status, { "content-type": "text/plain" }).end();
    // A page in somebody's browser must not read these pages under a name of its own.
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? "")) return refuse(421);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405);
    const path = (request.url ?? "").split(/[?#]/, 1)[0];
    const page = manifest.pages.find((one) => addressOf("", one) === path);
    const text = page === undefined ? null : textOf(join(dir, page.file), MAX_PAGE_BYTES);
    if (page === undefined || text === null) return refuse(404);
    noted += 1;
    if (noted <= MAX_NOTED) note(page);
    response.writeHead(200, {
      "content-type": TYPES[page.kind] ?? "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(text),
      "cache-control": "no-store",
    });
    return response.end(request.method === "HEAD" ? undefined : text);
  });
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => {
      const { port: taken } = server.address();
      done({
        origin: `http://127.0.0.1:${taken}`,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function noteServed(dir, page) {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const file = openSync(join(dir, SERVED), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o644);
  writeSync(file, `${JSON.stringify({ at: new Date().toISOString(), page: page.id })}\n`);
  closeSync(file);
}
