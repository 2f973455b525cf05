import type { Child } from "hono/jsx";

/** A description as the schemas write it: `code` between backticks, and nothing else. */
export function prose(text: string): Child {
  return text.split("`").map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part));
}
