/** How each provider is asked: an OpenAI-compatible endpoint, OpenRouter, or the Workers AI binding. */

import { type AddressCause, readAddress } from "../addresses.ts";
import { DRAFT_SCHEMA } from "../policy/fence/draft.ts";
import { type Outcome, readEnvelope, readReply } from "./answer.ts";
import type { CompileDeps, CompileInput } from "./compile.ts";
import type { Message } from "./prompt.ts";
import { isApiKey, PROVIDER_FACTS } from "./settings.ts";
import { MAX_ANSWER_BYTES, post } from "./wire.ts";

/** From what asks most of an endpoint to what asks nothing of it. */
export const FORMATS = ["schema", "json", "text"] as const;
export type Format = (typeof FORMATS)[number];

/** What of the platform's `Ai` is used. */
export interface AiBinding {
  run(model: string, inputs: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<unknown>;
}

/** One request. `bare` leaves out the numbers that some models refuse to be told. Total. */
export type Ask = (format: Format, bare: boolean) => Promise<Outcome>;

export interface Unable {
  readonly ok: false;
  readonly cause: "not-configured" | "address-refused";
  readonly why: "model" | "key" | "base-url" | "binding" | AddressCause;
}

/** A full draft is some thousand tokens; without a number some servers stop after 100 or 256. */
const MAX_TOKENS = 4_096;

/** Who is to be asked, or what is missing for it. Nothing is sent yet. */
export function askerFor(
  { settings, key, reach }: CompileInput,
  messages: readonly Message[],
  deps: CompileDeps,
  signal: AbortSignal,
): { readonly ok: true; readonly model: string; readonly ask: Ask } | Unable {
  const unable = (why: Unable["why"], cause: Unable["cause"] = "not-configured"): Unable => ({
    ok: false,
    cause,
    why,
  });
  const { model, provider } = settings;
  if (model === null) return unable("model");
  if (provider === "workers-ai") {
    const { ai } = deps;
    return ai === undefined
      ? unable("binding")
      : { ok: true, model, ask: askBinding(ai, model, messages, signal) };
  }
  if (key === null ? PROVIDER_FACTS[provider].key : !isApiKey(key)) return unable("key");
  if (settings.base_url === null) return unable("base-url");
  const address = readAddress(settings.base_url, reach);
  if (!address.ok) return unable(address.cause, "address-refused");
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "Countersign",
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(provider === "openrouter" ? { "x-title": "Countersign" } : {}),
  };
  // Taken out of its object: workerd's own fetch refuses to be called as anybody's method.
  const { fetch } = deps;
  const ask: Ask = async (format, bare) => {
    const body = JSON.stringify({ model, messages, ...numbers(bare), ...httpFormat(format) });
    const reply = await post(`${address.url}/chat/completions`, headers, body, fetch, signal);
    if (reply.is === "reply") return readReply(reply.status, reply.text, reply.retryAfter);
    if (reply.cause === "not-utf-8") return { is: "bad", why: reply.cause };
    return {
      is: "ended",
      cause: reply.cause,
      why: reply.cause === "too-long" ? "answer" : null,
      status: null,
    };
  };
  return { ok: true, model, ask };
}

function numbers(bare: boolean): Record<string, unknown> {
  return bare ? {} : { temperature: 0, max_tokens: MAX_TOKENS };
}

function httpFormat(format: Format): Record<string, unknown> {
  if (format === "text") return {};
  if (format === "json") return { response_format: { type: "json_object" } };
  return {
    response_format: {
      type: "json_schema",
      json_schema: { name: "draft", strict: true, schema: DRAFT_SCHEMA },
    },
  };
}

/** Workers AI takes the schema itself where OpenAI takes a name and a schema. */
function bindingFormat(format: Format): Record<string, unknown> {
  return format === "schema"
    ? { response_format: { type: "json_schema", json_schema: DRAFT_SCHEMA } }
    : httpFormat(format);
}

function askBinding(ai: AiBinding, model: string, messages: readonly Message[], signal: AbortSignal): Ask {
  return async (format, bare) => {
    try {
      const answer = await ai.run(
        model,
        { messages, ...numbers(bare), ...bindingFormat(format) },
        { signal },
      );
      // The platform has parsed it already; its length is that of the text it would be.
      const text = JSON.stringify(answer) ?? "";
      if (text.length > MAX_ANSWER_BYTES)
        return { is: "ended", cause: "too-long", why: "answer", status: null };
      return readEnvelope(answer);
    } catch (error) {
      return readBindingError(error instanceof Error ? `${error.name} ${error.message}` : "");
    }
  };
}

/**
 * The binding throws `AiError` with a number in front of its words: 3040 no capacity, 3007 timeout, 3036 and 429 quota;
 * 5024 and the words "JSON Mode" for an answer or a model that does not fit the schema.
 */
function readBindingError(said: string): Outcome {
  const words = said.slice(0, 1_000);
  if (/\b(?:3040|3007|3036|429|5\d\d)\b|capacity|overloaded/i.test(words))
    return { is: "busy", status: null, retryAfter: null };
  if (/JSON ?Mode|\b5024\b|response_format|json_schema/i.test(words))
    return { is: "unfit", status: 400, parameter: false };
  if (/temperature|max_tokens/.test(words)) return { is: "unfit", status: 400, parameter: true };
  return { is: "ended", cause: "refused", why: "binding", status: null };
}
