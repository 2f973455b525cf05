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
  readLatestCheckpoint,
  readNodes,
} from "../db/checkpoints.ts";
import { type HeadRow, hasMoved, listUnsealed, organizationsThatMoved } from "../db/heads.ts";
import type { SealedCheckpoint } from "../durable/sealing-changes.ts";
import { Problem } from "../errors.ts";
import {
  append,
  frontierNodes,
  leafHash,
  leafText,
  type NoteSigner,
  nextCheckpoint,
  noteDigest,
  parseCheckpoint,
  parseNote,
  rootOf,
  signNote,
} from "../ledger/index.ts";
import { log } from "../log.ts";
import { raiseAlert } from "./alerts.ts";
import { anchorCheckpoint } from "./anchor-work.ts";
import { governAs } from "./governing.ts";
import { keptOf } from "./log-copies.ts";
import { callObject, organizationStub } from "./sessions.ts";
import { DAY_MS, logName, signersOf } from "./signing-keys.ts";

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
  const signers = await signersOf(env, organization, logName(env, organization, wish.origin), now);
  let made = false;
  for (let round = 0; ; round += 1) {
    const last = await lastOnRecord(env, organization, wish.actor);
    const isDue = (await hasMoved(env.DB, organization)) || (!made && isOld(last, now) && wish.fresh);
    if (!isDue || round === MAX_ROUNDS) return { checkpoint: last, made };
    const heads = await listUnsealed(env.DB, organization, MAX_LEAVES);
    const next = await nextOf(env, organization, last, heads, signers, now);
    if (await insertCheckpoint(env.DB, organization, next.checkpoint, next.leaves, next.nodes)) made = true;
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

/**
 * The newest checkpoint, its entry on record.
 * @throws {Problem} `log-damaged` when it is not the one that is on record
 */
async function lastOnRecord(
  env: Env,
  organization: string,
  actor: string | null,
): Promise<CheckpointRow | null> {
  // In this order: what is recorded later is in the database before.
  const recorded: SealedCheckpoint | null = await callObject(
    () => organizationStub(env, organization),
    (stub) => stub.sealed(),
  );
  const last = await readLatestCheckpoint(env.DB, organization);
  const digest = last === null ? null : noteDigest(textOf(last));
  const isBehind = recorded !== null && (last === null || last.number < recorded.number);
  const isOther = recorded !== null && last?.number === recorded.number && digest !== recorded.digest;
  if (recorded !== null && (isBehind || isOther)) {
    const code = isBehind ? "missing-checkpoint" : "altered-checkpoint";
    await raiseAlert(env, organization, { code, place: "log", chain: null, seq: recorded.number });
    throw damaged();
  }
  if (last === null || digest === null || recorded?.number === last.number) return last;
  const { number, tree_size, root } = last;
  const kept = await keptOf(env.DB, organization, last);
  const change = {
    kind: "checkpoint",
    number,
    tree_size,
    root,
    digest,
    ...(kept === null ? {} : { kept }),
  } as const;
  await governAs(env, organization, change, actor, `checkpoint/${number}/${digest}`);
  try {
    await anchorCheckpoint(env, organization, { number, digest });
  } catch (error) {
    // The next one is anchored, and names this one.
    log.error("checkpoint-not-anchored", error, { organization, number });
  }
  return readCheckpoint(env.DB, organization, number);
}

async function nextOf(
  env: Env,
  organization: string,
  last: CheckpointRow | null,
  heads: readonly HeadRow[],
  signers: readonly NoteSigner[],
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
    origin: signers[0]?.key.name ?? "",
    size: grown.size,
    root: grown.root,
    now,
    newest: heads.reduce((newest, { at }) => Math.max(newest, at), 0),
    previous: last === null ? null : { text: textOf(last), at: last.at },
  });
  const at = parseCheckpoint(text)?.at ?? now;
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

/** The text of a checkpoint that is signed; empty where the note was damaged. */
export function textOf({ note }: Pick<CheckpointRow, "note">): string {
  const read = parseNote(note);
  return read.ok ? read.note.text : "";
}

function damaged(): Problem {
  return new Problem(
    "log-damaged",
    "What the database holds of the organization's log is not what was signed. Nothing more is signed over it; the organization's ledger says what was found.",
  );
}
