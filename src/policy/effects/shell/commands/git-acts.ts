import { UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { type Field, joinBound, lastSegment, leading, literal, textField, visible } from "../field.ts";
import { isGiven, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { asTree, hasExtension, placeCopies } from "./destination.ts";
import { type GitCall, operandFiles, topsOf, touchMetadata, touchTree } from "./git.ts";

export function first(at: GitCall): string {
  return literal(at.args[0] ?? []) ?? "";
}

export function commit(at: GitCall): void {
  const given = "-m --message -F --file -C --reuse-message --no-edit --fixup --squash";
  if (isGiven(at.read, given)) return;
  // Without a message it opens an editor, which configuration chooses.
  at.call.report.execute("editor");
}

/** What a command of git names, each by itself: naming one names no other. */
function tell(at: GitCall, name: string, operands: readonly Field[]): void {
  for (const one of operands) at.call.report.said.item(name, visible(one));
}

/** Where git is, or was: nobody calls a branch so. */
const HERE = /^(?:HEAD|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD|@|-)(?:[~^@{].*)?$/;

/** What is gone to, brought in or put back, by its whole name: a branch, a tag, a commit. */
function tellRevisions(at: GitCall, operands: readonly Field[]): void {
  tell(
    at,
    "revision",
    operands.filter((one) => visible(one) !== "" && !HERE.test(visible(one))),
  );
}

export function bringIn(at: GitCall): void {
  tellRevisions(at, at.read.operands);
  tellRevisions(at, valuesOf(at.read, "--onto"));
}

/** Where it is brought from, and what. */
export function fetched(at: GitCall): void {
  const [source, ...refs] = at.read.operands;
  if (source !== undefined) tell(at, "source", [source]);
  tellRevisions(at, refs);
}

export function push(at: GitCall): void {
  const [remote, ...refs] = at.read.operands;
  tell(at, "remote", remote === undefined ? valuesOf(at.read, "--repo") : [remote]);
  tell(at, "ref", refs);
  const removes =
    isGiven(at.read, "-d --delete --mirror --prune") ||
    at.read.operands.some((one) => /^\+?:./.test(leading(one)));
  if (removes) at.call.report.risk("DELETE");
}

export function clone(at: GitCall): void {
  const { read, call, shell } = at;
  const [url, into] = read.operands;
  if (url === undefined) return;
  const text = literal(url);
  const name =
    text === null
      ? null
      : lastSegment(
          text
            .replace(/\/+$/, "")
            .replace(/\.git$/, "")
            .replace(/:/g, "/"),
        );
  const dest = into ?? (name === null ? ([{ kind: "glob", text: "*" }] as const) : textField(name));
  for (const file of filesOf(dest, shell, call.report)) call.report.act("create", asTree(file));
}

export function init(at: GitCall): void {
  for (const file of filesOf(at.read.operands[0] ?? textField("."), at.shell, at.call.report)) {
    at.call.report.write(file === UNKNOWN_PATH ? file : asTree(joinBound(file, ".git")));
  }
}

/** What looks like a revision rather than a file. */
function isRevision(field: Field): boolean {
  const text = literal(field);
  return (
    text === null ||
    /^(?:HEAD|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD|@|main|master|develop)(?:[~^@{].*)?$|[~^:]|@\{|^[0-9a-f]{7,40}$|^(?:origin|upstream)\//.test(
      text,
    )
  );
}

export function checkout(at: GitCall): void {
  const { read, args, call } = at;
  if (at.separator) {
    const mark = args.findIndex((one) => literal(one) === "--");
    for (const file of operandFiles(at, args.slice(mark + 1)))
      call.report.write(file === topOf(at) ? asTree(file) : treeish(file));
    if (mark >= 0 && args.length === mark + 1) touchTree(at, true);
    return;
  }
  const { operands } = read;
  if (isGiven(read, "-b -B --orphan")) {
    tellRevisions(at, [...valuesOf(read, "-b -B --orphan"), ...operands]);
    if (operands.length === 0) touchMetadata(at);
    else touchTree(at, true);
    return;
  }
  const [only] = operands;
  const folders = operands.filter((one) => /^(?:\.{1,2}|.*\/)$/.test(literal(one) ?? ""));
  if (operands.length === 1 && only && folders.length === 0 && !isGiven(read, "--ours --theirs")) {
    tellRevisions(at, [only]);
    // A name that is no branch is a path: that very file is put back.
    for (const file of /[./]/.test(leading(only)) ? operandFiles(at, [only]) : []) call.report.write(file);
    touchTree(at, true);
  } else if (operands.length === 0) touchTree(at, true);
  else {
    const paths = operands.length > 1 && isRevision(operands[0] ?? []) ? operands.slice(1) : operands;
    if (paths.length < operands.length) tellRevisions(at, operands.slice(0, 1));
    for (const file of operandFiles(at, paths)) call.report.write(treeish(file));
  }
}

function topOf(at: GitCall): string | undefined {
  return topsOf(at)[0];
}

/** A path that may be a folder: without an extension it is taken as a tree. */
function treeish(file: string): string {
  return file === UNKNOWN_PATH || hasExtension(lastSegment(file)) ? file : asTree(file);
}

export function switchBranch(at: GitCall): void {
  tellRevisions(at, [...valuesOf(at.read, "-c -C --create --force-create --orphan"), ...at.read.operands]);
  if (isGiven(at.read, "-c -C --create --force-create --orphan") && at.read.operands.length === 0)
    touchMetadata(at);
  else touchTree(at, true);
}

export function restore(at: GitCall): void {
  const { read, call } = at;
  const staged = isGiven(read, "-S --staged");
  if (staged) touchMetadata(at);
  if (staged && !isGiven(read, "-W --worktree")) return;
  const files = operandFiles(at, read.operands);
  if (files.length === 0) touchTree(at, false);
  for (const file of files) call.report.write(treeish(file));
}

export function reset(at: GitCall): void {
  tellRevisions(at, at.read.operands.slice(0, 1));
  if (isGiven(at.read, "--hard --merge --keep")) touchTree(at, true);
  else touchMetadata(at);
}

export function clean(at: GitCall): void {
  const { read, call } = at;
  if (read.given.some((one) => one.name === "-n")) return;
  const files = read.operands.length ? operandFiles(at, read.operands) : topsOf(at);
  for (const file of files) call.report.act("delete", asTree(file));
}

export function remove(at: GitCall): void {
  const { read, call } = at;
  touchMetadata(at);
  if (isGiven(read, "--cached")) return;
  for (const file of operandFiles(at, read.operands))
    call.report.act("delete", isGiven(read, "-r") ? asTree(file) : file);
}

export function move(at: GitCall): void {
  const { read, call, shell } = at;
  touchMetadata(at);
  const dest = read.operands[read.operands.length - 1];
  const sources = read.operands.slice(0, -1);
  if (!dest || !sources.length) return;
  const request = {
    call: { ...call, shell },
    sources,
    dest,
    directory: false,
    fixed: false,
    recursive: true,
  };
  for (const place of placeCopies(request)) {
    call.report.act("delete", asTree(place.from));
    call.report.write(place.to);
  }
}

export function branch(at: GitCall): void {
  const { read, call } = at;
  if (isGiven(read, "-d -D --delete")) {
    tell(at, "branch", read.operands);
    call.report.risk("DELETE");
    touchMetadata(at);
  } else if (isGiven(read, "-m -M --move -c -C --copy -u --set-upstream-to --unset-upstream -f --force"))
    touchMetadata(at);
  else if (
    read.operands.length &&
    !isGiven(
      read,
      "-l --list -a -r --all --remotes --show-current --contains --no-contains --merged --no-merged --points-at",
    )
  )
    touchMetadata(at);
}

export function tag(at: GitCall): void {
  const { read, call } = at;
  if (isGiven(read, "-d --delete")) {
    tell(at, "tag", read.operands);
    call.report.risk("DELETE");
    touchMetadata(at);
  } else if (
    isGiven(
      read,
      "-l --list -n -v --verify --contains --no-contains --merged --no-merged --points-at --column --sort",
    )
  )
    return;
  else if (read.operands.length) {
    touchMetadata(at);
    if (isGiven(read, "-a -s --annotate --sign") && !isGiven(read, "-m --message -F --file"))
      call.report.execute("editor");
  }
}

/** Whatever is pushed from now on goes there. */
function tellRemote(at: GitCall, url: Field): void {
  tell(at, "remote_url", [url]);
  at.call.report.said.url(visible(url));
}

export function remote(at: GitCall): void {
  const { call } = at;
  const verb = at.args.map((one) => literal(one) ?? "").find((one) => !one.startsWith("-")) ?? "";
  if (verb === "" || verb === "get-url") return;
  if (verb === "show" || verb === "update" || verb === "prune") call.report.risk("NETWORK");
  if (verb === "show") return;
  touchMetadata(at);
  const [, name, url] = at.read.operands;
  if (/^(?:add|set-url|rename|remove|rm|set-head|set-branches)$/.test(verb) && name !== undefined)
    tell(at, "remote", [name]);
  if ((verb === "add" || verb === "set-url") && url !== undefined) tellRemote(at, url);
  if (verb === "remove" || verb === "rm" || verb === "prune") call.report.risk("DELETE");
}

/** `git config key` reads, `git config key value` writes; newer git has `get` and `set` instead. */
export function config(at: GitCall): void {
  const { read, call, shell } = at;
  const [one] = read.operands;
  const verb = literal(one ?? []) ?? "";
  if (
    isGiven(
      read,
      "-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --name-only",
    ) ||
    verb === "list" ||
    verb === "get"
  )
    return;
  const writes =
    isGiven(read, "--add --unset --unset-all --replace-all --remove-section --rename-section") ||
    /^(?:set|unset|remove-section|rename-section)$/.test(verb) ||
    read.operands.length > 1;
  if (verb === "edit") call.report.execute("editor");
  if (!writes) return;
  const [key, value] = read.operands[0] === one && verb === "set" ? read.operands.slice(1) : read.operands;
  if (
    value !== undefined &&
    /^(?:remote\..*\.(?:push)?url|url\..*\.(?:push)?insteadof)$/i.test(visible(key ?? []))
  )
    tellRemote(
      at,
      /^url\./i.test(visible(key ?? []))
        ? textField(visible(key ?? []).replace(/^url\.|\.(?:push)?insteadof$/gi, ""))
        : value,
    );
  const file = valuesOf(read, "-f --file")[0];
  const home = shell.variables.get("HOME");
  const place =
    file ??
    (isGiven(read, "--global")
      ? home
        ? [...home, ...textField("/.gitconfig")]
        : []
      : isGiven(read, "--system")
        ? textField("/etc/gitconfig")
        : textField(".git/config"));
  if (place.length === 0) call.report.opaque("unknown-path");
  for (const path of filesOf(place, shell, call.report)) call.report.write(path);
}

export function stash(at: GitCall): void {
  const verb = first(at);
  if (verb === "list" || verb === "show") return;
  if (isGiven(at.read, "-p --patch")) at.call.report.execute("editor");
  if (verb === "drop" || verb === "clear") {
    at.call.report.risk("DELETE");
    touchMetadata(at);
  } else if (verb === "create" || verb === "store") touchMetadata(at);
  else touchTree(at, true);
}

export function worktree(at: GitCall): void {
  const { read, call } = at;
  const [verb, path, other] = read.operands;
  const name = literal(verb ?? []) ?? "";
  if (name === "list" || name === "") return;
  touchMetadata(at);
  if (name === "add" && path)
    for (const file of operandFiles(at, [path])) call.report.act("create", asTree(file));
  if ((name === "remove" || name === "move") && path)
    for (const file of operandFiles(at, [path])) call.report.act("delete", asTree(file));
  if (name === "move" && other)
    for (const file of operandFiles(at, [other])) call.report.act("create", asTree(file));
}

export function submodule(at: GitCall): void {
  const { call } = at;
  const verb = at.args.map((one) => literal(one) ?? "").find((one) => !one.startsWith("-")) ?? "status";
  if (verb === "status" || verb === "summary") return;
  if (verb === "foreach") {
    call.report.execute("git-code");
    giveUp([textField("git"), ...call.args], call.shell, call.place, call.walker);
    return;
  }
  if (verb === "update" || verb === "add") call.report.risk("NETWORK");
  if (verb === "init" || verb === "sync" || verb === "absorbgitdirs") touchMetadata(at);
  else touchTree(at, true);
}

export function bisect(at: GitCall): void {
  const verb = first(at);
  if (verb === "run") {
    at.call.report.execute("git-code");
    giveUp(at.call.args, at.call.shell, at.call.place, at.call.walker);
  }
  if (/^(?:log|visualize|view|terms|help)$/.test(verb)) return;
  touchTree(at, true);
}

export function subverb(at: GitCall, changing: RegExp): void {
  if (!changing.test(first(at))) return;
  at.call.report.risk("DELETE");
  touchMetadata(at);
}

export function apply(at: GitCall): void {
  if (isGiven(at.read, "--cached")) touchMetadata(at);
  else touchTree(at, true);
}

export function formatPatch(at: GitCall): void {
  if (isGiven(at.read, "--stdout")) return;
  const into = valuesOf(at.read, "-o --output-directory")[0] ?? textField(".");
  for (const place of filesOf(into, at.shell, at.call.report))
    at.call.report.write(place === UNKNOWN_PATH ? place : joinBound(place, "*.patch"));
}

export function bundle(at: GitCall): void {
  const [verb, file] = at.read.operands;
  if (literal(verb ?? []) === "create" && file)
    for (const path of operandFiles(at, [file])) at.call.report.write(path);
  if (literal(verb ?? []) === "unbundle") touchMetadata(at);
}

export function sparseCheckout(at: GitCall): void {
  if (!/^(?:list|check-rules)$/.test(first(at))) touchTree(at, true);
}

/** Patches name people of their own, so that whom it writes to is never all that is said here. */
export function sendEmail(at: GitCall): void {
  const { said } = at.call.report;
  for (const one of valuesOf(at.read, "--to")) said.people("to", visible(one));
  for (const one of valuesOf(at.read, "--cc")) said.people("copy", visible(one));
  for (const one of valuesOf(at.read, "--bcc")) said.people("blind-copy", visible(one));
}
