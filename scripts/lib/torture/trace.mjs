/**
 * Reads what strace wrote (`-f -yy`): what came over one connection, what was written to databases of objects and what of
 * it was synced, in the order in which the kernel was done with it.
 */

/** Databases of Durable Objects of ours, as Miniflare lays them out. */
const OBJECT_FILE = /SessionObject\/[^>]*\.sqlite(?:-wal|-journal)?$/;
const READS = new Set(["read", "readv", "recvfrom", "recvmsg"]);
const SENDS = new Set(["write", "writev", "sendto", "sendmsg"]);
const WRITES = new Set(["pwrite64", "pwritev"]);
const SYNCS = new Set(["fsync", "fdatasync"]);

/** @typedef {{kind: "write" | "sync", file: string}} Event */

export class Trace {
  #port;
  /** Calls that another thread's came between, by thread. */
  #unfinished = new Map();
  /** By connection: its exchanges that are answered, and the one that is not. */
  #connections = new Map();

  /** @param {number} port that the Worker listens on */
  constructor(port) {
    this.#port = port;
  }

  /**
   * The exchanges of the connection that had most of them.
   * @returns {Event[][]} for each, what happened between request and answer
   */
  longest() {
    const all = [...this.#connections.values()].map(({ answered }) => answered);
    return all.reduce((most, one) => (one.length > most.length ? one : most), []);
  }

  /** @param {string} line `PID TIME call(arguments) = result`, or a part of it */
  take(line) {
    const [, thread, rest] = /^(\d+)\s+[\d.]+\s+(.*)$/.exec(line) ?? [];
    if (rest === undefined) return;
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest);
    if (resumed !== null) {
      const begun = this.#unfinished.get(thread);
      this.#unfinished.delete(thread);
      if (begun !== undefined) this.#done(begun.text + resumed[2], begun.told);
      return;
    }
    if (rest.endsWith("<unfinished ...>")) {
      const text = rest.slice(0, -"<unfinished ...>".length);
      // What leaves may have left as soon as the call begins.
      const told = this.#began(text);
      this.#unfinished.set(thread, { text, told });
      return;
    }
    this.#began(rest);
    this.#done(rest, true);
  }

  /** A send counts from its beginning. @returns whether it was one */
  #began(text) {
    const call = readCall(text);
    if (call === null || !SENDS.has(call.name)) return false;
    const connection = this.#connectionOf(call.file);
    if (connection === null || !/"HTTP\/1\.1 2\d\d/.test(call.rest) || connection.events === null)
      return true;
    connection.answered.push(connection.events);
    connection.events = null;
    return true;
  }

  /** Everything else counts from its end. */
  #done(text, sendIsTold) {
    const call = readCall(text);
    if (call === null) return;
    const { name, file, rest } = call;
    if (SENDS.has(name)) {
      if (!sendIsTold) this.#began(text);
      return;
    }
    const result = Number(/= (-?\d+)[^=]*$/.exec(rest)?.[1] ?? -1);
    if (READS.has(name)) {
      const connection = result > 0 ? this.#connectionOf(file) : null;
      if (connection !== null && /"(?:POST|PUT) \//.test(rest)) connection.events = [];
    } else if (OBJECT_FILE.test(file)) {
      if (WRITES.has(name)) this.#tell({ kind: "write", file });
      else if (SYNCS.has(name) && result === 0) this.#tell({ kind: "sync", file });
    }
  }

  #tell(event) {
    for (const { events } of this.#connections.values()) events?.push(event);
  }

  #connectionOf(file) {
    const [, peer] =
      new RegExp(`^TCP:\\[127\\.0\\.0\\.1:${this.#port}->127\\.0\\.0\\.1:(\\d+)\\]$`).exec(file) ?? [];
    if (peer === undefined) return null;
    const known = this.#connections.get(peer) ?? { answered: [], events: null };
    this.#connections.set(peer, known);
    return known;
  }
}

/**
 * Whether an answer waited for the disk. `between`: something of it was written and synced, and then something else was
 * begun, as an alarm's own work may be; what that was the trace does not tell.
 * @param {Event[]} events between a request and its answer
 * @returns {{verdict: "held" | "between" | "not", why: string | null}}
 */
export function judge(events) {
  const unsynced = new Set();
  let wrote = false;
  let synced = false;
  for (const { kind, file } of events) {
    if (kind === "sync") synced = unsynced.delete(file) || synced;
    else {
      unsynced.add(file);
      wrote = true;
    }
  }
  if (!wrote) return { verdict: "not", why: "nothing was written for it" };
  const [file] = unsynced;
  if (file === undefined) return { verdict: "held", why: null };
  const why = `${file.split("/").at(-1)} was written and not synced before it left`;
  return { verdict: synced ? "between" : "not", why };
}

/** A call on a descriptor whose file or connection strace has named. */
function readCall(text) {
  const [, name, file, rest] = /^(\w+)\(\d+<(.*?)>(?=[,)\s]|$)(.*)$/.exec(text) ?? [];
  return name === undefined ? null : { name, file, rest };
}
