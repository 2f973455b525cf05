import type { JsonValue, PathBound } from "../../types.ts";
import { UNKNOWN_PATH } from "../report.ts";
import { textField } from "../shell/field.ts";
import { directoryBound } from "../shell/state.ts";
import { readShell, readWords } from "../shell/walk.ts";
import { pathsOf, pointer, type ToolReading, valuesAt } from "./arguments.ts";

const COMMANDS = "command cmd script commandLine command_line input";
const DIRECTORIES = "workdir cwd working_directory workingDirectory directory dir_path dir";

/** A POSIX shell's command: text, or a list of words as some harnesses send it. */
export function readShellTool(reading: ToolReading): void {
  const { args, report } = reading;
  const { directory, declared } = directoryOf(reading);
  const found = valuesAt(args, COMMANDS);
  if (found.length === 0) {
    report.unreadable(pointer(reading.base, "command"), "missing");
    report.execute("missing-command");
  }
  for (const { name, value } of found)
    readCommand(value, pointer(reading.base, name), directory, declared, reading);
}

function readCommand(
  value: JsonValue,
  at: string,
  directory: PathBound | null,
  declared: boolean,
  reading: ToolReading,
): void {
  const { report } = reading;
  if (typeof value === "string") readShell(value, directory, report, declared);
  else if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
    const words = value.slice(0, 4096);
    if (words.length < value.length || words.some((one) => one.length > 65_536))
      report.unparsed("too-long", words.join(" "), null);
    else
      readWords(
        words.map((one) => textField(one)),
        directory,
        report,
        declared,
      );
  } else {
    report.unreadable(at, "not-text");
    report.execute("missing-command");
  }
}

function directoryOf(reading: ToolReading): { directory: PathBound | null; declared: boolean } {
  const { args, context } = reading;
  const [given] = valuesAt(args, DIRECTORIES);
  if (given === undefined || given.value === "")
    return { directory: directoryBound(context.environment.cwd), declared: false };
  const [only] = pathsOf(given.value, pointer(reading.base, given.name), reading);
  const absolute = typeof given.value === "string" && /^[/~]/.test(given.value);
  return { directory: only === undefined || only === UNKNOWN_PATH ? null : only, declared: absolute };
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
