import { giveUp } from "../command.ts";
import { noteFeed } from "../fed.ts";
import { has, leading, literal, textField, unknownField, visible } from "../field.ts";
import { filesOf } from "../paths.ts";
import { assign, inherited, withPositional } from "../state.ts";
import { directoryText } from "../walker.ts";
import type { Reading, Row } from "./row.ts";
import { runText } from "./wrappers.ts";

/** Programs that run other text as code. */
export const INTERPRETER_ROWS: readonly Row[] = [
  { names: ["bash", "sh", "dash", "ash", "ksh", "mksh", "zsh", "fish", "rbash"], also: shell },
  { names: ["perl", "ruby"], also: inPlaceInterpreter },
  {
    names: (
      "python python2 python3 pypy pypy3 node nodejs deno bun php lua luajit tclsh wish osascript Rscript julia ghci guile racket sbcl " +
      "groovy scala jshell java kotlin swift go cargo rustc gcc g++ cc c++ clang clang++ ld as tsc ts-node tsx pwsh powershell cmd ipython " +
      "elixir erl iex ocaml runhaskell stack cabal dotnet mono nim crystal zig"
    ).split(" "),
    also: interpreter,
  },
  {
    names: [
      "vi",
      "vim",
      "nvim",
      "view",
      "ex",
      "nano",
      "emacs",
      "emacsclient",
      "pico",
      "micro",
      "code",
      "subl",
      "gedit",
      "kate",
      "mcedit",
      "joe",
      "ne",
      "helix",
      "hx",
    ],
    also: editor,
  },
];

function shell(call: Reading): undefined {
  const { args, report, place, walker } = call;
  let at = 0;
  let runs = false;
  let checks = false;
  // Options under which success means that the script was read to its end.
  let plain = true;
  let starts = call.name === "zsh" || call.name === "fish";
  for (; at < args.length; at++) {
    const text = literal(args[at] ?? []);
    if (text === null || !/^[-+]./.test(text)) break;
    if (text === "--") {
      at++;
      break;
    }
    if (
      text === "--rcfile" ||
      text === "--init-file" ||
      text === "-O" ||
      text === "+O" ||
      /^[-+]\w*o$/.test(text)
    ) {
      if (text.startsWith("--")) starts = true;
      if (text === "-O") report.opaque("shell-options");
      at++;
      plain &&=
        /^(?:pipefail|errexit|nounset|xtrace)$/.test(literal(args[at] ?? []) ?? "") &&
        /^-[ceux]*o$/.test(text);
    } else if (/^--(?:login|interactive)$/.test(text)) starts = true;
    else if (text === "--version" || text === "--help") return;
    else if (!text.startsWith("--")) {
      if (text.startsWith("-") && text.includes("c")) runs = true;
      if (/^-\w*[li]/.test(text)) starts = true;
      if (/^-\w*n/.test(text)) checks = true;
      plain &&= /^-[ceuxlip]+$/.test(text);
    } else plain &&= /^--(?:login|norc|noprofile|posix)$/.test(text);
  }
  // With `-n` commands are read but not run.
  if (checks && !starts) return;
  const words = args.slice(at);
  const inside = inherited(call.shell);
  // Login and interactive shells, and other shells' grammars, run or read more than is seen here.
  if (starts) report.opaque("startup-files");
  if (runs) {
    const script = words[0];
    if (script === undefined) return;
    const positional = words.slice(2);
    if (positional.length) report.opaque("positional-parameters");
    const zero = words[1];
    runText(
      call,
      script,
      zero === undefined
        ? withPositional(inside, positional)
        : assign(withPositional(inside, positional), "0", zero),
      place.proven && plain,
    );
    return;
  }
  const operand = words[0];
  if (operand !== undefined && literal(operand) !== "-") {
    report.execute("script-file");
    noteFeed({ ...place, input: { kind: "none" } }, [operand], report);
    giveUp([textField(call.name), ...args], call.shell, place, walker);
    return;
  }
  const { input } = place;
  if (input.kind === "text" && input.value !== null) {
    report.opaque("script-input", input.text, directoryText(call.shell));
    walker.text(input.value, withPositional(inside, words.slice(1)), {
      ...place,
      input: { kind: "none" },
      depth: place.depth + 1,
      proven: false,
    });
    return;
  }
  // What it reads may come from anywhere in the script.
  report.execute("script-input");
  noteFeed(place, [], report);
  giveUp([textField(call.name), ...args, unknownField("input")], call.shell, place, walker);
}

function interpreter(call: Reading): undefined {
  const { args, report, place, walker } = call;
  const only = args.length === 1 ? literal(args[0] ?? []) : null;
  if (only !== null && /^(?:--?version|-[vV]|--?help|version|env)$/.test(only)) return;
  report.execute("inline-code");
  const cwd = directoryText(call.shell);
  for (const arg of args) if (/[\s"'(]/.test(visible(arg))) report.opaque("inline-code", visible(arg), cwd);
  const fed = place.input.kind !== "none" && args.every((one) => leading(one).startsWith("-"));
  if (fed || args.some((arg) => has(arg, "unknown"))) noteFeed(place, args, report);
  const words = [textField(call.name), ...args];
  giveUp(fed ? [...words, unknownField("input")] : words, call.shell, place, walker);
}

/** `-i` edits the operands in place, whatever else the code does. */
function inPlaceInterpreter(call: Reading): undefined {
  interpreter(call);
  const { args, report } = call;
  let suffix: string | null = null;
  let code = false;
  const files = [];
  for (let at = 0; at < args.length; at++) {
    const text = leading(args[at] ?? []);
    if (!text.startsWith("-") || text === "-") {
      files.push(args[at] ?? []);
      continue;
    }
    for (let place = 1; place < text.length; place++) {
      const letter = text[place] ?? "";
      if (letter === "i") {
        suffix = text.slice(place + 1).match(/^[^\s]*/)?.[0] ?? "";
        // In a cluster such as `-pie` everything after `i` is the suffix.
        break;
      }
      if (letter === "e" || letter === "E") {
        code = true;
        if (place === text.length - 1) at++;
        break;
      }
      if (/[IMmrCx0lFD]/.test(letter)) {
        if (letter === "I" && place === text.length - 1) at++;
        break;
      }
    }
  }
  if (suffix === null) return;
  for (const operand of code || /e$/.test(suffix) ? files : files.slice(1)) {
    for (const file of filesOf(operand, call.shell, report)) {
      report.act("modify", file);
      if (suffix !== "" && !/[*/]/.test(suffix)) report.write(`${file}${suffix}`);
    }
  }
}

function editor(call: Reading): undefined {
  if (call.args.some((one) => /^--?(?:version|help|list-extensions)$/.test(literal(one) ?? ""))) return;
  call.report.execute("editor");
  giveUp([textField(call.name), ...call.args], call.shell, call.place, call.walker);
}
