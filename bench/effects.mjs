/**
 * What reading a shell command costs as it grows, for ordinary text and for text meant to cost; and, where the labelled
 * cases lie beside the project, how the reader compares with cc-safety-net on them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORPORA } from "../scripts/lib/project.mjs";
import { effectsOf } from "../src/policy/effects/index.ts";
import { median, paired, rounds, table } from "./measure.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const SIZES = [1, 4, 16, 64];
/** Kilobytes past which a command is refused, and only searched for names. */
const LONGEST_READ = 16;
/** How the time may grow where the text does: 1 is linear, 2 is quadratic. */
const STEEPEST = 1.25;
const CONTEXT = {
  environment: { home: "/home/u", cwd: "/home/u/work", variables: {}, os: "linux" },
  self: { hosts: [], variables: [] },
};

/** What a text begins with, what is repeated until its size is reached (a function of its turn), and how it ends. */
const SCRIPT = [
  "",
  "cd src && rg -n 'TODO' . | head -20\ncp notes.md /tmp/notes.md && sed -i 's/a/b/' notes.md\n",
];
const BASELINE = "ordinary script";
const ORDINARY = {
  [BASELINE]: SCRIPT,
  "the same again": SCRIPT,
  "one long here-document": ["cat > a.txt <<'E'\n", "a line of prose, with a path /srv/x\n", "E\n"],
  "programs of the project": ["", "cd src && make\n"],
  "many files": ["", "rm -f build/a.js 'b c.txt' ~/x.md\n"],
};
const HOSTILE = {
  "open substitutions": ["", "$("],
  "open quotes": ["", "'\""],
  "open braces": ["echo ", "{a,"],
  "pairs of braces": ["", "echo {a,b}{c,d} "],
  backticks: ["", "`"],
  "one long pattern": ["rm ", "*a?[b]"],
  "code for a program": ["", "python3 -c 'open(\"/a/b\")' ;"],
  "functions that call themselves": ["", "f() { f; rm a; }; f;"],
  "a function each": ["", (n) => `f${n}() { rm a${n}; };`],
  "a variable each": ["", (n) => `v${n}=x;`],
  "a value that grows": ["", "a=x$a;rm $a;"],
  "one long value, used often": (kilobytes) => [`a=${"x/".repeat(90 * kilobytes)};`, "rm $a;"],
  "a link each": ["", (n) => `ln -s a${n} b${n};rm b${n}/c;`],
  "in and out of folders": ["", "cd a/..;rm b;"],
};

export async function run() {
  const flat = growth();
  const ahead = await comparison();
  return flat && ahead;
}

/** Prints what every text costs at every size. Returns whether it grows no faster than the text. */
function growth() {
  const texts = { ...ORDINARY, ...HOSTILE };
  const names = Object.keys(texts);
  const runs = names.flatMap((name) =>
    SIZES.map((size) => {
      const command = filled(texts[name], size);
      return () => read(command);
    }),
  );
  const times = rounds(runs, { count: ROUNDS, leastMs: 10 });
  const timesOf = (name, size) => times[names.indexOf(name) * SIZES.length + SIZES.indexOf(size)];
  const baseline = timesOf(BASELINE, LONGEST_READ);
  const steep = [];
  const rowOf = (name) => {
    const slope = slopeOf((size) => timesOf(name, size));
    const against = SIZES.slice(-2).map(
      (size) => (paired(timesOf(name, size), baseline) * LONGEST_READ) / size,
    );
    // Past the longest that is read, less is done for each byte, and none may cost more than in an ordinary script.
    const flat = slope <= STEEPEST && against[1] <= 1;
    if (!flat) steep.push(name);
    return [
      name,
      ...SIZES.map((size) => (median(timesOf(name, size)) / size).toFixed(3)),
      ...against.map((ratio) => ratio.toFixed(2)),
      slope.toFixed(2),
      flat ? "flat" : "steep",
    ];
  };
  console.log(
    `Reading one command, ms per KB, median of ${ROUNDS} rounds. Past ${LONGEST_READ} KB only names are looked for. "16/o" and` +
      `\n"64/o" are the last two as ratios to the ordinary script at ${LONGEST_READ} KB; "slope" is the steeper of 1 to 4 and 4 to\n16 KB, where 1 is linear and 2 quadratic.\n`,
  );
  table([
    ["", ...SIZES.map((size) => `${size} KB`), "16/o", "64/o", "slope", ""],
    ...Object.keys(ORDINARY).map(rowOf),
    ["meant to cost"],
    ...Object.keys(HOSTILE).map(rowOf),
  ]);
  console.log(
    steep.length
      ? `\nnot flat: ${steep.join(", ")}; a slope up to ${STEEPEST} is asked for`
      : `\nok: no slope above ${STEEPEST}, and past ${LONGEST_READ} KB no text dearer per KB than the ordinary script`,
  );
  return steep.length === 0;
}

/** Whole repetitions only: half a line at the end would be no script, and cheap to refuse. */
function filled(text, kilobytes) {
  const [head, repeated, tail = ""] = typeof text === "function" ? text(kilobytes) : text;
  const size = kilobytes * 1024 - tail.length;
  let command = head;
  for (let n = 0; ; n += 1) {
    const next = typeof repeated === "string" ? repeated : repeated(n);
    if (command.length + next.length > size) return command + tail;
    command += next;
  }
}

