export interface SedEffects {
  readonly executes: boolean;
  /** Files that `w` and `s///w` write. */
  readonly writes: readonly string[];
}

/**
 * What a sed script does besides printing: `e` and `s///e` run a shell, `w` and `W` write files. One pass over the
 * text; what does not parse counts as running code. Source: GNU sed manual, "Reporting Bugs" and command summary.
 */
export function sedEffects(script: string): SedEffects {
  const writes: string[] = [];
  let at = 0;
  let executes = false;
  const line = (): string => {
    const end = script.indexOf("\n", at);
    const text = script.slice(at, end < 0 ? script.length : end);
    at = end < 0 ? script.length : end + 1;
    return text.trim();
  };
  const write = (): void => {
    const name = line();
    if (name !== "" && !/^\/dev\/std(?:out|err)$/.test(name)) writes.push(name);
  };
  while (at < script.length) {
    at = skipAddresses(script, at);
    const command = script[at++];
    if (command === undefined) break;
    if (/[\s;{}]/.test(command)) continue;
    if (command === "#" || command === ":" || command === "r" || command === "R") line();
    else if (command === "w" || command === "W") write();
    else if (command === "e") {
      executes = true;
      line();
    } else if (command === "s" || command === "y") {
      const mark = script[at];
      if (mark === undefined || mark === "\n" || mark === "\\") return { executes: true, writes };
      const middle = skipDelimited(script, at + 1, mark, command === "s");
      const end = middle < 0 ? -1 : skipDelimited(script, middle, mark, false);
      if (end < 0) return { executes: true, writes };
      at = end;
      while (command === "s" && /[gpimeIM0-9]/.test(script[at] ?? ""))
        if (script[at++] === "e") executes = true;
      if (command === "s" && script[at] === "w") {
        at++;
        write();
      }
    } else if (command === "a" || command === "i" || command === "c") at = skipText(script, at);
    else if (command === "b" || command === "t" || command === "T") {
      while (at < script.length && !/[;\n}]/.test(script[at] ?? "")) at++;
    } else if (!/[=dDgGhHlnNpPqQxzFv]/.test(command)) return { executes: true, writes };
    else while (/\d/.test(script[at] ?? "")) at++;
  }
  return { executes, writes };
}

function skipAddresses(script: string, from: number): number {
  let at = from;
  while (at < script.length) {
    const character = script[at] ?? "";
    if (/[\s\d,~+$!;IM]/.test(character)) at++;
    else if (character === "/") at = Math.max(at + 1, skipDelimited(script, at + 1, "/", true));
    else if (character === "\\" && script[at + 1] !== undefined) {
      at = Math.max(at + 2, skipDelimited(script, at + 2, script[at + 1] ?? "", true));
    } else return at;
  }
  return at;
}

/** The index after the next unescaped `mark`; -1 when there is none. Inside brackets of a pattern it is no end. */
function skipDelimited(script: string, from: number, mark: string, pattern: boolean): number {
  for (let at = from; at < script.length; at++) {
    const character = script[at];
    if (character === "\\") at++;
    else if (character === mark) return at + 1;
    else if (pattern && character === "[") {
      const close = closingBracket(script, at + 1);
      if (close > 0 && !script.slice(at, close).includes(mark)) at = close;
    }
  }
  return -1;
}

function closingBracket(script: string, from: number): number {
  const start = script[from] === "^" ? from + 1 : from;
  const end = script.indexOf("]", start + 1);
  return end - from > 256 ? -1 : end;
}

/** `a`, `i` and `c` take the rest of the line, and the next one after a backslash. */
function skipText(script: string, from: number): number {
  for (let at = from; at < script.length; at++) {
    if (script[at] === "\\") at++;
    else if (script[at] === "\n") return at + 1;
  }
  return script.length;
}
