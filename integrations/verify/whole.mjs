/**
 * Everything that an organization has (`POST /v1/export`): of its lines, those that prove something. Every chain in it is
 * walked, its checkpoints are checked as a file of them is, and each chain is held against the heads that they seal.
 */
import { isCount, isObject, json, no, readLeaf, sha256, text8, utf8 } from "./hashed.mjs";
import { chainWalk, FIRST_LINE, inOrder, judgeEntry, placed } from "./lines.mjs";
import { grow, keyOf, readCheckpoint, readNote, rootOf, signersOf, witnessesOf } from "./signed.mjs";
import { CLAIMS } from "./words.mjs";

const ENTRY = utf8('{"hash":"');
const MAX_CHECKPOINTS = 100_000;
const MAX_SIGNATURES = 200_000;
const MAX_LEAVES = 1_000_000;
const VERSION = "This is an export of a version that is not known here.";
const LINE = "This is no line of an export of everything.";
const PART = "It goes on after a mark of another file, or before its end: what is not in it was not checked.";

const judgeLine = async (bytes) => {
  if (ENTRY.every((byte, i) => bytes[i] === byte)) return { judged: await judgeEntry(bytes) };
  const text = text8(bytes);
  const row = text === undefined ? null : json(text);
  return { row: isObject(row) && typeof row.kind === "string" ? row : null };
};

