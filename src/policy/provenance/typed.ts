/**
 * What a person typed of a turn as an API is told it: by a harness that says which it is, or by one that does not. What the
 * person shows by marks that nobody types by chance, quoted lines, fences, forwarded mail, is not what they say.
 */
import { type DataKind, dataSpans } from "../text/quoting.ts";
import { captureTurn } from "./capture.ts";

/** Harnesses whose own text is known. */
export const HARNESSES = [
  "hermes",
  "claude-code",
  "codex",
  "copilot",
  "cursor",
  "gemini",
  "opencode",
] as const;

export interface ReportedTurn {
  readonly text: string;
  /** `null`: it may be any of {@link HARNESSES}, so what any of them writes is removed; losing typed words is safe. */
  readonly harness: string | null;
  readonly platform: string | null;
  readonly source: string | null;
}

/** What was typed; `null` when nothing was. */
export function typedIn({ text, harness, platform, source }: ReportedTurn): string | null {
  let typed: string = text;
  for (const one of harness === null ? HARNESSES : [harness]) {
    const captured = captureTurn({ harness: one, platform, raw: typed, source });
    if (captured === null) return null;
    typed = captured.text;
  }
  return said(typed);
}

/** Parts that are shown whole: their lines are somebody else's. A quotation within a sentence is still typed. */
const SHOWN: ReadonlySet<DataKind> = new Set<DataKind>([
  "fence",
  "quoted-line",
  "forwarded",
  "document",
  "patch",
]);

function said(typed: string): string | null {
  let text = "";
  let last = 0;
  for (const { kind, start, end } of dataSpans(typed)) {
    if (!SHOWN.has(kind)) continue;
    text += `${typed.slice(last, start)}\n`;
    last = end;
  }
  text = (text + typed.slice(last)).trim();
  return text === "" ? null : text;
}
