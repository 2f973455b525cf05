import { UNKNOWN_PATH } from "../../report.ts";
import { isSecretName } from "../../secrets.ts";
import { giveUp } from "../command.ts";
import { leading, literal, textField } from "../field.ts";
import { isGiven, isUnfinished, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import type { Reading, Row } from "./row.ts";

/** Programs that only look. What follows an entry are the options with which they do more. */
export const READER_ROWS: readonly Row[] = [
  {
    names: (
      "ls dir vdir ll cat tac head tail wc nl stat file realpath readlink basename dirname pwd du df lsblk blkid findmnt " +
      "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum shasum md5 xxhsum " +
      "echo printf seq yes true false : sleep cal uptime uname arch hostnamectl whoami id groups users who w last logname tty " +
      "ps pgrep pstree top htop free vmstat iostat lscpu lsusb lspci lsof ss netstat nproc getconf locale getent " +
      "which whereis whatis apropos type exa eza lsd pwdx numactl test [ expr bc cal ncal units " +
      "egrep fgrep zgrep pcregrep glow mdcat hexyl ncdu nm objdump readelf size otool sw_vers " +
      "ffprobe identify pdfinfo pdffonts sensors acpi dmesg lsmod ulimit times dirs " +
      "getopts return exit break continue wait umask suspend logout caller"
    ).split(" "),
  },
  {
    names: ["grep", "ggrep"],
    values: "-e --regexp -f --file -m --max-count -A -B -C --include --exclude --exclude-dir --color -d -D",
  },
  {
    names: ["rg"],
    values:
      "-e -f -g -t -T -m -A -B -C -j -r --glob --type --max-count --sort --colors --max-depth -d --ignore-file",
    flags: "--search-zip",
    executes: "--pre --hostname-bin",
  },
  { names: ["ag", "ack", "ugrep"], values: "-A -B -C -m -g -G", executes: "--pager --filter --view" },
  {
    names: ["less", "more", "most", "bat", "batcat"],
    values: "-p -x -y -z --style --theme -l --language",
    writes: "-o -O --log-file --LOG-FILE",
    executes: "--pager",
    also: pagerCommand,
  },
  {
    names: ["man"],
    values: "-s -S -M -m -L -e -p -C",
    attached: "-H -T -X -Z",
    executes: "-P --pager -H --html -X --gxditview -C --config-file --preprocessor -p",
  },
  { names: ["help", "tldr"] },
  { names: ["info"], values: "-f -n", writes: "-o --output" },
  {
    names: ["journalctl"],
    values: "-u -n -p -S -U --unit --lines --since --until -o --output",
    executes: "--vacuum-size --vacuum-time --vacuum-files --rotate --flush",
  },
  { names: ["hostname"], values: "-F --file", also: setName },
  {
    names: ["date", "gdate"],
    values: "-d --date -f --file -r --reference -s --set -v",
    flags: "-u --utc --universal -R --rfc-email -j -n",
    also: setClock,
  },
  { names: ["printenv"], also: printVariables },
  { names: ["tree"], values: "-L -P -I --filelimit --timefmt --sort", writes: "-o" },
  { names: ["locate", "plocate", "mlocate"] },
  { names: ["openssl"], also: openssl },
  { names: ["gpg", "gpg2"], opaque: "key-tool" },
  { names: ["ssh-keygen"], values: "-f -t -b -C -N -m -s -I -n -V -F -R", also: sshKey },
  {
    names: [
      "lsattr",
      "getfattr",
      "getfacl",
      "getcap",
      "namei",
      "pathchk",
      "mountpoint",
      "lsns",
      "pv",
      "shellcheck",
    ],
  },
  { names: ["clear", "reset", "tput", "stty"] },
  {
    names: ["crontab"],
    values: "-u",
    idle: "-l",
    opaque: "schedule",
    risks: ["PERSISTENT"],
    also: dropTable,
  },
  { names: ["at", "batch"], idle: "-l", opaque: "schedule", risks: ["PERSISTENT"] },
  { names: ["systemctl", "launchctl", "service"], also: serviceControl },
  {
    names: ["kill", "pkill", "killall", "xkill", "skill"],
    idle: "-l -L --list",
    risks: ["EXECUTE"],
    also: (call) => void call.report.opaque("process-control"),
  },
];

/** All of a person's schedule at once. */
function dropTable({ read, report }: Reading): undefined {
  if (isGiven(read, "-r")) report.risk("DELETE");
}

/** Without a name it tells the machine's; with one it changes it. */
function setName(call: Reading): undefined {
  const { read, report } = call;
  if (read.operands.length > 0 || isGiven(read, "-F --file -b --boot")) report.execute("system-change");
}

/** The time is told in a format that begins with a plus; anything else sets the clock that logs and tokens go by. */
function setClock(call: Reading): undefined {
  const { read, report } = call;
  const sets = isGiven(read, "-s --set") || read.operands.some((one) => !leading(one).startsWith("+"));
  // BSD's `-j` reads a time in place of setting it.
  if (sets && !isGiven(read, "-j")) report.execute("system-change");
}

function printVariables(call: Reading): undefined {
  const { read, report } = call;
  const own = report.context.self.variables;
  const asked = read.operands.map((one) => literal(one));
  // Without a name it prints every variable, the agent's key among them.
  if (own.length && (asked.length === 0 || asked.some((one) => one === null || own.includes(one))))
    report.govern("own-key-variable");
  if (asked.length === 0) report.secret("environment");
  for (const name of asked) if (name !== null && isSecretName(name)) report.secret(`$${name}`);
}

function serviceControl(call: Reading): undefined {
  const verb = call.read.operands.map((one) => leading(one)).find((one) => one !== "") ?? "";
  const second = leading(call.read.operands[1] ?? []);
  if (
    /^(?:status|is-active|is-enabled|is-failed|list-.*|show|cat|list|print|help|get-default|)$/.test(verb) ||
    (call.name === "service" && second === "status")
  )
    return;
  call.report.execute("service-control");
  giveUp([textField(call.name), ...call.args], call.shell, call.place, call.walker);
}

/** Listing and looking up keys changes nothing; anything else writes the key file. */
function sshKey(call: Reading): undefined {
  const { read, report, shell } = call;
  if (isGiven(read, "-l -F -y -B -L")) return;
  const file = valuesOf(read, "-f")[0];
  if (file === undefined) {
    report.execute("key-tool");
    return;
  }
  for (const path of filesOf(file, shell, report)) {
    report.write(path);
    if (!isGiven(read, "-R -p -c") && path !== UNKNOWN_PATH) report.write(`${path}.pub`);
  }
}

/** `less +'!command'` runs it once the file is shown. */
function pagerCommand(call: Reading): undefined {
  if (
    !call.args.some((one) => /^\+/.test(leading(one)) && !/^\+(?:\d*[gG]?|\/.*)$/.test(literal(one) ?? "!"))
  )
    return;
  call.report.execute("helper-program");
  giveUp([textField(call.name), ...call.args], call.shell, call.place, call.walker);
}

/** Its options have one dash and whole words, unlike those of other programs. */
function openssl(call: Reading): undefined {
  const { args, report, shell } = call;
  if (args.some((one, at) => isUnfinished(one) && (at === 0 || leading(one).startsWith("-"))))
    report.opaque("unknown-arguments");
  for (let at = 1; at < args.length; at++) {
    const name = leading(args[at - 1] ?? []);
    if (/^-(?:out|keyout|writerand|CAserial|text_out|outform_file|signer_out)$/.test(name))
      for (const file of filesOf(args[at] ?? [], shell, report)) report.write(file);
    if (/^-(?:engine|provider|provider-path|config)$/.test(name)) report.execute("helper-program");
  }
  if (/^s_client|^s_time|^ocsp/.test(leading(args[0] ?? []))) report.risk("NETWORK", "EXTERNAL_WRITE");
}
