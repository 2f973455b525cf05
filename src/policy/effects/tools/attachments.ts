import type { JsonObject, JsonValue } from "../../types.ts";
import { hostOfUrl } from "../hosts.ts";
import { carriesSecret } from "../secrets.ts";
import { noteReads, pointer, type ToolReading } from "./arguments.ts";
import { nameOf } from "./roles.ts";

/**
 * Files that a call sends along: what is attached, uploaded or given to a page leaves the machine, whoever the message is
 * for. An attacker who may send to the right person still wants to choose what is in the envelope.
 */

const KINDS =
  "attachment|attached|attach|file|body_file|html_file|text_file|message_file|input_file|upload|media|image|img|photo|picture|video|audio|voice|voice_note|document|doc|sticker|animation|inline_image|local|artifact|enclosure|anhang|adjunto|piece_jointe|allegato|anexo|bijlage|bilaga";
const FORMS = "path|file|filename|name|url|uri|location|source";
const ATTACHED = new RegExp(
  `^(?:${KINDS})s?(?:_(?:${FORMS})s?)?$|^anhange$|^pieces_jointes$|^allegati$|^附件(?:路径|文件)?$|^添付ファイル$`,
);
/** Members of one attachment that say where it is, and those that hold it. */
const PLACED =
  /^(?:path|file|file_path|filepath|local_path|url|href|uri|src|source|location|name|filename|file_name)$/;
const HELD = /^(?:content|contents|data|base64|body|bytes|content_bytes|text)$/;
/** Members that name an attachment without saying where it is, where it is held besides. */
const NAMED = /^(?:name|filename|file_name)$/;
const MOST_NODES = 5000;

/** Notes every file that the arguments send along, and looks whether it holds what opens other things. Linear; total. */
export function tellAttachments(reading: ToolReading, bare: boolean): void {
  const { report } = reading;
  let left = MOST_NODES;
  const note = (value: string, at: string): void => {
    const text = value.trim();
    // What is encoded in place is no file of this machine.
    if (text === "" || text.length > 4096 || /[\n\r]/.test(text) || /^data:/i.test(text)) return;
    report.said.item("attachment", text, at);
    const host = hostOfUrl(text);
    if (host !== null) report.host(host);
    if (carriesSecret(text)) report.secret(text);
    noteReads({ ...reading, args: { path: text } }, "path");
  };
  const one = (value: JsonValue, at: string): void => {
    if (left-- <= 0) return;
    if (typeof value === "string") for (const part of partsOf(value)) note(part, at);
    else if (Array.isArray(value)) for (const [index, each] of value.entries()) one(each, pointer(at, index));
    else if (value !== null && typeof value === "object") {
      const holds = Object.keys(value).some((key) => HELD.test(nameOf(key)));
      for (const [key, inner] of Object.entries(value)) {
        const name = nameOf(key);
        const placed = PLACED.test(name) && !(holds && NAMED.test(name));
        if (placed || ATTACHED.test(name) || typeof inner === "object") one(inner, pointer(at, key));
      }
    }
  };
  const walk = (value: JsonObject, at: string, depth: number): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (left-- <= 0) return;
      const name = nameOf(key);
      if (ATTACHED.test(name) || (bare && BARE.test(name))) one(inner, pointer(at, key));
      else if (depth < 4)
        for (const [index, each] of (Array.isArray(inner) ? inner : [inner]).entries())
          if (each !== null && typeof each === "object" && !Array.isArray(each))
            walk(each, Array.isArray(inner) ? pointer(at, key, index) : pointer(at, key), depth + 1);
    }
  };
  walk(reading.args, reading.base, 0);
  if (left <= 0) report.opaque("too-many-items");
}

/** What a tool that uploads calls its file, where a message would mean something else. */
const BARE =
  /^(?:paths?|src|source|source_path|local_paths?|file_?paths?|filenames?|absolute_path|value|values)$/;

/** `a.pdf, b.pdf`, where each part looks like a file. */
function partsOf(text: string): string[] {
  if (!/[,;]/.test(text) || text.length > 4096) return [text];
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.every((part) => /[/\\.]/.test(part) && !/\s{2}/.test(part))
    ? [...new Set([text, ...parts])]
    : [text];
}

/** Words of tools that hand a file to somebody else's machine. */
const UPLOADS = /^(?:upload|uploads|uploader|attach|attaches|enclose)$/;

/** True for a tool that sends files by its very name: `upload_file`, `set_input_files`, `choose_file` of a browser. */
export function isUpload(words: readonly string[]): boolean {
  const file = words.includes("file") || words.includes("files");
  return (
    words.some((word) => UPLOADS.test(word)) ||
    (file && (words.includes("input") || words.includes("chooser") || words.includes("choose")))
  );
}
