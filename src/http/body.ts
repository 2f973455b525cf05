/**
 * Reads a request's body within a bound: bytes before anything else, then well-formed UTF-8, then strict JSON.
 */
import type { Context, MiddlewareHandler } from "hono";
import { Problem } from "../errors.ts";
import { within } from "../within.ts";
import type { AppEnv } from "./context.ts";
import { type Doubt, readStrictJson } from "./strict-json.ts";

/** Decisions and hooks carry a tool's whole arguments. */
export const DECISION_LIMIT_BYTES = 4 * 1024 * 1024;
export const BODY_LIMIT_BYTES = 1024 * 1024;
/** 4 MiB over a slow phone line; whoever drips slower holds a request open for its own sake. */
const READ_LIMIT_MS = 30_000;

const DETAILS: Readonly<Record<Doubt["cause"], string>> = {
  "duplicate-key": "Name every member once.",
  "inexact-number": "Send numbers that a double holds exactly, or send them as text.",
  "lone-surrogate": "Send well-formed Unicode.",
};

/**
 * The body as text, at most `limit` bytes of it. The stream is abandoned as soon as it is longer.
 * @param lenient bytes that are no UTF-8 become U+FFFD, for a reader that says where its text is broken
 */
export async function boundedText(c: Context<AppEnv>, limit: number, lenient = false): Promise<string> {
  const tooLarge = (): Problem =>
    new Problem("body-too-large", `This path takes at most ${limit} bytes.`, {
      extra: { limit_bytes: limit },
    });
  const length = c.req.header("content-length");
  if (length !== undefined && Number(length) > limit) throw tooLarge();
  // With a length the runtime holds the body to it; without one the body is counted as it comes.
  const reading: Promise<ArrayBuffer | Uint8Array> =
    length === undefined ? countedBytes(c.req.raw, limit, tooLarge) : c.req.raw.arrayBuffer();
  const bytes = await within(READ_LIMIT_MS, reading).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    throw new Problem(
      "body-timeout",
      `The body did not arrive whole within ${READ_LIMIT_MS / 1000} seconds.`,
    );
  });
  if (bytes.byteLength > limit) throw tooLarge();
  try {
    return new TextDecoder("utf-8", { fatal: !lenient, ignoreBOM: lenient }).decode(bytes);
  } catch {
    throw new Problem("malformed-json", "The body must be UTF-8.");
  }
}

async function countedBytes(request: Request, limit: number, tooLarge: () => Problem): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null) {
    const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > limit) {
        await reader.cancel();
        throw tooLarge();
      }
      chunks.push(value);
    }
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * Middleware for routes that take JSON. The strictly read value is what the validators see.
 * @param tolerate JSON pointers below which doubts are left to the handler; everywhere else they are refused
 */
export function jsonBody(limit: number, tolerate: readonly string[] = []): MiddlewareHandler<AppEnv> {
  return async function readJsonBody(c, next) {
    const type = (c.req.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
    if (type !== "application/json")
      throw new Problem("unsupported-media-type", "Send the body as content-type: application/json.");
    const text = await boundedText(c, limit);
    const read = readStrictJson(text);
    if (!read.ok) throw new Problem(read.code, read.detail);
    const tolerated = (doubt: Doubt): boolean =>
      tolerate.some((pointer) => doubt.pointer === pointer || doubt.pointer.startsWith(`${pointer}/`));
    const [first] = read.doubts.filter((doubt) => !tolerated(doubt));
    if (first !== undefined)
      throw new Problem(first.cause, DETAILS[first.cause], {
        errors: [{ pointer: first.pointer, detail: DETAILS[first.cause], code: first.cause }],
      });
    c.set("doubts", read.doubts);
    c.set("bodyText", text);
    // What was scanned is what is validated: a second parse could only cost time.
    c.req.json = async () => read.value as never;
    await next();
  };
}
