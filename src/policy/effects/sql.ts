/** What statements of SQL do, told from their text. Only what is known to look is taken to look. */

/** From harmless to grave; `run` is code, or what cannot be told. */
export type SqlEffect = "look" | "change" | "delete" | "run";

/** Statements longer than this are not taken apart. */
const LONGEST = 65_536;

const LOOKS = /^(?:select|show|describe|desc|explain|with|table|values|pragma|help)\b/;
/** Heads of statements that do nothing by themselves. */
const NEUTRAL =
  /^(?:begin(?: (?:transaction|work|read only))?|start transaction(?: read only)?|commit|rollback|end|use [\w.]+)$/;
const DELETES = /^(?:delete|drop|truncate)\b/;
const CHANGES =
  /^(?:insert|update|replace|upsert|merge|alter|create|grant|revoke|rename|comment|vacuum|reindex|analyze|cluster|refresh|optimize|repair|set|reset|lock|unlock|kill|flush|attach|detach|pragma|import|load|unload|restore|backup|use|deny|undrop|put|get|remove|notify|listen|discard|reassign|security|select|with|explain)\b/;

/** Words that change something wherever they stand bare in a statement that begins as one that looks. */
const INNER_DELETES = /\b(?:delete|drop|truncate)\b(?!\s*\()/;
const INNER_CHANGES = /\b(?:insert|update|merge|alter|create|grant|revoke|upsert)\b(?!\s*\()|\binto\b/;
const INNER_RUNS = /\b(?:exec|execute|call|copy|do)\s+(?!from\b|where\b|as\b|and\b|or\b)[\w$'"[.]/;

/** Functions that write, run, or reach beyond the database, though a SELECT calls them. */
const RUNNING =
  /\b(?:xp_\w+|sp_\w+|sys_(?:exec|eval)|dblink\w*|query_to_xml\w*|lo_(?:import|export)|load_(?:extension|file)|(?:write|read)file|edit|fts3_tokenizer|openrowset|opendatasource|openquery|external_query|utl_\w+|dbms_\w+|benchmark|sleep|get_lock|executable)\s*\(|\b(?:xp_cmdshell|(?:into\s+)?(?:outfile|dumpfile)|(?:from|to)\s+program)\b|\bfrom\s+(?:url|file|s3|remote\w*|hdfs|jdbc|odbc|mysql|postgresql)\s*\(/;
const DELETING_CALLS = /\b(?:lo_unlink|lo_truncate\w*|pg_(?:drop_\w+|file_unlink))\s*\(/;
const CHANGING_CALLS = /\b(?:lo_\w+|nextval|setval|set_config|txid_current)\s*\(/;
/** PostgreSQL's own functions that tell sizes, activity and what there is; any other of them does more. */
const PG_CALL = /\bpg_\w+(?=\s*\()/g;
const PG_LOOKS =
  /^pg_(?:size_pretty|(?:database|table|relation|total_relation|indexes|column|tablespace)_size|stat_(?!reset|file)\w+|get_\w+|is_in_recovery|postmaster_start_time|conf_load_time|current_wal_lsn|typeof|table_is_visible|has_role|encoding_to_char|backend_pid|collation_for|describe_object|relation_filepath|lsn|client_encoding)$/;
/** Functions of somebody's own that say what they do: `delete_user(1)`, `send_mail(…)`. */
const NAMED_CALL =
  /\b(delete|remove|drop|purge|wipe|erase|truncate|cleanup|insert|update|upsert|create|send|notify|exec|execute|run|kill|terminate|cancel|grant|revoke|reset|refresh|archive|enable|disable|pay|transfer)_\w+\s*\(/g;
const REMOVES = /^(?:delete|remove|drop|purge|wipe|erase|truncate|cleanup)$/;

/** SQLite's settings that are read by naming them, or with a name in brackets. */
const PRAGMA_CALLS =
  /^pragma\s+(?:\w+\.)?(?:table_(?:x?info|list)|index_(?:x?info|list)|foreign_key_(?:list|check)|integrity_check|quick_check)\s*(?:\([^()]*\))?$/;
const PRAGMA_NAMES =
  /^pragma\s+(?:\w+\.)?(?!wal_checkpoint\b|optimize\b|incremental_vacuum\b|shrink_memory\b)\w+$/;

/** The gravest of what the statements of a text do. Total; linear in the text. */
export function sqlEffect(text: string): SqlEffect {
  if (text.length > LONGEST) return "run";
  const bare = withoutData(text);
  if (bare === null) return grosslyOf(text.toLowerCase());
  let gravest: SqlEffect = "look";
  for (const statement of bare.split(";")) {
    const plain = statement.trim();
    if (plain !== "") gravest = graver(gravest, ofStatement(plain));
  }
  return gravest;
}

const RANK: Readonly<Record<SqlEffect, number>> = { look: 0, change: 1, run: 2, delete: 3 };
const graver = (one: SqlEffect, other: SqlEffect): SqlEffect => (RANK[other] > RANK[one] ? other : one);

function ofStatement(given: string): SqlEffect {
  const statement = given.replace(/^(?:\(\s*)+/, "");
  if (NEUTRAL.test(statement)) return "look";
  if (DELETES.test(statement)) return "delete";
  const inner = innerEffect(statement);
  if (!LOOKS.test(statement)) {
    const head: SqlEffect = CHANGES.test(statement) ? "change" : "run";
    // What a trigger or a procedure would do once it is called is done then; a block does it now.
    return graver(head, head === "change" && /^create\b/.test(statement) ? "look" : inner);
  }
  if (statement.startsWith("pragma"))
    return PRAGMA_CALLS.test(statement) || PRAGMA_NAMES.test(statement) ? "look" : "change";
  // `SHOW CREATE TABLE` and `SHOW GRANTS` name what they show.
  if (/^(?:show|desc|describe|help)\b/.test(statement)) return "look";
  return inner;
}

function innerEffect(statement: string): SqlEffect {
  if (INNER_DELETES.test(statement) || DELETING_CALLS.test(statement)) return "delete";
  let gravest: SqlEffect = "look";
  if (RUNNING.test(statement) || INNER_RUNS.test(statement)) gravest = "run";
  else if (INNER_CHANGES.test(statement) || CHANGING_CALLS.test(statement)) gravest = "change";
  for (const [name] of statement.matchAll(PG_CALL))
    if (!PG_LOOKS.test(name)) gravest = graver(gravest, "run");
  for (const [, verb] of statement.matchAll(NAMED_CALL))
    gravest = graver(gravest, REMOVES.test(verb ?? "") ? "delete" : "run");
  return gravest;
}

/** A text that two databases would read differently is held to every word in it. */
function grosslyOf(text: string): SqlEffect {
  const inner = innerEffect(text);
  return inner === "delete" ? inner : "run";
}

/**
 * The text in lower case without comments and without what stands in quotes; `null` where databases disagree about which
 * that is. A line comment needs its gap, since MySQL takes `1--1` for a sum; what only MySQL takes for a comment stays.
 */
function withoutData(text: string): string | null {
  const kept: string[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text[at] ?? "";
    if (sign === "'" || sign === '"' || sign === "`") {
      const end = endOfQuote(text, at, sign);
      if (end < 0) return null;
      // A name or a value: a statement holds both, and neither is a verb.
      kept.push(" q_ ");
      at = end;
    } else if (sign === "-" && /^--(?:\s|$)/.test(text.slice(at, at + 3))) {
      const end = text.indexOf("\n", at);
      kept.push(" ");
      at = end < 0 ? text.length : end;
    } else if (sign === "/" && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      // MySQL runs what stands in `/*! … */`, and only some databases nest comments.
      if (end < 0 || /[!+M]/.test(text[at + 2] ?? "") || text.slice(at + 2, end).includes("/*")) return null;
      kept.push(" ");
      at = end + 2;
    } else {
      kept.push(sign);
      at += 1;
    }
  }
  return kept.join("").toLowerCase().replace(/\s+/g, " ");
}

/** Behind the closing quote; below zero where there is none, or a backslash makes it doubtful. */
function endOfQuote(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && text[at + 1] === quote) return -1;
    if (text[at] !== quote) continue;
    if (text[at + 1] === quote) at++;
    else return at + 1;
  }
  return -1;
}

/** True for text that is SQL whatever it is given as: a verb with what it needs beside it. */
export function isSql(text: string): boolean {
  return /^[\s(]*(?:--[^\n]*\n\s*|\/\*[^*]*\*\/\s*)*\(*\s*(?:select\s[\s\S]{0,4096}?\bfrom\b|with\s+(?:recursive\s+)?\w+\s*(?:\([^()]*\))?\s+as\s*(?:not\s+materialized\s*|materialized\s*)?\(|insert\s+into\s|update\s+[\w."`[\]]+\s+set\s|delete\s+from\s|drop\s+(?:table|database|schema|index|view|user|role|function|trigger|column)\s|truncate\s+(?:table\s+)?[\w."`]+\s*;?\s*$|alter\s+(?:table|user|role|database|system)\s|create\s+(?:or\s+replace\s+)?(?:temp\w*\s+|unique\s+)?(?:table|index|view|user|role|function|database|schema|trigger)\s|explain\s+(?:analyze\s+|\([^()]*\)\s*)?(?:select|insert|update|delete|with)\s|grant\s[\s\S]{1,256}\sto\s|revoke\s[\s\S]{1,256}\sfrom\s|copy\s+[\w."(]|do\s+\$|exec(?:ute)?\s+\w|call\s+[\w.]+\s*\(|merge\s+into\s|replace\s+into\s|pragma\s+\w|attach\s+(?:database\s+)?['"]|vacuum\b)/i.test(
    text.slice(0, 8192),
  );
}
