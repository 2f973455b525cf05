/**
 * The keys by which push services know this deployment (VAPID, RFC 8292): P-256, derived from the parts of
 * `SETTINGS_KEY`, so that a rotation is the one which that secret has already. A browser's subscription is bound to the
 * key that it was made with: it works until that key's secret is gone, and new ones are made with the newest.
 */
import { createECDH, hkdfSync } from "node:crypto";

export interface VapidKey {
  /** Base64url of the uncompressed point, as browsers take it for `applicationServerKey`. */
  readonly publicKey: string;
  /** Base64url of the scalar. */
  readonly privateKey: string;
}

const INFO = "countersign/vapid/v1";
/** 128 bits more than the order has, so that the remainder is as good as uniform (FIPS 186-5 A.2.1). */
const SEED_BYTES = 48;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The key that new subscriptions are made with. @param secrets the parts of `SETTINGS_KEY`, newest first */
export function vapidPublicKey(secrets: readonly string[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("no secret to derive a key from");
  return keyOf(newest).publicKey;
}

/** The key with this public part, or `null` when its secret is gone. */
export function vapidKey(publicKey: string, secrets: readonly string[]): VapidKey | null {
  return secrets.map(keyOf).find((key) => key.publicKey === publicKey) ?? null;
}

function keyOf(secret: string): VapidKey {
  const seed = hkdfSync("sha256", secret, new Uint8Array(), INFO, SEED_BYTES);
  const scalar = (BigInt(`0x${Buffer.from(seed).toString("hex")}`) % (ORDER - 1n)) + 1n;
  const bytes = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(bytes);
  return {
    publicKey: Buffer.from(pair.getPublicKey()).toString("base64url"),
    privateKey: bytes.toString("base64url"),
  };
}
