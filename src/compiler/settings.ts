/**
 * Which compiler an organization uses, and what the model compiler needs to know. Stored as plain JSON, the key sealed
 * (`sealing.ts`); an address is judged where it is used (`addresses.ts`), since that depends on the deployment.
 */
import type { Place } from "../sealing.ts";

export const PROVIDERS = ["openai-compatible", "openrouter", "workers-ai"] as const;
export type Provider = (typeof PROVIDERS)[number];

interface ProviderFacts {
  /** `null`: the organization has to name it. */
  readonly base_url: string | null;
  readonly model: string | null;
  /** Whether it answers nobody without a key. */
  readonly key: boolean;
}

export const PROVIDER_FACTS: Readonly<Record<Provider, ProviderFacts>> = {
  "openai-compatible": { base_url: null, model: null, key: false },
  openrouter: { base_url: "https://openrouter.ai/api/v1", model: "anthropic/claude-haiku-4.5", key: true },
  "workers-ai": { base_url: null, model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast", key: false },
};

export interface CompilerSettings {
  /** `rules` is the offline reader and the default; `model` drafts with a model, through the same hardening. */
  readonly compiler: "rules" | "model";
  readonly provider: Provider;
  /** `null` where the provider needs none, or none is set. */
  readonly base_url: string | null;
  readonly model: string | null;
  /** For everything together: requests, retries, pauses. */
  readonly timeout_ms: number;
  /** Sealed for {@link keyPlace}; never shown. */
  readonly key: string | null;
}

export type SettingsCause = "wrong-type" | "unknown-value" | "unknown-member" | "out-of-range" | "too-long";

export interface SettingsFault {
  /** JSON pointer into what was read; empty for the whole. */
  readonly pointer: string;
  readonly cause: SettingsCause;
}

export const DEFAULT_TIMEOUT_MS = 8_000;
export const MIN_TIMEOUT_MS = 1_000;
export const MAX_TIMEOUT_MS = 20_000;
const MAX_BASE_URL_CHARACTERS = 2_048;
const MAX_MODEL_CHARACTERS = 200;
const MAX_SEALED_CHARACTERS = 8_192;

const MEMBERS = ["compiler", "provider", "base_url", "model", "timeout_ms", "key"];

/**
 * Total. What is absent has its default; what is wrong has it too, and is named, so that a route can refuse it. A
 * stored `model` whose details are broken stays `model`: it then fails as not configured, and the fallback is in force.
 */
export function readCompilerSettings(value: unknown): {
  readonly settings: CompilerSettings;
  readonly faults: readonly SettingsFault[];
} {
  const faults: SettingsFault[] = [];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject && value !== undefined && value !== null) faults.push({ pointer: "", cause: "wrong-type" });
  const given = new Map<string, unknown>(isObject ? Object.entries(value) : []);
  const fault = (name: string, cause: SettingsCause): null => {
    faults.push({ pointer: `/${name}`, cause });
    return null;
  };
  const text = (name: string, most: number, allowed: RegExp): string | null => {
    const one = given.get(name) ?? null;
    if (one === null) return null;
    if (typeof one !== "string") return fault(name, "wrong-type");
    if (one.length > most) return fault(name, "too-long");
    return allowed.test(one) ? one : fault(name, "unknown-value");
  };
  const choice = <T extends string>(name: string, known: readonly T[]): T | null => {
    const one = given.get(name) ?? null;
    return one === null ? null : (known.find((each) => each === one) ?? fault(name, "unknown-value"));
  };
  const provider = choice("provider", PROVIDERS);
  const facts = PROVIDER_FACTS[provider ?? "openrouter"];
  const baseUrl = text("base_url", MAX_BASE_URL_CHARACTERS, /^https?:\/\/[\x21-\x7e]+$/i);
  const settings: CompilerSettings = {
    compiler: choice("compiler", ["rules", "model"]) ?? "rules",
    provider: provider ?? "openrouter",
    base_url: provider === "workers-ai" ? null : (baseUrl ?? facts.base_url),
    model: text("model", MAX_MODEL_CHARACTERS, /^[\x21-\x7e]+$/) ?? facts.model,
    timeout_ms: timeoutOf(given.get("timeout_ms") ?? null, fault),
    key: text("key", MAX_SEALED_CHARACTERS, /^[\w.-]+$/),
  };
  if (isObject)
    for (const name of given.keys()) if (!MEMBERS.includes(name)) fault(name.slice(0, 40), "unknown-member");
  return { settings, faults };
}

/** {@link readCompilerSettings} for whoever only acts on them. */
export function compilerSettings(value: unknown): CompilerSettings {
  return readCompilerSettings(value).settings;
}

function timeoutOf(value: unknown, fault: (name: string, cause: SettingsCause) => null): number {
  if (value === null) return DEFAULT_TIMEOUT_MS;
  if (typeof value === "number" && value >= MIN_TIMEOUT_MS && value <= MAX_TIMEOUT_MS)
    return Math.floor(value);
  fault("timeout_ms", typeof value === "number" ? "out-of-range" : "wrong-type");
  return DEFAULT_TIMEOUT_MS;
}

/** The settings as an admin is shown them: whether there is a key, never the key, not even sealed. */
export function shownSettings(settings: CompilerSettings): Omit<CompilerSettings, "key"> & {
  readonly key_set: boolean;
} {
  const { key, ...rest } = settings;
  return { ...rest, key_set: key !== null };
}

/**
 * Where a key belongs. Its origin is part of it: whoever may change the address but does not know the key could
 * otherwise have it sent to a server of their own.
 */
export function keyPlace(organization: string, settings: CompilerSettings): Place {
  const url = settings.base_url;
  const origin = url !== null && URL.canParse(url) ? new URL(url).origin : "";
  return { organization, field: `compiler.key ${settings.provider} ${origin}` };
}

/** What can stand in an `authorization` header. */
export function isApiKey(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,4096}$/.test(value);
}
