import type { PathBound } from "../../../types.ts";
import { stripTree, UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { dropLeading, type Field, lastSegment, leading, literal, textField } from "../field.ts";
import { isGiven, isUnfinished, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { proveCopy } from "./copies.ts";
import { asTree, hasExtension } from "./destination.ts";
import type { Reading, Row } from "./row.ts";
import { tar } from "./tar.ts";

/** Archivers and compressors. */
export const ARCHIVE_ROWS: readonly Row[] = [
  { names: ["tar", "gtar", "bsdtar"], also: tar },
  { names: ["zip"], also: zip },
  { names: ["unzip"], values: "-d -P", also: unzip },
  {
    names: [
      "gzip",
      "gunzip",
      "bzip2",
      "bunzip2",
      "xz",
      "unxz",
      "lzma",
      "unlzma",
      "compress",
      "uncompress",
      "lz4",
      "unlz4",
    ],
    values: "-S --suffix -T --threads -M --memlimit -b",
    attached: "--best",
    flags: "--keep --stdout --decompress --force --recursive --test --list",
    also: compress,
  },
  {
    names: ["zstd", "unzstd", "pzstd"],
    values: "-D -T -M --threads --output-dir-flat --output-dir-mirror --patch-from --filelist",
    writes: "-o --trace",
    flags: "--keep --rm --stdout --decompress --force --test --list",
    also: compress,
  },
  { names: ["zcat", "bzcat", "xzcat", "zstdcat", "zless", "zmore", "zgrep", "zipinfo", "gzcat", "lzcat"] },
  { names: ["7z", "7za", "7zz", "7zr"], also: sevenZip },
  {
    names: ["cpio"],
    values: "-F -O -I -D -H -E -R -C --file --directory --format",
    writes: "-O",
    flags: "--extract --list --pass-through --create --no-absolute-filenames",
    executes: "--rsh-command",
    also: cpio,
  },
  { names: ["ar"], also: ar },
];

function zip(call: Reading): undefined {
  const { args, report, shell } = call;
  const options: string[] = [];
  const operands: Field[] = [];
  let filtered = false;
  for (let at = 0; at < args.length; at++) {
    const field = args[at] ?? [];
    const text = leading(field);
    if (text === "-" || !text.startsWith("-")) {
      operands.push(field);
      continue;
    }
    options.push(text);
    if (isUnfinished(field)) report.opaque("unknown-arguments");
    if (
      /^-(?:b|t|tt|n|P|s|O|TT|lf|Z|ws)$/.test(text) ||
      /^--(?:temp-path|password|suffixes|split-size|output-file|unzip-command|logfile-path)$/.test(text)
    ) {
      const value = args[++at] ?? [];
      if (text === "-O" || text === "--output-file" || text === "-lf")
        for (const file of filesOf(value, shell, report)) report.write(file);
    } else if (/^-[xiR]$|^--(?:exclude|include)/.test(text)) {
      filtered = true;
      while (at + 1 < args.length && !leading(args[at + 1] ?? []).startsWith("-")) at++;
    }
  }
  const given = (short: string, long: string): boolean =>
    options.some(
      (one) =>
        one === long ||
        (/^-[A-Za-z0-9]+$/.test(one) && !/^-(?:sf|sc|sd|sv|TT|lf|ws)$/.test(one) && one.includes(short)),
    );
  if (options.some((one) => one === "-TT" || one === "--unzip-command")) {
    report.execute("helper-program");
    giveUp([textField("zip"), ...args], shell, call.place, call.walker);
    return;
  }
  if (
    options.some((one) => /^-(?:sf|h|h2|v|L)$|^--(?:show-files|help|version|license)$/.test(one)) ||
    operands.length === 0
  )
    return;
  const [archive, ...members] = operands;
  const name = archive === undefined ? null : literal(archive);
  if (archive === undefined || name === "-") return;
  const begun = report.mark;
  const ended = filesOf(archive, shell, report).every(
    (file) => file === UNKNOWN_PATH || hasExtension(lastSegment(file)),
  );
  // The ending joins the text as it stands: `/tmp/` becomes `/tmp/.zip`.
  const files = filesOf(ended ? archive : [...archive, ...textField(".zip")], shell, report);
  for (const file of files) report.write(file);
  if (given("d", "--delete")) return;
  const recursive = given("r", "--recurse-paths");
  const moves = given("m", "--move");
  // An option that is not known to leave the archive whole may leave something out.
  const partial =
    filtered ||
    !options.every(
      (one) =>
        (members.length === 1 && one === "-j" && !recursive) ||
        (/^-[rqvyXDT0-9]+$|^-[bPOZ]$|^--(?:recurse-paths|quiet|verbose|symlinks|no-extra)$/.test(one) &&
          !/TT/.test(one)),
    );
  for (const member of members) {
    for (const file of filesOf(member, shell, report)) {
      if (moves) report.act("delete", recursive ? asTree(file) : file);
      const whole = recursive || hasExtension(lastSegment(file));
      const certain =
        files.length === 1 && shell.directories.length === 1 && literal(member) !== null && name !== null;
      if (call.place.proven && whole && certain && !partial && !moves)
        proveCopy(
          call,
          member,
          recursive && !hasExtension(lastSegment(file)) ? asTree(file) : file,
          files[0] ?? UNKNOWN_PATH,
          begun,
        );
    }
  }
}

function unzip(call: Reading): undefined {
  const { read, report, shell } = call;
  if (isGiven(read, "-l -t -p -Z -v -c -h -z") || read.operands.length === 0) return;
  const into = valuesOf(read, "-d")[0] ?? textField(".");
  for (const place of filesOf(into, shell, report)) report.write(asTree(place));
  if (isGiven(read, "-:")) {
    report.opaque("absolute-members");
    report.write(UNKNOWN_PATH);
  }
}

const SUFFIXES: Readonly<Record<string, string>> = {
  gzip: ".gz",
  gunzip: ".gz",
  bzip2: ".bz2",
  bunzip2: ".bz2",
  xz: ".xz",
  unxz: ".xz",
  lzma: ".lzma",
  unlzma: ".lzma",
  zstd: ".zst",
  unzstd: ".zst",
  pzstd: ".zst",
  compress: ".Z",
  uncompress: ".Z",
  lz4: ".lz4",
  unlz4: ".lz4",
};

function compress(call: Reading): undefined {
  const { read, report, shell, name } = call;
  const keepsByDefault = /zst|lz4/.test(name);
  if (isGiven(read, "-c --stdout --to-stdout -l --list -t --test") || isGiven(read, "-o")) return;
  const opens = /^(?:un|gun|bun)/.test(name) || isGiven(read, "-d --decompress --uncompress");
  const suffix = literal(valuesOf(read, "-S --suffix")[0] ?? []) || (SUFFIXES[name] ?? ".gz");
  const removes = keepsByDefault ? isGiven(read, "--rm") : !isGiven(read, "-k --keep");
  for (const folder of valuesOf(read, "--output-dir-flat --output-dir-mirror"))
    for (const place of filesOf(folder, shell, report)) report.write(asTree(place));
  for (const operand of read.operands) {
    if (literal(operand) === "-") continue;
    for (const file of filesOf(operand, shell, report)) {
      const tree = isGiven(read, "-r --recursive");
      if (removes) report.act("delete", tree ? asTree(file) : file);
      const made =
        file === UNKNOWN_PATH || tree
          ? asTree(file)
          : opens
            ? opened(stripTree(file), suffix)
            : `${file}${suffix}`;
      if (isGiven(read, "-f --force") || tree) report.write(made);
      else report.act("create", made);
    }
  }
}

function opened(file: PathBound, suffix: string): PathBound {
  if (file.endsWith(suffix)) return file.slice(0, -suffix.length);
  const short = /\.(tgz|tbz2?|txz|tzst)$/.exec(file);
  return short
    ? `${file.slice(0, short.index)}.tar`
    : file.endsWith("*")
      ? file
      : file.replace(/\.[^./]*$/, "");
}

function sevenZip(call: Reading): undefined {
  const { args, report, shell } = call;
  const verb = leading(args[0] ?? []);
  if (args.some((one, at) => (at === 0 || leading(one).startsWith("-")) && isUnfinished(one)))
    report.opaque("unknown-arguments");
  const operands = args.slice(1).filter((one) => !leading(one).startsWith("-"));
  if (/^[aud]$|^rn$/.test(verb) && operands[0]) {
    for (const file of filesOf(operands[0], shell, report)) report.write(file);
    if (args.some((one) => literal(one) === "-sdel"))
      for (const one of operands.slice(1))
        for (const file of filesOf(one, shell, report)) report.act("delete", asTree(file));
  } else if (verb === "x" || verb === "e") {
    const out = args.find((one) => /^-o./.test(leading(one)));
    for (const place of filesOf(out ? dropLeading(out, 2) : textField("."), shell, report))
      report.write(asTree(place));
  }
}

function cpio(call: Reading): undefined {
  const { read, report, shell } = call;
  if (isGiven(read, "-t --list")) return;
  if (isGiven(read, "-i --extract")) {
    for (const place of filesOf(valuesOf(read, "-D --directory")[0] ?? textField("."), shell, report))
      report.write(asTree(place));
    // Members may have absolute names, which GNU cpio follows.
    if (!isGiven(read, "--no-absolute-filenames")) {
      report.opaque("absolute-members");
      report.write(UNKNOWN_PATH);
    }
  }
  if (isGiven(read, "-p --pass-through"))
    for (const operand of read.operands)
      for (const place of filesOf(operand, shell, report)) report.write(asTree(place));
}

/** The first word says what is done to the archive that follows it; `a`, `b` and `i` put a member's name between. */
function ar(call: Reading): undefined {
  const { args, report, shell } = call;
  const words = args.filter((one) => !leading(one).startsWith("--"));
  if (isUnfinished(words[0] ?? [])) report.opaque("unknown-arguments");
  const mode = (literal(words[0] ?? []) ?? "r").replace(/^-/, "");
  if (/^[tp]/.test(mode)) return;
  if (mode.startsWith("x")) {
    const at = args.findIndex((one) => leading(one).startsWith("--output"));
    const named = leading(args[at] ?? []).startsWith("--output=")
      ? dropLeading(args[at] ?? [], 9)
      : args[at + 1];
    const into = at >= 0 && named ? named : textField(".");
    for (const place of filesOf(into, shell, report)) report.write(asTree(place));
    return;
  }
  for (const archive of words.slice(1, /[abi]/.test(mode) ? 3 : 2))
    for (const file of filesOf(archive, shell, report)) report.write(file);
}
