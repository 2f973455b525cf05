import { homeOf } from "../../../paths/index.ts";
import { UNKNOWN_PATH } from "../../report.ts";
import {
  dropLeading,
  type Field,
  has,
  joinBound,
  leading,
  literal,
  locate,
  parentOf,
  textField,
  unknownField,
} from "../field.ts";
import { isGiven, operandsFrom, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { asTree, createParents, keepReplaced, placeCopies, requestOf } from "./destination.ts";
import type { Reading, Row } from "./row.ts";

/** Commands whose whole purpose is to change files. */
export const FILE_ROWS: readonly Row[] = [
  {
    names: ["rm", "trash", "trash-put", "srm"],
    operands: "delete",
    trees: "-r -R --recursive",
    flags: "--force --interactive --no-preserve-root --preserve-root --one-file-system --dir --verbose",
  },
  { names: ["unlink"], operands: "delete" },
  {
    names: ["rmdir"],
    operands: "delete",
    flags: "--parents --verbose --ignore-fail-on-non-empty",
    also: removeParents,
  },
  {
    names: ["mkdir"],
    operands: "create",
    values: "-m --mode",
    attached: "-Z --context",
    flags: "--parents --verbose",
    also: makeParents,
  },
  { names: ["mkfifo", "mknod"], operands: "create", values: "-m --mode" },
  {
    names: ["touch"],
    values: "-d --date -t -r --reference --time",
    flags: "--no-create --no-dereference",
    also: touch,
  },
  { names: ["truncate"], values: "-s --size -r --reference", flags: "--no-create --io-blocks", also: touch },
  { names: ["fallocate"], operands: "write", values: "-l --length -o --offset" },
  {
    names: ["shred", "wipe"],
    operands: "modify",
    values: "-n --iterations -s --size --random-source",
    attached: "--remove",
    flags: "--force --zero --verbose --exact",
    also: shred,
  },
  {
    names: ["chmod"],
    values: "--reference",
    flags: "--recursive --changes --quiet --silent --verbose --no-preserve-root --preserve-root",
    also: changeMode,
  },
  {
    names: ["chown", "chgrp"],
    values: "--reference --from",
    flags: "--recursive --changes --silent --quiet --verbose --dereference --no-dereference",
    also: changeOwner,
  },
  {
    names: ["chattr", "chcon", "setfattr", "setcap"],
    operands: "modify",
    skip: 1,
    trees: "-R --recursive",
    values: "-p -v -n -x",
  },
  {
    names: ["setfacl"],
    operands: "modify",
    trees: "-R --recursive",
    values: "-m -x -M -X --modify --remove --set --set-file --restore",
  },
  { names: ["dd"], also: diskDump },
  {
    names: ["ln"],
    values: "-t --target-directory -S --suffix",
    attached: "--backup",
    flags:
      "--symbolic --force --no-dereference --no-target-directory --relative --interactive --verbose --logical --physical",
    also: makeLink,
  },
  { names: ["link"], also: makeLink },
  {
    names: ["install"],
    values: "-m --mode -o --owner -g --group -t --target-directory -S --suffix --strip-program",
    attached: "--backup -Z",
    flags: "--directory --no-target-directory --compare --strip --preserve-timestamps --verbose",
    executes: "--strip-program",
    also: install,
  },
  {
    names: ["mktemp"],
    values: "-p --suffix",
    attached: "--tmpdir",
    flags: "--directory --dry-run --quiet",
    idle: "-u --dry-run",
    also: makeTemporary,
  },
  {
    names: ["rename", "prename", "file-rename"],
    opaque: "renaming-code",
    idle: "-n --nono --no-act",
    also: rename,
  },
  {
    names: ["mkfs", "mkfs.ext4", "mkfs.xfs", "mkswap", "wipefs", "fdisk", "parted", "sgdisk", "blkdiscard"],
    operands: "modify",
    opaque: "disk-tool",
  },
  { names: ["ed"], operands: "modify", opaque: "editor", values: "-p" },
];

function removeParents(call: Reading): undefined {
  if (!isGiven(call.read, "-p --parents")) return;
  for (const operand of call.read.operands) {
    const relative = leading(operand).startsWith("/") ? 64 : leading(operand).split("/").length - 1;
    for (const file of filesOf(operand, call.shell, call.report)) {
      let parent = file;
      for (
        let steps = 0;
        steps < Math.min(relative, 64) && parent !== "/" && parent !== UNKNOWN_PATH;
        steps++
      ) {
        parent = parentOf(parent);
        call.report.act("delete", parent);
      }
    }
  }
}

function makeParents(call: Reading): undefined {
  if (!isGiven(call.read, "-p --parents")) return;
  for (const operand of call.read.operands) createAbove(call, operand);
}

function createAbove(call: Reading, operand: Field): void {
  for (const file of filesOf(operand, call.shell, call.report)) createParents(call, file);
  // `a/../b` makes `a` on its way.
  const text = literal(operand) ?? "";
  for (const climb of [...text.matchAll(/\/\.\.(?=\/|$)/g)].slice(0, 64)) {
    for (const file of filesOf(textField(text.slice(0, climb.index)), call.shell, call.report)) {
      call.report.act("create", file);
      createParents(call, file);
    }
  }
}

function touch(call: Reading): undefined {
  const existing = isGiven(call.read, "-c --no-create");
  for (const operand of call.read.operands) {
    for (const file of filesOf(operand, call.shell, call.report)) {
      if (existing) call.report.act("modify", file);
      else call.report.write(file);
    }
  }
}

function shred(call: Reading): undefined {
  if (!isGiven(call.read, "-u --remove")) return;
  for (const operand of call.read.operands) {
    for (const file of filesOf(operand, call.shell, call.report)) call.report.act("delete", file);
  }
}

/** A mode such as `-x` looks like an option; then no operand is the mode. */
function changeMode(call: Reading): undefined {
  const spelled = call.args.some(
    (arg) => /^-[rwxXstugo]/.test(leading(arg)) && !leading(arg).startsWith("-R"),
  );
  changeAttributes(call, spelled ? 0 : 1);
}

function changeOwner(call: Reading): undefined {
  changeAttributes(call, 1);
}

function changeAttributes(call: Reading, skip: number): void {
  const { read, shell, report } = call;
  const tree = isGiven(read, "-R --recursive");
  const files = operandsFrom(read.operands, isGiven(read, "--reference") ? 0 : skip);
  for (const operand of files) {
    for (const file of filesOf(operand, shell, report)) report.act("modify", tree ? asTree(file) : file);
  }
  if (read.loose) report.opaque("unknown-arguments");
}

function diskDump(call: Reading): undefined {
  for (const arg of call.args) {
    const text = leading(arg);
    if (text.startsWith("of=")) {
      for (const file of filesOf(dropLeading(arg, 3), call.shell, call.report)) call.report.write(file);
    } else if (!text.includes("=") && has(arg, "unknown")) call.report.opaque("unknown-arguments");
  }
}

/** A link is another name for what it points to, so later commands through it must reach the target. */
function makeLink(call: Reading): undefined {
  const { read, shell, report } = call;
  const alone = read.operands.length === 1 && !isGiven(read, "-t --target-directory");
  const fixed =
    isGiven(read, "-T --no-target-directory") || call.name === "link" || movesLink(call, read.operands);
  // With one operand the link is made here, under the target's own name.
  const here = { call, sources: read.operands, dest: textField("."), directory: true, fixed: false };
  const request = alone ? { ...here, recursive: false } : requestOf(call, false, fixed);
  if (request === null) return;
  const replaces = isGiven(read, "-f --force -i --interactive -b --backup -S --suffix");
  const copies = placeCopies(request);
  for (const copy of copies) {
    if (replaces) report.write(copy.to);
    else report.act("create", copy.to);
    keepReplaced(call, copy.to);
  }
  for (const copy of copies) {
    if (copy.to === UNKNOWN_PATH) continue;
    // A symbolic link's text is read from where the link lies.
    const start = isGiven(read, "-s --symbolic") ? parentOf(copy.to) : null;
    for (const directory of start === null ? shell.directories : [start]) {
      const target = locate(copy.source, directory);
      if (target.ok) report.link(copy.to, target.bound);
      else report.link(copy.to, UNKNOWN_PATH);
    }
  }
}

/**
 * `ln -sfn /opt/v2 current` is how a link is moved to another release. Only to a real folder `-n` makes no difference,
 * and nobody keeps one in such a place; what lies in the home or here may be a file, and the destination a folder.
 */
function movesLink({ read, shell, report }: Reading, operands: readonly Field[]): boolean {
  if (
    !isGiven(read, "-n --no-dereference") ||
    !isGiven(read, "-f --force") ||
    !isGiven(read, "-s --symbolic")
  )
    return false;
  const own = [homeOf(report.context.environment), ...shell.directories];
  return operands.slice(0, -1).every((one) => {
    const text = literal(one) ?? "";
    return /^\/(?:.*\/)?[^./]+$/.test(text) && !own.some((place) => place === null || text.startsWith(place));
  });
}

function install(call: Reading): undefined {
  const { read, shell, report } = call;
  if (isGiven(read, "-d --directory")) {
    for (const operand of read.operands)
      for (const file of filesOf(operand, shell, report)) report.write(file);
    for (const operand of read.operands) createAbove(call, operand);
    return;
  }
  const request = requestOf(call, false, isGiven(read, "-T --no-target-directory"));
  if (request === null) return;
  for (const { to } of placeCopies(request)) {
    report.write(to);
    keepReplaced(call, to);
    if (isGiven(read, "-D")) createParents(call, to);
  }
}

function makeTemporary(call: Reading): undefined {
  const { read, shell, report } = call;
  const folder = valuesOf(read, "-p --tmpdir")[0];
  const operand = read.operands[0];
  const template =
    operand === undefined ? "tmp.*" : (literal(operand) ?? "*").replace(/\*/g, "").replace(/X{3,}/g, "*");
  const free = folder === undefined && (operand === undefined || isGiven(read, "-t --tmpdir"));
  const where = folder
    ? filesOf(folder, shell, report)
    : free
      ? temporaryFolders(call)
      : shell.directories.map((one) => one ?? UNKNOWN_PATH);
  for (const directory of where) {
    if (directory === UNKNOWN_PATH) report.opaque("unknown-directory");
    report.act("create", directory === UNKNOWN_PATH ? UNKNOWN_PATH : joinBound(directory, template));
  }
}

/** `TMPDIR`, when the script or the session says where it is. */
function temporaryFolders(call: Reading): string[] {
  const { shell, report } = call;
  if (!shell.variables.has("TMPDIR")) return ["/tmp"];
  return filesOf(shell.variables.get("TMPDIR") ?? unknownField("variable"), shell, report);
}

function rename(call: Reading): undefined {
  for (const operand of call.read.operands.slice(1)) {
    for (const file of filesOf(operand, call.shell, call.report)) {
      call.report.act("delete", file);
      call.report.write(file === UNKNOWN_PATH ? file : `${parentOf(file) === "/" ? "" : parentOf(file)}/*`);
    }
  }
}
