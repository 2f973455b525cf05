/**
 * The hash chain of one session family or of one organization. Pure: `link` makes the next entry from a head,
 * `genesis` the value that the first entry's `prev` commits to. Order and storage are the session object's.
 */
import { canonicalText, hashOf, TAGS } from "./canonical.ts";

/** `session: null` is the organization's own chain. */
export interface ChainIdentity {
  readonly org: string;
  readonly session: string | null;
}

/** The last link: what the next entry's `seq` and `prev` follow from. `seq` is 0 before the first entry. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** One link as DESIGN §6 fixes it. `session` is the member of the family that the entry came from; `at` is epoch milliseconds. */
export interface Entry {
  readonly v: 1;
  readonly org: string;
  readonly session: string | null;
  readonly seq: number;
  readonly prev: string;
  readonly at: number;
  readonly kind: string;
  readonly body_hash: string;
}

/** An entry as it is stored and exported: the canonical texts that were hashed, and the hash. */
export interface StoredEntry {
  readonly hash: string;
  readonly entry: string;
  readonly body: string;
}

/** The head of an empty chain. Its hash commits to whose chain it is, so that no chain can be passed off as another's. */
export function genesis(identity: ChainIdentity): Head {
  return { seq: 0, hash: hashOf(TAGS.genesis, canonicalText({ v: 1, ...identity })) };
}

export function bodyHash(bodyText: string): string {
  return hashOf(TAGS.body, bodyText);
}

export function entryHash(entryText: string): string {
  return hashOf(TAGS.entry, entryText);
}

/**
 * The next entry after `head`.
 * @param body a JSON value without private text: that enters only as a commitment
 */
export function link(
  head: Head,
  what: { org: string; session: string | null; at: number; kind: string; body: unknown },
): StoredEntry & Head {
  const body = canonicalText(what.body);
  const entry: Entry = {
    v: 1,
    org: what.org,
    session: what.session,
    seq: head.seq + 1,
    prev: head.hash,
    at: what.at,
    kind: what.kind,
    body_hash: bodyHash(body),
  };
  const text = canonicalText(entry);
  return { seq: entry.seq, hash: entryHash(text), entry: text, body };
}

/** The private text that an entry commits to, and the salt of the commitment as 64 hex digits. */
export interface Disclosed {
  readonly private: string;
  readonly salt: string;
}

/**
 * One line of an export, without its line feed. Members stand in this order and nothing else stands beside them.
 * @param disclosed what the entry commits to, where it is told and still there
 */
export function exportLine(stored: StoredEntry, disclosed: Disclosed | null = null): string {
  const { hash, entry, body } = stored;
  return JSON.stringify({
    hash,
    entry,
    body,
    ...(disclosed === null ? {} : { private: disclosed.private, salt: disclosed.salt }),
  });
}
