import { sqlEffect } from "../../sql.ts";
import { giveUp } from "../command.ts";
import { leading, literal, textField, visible } from "../field.ts";
import { valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { directoryText } from "../walker.ts";
import type { Reading } from "./row.ts";

/** What the shells of databases show of themselves. */
const SHOWING = /^\s*\\(?:d\w*[+S]*|l\+?|c|conninfo|z|x|timing|pset|q)(?:\s[^\\;`|]*)?$/i;
/** What they are told besides SQL: to run a program, to write or read a file. */
const COMMANDED = /\\[!oigwecs]|\\copy|(?:^|\n)\s*(?:system|source|tee|pager|edit)\b/i;

/** True where every statement only looks. */
function onlyLooks(text: string): boolean {
  if (SHOWING.test(text)) return true;
  return !COMMANDED.test(text) && sqlEffect(text) === "look";
}

function statementsOf(call: Reading): string | null {
  const given = valuesOf(call.read, "-c --command -e --execute --eval");
  const texts = given.map((one) => literal(one));
  if (texts.length && texts.every((one) => one !== null)) return texts.join("; ").replace(/;\s*$/, "");
  return null;
}

export function database(call: Reading): undefined {
  const { report } = call;
  report.risk("NETWORK");
  const text =
    statementsOf(call) ?? (call.name === "redis-cli" ? call.read.operands.map(visible).join(" ") : null);
  if (
    call.name === "redis-cli" &&
    text !== null &&
    /^(?:get|mget|keys|ttl|info|ping|exists|type|llen|lrange|hget|hgetall|smembers|scan|dbsize|strlen)\b/i.test(
      text,
    )
  )
    return;
  if (text !== null && call.name !== "redis-cli" && onlyLooks(text)) return;
  if (call.args.some((one) => /^(?:-l|--list)$/.test(literal(one) ?? "")) && text === null) return;
  if (
    text !== null &&
    /\b(?:delete|drop|truncate|flushall|flushdb|del|remove|deleteMany|dropDatabase)\b/i.test(text)
  )
    report.risk("DELETE");
  report.risk("EXTERNAL_WRITE");
  report.execute("database-code", text ?? undefined, directoryText(call.shell));
  giveUp([textField(call.name), ...call.args], call.shell, call.place, call.walker);
}

export function localDatabase(call: Reading): undefined {
  const { report, shell } = call;
  const operands = call.args.filter((one) => !leading(one).startsWith("-"));
  const [file, ...statements] = operands;
  const readOnly = call.args.some((one) => literal(one) === "-readonly");
  const texts = statements.map((one) => literal(one));
  const looks =
    texts.length > 0 &&
    texts.every(
      (one) =>
        one !== null &&
        (/^\s*\.(?:tables|schema|headers|mode|dump|databases|indexes)\b/.test(one) ||
          (!COMMANDED.test(one) && sqlEffect(one) === "look")) &&
        !/writefile|load_extension|edit\(/i.test(one ?? ""),
    );
  if (looks) return;
  if (
    texts.some(
      (one) =>
        one === null ||
        /^\s*\.(?!tables|schema|headers|mode)/m.test(one) ||
        /writefile|load_extension|readfile|attach/i.test(one),
    ) ||
    texts.length === 0
  ) {
    report.execute("database-code", call.args.map(visible).join(" "), directoryText(shell));
    giveUp([textField(call.name), ...call.args], shell, call.place, call.walker);
    return;
  }
  if (!readOnly && file) for (const path of filesOf(file, shell, report)) report.write(path);
}
