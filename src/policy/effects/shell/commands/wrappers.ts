import { listOf } from "../../columns.ts";
import { giveUp, setVariable } from "../command.ts";
import { noteFeed } from "../fed.ts";
import { dropLeading, type Field, leading, literal, textField, visible } from "../field.ts";
import { isGiven, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { enter, inherited, type Shell, withoutFunctions } from "../state.ts";
import { directoryText, type Outcome, type Place, unchanged } from "../walker.ts";
import { ended, locateDirectory } from "./builtins.ts";
import type { Reading, Row } from "./row.ts";

/** Commands that run the command after their own options. */
export const WRAPPER_ROWS: readonly Row[] = [
  { names: ["nice", "gnice"], stops: true, values: "-n --adjustment", also: (call) => runRest(call) },
  {
    names: ["ionice"],
    stops: true,
    values: "-c -n -p -P -u --class --classdata --pid",
    also: (call) => runRest(call),
  },
  {
    names: ["nohup", "setsid", "unbuffer", "caffeinate", "chronic", "catchsegv", "eatmydata", "fakeroot"],
    stops: true,
    values: "-i -o",
    also: (call) => runRest(call),
  },
  {
    names: ["timeout", "gtimeout"],
    stops: true,
    values: "-k --kill-after -s --signal",
    also: (call) => runRest(call, 1),
  },
  {
    names: ["stdbuf"],
    stops: true,
    values: "-i -o -e --input --output --error",
    also: (call) => runRest(call),
  },
  {
    names: ["taskset", "chrt", "numactl", "setarch"],
    stops: true,
    values: "-C -N -m -T -P -D",
    flags: "--hardwall",
    also: (call) => runRest(call, call.name === "numactl" ? 0 : 1),
  },
  { names: ["linux32", "linux64", "i386", "x86_64"], stops: true, also: (call) => runRest(call) },
  {
    names: ["time", "gtime"],
    stops: true,
    values: "-f --format",
    writes: "-o --output",
    also: (call) => runRest(call),
  },
  { names: ["busybox", "toybox"], stops: true, also: (call) => runRest(call) },
  {
    names: ["flock"],
    stops: true,
    values: "-w --timeout --wait -E --conflict-exit-code -c --command",
    also: lock,
  },
  { names: ["watch"], stops: true, values: "-n --interval -q --equexit", also: watch },
  { names: ["env", "genv"], also: environment },
  { names: ["sudo", "doas"], also: privileged },
  {
    names: ["pkexec", "gosu", "su-exec", "setpriv"],
    stops: true,
    values: "--user",
    risks: ["EXECUTE"],
    also: (call) => runRest(call, /gosu|su-exec/.test(call.name) ? 1 : 0),
  },
  {
    names: ["su", "runuser"],
    values: "-c --command -s --shell -g -G -w --session-command -u",
    risks: ["EXECUTE"],
    also: asUser,
  },
  { names: ["command"], also: commandBuiltin },
  { names: ["builtin"], also: (call) => runShell(call, call.args) },
  {
    names: ["exec"],
    stops: true,
    values: "-a",
    also: (call) => {
      const after = runRest(call);
      return call.read.operands.length ? unchanged(ended(after.ok)) : after;
    },
  },
  { names: ["eval"], also: evaluate },
  {
    names: [
      "chroot",
      "unshare",
      "nsenter",
      "systemd-run",
      "firejail",
      "bwrap",
      "proot",
      "strace",
      "ltrace",
      "gdb",
      "valgrind",
      "perf",
      "script",
      "expect",
      "entr",
      "socat",
      "ssh-agent",
      "dbus-run-session",
      "xvfb-run",
      "tmux",
      "screen",
      "start-stop-daemon",
      "daemonize",
    ],
    opaque: "wrapper",
  },
  {
    names: [
      "mount",
      "umount",
      "losetup",
      "insmod",
      "modprobe",
      "sysctl",
      "iptables",
      "nft",
      "ip",
      "ifconfig",
      "route",
      "shutdown",
      "reboot",
      "halt",
      "poweroff",
      "useradd",
      "userdel",
      "usermod",
      "passwd",
      "visudo",
      "update-alternatives",
      "ldconfig",
      "loginctl",
      "hostnamectl",
      "timedatectl",
    ],
    opaque: "system-change",
  },
];

/** Wrappers that succeed only when what they run has succeeded, with the options under which that holds. */
const FAITHFUL: Readonly<Record<string, string>> = {
  nice: "-n --adjustment",
  gnice: "-n --adjustment",
  ionice: "-c -n --class --classdata",
  nohup: "",
  timeout: "-k --kill-after -s --signal --foreground -v --verbose",
  gtimeout: "-k --kill-after -s --signal --foreground -v --verbose",
  stdbuf: "-i -o -e --input --output --error",
  time: "-p -v -f --format -o --output -a --append",
  busybox: "",
  exec: "-a -c -l",
  flock: "-w --timeout --wait -c --command -x -e -s -n --exclusive --shared --nonblock --nb -o --close",
  setsid: "-w --wait",
  su: "-c --command",
};

/** The place of a command that a wrapper runs: its copies count only when the wrapper's success is its own. */
function wrapped(call: Reading): Place {
  const allowed = FAITHFUL[call.name];
  const plain = allowed !== undefined && call.read.given.every((one) => listOf(allowed).includes(one.name));
  const waits = call.name !== "setsid" || isGiven(call.read, "-w --wait");
  const place = deeper(call.place);
  return plain && waits ? place : { ...place, proven: false };
}

/** Reads what follows a wrapper's own operands as a command of its own. */
function runRest(call: Reading, own = 0): Outcome {
  const words = call.read.operands.slice(own);
  if (call.read.loose && !words.length) call.report.execute("computed-command");
  if (words.length) call.walker.words(words, inherited(call.shell), wrapped(call));
  return unchanged(call.shell);
}

/** Reads words in this very shell, so that `builtin cd` moves it; functions are passed over. */
function runShell(call: Reading, words: readonly Field[]): Outcome {
  if (!words.length) return unchanged(call.shell);
  const { definitions } = call.shell;
  const after = call.walker.words(words, withoutFunctions(call.shell), deeper(call.place));
  const restore = (one: Shell): Shell => ({ ...one, definitions });
  return { ok: restore(after.ok), fail: restore(after.fail) };
}

function commandBuiltin(call: Reading): Outcome {
  const words = [...call.args];
  while (/^-[pvV]+$/.test(literal(words[0] ?? []) ?? "")) {
    if (/[vV]/.test(literal(words[0] ?? []) ?? "")) return unchanged(call.shell);
    words.shift();
  }
  if (literal(words[0] ?? []) === "--") words.shift();
  return runShell(call, words);
}

function lock(call: Reading): undefined {
  const { read, report, shell, walker } = call;
  const [file, ...words] = read.operands;
  if (file && !/^\d+$/.test(literal(file) ?? ""))
    for (const path of filesOf(file, shell, report)) report.touch("create", path);
  const rest = words.length && leading(words[0] ?? []) === "-c" ? words.slice(1) : null;
  const script = valuesOf(read, "-c --command")[0] ?? rest?.[0];
  if (script) runText(call, script, inherited(shell), wrapped(call).proven);
  else if (words.length) walker.words(words, inherited(shell), wrapped(call));
}

/** `watch` hands its words to `sh -c`, joined. */
function watch(call: Reading): undefined {
  const { read, shell, place, walker } = call;
  if (!read.operands.length) return;
  if (isGiven(read, "-x --exec"))
    walker.words(read.operands, inherited(shell), { ...deeper(place), proven: false });
  else runText(call, joined(read.operands), inherited(shell), false);
}

/** Runs known text in a new shell; text that is only partly known runs code that nobody has seen. */
export function runText(call: Reading, script: Field, shell: Shell, proven = call.place.proven): void {
  const { walker, place, report } = call;
  const text = literal(script);
  const inside = { ...deeper(place), proven };
  if (text !== null) {
    walker.text(text, withoutFunctions(shell), inside);
    return;
  }
  // The unknown part may hold any command; the rest is read all the same, with a variable in its place.
  report.execute("computed-code", visible(script), directoryText(shell));
  noteFeed(place, [script], report);
  giveUp([textField(call.name), ...call.args], shell, place, walker);
  const known = script
    .map((piece) => (piece.kind === "text" || piece.kind === "glob" ? piece.text : "$__unknown"))
    .join("");
  walker.text(known, withoutFunctions(shell), { ...inside, proven: false });
}

function joined(fields: readonly Field[]): Field {
  return fields.flatMap((one, at) => (at ? [...textField(" "), ...one] : one));
}

function environment(call: Reading): Outcome {
  const { args, report, shell, place, walker } = call;
  let inside: Shell = inherited(shell);
  const words = [...args];
  while (words.length) {
    const text = leading(words[0] ?? []);
    const taken = words[0] ?? [];
    if (text === "--" && literal(taken) === "--") {
      words.shift();
      break;
    }
    if (/^(?:-S|--split-string)/.test(text)) {
      const value = /^-S./.test(text)
        ? dropLeading(taken, 2)
        : text.includes("=")
          ? dropLeading(taken, 15)
          : words[1];
      words.splice(0, value === words[1] ? 2 : 1);
      const split = value ? literal(value) : null;
      if (split === null) {
        report.execute("computed-code");
        giveUp(args, shell, place, walker);
        return unchanged(shell);
      }
      words.unshift(...split.split(/\s+/).filter(Boolean).map(textField));
    } else if (/^(?:-C|--chdir)/.test(text)) {
      const value = /^-C./.test(text)
        ? dropLeading(taken, 2)
        : text.includes("=")
          ? dropLeading(taken, 8)
          : (words[1] ?? []);
      words.splice(0, value === words[1] ? 2 : 1);
      inside = enter(
        inside,
        inside.directories.map((one) => locateDirectory(value, one, report)),
      );
    } else if (/^-[uP]$|^--unset$/.test(text)) words.splice(0, 2);
    else if (text.startsWith("-")) words.shift();
    else if (/^[A-Za-z_]\w*=/.test(text)) {
      const name = text.slice(0, text.indexOf("="));
      // The words were expanded before `env` ran: only what starts inside sees the value.
      inside = setVariable(name, dropLeading(taken, name.length + 1), inside, place, walker, true);
      words.shift();
    } else break;
  }
  if (words.length) walker.words(words, inside, deeper(place));
  else if (!args.some((one) => literal(one) === "-i")) {
    report.secret("environment");
    if (report.context.self.variables.length) report.govern("own-key-variable");
  }
  return unchanged(shell);
}

const SUDO_VALUES =
  "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -T --command-timeout -U --other-user -r --role -t --type -a --auth-type -c";

function privileged(call: Reading): Outcome {
  const { report, shell, place, walker } = call;
  const words = [...call.args];
  report.risk("EXECUTE");
  const values = listOf(SUDO_VALUES);
  let proven = place.proven;
  let inside: Shell = inherited(shell);
  while (words.length) {
    const text = leading(words[0] ?? []);
    if (literal(words[0] ?? []) === "--") {
      words.shift();
      break;
    }
    if (/^(?:-e|--edit)$/.test(text)) {
      report.execute("editor");
      for (const one of words.slice(1)) for (const file of filesOf(one, shell, report)) report.write(file);
      return unchanged(shell);
    }
    if (/^-[lvKV]$|^--(?:list|validate|remove-timestamp|version)$/.test(text)) return unchanged(shell);
    if (
      !/^-(?:[AEHPSnN]+|[ugpDC].*)$|^--(?:user|group|preserve-env|non-interactive|set-home)\b|^[^-]/.test(
        text,
      )
    )
      proven = false;
    if (/^-[is]$|^--(?:login|shell)$/.test(text)) {
      report.execute("login-shell");
      if (text === "-i" || text === "--login") inside = enter(inside, [null]);
      words.shift();
    } else if (values.includes(text)) {
      if (text === "-D" || text === "--chdir")
        inside = enter(
          inside,
          inside.directories.map((one) => locateDirectory(words[1] ?? [], one, report)),
        );
      if (text === "-R" || text === "--chroot") report.execute("other-root");
      words.splice(0, 2);
    } else if (text.startsWith("-")) words.shift();
    else if (/^[A-Za-z_]\w*=/.test(text)) {
      const name = text.slice(0, text.indexOf("="));
      inside = setVariable(name, dropLeading(words[0] ?? [], name.length + 1), inside, place, walker, true);
      words.shift();
    } else break;
  }
  if (words.length) walker.words(words, inside, { ...deeper(place), proven });
  return unchanged(shell);
}

function asUser(call: Reading): undefined {
  const script = valuesOf(call.read, "-c --command --session-command")[0];
  if (script) runText(call, script, inherited(call.shell), wrapped(call).proven);
  else {
    call.report.execute("login-shell");
    giveUp([textField(call.name), ...call.args], call.shell, call.place, call.walker);
  }
}

function evaluate(call: Reading): Outcome {
  const { args, shell, place, walker } = call;
  const words = literal(args[0] ?? []) === "--" ? args.slice(1) : args;
  if (!words.length) return unchanged(shell);
  const text = words.map((one) => literal(one));
  if (text.every((one) => one !== null)) return walker.text(text.join(" "), shell, deeper(place));
  runText(call, joined(words), shell, false);
  return unchanged({ ...shell, directories: [null] });
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}
