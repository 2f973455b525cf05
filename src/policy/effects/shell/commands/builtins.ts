import type { PathBound } from "../../../types.ts";
import type { Report } from "../../report.ts";
import { giveUp, redefinedBy, setVariable } from "../command.ts";
import { noteFeed } from "../fed.ts";
import { dropLeading, type Field, has, leading, literal, locate, textField, visible } from "../field.ts";
import { isGiven, valuesOf } from "../options.ts";
import { evaluateVariables } from "../parameters.ts";
import { filesOf } from "../paths.ts";
import {
  assign,
  convert,
  define,
  enter,
  exportName,
  own,
  type Shell,
  undefine,
  withPositional,
} from "../state.ts";
import { directoryText, type Outcome, unchanged } from "../walker.ts";
import type { Reading, Row } from "./row.ts";
import { runText } from "./wrappers.ts";

/** What the shell does by itself. */
export const BUILTIN_ROWS: readonly Row[] = [
  { names: ["cd", "chdir"], also: changeDirectory },
  { names: ["pushd"], also: pushDirectory },
  { names: ["popd"], also: popDirectory },
  {
    names: ["source", "."],
    opaque: "sourced-file",
    also: ({ place, args, report }) => void noteFeed(place, args, report),
  },
  { names: ["export", "declare", "typeset", "local", "readonly"], also: declare },
  { names: ["unset"], also: unset },
  {
    names: ["read", "mapfile", "readarray"],
    values: "-a -d -i -n -N -p -t -u -C -c -O -s",
    executes: "-C",
    also: readInput,
  },
  { names: ["let"], also: evaluateWords },
  { names: ["test", "["], also: evaluateWords },
  { names: ["printf"], also: print },
  { names: ["alias"], also: alias },
  { names: ["unalias"] },
  { names: ["hash"], also: hash },
  { names: ["jobs"], executes: "-x" },
  { names: ["exit", "return", "logout", "suspend"], also: leave },
  { names: ["wait", "getopts"], also: evaluateIndexes },
  { names: ["trap"], also: trap },
  { names: ["set"], also: set },
  { names: ["break", "continue"], also: (call) => unchanged(ended(call.shell, 1)) },
  { names: ["shift"], also: shiftPositional },
  { names: ["shopt"], also: shellOptions },
  { names: ["history", "fc"], also: history },
  {
    names: ["enable", "bind", "complete", "compopt", "compgen", "coproc", "disown", "fg", "bg"],
    also: rareBuiltin,
  },
];

/** Where `cd` and its like would lead from one directory; `null` when that cannot be known. */
export function locateDirectory(target: Field, from: PathBound | null, report: Report): PathBound | null {
  const place = locate(target, from);
  if (!place.ok) return null;
  if (place.computed) report.opaque("computed-path");
  return place.bound;
}

function changeDirectory(call: Reading): Outcome {
  const { args, shell, report } = call;
  const target = args.find((one) => !/^-[LPe@]+$|^--$/.test(literal(one) ?? ""));
  if (target === undefined) {
    const home = shell.variables.get("HOME");
    return moveTo(shell, home ? [locateDirectory(home, null, report)] : [null], true);
  }
  if (literal(target) === "-") return moveTo(shell, [null]);
  if (literal(target) === "") return unchanged(shell);
  // CDPATH may lead anywhere else.
  const plain = !/^\.{0,2}\//.test(leading(target)) && !/^\.{1,2}$/.test(leading(target));
  const searched = plain && shell.variables.has("CDPATH");
  const directories = shell.directories.map((one) =>
    searched ? null : locateDirectory(target, one, report),
  );
  const moved = moveTo(shell, directories, leading(target).startsWith("/"));
  // These are always there, so the way on from a failure need not be followed.
  return directories.every((one) => one !== null && /^\/(?:tmp|etc|usr|var|dev|proc)?$/.test(one))
    ? unchanged(moved.ok)
    : moved;
}

function moveTo(shell: Shell, directories: readonly (PathBound | null)[], anchored = false): Outcome {
  return { ok: enter(shell, directories, anchored), fail: shell };
}

