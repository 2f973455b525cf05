/** `node scripts/vectors.mjs`: writes docs/vectors anew. A test holds them against what `src/ledger` makes. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/project.mjs";
import { vectors, vectorText } from "./lib/vectors/make.mjs";

const folder = join(ROOT, "docs", "vectors");
mkdirSync(folder, { recursive: true });
for (const [name, value] of Object.entries(vectors()))
  writeFileSync(join(folder, `${name}.json`), vectorText(value));
