/**
 * From what an endpoint answers to a draft. Pure and total: the envelope of a chat completion, the one JSON object in
 * what the model said, and the draft in that.
 */
import { type Draft, type DraftDropped, readDraft } from "../policy/fence/draft.ts";
import { readStrictJson } from "../policy/text/strict-json.ts";

/** What became of one request, provider aside. */
export type Outcome =
  /** What the model said: text, or what a platform has already parsed. */
  | { readonly is: "said"; readonly content: unknown }
  /** An answer that is none; worth another try in a simpler format. */
  | { readonly is: "bad"; readonly why: BadAnswer }
  /** Refused for how it was asked. `parameter`: for a number, not for the format. */
  | { readonly is: "unfit"; readonly status: number; readonly parameter: boolean }
  /** Too busy, or broken, for now. */
  | { readonly is: "busy"; readonly status: number | null; readonly retryAfter: string | null }
  | {
      readonly is: "ended";
      readonly cause: EndCause;
      readonly why: string | null;
      readonly status: number | null;
    };

/** Nothing that another request would mend. */
export type EndCause = "unreachable" | "redirect" | "refused" | "too-long";

export type BadAnswer =
  | "not-utf-8"
  | "not-json"
  | "ambiguous-json"
  | "no-object"
  | "two-objects"
  | "not-a-completion"
  | "not-a-draft";

const bad = (why: BadAnswer): Outcome => ({ is: "bad", why });
const ended = (cause: EndCause, why: string | null, status: number | null): Outcome => ({
  is: "ended",
  cause,
  why,
  status,
});

/** Reads an HTTP answer of an OpenAI-compatible endpoint. `text` has already been bounded. */
export function readReply(status: number, text: string, retryAfter: string | null): Outcome {
  return status >= 200 && status < 300 ? readCompletion(text) : readRefusal(status, text, retryAfter);
}

function readRefusal(status: number, text: string, retryAfter: string | null): Outcome {
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { is: "busy", status, retryAfter };
  if (status === 413 || /context.{0,20}(?:length|window|size)|too many tokens|prompt is too long/i.test(text))
    return ended("too-long", "prompt", status);
  if (status === 400 || status === 422)
    return { is: "unfit", status, parameter: /temperature|max_tokens|max_completion_tokens/.test(text) };
  return ended("refused", null, status);
}

function readCompletion(text: string): Outcome {
  const read = readStrictJson(text);
  if (!read.ok) return bad("not-json");
  // No number of the envelope is used; a key that stands twice could have two readers see two answers.
  if (read.doubts.some(({ cause }) => cause !== "inexact-number")) return bad("ambiguous-json");
  return readEnvelope(read.value);
}

/** Also for what the Workers AI binding answers: `{response}`, or the envelope of a chat completion. */
export function readEnvelope(value: unknown): Outcome {
  const choice = first(member(value, "choices"));
  // OpenRouter answers 200 and puts what went wrong upstream into the body, or into the choice.
  const error = member(choice, "error") ?? member(value, "error");
  const code = member(error, "code");
  if (typeof code === "number" && code >= 400)
    return readRefusal(code, textOf(member(error, "message")), null);
  if (choice === undefined) {
    const response = member(value, "response");
    return response === undefined || response === null
      ? bad("not-a-completion")
      : { is: "said", content: response };
  }
  const message = member(choice, "message");
  const reason = member(choice, "finish_reason");
  if (textOf(member(message, "refusal")) !== "" || reason === "content_filter")
    return ended("refused", "model-refused", null);
  if (reason === "length") return ended("too-long", "answer", null);
  const content = member(message, "content");
  if (typeof content === "string") return { is: "said", content };
  if (!Array.isArray(content)) return bad("not-a-completion");
  return { is: "said", content: content.map((part) => textOf(member(part, "text"))).join("") };
}

export type DraftRead =
  | { readonly ok: true; readonly draft: Draft; readonly dropped: readonly DraftDropped[] }
  | { readonly ok: false; readonly why: BadAnswer };

/** The draft in what a model said. */
export function draftIn(content: unknown): DraftRead {
  let value = content;
  if (typeof content === "string") {
    const object = oneObject(content);
    if (!object.ok) return object;
    const read = readStrictJson(object.text);
    if (!read.ok) return { ok: false, why: "not-json" };
    if (read.doubts.length > 0) return { ok: false, why: "ambiguous-json" };
    value = read.value;
  }
  const read = readDraft(value);
  return read.ok ? read : { ok: false, why: "not-a-draft" };
}

/**
 * The text of the one JSON object in what a model said, whatever prose or fence stands around it. With a second
 * brace after its end nobody could say which one is meant. Linear.
 */
function oneObject(
  said: string,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: BadAnswer } {
  // A list or a text of JSON may hold an object; what was said is then not that object.
  if (/^\s*["[]/.test(said)) return { ok: false, why: "no-object" };
  // Some servers leave a reasoning model's thoughts in front of what it says.
  const thought = /^\s*<think>/.test(said) ? said.lastIndexOf("</think>") : -1;
  const start = said.indexOf("{", thought + 1);
  if (start === -1) return { ok: false, why: "no-object" };
  let depth = 0;
  let inText = false;
  for (let i = start; i < said.length; i += 1) {
    const code = said.charCodeAt(i);
    if (inText) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x7b) depth += 1;
    else if (code === 0x7d) {
      depth -= 1;
      if (depth > 0) continue;
      return said.includes("{", i + 1)
        ? { ok: false, why: "two-objects" }
        : { ok: true, text: said.slice(start, i + 1) };
    }
  }
  return { ok: false, why: "not-json" };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
