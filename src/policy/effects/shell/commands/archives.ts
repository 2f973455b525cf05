import type { PathBound } from "../../../types.ts";
import { stripTree, UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { dropLeading, type Field, joinBound, lastSegment, leading, literal, textField } from "../field.ts";
import { isGiven, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { enter, type Shell } from "../state.ts";
import { isRemote, proveCopy } from "./copies.ts";
import { asTree, hasExtension } from "./destination.ts";
import type { Reading, Row } from "./row.ts";

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
    values: "-D -T -M --threads",
    writes: "-o",
    flags: "--keep --rm --stdout --decompress --force --test --list",
    also: compress,
  },
  { names: ["zcat", "bzcat", "xzcat", "zstdcat", "zless", "zmore", "zgrep", "zipinfo", "gzcat", "lzcat"] },
  { names: ["7z", "7za", "7zz", "7zr"], also: sevenZip },
  {
    names: ["cpio"],
    values: "-F -O -I -D -H -E -R -C --file --directory --format",
    writes: "-O",
    executes: "--rsh-command",
    also: cpio,
  },
  { names: ["ar"], also: (call) => writeOperand(call, 1) },
];

/** tar's options that take the next argument when spelled as one letter. */
const TAR_VALUES = "fCbgFIKLNTVX";
const TAR_LONG_VALUES =
  /^--(?:file|directory|blocking-factor|listed-incremental|info-script|new-volume-script|use-compress-program|starting-file|tape-length|newer|after-date|files-from|label|exclude|exclude-from|transform|xform|to-command|checkpoint-action|owner|group|mode|mtime|strip-components|rmt-command|rsh-command|suffix|format|one-top-level|index-file|volno-file|add-file|record-size|sort|pax-option|warning|level|newer-mtime|exclude-ignore|exclude-tag)$/;
const COMPRESSORS =
  /^(?:gzip|pigz|bzip2|pbzip2|lbzip2|xz|pixz|zstd|pzstd|lz4|lzop|lzip|brotli)(?: -[\dTk]+)*$/;

interface TarRequest {
  mode: string;
  archive: Field | null;
  directory: Shell;
  readonly members: { readonly field: Field; readonly shell: Shell }[];
  absolute: boolean;
  toOutput: boolean;
  removes: boolean;
  partial: boolean;
  runs: boolean;
  loose: boolean;
  readonly written: Field[];
}

function tar(call: Reading): undefined {
  const { report, shell } = call;
  const request = readTar(call);
  if (request.runs) {
    report.execute("helper-program");
    giveUp([textField("tar"), ...call.args], shell, call.place, call.walker);
    return;
  }
  if (request.loose) report.opaque("unknown-arguments");
  for (const file of request.written) for (const path of filesOf(file, shell, report)) report.write(path);
  if (request.mode === "x" && !request.toOutput) {
    if (request.absolute) {
      report.opaque("absolute-members");
      report.write(UNKNOWN_PATH);
    } else
      for (const place of filesOf(textField("."), request.directory, report)) report.write(asTree(place));
  }
  if (!/[cruAD]/.test(request.mode)) return;
  if (request.archive !== null && isRemote(request.archive)) {
    // GNU tar takes `host:file` as another machine and starts a remote shell.
    report.risk("NETWORK", "EXTERNAL_WRITE");
    report.execute("remote-archive");
    return;
  }
  const begun = report.mark;
  const name = request.archive === null ? "-" : literal(request.archive);
  const archives: PathBound[] =
    name === "-" || request.archive === null ? [] : filesOf(request.archive, shell, report);
  for (const archive of archives) report.write(archive);
  for (const member of request.members) {
    for (const file of filesOf(member.field, member.shell, report)) {
      if (request.removes) report.act("delete", asTree(file));
      const certain =
        member.shell.directories.length === 1 && literal(member.field) !== null && archives.length === 1;
      const proven =
        call.place.proven &&
        request.mode === "c" &&
        !request.partial &&
        !request.removes &&
        certain &&
        !request.loose;
      if (proven)
        proveCopy(
          call,
          member.field,
          hasExtension(lastSegment(file)) ? file : asTree(file),
          archives[0] ?? UNKNOWN_PATH,
          begun,
          member.shell,
        );
    }
  }
  if (request.removes && request.partial) {
    report.opaque("unknown-path");
    report.act("delete", UNKNOWN_PATH);
  }
}

