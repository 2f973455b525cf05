import type { RiskClass } from "../../types.ts";
import { listOf, perRow } from "../columns.ts";
import { hostOfUrl } from "../hosts.ts";
import type { ArgumentRole } from "./argument-names.ts";
import {
  actOnPaths,
  noteReads,
  noteUrls,
  PATH,
  pathsOf,
  pointer,
  stringsIn,
  type ToolReading,
  valuesAt,
} from "./arguments.ts";
import { tellAttachments } from "./attachments.ts";
import { writeInside } from "./infer.ts";
import { isElsewhere } from "./named-paths.ts";
import { kindsOfAction, opensToWrite, ordersIn, tellDeliveries } from "./orders.ts";
import { nameOf, tellArguments } from "./roles.ts";
import { tellStrangers } from "./strangers.ts";
import { RISKS, wordsOf } from "./vocabulary.ts";
import type { KnownWords } from "./wording.ts";

/** One tool under all its names. Columns list argument names with spaces between; several spellings may stand together. */
export interface ToolRow {
  readonly canonical: string;
  readonly names: string;
  readonly risks?: readonly RiskClass[];
  /** The name also means this tool when an MCP server offers it, provided it has the arguments of one of these columns. */
  readonly anywhere?: true;
  /** Paths that are wholly written, changed in place, created, deleted with all below, or only read. */
  readonly writes?: string;
  readonly edits?: string;
  readonly creates?: string;
  readonly deletes?: string;
  readonly reads?: string;
  readonly urls?: string;
  /** Arguments that hold code. */
  readonly code?: string;
  /** Whom it writes to, adds, invites or pays; and the place, such as a channel, that it writes to. */
  readonly recipients?: string;
  readonly copies?: string;
  readonly blind_copies?: string;
  readonly replies?: string;
  readonly attendees?: string;
  readonly members?: string;
  readonly channels?: string;
  readonly payees?: string;
  /** What it pays, and in which currency. */
  readonly amounts?: string;
  readonly currency?: string;
  /** What else it names that a person may have named: ids, titles, states. */
  readonly items?: string;
  /** Text that a later session reads. */
  readonly stored?: string;
  /** What is written into files; kept where the file is one that later sessions read. */
  readonly content?: string;
  /** Verbs and nouns for what it does, where its name does not say them; and whose it is. */
  readonly verbs?: string;
  readonly object?: string;
  readonly service?: string;
  /** A call without the paths that it writes is not refused for it. */
  readonly optional?: true;
  /** What the words depend on, where the name and an action do not say. */
  readonly wording?: (reading: ToolReading) => KnownWords;
  /** What depends on the arguments. */
  readonly also?: (reading: ToolReading) => void;
}

/** True when a tool of an MCP server has the arguments that the row would read. */
export function fits(row: ToolRow, reading: ToolReading): boolean {
  if (!row.anywhere) return false;
  const { args } = reading;
  if (row.canonical === "shell") return valuesAt(args, "command cmd").length > 0;
  const columns = [row.writes, row.edits, row.creates, row.deletes, row.reads].filter(
    (one) => one !== undefined,
  );
  // A service's own files are none of this machine's, unless their path says so.
  const elsewhere = isElsewhere(reading);
  return columns.every((names) =>
    valuesAt(args, names).some(
      ({ value }) =>
        typeof value === "string" &&
        hostOfUrl(value) === null &&
        (!elsewhere || /^(?:[/~.$\\]|[A-Za-z]:[\\/])/.test(value)),
    ),
  );
}

/** Where any tool may be told to leave what it makes. */
const OUTPUT =
  "output_path outputPath output_file outputFile output_dir outputDir save_path savePath save_to saveTo";

/** Applies a row's columns, then what depends on the arguments. */
export function readTool(row: ToolRow, reading: ToolReading): void {
  const { report, args, context } = reading;
  if (row.risks) report.risk(...row.risks);
  if (row.writes !== undefined) {
    const required = row.canonical !== "text_to_speech" && !row.optional;
    const targets = actOnPaths(reading, row.writes, ["modify", "create"], { required });
    const sources = valuesAt(args, row.deletes ?? row.reads ?? "").flatMap(({ name, value }) =>
      pathsOf(value, pointer(reading.base, name), reading),
    );
    writeInside(sources, targets, report);
  }
  actOnPaths(reading, OUTPUT, ["modify", "create"]);
  if (row.edits !== undefined) actOnPaths(reading, row.edits, ["modify"], { required: !row.optional });
  if (row.creates !== undefined)
    actOnPaths(reading, row.creates, ["create"], { required: row.canonical === "create_directory" });
  if (row.deletes !== undefined)
    actOnPaths(reading, row.deletes, ["delete"], { required: !row.optional, tree: true });
  if (row.deletes !== undefined && row.writes === undefined) deleteOthers(row, reading);
  if (row.reads !== undefined) noteReads(reading, row.reads);
  if (row.urls !== undefined) noteUrls(reading, row.urls);
  if (row.code !== undefined) {
    const found = valuesAt(args, row.code);
    report.execute("inline-code");
    for (const { value } of found.length ? found : [{ value: args }]) {
      for (const text of stringsIn(value, 100)) report.opaque("inline-code", text, context.environment.cwd);
    }
  }
  if (LOOKING.has(row.canonical)) obey(row, reading);
  row.also?.(reading);
  tellRow(row, reading);
}

