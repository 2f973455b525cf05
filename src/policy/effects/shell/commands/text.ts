import { UNKNOWN_PATH } from "../../report.ts";
import { awkEffects } from "../awk.ts";
import { giveUp } from "../command.ts";
import { type Field, has, leading, literal, parentOf, textField, visible } from "../field.ts";
import { isGiven, operandsAt, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { sedEffects } from "../sed.ts";
import { asTree } from "./destination.ts";
import type { Reading, Row } from "./row.ts";

/** Programs that transform text: readers until an option, an operand or their own little language says otherwise. */
export const TEXT_ROWS: readonly Row[] = [
  { names: ["tee", "sponge"], operands: "write", flags: "--append --ignore-interrupts" },
  {
    names: ["sort", "gsort"],
    values:
      "-k --key -t --field-separator -S --buffer-size -T --temporary-directory --batch-size --parallel --sort --random-source --files0-from",
    writes: "-o --output",
    executes: "--compress-program",
  },
  {
    names: ["uniq"],
    values: "-f --skip-fields -s --skip-chars -w --check-chars",
    also: (call) => writeSecond(call),
  },
  { names: ["shuf"], values: "-i --input-range -n --head-count --random-source", writes: "-o --output" },
  {
    names: ["xxd"],
    values: "-c -cols -g -groupsize -l -len -s -seek -o -n -name -R",
    also: (call) => writeSecond(call),
  },
  {
    names: ["split", "csplit"],
    values:
      "-a --suffix-length -b --bytes -C --line-bytes -l --lines -n --number --additional-suffix -t --separator -f --prefix --suffix-format",
    executes: "--filter",
    also: split,
  },
  { names: ["recode"], operands: "modify", skip: 1, values: "-x -S -k --ignore --source --known" },
  { names: ["ptx"], values: "-A -F -M -R -S -W -b -g -i -o -w", also: writeSecond },
  {
    names: ["nkf"],
    attached: "--overwrite --in-place",
    flags: "--guess",
    also: (call) => {
      if (!isGiven(call.read, "--overwrite --in-place")) return;
      for (const operand of call.read.operands)
        for (const file of filesOf(operand, call.shell, call.report)) call.report.write(file);
    },
  },
  { names: ["iconv"], values: "-f -t --from-code --to-code", writes: "-o --output" },
  { names: ["base64", "base32"], values: "-w --wrap -b -i", writes: "-o --output" },
  { names: ["sdiff"], values: "-w --width -I", writes: "-o --output", executes: "--diff-program" },
  {
    names: ["diff3", "diff"],
    values:
      "-U -C -I -x -X -L -W -F -D --label --ignore-matching-lines --exclude --exclude-from --unified --context --width --to-file --from-file",
    executes: "--diff-program",
  },
  {
    names: ["sed", "gsed"],
    values: "-e --expression -f --file -l --line-length",
    attached: "-i --in-place",
    flags:
      "--quiet --silent --regexp-extended --null-data --separate --sandbox --posix --debug --follow-symlinks",
    also: sed,
  },
  {
    names: ["awk", "gawk", "mawk", "nawk", "original-awk"],
    values: "-F --field-separator -v --assign -f --file -i --include -l --load -E --exec -e --source -W",
    attached: "-d --dump-variables -o --pretty-print -p --profile -D --debug",
    stops: true,
    also: awk,
  },
  {
    names: ["patch"],
    values:
      "-p --strip -d --directory -i --input -o --output -r --reject-file -B --prefix -Y -z --suffix -F --fuzz -D --ifdef -g --get -V",
    flags: "--dry-run --backup --force --reverse",
    idle: "--dry-run -C --check",
    also: patch,
  },
  {
    names: ["jq", "gojq", "jaq"],
    values: "-f --from-file -L --indent --arg --argjson --slurpfile --rawfile",
    flags: "--raw-output --compact-output --null-input --exit-status",
    also: (call) => void call.read.operands.slice(0, 1).map((one) => call.report.mention(visible(one), null)),
  },
  {
    names: ["yq", "xq", "tomlq"],
    values: "-o --output-format -p --input-format -I --indent -s --split-exp -L",
    attached: "",
    flags: "--inplace --in-place",
    also: editInPlace,
  },
  { names: ["xmlstarlet", "xmllint"], values: "--xpath --schema --encode", writes: "--output -o" },
  { names: ["dos2unix", "unix2dos", "mac2unix"], operands: "modify", values: "-c -d", idle: "-i --info" },
  {
    names: ["clang-format", "gofmt", "shfmt", "jsonlint", "sqlfluff"],
    flags: "--in-place",
    values: "-style --style",
    also: editInPlace,
  },
  {
    names: [
      "tr",
      "cut",
      "paste",
      "join",
      "comm",
      "nl",
      "fold",
      "fmt",
      "expand",
      "unexpand",
      "tac",
      "rev",
      "column",
      "pr",
      "tsort",
      "od",
      "hexdump",
      "hd",
      "strings",
      "cmp",
      "numfmt",
      "factor",
      "look",
      "colrm",
      "ptx",
      "colordiff",
      "wdiff",
      "csvcut",
      "csvlook",
      "csvstat",
      "csvgrep",
    ],
  },
];

/** `uniq IN OUT` and `xxd IN OUT` write their second operand. */
function writeSecond(call: Reading): undefined {
  for (const operand of operandsAt(call.read.operands, 1))
    if (literal(operand) !== "-")
      for (const file of filesOf(operand, call.shell, call.report)) call.report.write(file);
  if (call.read.loose) call.report.opaque("unknown-arguments");
}

function split(call: Reading): undefined {
  const { read, report, shell, name } = call;
  const named = name === "csplit" ? valuesOf(read, "-f --prefix").slice(0, 1) : operandsAt(read.operands, 1);
  const certain = named.length === 1 && named[0] === read.operands[1];
  const prefixes = certain || name === "csplit" ? named : [...named, textField("x")];
  for (const prefix of prefixes.length ? prefixes : [textField(name === "csplit" ? "xx" : "x")]) {
    for (const file of filesOf([...prefix, { kind: "glob", text: "*" }], shell, report)) report.write(file);
  }
}

function sed(call: Reading): undefined {
  const { read, report, shell, place, walker } = call;
  const scripts = [...valuesOf(read, "-e --expression")];
  const spelled = scripts.length > 0 || isGiven(read, "-f --file");
  // On macOS `-i` takes the next word, most often an empty one, as its suffix: then the script comes after it.
  const apart =
    !spelled &&
    isGiven(read, "-i") &&
    literal(read.operands[0] ?? []) === "" &&
    /^[sy]\W|^\d|^\//.test(leading(read.operands[1] ?? []));
  const operands = apart ? read.operands.slice(1) : read.operands;
  const files = spelled ? operands : operands.slice(1);
  if (!spelled && operands[0]) scripts.push(operands[0]);
  const suffixes = valuesOf(read, "-i --in-place").slice(0, MOST_SUFFIXES);
  for (const operand of isGiven(read, "-i --in-place") ? files : []) {
    for (const file of filesOf(operand, shell, report)) {
      report.act("modify", file);
      for (const suffix of suffixes) keepCopy(call, file, suffix);
    }
  }
  if (valuesOf(read, "-i --in-place").length > MOST_SUFFIXES) {
    report.opaque("unknown-path");
    report.write(UNKNOWN_PATH);
  }
  if (isGiven(read, "-f --file")) {
    report.execute("script-file");
    giveUp([textField("sed"), ...call.args], shell, place, walker);
  }
  if (read.loose) report.opaque("unknown-arguments");
  let hidden = false;
  for (const script of scripts) {
    const text = literal(script);
    const found = text === null ? null : sedEffects(text);
    if (found === null || found.executes) {
      report.execute("sed-code", visible(script), null);
      hidden = true;
    }
    for (const name of found?.writes ?? [])
      for (const file of filesOf(textField(name), shell, report)) report.write(file);
  }
  if (hidden) giveUp([textField("sed"), ...call.args], shell, place, walker);
}

/** With more suffixes than this for the old files, what they become is not told apart; the last one counts. */
const MOST_SUFFIXES = 4;

/** `-i.bak` keeps the old file beside the new one; a star in the suffix stands for the name. */
function keepCopy(call: Reading, file: string, suffix: Field): void {
  const text = literal(suffix);
  if (text === null || file === UNKNOWN_PATH) {
    call.report.opaque("unknown-path");
    call.report.write(UNKNOWN_PATH);
  } else if (text.includes("*") || text.includes("/")) {
    for (const folder of filesOf(
      textField(text.includes("/") ? text.slice(0, text.lastIndexOf("/") + 1) : "."),
      call.shell,
      call.report,
    ))
      call.report.write(`${folder}/*`);
    call.report.write(`${parentOf(file)}/*`);
  } else call.report.write(`${file}${text}`);
}

function awk(call: Reading): undefined {
  const { read, report, shell, place, walker } = call;
  const hidden = isGiven(read, "-f --file -E --exec -l --load -D --debug");
  const included = valuesOf(read, "-i --include").map((one) => literal(one));
  const inPlace = included.includes("inplace");
  const sources = valuesOf(read, "-e --source");
  const program = sources.length ? sources : hidden ? [] : read.operands.slice(0, 1);
  const files = sources.length || hidden ? read.operands : read.operands.slice(1);
  for (const one of read.given.filter((given) =>
    /^-[dop]$|^--(?:dump-variables|pretty-print|profile)$/.test(given.name),
  )) {
    const fallback = /^-d|dump/.test(one.name) ? "awkvars.out" : "awkprof.out";
    for (const file of filesOf(one.value ?? textField(fallback), shell, report)) report.write(file);
  }
  if (inPlace)
    for (const operand of files)
      if (!/^[A-Za-z_]\w*=/.test(leading(operand)))
        for (const file of filesOf(operand, shell, report)) report.act("modify", file);
  if (read.loose) report.opaque("unknown-arguments");
  // `ENVIRON["NAME"]` reads a variable, so the program is searched for the agent's key.
  for (const one of program) report.mention(visible(one), null);
  const found = program.map((one) => awkEffects(literal(one)));
  for (const one of found) {
    for (const name of one.writes)
      for (const file of filesOf(textField(name), shell, report)) report.write(file);
    if (one.writesUnknown) {
      report.opaque("unknown-path");
      report.write(UNKNOWN_PATH);
    }
  }
  if (hidden || included.some((one) => one !== "inplace") || found.some((one) => one.executes)) {
    report.execute("awk-code", program.map(visible).join("\n"), null);
    giveUp([textField("awk"), ...call.args], shell, place, walker);
  }
}

function patch(call: Reading): undefined {
  const { read, report, shell } = call;
  report.opaque("patch-content");
  const output = valuesOf(read, "-o --output")[0];
  if (output) {
    for (const file of filesOf(output, shell, report)) report.write(file);
    return;
  }
  const folder = valuesOf(read, "-d --directory")[0] ?? textField(".");
  const targets = read.operands[0]
    ? filesOf(read.operands[0], shell, report)
    : filesOf(folder, shell, report).map(asTree);
  for (const target of targets) {
    report.write(target);
    report.act("delete", target);
  }
}

function editInPlace(call: Reading): undefined {
  const { read, report, shell, name } = call;
  const writes = name === "gofmt" || name === "shfmt" ? "-w" : "-i --inplace --in-place";
  if (!isGiven(read, writes)) return;
  const files = name === "yq" && read.operands.length > 1 ? read.operands.slice(1) : read.operands;
  for (const operand of files) for (const file of filesOf(operand, shell, report)) report.act("modify", file);
  if (read.loose && files.some((one) => has(one, "unknown"))) report.opaque("unknown-arguments");
}
