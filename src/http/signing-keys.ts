/**
 * The keys that sign an organization's checkpoints: Ed25519, made here, kept sealed, published for good by their public
 * part. The first is made with the first checkpoint; an owner makes the others.
 */
import type { SigningKeyRow } from "../db/signing-keys.ts";
import type { GovernedPage } from "../durable/governed.ts";
import { checkEnv } from "../env.ts";
import { Problem } from "../errors.ts";
import { randomText } from "../ids.ts";
import {
  bytesOfHex,
  ed25519Signer,
  formatVerifierKey,
  hexOf,
  type NoteSigner,
  parseVerifierKey,
  type VerifierKey,
} from "../ledger/index.ts";
import { log } from "../log.ts";
import { open, type Place, seal } from "../sealing.ts";
import { governAs } from "./governing.ts";
import { callObject, organizationStub } from "./sessions.ts";

const SEED_BYTES = 32;
export const DAY_MS = 24 * 60 * 60 * 1000;
/** The old key signs beside the new one for so long: whoever compares has time to hear of the new one. */
export const OVERLAP_DAYS = 7;

/** Where a deployment that was told no origin of its own says that its logs are. */
const NOWHERE = "localhost";

/**
 * The name of a log: fixed by its first key, since checkpoints of two names are of two logs.
 * @param origin of the request; `null` outside one
 */
export function logName(env: Env, organization: string, origin: string | null): string {
  const check = checkEnv(env);
  const own = (check.ok ? check.config.publicOrigin : null) ?? origin;
  return `${own === null ? NOWHERE : new URL(own).host}/${organization}`;
}

/** Whether this is a key's time. */
export function isLive(key: Pick<SigningKeyRow, "valid_from" | "valid_until">, at: number): boolean {
  return key.valid_from <= at && (key.valid_until === null || key.valid_until > at);
}

/**
 * The keys that the organization's object has, oldest first: nobody trusts or publishes another. A row in the database
 * is one that whoever can write the database may have put there, to have what they signed themselves hold.
 */
export async function keysOnRecord(env: Env, organization: string): Promise<SigningKeyRow[]> {
  const keys: SigningKeyRow[] = [];
  for (let after: string | null = null; ; ) {
    const from: string | null = after;
    const page: GovernedPage | null = await callObject(
      () => organizationStub(env, organization),
      (stub) => stub.governed("signing_keys", from),
    );
    for (const { id, row } of page?.rows ?? []) {
      const { vkey, sealed, valid_from, valid_until } = row as unknown as Omit<SigningKeyRow, "key_id">;
      keys.push({ key_id: id, vkey, sealed, valid_from, valid_until });
    }
    after = page?.next ?? null;
    if (after === null) break;
  }
  // Two of one millisecond: the one that has no end yet is the newer.
  const end = ({ valid_until }: SigningKeyRow): number => valid_until ?? Number.MAX_SAFE_INTEGER;
  return keys.sort((a, b) => a.valid_from - b.valid_from || end(a) - end(b));
}

/** The same as a note is verified by them. */
export function verifiersOf(keys: readonly SigningKeyRow[]): VerifierKey[] {
  return keys.flatMap(({ vkey }) => parseVerifierKey(vkey) ?? []);
}

/**
 * Those whose time it is at `at`, newest first; the first key is made if there is none.
 * @param name the log's, for the first key
 * @throws {Problem} `misconfigured` when no private part can be opened; as {@link rotateSigningKey} does
 */
export async function signersOf(
  env: Env,
  organization: string,
  name: string,
  at: number,
): Promise<NoteSigner[]> {
  const keys = await keysOrFirst(env, organization, name);
  const signers: NoteSigner[] = [];
  for (const key of keys.filter((one) => isLive(one, at)).reverse()) {
    const seed = await seedOf(env, organization, key);
    if (seed === null) log.error("signing-key-unreadable", key.key_id, { organization });
    else signers.push(ed25519Signer(parseVerifierKey(key.vkey)?.name ?? name, seed));
  }
  if (signers.length === 0)
    throw new Problem(
      "misconfigured",
      "No signing key of this organization can be opened with the deployment's SETTINGS_KEY. An owner can make a new one.",
    );
  return signers;
}

