/** Lines of JSON: a chain as it is exported, one entry a line, and the walk along it. */
import {
  attempt,
  chainOf,
  isFirstOf,
  isHash,
  isObject,
  joined,
  json,
  no,
  readStored,
  text8,
} from "./hashed.mjs";
import { CLAIMS } from "./words.mjs";

export const FIRST_LINE = { line: 1, seq: 1, byte: 0 };
const MAX_LINE_BYTES = 33_554_432;
/** Lines are hashed while others are read: so many, or so many bytes of them. */
const AHEAD = 64;
const AHEAD_BYTES = 4_194_304;

/** The lines of a stream of bytes, and the byte that each begins at. One past the bound is the last, and no UTF-8. */
async function* linesOf(chunks) {
  let at = 0;
  let rest = [];
  let size = 0;
  const line = () => {
    const whole = { bytes: rest.length === 1 ? rest[0] : joined(...rest), byte: at };
    [at, rest, size] = [at + size + 1, [], 0];
    return whole;
  };
  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(10, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      rest.push(part);
      size += part.length;
      if (size > MAX_LINE_BYTES) return yield { bytes: Uint8Array.of(255), byte: at };
      if (end !== -1) yield line();
      start += part.length + (end === -1 ? 0 : 1);
    }
  }
  if (size > 0) yield line();
}

/**
 * Judges lines ahead, and takes them in order.
 * @param {any} chunks @param {(bytes: Uint8Array) => Promise<any>} judge
 * @param {(judged: any, at: { line: number, byte: number, size: number }) => any} take
 */
export async function inOrder(chunks, judge, take) {
  let [line, held] = [0, 0];
  const ahead = [];
  const next = async () => {
    const { judged, byte, size } = ahead.shift();
    line += 1;
    held -= size;
    await take(await judged, { line, byte, size });
  };
  for await (const { bytes, byte } of linesOf(chunks)) {
    ahead.push({ judged: judge(bytes), byte, size: bytes.length });
    held += bytes.length;
    while (ahead.length > AHEAD || held > AHEAD_BYTES) await next();
  }
  while (ahead.length > 0) await next();
  return line;
}

/** Runs a check of a line, which knows its place. */
export const placed = async (where, unreadable, check) => {
  try {
    return await check();
  } catch (error) {
    throw error.code === undefined ? error : Object.assign(error, { where, unreadable: unreadable(error) });
  }
};

function readLine(bytes) {
  const text = text8(bytes);
  const value = text === undefined ? null : json(text);
  if (!isObject(value)) return null;
  const { hash, entry, body, salt, private: told } = value;
  if (!isHash(hash) || typeof entry !== "string" || typeof body !== "string") return null;
  const disclosed = typeof told === "string" && isHash(salt) ? { private: told, salt } : null;
  return attempt(() => JSON.stringify({ hash, entry, body, ...disclosed })) === text
    ? { stored: { hash, entry, body }, disclosed }
    : null;
}

/** What can be said of a line by itself: its entry, or what is wrong. */
export async function judgeEntry(bytes) {
  try {
    const { stored, disclosed } = readLine(bytes) ?? no("malformed-line");
    return { hash: stored.hash, entry: await readStored(stored, disclosed, () => ({})) };
  } catch (error) {
    return { error };
  }
}

/**
 * Walks along a chain.
 * @param {(identity: { org: string, chain: string }) => any} headsOf the sealed heads of a chain
 * @param {number} after entries that are not here: of a chain that is gone on with, the first one shows nothing itself
 */
export function chainWalk(headsOf, after = 0) {
  const own = new Map();
  const walk = { seq: after, head: "", at: 0, first: null, chain: "", last: 0 };
  const begin = async (entry) => {
    if (after === 0 && !(await isFirstOf(entry))) no("genesis");
    walk.first = entry;
    walk.chain = chainOf(entry);
    for (const one of headsOf({ org: entry.org, chain: walk.chain })) {
      if (one.seq <= after) continue;
      own.set(one.seq, (own.get(one.seq) ?? new Set()).add(one.hash));
      walk.last = Math.max(walk.last, one.seq);
    }
  };
  return Object.assign(walk, {
    follow: async ({ error, entry, hash }) => {
      if (error !== undefined) throw error;
      if (entry.seq !== walk.seq + 1) no("sequence");
      if (walk.first === null) await begin(entry);
      else {
        if (entry.prev !== walk.head) no("previous-hash");
        if (entry.org !== walk.first.org) no("organization");
        if (entry.at < walk.at) no("time");
      }
      for (const one of own.get(entry.seq) ?? []) if (one !== hash) no("forked");
      [walk.seq, walk.head, walk.at] = [entry.seq, hash, entry.at];
    },
  });
}

export async function checkExport(chunks, { heads, notes, sure = false }, say) {
  let end = 0;
  const walk = chainWalk(({ org, chain }) => heads.filter((one) => one.org === org && one.chain === chain));
  const lines = await inOrder(chunks, judgeEntry, async (judged, { line, byte, size }) => {
    end = byte + size;
    const where = { line, seq: walk.seq + 1, byte };
    await placed(
      where,
      (error) => !sure && line === 1 && error.code === "malformed-line",
      () => walk.follow(judged),
    );
    notes.entry({ org: walk.first.org, chain: walk.chain, seq: walk.seq, hash: walk.head }, where);
  });
  if (lines === 0) no("malformed-line", FIRST_LINE, true);
  const { seq, head, first, chain, last } = walk;
  if (seq < last) no("truncated", { line: lines + 1, seq: seq + 1, byte: end });
  say("ok", `${seq} entries of ${chain} of ${first.org} follow one another; the head is ${head}`);
  if (last > 0) say("ok", `every sealed head stands in it, the last at entry ${last}`);
  else say("note", CLAIMS.unsealed);
  say("note", last > 0 ? CLAIMS.sealed : CLAIMS.chain);
  return [];
}
