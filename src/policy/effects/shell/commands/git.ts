import type { PathBound } from "../../../types.ts";
import { perRow } from "../../columns.ts";
import { hostOfTarget } from "../../hosts.ts";
import { UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { dropLeading, type Field, joinBound, leading, literal, textField, visible } from "../field.ts";
import { type Arguments, isGiven, readOptions, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { enter, type Shell } from "../state.ts";
import { locateDirectory } from "./builtins.ts";
import { asTree } from "./destination.ts";
import type { GitVerb } from "./git-verbs.ts";
import type { Reading, Row } from "./row.ts";

export const GIT_ROWS: readonly Row[] = [{ names: ["git"], also: git }];

/** One git command, its global options already applied. */
export interface GitCall {
  readonly call: Reading;
  readonly verb: string;
  readonly args: readonly Field[];
  readonly read: Arguments;
  /** The shell as if it stood where `-C` leads. */
  readonly shell: Shell;
  readonly separator: boolean;
}

/** Settings that only change how things look, or whose name goes on a commit. Any other may run a program. */
const PLAIN_SETTINGS =
  /^(?:user\.(?:name|email)|color\..*|core\.(?:quotepath|autocrlf|filemode|abbrev|safecrlf|ignorecase|eol|longpaths|precomposeunicode|bare)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|advice\..*|log\..*|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|merge\.(?:ff|conflictstyle|renamelimit)|diff\.(?:algorithm|renames|context|mnemonicprefix|noprefix|renamelimit|submodule|colormoved)|fetch\.prune|rebase\.(?:autosquash|autostash)|rerere\.enabled|column\..*|status\..*|branch\.(?:sort|autosetuprebase)|safe\.directory|gc\.auto|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|followredirects)|protocol\.version|pack\..*|index\..*|blame\..*|format\.pretty|i18n\..*|versionsort\..*)$/i;

function git(call: Reading): undefined {
  const { report } = call;
  const words = [...call.args];
  let { shell } = call;
  let top: Field | null = null;
  while (words.length && leading(words[0] ?? []).startsWith("-")) {
    const text = literal(words[0] ?? []) ?? visible(words[0] ?? []);
    if (text === "-C") {
      shell = enter(
        shell,
        shell.directories.map((one) => locateDirectory(words[1] ?? [], one, report)),
      );
      words.splice(0, 2);
    } else if (text === "-c" || text.startsWith("--config-env")) {
      const setting = text === "-c" ? visible(words[1] ?? []) : "";
      words.splice(0, text.includes("=") ? 1 : 2);
      if (!PLAIN_SETTINGS.test(setting.split("=")[0] ?? "")) report.execute("git-setting", setting, null);
      if (/^alias\./i.test(setting))
        giveUp([textField("git"), ...call.args], call.shell, call.place, call.walker);
    } else if (/^--(?:git-dir|work-tree|namespace|super-prefix|attr-source)(?:=|$)/.test(text)) {
      const equals = text.indexOf("=");
      const value = equals < 0 ? (words[1] ?? []) : dropLeading(words[0] ?? [], equals + 1);
      if (text.startsWith("--work-tree")) top = value;
      if (text.startsWith("--git-dir") && top === null) top = parentField(value);
      words.splice(0, equals < 0 ? 2 : 1);
    } else if (/^--exec-path=/.test(text)) {
      report.execute("git-setting");
      words.shift();
    } else if (/^--(?:version|help|exec-path|html-path|man-path|info-path)$|^-[hv]$/.test(text)) return;
    else words.shift();
  }
  if (top !== null)
    shell = enter(
      shell,
      shell.directories.map((one) => locateDirectory(top ?? [], one, report)),
    );
  const verb = literal(words[0] ?? []);
  if (words.length === 0) return;
  const row = verb === null ? undefined : report.tables.gitVerbs.get(verb);
  if (verb === null || row === undefined) {
    // An alias or a program called `git-…`.
    report.execute("unknown-git-verb");
    giveUp([textField("git"), ...call.args], call.shell, call.place, call.walker);
    return;
  }
  const args = words.slice(1);
  const read = readOptions(args, shapeOf(row));
  const separator = args.some((one) => literal(one) === "--");
  runVerb(row, { call, verb, args, read, shell, separator });
}

const shapeOf = perRow((row: GitVerb) => ({
  ...row,
  values: [row.values, row.writes].filter(Boolean).join(" "),
}));

function parentField(field: Field): Field {
  const text = literal(field);
  return text === null ? field : textField(`${text}/..`);
}

function runVerb(row: GitVerb, at: GitCall): void {
  const { report } = at.call;
  const { read } = at;
  if (read.given.some((one) => one.name === "--help" || one.name === "-h")) return;
  if (isGiven(read, row.idle)) {
    if (row.network) {
      report.risk("NETWORK");
      noteHosts(at);
    }
    return;
  }
  if (row.network) {
    report.risk("NETWORK");
    noteHosts(at);
  }
  if (row.risks) report.risk(...row.risks);
  const runs = isGiven(read, row.executes) || at.args.some((one) => /^(?:ext|fd)::/.test(leading(one)));
  if (runs || row.opaque === "code") {
    report.execute(runs ? "helper-program" : "git-code");
    giveUp([textField("git"), ...at.call.args], at.call.shell, at.call.place, at.call.walker);
    if (runs) return;
  } else if (row.opaque !== undefined) report.opaque(row.opaque);
  if (read.loose && row.reads !== true) report.opaque("unknown-arguments");
  for (const value of valuesOf(read, row.writes))
    for (const file of filesOf(value, at.shell, report)) report.write(file);
  if (row.metadata) touchMetadata(at);
  if (row.tree) touchTree(at, row.tree === "delete");
  row.also?.(at);
}

/** A remote may stand in any operand: a URL, or `host:path`. A remote's short name says nothing. */
function noteHosts(at: GitCall): void {
  for (const operand of at.read.operands) {
    const text = leading(operand);
    if (!/^[a-z][a-z0-9+.-]*:\/\/|^[^\s/:]+:[^:]/i.test(text) || /^(?:ext|fd)::/.test(text)) continue;
    if (/^[^@/]*:[^/]*$/.test(text) && !text.includes("@") && !/\.(?:git|[a-z]{2,})/.test(text)) continue;
    const host = hostOfTarget(text);
    if (host !== null) at.call.report.host(host);
  }
}

/** The repository's own data, which lies in `.git` at its top. */
export function touchMetadata(at: GitCall): void {
  for (const top of topsOf(at))
    at.call.report.act("modify", top === UNKNOWN_PATH ? top : asTree(joinBound(top, ".git")));
}

/** Any tracked file below the top may be created or changed, and some may go. */
export function touchTree(at: GitCall, deletes: boolean): void {
  for (const top of topsOf(at)) {
    at.call.report.write(asTree(top));
    if (deletes) at.call.report.act("delete", asTree(top));
  }
}

export function topsOf(at: GitCall): PathBound[] {
  return filesOf(textField("."), at.shell, at.call.report);
}

export function operandFiles(at: GitCall, operands: readonly Field[]): PathBound[] {
  return operands.flatMap((one) => filesOf(pathspec(one), at.shell, at.call.report));
}

/** `:/x` and `:(top)x` start at the top; other magic may mean anything below it. */
function pathspec(field: Field): Field {
  const text = leading(field);
  if (!text.startsWith(":")) return field;
  if (/^:\/./.test(text)) return dropLeading(field, 2);
  return text === ":/" ? textField(".") : [{ kind: "glob", text: "*" }];
}
