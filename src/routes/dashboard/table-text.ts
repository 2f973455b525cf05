/** A tool table as text: read as it was typed, with the place of every fault, and set out to be read. Pure. */
import type { ProblemCode } from "../../errors.ts";
import { type JsonNode, locateJson, nodeAt, type Span } from "../../http/json-places.ts";
import { ToolTableSchema } from "../../http/schemas.ts";
import { type Doubt, readStrictJson, type StrictJson } from "../../http/strict-json.ts";
import type { StoredToolTable } from "../../http/tool-table.ts";
import { parseToolTable, type ToolTable, type ToolTableFault } from "../../policy/effects/index.ts";
import type { TextFault } from "./text-faults.tsx";

export type TypedTable =
  | { readonly ok: true; readonly stored: StoredToolTable; readonly table: ToolTable }
  | {
      readonly ok: false;
      /** What the API would answer to the same text. */
      readonly code: ProblemCode;
      readonly faults: readonly TextFault[];
    };

const DOUBTS: Readonly<Record<Doubt["cause"], string>> = {
  "duplicate-key": "This name stands in its object already. Name every member once.",
  "inexact-number": "This number is not kept exactly. No row takes a number.",
  "lone-surrogate": "This text holds half of a character.",
};

/** Faults that are about a member's name, not about its value. */
const OF_THE_NAME: ReadonlySet<string> = new Set(["duplicate-key", "unknown-member"]);

/** Characters of a word that is marked. */
const LONGEST_WORD = 64;

/** Total: any text. Every fault at once, but for those behind the place where it stops being JSON. */
export function readTypedTable(text: string): TypedTable {
  const strict = readStrictJson(text);
  if (!strict.ok) return { ok: false, code: strict.code, faults: [jsonFault(text, strict)] };
  const parsed = parseToolTable(strict.value);
  const faults = placed(text, [
    ...strict.doubts.map(({ pointer, cause }) => ({ pointer, code: cause, message: DOUBTS[cause] })),
    ...(parsed.ok ? [] : parsed.faults),
  ]);
  const [doubt] = strict.doubts;
  if (doubt !== undefined) return { ok: false, code: doubt.cause, faults };
  if (!parsed.ok) return { ok: false, code: "invalid-tool-table", faults };
  // What the parser finds no fault with fits the schema by which it is stored; should it not, it is not saved.
  return { ok: true, stored: ToolTableSchema.parse(strict.value), table: parsed.table };
}

/** Where a text stops being JSON that is read here, and why. */
export function jsonFault(text: string, { code, detail }: Extract<StrictJson, { ok: false }>): TextFault {
  const located = locateJson(text);
  if (located.ok || code === "json-too-deep") return faultAt(text, { start: 0, end: 1 }, detail);
  // All of a word that stands there, or one character.
  const [word = ""] = /^[^\s,:"{}[\]]*/.exec(text.slice(located.at, located.at + LONGEST_WORD)) ?? [];
  const end = located.at + Math.max(1, word.length);
  return faultAt(text, { start: located.at, end }, located.message);
}

/** Faults by pointer, each with the place of what it is about. */
function placed(text: string, faults: readonly ToolTableFault[]): TextFault[] {
  if (faults.length === 0) return [];
  const located = locateJson(text);
  return faults
    .map(({ pointer, code, message }) => {
      if (!located.ok) return faultAt(text, { start: 0, end: 1 }, message);
      const node = nodeAt(located.root, pointer);
      return faultAt(text, OF_THE_NAME.has(code) ? (node.key ?? openingOf(node)) : openingOf(node), message);
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/** All of a text or a number; of what holds others, the bracket that opens it. */
function openingOf(node: JsonNode): Span {
  const holds = node.members !== null || node.entries.length > 0;
  return holds ? { start: node.start, end: node.start + 1 } : node;
}

/** A fault with its line and columns, as editors count them; the mark ends with its line. */
function faultAt(text: string, { start, end }: Span, message: string): TextFault {
  const before = text.slice(0, start);
  const from = before.lastIndexOf("\n") + 1;
  const lineEnd = text.indexOf("\n", start);
  const column = start - from + 1;
  return {
    message,
    line: before.split("\n").length,
    column,
    end_column: column + Math.min(end, lineEnd === -1 ? text.length : lineEnd) - start,
  };
}

/** Characters that fit on a line; what is longer is set out over several. */
const LINE = 88;
/** Rows and what is in them may stand on one line; the table and its list are open to be written into. */
const ROW_INDENT = 4;

/** JSON as a person would write it. */
export function setOut(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const flat = onOneLine(value);
  if (flat.length === 2) return flat;
  if (indent.length >= ROW_INDENT && indent.length + flat.length <= LINE) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((one) => inner + setOut(one, inner)).join(",\n")}\n${indent}]`;
  const lines = Object.entries(value).map(
    ([name, one]) => `${inner}${JSON.stringify(name)}: ${setOut(one, inner)}`,
  );
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${onOneLine(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
