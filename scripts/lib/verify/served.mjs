/**
 * `node scripts/lib/verify/served.mjs`: writes src/routes/verify/served.json, the files that the Worker serves as they
 * are. They are texts to it, never modules of its own; a test holds the copy against the files.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../project.mjs";

export const SERVED = join(ROOT, "src/routes/verify/served.json");

/** The text of `served.json`: each file by its path in the project. */
export function servedText() {
  const verifier = readdirSync(join(ROOT, "integrations/verify"))
    .filter((name) => name.endsWith(".mjs"))
    .sort()
    .map((name) => `integrations/verify/${name}`);
  const paths = [
    "docs/ledger.md",
    ...verifier,
    "scripts/lib/verify/judge.mjs",
    "src/routes/verify/page.mjs",
    "src/routes/verify/style.css",
  ];
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
  return `${JSON.stringify(files, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(SERVED, servedText());
