/** The compiler's settings as the fields of a form, and back. Pure. What is wrong with a value is for the API to say. */
import { PROVIDER_FACTS, PROVIDERS, type Provider } from "../../compiler/settings.ts";
import type { Fault } from "../../errors.ts";
import type { ShownCompiler } from "../../http/compiler-settings.ts";
import type { Difference, FieldFault } from "./settings-values.ts";

/** What was typed and chosen, but for the key: that goes one way. */
export interface CompilerDraft {
  readonly compiler: string;
  readonly provider: string;
  readonly base_url: string;
  readonly model: string;
  readonly timeout_ms: string;
  readonly remove_key: boolean;
}

const LABELS: Readonly<Record<string, string>> = {
  compiler: "Who reads the words",
  provider: "Provider",
  base_url: "Base URL",
  model: "Model",
  timeout_ms: "Timeout",
  key: "Key",
};

export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  "openai-compatible": "OpenAI-compatible endpoint",
  openrouter: "OpenRouter",
  "workers-ai": "Workers AI",
};

/** What stands in the form for settings in force; what the provider brings by itself is left empty. */
export function compilerDraft({
  compiler,
  provider,
  base_url,
  model,
  timeout_ms,
}: ShownCompiler): CompilerDraft {
  const facts = PROVIDER_FACTS[provider];
  return {
    compiler,
    provider,
    base_url: base_url === facts.base_url ? "" : (base_url ?? ""),
    model: model === facts.model ? "" : (model ?? ""),
    timeout_ms: String(timeout_ms),
    remove_key: false,
  };
}

export function typedCompiler(form: URLSearchParams): CompilerDraft {
  const field = (name: string): string => (form.get(name) ?? "").trim();
  return {
    compiler: field("compiler"),
    provider: field("provider"),
    base_url: field("base_url"),
    model: field("model"),
    timeout_ms: field("timeout_ms"),
    remove_key: form.get("remove_key") === "yes",
  };
}

/** The request that the fields ask for. @param key as it was typed; empty leaves the one that is kept */
export function compilerRequest(draft: CompilerDraft, key: string): Readonly<Record<string, unknown>> {
  const { compiler, provider, base_url, model, timeout_ms, remove_key } = draft;
  return {
    compiler,
    ...(provider === "" ? {} : { provider }),
    base_url: base_url === "" ? null : base_url,
    model: model === "" ? null : model,
    ...(timeout_ms === ""
      ? {}
      : { timeout_ms: /^[0-9]{1,9}$/.test(timeout_ms) ? Number(timeout_ms) : timeout_ms }),
    ...(key !== "" ? { key } : remove_key ? { key: null } : {}),
  };
}

const CAUSES: Readonly<Record<string, string>> = {
  "not-a-url": "Write a whole URL, as in https://api.example.com/v1.",
  "unknown-value": "Write it in plain characters, without spaces; a URL begins with https://.",
  "not-https": "It has to begin with https://.",
  "credentials-in-url": "A name or password must not stand in it. The key has a field of its own.",
  "query-or-fragment": "It must hold no ? and no #.",
  "own-origin": "This is Countersign itself.",
  loopback: "This is the machine that Countersign runs on.",
  "private-address": "This address is not public.",
  "local-name": "This name means something inside one network only.",
  "not-a-key": "A key has 1 to 4096 printable characters, without spaces.",
  "two-wills": "Either write a new key or remove the one that is kept.",
};

const FIELD_WORDS: Readonly<Record<string, string>> = {
  timeout_ms: "Write a whole number from 1000 to 20000, or leave it empty.",
  base_url: "It has at most 2048 characters.",
  model: "It has at most 200 characters.",
};

export function compilerFaults(faults: readonly Fault[]): readonly FieldFault[] {
  return faults.map(({ pointer, code = "" }) => {
    const id = pointer.slice(1);
    return {
      id,
      label: LABELS[id] ?? id,
      message: CAUSES[code] ?? FIELD_WORDS[id] ?? "Choose one of what is offered.",
    };
  });
}

/** Where what is in force differs from what was typed. */
export function compilerDifferences(typed: CompilerDraft, inForce: CompilerDraft): readonly Difference[] {
  return (["compiler", "provider", "base_url", "model", "timeout_ms"] as const)
    .filter((name) => typed[name] !== inForce[name])
    .map((name) => ({ label: LABELS[name] ?? name, inForce: inForce[name] }));
}

/** What a model still lacks before it can be asked; empty for one that is complete, and for the rules. */
export function missingParts({ compiler, provider, base_url, model, key_set }: ShownCompiler): string[] {
  if (compiler === "rules") return [];
  return [
    ...(base_url === null && provider !== "workers-ai" ? ["a base URL"] : []),
    ...(model === null ? ["a model"] : []),
    ...(PROVIDER_FACTS[provider].key && !key_set ? ["a key"] : []),
  ];
}

/** Providers that bring a model of their own, for the hint under its field. */
export const OWN_MODELS = PROVIDERS.flatMap((provider) => {
  const { model } = PROVIDER_FACTS[provider];
  return model === null ? [] : [[PROVIDER_NAMES[provider], model] as const];
});
