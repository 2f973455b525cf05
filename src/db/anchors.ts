/**
 * Anchors in D1. What was stamped comes from the organization's chain and never changes; the proof under it grows here,
 * and needs no chain: it is checked by itself.
 */
import type { PublishedRow } from "./published.ts";
import { columnOf } from "./published.ts";

export const ANCHOR_STATES = ["unsubmitted", "pending", "attested", "confirmed"] as const;
export type AnchorState = (typeof ANCHOR_STATES)[number];

export interface AnchorRow {
  readonly anchor_id: string;
  readonly reference: string;
  readonly digest: string;
  readonly private: number;
  readonly size: number | null;
  readonly published_at: number | null;
  readonly created_by: string | null;
  readonly created_at: number;
  /** Of its entry in the organization's chain. */
  readonly changed_seq: number;
  readonly state: AnchorState;
  /** Base64 of the `.ots` file. */
  readonly proof: string | null;
  /** JSON: block headers by height. */
  readonly headers: string;
  readonly next_at: number | null;
  readonly attempts: number;
  readonly last_failure: string | null;
  readonly revision: number;
}

const COLUMNS = `anchor_id, reference, digest, private, size, published_at, created_by, created_at, changed_seq,
  state, proof, headers, next_at, attempts, last_failure, revision`;

/** Keeps what was stamped, once: nothing that arrives later changes it. It is due from then on. */
export function anchorStatement(
  db: D1Database,
  organization: string,
  row: PublishedRow,
): D1PreparedStatement {
  const value = (name: string) => columnOf(row, name);
  return db
    .prepare(
      `INSERT INTO anchors (organization_id, anchor_id, reference, digest, private, size, published_at, created_by,
         created_at, changed_seq, next_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?9) ON CONFLICT DO NOTHING`,
    )
    .bind(
      organization,
      value("anchor_id"),
      value("reference"),
      value("digest"),
      value("private"),
      value("size"),
      value("published_at"),
      value("created_by"),
      value("created_at"),
      value("changed_seq"),
    );
}

export async function readAnchor(
  db: D1Database,
  organization: string,
  anchor: string,
): Promise<AnchorRow | null> {
  return db
    .prepare(`SELECT ${COLUMNS} FROM anchors WHERE organization_id = ? AND anchor_id = ?`)
    .bind(organization, anchor)
    .first<AnchorRow>();
}

export async function readAnchorByReference(
  db: D1Database,
  organization: string,
  reference: string,
): Promise<AnchorRow | null> {
  return db
    .prepare(`SELECT ${COLUMNS} FROM anchors WHERE organization_id = ? AND reference = ?`)
    .bind(organization, reference)
    .first<AnchorRow>();
}

/** The anchor of a digest that has a proof, the furthest one and of those the oldest; `null` when there is none. */
export async function readAnchorOf(
  db: D1Database,
  organization: string,
  digest: string,
): Promise<AnchorRow | null> {
  return db
    .prepare(
      `SELECT ${COLUMNS} FROM anchors WHERE organization_id = ? AND digest = ? AND proof IS NOT NULL
       ORDER BY state = 'confirmed' DESC, state = 'attested' DESC, created_at, anchor_id LIMIT 1`,
    )
    .bind(organization, digest)
    .first<AnchorRow>();
}

/** Newest first. @param before the place of the last one of the page before */
export async function listAnchors(
  db: D1Database,
  organization: string,
  before: { readonly at: number; readonly id: string } | undefined,
  limit: number,
): Promise<AnchorRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM anchors WHERE organization_id = ?1 AND (created_at, anchor_id) < (?2, ?3)
       ORDER BY created_at DESC, anchor_id DESC LIMIT ?4`,
    )
    .bind(organization, before?.at ?? Number.MAX_SAFE_INTEGER, before?.id ?? "", limit)
    .all<AnchorRow>();
  return results;
}

/** Those about which there is something to be done, longest due first. */
export async function listDueAnchors(
  db: D1Database,
  organization: string,
  now: number,
  limit: number,
): Promise<AnchorRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM anchors WHERE organization_id = ? AND next_at <= ? ORDER BY next_at LIMIT ?`,
    )
    .bind(organization, now, limit)
    .all<AnchorRow>();
  return results;
}

/** Organizations that have such, by their ids, after `after`. */
export async function organizationsWithDueAnchors(
  db: D1Database,
  now: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT DISTINCT organization_id AS id FROM anchors
       WHERE next_at IS NOT NULL AND next_at <= ? AND organization_id > ? ORDER BY organization_id LIMIT ?`,
    )
    .bind(now, after, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Makes everything due that waits for a setting: calendars, or somebody to ask for headers. */
export async function wakeAnchors(db: D1Database, organization: string, now: number): Promise<void> {
  await db
    .prepare(
      `UPDATE anchors SET next_at = ?, attempts = 0
       WHERE organization_id = ? AND next_at IS NULL AND state <> 'confirmed'`,
    )
    .bind(now, organization)
    .run();
}

/** What of an anchor changes. */
export type AnchorProgress = Pick<
  AnchorRow,
  "state" | "proof" | "headers" | "next_at" | "attempts" | "last_failure"
>;

/** Writes how far it got. False when somebody else has changed it since it was read: then nothing is written. */
export async function keepAnchor(
  db: D1Database,
  organization: string,
  anchor: Pick<AnchorRow, "anchor_id" | "revision">,
  progress: AnchorProgress,
): Promise<boolean> {
  const { state, proof, headers, next_at, attempts, last_failure } = progress;
  const { meta } = await db
    .prepare(
      `UPDATE anchors SET state = ?, proof = ?, headers = ?, next_at = ?, attempts = ?, last_failure = ?,
         revision = revision + 1
       WHERE organization_id = ? AND anchor_id = ? AND revision = ?`,
    )
    .bind(
      state,
      proof,
      headers,
      next_at,
      attempts,
      last_failure,
      organization,
      anchor.anchor_id,
      anchor.revision,
    )
    .run();
  return meta.changes > 0;
}
