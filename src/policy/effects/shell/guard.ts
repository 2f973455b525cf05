import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

/** Longer commands are not read: an agent has no need of them, and padding must not buy anything. */
export const LONGEST_COMMAND = 16 * 1024;
/** Unclosed expansions cost the parser quadratic time; this bounds it to about 20 ms. */
const MOST_OPENERS = 32;

/** Characters that a person cannot see, or sees in another order than the shell reads them. */
const DECEPTIVE = /[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/;
const OPENERS = /\$\(|\$\{|`|<\(|>\(|\(\(|\$\[/g;
/** What bash would expand, were it not quoted. */
const EXPANDS = /`|\$[({[]|[<>]\(|\$\\\n/;

export interface Parsed {
  /** The text that the tree's positions refer to. */
  readonly source: string;
  /** `null` when the text must not be read at all. */
  readonly script: ParsedScript | null;
  /** Why the tree cannot be trusted to be complete; empty when it can. */
  readonly doubts: readonly string[];
}

/**
 * Parses a command and checks the tree against the places where unbash 6 and bash are known to differ.
 * Never throws. Source: both were run on the same generated scripts; each check stands for a kind that then differed.
 */
export function readScript(source: string): Parsed {
  const refusal = refusalOf(source);
  if (refusal !== null) return { script: null, doubts: [refusal], source };
  try {
    const first = parse(source);
    const text = withJoinedHashes(source, first);
    const script = text === source ? first : parse(text);
    const doubts = doubtsOf(script, text);
    if (doubts.has("parse-error")) return { script: null, doubts: [...doubts], source };
    return { script, doubts: [...doubts], source: text };
  } catch {
    return { script: null, doubts: ["parse-error"], source };
  }
}

/** Right after `<( )` a `#` continues the word in bash, but starts a comment for the parser: escaped, both agree. */
function withJoinedHashes(source: string, script: ParsedScript): string {
  if (!source.includes(")#")) return source;
  const ends: number[] = [];
  const stack: SyntaxNode[] = [script];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "Script" && node.source !== undefined) continue;
    if (node.type === "ProcessSubstitution" && source[node.end] === "#") ends.push(node.end);
    forEachChild(node, (child) => stack.push(child));
  }
  return ends
    .sort((a, b) => b - a)
    .reduce((text, end) => `${text.slice(0, end)}\\${text.slice(end)}`, source);
}

function refusalOf(source: string): string | null {
  if (source.length > LONGEST_COMMAND) return "too-long";
  if (source.includes("\0")) return "nul";
  if (!source.isWellFormed()) return "lone-surrogate";
  let openers = 0;
  for (const _ of source.matchAll(OPENERS)) if (++openers > MOST_OPENERS) return "too-many-expansions";
  return null;
}

/** True when the text holds characters that hide something from a person who reads it. */
export function isDeceptive(source: string): boolean {
  return DECEPTIVE.test(source);
}

interface Visit {
  readonly node: SyntaxNode;
  readonly source: string;
  readonly substituted: boolean;
}

function doubtsOf(script: ParsedScript, source: string): Set<string> {
  const doubts = new Set<string>();
  let returns = source.split("\r").length - 1;
  const stack: Visit[] = [{ node: script, source, substituted: false }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { node } = visit;
    let text = visit.source;
    if (node.type === "Script") {
      if (node.errors?.length) doubts.add("parse-error");
      text = node.source ?? text;
    }
    if (node.type === "HereDocBody") returns -= node.text.split("\r").length - 1;
    const doubt = doubtOf(node, text, visit.substituted);
    if (doubt !== null) doubts.add(doubt);
    const substituted =
      visit.substituted || node.type === "CommandExpansion" || node.type === "ProcessSubstitution";
    forEachChild(node, (child) => stack.push({ node: child, source: text, substituted }));
  }
  // To bash a carriage return is an ordinary character, to a terminal it overwrites the line; only data may hold it.
  if (returns > 0) doubts.add("carriage-return");
  return doubts;
}

function doubtOf(node: SyntaxNode, source: string, substituted: boolean): string | null {
  const raw = source.slice(node.pos, node.end);
  switch (node.type) {
    case "Coproc":
      return "coproc";
    case "ArrayValue":
      return substituted ? "array-in-substitution" : null;
    case "CommandExpansion":
    case "ProcessSubstitution":
      return doubtInSubstitution(node, raw, source);
    case "AnsiCQuoted":
      return raw.includes("\\\n") ? "continuation-in-quotes" : null;
    case "Word":
      return node.parts === undefined && EXPANDS.test(withoutEscapes(raw)) ? "hidden-expansion" : null;
    case "Literal":
      return EXPANDS.test(withoutEscapes(raw)) ? "hidden-expansion" : null;
    case "BraceExpansion":
    case "ExtendedGlob":
      return node.parts === undefined && EXPANDS.test(withoutEscapes(raw)) ? "hidden-expansion" : null;
    case "ParameterExpansion":
      if (/\$\(|`|[<>]\(|\\\n|\$'|\n/.test(raw)) return "code-in-parameter";
      if (node.prefix === "!" || node.operation?.type === "Unknown") return "indirect-parameter";
      return node.operation?.type === "Transform" ? "transformed-parameter" : null;
    case "ArithmeticExpansion":
      return node.expression === undefined || /`|\$\(|["'\\;\n{}[]/.test(raw.slice(2))
        ? "code-in-arithmetic"
        : null;
    case "ArithmeticCommand":
      return /`|\$\(|["'\\;\n{}[]/.test(raw.slice(2)) ? "code-in-arithmetic" : null;
    case "HereDoc":
      return node.closing === undefined ? "open-heredoc" : null;
    default:
      return null;
  }
}

function doubtInSubstitution(
  node: Extract<SyntaxNode, { type: "CommandExpansion" | "ProcessSubstitution" }>,
  raw: string,
  source: string,
): string | null {
  if (raw.includes("\\\n")) return "continuation-in-substitution";
  if (node.script && node.script.commands.length > 1 && raw.includes("<<")) return "heredoc-in-substitution";
  if (node.type !== "ProcessSubstitution") return null;
  // Text that touches `<( )` belongs to the same word: `<(true)#` starts no comment.
  const before = source.slice(Math.max(0, node.pos - 1), node.pos);
  const after = source.slice(node.end, node.end + 1);
  return /^[\s;|&)\\]?$/.test(after) && /^[\s;|&(<>=]?$/.test(before) ? null : "joined-substitution";
}

function withoutEscapes(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\[\s\S]/g, (pair) => (pair === "\\\n" ? pair : "__"));
}