function pushDirectory(call: Reading): Outcome {
  const { shell } = call;
  const target = call.args.find((one) => !leading(one).startsWith("-"));
  if (target === undefined || /^\+/.test(leading(target))) return moveTo({ ...shell, stack: null }, [null]);
  const moved = changeDirectory({ ...call, args: [target] });
  const stack = shell.stack === null || shell.stack.length > 32 ? null : [shell.directories, ...shell.stack];
  return { ok: { ...moved.ok, stack }, fail: shell };
}

function popDirectory({ args, shell }: Reading): Outcome {
  if (shell.stack === null || args.length) return moveTo({ ...shell, stack: null }, [null]);
  const [back, ...stack] = shell.stack;
  if (back === undefined) return unchanged(shell);
  return { ok: { ...enter(shell, back), stack }, fail: shell };
}

/** Bash evaluates an index inside these arguments, quoted or not: `declare 'a[$(rm x)]=1'` runs rm. */
function evaluateText(call: Reading, text: string): void {
  if (!/\$\(|`/.test(text)) return;
  call.report.opaque("evaluated-text");
  call.walker.expandable(text, call.shell, { ...call.place, depth: call.place.depth + 1 });
}

function declare(call: Reading): Outcome {
  const { args, place, walker, report, name } = call;
  let { shell } = call;
  const exports_ = name === "export" || args.some((one) => /^-\w*x/.test(leading(one)));
  let named = 0;
  const isOwn =
    name !== "export" && name !== "readonly" && !args.some((one) => /^-\w*[gpfF]/.test(leading(one)));
  const flags = args.map(leading).filter((one) => one.startsWith("-"));
  const converts = flags.some((one) => /^-\w*[iluc]/.test(one)) && name !== "export";
  const evaluates = flags.some((one) => /^-\w*i/.test(one));
  if (exports_ && flags.some((one) => /^-\w*f/.test(one))) {
    report.execute("exported-function");
    for (const one of args) {
      const known = shell.definitions.get(literal(one) ?? "");
      if (known?.kind === "function")
        report.mention(known.source.slice(known.body.pos, known.body.end), directoryText(shell), true);
    }
    // A child of this shell runs it wherever it would have run a program of that name.
    shell = { ...shell, redefined: shell.redefined || 1 };
  }
  if (name !== "export" && flags.some((one) => /^-\w*n/.test(one))) {
    report.opaque("name-reference");
    for (const one of args) evaluateText(call, visible(one));
  }
  for (const arg of args) {
    const text = leading(arg);
    const target = converts ? /^[A-Za-z_]\w*/.exec(text)?.[0] : undefined;
    if (target !== undefined) shell = convert(shell, target);
    if (/^[-+]/.test(text)) continue;
    named++;
    if (has(arg, "unknown") && !/^[A-Za-z_]\w*\+?=/.test(text)) report.opaque("computed-name");
    const equals = /^([A-Za-z_]\w*)(\[[^=]*\])?(\+?)=/.exec(text);
    if (evaluates || /^[A-Za-z_]\w*\[/.test(text)) evaluateText(call, visible(arg));
    if (equals) {
      const value = equals[2] || equals[3] ? null : dropLeading(arg, equals[0].length);
      shell = setVariable(equals[1] ?? "", value, shell, place, walker, exports_);
      if (isOwn) shell = own(shell, equals[1] ?? "");
    } else if (isOwn && /^[A-Za-z_]\w*$/.test(text)) {
      shell = assign(own(shell, text), text, null);
    } else if (exports_ && /^[A-Za-z_]\w*$/.test(text)) {
      const redefined = redefinedBy(text, shell.variables.get(text) ?? null, shell);
      shell = exportName({ ...shell, redefined }, text);
    }
  }
  const keys = report.context.self.variables;
  const prints = named === 0 || args.some((one) => /^-\w*p/.test(leading(one)));
  if (keys.length && prints && (named === 0 || args.some((one) => keys.includes(literal(one) ?? ""))))
    report.govern("own-key-variable");
  if (prints && named === 0) report.secret("environment");
  return unchanged(shell);
}

function unset(call: Reading): Outcome {
  let { shell } = call;
  for (const arg of call.args) {
    const text = literal(arg);
    if (text === null || /\[/.test(text)) evaluateText(call, visible(arg));
    else if (!text.startsWith("-")) {
      shell = {
        ...assign(shell, text, null),
        redefined: text === "PATH" ? shell.redefined || 1 : shell.redefined,
      };
      shell = undefine(shell, text);
    }
  }
  return unchanged(shell);
}

function readInput(call: Reading): Outcome {
  let { shell } = call;
  const names = [...call.read.operands, ...valuesOf(call.read, "-a")].map((one) => literal(one));
  for (const name of names.length ? names : ["REPLY", "MAPFILE"]) {
    if (name === null) call.report.opaque("computed-name");
    else if (/\[/.test(name)) evaluateText(call, name);
    else shell = setVariable(name, null, shell, call.place, call.walker);
  }
  return unchanged(shell);
}

function evaluateWords(call: Reading): undefined {
  const words = call.args.map(visible);
  const arithmetic = call.name === "let" || words.some((one) => /^-(?:eq|ne|lt|le|gt|ge|v)$/.test(one));
  if (!arithmetic) return;
  for (const one of words) if (one.includes("[")) evaluateText(call, one);
  evaluateVariables(call);
}

function print(call: Reading): Outcome {
  const at = call.args.findIndex((one) => leading(one).startsWith("-v"));
  if (at !== 0) return unchanged(call.shell);
  const first = call.args[0] ?? [];
  const target = leading(first) === "-v" ? visible(call.args[1] ?? []) : visible(first).slice(2);
  evaluateText(call, target);
  return unchanged(
    /^[A-Za-z_]\w*$/.test(target)
      ? setVariable(target, null, call.shell, call.place, call.walker)
      : call.shell,
  );
}

function alias(call: Reading): Outcome {
  let { shell } = call;
  if (call.args.some((one) => literal(one) === null)) {
    call.report.execute("computed-code");
    giveUp([textField(call.name), ...call.args], shell, call.place, call.walker);
  }
  for (const arg of call.args) {
    const text = literal(arg);
    const equals = text?.indexOf("=") ?? -1;
    if (text !== null && equals > 0)
      shell = define(shell, text.slice(0, equals), { kind: "alias", text: text.slice(equals + 1) });
  }
  return unchanged(shell);
}

/** The handler runs later, in whatever state the shell is in then; it is read as if it ran here, and at the end. */
function trap(call: Reading): Outcome {
  readHandler(call);
  const text = literal(call.args.find((one) => literal(one) !== "--") ?? []);
  // A handler decides with which status the shell leaves, and when.
  return unchanged(
    text === null || /\b(?:exit|return|exec|kill|eval|source|break|continue)\b|[$`.]/.test(text)
      ? ended(call.shell)
      : call.shell,
  );
}

