/**
 * OpenTimestamps calendars and sources of block headers, over HTTP. Whoever answers is trusted for nothing: an answer is
 * bounded before it is read, redirects are not followed, and what it says is checked by whoever asked. A calendar learns
 * a hash that has random bytes in it, and so nothing of what is stamped.
 */
import { type Reach, readAddress } from "../addresses.ts";
import { hexOf } from "../ledger/index.ts";
import { attestationsOf, parseTimestamp, type Timestamp } from "../ledger/ots/index.ts";

/** For one request, from connecting to the last byte. */
export const ANSWER_TIMEOUT_MS = 5_000;
/** What the reference client reads of a calendar's answer. */
export const MAX_ANSWER_BYTES = 10_000;

const TYPE = "application/vnd.opentimestamps.v1";

export interface Ways {
  readonly fetch: typeof globalThis.fetch;
  readonly reach: Reach;
}

/** Stable words; nothing of what was answered. */
export type Failure =
  | "address-refused"
  | "timeout"
  | "unreachable"
  | "redirect"
  | "too-large"
  | "not-yet"
  | "malformed"
  | "nothing-promised"
  | `status-${number}`;

export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Has a calendar take a message. Total.
 * @param commitment 32 bytes
 * @returns a timestamp of it that holds a promise or more
 */
export async function submit(
  calendar: string,
  commitment: Uint8Array<ArrayBuffer>,
  ways: Ways,
): Promise<Answered<Timestamp>> {
  const answer = await ask(`${calendar}/digest`, ways, commitment);
  return answer.ok ? timestampOf(answer.value, commitment) : answer;
}

/** Asks a calendar what has become of a message that it took; `not-yet` while there is nothing more. Total. */
export async function askAgain(
  calendar: string,
  commitment: Uint8Array,
  ways: Ways,
): Promise<Answered<Timestamp>> {
  const answer = await ask(`${calendar}/timestamp/${hexOf(commitment)}`, ways);
  if (!answer.ok) return answer.failure === "status-404" ? { ok: false, failure: "not-yet" } : answer;
  return timestampOf(answer.value, commitment);
}

/**
 * Asks a source that speaks as Esplora does for the header of a block. Total. The answer is some 160 hex digits of
 * somebody's: whether they are the header of that block is for the proof to show.
 */
export async function askHeader(base: string, height: number, ways: Ways): Promise<Answered<string>> {
  const hash = await askHex(`${base}/block-height/${height}`, 64, ways);
  return hash.ok ? askHex(`${base}/block/${hash.value}/header`, 160, ways) : hash;
}

async function askHex(url: string, digits: number, ways: Ways): Promise<Answered<string>> {
  const answer = await ask(url, ways);
  if (!answer.ok) return answer;
  const text = String.fromCharCode(...answer.value.slice(0, digits + 2)).trim();
  const right = text.length === digits && /^[0-9a-f]+$/i.test(text);
  return right ? { ok: true, value: text.toLowerCase() } : { ok: false, failure: "malformed" };
}

function timestampOf(bytes: Uint8Array, commitment: Uint8Array): Answered<Timestamp> {
  const read = parseTimestamp(bytes, commitment);
  if (!read.ok) return { ok: false, failure: "malformed" };
  // Whatever else it holds leads nowhere.
  const leads = attestationsOf(read.timestamp).some(
    ({ attestation: { kind } }) => kind === "pending" || kind === "bitcoin",
  );
  return leads ? { ok: true, value: read.timestamp } : { ok: false, failure: "nothing-promised" };
}

async function ask(
  url: string,
  { fetch, reach }: Ways,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Answered<Uint8Array>> {
  const no = (failure: Failure): Answered<Uint8Array> => ({ ok: false, failure });
  // Judged again: a proof names addresses too, and the settings were saved under another configuration.
  const address = readAddress(url, reach);
  if (!address.ok) return no("address-refused");
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve("late");
    }, ANSWER_TIMEOUT_MS);
  });
  try {
    const request = fetch(address.url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: TYPE,
        ...(body === undefined ? {} : { "content-type": "application/octet-stream" }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: controller.signal,
    }).catch((): "unreachable" => "unreachable");
    const response = await Promise.race([request, late]);
    if (response === "late" || (response === "unreachable" && controller.signal.aborted))
      return no("timeout");
    if (response === "unreachable") return no("unreachable");
    const { status } = response;
    if (response.redirected || status < 200 || (status >= 300 && status < 400)) {
      release(response);
      return no("redirect");
    }
    if (status !== 200) {
      release(response);
      return no(`status-${status}`);
    }
    const read = await Promise.race([bounded(response), late]);
    if (read === "late") return no("timeout");
    return read === null ? no("too-large") : { ok: true, value: read };
  } catch {
    return no(controller.signal.aborted ? "timeout" : "unreachable");
  } finally {
    clearTimeout(timer);
  }
}

/** The body, or `null` once it is longer than any answer may be: the rest is not waited for. */
async function bounded(response: Response): Promise<Uint8Array | null> {
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const bytes = new Uint8Array(MAX_ANSWER_BYTES);
  let size = 0;
  for (;;) {
    const read = await reader.read();
    if (read.done) return bytes.slice(0, size);
    if (size + read.value.byteLength > MAX_ANSWER_BYTES) {
      reader.cancel().catch(() => {});
      return null;
    }
    bytes.set(read.value, size);
    size += read.value.byteLength;
  }
}

/** Not awaited: whoever sends without end may not let go either. */
function release(response: Response): void {
  response.body?.cancel().catch(() => {});
}
