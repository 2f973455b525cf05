/** More words than this from one brace expression are not followed. */
const MOST_WORDS = 256;

/**
 * Expands `{a,b}` and `{1..3}` in the source text of one word, as bash does before anything else; quotes and
 * expansions are stepped over. `null` when there would be too many words, or more text than somebody pays for.
 */
export function expandBraces(text: string, pays: (units: number) => boolean): string[] | null {
  const done: string[] = [];
  const waiting: string[] = [text];
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    if (!pays(word.length)) return null;
    const brace = firstBrace(word);
    if (brace === null) done.push(word);
    else {
      const before = word.slice(0, brace.open);
      const after = word.slice(brace.close + 1);
      for (let at = brace.choices.length - 1; at >= 0; at--) waiting.push(before + brace.choices[at] + after);
    }
    if (done.length + waiting.length > MOST_WORDS) return null;
  }
  return done;
}

interface Brace {
  readonly open: number;
  readonly close: number;
  readonly choices: readonly string[];
}

function firstBrace(text: string): Brace | null {
  for (let at = 0; at < text.length; at = skip(text, at)) {
    if (text[at] !== "{") continue;
    const brace = braceAt(text, at);
    if (brace !== null) return brace;
  }
  return null;
}

function braceAt(text: string, open: number): Brace | null {
  let depth = 0;
  let start = open + 1;
  const choices: string[] = [];
  for (let at = open; at < text.length; at = skip(text, at)) {
    const character = text[at];
    if (character === "{") depth++;
    else if (character === "," && depth === 1) {
      choices.push(text.slice(start, at));
      start = at + 1;
    } else if (character === "}") {
      depth--;
      if (depth > 0) continue;
      const last = text.slice(start, at);
      if (choices.length) return { open, close: at, choices: [...choices, last] };
      const sequence = sequenceOf(last);
      return sequence === null ? null : { open, close: at, choices: sequence };
    }
  }
  return null;
}

/** The index after one character, one quoted run, or one expansion. */
function skip(text: string, at: number): number {
  const character = text[at];
  if (character === "\\") return at + 2;
  if (character === "'") return after(text, "'", at + 1);
  if (character === '"') {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    return end + 1;
  }
  if (character === "`") return after(text, "`", at + 1);
  if (character === "$" && (text[at + 1] === "{" || text[at + 1] === "(")) {
    const close = text[at + 1] === "{" ? "}" : ")";
    const opener = text[at + 1];
    let depth = 0;
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === opener) depth++;
      else if (text[end] === close && --depth === 0) return end + 1;
    }
    return text.length;
  }
  return at + 1;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + 1;
}

function sequenceOf(text: string): string[] | null {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const letters = numbers ? null : /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const found = numbers ?? letters;
  if (!found) return null;
  const from = numbers ? Number(found[1]) : (found[1] ?? "").charCodeAt(0);
  const to = numbers ? Number(found[2]) : (found[2] ?? "").charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(found[3] ?? 1)));
  const padded = numbers && /^-?0\d/.test(`${found[1]} ${found[2]}`.trim()) ? (found[1] ?? "").length : 0;
  const words: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    if (words.length > MOST_WORDS) break;
    words.push(numbers ? String(value).padStart(padded, "0") : String.fromCharCode(value));
  }
  return words;
}
