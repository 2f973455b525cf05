import type { JsonValue, PathBound } from "../../types.ts";
import { hostsInText } from "../hosts.ts";
import { UNKNOWN_PATH } from "../report.ts";
import { textField } from "../shell/field.ts";
import { directoryBound } from "../shell/state.ts";
import { readShell, readWords } from "../shell/walk.ts";
import type { Input } from "../shell/walker.ts";
import { pathsOf, pointer, stringsIn, type ToolReading, valuesAt } from "./arguments.ts";

const COMMANDS = "command cmd script commandLine command_line input";
const DIRECTORIES =
  "workdir cwd working_directory workingDirectory working_dir workingDir work_dir workDir directory dir_path dir";
/** What the command reads from its standard input; to an interpreter it is code. */
const INPUTS = "stdin stdin_text stdin_data stdinData standard_input input_data";
const LANGUAGES = "language lang runtime kernel interpreter";
const CODE = "code script source expression input";

/** A POSIX shell's command: text, or a list of words as some harnesses send it. */
export function readShellTool(reading: ToolReading): void {
  const { args, report } = reading;
  if (valuesAt(args, COMMANDS).length === 0) {
    report.unreadable(pointer(reading.base, "command"), "missing");
    report.execute("missing-command");
  }
  readCommands(reading, COMMANDS);
  if (reading.context.environment.os === "windows") nameForeign(reading);
}

/** Reads the commands that the named arguments hold. */
export function readCommands(reading: ToolReading, names: string): void {
  const { args, report } = reading;
  const start = directoryOf(reading);
  const input = inputOf(reading);
  const outer = report.said.at;
  for (const { name, value } of valuesAt(args, names)) {
    report.said.at = pointer(reading.base, name);
    readCommand(value, report.said.at, start, input, reading);
    const text = typeof value === "string" ? value : stringsIn(value, 4096).join(" ");
    report.written(text);
    if (report.writesRules) report.said.store(text);
  }
  report.said.at = outer;
}

interface Start {
  readonly directory: PathBound | null;
  /** True when the call itself says so, rather than the session. */
  readonly declared: boolean;
}

function inputOf(reading: ToolReading): Input {
  const found = valuesAt(reading.args, INPUTS);
  const texts = found.flatMap(({ name, value }) => {
    if (typeof value === "string") return [value];
    reading.report.unreadable(pointer(reading.base, name), "not-text");
    return [];
  });
  const text = texts.join("\n");
  if (text === "") return { kind: "none" };
  if (!reading.report.affords(text)) {
    reading.report.unparsed("too-long", text, reading.context.environment.cwd);
    return { kind: "text", value: null, text };
  }
  return { kind: "text", value: texts.length === 1 ? text : null, text };
}

function readCommand(
  value: JsonValue,
  at: string,
  { directory, declared }: Start,
  input: Input,
  reading: ToolReading,
): void {
  const { report } = reading;
  if (typeof value === "string") {
    // To a shell the brackets of `http://[::1]/` are a pattern, which curl then takes for a host.
    for (const host of value.includes("://[") ? hostsInText(value) : [])
      if (host.startsWith("[")) report.host(host);
    if (report.affords(value)) readShell(value, directory, report, declared, input);
    else report.unparsed("too-many-commands", value, reading.context.environment.cwd);
  } else if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
    const words = value.slice(0, 4096);
    const text = words.join(" ");
    if (words.length < value.length || words.some((one) => one.length > 65_536) || !report.affords(text))
      report.unparsed("too-long", text, reading.context.environment.cwd);
    else
      readWords(
        words.map((one) => textField(one)),
        directory,
        report,
        declared,
        input,
      );
  } else {
    report.unreadable(at, "not-text");
    report.execute("missing-command");
  }
}

function directoryOf(reading: ToolReading): Start {
  const { args, context, report } = reading;
  const [given, ...others] = valuesAt(args, DIRECTORIES);
  const other = others.find(({ value }) => value !== given?.value);
  if (given !== undefined && other !== undefined) {
    report.unreadable(pointer(reading.base, other.name), "ambiguous");
    return { directory: null, declared: false };
  }
  if (given === undefined || given.value === "")
    return { directory: directoryBound(context.environment.cwd), declared: false };
  const [only] = pathsOf(given.value, pointer(reading.base, given.name), reading);
  const absolute = typeof given.value === "string" && /^[/~]/.test(given.value);
  return { directory: only === undefined || only === UNKNOWN_PATH ? null : only, declared: absolute };
}

/**
 * Code in a language that a table does not read: opaque, with the paths it names. Where the call says that it is a
 * shell's, it is read as one too.
 */
export function readCodeTool(reading: ToolReading): void {
  const { args, report } = reading;
  const start = directoryOf(reading);
  const cwd = start.directory === null ? null : start.directory.replace(/\\([\s\S])/g, "$1");
  const shell = valuesAt(args, LANGUAGES).some(
    ({ value }) =>
      typeof value === "string" &&
      /(?:^|[^a-z])(?:ba|z|k|da|a|c|tc|fi)?sh(?:$|[^a-z])|shell|terminal|command|posix|cmd|batch/i.test(
        value.slice(0, 256),
      ),
  );
  const found = valuesAt(args, CODE);
  report.execute("inline-code");
  for (const { value } of found.length ? found : [{ value: args }]) {
    for (const text of stringsIn(value, 100)) {
      report.opaque("inline-code");
      report.mention(text, cwd, shell);
      if (!shell) continue;
      if (report.affords(text)) readShell(text, start.directory, report, start.declared);
      else report.unparsed("too-many-commands", "", null);
    }
  }
}

/** On Windows nobody says which shell it is: `del` and `Remove-Item` are read for the paths they name. */
function nameForeign(reading: ToolReading): void {
  const { report, context } = reading;
  const { directory } = directoryOf(reading);
  const cwd = directory === null ? context.environment.cwd : directory.replace(/\\([\s\S])/g, "$1");
  for (const { value } of valuesAt(reading.args, `${COMMANDS} ${INPUTS}`)) {
    const text = typeof value === "string" ? value : Array.isArray(value) ? value.join(" ") : "";
    if (text === "") continue;
    report.opaque("foreign-shell");
    // Marks that a shell takes away may stand inside a name.
    for (const one of new Set([text, text.replace(/[\^`]/g, ""), text.replace(/[\^`"']/g, "")]))
      report.mention(one, cwd, true);
  }
}

/** Shells whose grammar is not read: code, with the paths it names. */
export function readForeignShell(reading: ToolReading): void {
  const { report, context, args } = reading;
  for (const { value } of valuesAt(args, COMMANDS)) {
    const text = typeof value === "string" ? value : Array.isArray(value) ? value.join(" ") : "";
    report.unparsed("foreign-shell", text, context.environment.cwd);
  }
  report.execute("foreign-shell");
}
