import type { RiskClass } from "../../../types.ts";
import { UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { type Field, joinBound, lastSegment, leading, literal, textField } from "../field.ts";
import { isGiven, type OptionShape, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { asTree, hasExtension, placeCopies } from "./destination.ts";
import { type GitCall, operandFiles, topsOf, touchMetadata, touchTree } from "./git.ts";

/** One verb of git. What a row does not say, the verb does not do. */
export interface GitVerb extends OptionShape {
  readonly names: readonly string[];
  /** Only looks; what it writes is in `writes`. */
  readonly reads?: true;
  /** Changes the repository's own data under `.git`. */
  readonly metadata?: true;
  /** May change any file of the working tree, or also delete some. */
  readonly tree?: "change" | "delete";
  readonly network?: true;
  readonly risks?: readonly RiskClass[];
  readonly writes?: string;
  readonly executes?: string;
  readonly idle?: string;
  /** `code` when it runs something that cannot be seen; else the cause for which its effect is not known. */
  readonly opaque?: string;
  readonly also?: (at: GitCall) => void;
}

const LOOKS =
  "-n --max-count -L -S -G -U --unified --since --until --after --before --author --grep --skip --format --pretty --diff-filter";
const COMMITS =
  "-m --message -F --file -C --reuse-message -t --template --author --date --cleanup --trailer --fixup --squash -S --gpg-sign";

const ROWS: readonly GitVerb[] = [
  {
    names: ["log", "show", "diff", "whatchanged", "range-diff", "diff-tree", "diff-index", "diff-files"],
    reads: true,
    values: LOOKS,
    writes: "--output",
    executes: "--ext-diff",
  },
  {
    names:
      "status rev-parse rev-list ls-files ls-tree cat-file describe blame annotate shortlog name-rev merge-base for-each-ref show-ref show-branch count-objects fsck cherry var verify-commit verify-tag check-ignore check-attr diff-pairs get-tar-commit-id help version merge-tree".split(
        " ",
      ),
    reads: true,
    values: "--format --abbrev --sort --contains --points-at",
  },
  {
    names: ["grep"],
    reads: true,
    values: "-e -f -A -B -C -m --max-depth --threads",
    attached: "-O --open-files-in-pager",
    executes: "-O --open-files-in-pager",
  },
  {
    names: [
      "difftool",
      "mergetool",
      "gui",
      "gitk",
      "citool",
      "instaweb",
      "web--browse",
      "daemon",
      "shell",
      "filter-branch",
      "filter-repo",
      "p4",
      "svn",
      "cvsserver",
      "credential",
      "lfs",
      "flow",
      "annex",
      "maintenance",
      "hook",
      "remote-ext",
      "upload-pack",
      "receive-pack",
      "rebase--interactive",
      "interpret-trailers",
      "fast-import",
      "cvsimport",
      "quiltimport",
      "request-pull",
      "bugreport",
    ],
    opaque: "code",
  },
  {
    names: [
      "add",
      "stage",
      "update-index",
      "write-tree",
      "commit-tree",
      "update-ref",
      "symbolic-ref",
      "pack-refs",
      "gc",
      "prune",
      "repack",
      "notes",
      "replace",
      "hash-object",
      "mktag",
      "mktree",
      "pack-objects",
      "rerere",
      "read-tree",
      "update-server-info",
      "commit-graph",
      "multi-pack-index",
      "prune-packed",
      "unpack-objects",
      "fmt-merge-msg",
    ],
    metadata: true,
    values: "-m --message -F -C --chmod --pathspec-from-file",
    idle: "-n --dry-run",
    executes: "-i -p -e --interactive --patch --edit",
  },
  {
    names: ["commit"],
    metadata: true,
    values: COMMITS,
    idle: "--dry-run",
    executes: "-p --patch --interactive -e --edit",
    also: commit,
  },
  {
    names: ["merge"],
    tree: "delete",
    values: "-m -F -s --strategy -X -S",
    executes: "-e --edit",
  },
  {
    names: ["rebase"],
    tree: "delete",
    values: "-s --strategy -X --onto -x --exec --strategy-option",
    executes: "-i --interactive -x --exec --edit-todo",
  },
  {
    names: ["cherry-pick", "revert"],
    tree: "delete",
    values: "-m --mainline -s --strategy -X -S",
    executes: "-e --edit",
  },
  {
    names: ["pull"],
    network: true,
    tree: "delete",
    values: "-s --strategy -X --depth --upload-pack -j -o --server-option --refmap",
    idle: "--dry-run",
    executes: "--upload-pack",
  },
  {
    names: ["fetch"],
    network: true,
    metadata: true,
    values: "--depth --shallow-since --upload-pack -j -o --server-option --refmap --negotiation-tip",
    idle: "--dry-run",
    executes: "--upload-pack",
  },
  {
    names: ["ls-remote"],
    network: true,
    reads: true,
    values: "--upload-pack -o --sort",
    executes: "--upload-pack --exec",
  },
  {
    names: ["push"],
    network: true,
    risks: ["EXTERNAL_WRITE"],
    values: "-o --push-option --repo --receive-pack --exec",
    flags:
      "--force --force-with-lease --delete --all --mirror --tags --dry-run --prune --set-upstream --no-verify --follow-tags --signed --atomic",
    idle: "-n --dry-run",
    executes: "--receive-pack --exec",
    also: push,
  },
  {
    names: ["clone"],
    network: true,
    values:
      "-o --origin -b --branch -u --upload-pack --template -c --config --depth --reference --reference-if-able --separate-git-dir -j --jobs --filter --bundle-uri --shallow-since --shallow-exclude --server-option",
    executes: "-u --upload-pack --template -c --config",
    also: clone,
  },
  {
    names: ["init", "init-db"],
    values: "--template --separate-git-dir -b --initial-branch --object-format",
    executes: "--template",
    also: init,
  },
  {
    names: ["checkout"],
    values: "-b -B --orphan --conflict --pathspec-from-file",
    executes: "-p --patch",
    also: checkout,
  },
  { names: ["switch"], values: "-c -C --create --force-create --orphan --conflict", also: switchBranch },
  {
    names: ["restore"],
    values: "-s --source --conflict --pathspec-from-file",
    executes: "-p --patch",
    flags: "--staged --worktree",
    also: restore,
  },
  { names: ["reset"], values: "--pathspec-from-file", executes: "-p --patch", also: reset },
  {
    names: ["clean"],
    values: "-e --exclude",
    executes: "-i --interactive",
    idle: "-n --dry-run",
    also: clean,
  },
  { names: ["rm"], values: "--pathspec-from-file", idle: "-n --dry-run", also: remove },
  { names: ["mv"], idle: "-n --dry-run", also: move },
  {
    names: ["branch"],
    values: "-u --set-upstream-to --sort --format --points-at",
    attached: "--contains --no-contains --merged --no-merged --color --abbrev --column -t --track",
    executes: "--edit-description",
    also: branch,
  },
  {
    names: ["tag"],
    values: "-m --message -F --file -u --local-user --sort --format --points-at -n",
    attached: "--contains --no-contains --merged --no-merged --column",
    executes: "-e --edit",
    also: tag,
  },
  { names: ["remote"], also: remote },
  {
    names: ["config"],
    values: "-f --file --blob --type --default --comment --value --url",
    executes: "-e --edit",
    flags:
      "--global --system --local --worktree --list --get --get-all --get-regexp --add --unset --unset-all --replace-all --remove-section --rename-section",
    also: config,
  },
  { names: ["stash"], values: "-m --message", executes: "-p --patch", also: stash },
  { names: ["worktree"], values: "-b -B --reason", also: worktree },
  { names: ["submodule"], also: submodule },
  { names: ["bisect"], also: bisect },
  { names: ["reflog"], also: (at) => subverb(at, /^(?:expire|delete|drop)$/) },
  {
    names: ["sparse-checkout"],
    also: (at) => (/^(?:list|check-rules)$/.test(first(at)) ? undefined : touchTree(at, true)),
  },
  {
    names: ["apply"],
    values: "-p --directory --exclude --include -C --whitespace",
    idle: "--check --stat --numstat --summary",
    opaque: "patch-content",
    also: apply,
  },
  {
    names: ["am"],
    tree: "delete",
    values: "-p --directory --exclude --include -C --patch-format -S --resolvemsg",
    opaque: "patch-content",
  },
  {
    names: ["format-patch"],
    values:
      "-o --output-directory -n --start-number --subject-prefix -v --suffix --in-reply-to --to --cc --base --signature",
    also: formatPatch,
  },
  {
    names: ["archive"],
    reads: true,
    values: "--format --prefix --remote --exec --add-file --mtime",
    writes: "-o --output",
    executes: "--exec",
    also: (at) => (isGiven(at.read, "--remote") ? at.call.report.risk("NETWORK") : undefined),
  },
  { names: ["bundle"], values: "--version", also: bundle },
  {
    names: ["send-email"],
    network: true,
    risks: ["EXTERNAL_WRITE", "COMMUNICATION"],
    values:
      "--to --cc --bcc --from --subject --in-reply-to --smtp-server --compose --smtp-user --sendmail-cmd --to-cmd --cc-cmd",
    executes: "--sendmail-cmd --to-cmd --cc-cmd --compose --annotate",
  },
  { names: ["imap-send"], network: true, risks: ["EXTERNAL_WRITE"] },
  { names: ["checkout-index", "unpack-file"], tree: "change" },
  { names: ["fast-export"], reads: true, writes: "--export-marks" },
  { names: ["bisect--helper"], opaque: "code" },
];

export const GIT_VERBS: ReadonlyMap<string, GitVerb> = new Map(
  ROWS.flatMap((row) => row.names.map((name) => [name, row] as const)),
);

function first(at: GitCall): string {
  return literal(at.args[0] ?? []) ?? "";
}

function commit(at: GitCall): void {
  const given = "-m --message -F --file -C --reuse-message --no-edit --fixup --squash";
  if (isGiven(at.read, given)) return;
  // Without a message it opens an editor, which configuration chooses.
  at.call.report.execute("editor");
}

function push(at: GitCall): void {
  const removes =
    isGiven(at.read, "-d --delete --mirror --prune") ||
    at.read.operands.some((one) => /^\+?:./.test(leading(one)));
  if (removes) at.call.report.risk("DELETE");
}

function clone(at: GitCall): void {
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

function init(at: GitCall): void {
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

function checkout(at: GitCall): void {
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
    if (operands.length === 0) touchMetadata(at);
    else touchTree(at, true);
    return;
  }
  const [only] = operands;
  const folders = operands.filter((one) => /^(?:\.{1,2}|.*\/)$/.test(literal(one) ?? ""));
  if (operands.length === 1 && only && folders.length === 0 && !isGiven(read, "--ours --theirs"))
    touchTree(at, true);
  else if (operands.length === 0) touchTree(at, true);
  else {
    const paths = operands.length > 1 && isRevision(operands[0] ?? []) ? operands.slice(1) : operands;
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

function switchBranch(at: GitCall): void {
  if (isGiven(at.read, "-c -C --create --force-create --orphan") && at.read.operands.length === 0)
    touchMetadata(at);
  else touchTree(at, true);
}

function restore(at: GitCall): void {
  const { read, call } = at;
  const staged = isGiven(read, "-S --staged");
  if (staged) touchMetadata(at);
  if (staged && !isGiven(read, "-W --worktree")) return;
  const files = operandFiles(at, read.operands);
  if (files.length === 0) touchTree(at, false);
  for (const file of files) call.report.write(treeish(file));
}

function reset(at: GitCall): void {
  if (isGiven(at.read, "--hard --merge --keep")) touchTree(at, true);
  else touchMetadata(at);
}

function clean(at: GitCall): void {
  const { read, call } = at;
  if (read.given.some((one) => one.name === "-n")) return;
  const files = read.operands.length ? operandFiles(at, read.operands) : topsOf(at);
  for (const file of files) call.report.act("delete", asTree(file));
}

function remove(at: GitCall): void {
  const { read, call } = at;
  touchMetadata(at);
  if (isGiven(read, "--cached")) return;
  for (const file of operandFiles(at, read.operands))
    call.report.act("delete", isGiven(read, "-r") ? asTree(file) : file);
}

function move(at: GitCall): void {
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

function branch(at: GitCall): void {
  const { read, call } = at;
  if (isGiven(read, "-d -D --delete")) {
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

function tag(at: GitCall): void {
  const { read, call } = at;
  if (isGiven(read, "-d --delete")) {
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

function remote(at: GitCall): void {
  const { call } = at;
  const verb = at.args.map((one) => literal(one) ?? "").find((one) => !one.startsWith("-")) ?? "";
  if (verb === "" || verb === "get-url") return;
  if (verb === "show" || verb === "update" || verb === "prune") call.report.risk("NETWORK");
  if (verb === "show") return;
  touchMetadata(at);
  if (verb === "remove" || verb === "rm" || verb === "prune") call.report.risk("DELETE");
}

/** `git config key` reads, `git config key value` writes; newer git has `get` and `set` instead. */
function config(at: GitCall): void {
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

function stash(at: GitCall): void {
  const verb = first(at);
  if (verb === "list" || verb === "show") return;
  if (isGiven(at.read, "-p --patch")) at.call.report.execute("editor");
  if (verb === "drop" || verb === "clear") {
    at.call.report.risk("DELETE");
    touchMetadata(at);
  } else if (verb === "create" || verb === "store") touchMetadata(at);
  else touchTree(at, true);
}

function worktree(at: GitCall): void {
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

function submodule(at: GitCall): void {
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

function bisect(at: GitCall): void {
  const verb = first(at);
  if (verb === "run") {
    at.call.report.execute("git-code");
    giveUp(at.call.args, at.call.shell, at.call.place, at.call.walker);
  }
  if (/^(?:log|visualize|view|terms|help)$/.test(verb)) return;
  touchTree(at, true);
}

function subverb(at: GitCall, changing: RegExp): void {
  if (!changing.test(first(at))) return;
  at.call.report.risk("DELETE");
  touchMetadata(at);
}

function apply(at: GitCall): void {
  if (isGiven(at.read, "--cached")) touchMetadata(at);
  else touchTree(at, true);
}

function formatPatch(at: GitCall): void {
  if (isGiven(at.read, "--stdout")) return;
  const into = valuesOf(at.read, "-o --output-directory")[0] ?? textField(".");
  for (const place of filesOf(into, at.shell, at.call.report))
    at.call.report.write(place === UNKNOWN_PATH ? place : joinBound(place, "*.patch"));
}

function bundle(at: GitCall): void {
  const [verb, file] = at.read.operands;
  if (literal(verb ?? []) === "create" && file)
    for (const path of operandFiles(at, [file])) at.call.report.write(path);
  if (literal(verb ?? []) === "unbundle") touchMetadata(at);
}
