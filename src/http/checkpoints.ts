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
import { hasMoved, organizationsThatMoved } from "../db/heads.ts";
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
import { type HeadsToSeal, headsToSeal } from "./log-heads.ts";
import { damaged, lastOnRecord, textOf } from "./log-last.ts";
import { DAY_MS, keysOrFirst, logName, signersOf } from "./signing-keys.ts";

export { textOf } from "./log-last.ts";

/** Leaves of one checkpoint; heads beyond it are the next one's, at once. */
const MAX_LEAVES = 1_000;
/** Checkpoints that one call makes at most. */
const MAX_ROUNDS = 20;
/** Organizations that one run of the cron looks up at once. */
const ORGANIZATIONS_AT_ONCE = 50;

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
 * Checkpoints for every organization in which something has happened, for so long; the next run goes on.
 * @param from where among the organizations to begin: another place each time, so that none is always last
 */
export async function makeCheckpoints(env: Env, now: number, until: number, from: string): Promise<number> {
  let count = 0;
  for (const [after, end] of [
    [from, null],
    ["", from],
  ] as const) {
    let last = after;
    for (;;) {
      const page = await organizationsThatMoved(env.DB, last, ORGANIZATIONS_AT_ONCE);
      for (const organization of page) {
        if (Date.now() >= until) return count;
        if (end !== null && organization > end) return count;
        try {
          const wish = { origin: null, actor: null, fresh: false };
          if ((await makeCheckpoint(env, organization, now, wish)).made) count += 1;
        } catch (error) {
          // One that cannot be sealed must not keep the others from it.
          log.error("checkpoint-failed", error, { organization });
        }
        last = organization;
      }
      if (page.length < ORGANIZATIONS_AT_ONCE) break;
    }
  }
  return count;
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
