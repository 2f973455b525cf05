/** What a person reads in the terminal. Colour only where one looks at it, and never under NO_COLOR. */

import { readFileSync } from "node:fs";

const PARENT_POLL_MS = 500;

const coloured = process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "";
const paint = (open, close) => (text) => (coloured ? `\u001b[${open}m${text}\u001b[${close}m` : text);

export const bold = paint(1, 22);
export const dim = paint(2, 22);
export const red = paint(31, 39);
export const green = paint(32, 39);
export const yellow = paint(33, 39);
export const cyan = paint(36, 39);

/** A failure that a person can act on: its message is the one line they get. */
export class Complaint extends Error {}

export function say(text = "") {
  process.stdout.write(`${text}\n`);
}

/** Aborts on the signals by which a person, a shell or a supervisor ends a command. */
export function stopSignal() {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => controller.abort());
  if (process.env.npm_lifecycle_event !== undefined) {
    // npm's shell does not pass a signal on: when npm or the shell is gone, whoever ran npm wanted this to end.
    const before = ancestors();
    setInterval(() => ancestors() !== before && controller.abort(), PARENT_POLL_MS).unref();
  }
  return controller.signal;
}

/** The shell that npm put between, and npm itself where the system shows it. */
function ancestors() {
  let grandparent = "";
  try {
    grandparent = readFileSync(`/proc/${process.ppid}/stat`, "utf8")
      .replace(/^.*\) . /s, "")
      .split(" ", 1)[0];
  } catch {
    // Not Linux: the parent alone has to do.
  }
  return `${process.ppid} ${grandparent}`;
}

/** Resolves when the signal does. */
export function aborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The end of a command that a person stopped: nothing to explain. */
export class Stopped extends Error {}

/** Runs a command's main function. Whatever fails is one line and an exit code, never a stack trace. */
export async function run(main) {
  // A reader who has gone away is no reason to leave a process behind.
  process.stdout.on("error", () => process.kill(process.pid, "SIGTERM"));
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (error instanceof Stopped) {
      process.exitCode = 130;
      return;
    }
    process.stderr.write(`${red("✗")} ${error instanceof Error ? lineOf(error) : String(error)}\n`);
    process.exitCode = 1;
  }
}

function lineOf(error) {
  if (error instanceof Complaint) return error.message;
  const what = `${error.message}`.split("\n", 1)[0];
  switch (error.code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `${error.path ?? "A file"} cannot be written or read. Give your user the right to, or work in a folder of your own.`;
    case "ENOSPC":
      return "The disk is full. Make room and try again.";
    default:
      return `This should not happen: ${what}`;
  }
}
