/** What is held besides the tests. Each check counts as one test, and says what to do when it fails. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { CORPORA, NODE, path, ROOT } from "./project.mjs";
import { runTool } from "./tools.mjs";

const LIMIT_MS = 120_000;
const SHOWN_LINES = 60;

/** @type {readonly {name: string, check: (stopped?: AbortSignal) => string | null | Promise<string | null>}[]} a check answers what is wrong, or `null` */
export const CHECKS = [
  { name: "the lock file fits package.json and names no place to download from", check: lockFile },
  { name: "one workerd is installed", check: oneWorkerd },
  {
    name: "format and lint",
    check: (stopped) => tool("@biomejs/biome/bin/biome", ["check", "--diagnostic-level=error", "."], stopped),
  },
  { name: "types", check: (stopped) => tool("typescript/bin/tsc", ["--noEmit"], stopped) },
  {
    name: "worker-configuration.d.ts fits wrangler.toml (npm run types)",
    check: (stopped) => tool("wrangler/wrangler-dist/cli.js", ["types", "--check"], stopped),
  },
  { name: "migrations only add", check: additiveMigrations },
  { name: "migrations fit src/db/schema.ts (npm run migrations)", check: currentMigrations },
  // The corpora are no part of the project: where they stand beside it, no change may read them worse.
  ...(existsSync(CORPORA)
    ? [{ name: "the labelled corpora are judged as asked (npm run score)", check: corpora }]
    : []),
];

function corpora() {
  const { status, stdout, stderr } = spawnSync(NODE, [path("scripts", "score.mjs")], {
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  return status === 0 ? null : `${stdout}${stderr}`;
}

/** A lock that names hosts ties everyone to them; one that is behind makes `npm ci` refuse. */
function lockFile() {
  const manifest = json("package.json");
  const { packages } = json("package-lock.json");
  for (const kind of ["dependencies", "devDependencies"])
    if (JSON.stringify(sorted(manifest[kind])) !== JSON.stringify(sorted(packages[""][kind])))
      return `${kind} differ. Run npm install.`;
  const named = Object.keys(packages).find((name) => packages[name].resolved !== undefined);
  return named === undefined
    ? null
    : `${named} names where it was downloaded from. Run npm install with the project's .npmrc.`;
}

/** Two runtimes are 120 MB more, and tests that run on another one than the Worker. */
function oneWorkerd() {
  const found = Object.keys(json("package-lock.json").packages).filter((name) =>
    /(^|\/)node_modules\/workerd$/.test(name),
  );
  return found.length === 1
    ? null
    : `found ${found.join(", ") || "none"}. Pin wrangler to the version that the vitest plugin depends on.`;
}

/** D1 ignores `PRAGMA foreign_keys`, so that dropping a table to rebuild it deletes the rows that refer to it. */
function additiveMigrations() {
  for (const name of readdirSync(path("migrations")).filter((file) => file.endsWith(".sql"))) {
    const found = /DROP\s+TABLE|foreign_keys/i.exec(readFileSync(path("migrations", name), "utf8"));
    if (found !== null)
      return `${name} holds ${found[0]}: on D1 that deletes rows of other tables. Add columns and tables only.`;
  }
  return null;
}

async function currentMigrations(stopped) {
  const inOrder = await tool(
    "drizzle-kit/bin.cjs",
    ["check", "--dialect", "sqlite", "--out", "migrations"],
    stopped,
  );
  if (inOrder !== null) return inOrder;
  const folder = mkdtempSync(join(tmpdir(), "countersign-migrations-"));
  try {
    cpSync(path("migrations"), folder, { recursive: true });
    const before = readdirSync(folder).length;
    // drizzle-kit takes a path from here only, and would ask about a renamed column: without a terminal it fails.
    const out = relative(ROOT, folder);
    const schema = path("src", "db", "schema.ts");
    const generated = await tool(
      "drizzle-kit/bin.cjs",
      ["generate", "--dialect", "sqlite", "--schema", schema, "--out", out],
      stopped,
    );
    if (generated !== null) return generated;
    return readdirSync(folder).length === before
      ? null
      : "the schema has changed. Run npm run migrations and read what it writes.";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a tool printed when it failed, or `null`. */
async function tool(program, args, stopped) {
  const { code, output, late } = await runTool(program, args, { stopped, limitMs: LIMIT_MS });
  if (late) return `still at work after ${LIMIT_MS / 1000} seconds, and ended`;
  if (code === 0) return null;
  const lines = output.trim().split("\n");
  const more = lines.length > SHOWN_LINES ? [`… and ${lines.length - SHOWN_LINES} more lines`] : [];
  return [...lines.slice(0, SHOWN_LINES), ...more].join("\n") || `exit code ${code}`;
}

function json(name) {
  return JSON.parse(readFileSync(path(name), "utf8"));
}

function sorted(object = {}) {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}