/** What a tool that deletes may be told without another file being meant. */
const NO_FILE =
  /^(?:reason|description|comment|note|message|explanation|title|summary|mode|type|confirm\w*|encoding|timeout|cwd|workdir|working_directory|workspace|root|session|\w*_?id|status|language)$/;

/** A second list of names beside the known one: a tool that deletes takes whatever it is given to be deleted. */
function deleteOthers(row: ToolRow, reading: ToolReading): void {
  const known = new Set(listOf(row.deletes));
  for (const [name, value] of Object.entries(reading.args).slice(0, 64)) {
    if (known.has(name) || NO_FILE.test(nameOf(name))) continue;
    const listed = Array.isArray(value) ? value : [value];
    if (listed.length > 0 && listed.every((one) => typeof one === "string" && one !== ""))
      actOnPaths(reading, name, ["delete"], { tree: true });
  }
}

/** Rows that only look, unless their arguments order more. */
const LOOKING = new Set(["read_file", "search_files", "web_search", "web_extract", "browser_navigate"]);

/** What a tool that looks is told to do besides. */
function obey(row: ToolRow, reading: ToolReading): void {
  const { args, report } = reading;
  const words = wordsOf(reading.tool);
  const orders = new Set([...ordersIn(args, words, ""), ...kindsOfAction(args)]);
  orders.delete("read");
  const paths = row.canonical === "read_file" ? `${PATH} paths` : "";
  if (paths !== "" && (opensToWrite(args) || orders.has("write"))) {
    orders.delete("write");
    actOnPaths(reading, paths, ["modify", "create"]);
  }
  if (paths !== "" && orders.has("delete")) actOnPaths(reading, paths, ["delete"], { tree: true });
  for (const kind of orders) report.risk(...RISKS[kind]);
  if (orders.has("communicate")) tellDeliveries(reading, words);
}

/** What each column makes of the arguments that it lists. */
const TOLD = {
  recipients: "to",
  copies: "copy",
  blind_copies: "blind-copy",
  replies: "reply-to",
  attendees: "attendee",
  members: "member",
  channels: "channel",
  payees: "payee",
  amounts: "sum",
  currency: "currency",
  items: "item",
  stored: "stored",
} as const satisfies Partial<Record<keyof ToolRow, ArgumentRole>>;

const rolesIn = perRow((row: ToolRow) => {
  const told = new Map<string, ArgumentRole>();
  for (const [column, role] of Object.entries(TOLD))
    for (const name of listOf(row[column as keyof typeof TOLD])) told.set(nameOf(name), role);
  /** Roles where the call writes to a file that later sessions read. */
  const kept = new Map(told);
  for (const name of listOf(row.content)) kept.set(nameOf(name), "stored");
  return { told, kept };
});

function tellRow(row: ToolRow, reading: ToolReading): void {
  const { report } = reading;
  for (const { value } of valuesAt(reading.args, row.content ?? ""))
    for (const text of stringsIn(value, 500)) report.written(text);
  const reached = report.found;
  const manner = {
    communicates: reached.has("COMMUNICATION"),
    shares: reached.has("SHARE"),
    pays: reached.has("FINANCIAL"),
  };
  tellColumns(row, reading);
  // What a shell is given is read as what it is.
  const reaches = manner.communicates || manner.shares || manner.pays;
  if (!reaches || row.code !== undefined || SHELLS.has(row.canonical)) return;
  tellStrangers(reading, manner);
  tellAttachments(reading, false);
}

const SHELLS = new Set(["shell", "foreign_shell", "process", "execute_code"]);

function tellColumns(row: ToolRow, reading: ToolReading): void {
  const { report } = reading;
  const { told, kept } = rolesIn(row);
  const roles = row.content !== undefined && report.writesRules ? kept : told;
  if (roles.size === 0) return;
  tellArguments(reading, (name) => roles.get(name), {
    communicates: row.members === undefined,
    shares: row.members !== undefined,
    pays: row.payees !== undefined,
    reads: report.looksOnly,
    keeps: row.stored !== undefined,
    minor: false,
    words: [],
    paths: new Set(),
  });
}