/** The exponent of the whole cost from one size to the next, whichever is the steepest among those that are read. */
function slopeOf(timesAt) {
  const sizes = SIZES.filter((size) => size <= LONGEST_READ);
  return Math.max(
    ...sizes.slice(1).map((size, at) => {
      const step = Math.log(size / sizes[at]);
      return paired(timesAt(size), timesAt(sizes[at]), (a, b) => Math.log(a / b) / step);
    }),
  );
}

function read(command, environment = CONTEXT.environment) {
  return effectsOf({ tool: "terminal", args: { command } }, { ...CONTEXT, environment });
}

/** Prints our reading beside cc-safety-net's. Returns whether ours is ahead in all, or that there is nothing to compare. */
async function comparison() {
  const file = join(CORPORA, "shell/cases.jsonl");
  if (!existsSync(file)) {
    console.log(
      "\nNo labelled commands beside the project (CORPORA names their folder), so nothing is compared.",
    );
    return true;
  }
  const other = await safetyNet();
  if (other === null) {
    console.log("\ncc-safety-net is not installed, so nothing is compared.");
    return true;
  }
  const cases = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  try {
    return compare(cases, other.readers);
  } finally {
    other.stop();
  }
}

function compare(cases, others) {
  const deletes = cases.filter((one) => one.expect.actions.some(({ verb }) => verb === "delete"));
  const benign = cases.filter((one) => one.source_kind === "benign");
  const readers = [OURS, { ...OURS, name: "the same again" }, ...others];
  const times = rounds(
    readers.map((reader) => () => cases.forEach(reader.notices)),
    // Long enough that nobody pays for more than the garbage of their own.
    { count: ROUNDS, leastMs: 300 },
  );
  const found = readers.map((reader, at) => ({
    ratio: paired(times[at], times[0]),
    noticed: deletes.filter(reader.notices).length,
    flagged: benign.filter(reader.flags).length,
  }));
  const share = (count, all) => `${count} of ${all.length} (${((100 * count) / all.length).toFixed(1)} %)`;
  console.log(`\n${cases.length} labelled commands, median of ${ROUNDS} rounds\n`);
  table([
    ["", "ms per command", "ratio", "deletions noticed", "harmless flagged"],
    ...found.map(({ ratio, noticed, flagged }, at) => [
      readers[at].name,
      (median(times[at]) / cases.length).toFixed(3),
      ratio.toFixed(2),
      share(noticed, deletes),
      share(flagged, benign),
    ]),
  ]);
  const named = deletes.filter((one) => namesDeletion(readCase(one))).length;
  console.log(
    `\nOurs names ${named} of the deletions; of whatever else it notices it says that it cannot know. The two answer different\n` +
      "questions: ours says what a command would do, so that an oath can decide; theirs denies what is dangerous in general\n" +
      "and lets pass what it takes for ordinary. Its scope is narrower than ours.",
  );
  const [ours, , ...theirs] = found;
  const ahead = theirs.every(
    (one) => one.ratio > 1 && one.noticed < ours.noticed && one.flagged > ours.flagged,
  );
  console.log(
    `\n${ahead ? "ok: ahead" : "not ahead"} in time, deletions noticed and harmless commands flagged`,
  );
  return ahead;
}

const readCase = ({ command, cwd, home }) => read(command, { ...CONTEXT.environment, cwd, home });
const namesDeletion = ({ actions }) => actions.some(({ verb }) => verb === "delete");

const OURS = {
  name: "countersign",
  /** A deletion that is said, or an admission that something is not known. */
  notices(one) {
    const reading = readCase(one);
    return reading.opaque !== null || namesDeletion(reading);
  },
  flags(one) {
    const { actions, opaque } = readCase(one);
    return opaque !== null || actions.length > 0;
  },
};

/** cc-safety-net at each of its levels, kept from the settings of whoever runs this; `null` without it. */
async function safetyNet() {
  const api = await import("cc-safety-net/api").catch(() => null);
  if (api === null) return null;
  const { version } = (await import("cc-safety-net/package.json", { with: { type: "json" } })).default;
  // It refuses every command of a directory that does not exist, so that it is given one.
  const cwd = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const kept = Object.entries(process.env).filter(([name]) => /SAFETY_NET_/.test(name));
  for (const [name] of kept) delete process.env[name];
  process.env.CC_SAFETY_NET_HOME = cwd;
  const readers = ["standard", "strict", "paranoid"].map((level) => {
    const denies = ({ command }) => {
      process.env.CC_SAFETY_NET_LEVEL = level;
      return api.checkCommand({ command, cwd }).kind === "deny";
    };
    return { name: `cc-safety-net ${version}, ${level}`, notices: denies, flags: denies };
  });
  const stop = () => {
    for (const name of ["CC_SAFETY_NET_HOME", "CC_SAFETY_NET_LEVEL"]) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(kept));
    rmSync(cwd, { recursive: true, force: true });
  };
  return { readers, stop };
}
