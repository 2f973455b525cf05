/** The ledger of a session over HTTP, or an export that was saved. The credential comes from a variable and goes to one origin. */
import { createReadStream } from "node:fs";
import { Complaint } from "../say.mjs";
import { LedgerReader, linesOf } from "./ledger.mjs";

const WAIT_MS = 120_000;
/** A session of a year stays far below; what is longer is not the export of one. */
const MAX_EXPORT_BYTES = 4 * 1024 * 1024 * 1024;
const MAX_PROBLEM_BYTES = 64 * 1024;
/** Decisions that are looked through for the conversations of a run, a hundred a page. */
const MAX_PAGES = 100;
/** Search follows the record by a few seconds; on a busy machine by more. */
const SETTLED_MS = 15_000;
const AGAIN_MS = 1_000;
/** The clock of the server may go otherwise than this one. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/** @param {Record<string, string | undefined>} environment @returns {Record<string, string>} the header that proves who asks */
export function credentialOf(environment) {
  const cookie = environment.COUNTERSIGN_COOKIE ?? "";
  const key = environment.COUNTERSIGN_KEY ?? "";
  if (cookie === "" && key === "")
    throw new Complaint(
      "Set COUNTERSIGN_KEY to the agent's key, or COUNTERSIGN_COOKIE to the cookie of a signed-in member. Neither belongs on a command line.",
    );
  const [name, value] = cookie === "" ? ["authorization", `Bearer ${key}`] : ["cookie", memberCookie(cookie)];
  if (/[^\x20-\x7e]/.test(value)) throw new Complaint("The credential holds characters that none has.");
  return { [name]: value };
}

/** @param {string} text @returns {string} an origin that a credential may be sent to */
export function originOf(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new Complaint(`"${text}" is not an origin. For example: --origin http://localhost:8787`);
  }
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
    throw new Complaint(
      `A credential is sent over https only, or to this machine. ${url.origin} is neither.`,
    );
  return url.origin;
}

/**
 * The conversations with decisions since then, the latest last: those of the run are among them. Waits until the last of them
 * are old enough for search to know them all.
 * @param {string} origin
 * @param {number} since in milliseconds
 * @param {Record<string, string>} headers
 * @param {{waits?: () => void, settledMs?: number}} [options] `waits` is told once when it has to wait
 * @returns {Promise<string[]>}
 */
export async function sessionsSince(
  origin,
  since,
  headers,
  { waits = () => {}, settledMs = SETTLED_MS } = {},
) {
  const began = Date.now();
  for (let told = false; ; told = true) {
    const { sessions, newest, now } = await listed(origin, since - CLOCKS_DIFFER_MS, headers);
    const settled = sessions.length > 0 ? now - newest : Date.now() - began;
    if (settled >= settledMs) return sessions;
    if (!told) waits();
    await new Promise((later) => setTimeout(later, AGAIN_MS));
  }
}

/** @returns {Promise<{sessions: string[], newest: number, now: number}>} both times by the server's clock */
async function listed(origin, since, headers) {
  const found = new Set();
  let [newest, now] = [0, Date.now()];
  let cursor = "";
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await ask(`${origin}/v1/decisions?limit=100${cursor}`, headers);
    if (!response.ok) throw new Complaint(await whyNot(response, ""));
    now = Date.parse(response.headers.get("date") ?? "") || Date.now();
    const { decisions = [], next_cursor = null } = await response.json().catch(() => ({}));
    for (const { session, at } of decisions) {
      newest = Math.max(newest, at);
      if (typeof session === "string" && at >= since) found.add(session);
    }
    if (next_cursor === null || decisions.some(({ at }) => at < since)) break;
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return { sessions: [...found].reverse(), newest, now };
}

/**
 * @param {(entry: import("./ledger.mjs").LedgerEntry) => void} take
 * @returns {Promise<ReturnType<LedgerReader["report"]>>}
 */
export async function downloadLedger(origin, session, headers, take) {
  const response = await ask(
    `${origin}/v1/sessions/${encodeURIComponent(session)}/ledger?disclose=private`,
    headers,
  );
  if (!response.ok) throw new Complaint(await whyNot(response, session));
  try {
    return await readLedger(response.body ?? [], take);
  } catch {
    throw new Complaint(`The ledger of ${session} did not arrive whole. Try again.`);
  }
}

async function ask(url, headers) {
  try {
    return await fetch(url, {
      headers,
      // A redirection would take the credential elsewhere.
      redirect: "manual",
      signal: AbortSignal.timeout(WAIT_MS),
    });
  } catch {
    throw new Complaint(`${new URL(url).origin} does not answer. Is Countersign running there?`);
  }
}

export async function readLedgerFile(path, take) {
  try {
    return await readLedger(createReadStream(path), take);
  } catch (error) {
    throw new Complaint(`${path} cannot be read (${error.code ?? "error"}).`);
  }
}

/**
 * @param {AsyncIterable<Uint8Array>} bytes
 * @param {(entry: import("./ledger.mjs").LedgerEntry) => void} take
 */
export async function readLedger(bytes, take) {
  const reader = new LedgerReader();
  for await (const line of linesOf(bounded(bytes))) {
    const entry = reader.push(line);
    if (entry !== null) take(entry);
  }
  return reader.report();
}

async function* bounded(bytes) {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_EXPORT_BYTES) return;
    yield chunk;
  }
}

async function whyNot(response, session) {
  let detail = "";
  try {
    const text = (await response.text()).slice(0, MAX_PROBLEM_BYTES);
    detail = JSON.parse(text).detail ?? "";
  } catch {
    // Not a problem document of ours.
  }
  if (response.status === 404)
    return `There is no session "${session}" that this credential may read. Its id is the harness's own.`;
  return `The record was refused: ${response.status} ${String(detail).slice(0, 200)}`;
}

function memberCookie(text) {
  return text.includes("=") ? text : `__Host-countersign=${text}`;
}
