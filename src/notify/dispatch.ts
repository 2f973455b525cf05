/**
 * One request to a receiver that nobody trusts: it may be slow, endless, or point elsewhere. Only its status counts; what
 * it says is read a little, so that it is not cut off in mid-sentence, and is told to nobody.
 */
import { type Reach, readAddress } from "../addresses.ts";

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export type Sent =
  | { readonly sent: true }
  | {
      readonly sent: false;
      /** A stable word: `timeout`, `unreachable`, `redirect`, `status-500`, `gone`, … Nothing of what was answered. */
      readonly failure: string;
      /** Whether the same may be tried again. */
      readonly retry: boolean;
      /** What the receiver wants to be left alone for, milliseconds. */
      readonly wait?: number;
    };

export interface Ways {
  readonly fetch: typeof globalThis.fetch;
  readonly reach: Reach;
}

/** For everything together: connecting, sending, and the first of the answer. */
export const SEND_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 4 * 1024;
/** What a receiver does after its status is its own affair. */
const DRAIN_MS = 500;
const MAX_WAIT_SECONDS = 3_600;

export function failed(failure: string, retry: boolean, wait?: number): Sent {
  return { sent: false, failure, retry, ...(wait === undefined ? {} : { wait }) };
}

/**
 * Posts. Total: whatever goes wrong is a failure with a name. A redirect is one: the address was judged, where it points
 * to was not, and the link would go along.
 * @param isFinal statuses that say that trying again is of no use, besides `gone` (410)
 */
export async function dispatch(
  { url, headers, body }: Outgoing,
  { fetch, reach }: Ways,
  isFinal: (status: number) => boolean = () => false,
): Promise<Sent> {
  // Judged again: the address was saved under another configuration, or another release.
  const address = readAddress(url, reach, "whole");
  if (!address.ok) return failed("address-refused", false);
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve("late");
    }, SEND_TIMEOUT_MS);
  });
  try {
    const request = fetch(address.url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: controller.signal,
    }).catch((): "unreachable" => "unreachable");
    const response = await Promise.race([request, late]);
    // An abort reaches the request first, and would read as a receiver that cannot be reached.
    if (response === "late" || (response === "unreachable" && controller.signal.aborted))
      return failed("timeout", true);
    if (response === "unreachable") return failed("unreachable", true);
    const text = await firstOf(response);
    return judged(response, isFinal, text);
  } catch {
    return failed("unreachable", true);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What Cloudflare answers in the place of a receiver that it cannot reach. A receiver that says so itself is behind it,
 * and means the same.
 */
const EDGE_FAILURES: Readonly<Record<number, string>> = {
  521: "unreachable",
  522: "timeout",
  523: "unreachable",
  524: "timeout",
  525: "tls-failed",
  526: "tls-failed",
};
/** Its error for a name that DNS does not know; others share the status. */
const NO_SUCH_NAME = /\b1016\b/;

function judged(response: Response, isFinal: (status: number) => boolean, text: string): Sent {
  const { status } = response;
  if (response.redirected || status < 200 || (status >= 300 && status < 400)) return failed("redirect", true);
  if (response.ok) return { sent: true };
  if (status === 410) return failed("gone", false);
  if (status === 530 && NO_SUCH_NAME.test(text)) return failed("name-not-found", true);
  const edge = EDGE_FAILURES[status];
  if (edge !== undefined) return failed(edge, true);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const wait = seconds > 0 ? Math.min(seconds, MAX_WAIT_SECONDS) * 1000 : undefined;
  return failed(`status-${status}`, !isFinal(status), wait);
}

/** For services that say what is wrong: what they refuse today they refuse in a minute, too. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
}

/** The beginning of what it says, so that it is not cut off in mid-sentence. Total. */
async function firstOf(response: Response): Promise<string> {
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (body === null) return "";
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DRAIN_MS);
  });
  const decoder = new TextDecoder();
  let text = "";
  try {
    let size = 0;
    while (size < MAX_ANSWER_BYTES) {
      const read = await Promise.race([reader.read(), enough]);
      if (read === null || read.done) break;
      size += read.value.byteLength;
      text += decoder.decode(read.value.subarray(0, MAX_ANSWER_BYTES), { stream: true });
    }
  } catch {
    // It hung up; its status was heard.
  } finally {
    clearTimeout(timer);
    // Not awaited: whoever sends without end may not let go either.
    reader.cancel().catch(() => {});
  }
  return text;
}
