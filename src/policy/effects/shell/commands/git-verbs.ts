import type { RiskClass } from "../../../types.ts";
import { isGiven, type OptionShape } from "../options.ts";
import type { GitCall } from "./git.ts";
import * as act from "./git-acts.ts";

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

export const GIT_VERB_ROWS: readonly GitVerb[] = [
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
    also: act.commit,
  },
  {
    names: ["merge"],
    tree: "delete",
    values: "-m -F -s --strategy -X -S",
    executes: "-e --edit",
    also: act.bringIn,
  },
  {
    names: ["rebase"],
    tree: "delete",
    values: "-s --strategy -X --onto -x --exec --strategy-option",
    executes: "-i --interactive -x --exec --edit-todo",
    also: act.bringIn,
  },
  {
    names: ["cherry-pick", "revert"],
    tree: "delete",
    values: "-m --mainline -s --strategy -X -S",
    executes: "-e --edit",
    also: act.bringIn,
  },
  {
    names: ["pull"],
    network: true,
    tree: "delete",
    values: "-s --strategy -X --depth --upload-pack -j -o --server-option --refmap",
    idle: "--dry-run",
    executes: "--upload-pack",
    also: act.fetched,
  },
  {
    names: ["fetch"],
    network: true,
    metadata: true,
    values: "--depth --shallow-since --upload-pack -j -o --server-option --refmap --negotiation-tip",
    idle: "--dry-run",
    executes: "--upload-pack",
    also: act.fetched,
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
    also: act.push,
  },
  {
    names: ["clone"],
    network: true,
    values:
      "-o --origin -b --branch -u --upload-pack --template -c --config --depth --reference --reference-if-able --separate-git-dir -j --jobs --filter --bundle-uri --shallow-since --shallow-exclude --server-option",
    executes: "-u --upload-pack --template -c --config",
    also: act.clone,
  },
  {
    names: ["init", "init-db"],
    values: "--template --separate-git-dir -b --initial-branch --object-format",
    executes: "--template",
    also: act.init,
  },
  {
    names: ["checkout"],
    values: "-b -B --orphan --conflict --pathspec-from-file",
    executes: "-p --patch",
    also: act.checkout,
  },
  { names: ["switch"], values: "-c -C --create --force-create --orphan --conflict", also: act.switchBranch },
  {
    names: ["restore"],
    values: "-s --source --conflict --pathspec-from-file",
    executes: "-p --patch",
    flags: "--staged --worktree",
    also: act.restore,
  },
  { names: ["reset"], values: "--pathspec-from-file", executes: "-p --patch", also: act.reset },
  {
    names: ["clean"],
    values: "-e --exclude",
    executes: "-i --interactive",
    idle: "-n --dry-run",
    also: act.clean,
  },
  { names: ["rm"], values: "--pathspec-from-file", idle: "-n --dry-run", also: act.remove },
  { names: ["mv"], idle: "-n --dry-run", also: act.move },
  {
    names: ["branch"],
    values: "-u --set-upstream-to --sort --format --points-at",
    attached: "--contains --no-contains --merged --no-merged --color --abbrev --column -t --track",
    executes: "--edit-description",
    also: act.branch,
  },
  {
    names: ["tag"],
    values: "-m --message -F --file -u --local-user --sort --format --points-at -n",
    attached: "--contains --no-contains --merged --no-merged --column",
    executes: "-e --edit",
    also: act.tag,
  },
  { names: ["remote"], also: act.remote },
  {
    names: ["config"],
    values: "-f --file --blob --type --default --comment --value --url",
    executes: "-e --edit",
    flags:
      "--global --system --local --worktree --list --get --get-all --get-regexp --add --unset --unset-all --replace-all --remove-section --rename-section",
    also: act.config,
  },
  { names: ["stash"], values: "-m --message", also: act.stash },
  { names: ["worktree"], values: "-b -B --reason", also: act.worktree },
  { names: ["submodule"], also: act.submodule },
  { names: ["bisect"], also: act.bisect },
  { names: ["reflog"], also: (at) => act.subverb(at, /^(?:expire|delete|drop)$/) },
  { names: ["sparse-checkout"], also: act.sparseCheckout },
  {
    names: ["apply"],
    values: "-p --directory --exclude --include -C --whitespace",
    idle: "--check --stat --numstat --summary",
    opaque: "patch-content",
    also: act.apply,
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
    also: act.formatPatch,
  },
  {
    names: ["archive"],
    reads: true,
    values: "--format --prefix --remote --exec --add-file --mtime",
    writes: "-o --output",
    executes: "--exec",
    also: (at) => (isGiven(at.read, "--remote") ? at.call.report.risk("NETWORK") : undefined),
  },
  { names: ["bundle"], values: "--version", also: act.bundle },
  {
    names: ["send-email"],
    network: true,
    risks: ["EXTERNAL_WRITE", "COMMUNICATION"],
    values:
      "--to --cc --bcc --from --subject --in-reply-to --smtp-server --compose --smtp-user --sendmail-cmd --to-cmd --cc-cmd",
    executes: "--sendmail-cmd --to-cmd --cc-cmd --compose --annotate",
    also: act.sendEmail,
  },
  { names: ["imap-send"], network: true, risks: ["EXTERNAL_WRITE"] },
  { names: ["checkout-index", "unpack-file"], tree: "change" },
  { names: ["fast-export"], reads: true, writes: "--export-marks" },
  { names: ["bisect--helper"], opaque: "code" },
];
