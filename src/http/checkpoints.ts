/**
 * Makes checkpoints: appends the heads that moved to the organization's log, signs its root, and puts that on record.
 *
 * Crash order: the checkpoint and its leaves stand in D1 in one batch; then its entry stands in the organization's
 * chain. A crash in between leaves a checkpoint without an entry, and the next one begins by making it up. The object
 * remembers the newest checkpoint, so that a database that was set back cannot have a second tree signed under a number
 * that was already given out.
 */
import {
  type CheckpointRow,
  insertCheckpoint,
  type LeafRow,
  readCheckpoint,
  readNodes,
} from "../db/checkpoints.ts";
import { hasMoved, keepDriftRound, organizationsThatMoved, readDriftRound } from "../db/heads.ts";
import {
  append,
  frontierNodes,
  leafHash,
  leafText,
  nextCheckpoint,
  noteDigest,
  parseCheckpoint,
  parseVerifierKey,
  rootOf,
  signNote,
} from "../ledger/index.ts";
import { log } from "../log.ts";
import { raiseAlert } from "./alerts.ts";
import { isOfData } from "./drift-guard.ts";
import { type HeadsToSeal, headsToSeal } from "./log-heads.ts";
import { damaged, lastOnRecord, textOf } from "./log-last.ts";
import { DAY_MS, keysOrFirst, logName, signersOf } from "./signing-keys.ts";

export { textOf } from "./log-last.ts";

/** Leaves of one checkpoint; heads beyond it are the next one's, at once. */
const MAX_LEAVES = 1_000;
/** Checkpoints that one call makes at most. */
const MAX_ROUNDS = 20;
/** Organizations that one run of the cron looks up at once, */
const ORGANIZATIONS_AT_ONCE = 100;
/** and seals side by side: most of it is waiting. */
const SEALED_AT_ONCE = 4;
/** Where the clock keeps its place, among the rounds of the organizations: none of them is called so. */
const CLOCK = "clock";

export interface CheckpointWish {
  /** Of the request, for the name of a log that has none yet; `null` outside one. */
  readonly origin: string | null;
  /** The member who asks; `null` for the cron. */
  readonly actor: string | null;
  /** Make one although nothing has moved, when the last one is older than a day. */
  readonly fresh: boolean;
}

/**
 * Makes as many checkpoints as the heads that moved need, or none.
 * @returns the newest checkpoint, `null` where there is none and nothing to seal, and whether it is new
 * @throws {Problem} `log-damaged` when what stands in D1 is not what was signed; as {@link signersOf} does
 */
export async function makeCheckpoint(
  env: Env,
  organization: string,
  now: number,
  wish: CheckpointWish,
): Promise<{ readonly checkpoint: CheckpointRow | null; readonly made: boolean }> {
  const name = logName(env, organization, wish.origin);
  // Before the heads are read: that the first key was made is one of them.
  const [first] = await keysOrFirst(env, organization, name);
  const origin = first === undefined ? name : (parseVerifierKey(first.vkey)?.name ?? name);
  let own: number | null = null;
  for (let round = 0; ; round += 1) {
    const last = await lastOnRecord(env, organization, own, wish.actor);
    const made = own !== null;
    const moved = await hasMoved(env.DB, organization);
    if (!(moved || (!made && isOld(last, now) && wish.fresh)) || round === MAX_ROUNDS)
      return { checkpoint: last, made };
    const { heads, news, wrong, unasked } = await headsToSeal(env, organization, MAX_LEAVES);
    if (moved && !news) {
      // Nothing that has moved can be sealed: what could be is, and is answered.
      if (made) return { checkpoint: last, made };
      if (wrong > 0) throw damaged();
      if (unasked !== null) throw unasked;
      continue;
    }
    const least = first?.valid_from ?? 0;
    const next = await nextOf(env, organization, origin, last, heads, Math.max(now, least));
    const { number, tree_size } = next.checkpoint;
    if (await insertCheckpoint(env.DB, organization, next.checkpoint, next.leaves, next.nodes)) own = number;
    else if ((await readCheckpoint(env.DB, organization, number)) === null) {
      // Nobody was quicker: something stands where only this one's leaves and nodes can.
      const at = tree_size - next.leaves.length;
      await raiseAlert(env, organization, { code: "altered-log", place: "log", chain: null, seq: at });
      throw damaged();
    }
  }
}

