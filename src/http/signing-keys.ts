/**
 * The keys that sign an organization's checkpoints: Ed25519, made here, kept sealed, published for good by their public
 * part. The first is made with the first checkpoint; an owner makes the others.
 */
import { listSigningKeys, type SigningKeyRow } from "../db/signing-keys.ts";
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
} from "../ledger/index.ts";
import { log } from "../log.ts";
import { open, type Place, seal } from "../sealing.ts";
import { governAs } from "./governing.ts";

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

/** Whether a key signs at this time. */
export function isLive(key: Pick<SigningKeyRow, "valid_until">, now: number): boolean {
  return key.valid_until === null || key.valid_until > now;
}

/**
 * Those who sign now, newest first; the first key is made if there is none.
 * @param name the log's, for the first key
 * @throws {Problem} `misconfigured` when no private part can be opened; as {@link rotateSigningKey} does
 */
export async function signersOf(
  env: Env,
  organization: string,
  name: string,
  now: number,
): Promise<NoteSigner[]> {
  let keys = await listSigningKeys(env.DB, organization);
  if (keys.length === 0) {
    await newKey(env, organization, name, null, 0, null, "first");
    keys = await listSigningKeys(env.DB, organization);
  }
  const signers: NoteSigner[] = [];
  for (const key of keys.filter((one) => isLive(one, now)).reverse()) {
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
  const keys = await listSigningKeys(env.DB, organization);
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
  const made = (await listSigningKeys(env.DB, organization)).find((key) => key.key_id === id);
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
