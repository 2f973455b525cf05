/** JSON that two readers cannot read two ways. Pure. */

/**
 * Whether a text is what `JSON.stringify` writes of its value, but for white space between its parts: no member stands
 * twice, no number and no text is written in a roundabout way. Numeric names stand in ascending order, before others.
 * @param value what `JSON.parse` makes of the text
 */
export function isPlainJson(text: string, value: unknown): boolean {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('"', at);
    const between = start === -1 ? text.slice(at) : text.slice(at, start);
    parts.push(between.replace(/[ \t\n\r]+/g, ""));
    if (start === -1) break;
    const end = endOfText(text, start);
    parts.push(text.slice(start, end));
    at = end;
  }
  try {
    return parts.join("") === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** Past the quotation mark that ends the text that begins at `start`. */
function endOfText(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}
