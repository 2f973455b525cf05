/**
 * `node bench/effects.mjs`: what reading a shell command costs as it grows, for ordinary text and for text meant to cost;
 * and, where the labelled cases lie beside the project, how the reader compares with cc-safety-net on them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { effectsOf } from "../src/policy/effects/index.ts";

const SIZES = [1, 4, 16, 64];
/** Kilobytes past which a command is refused, and only searched for names. */
const LONGEST_READ = 16;
const CASES = join(
  process.env.CORPORA ?? join(import.meta.dirname, "../../shared/corpora"),
  "shell/cases.jsonl",
);
const CONTEXT = {
  environment: { home: "/home/u", cwd: "/home/u/work", variables: {}, os: "linux" },
  self: { hosts: [], variables: [] },
};

/** What is repeated until the size is reached. */
const TEXTS = {
  "ordinary script":
    "cd src && rg -n 'TODO' . | head -20\ncp notes.md /tmp/notes.md && sed -i 's/a/b/' notes.md\n",
  "one long heredoc": null,
  "unseen program last": "cd src && make\n",
  "many files": "rm -f build/a.js 'b c.txt' ~/x.md\n",
  "open substitutions": "$(",
  "open quotes": "'\"",
  braces: "echo {a,b}{c,d} ",
  "moves and links": "cd a; ln -s b c; rm c/d;",
  "code for a program": "python3 -c 'open(\"/a/b\")' ;",
  functions: "f() { f; rm a; }; f;",
};

function filled(text, kilobytes) {
  const size = kilobytes * 1024 - 16;
  if (text === null)
    return `cat > a.txt <<'E'\n${"a line of prose, with a path /srv/x\n".repeat(size / 35)}E\n`;
  // Whole repetitions: half a line at the end would be no script, and cheap to refuse.
  return text.repeat(Math.floor(size / text.length));
}

function read(command, context = CONTEXT) {
  return effectsOf({ tool: "terminal", args: { command } }, context);
}

/** Milliseconds for one run: the least of several, so that a busy machine counts for little. */
function cost(run) {
  let least = Number.POSITIVE_INFINITY;
  const until = performance.now() + 400;
  for (let round = 0; round < 3 || (round < 50 && performance.now() < until); round++) {
    const started = performance.now();
    run();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

function table(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  for (const row of rows)
    console.log(
      row.map((cell, at) => (at ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join("   "),
    );
}

/** How the whole cost grows with the size: 1 is linear, 2 is quadratic. Fitted over the sizes that are read. */
function slope(costs) {
  const points = costs
    .map((ms, at) => [Math.log(SIZES[at]), Math.log(ms)])
    .filter((_, at) => SIZES[at] <= LONGEST_READ);
  const mean = (index) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

console.log("Reading one command, ms per KB; past 16 KB only names are looked for\n");
const rows = [["", ...SIZES.map((size) => `${size} KB`), "slope"]];
for (const [name, text] of Object.entries(TEXTS)) {
  const costs = SIZES.map((size) => {
    const command = filled(text, size);
    return cost(() => read(command));
  });
  rows.push([name, ...costs.map((ms, at) => (ms / SIZES[at]).toFixed(3)), slope(costs).toFixed(2)]);
}
table(rows);

if (!existsSync(CASES)) {
  console.log("\nNo labelled cases beside the project, so nothing is compared.");
  process.exit(0);
}
const other = await import("cc-safety-net/api").catch(() => null);
if (other === null) {
  console.log("\ncc-safety-net is not installed, so nothing is compared.");
  process.exit(0);
}

const present = mkdtempSync(join(tmpdir(), "countersign-bench-"));
process.on("exit", () => rmSync(present, { recursive: true, force: true }));
const cases = readFileSync(CASES, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const deletes = cases.filter((one) => one.expect.actions.some(({ verb }) => verb === "delete"));
const benign = cases.filter((one) => one.source_kind === "benign");
const readers = {
  countersign: {
    /** A deletion that is said, or an admission that something is not known. */
    notices(one) {
      const { actions, opaque } = readCase(one);
      return opaque !== null || actions.some(({ verb }) => verb === "delete");
    },
    flags(one) {
      const { actions, opaque } = readCase(one);
      return opaque !== null || actions.length > 0;
    },
  },
  "cc-safety-net": { notices: denies, flags: denies },
};

function readCase({ command, cwd, home }) {
  return read(command, { ...CONTEXT, environment: { ...CONTEXT.environment, cwd, home } });
}

/** It refuses every command of a directory that does not exist, so that it is given one. */
function denies({ command }) {
  return other.checkCommand({ command, cwd: present }).kind === "deny";
}

console.log(
  `\n${cases.length} labelled commands: ${deletes.length} delete something, ${benign.length} are harmless\n`,
);
const share = (found, all) => `${found} of ${all} (${((100 * found) / all).toFixed(1)} %)`;
table([
  ["", "ms per command", "deletions noticed", "harmless flagged"],
  ...Object.entries(readers).map(([name, reader]) => [
    name,
    (cost(() => cases.forEach(reader.notices)) / cases.length).toFixed(3),
    share(deletes.filter(reader.notices).length, deletes.length),
    share(benign.filter(reader.flags).length, benign.length),
  ]),
]);
console.log(
  "\nThe two answer different questions: ours says what a command would do, so that an oath can decide; theirs denies what" +
    "\nis dangerous in general, and lets deletions pass that it takes for ordinary, such as of temporary files.",
);
