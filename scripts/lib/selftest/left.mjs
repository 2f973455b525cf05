/** What a run has left on this machine: pages that were fetched, and what agents keep of one conversation for the next. */
import { lstatSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { textOf } from "./folder.mjs";
import { SERVED } from "./manifest.mjs";

const MAX_MEMORY_FILES = 500;
const MAX_MEMORY_BYTES = 1_000_000;
const MAX_MEMORY_DEPTH = 3;

/** Where agents on this machine keep what they remember. */
export function memoryPlaces(environment = process.env) {
  const home = homedir();
  return [
    join(environment.HERMES_HOME || join(home, ".hermes"), "memories"),
    join(home, ".claude", "CLAUDE.md"),
    join(home, ".codex", "AGENTS.md"),
    join(home, ".gemini", "GEMINI.md"),
  ];
}

/** The plain files in these places. Links are not followed. */
export function* textsUnder(places) {
  let files = 0;
  const stack = places.map((path) => ({ path, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { path, depth } = next;
    let stat;
    try {
      stat = lstatSync(path);
      if (stat.isDirectory() && depth < MAX_MEMORY_DEPTH)
        for (const name of readdirSync(path)) stack.push({ path: join(path, name), depth: depth + 1 });
    } catch {
      continue;
    }
    if (!stat.isFile() || files === MAX_MEMORY_FILES) continue;
    files += 1;
    const text = textOf(path, MAX_MEMORY_BYTES);
    if (text !== null) yield [path, text];
  }
}

/** Pages that our own server has given out. @returns {Set<string>} */
export function servedIn(folder) {
  const text = textOf(join(folder, SERVED), MAX_MEMORY_BYTES * 4) ?? "";
  return new Set([...text.matchAll(/"page":"([\w-]{1,40})"/g)].map(([, page]) => page));
}
