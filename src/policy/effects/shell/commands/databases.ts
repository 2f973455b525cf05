import { giveUp } from "../command.ts";
import { leading, literal, textField, visible } from "../field.ts";
import { valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { directoryText } from "../walker.ts";
import type { Reading } from "./row.ts";

/** Statements that only look; anything that could write, call or load is more. Of PostgreSQL's own names those pass that tell sizes, activity and what there is. */
const LOOKING_SQL =
  /^\s*(?:select|show|describe|desc|explain(?!\s+analyze)|with\s[^;]*?\bselect|table|\\d\w*|\\l|\\c|\\conninfo|\\z|\\x|\\timing|\\pset)\b/i;
const CHANGING_SQL =
  /\b(?:insert|update|delete|drop|truncate|alter|create|grant|revoke|copy|merge|replace|call|do|exec|execute|into\s+(?:outfile|dumpfile)|load_file|load\s+data|pg_(?!(?:size_pretty|(?:database|table|relation|total_relation|indexes|column|tablespace)_size|stat_(?!reset|file)\w+|statio_\w+|get_\w+|is_in_recovery|postmaster_start_time|conf_load_time|current_wal_lsn|tables|indexes|views|class|namespace|database|roles|settings|locks|attribute|index|constraint|extension|matviews|type|proc|enum|sequences)\b)\w+|lo_\w+|dblink|nextval|setval|vacuum|reindex|attach|pragma|xp_cmdshell)\b|\\[!oigwecs]|\\copy|;\s*\S/i;

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
  if (text !== null && LOOKING_SQL.test(text) && !CHANGING_SQL.test(text) && call.name !== "redis-cli")
    return;
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
          (LOOKING_SQL.test(one) && !CHANGING_SQL.test(one.replace(/;\s*$/, "")))) &&
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
