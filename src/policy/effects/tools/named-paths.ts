import { readStrictJson } from "../../text/strict-json.ts";
import type { JsonValue } from "../../types.ts";
import { pointer, type ToolReading } from "./arguments.ts";

/** An argument of a tool that no table knows, which looks like a file of this machine. */
export interface PathArgument {
  readonly value: string;
  readonly at: string;
  readonly role: "source" | "target" | "output" | "any";
}

const PATH_KEY =
  /^(?:.*[_-])?(?:path|file|filename|filepath|file_path|dir|directory|folder|src|dst|source|destination|dest|target|from|to|output|location|paths|files)$|(?:Path|File|Dir|Directory|Folder|Name)$/i;
/** Keys under which even a bare word is a file. */
const SURE_KEY = /^(?:.*[_-])?(?:paths?|file_?paths?|dir|directory|folder)$|(?:Paths?|Dir|Directory|Folder)$/;
/** Keys under which a server's tool, too, is given a file of this machine. */
const SERVER_KEY = /^(?:.*[_-])?(?:paths?|file_?paths?)$|Paths?$/;
const OUTPUT_KEY =
  /^(?:out|output|outfile|save_?(?:to|as|path)|out(?:put)?[_-]?(?:path|file|filename|dir|directory|folder))$/i;
const PROSE_KEY =
  /^(?:content|contents|text|body|message|prompt|query|description|code|data|title|subject|summary|pattern|reason|comment|note|markdown|html)$/i;
const REMOTE_KEY =
  /^(?:owner|repo|repository|bucket|branch|project_?id|file_?id|drive_?id|site|workspace|database|channel)$/i;
/** Services whose paths lie elsewhere. A server's name is its owner's to give, an argument the agent's. */
const REMOTE_SERVER =
  /git|bitbucket|drive|dropbox|notion|slack|s3|gcs|azure|sharepoint|confluence|jira|linear|supabase|vercel|netlify/i;
export const ROOTED =
  /^(?:\/(?!\/)|~(?:[/\\]|$)|\$\w|\$\{|[A-Za-z]:[\\/]|\\|file:\/\/\/|\.{1,2}(?:[/\\]|$))/i;

/** True when a server's tool is about files of a service, so that relative paths are none of this machine's. */
export function isElsewhere({ args, server }: ToolReading): boolean {
  return (
    server !== undefined &&
    REMOTE_SERVER.test(server) &&
    Object.keys(args).some((key) => REMOTE_KEY.test(key))
  );
}

/** Arguments, however deep, that look like files of this machine. Relative names count only under a key that says so. */
export function pathArguments(reading: ToolReading, local: boolean): PathArgument[] {
  const elsewhere = isElsewhere(reading);
  const found: PathArgument[] = [];
  let left = 5000;
  const consider = (key: string, value: string, at: string): void => {
    if (value.length > 8192 || found.length >= 500) return;
    const listed = /^\s*\[/.test(value) ? readStrictJson(value) : null;
    if (listed?.ok && Array.isArray(listed.value)) {
      walk(key, listed.value as JsonValue, at);
      return;
    }
    const rooted = ROOTED.test(value) && (!elsewhere || /^[/~]|^\.\.[/\\]/.test(value));
    const plain = !/\s|@|:\/\//.test(value) && value !== "";
    const keyed = local
      ? PATH_KEY.test(key) && plain && (/[./\\]/.test(value) || SURE_KEY.test(key))
      : !elsewhere && SERVER_KEY.test(key) && plain;
    const spaced = SURE_KEY.test(key) && !elsewhere && /[/\\]/.test(value) && !/:\/\//.test(value);
    if (rooted || keyed || spaced) found.push({ value, at, role: roleOf(key) });
    if (!/[,;]/.test(value)) return;
    for (const part of value.split(/[,;]/, 200).map((one) => one.trim()))
      if (part !== value && (ROOTED.test(part) || (PATH_KEY.test(key) && (local || SERVER_KEY.test(key)))))
        consider(key, part, at);
  };
  const walk = (key: string, value: JsonValue, at: string): void => {
    if (left-- <= 0) return;
    if (typeof value === "string") {
      if (!PROSE_KEY.test(key)) consider(key, value, at);
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.slice(0, 1000).entries()) walk(key, one, pointer(at, index));
    } else if (value !== null && typeof value === "object")
      for (const [inner, one] of Object.entries(value)) walk(inner, one, pointer(at, inner));
  };
  for (const [key, value] of Object.entries(reading.args)) walk(key, value, pointer(reading.base, key));
  if (left <= 0 || found.length >= 500)
    reading.report.unparsed("too-many-arguments", "", reading.context.environment.cwd);
  return found;
}

function roleOf(key: string): PathArgument["role"] {
  if (OUTPUT_KEY.test(key)) return "output";
  if (/^(?:src|source|from|old)/i.test(key)) return "source";
  return /^(?:dst|dest|to$|target|new)/i.test(key) ? "target" : "any";
}
