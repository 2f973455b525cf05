/** Opaque positions in lists. A cursor that we did not write is refused, not guessed at. */
import { Problem } from "../errors.ts";

/** What a cursor takes at most, with the longest id that a session can have, escaped in JSON and once more in base 64. */
export const MAX_CURSOR_CHARACTERS = 4_096;

interface Position {
  readonly at: number;
  readonly chain: string;
  readonly seq: number;
  /** The place among the rows of one entry, where there are several. */
  readonly n?: number | undefined;
}

export function writeCursor({ at, chain, seq, n }: Position): string {
  const place = n === undefined ? [at, chain, seq] : [at, chain, seq, n];
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** @throws {Problem} `invalid-request` */
export function readCursor(text: string): Position {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    const [at, chain, seq, n] = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    ) as unknown[];
    if (
      Number.isSafeInteger(at) &&
      typeof chain === "string" &&
      Number.isSafeInteger(seq) &&
      (n === undefined || Number.isSafeInteger(n))
    )
      return { at: at as number, chain, seq: seq as number, n: n as number | undefined };
  } catch {
    // Falls through to the refusal: whatever it was, it was not ours.
  }
  throw new Problem("invalid-request", "The cursor is not one that a list gave.", {
    errors: [{ pointer: "#/query/cursor", detail: "use next_cursor as it came", code: "cursor" }],
  });
}
