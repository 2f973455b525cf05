import type { RecipientRole } from "../../../types.ts";
import { headersIn } from "../../smuggled.ts";
import { readRawMessage } from "../../tools/raw-message.ts";
import { type Field, literal, visible } from "../field.ts";
import { isGiven, valuesOf } from "../options.ts";
import type { Reading, Row } from "./row.ts";

/** Programs that write to people. */
export const MAIL_ROWS: readonly Row[] = [
  {
    names: ["mail", "mailx"],
    values: "-s -c -b -a -A -r -S -q -u -T",
    risks: ["NETWORK", "EXTERNAL_WRITE", "COMMUNICATION"],
    also: mail,
  },
  {
    names: ["mutt", "neomutt"],
    values: "-s -c -b -a -e -F -f -H -i -m -Q",
    risks: ["NETWORK", "EXTERNAL_WRITE", "COMMUNICATION"],
    also: mail,
  },
  {
    names: ["sendmail", "msmtp", "ssmtp"],
    values: "-f -F -r -a -C -N -R -V --from --file --account --host --port --user",
    risks: ["NETWORK", "EXTERNAL_WRITE", "COMMUNICATION"],
    also: mail,
  },
  {
    names: ["swaks"],
    values:
      "-t --to --cc --bcc -f --from -s --server --body --header --add-header --attach --attach-body --data --h-Subject --h-To --h-Cc --h-Bcc --h-From",
    risks: ["NETWORK", "EXTERNAL_WRITE", "COMMUNICATION"],
    also: mail,
  },
  {
    names: ["telegram-send", "ntfy", "wall", "write"],
    risks: ["NETWORK", "EXTERNAL_WRITE", "COMMUNICATION"],
    also: notify,
  },
];

/** What `swaks` calls headers that it is given one by one. */
const HEADER_OPTIONS = [
  ["--h-To", "to"],
  ["--h-Cc", "copy"],
  ["--h-Bcc", "blind-copy"],
] as const;

/** Whom a mail program writes to. What it is fed may name more of them: its headers decide where `-t` says so. */
function mail(call: Reading): undefined {
  const { args, read, report } = call;
  const say = (role: RecipientRole, fields: readonly Field[]): void => {
    for (const field of fields) {
      const text = literal(field);
      if (text === null) report.opaque("unknown-recipient");
      if (visible(field) !== "") report.said.people(role, visible(field));
    }
  };
  const attaches = call.name === "mutt" || call.name === "neomutt";
  // `mutt -a file… -- address`: what stands before the dashes is attached.
  const dashes = args.findIndex((one) => literal(one) === "--");
  const operands = attaches && isGiven(read, "-a") && dashes >= 0 ? args.slice(dashes + 1) : read.operands;
  if (call.name === "swaks") say("to", valuesOf(read, "-t --to"));
  else say("to", operands);
  say("copy", valuesOf(read, call.name === "swaks" ? "--cc" : "-c"));
  say("blind-copy", valuesOf(read, call.name === "swaks" ? "--bcc" : "-b"));
  for (const file of valuesOf(read, "-a -A --attach --attach-body")) {
    // Some programs attach with `-a`, others add a header.
    const header = headersIn(visible(file), true);
    for (const { role, value } of header) report.said.people(role, value);
    if (header.length === 0) report.said.item("attachment", visible(file));
  }
  for (const field of valuesOf(read, "--header --add-header"))
    for (const { role, value } of headersIn(visible(field), true)) report.said.people(role, value);
  for (const [option, role] of HEADER_OPTIONS)
    for (const field of valuesOf(read, option)) report.said.people(role, visible(field));
  // A subject of two lines is a subject and a header.
  for (const field of valuesOf(read, "-s --subject --h-Subject"))
    for (const { role, value } of headersIn(visible(field))) {
      report.said.deceives("header-in-text", visible(field));
      report.said.people(role, value);
    }
  if (/^(?:sendmail|msmtp|ssmtp)$/.test(call.name) && isGiven(read, "-t --read-recipients")) {
    const { input } = call.place;
    const known = input.kind === "text" && input.value !== null ? input.value : null;
    if (known === null) report.opaque("raw-message");
    else readRawMessage(known, report, report.said.at);
  }
}

/** Programs that write to the one place, terminal or person that they name. */
function notify(call: Reading): undefined {
  const { operands } = call.read;
  const { said } = call.report;
  if (call.name === "wall") said.everybody("wall");
  const [first, second] = operands.map(visible);
  if (call.name === "write" && first) said.people("to", first);
  const topic = first === "publish" || first === "pub" || first === "send" ? second : first;
  if (call.name === "ntfy" && topic) said.people("channel", topic);
}
