/** Arguments of tool calls, whatever a model sends: looked at without trusting their types. */
import type { JsonObject, JsonValue } from "../types.ts";

/** The first of these arguments that is a text. */
export function firstText(args: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) if (Object.hasOwn(args, key) && typeof args[key] === "string") return args[key];
  return null;
}

/** There, and no text. */
export const isWrongType = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && typeof value !== "string";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `null` when the text is no JSON. */
export function parsed(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
