/**
 * Reads the export of a session's ledger, a line at a time: checks that the chain holds, and gives each entry with the
 * private text that it commits to, where the export carries it. Any bytes in, a report out.
 *
 * A line is `{hash, entry, body}`. Where private text is disclosed, `private` and `salt` stand beside them: the text as
 * it was hashed, and 32 bytes in hex or base64.
 */
import { createHash } from "node:crypto";

/** Private text is at most 1.2 MB, escaped twice; an entry and a body stand beside it. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;
const MAX_ENTRIES = 2_000_000;

const TAG = {
  genesis: "countersign/genesis/v1\n",
  entry: "countersign/entry/v1\n",
  body: "countersign/body/v1\n",
  private: "countersign/private/v1\n",
};

/**
 * @typedef {{seq: number, kind: string, session: string | null, at: number, body: Record<string, unknown>,
 *   private: Record<string, unknown> | null, disclosed: "yes" | "no" | "none" | "false"}} LedgerEntry
 *   `disclosed`: `no` when there is private text that the export does not carry, `none` when there is none, `false` when
 *   what it carries is not what was committed to
 */

export class LedgerReader {
  #line = 0;
  #seq = 0;
  #hash = "";
  #org = null;
  #root = null;
  #broken = null;

  /**
   * @param {string | null} line without its line feed; `null` for one that was too long
   * @returns {LedgerEntry | null} the entry, also behind a break: what is readable is judged, and the break is told
   */
  push(line) {
    this.#line += 1;
    if (line === null || line.length > MAX_LINE_CHARACTERS) return this.#break("the line is too long");
    if (this.#line > MAX_ENTRIES) return this.#break("there are too many entries");
    const stored = object(parsed(line));
    const entry = typeof stored?.entry === "string" ? object(parsed(stored.entry)) : null;
    const body = typeof stored?.body === "string" ? object(parsed(stored.body)) : null;
    if (stored === null || entry === null || body === null) return this.#break("it is not an entry");
    const { seq, kind, session = null, at } = entry;
    const known =
      Number.isSafeInteger(seq) &&
      typeof kind === "string" &&
      (session === null || typeof session === "string") &&
      Number.isSafeInteger(at);
    if (!known) return this.#break("it is not an entry");
    this.#follow(stored, entry);
    const { kept, disclosed } = this.#privateOf(stored, body);
    return { seq, kind, session, at, body, private: kept, disclosed };
  }

  /** @returns {{ok: boolean, entries: number, organization: string | null, root: string | null, broken: {line: number, why: string} | null}} */
  report() {
    if (this.#line === 0) this.#break("the export is empty");
    return {
      ok: this.#broken === null,
      entries: this.#seq,
      organization: this.#org,
      root: this.#root,
      broken: this.#broken,
    };
  }

  #follow(stored, entry) {
    if (this.#broken !== null) return;
    if (hashOf(TAG.entry, stored.entry) !== stored.hash) this.#break("it does not have the hash beside it");
    else if (hashOf(TAG.body, stored.body) !== entry.body_hash)
      this.#break("its body is not the one that it commits to");
    else if (entry.seq !== this.#seq + 1) this.#break(`entry ${this.#seq + 1} was due`);
    else if (this.#seq === 0) {
      this.#org = typeof entry.org === "string" ? entry.org : null;
      this.#root = entry.session ?? null;
      const first = JSON.stringify({ org: this.#org, session: this.#root, v: 1 });
      if (hashOf(TAG.genesis, first) !== entry.prev) this.#break("the chain does not begin here");
    } else if (entry.prev !== this.#hash) this.#break("it does not follow from the entry before it");
    else if (entry.org !== this.#org) this.#break("it belongs to another organization");
    if (this.#broken !== null) return;
    this.#seq = entry.seq;
    this.#hash = stored.hash;
  }

  #privateOf(stored, body) {
    if (typeof body.private !== "string") return { kept: null, disclosed: "none" };
    const { private: text, salt } = stored;
    if (typeof text !== "string" || typeof salt !== "string") return { kept: null, disclosed: "no" };
    const committed = [Buffer.from(salt, "hex"), Buffer.from(salt, "base64")].some(
      (bytes) => bytes.length === 32 && hashOf(TAG.private, bytes, text) === body.private,
    );
    const kept = committed ? object(parsed(text)) : null;
    return kept === null ? { kept: null, disclosed: "false" } : { kept, disclosed: "yes" };
  }

  #break(why) {
    this.#broken ??= { line: Math.max(this.#line, 1), why };
    return null;
  }
}

/**
 * Cuts bytes into lines without ever holding more than one line. What is longer than a line may be is given as `null`.
 * @param {AsyncIterable<Uint8Array>} bytes
 * @returns {AsyncGenerator<string | null>}
 */
export async function* linesOf(bytes, most = MAX_LINE_CHARACTERS) {
  const decoder = new TextDecoder();
  /** @type {string[]} */
  let pieces = [];
  let length = 0;
  const add = (text) => {
    length += text.length;
    // What is too long is counted and dropped.
    if (length > most) pieces = [];
    else pieces.push(text);
  };
  const take = () => {
    const line = length > most ? null : pieces.join("");
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      add(text.slice(start, end));
      start = end + 1;
      yield take();
    }
    add(text.slice(start));
  }
  add(decoder.decode());
  if (length > 0) yield take();
}

function hashOf(tag, ...parts) {
  const digest = createHash("sha256").update(tag);
  for (const part of parts) digest.update(part);
  return digest.digest("hex");
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
