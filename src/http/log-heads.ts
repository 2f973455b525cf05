/**
 * The heads that the next checkpoint seals, as the chains' own objects have them. What the database says of a head is
 * where to ask, and no more: whoever can write it could otherwise have a head signed that never was, and the honest chain
 * would read as cut off from then on.
 */
import { type HeadRow, listUnsealed } from "../db/heads.ts";
import type { ChainIdentity, StoredEntry } from "../ledger/index.ts";
import { readStored } from "../ledger/reading.ts";
import { log } from "../log.ts";
import { raiseAlert } from "./alerts.ts";
import { identityOf } from "./receipts.ts";
import { MAX_ID_CHARACTERS } from "./schemas.ts";
import { callObject, organizationStub, sessionStub } from "./sessions.ts";

/** Objects that are asked at once. */
const ASKED_AT_ONCE = 16;
/** Heads that one checkpoint looks at, those that it cannot seal included. */
const MAX_LOOKED_AT = 4_000;
/** Wrong heads that one checkpoint puts on record; the others are found again. */
const MAX_ALERTS = 20;

export interface HeadsToSeal {
  /** By the names of their chains; `at` is the entry's own. */
  readonly heads: readonly Pick<HeadRow, "chain" | "seq" | "hash" | "at">[];
  /** Whether there is one among them that has moved by more than the record of a checkpoint. */
  readonly news: boolean;
  /** Heads that are not what their objects have. */
  readonly wrong: number;
  /** Why an object could not be asked; `null` where each one answered. */
  readonly unasked: unknown;
}

/** At most so many heads, each of which stands in its object just so; those that do not are put on record. */
export async function headsToSeal(env: Env, organization: string, limit: number): Promise<HeadsToSeal> {
  const heads: HeadsToSeal["heads"][number][] = [];
  let news = false;
  let wrong = 0;
  let unasked: unknown = null;
  let looked = 0;
  for (let after = ""; heads.length < limit && looked < MAX_LOOKED_AT; ) {
    const listed = await listUnsealed(env.DB, organization, after, limit - heads.length);
    for (let from = 0; from < listed.length; from += ASKED_AT_ONCE) {
      const some = listed.slice(from, from + ASKED_AT_ONCE);
      const answers = await Promise.all(some.map((head) => standing(env, organization, head)));
      for (const [n, answer] of answers.entries()) {
        if ("head" in answer) {
          heads.push(answer.head);
          const { news_seq = 0, sealed_seq = 0 } = some[n] ?? {};
          news ||= news_seq > sealed_seq;
        } else if ("error" in answer) unasked = answer.error;
        else {
          wrong += 1;
          const { chain, seq, hash } = answer.wrong;
          const what = hash.slice(0, 64);
          if (wrong <= MAX_ALERTS)
            await raiseAlert(env, organization, {
              code: "altered-head",
              place: "database",
              chain: nameOf(chain),
              seq: Math.max(seq, 0),
              what,
            });
        }
      }
    }
    looked += listed.length;
    const last = listed.at(-1)?.chain ?? "";
    // One that is no text comes after all that are.
    if (last === "") break;
    after = last;
  }
  return { heads, news, wrong, unasked };
}

type Answer =
  | { readonly head: HeadsToSeal["heads"][number] }
  | { readonly wrong: HeadRow }
  | { readonly error: unknown };

async function standing(env: Env, organization: string, head: HeadRow): Promise<Answer> {
  const { chain, seq, hash } = head;
  const identity = identityOf(organization, chain);
  if (identity === null || !isName(identity) || seq < 1) return { wrong: head };
  const { session } = identity;
  try {
    const { lines, removed } = await callObject(
      () =>
        session === null ? organizationStub(env, organization) : sessionStub(env, organization, session),
      (object) => object.page(seq - 1),
    );
    const [line] = lines;
    // One whose object was removed had been sealed to its end before.
    if (line === undefined || removed) return { wrong: head };
    const stored = JSON.parse(line) as StoredEntry;
    const read = readStored(stored, null);
    const isThere =
      "entry" in read && read.entry.seq === seq && read.entry.org === organization && stored.hash === hash;
    return isThere ? { head: { chain, seq, hash, at: read.entry.at } } : { wrong: head };
  } catch (error) {
    log.error("head-not-asked", error, { organization });
    return { error };
  }
}

/** No object has a longer name: asking for it would fail, each time. */
function isName({ session }: ChainIdentity): boolean {
  return session === null || session.length <= MAX_ID_CHARACTERS * 2;
}

function nameOf(chain: string): string {
  return [...chain].slice(0, 200).join("").toWellFormed();
}
