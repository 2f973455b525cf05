#!/usr/bin/env node
/**
 * `npx countersign-verify FILE…`: checks exports, receipts, checkpoints, and bytes with a timestamp proof beside them.
 * Offline, with nothing but what stands in integrations/verify; Node 20 or newer. docs/ledger.md says what is checked.
 */
import { parseArgs } from "node:util";
import { keyOf } from "../integrations/verify/signed.mjs";
import { fileAt, proofAt, reading, textOf } from "./lib/verify/files.mjs";
import {
  exitCodeOf,
  headersOf,
  judgeFile,
  judgeLoneProof,
  keysOf,
  lineOf,
  newRun,
  Refused,
  resultLine,
  visible,
} from "./lib/verify/judge.mjs";

const USAGE = `countersign-verify FILE…: checks exports of a chain or of everything, receipts, checkpoints, and bytes beside
whose file a .ots proof stands.

  --keys FILE|URL       keys that you trust, from elsewhere than the file: one a line, or what
                        https://HOST/.well-known/countersign/ORGANIZATION/keys answers
  --header HEIGHT:HEX   a Bitcoin block header, 80 bytes as hex; may be given several times
  --headers FILE        the same, one a line

Nothing is sent anywhere; only an address after --keys is asked. Checkpoints are read first: exports are held against
their heads, and an export that no head seals is said to be so. What contradicts another file of the same run is broken. Exit code: 0 everything holds, 1 a check failed, 2 something is pending, 3 a file could not be read.
`;
const UNREADABLE = 3;

// A reader who has gone away has seen enough.
process.stdout.on("error", () => process.exit(UNREADABLE));
process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const print = (text) => process.stdout.write(`${text}\n`);
  let asked;
  let given;
  try {
    asked = argumentsOf(args);
    if (asked === null) {
      process.stdout.write(USAGE);
      return 0;
    }
    given = await givenOf(asked.values);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.stderr.write(`${visible(error.message)}\n`);
    return UNREADABLE;
  }
  const results = [];
  const heads = [];
  let compared = true;
  const run = newRun();
  for (const path of await inOrder(asked.paths)) {
    print(results.length === 0 ? visible(path) : `\n${visible(path)}`);
    const judged = await judgedAt(path, { ...given, heads, compared, run });
    for (const line of judged.lines) print(lineOf(line));
    print(resultLine(judged));
    // One by one: a checkpoint may bring a million.
    for (const head of judged.heads) heads.push(head);
    if (judged.heads.length > 0 && !judged.compared) compared = false;
    results.push(judged.result);
  }
  return exitCodeOf(results);
}

function argumentsOf(args) {
  const several = { type: "string", multiple: true, default: [] };
  let read;
  try {
    read = parseArgs({
      args,
      allowPositionals: true,
      options: { keys: several, header: several, headers: several, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    throw new Refused(`${error.message}\n`.split("\n", 1)[0]);
  }
  if (read.values.help) return null;
  if (read.positionals.length === 0) throw new Refused("Name a file to check. --help says more.");
  return { paths: read.positionals, values: read.values };
}

async function givenOf({ keys: places, header, headers: files }) {
  const keys = [];
  for (const place of places)
    await naming(`--keys ${place}`, async () => {
      for (const [i, key] of keysOf(await textOf(place)).entries()) {
        await keyOf(key, null).catch(() => {
          throw new Refused(`key ${i + 1} is no verifier key`);
        });
        keys.push(key);
      }
    });
  const headers = {};
  for (const one of header)
    await naming(`--header ${one.slice(0, 24)}`, () => Object.assign(headers, headersOf(one)));
  for (const file of files)
    await naming(`--headers ${file}`, async () => Object.assign(headers, headersOf(await textOf(file))));
  return { keys, headers };
}

/** A refusal says what it is of. */
async function naming(what, run) {
  try {
    await run();
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${what}: ${error.message}`);
    throw error;
  }
}

/** Exports last: what other files seal is known by then. The others as they were named. */
async function inOrder(paths) {
  const exports = [];
  const others = [];
  for (const path of paths) {
    const head = await fileAt(path).then(
      (file) => Buffer.from(file.head.subarray(0, 9)).toString("latin1"),
      () => "",
    );
    (['{"hash":"', '{"kind":"'].includes(head) ? exports : others).push(path);
  }
  return [...others, ...exports];
}

async function judgedAt(path, given) {
  try {
    return await reading(async () => {
      if (path.endsWith(".ots")) {
        const proof = await proofAt(path);
        const bytes = await fileAt(path.slice(0, -".ots".length)).catch(() => null);
        if (proof === null) throw new Refused("there is no such file");
        return bytes === null ? judgeLoneProof(proof, given.headers) : judgeFile(bytes, given);
      }
      return judgeFile(await fileAt(path), given);
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const text = `unreadable \u2014 ${error.message}.`;
    return { lines: [], result: "unreadable", text, heads: [] };
  }
}
