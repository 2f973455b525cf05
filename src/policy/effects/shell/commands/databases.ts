import { sqlEffect } from "../../sql.ts";
import { giveUp } from "../command.ts";
import type { Feed } from "../fed.ts";
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
  const given = valuesOf(call.read, "-c --command -e --execute --eval -q --query -Q -execute");
  const texts = given.map((one) => literal(one));
  if (texts.length && texts.every((one) => one !== null)) return texts.join("; ").replace(/;\s*$/, "");
  return null;
}

/** What Redis is asked that shows something, and what throws something away. */
const REDIS_LOOKS =
  /^(?:get|mget|keys|ttl|pttl|info|ping|exists|type|llen|lrange|lindex|hget|hgetall|hkeys|hlen|hmget|smembers|scard|sismember|scan|sscan|hscan|zscan|zrange|zcard|zscore|dbsize|strlen|getrange|xlen|xrange|lastsave|time)\b/i;
const REDIS_DELETES =
  /\b(?:del|unlink|flushall|flushdb|hdel|lrem|ltrim|lpop|rpop|blpop|brpop|spop|srem|zrem\w*|zpop\w+|getdel|xdel|xtrim|json\.del|ft\.dropindex|shutdown|swapdb)\b/i;
/** Words by which a database is told to throw something away, in whatever language it speaks. */
const DELETES =
  /\b(?:delete|drop|truncate|remove|purge|rm|del\w*(?:one|many|all)|drop(?:database|collection|index)?|findoneanddelete|findandremove|detach\s+delete)\b/i;
/** Text that is looked through for them. */
const MOST_FED = 65_536;

/** What the database is told, as far as it can be seen: its options and operands, what it is fed. */
function toldTo({ args, place }: Reading): string {
  const { input } = place;
  const parts = args.map(visible);
  if (input.kind === "text") parts.push(input.text);
  if (input.kind === "pipe")
    for (let one: Feed | null = input.feed, left = 8; one !== null && left > 0; one = one.before, left--)
      parts.push(one.text.slice(0, MOST_FED));
  return parts.join("\n").slice(0, MOST_FED);
}

export function database(call: Reading): undefined {
  const { report } = call;
  report.risk("NETWORK");
  const redis = call.name === "redis-cli";
  const text = statementsOf(call) ?? (redis ? call.read.operands.map(visible).join(" ") : null);
  if (redis && text !== null && REDIS_LOOKS.test(text)) return;
  if (text !== null && !redis && onlyLooks(text)) return;
  if (call.args.some((one) => /^(?:-l|--list)$/.test(literal(one) ?? "")) && text === null) return;
  if ((redis ? REDIS_DELETES : DELETES).test(toldTo(call))) report.risk("DELETE");
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
  // What is thrown away inside a file is gone, though the file stays.
  if (!readOnly && texts.some((one) => one !== null && sqlEffect(one) === "delete")) report.risk("DELETE");
  if (!readOnly && file) for (const path of filesOf(file, shell, report)) report.write(path);
}
