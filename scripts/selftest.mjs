/**
 * `npm run selftest`: pages that hide canaries for your own agent, and a check of what it did with them. Exit code of a
 * check: 0 when no canary's effect ran, 1 when one did, 2 when it cannot be judged.
 */
import { createReadStream, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { aborted, Complaint, dim, green, run, say, stopSignal } from "./lib/say.mjs";
import { Check, readCallLog } from "./lib/selftest/check.mjs";
import {
  credentialOf,
  downloadLedger,
  originOf,
  readLedgerFile,
  sessionsSince,
} from "./lib/selftest/download.mjs";
import { cleanUp, defaultFolder, runIn, setUp, textOf } from "./lib/selftest/folder.mjs";
import { USAGE } from "./lib/selftest/help.mjs";
import { linesOf } from "./lib/selftest/ledger.mjs";
import { memoryPlaces } from "./lib/selftest/left.mjs";
import { MAX_MANIFEST_BYTES, readManifest } from "./lib/selftest/manifest.mjs";
import { printComparison, printPrompts, printResult } from "./lib/selftest/print.mjs";
import { readResult } from "./lib/selftest/results.mjs";
import { addressOf, servePages } from "./lib/selftest/serve.mjs";

const DEFAULT_PORT = "8790";

const COMMANDS = {
  async setup({ dir, replace, serve: serves, ...rest }) {
    if (replace) cleanUp(dir);
    const manifest = setUp(dir);
    if (serves) return serve({ dir, ...rest });
    return tell(dir, manifest, null);
  },
  prompts: ({ dir }) => tell(dir, runIn(dir), null),
  serve,
  check,
  compare({ files: [before, after, more] }) {
    if (after === undefined || more !== undefined)
      throw new Complaint("Name two results: compare before.json after.json");
    return printComparison(readResult(before), readResult(after));
  },
  clean({ dir }) {
    const { removed, kept } = cleanUp(dir);
    say(`${green("✓")} ${removed} files were removed from ${dir}.`);
    if (kept.length > 0)
      say(`  Kept, since the self-test did not make them: ${kept.slice(0, 10).join(", ")}`);
  },
};

let failed = true;
await run(async () => {
  const code = await main();
  failed = false;
  return code;
});
// 1 says that a canary ran.
if (failed && process.exitCode === 1) process.exitCode = 2;

async function main() {
  const given = process.argv.slice(2);
  // Before anything is printed of it: a command line is read by other users and kept by shells.
  if (given.some((text) => /cs_(?:live|mses|link)_/.test(text)))
    throw new Complaint(
      "A credential stands on the command line. Put it into COUNTERSIGN_KEY or COUNTERSIGN_COOKIE, and have it replaced.",
    );
  const { values, positionals } = parsed(given);
  if (values.help) return say(USAGE);
  const [name = "setup", ...files] = positionals;
  if (!Object.hasOwn(COMMANDS, name))
    throw new Complaint(`There is no "${name}". See: npm run selftest -- --help`);
  return COMMANDS[name]({ ...values, dir: resolve(values.dir ?? defaultFolder()), files });
}

function parsed(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        dir: { type: "string" },
        replace: { type: "boolean" },
        serve: { type: "boolean" },
        port: { type: "string", default: DEFAULT_PORT },
        session: { type: "string", multiple: true, default: [] },
        origin: { type: "string" },
        file: { type: "string", multiple: true, default: [] },
        calls: { type: "string" },
        manifest: { type: "string" },
        memory: { type: "string", multiple: true, default: [] },
        out: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new Complaint(`${error.message.split(". ", 1)[0]}. See: npm run selftest -- --help`);
  }
}

function tell(dir, manifest, origin) {
  const refs = manifest.pages.map((page) =>
    origin === null ? join(dir, page.file) : addressOf(origin, page),
  );
  printPrompts({ manifest, refs, dir });
}

async function serve({ dir, port }) {
  const manifest = runIn(dir);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Complaint(`"${port}" is not a port.`);
  const stopped = stopSignal();
  const server = await servePages(dir, manifest, Number(port)).catch((error) => {
    throw new Complaint(`Port ${port} cannot be listened on (${error.code}). Take another: --port`);
  });
  tell(dir, manifest, server.origin);
  say(`  ${dim(`The pages are at ${server.origin} for this machine alone. Stop with Ctrl-C.`)}\n`);
  await aborted(stopped);
  await server.stop();
}

async function check({ dir, session, origin, file, calls, manifest: elsewhere, memory, out }) {
  // A manifest from elsewhere: its folder is not on this machine.
  const manifest = elsewhere === undefined ? runIn(dir) : manifestAt(elsewhere);
  const sessions = session.flatMap((text) => text.split(",")).filter((id) => id !== "");
  if (sessions.length + file.length === 0 && origin === undefined)
    throw new Complaint("Say where the record is: --origin http://localhost:8787, or --file export.jsonl");
  const log = calls === undefined ? undefined : await readCallLog(linesOf(readable(calls)));
  const checking = new Check(manifest, log);
  const take = (entry) => checking.take(entry);
  if (sessions.length + file.length === 0) {
    const [at, headers] = [originOf(origin), credentialOf(process.env)];
    const waits = () => say(dim("  Waiting until search knows the last calls …"));
    for (const id of await sessionsSince(at, Date.parse(manifest.made_at), headers, { waits })) {
      const entries = [];
      const report = await downloadLedger(at, id, headers, (entry) => entries.push(entry));
      if (!entries.some((entry) => checking.concerns(entry))) continue;
      sessions.push(id);
      for (const entry of entries) take(entry);
      checking.ended(report, id);
    }
    if (sessions.length === 0)
      throw new Complaint(
        "No conversation of this run is recorded there. Does the agent ask this Countersign, with this key? Or name a conversation: --session",
      );
    const listed = sessions.join(", ").replace(/[^\x20-\x7e]+/g, " ");
    say(`\n  Conversations of this run: ${sessions.length} ${dim(`(${listed})`)}`);
  } else if (sessions.length > 0) {
    if (origin === undefined) throw new Complaint("Say where: --origin http://localhost:8787");
    const [at, headers] = [originOf(origin), credentialOf(process.env)];
    for (const id of sessions) checking.ended(await downloadLedger(at, id, headers, take), id);
  }
  for (const path of file) checking.ended(await readLedgerFile(path, take), path);
  const local = elsewhere === undefined;
  const result = checking.finish({
    sessions,
    folder: local ? dir : null,
    memory: [...memory, ...(local ? memoryPlaces() : [])],
  });
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(result, null, 2)}\n`);
  return printResult(result);
}

function manifestAt(path) {
  const text = textOf(path, MAX_MANIFEST_BYTES);
  if (text === null) throw new Complaint(`${path} cannot be read.`);
  return readManifest(text, path);
}

async function* readable(path) {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new Complaint(`${path} cannot be read (${error.code ?? "error"}).`);
  }
}
