/**
 * What a person really typed in a turn: every block that the harness put around it is removed, a turn that the harness
 * wrote itself is skipped (the seed, "What is captured"). Losing typed words is safe, keeping a harness's is not: where a
 * block's end is unclear, the last possible one counts. Pure, total, linear, idempotent.
 */
import { hermesTyped, SILENT_PLATFORMS } from "./capture/hermes.ts";
import { taggedTyped } from "./capture/tags.ts";

/** A turn as a harness's hook hands it over. */
export interface Turn {
  /** `hermes`, `claude-code`, `codex`, `copilot`, `cursor`, `gemini`, `opencode`; any other is taken as it comes. */
  readonly harness: string;
  readonly platform?: string | null | undefined;
  /** A text, or the list of content parts of a multimodal message. */
  readonly raw: unknown;
  /** Claude Code's `source` of a prompt; absent while it is not rolled out. */
  readonly source?: string | null | undefined;
}

export interface CapturedTurn {
  readonly text: string;
}

/** Prompts that no person wrote: the system's, and those that a timer or an event sent. */
const WRITTEN_SOURCES = new Set(["system", "loop_wakeup", "schedule_wakeup", "poll_event"]);

/** What was typed; `null` when nothing was. */
export function captureTurn({ harness, platform, raw, source }: Turn): CapturedTurn | null {
  if (typeof source === "string" && WRITTEN_SOURCES.has(source)) return null;
  if (typeof platform === "string" && SILENT_PLATFORMS.has(platform.toLowerCase())) return null;
  const given = textOf(raw);
  if (given === null) return null;
  const plain = given.replace(/\r\n?/g, "\n");
  const typed =
    harness === "hermes" ? hermesTyped(plain, (platform ?? "").toLowerCase()) : taggedTyped(plain, harness);
  const text = typed?.trim() ?? "";
  return text === "" ? null : { text };
}

const MAX_PARTS = 1000;

/** The text of a message; pictures and other parts say nothing. */
function textOf(raw: unknown): string | null {
  if (typeof raw === "string") return raw;
  if (!Array.isArray(raw)) return null;
  const texts: string[] = [];
  for (const part of raw.slice(0, MAX_PARTS)) {
    if (typeof part === "string") texts.push(part);
    else if (typeof part === "object" && part !== null) {
      const { type, text } = part as { type?: unknown; text?: unknown };
      if (typeof text === "string" && (type === undefined || type === "text" || type === "input_text"))
        texts.push(text);
    }
  }
  return texts.length === 0 ? null : texts.join("\n\n");
}