export async function checkWhole(chunks, { keys: trusted, heads: given, notes }, say) {
  let [organization, isPart, isOver, entries, unsealed] = [null, false, false, 0, 0];
  /** The chain that is walked, as its own line announces it. */
  let open = null;
  const [own, checkpoints, edge, sealed, walked] = [[], [], [], new Map(), new Set()];
  let [leaves, rooted, signatures, passed] = [0, 0, 0, 0];

  // Once: there may be a million of them, and as many chains.
  const others = new Map();
  for (const one of given) {
    const name = `${one.org}\n${one.chain}`;
    if (!others.has(name)) others.set(name, []);
    others.get(name).push(one);
  }
  const headsOf = ({ org, chain }) => [
    ...(sealed.get(chain) ?? []),
    ...(others.get(`${org}\n${chain}`) ?? []),
  ];
  const close = () => {
    if (open === null) return;
    if (open.walk.seq < (open.walk.last || (sealed.get(open.chain)?.at(-1)?.seq ?? 0))) no("truncated");
    if (open.walk.last === 0) unsealed += 1;
    walked.add(open.chain);
    open = null;
  };
  const rows = {
    signing_key: async ({ vkey, valid_from: from, valid_until: until }) => {
      own.push(await keyOf({ vkey, from, until }, ""));
    },
    checkpoint: async ({ note: text, number }) => {
      if (typeof text !== "string" || checkpoints.length === MAX_CHECKPOINTS) no("malformed-note");
      const note = readNote(text, "");
      signatures += note.signatures.length;
      if (signatures > MAX_SIGNATURES) no("malformed-note");
      const next = readCheckpoint(note.text, "");
      const before = checkpoints.at(-1);
      const keys = trusted.length === 0 ? own : trusted;
      // A part that goes on after a mark need not hold the keys.
      if (keys.length > 0 || !isPart) witnessesOf(await signersOf(note, keys, ""), next, "");
      if (!next.origin.endsWith(`/${organization}`)) no("origin");
      if (before === undefined ? !isPart && next.prev !== "-" : next.prev !== before.digest)
        no("previous-checkpoint");
      if (next.size < (before?.size ?? 0)) no("tree-size");
      if (next.at < (before?.at ?? 0)) no("time");
      if (next.size === before?.size && next.root !== before.root) no("root");
      checkpoints.push({ ...next, number, digest: await sha256(note.text) });
    },
    leaf: async ({ leaf_index: index, data }) => {
      const leaf = readLeaf(data);
      if (!isPart && index !== leaves + passed) no("tree-size");
      // What came while the export was written has no checkpoint in it, and a part has not the whole tree.
      if (isPart || leaves >= (checkpoints.at(-1)?.size ?? 0)) {
        passed += 1;
        return;
      }
      if (leaf?.org !== organization || leaves === MAX_LEAVES) no("malformed-leaf");
      const chain = sealed.get(leaf.chain) ?? [];
      if (leaf.seq <= (chain.at(-1)?.seq ?? 0)) no("leaf");
      if (leaf.at < (chain.at(-1)?.at ?? leaf.at)) no("time");
      chain.push(leaf);
      sealed.set(leaf.chain, chain);
      await reachRoots();
      await grow(edge, data);
      leaves += 1;
      if (leaf.at > (checkpoints[rooted]?.at ?? leaf.at)) no("time");
    },
    chain: async ({ chain, after }) => {
      if (typeof chain !== "string" || !isCount(after) || walked.has(chain)) no("chain");
      if (after > 0) isPart = true;
      open = { chain, walk: chainWalk(headsOf, after) };
    },
    end: async () => {
      isOver = true;
    },
  };
  /** The checkpoints over as many leaves as there are so far. */
  const reachRoots = async () => {
    for (; checkpoints[rooted]?.size === leaves; rooted += 1)
      if ((await rootOf(edge)) !== checkpoints[rooted].root) no("root");
  };

  const take = async ({ judged, row }, line) => {
    if (organization === null) {
      if (row?.kind !== "manifest" || typeof row.organization !== "string")
        no("malformed-line", {}, false, LINE);
      if (row.countersign_export !== 1) no("unknown-version", {}, true, VERSION);
      organization = row.organization;
      isPart = row.goes_on_after !== null;
      return;
    }
    if (isOver || (row === null && judged === undefined)) no("malformed-line", {}, false, LINE);
    if (judged !== undefined) {
      if (open === null) no("malformed-line", {}, false, LINE);
      await open.walk.follow(judged);
      if (open.walk.first.org !== organization) no("organization");
      if (open.walk.chain !== open.chain && open.walk.first.seq === 1) no("chain");
      notes.entry({ org: organization, chain: open.chain, seq: open.walk.seq, hash: open.walk.head }, line);
      entries += 1;
      return;
    }
    if (row.kind === "chain" || row.kind === "end") {
      close();
      if (!isPart) await wholeLog();
    }
    await (Object.hasOwn(rows, row.kind) ? rows[row.kind](row) : null);
  };
  /** Once: before the first chain, every leaf is there. */
  const wholeLog = async () => {
    await reachRoots();
    if (rooted < checkpoints.length) no("tree-size");
  };

  let end = FIRST_LINE;
  const count = await inOrder(chunks, judgeLine, async (judged, { line, byte, size }) => {
    const where = { line, seq: open === null ? undefined : open.walk.seq + 1, byte };
    end = { line: line + 1, seq: undefined, byte: byte + size };
    await placed(
      where,
      (error) => error.unreadable === true || (line === 1 && error.code === "malformed-line"),
      () => take(judged, where),
    );
  });
  if (count === 0) no("malformed-line", FIRST_LINE, true, LINE);
  await placed(
    end,
    () => false,
    async () => {
      close();
      const missing = [...sealed.keys()].find((chain) => !walked.has(chain));
      if (isOver && !isPart && missing !== undefined) no("truncated");
    },
  );
  const isSigned = trusted.length > 0 || own.length > 0;
  say("ok", `an export of ${organization}: ${entries} entries of ${walked.size} chains follow one another`);
  if (checkpoints.length > 0)
    say(
      "ok",
      `${checkpoints.length} checkpoints follow from one another${isSigned ? " and are signed" : ""}`,
    );
  if (leaves > 0)
    say("ok", `${leaves} leaves give every checkpoint's root; every head that they seal stands in its chain`);
  if (passed > 0) say("note", `${passed} leaves that no checkpoint in it holds were passed over`);
  if (unsealed === walked.size) say("note", CLAIMS.unsealed);
  else if (unsealed > 0)
    say(
      "note",
      `no sealed head is at hand of ${unsealed} of the chains: cut off, or made anew, they would hold as well`,
    );
  say("note", "What else stands in it, such as members and settings, is said and not checked.");
  if (isPart || !isOver) say("pending", PART);
  if (checkpoints.length > 0 && trusted.length === 0) say("pending", CLAIMS.keys);
  for (const sentence of checkpoints.length > 0 ? CLAIMS.checkpoints : []) say("note", sentence);
  say("note", walked.size > unsealed ? CLAIMS.sealed : CLAIMS.chain);
  return [];
}
