/** What an organization has had stamped, as its object keeps it: one reference is one content, for good. */

/** Bound on what one organization holds: an anchor an hour for a century. */
const MAX_ANCHORS = 1_000_000;

export interface AnchorChange {
  readonly kind: "anchor";
  readonly anchor_id: string;
  readonly reference: string;
  /** SHA-256 of the exact bytes, hex. */
  readonly digest: string;
  /** Nothing but the digest was sent. */
  readonly private: boolean;
  /** Bytes that were hashed; `null` when only a digest was sent. */
  readonly size: number | null;
  readonly published_at: number | null;
}

export interface Anchor {
  readonly anchor_id: string;
  readonly digest: string;
  readonly created_at: number;
}

/** Whether a change says again what is on record, or contradicts it; `null` when its reference is new. */
export function knownAnchor(
  known: Anchor | null,
  change: AnchorChange,
): { readonly ok: true; readonly at: number } | { readonly ok: false; readonly detail: string } | null {
  if (known === null) return null;
  return known.digest === change.digest
    ? { ok: true, at: known.created_at }
    : {
        ok: false,
        detail:
          "Other bytes stand under this reference. They are not overwritten: choose another reference for these.",
      };
}

/** @param count of anchors so far */
export function anchorEffect(change: AnchorChange, actor: string | null, count: number, now: number) {
  const { kind: _kind, ...anchor } = change;
  if (count >= MAX_ANCHORS)
    return {
      ok: false,
      code: "conflict",
      detail: `An organization holds at most ${MAX_ANCHORS} anchors.`,
    } as const;
  const { anchor_id: id, ...facts } = anchor;
  return {
    kind: "anchor",
    body: { anchor: id, ...facts },
    rows: [
      {
        op: "anchor",
        ...anchor,
        private: anchor.private ? 1 : 0,
        created_by: actor,
        created_at: now,
      },
    ],
  };
}
