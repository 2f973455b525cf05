/** Tools that send whatever HTTP request they are given: what they do is in their arguments. */
import type { JsonObject, JsonValue } from "../../types.ts";
import { valuesAt } from "./arguments.ts";

/** Tools that send whatever request they are given. */
const CALLS = /^(?:https?|requests?|fetch|rest|curl|api|url|web|client|call|make|send|do|get)$/;

/** `http_request`, by the words of its name. */
export const sendsRequests = (words: readonly string[]): boolean =>
  words.some((word) => /^https?$/.test(word));

/** By its method, and by carrying no body. */
function looksOnly(args: JsonObject): boolean {
  const methods = valuesAt(args, "method http_method httpMethod verb request_method");
  const bodies = valuesAt(
    args,
    "body data json payload form files file content params_body form_data multipart",
  );
  const isGiven = (value: JsonValue): boolean =>
    value !== null && value !== "" && !(typeof value === "object" && Object.keys(value).length === 0);
  return (
    methods.length > 0 &&
    methods.every(({ value }) => typeof value === "string" && /^(?:get|head|options)$/i.test(value.trim())) &&
    !bodies.some(({ value }) => isGiven(value))
  );
}

/** A request tool that is told to look, and given nothing to carry. */
export const isPlainLook = (words: readonly string[], args: JsonObject): boolean =>
  words.every((word) => CALLS.test(word)) && looksOnly(args);
