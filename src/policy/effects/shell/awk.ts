export interface AwkEffects {
  readonly executes: boolean;
  readonly writes: readonly string[];
  /** A file is written whose name is computed. */
  readonly writesUnknown: boolean;
}

const OPAQUE: AwkEffects = { executes: true, writes: [], writesUnknown: false };

/**
 * What an awk program does besides printing: `system()`, pipes and `@load` run code; `print > "file"` writes one.
 * `null` (a program that is not known) counts as running code. One pass.
 */
export function awkEffects(program: string | null): AwkEffects {
  if (program === null) return OPAQUE;
  const tokens = tokensOf(program);
  if (tokens === null) return OPAQUE;
  const writes: string[] = [];
  let writesUnknown = false;
  let printing = false;
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const { kind, text } = token;
    if (kind === "name") {
      if (text === "system" || text.startsWith("@")) return OPAQUE;
      if (text === "print" || text === "printf") {
        printing = true;
        depth = 0;
      }
      continue;
    }
    if (kind !== "sign") continue;
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (text === ";" || text === "\n" || text === "}" || text === "{") printing = false;
    else if (text === "|" || text === "|&") {
      // Both `print | "cmd"` and `"cmd" | getline` run a shell.
      return OPAQUE;
    } else if ((text === ">" || text === ">>") && printing && depth <= 0) {
      const target = tokens[at + 1];
      const next = tokens[at + 2];
      const ends = next === undefined || (next.kind === "sign" && /^[;\n}]$/.test(next.text));
      if (target?.kind === "string" && ends) {
        if (!/^\/dev\/(?:stdout|stderr)$/.test(target.text)) writes.push(target.text);
        if (target.text.startsWith("/inet")) return OPAQUE;
      } else writesUnknown = true;
    }
  }
  return { executes: false, writes, writesUnknown };
}

interface Token {
  readonly kind: "name" | "string" | "regex" | "number" | "sign";
  readonly text: string;
}

function tokensOf(program: string): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < program.length; ) {
    const character = program[at] ?? "";
    if (character === "#") {
      const end = program.indexOf("\n", at);
      at = end < 0 ? program.length : end;
    } else if (character === "\\" && program[at + 1] === "\n") at += 2;
    else if (character === " " || character === "\t" || character === "\r") at++;
    else if (character === '"' || (character === "/" && startsRegex(tokens))) {
      const end = endOf(program, at);
      if (end < 0) return null;
      const text = program.slice(at + 1, end).replace(/\\(.)/g, "$1");
      tokens.push({ kind: character === '"' ? "string" : "regex", text });
      at = end + 1;
    } else {
      const run =
        /^(?:@?[A-Za-z_]\w{0,255}|\d[\w.]{0,63}|\|\||\|&|>>|>=|&&|[\s\S])/.exec(
          program.slice(at, at + 260),
        )?.[0] ?? character;
      tokens.push({
        kind: /^[@A-Za-z_]/.test(run) ? "name" : /^\d/.test(run) ? "number" : "sign",
        text: run,
      });
      at += run.length;
    }
  }
  return tokens;
}

/** After a value a slash divides; anywhere else it opens a pattern. */
function startsRegex(tokens: readonly Token[]): boolean {
  const last = tokens[tokens.length - 1];
  if (last === undefined) return true;
  if (last.kind === "sign") return last.text !== ")" && last.text !== "]" && last.text !== "$";
  return last.kind === "name" ? /^(?:print|printf|return|in|case|getline)$/.test(last.text) : false;
}

function endOf(program: string, open: number): number {
  const mark = program[open];
  for (let at = open + 1; at < program.length; at++) {
    if (program[at] === "\\") at++;
    else if (program[at] === mark) return at;
    else if (program[at] === "\n") return -1;
  }
  return -1;
}
