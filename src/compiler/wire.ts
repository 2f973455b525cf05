/**
 * One request to a model's endpoint, and no more of its answer than is needed. The endpoint is not trusted: it may be
 * slow, endless, compressed to burst, or point elsewhere. What it says in a failure is looked at, never passed on.
 */

/** A draft of 64 rows takes a tenth of this. Counted after decompression, while it arrives. */
export const MAX_ANSWER_BYTES = 256 * 1024;
/** Of a refusal only its first words matter. */
const MAX_REFUSAL_BYTES = 16 * 1024;

export type Reply =
  | {
      readonly is: "reply";
      readonly status: number;
      readonly text: string;
      readonly retryAfter: string | null;
    }
  | { readonly is: "fault"; readonly cause: "unreachable" | "redirect" | "too-long" | "not-utf-8" };

/**
 * Posts JSON. Total: whatever goes wrong, and an abort, is a fault. Redirects are not followed: the address was judged,
 * where it points to was not, and the key would go along.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    if (response.redirected || response.status < 200 || (response.status >= 300 && response.status < 400)) {
      abandon(response);
      return { is: "fault", cause: "redirect" };
    }
    const limit = response.ok ? MAX_ANSWER_BYTES : MAX_REFUSAL_BYTES;
    if (response.ok && Number(response.headers.get("content-length") ?? 0) > limit) {
      abandon(response);
      return { is: "fault", cause: "too-long" };
    }
    const { bytes, whole } = await readUpTo(response, limit);
    if (response.ok && !whole) return { is: "fault", cause: "too-long" };
    const text = decoded(bytes, response.ok);
    if (text === null) return { is: "fault", cause: "not-utf-8" };
    return { is: "reply", status: response.status, text, retryAfter: response.headers.get("retry-after") };
  } catch {
    return { is: "fault", cause: "unreachable" };
  }
}

async function readUpTo(
  response: Response,
  limit: number,
): Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let whole = true;
  if (response.body !== null) {
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value.subarray(0, limit - size));
      size += value.byteLength;
      if (size > limit) {
        whole = false;
        // Not awaited: whoever sends without end may not let go either.
        reader.cancel().catch(() => {});
        break;
      }
    }
  }
  const bytes = new Uint8Array(Math.min(size, limit));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return { bytes, whole };
}

function decoded(bytes: Uint8Array, strict: boolean): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: strict, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

function abandon(response: Response): void {
  response.body?.cancel().catch(() => {});
}
