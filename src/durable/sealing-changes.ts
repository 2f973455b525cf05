/**
 * What an organization's object keeps of its own proofs: the keys that sign its checkpoints, the newest checkpoint, and
 * what was found to be wrong with the copy of its ledgers.
 */

import type { KeptCheckpoint } from "./log-keeping.ts";
import type { Registry } from "./registry.ts";

/** Each signs every checkpoint while it lasts, and a note holds so many signatures only. */
const MAX_LIVE_KEYS = 8;
/** Public parts are published for good. */
const MAX_KEYS = 1_000;
/** What the clock of another machine may be ahead: a checkpoint is never dated before the heads that it holds. */
const CLOCKS_DIFFER_MS = 60_000;

export type SealingChange =
  | {
      kind: "rotate_signing_key";
      /** The newest key as the caller knows it; `null` before the first. */
      expected: string | null;
      /** Eight hex digits, as notes name it. */
      key_id: string;
      vkey: string;
      /** The private part, sealed: the record does not hold it. */
      sealed: string;
      /** How long the keys before it go on signing beside it, in milliseconds. */
      overlap_ms: number;
    }
  /** The same private part under the deployment's newer secret. */
  | { kind: "reseal_signing_key"; key_id: string; from: string; to: string }
  | {
      kind: "checkpoint";
      number: number;
      tree_size: number;
      root: string;
      /** SHA-256 of the text that is signed. */
      digest: string;
      /** When it says that it was made, epoch milliseconds, the digest that it says was before it, and who signed it. */
      at: number;
      prev: string | null;
      signed_by: readonly string[];
      /** The signed note and the leaves that it added: kept here, not in the entry, which names them by their hashes. */
      kept?: Pick<KeptCheckpoint, "note" | "leaves">;
    }
  /** An owner has what D1 lost put back out of what the objects hold. */
  | { kind: "restore"; what: Readonly<Record<string, number | boolean>> }
  | { kind: "alert"; finding: Readonly<Record<string, string | number | null>> }
  /** Alerts up to this entry have been seen by a person. */
  | { kind: "acknowledge_alerts"; through: number };

export interface SealedCheckpoint {
  readonly number: number;
  readonly digest: string;
  /** What it says; older ones were kept without. */
  readonly at?: number;
}

interface SigningKey {
  readonly vkey: string;
  readonly sealed: string;
  readonly valid_from: number;
  readonly valid_until: number | null;
}

export interface SealingEffect {
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly rows: Record<string, unknown>[];
}

export type SealingRefusal = {
  readonly ok: false;
  readonly code: "conflict";
  readonly detail: string;
};

/** Checks a change and makes it. */
export function changeSealing(
  registry: Registry,
  change: SealingChange,
  now: number,
): SealingEffect | SealingRefusal {
  switch (change.kind) {
    case "rotate_signing_key":
      return rotate(registry, change, now);
    case "reseal_signing_key": {
      const key = registry.get<SigningKey>("signing_key", change.key_id);
      if (key === null || key.sealed !== change.from) return conflict("The key was sealed in the meantime.");
      const sealed = { ...key, sealed: change.to };
      registry.put("signing_key", change.key_id, sealed);
      return {
        kind: "signing_key_resealed",
        body: { key: change.key_id },
        rows: [{ op: "signing_key", key_id: change.key_id, ...sealed }],
      };
    }
    case "checkpoint": {
      const { kind, number, tree_size, root, digest, at, prev, signed_by } = change;
      const newest = sealedCheckpoint(registry);
      // A number that was recorded with another tree: the log would tell two stories.
      if (newest !== null && number <= newest.number)
        return conflict(`Checkpoint ${number} is on record with another tree.`);
      if (number !== (newest?.number ?? 0) + 1 || prev !== (newest?.digest ?? null))
        return conflict(`Checkpoint ${number} does not follow the one that is on record.`);
      // Whoever holds a key whose time is over could still sign by it.
      const isTimely = signed_by.some((id) => {
        const key = registry.get<SigningKey>("signing_key", id);
        return key !== null && key.valid_from <= at && (key.valid_until === null || at < key.valid_until);
      });
      if (!isTimely) return conflict(`No key whose time it was has signed checkpoint ${number}.`);
      registry.put("checkpoint", "", { number, digest, at });
      const sealed = { number, tree_size, root, digest };
      return { kind, body: sealed, rows: [{ op: "checkpoint", number: change.number }] };
    }
    case "restore":
      return { kind: "copy_restored", body: { ...change.what }, rows: [] };
    case "alert":
      return { kind: "alert", body: { ...change.finding }, rows: [] };
    case "acknowledge_alerts":
      return { kind: "alerts_acknowledged", body: { through: change.through }, rows: [] };
  }
}

/** The newest checkpoint on record, or `null`. */
export function sealedCheckpoint(registry: Pick<Registry, "get">): SealedCheckpoint | null {
  return registry.get<SealedCheckpoint>("checkpoint", "");
}

function rotate(
  registry: Registry,
  change: Extract<SealingChange, { kind: "rotate_signing_key" }>,
  clock: number,
): SealingEffect | SealingRefusal {
  // A key's time ends after the newest checkpoint that it signed, also where that was dated by a clock that is ahead.
  const newest = sealedCheckpoint(registry)?.at ?? 0;
  const now = newest - clock < CLOCKS_DIFFER_MS ? Math.max(clock, newest + 1) : clock;
  const { expected, key_id, vkey, sealed, overlap_ms: overlap } = change;
  const ids = registry.get<string[]>("signing_keys", "") ?? [];
  if ((ids.at(-1) ?? null) !== expected) return conflict("The signing key was changed in the meantime.");
  if (ids.includes(key_id)) return conflict("There is such a key.");
  if (ids.length >= MAX_KEYS) return conflict(`An organization has ${MAX_KEYS} signing keys at most.`);
  const rows: Record<string, unknown>[] = [];
  const keep = (id: string, key: SigningKey): void => {
    registry.put("signing_key", id, key);
    rows.push({ op: "signing_key", key_id: id, ...key });
  };
  let live = 0;
  for (const id of ids) {
    const key = registry.get<SigningKey>("signing_key", id);
    if (key === null || (key.valid_until !== null && key.valid_until <= now)) continue;
    const until = Math.min(key.valid_until ?? Number.MAX_SAFE_INTEGER, now + overlap);
    if (until > now) live += 1;
    if (until !== key.valid_until) keep(id, { ...key, valid_until: until });
  }
  if (live >= MAX_LIVE_KEYS)
    return conflict(`${MAX_LIVE_KEYS} keys sign already. Wait until one has run out, or let them end now.`);
  keep(key_id, { vkey, sealed, valid_from: now, valid_until: null });
  registry.put("signing_keys", "", [...ids, key_id]);
  return {
    kind: "signing_key_rotated",
    body: { key: key_id, vkey, before: expected, overlap_ms: overlap },
    rows,
  };
}

function conflict(detail: string): SealingRefusal {
  return { ok: false, code: "conflict", detail };
}