function readHandler(call: Reading): undefined {
  const words = call.args.filter((one) => literal(one) !== "--");
  const first = words[0];
  if (first === undefined || /^-[lp]/.test(leading(first)) || words.length < 2) return;
  const text = literal(first);
  if (text === "-" || text === "") return;
  const inside = { ...call.place, depth: call.place.depth + 1, proven: false };
  // Only `EXIT` has one moment, the end; anything else may come at any time, with any values.
  const signals = words.slice(1).map((one) => literal(one));
  if (signals.every((one) => one === "EXIT" || one === "0"))
    call.walker.later(text ?? visible(first), inside);
  else if (signals.some((one) => one === null || /^(?:DEBUG|ERR|RETURN)$/.test(one)))
    call.report.opaque("trap");
  if (text === null) runText(call, first, call.shell, false);
  else call.walker.text(text, call.shell, inside);
}

/** With a status that says failure nothing that was skipped is taken for done. */
function leave(call: Reading): Outcome {
  const status = literal(call.args[0] ?? []);
  if (
    call.name === "exit" &&
    call.args.length === 1 &&
    /^(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/.test(status ?? "")
  )
    return unchanged(call.shell);
  return unchanged(ended(call.shell, call.name === "return" ? 1 : 2));
}

/** Nothing that comes later is certain to run. */
export function ended(shell: Shell, by: 1 | 2 = 2): Shell {
  return shell.ended < by ? { ...shell, ended: by } : shell;
}

function evaluateIndexes(call: Reading): Outcome {
  let { shell } = call;
  for (const arg of call.args) {
    const text = visible(arg);
    if (text.includes("[")) evaluateText(call, text);
    else if (/^[A-Za-z_]\w*$/.test(text)) shell = setVariable(text, null, shell, call.place, call.walker);
  }
  return unchanged(shell);
}

function set(call: Reading): Outcome {
  const { args, report } = call;
  // `-n` and `-t` stop before the next command, and say success.
  const stops =
    args.some((one) => has(one, "unknown") || /^-\w*[nt]/.test(leading(one))) ||
    args.some((one) => /^(?:noexec|onecmd)$/.test(literal(one) ?? ""));
  const shell = stops ? ended(call.shell) : call.shell;
  if (args.length === 0) {
    if (report.context.self.variables.length) report.govern("own-key-variable");
    report.secret("environment");
    return unchanged(shell);
  }
  // Tracing prints PS4, which is expanded each time.
  const traces = args.some((one) => /^-\w*x/.test(leading(one)));
  const prompt = shell.variables.get("PS4");
  if (traces && prompt)
    call.walker.expandable(visible(prompt), shell, { ...call.place, depth: call.place.depth + 1 });
  const dashes = args.findIndex((one) => literal(one) === "--");
  const operands = dashes >= 0 ? args.slice(dashes + 1) : args.filter((one) => !/^[-+]/.test(leading(one)));
  if (dashes < 0 && operands.length === 0) return unchanged(shell);
  return unchanged(withPositional(shell, operands.some((one) => has(one, "unknown")) ? null : operands));
}

function shiftPositional({ args, shell }: Reading): Outcome {
  const count = args.length === 0 ? "1" : (literal(args[0] ?? []) ?? "");
  const { positional } = shell;
  const known = positional !== null && /^\d{1,4}$/.test(count);
  const after = { ...shell, positional: known ? positional.slice(Number(count)) : null };
  // More than there are is refused, and nothing moves.
  return unchanged(known && Number(count) > positional.length ? shell : after);
}

function shellOptions(call: Reading): Outcome {
  const sets = isGiven(call.read, "-s");
  const named = (names: RegExp): boolean =>
    sets && call.read.operands.some((one) => literal(one) === null || names.test(literal(one) ?? ""));
  const { shell } = call;
  return unchanged({
    ...shell,
    expandsAliases: shell.expandsAliases || named(/^expand_aliases$/),
    globstar: shell.globstar || named(/^globstar$/),
    globsOther: shell.globsOther || named(/^(?:dotglob|nocaseglob)$/),
    nullglob: shell.nullglob || named(/^nullglob$/),
  });
}

function history(call: Reading): undefined {
  const { read, report, shell, name } = call;
  if (name === "fc" && !isGiven(read, "-l")) {
    report.execute("editor");
    return;
  }
  if (!isGiven(read, "-w -a") || name === "fc") return;
  const file = read.operands[0];
  if (file) for (const path of filesOf(file, shell, report)) report.write(path);
  else {
    report.opaque("unknown-path");
    for (const path of filesOf(
      shell.variables.get("HISTFILE") ?? textField("~/.bash_history"),
      shell,
      report,
    ))
      report.write(path);
  }
}

/** `hash -p /bin/rm ls` makes `ls` another program. */
function hash(call: Reading): Outcome {
  const { args, shell, report, place, walker } = call;
  if (!args.some((one) => has(one, "unknown") || /^-\w*p/.test(leading(one)))) return unchanged(shell);
  report.execute("helper-program");
  giveUp([textField(call.name), ...args], shell, place, walker);
  return unchanged({ ...shell, redefined: shell.redefined || 1 });
}

function rareBuiltin(call: Reading): Outcome {
  const { args, shell, report, place, walker, name } = call;
  // `enable -f` loads code, and `bind -x` and `complete` only bind it.
  const loads = name === "enable" && args.some((one) => has(one, "unknown") || /^-\w*f/.test(leading(one)));
  if (args.length === 0 || (!loads && isGiven(call.read, "-p -l -n -a"))) return unchanged(shell);
  report.execute("shell-change");
  giveUp([textField(name), ...args], shell, place, walker);
  return unchanged(loads ? { ...shell, redefined: 2 } : shell);
}
