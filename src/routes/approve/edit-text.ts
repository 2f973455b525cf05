/** Arguments as text that a person changes. Pure. */
import { unseenIn } from "../dashboard/recorded.tsx";

/**
 * JSON with each character that would not be seen written as its escape: in a text area nothing can name it, and nobody
 * should approve what they did not see in what they changed. Read again, it is the same value.
 */
export function editableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "";
  if (unseenIn(text).length === 0) return text;
  return [...text].map((char) => (unseenIn(char).length === 0 ? char : escapesOf(char))).join("");
}

/** JSON's escapes are of UTF-16 units: a character beyond the first plane takes two. */
function escapesOf(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${hex(char.charCodeAt(i))}`).join("");
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, "0");
}