/** The organization's keys; the first is made if there is none. @param name the log's, for the first key */
export async function keysOrFirst(env: Env, organization: string, name: string): Promise<SigningKeyRow[]> {
  const keys = await keysOnRecord(env, organization);
  if (keys.length > 0) return keys;
  await newKey(env, organization, name, null, 0, null, "first");
  return keysOnRecord(env, organization);
}

/**
 * Makes a key that signs from now on. The ones before it sign beside it for a while, then no more.
 * @param actor the owner who asks
 * @param request its id, so that it makes one key however often it is sent to the object
 * @throws {Problem} `conflict`, `forbidden`, `not-found`, `publish-pending`
 */
export async function rotateSigningKey(
  env: Env,
  organization: string,
  what: {
    readonly name: string;
    readonly overlapDays: number;
    readonly actor: string;
    readonly request: string;
  },
): Promise<SigningKeyRow> {
  const keys = await keysOnRecord(env, organization);
  const newest = keys.at(-1);
  const name = (newest === undefined ? null : parseVerifierKey(newest.vkey)?.name) ?? what.name;
  const id = await newKey(
    env,
    organization,
    name,
    newest?.key_id ?? null,
    what.overlapDays * DAY_MS,
    what.actor,
    what.request,
  );
  const made = (await keysOnRecord(env, organization)).find((key) => key.key_id === id);
  if (made === undefined) throw pending();
  return made;
}

/** @returns the id of the new key */
async function newKey(
  env: Env,
  organization: string,
  name: string,
  expected: string | null,
  overlap_ms: number,
  actor: string | null,
  request: string,
): Promise<string> {
  const check = checkEnv(env);
  if (!check.ok) throw new Problem("misconfigured", "A variable or secret of this deployment is missing.");
  const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  const { key } = ed25519Signer(name, seed);
  const sealed = await seal(hexOf(seed), placeOf(organization, key.id), check.config.settingsKeys);
  const change = {
    kind: "rotate_signing_key",
    expected,
    key_id: key.id,
    vkey: formatVerifierKey(key),
    sealed,
    overlap_ms,
  } as const;
  try {
    const made = await governAs(env, organization, change, actor, `signing-key/${request}/${key.id}`);
    if (!made.in_force) throw pending();
  } catch (error) {
    // Two first checkpoints at once: the other one's key is as good.
    const isMade =
      expected === null && actor === null && error instanceof Problem && error.code === "conflict";
    if (!isMade) throw error;
  }
  return key.id;
}

function pending(): Problem {
  return new Problem(
    "publish-pending",
    "The key is on record and signs as soon as the database can be written. Do not repeat the request.",
    { headers: { "retry-after": "10" } },
  );
}

async function seedOf(env: Env, organization: string, key: SigningKeyRow): Promise<Uint8Array | null> {
  const check = checkEnv(env);
  if (!check.ok) return null;
  const place = placeOf(organization, key.key_id);
  const opened = await open(key.sealed, place, check.config.settingsKeys);
  const seed = opened.ok ? bytesOfHex(opened.text) : null;
  if (!opened.ok || seed?.length !== SEED_BYTES) return null;
  if (!opened.current) {
    // The secret is being replaced: what still hangs on the older one would be lost with it.
    const to = await seal(opened.text, place, check.config.settingsKeys);
    const change = { kind: "reseal_signing_key", key_id: key.key_id, from: key.sealed, to } as const;
    const id = `reseal/${key.key_id}/${randomText(20)}`;
    await governAs(env, organization, change, null, id).catch((error: unknown) =>
      log.error("signing-key-not-resealed", error, { organization, key: key.key_id }),
    );
  }
  return seed;
}

function placeOf(organization: string, key: string): Place {
  return { organization, field: `signing-key ${key}` };
}