function readTar(call: Reading): TarRequest {
  const request: TarRequest = {
    mode: "",
    archive: null,
    directory: call.shell,
    members: [],
    absolute: false,
    toOutput: false,
    removes: false,
    partial: false,
    runs: false,
    loose: false,
    written: [],
  };
  const args = [...call.args];
  const first = leading(args[0] ?? []);
  // The old style: letters without a dash, whose values follow in order.
  const bundle = first !== "" && !first.startsWith("-") && literal(args[0] ?? []) !== null ? first : "";
  if (bundle !== "") args.shift();
  for (const letter of bundle)
    tarOption(request, `-${letter}`, TAR_VALUES.includes(letter) ? (args.shift() ?? []) : null);
  for (let at = 0; at < args.length; at++) {
    const field = args[at] ?? [];
    const text = leading(field);
    if (field[0]?.kind === "unknown") request.loose = true;
    if (text.startsWith("--") && text !== "--") {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text : text.slice(0, equals);
      const value =
        equals >= 0 ? dropLeading(field, equals + 1) : TAR_LONG_VALUES.test(name) ? (args[++at] ?? []) : null;
      tarOption(request, name, value);
    } else if (text.startsWith("-") && text !== "-" && text !== "--") {
      for (let place = 1; place < text.length; place++) {
        const letter = text[place] ?? "";
        if (!TAR_VALUES.includes(letter)) tarOption(request, `-${letter}`, null);
        else {
          const rest = dropLeading(field, place + 1);
          tarOption(request, `-${letter}`, rest.length ? rest : (args[++at] ?? []));
          break;
        }
      }
    } else if (text !== "--") request.members.push({ field, shell: request.directory });
  }
  return request;
}

function tarOption(request: TarRequest, name: string, value: Field | null): void {
  const text = value === null ? null : literal(value);
  if (/^-[cxtruAd]$/.test(name)) request.mode = name === "-d" ? "" : name.slice(1);
  else if (
    /^--(?:create|extract|get|list|append|update|catenate|concatenate|delete|diff|compare)$/.test(name)
  ) {
    request.mode =
      {
        create: "c",
        extract: "x",
        get: "x",
        append: "r",
        update: "u",
        catenate: "A",
        concatenate: "A",
        delete: "D",
      }[name.slice(2)] ?? "";
  } else if (name === "-f" || name === "--file") request.archive = value;
  else if ((name === "-C" || name === "--directory") && value !== null) {
    const base = request.directory;
    const moved = base.directories.flatMap((one) => directoryAfter(value, one));
    request.directory = enter(base, moved, leading(value).startsWith("/"));
  } else if (name === "-P" || name === "--absolute-names") request.absolute = true;
  else if (name === "-O" || name === "--to-stdout") request.toOutput = true;
  else if (name === "--remove-files" || name === "--recursive-unlink")
    request.removes = name === "--remove-files";
  else if (
    /^-[TXgN]$|^--(?:files-from|exclude|exclude-.*|newer|newer-mtime|after-date|listed-incremental|no-recursion|one-file-system|ignore-failed-read)$/.test(
      name,
    )
  ) {
    request.partial = true;
    if ((name === "-g" || name === "--listed-incremental") && value !== null) request.written.push(value);
  } else if ((name === "-I" || name === "--use-compress-program") && text !== null && COMPRESSORS.test(text))
    return;
  else if (
    /^-[IF]$|^--(?:use-compress-program|to-command|checkpoint-action|info-script|new-volume-script|rmt-command|rsh-command)$/.test(
      name,
    )
  ) {
    request.runs ||=
      name !== "--checkpoint-action" || !/^(?:dot|bell|echo|sleep|ttyout|totals)/.test(text ?? "");
  } else if (name === "--index-file" && value !== null) request.written.push(value);
}

function directoryAfter(field: Field, directory: PathBound | null): (PathBound | null)[] {
  const text = literal(field);
  if (text === null) return [null];
  return text.startsWith("/")
    ? [joinBound("/", text)]
    : [directory === null ? null : joinBound(directory, text.replace(/[*?[\]\\]/g, "\\$&"))];
}

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
  const files = filesOf(archive, shell, report).map((file) =>
    file === UNKNOWN_PATH || hasExtension(lastSegment(file)) ? file : `${file}.zip`,
  );
  for (const file of files) report.write(file);
  if (given("d", "--delete")) return;
  const recursive = given("r", "--recurse-paths");
  const partial =
    filtered ||
    given("u", "--update") ||
    given("f", "--freshen") ||
    given("@", "--names-stdin") ||
    given("g", "--grow");
  for (const member of members) {
    for (const file of filesOf(member, shell, report)) {
      if (given("m", "--move")) report.act("delete", recursive ? asTree(file) : file);
      const whole = recursive || hasExtension(lastSegment(file));
      const certain =
        files.length === 1 && shell.directories.length === 1 && literal(member) !== null && name !== null;
      if (call.place.proven && whole && certain && !partial && !given("m", "--move"))
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
  if (isGiven(read, "-i --extract"))
    for (const place of filesOf(valuesOf(read, "-D --directory")[0] ?? textField("."), shell, report))
      report.write(asTree(place));
  if (isGiven(read, "-p --pass-through"))
    for (const operand of read.operands)
      for (const place of filesOf(operand, shell, report)) report.write(asTree(place));
}

function writeOperand(call: Reading, at: number): undefined {
  const operand = call.read.operands[at];
  if (operand) for (const file of filesOf(operand, call.shell, call.report)) call.report.write(file);
}