/**
 * Checkpoints for every organization in which something has happened, for so long. The next run goes on where this one
 * ended, so that each has its turn, however many they are and however long one takes.
 * @returns how many organizations have a new one
 */
export async function makeCheckpoints(env: Env, now: number, until: number): Promise<number> {
  const { cursor } = await readDriftRound(env.DB, CLOCK);
  const from = typeof cursor === "string" ? cursor : "";
  let count = 0;
  for (const [after, end] of [
    [from, null],
    ["", from],
  ] as const) {
    for (let last = after; ; ) {
      const listed = await organizationsThatMoved(env.DB, last, ORGANIZATIONS_AT_ONCE);
      const page = listed.filter((organization) => end === null || organization <= end);
      for (let at = 0; at < page.length; at += SEALED_AT_ONCE) {
        if (Date.now() >= until) return count;
        const some = page.slice(at, at + SEALED_AT_ONCE);
        // Before they are sealed: a run that is killed at one of them is not killed there again by the next.
        const place = { leaf_index: 0, checkpoint: 1, ran_at: now, cursor: some.at(-1) ?? "" };
        await keepDriftRound(env.DB, CLOCK, place);
        const made = await Promise.all(some.map((organization) => sealByClock(env, organization, now)));
        count += made.filter(Boolean).length;
      }
      if (page.length < ORGANIZATIONS_AT_ONCE) break;
      last = page.at(-1) ?? last;
    }
  }
  return count;
}

async function sealByClock(env: Env, organization: string, now: number): Promise<boolean> {
  try {
    return (await makeCheckpoint(env, organization, now, { origin: null, actor: null, fresh: false })).made;
  } catch (error) {
    // One that cannot be sealed must not keep the others from it.
    log.error("checkpoint-failed", error, { organization });
    if (isOfData(error))
      await raiseAlert(env, organization, { code: "unreadable", place: "log", chain: null, seq: 0 });
    return false;
  }
}

function isOld(last: CheckpointRow | null, now: number): boolean {
  return last === null || now - last.at >= DAY_MS;
}

async function nextOf(
  env: Env,
  organization: string,
  origin: string,
  last: CheckpointRow | null,
  heads: HeadsToSeal["heads"],
  now: number,
) {
  const size = last?.tree_size ?? 0;
  const addresses = frontierNodes(size);
  const stored = await readNodes(env.DB, organization, addresses);
  const frontier = addresses.map(({ level, index }) => stored.get(`${level}/${index}`) ?? "");
  if (frontier.includes("") || (last !== null && rootOf(frontier) !== last.root)) {
    await raiseAlert(env, organization, { code: "altered-log", place: "log", chain: null, seq: size });
    throw damaged();
  }
  const leaves = heads.map(({ chain, seq, hash, at }, i): LeafRow => {
    return { leaf_index: size + i, chain, seq, data: leafText({ org: organization, chain, seq, hash, at }) };
  });
  const hashes = leaves.map(({ data }) => leafHash(data));
  const grown = append(size, frontier, hashes);
  const text = nextCheckpoint({
    origin,
    size: grown.size,
    root: grown.root,
    now,
    newest: heads.reduce((newest, { at }) => Math.max(newest, at), 0),
    previous: last === null ? null : { text: textOf(last), at: last.at },
  });
  const at = parseCheckpoint(text)?.at ?? now;
  // After its time is known: a key signs within its own alone.
  const signers = await signersOf(env, organization, origin, at);
  const checkpoint = {
    number: (last?.number ?? 0) + 1,
    tree_size: grown.size,
    root: grown.root,
    note: signNote(text, signers),
    at,
    prev: last === null ? null : noteDigest(textOf(last)),
  };
  return { checkpoint, leaves, nodes: grown.nodes };
}
