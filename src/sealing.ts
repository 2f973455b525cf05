/**
 * Secrets of an organization at rest: AES-256-GCM under a key that is derived from the deployment's `SETTINGS_KEY`, and
 * bound to where the secret belongs. A sealed text that is moved to another organization or another field does not
 * open.
 *
 *     cs1.<key id>.<base64url of nonce (12 bytes), ciphertext and tag (16 bytes)>
 *
 * The key id is derived too, so that a rotation is nothing but a second secret: `SETTINGS_KEY` is `new,old` until
 * everything sealed under the old one has been sealed again, then `new`. Keys seal some thousands of times in their
 * life, far below the 2^32 at which random nonces of 96 bits begin to matter.
 */

const VERSION = "cs1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAX_SEALED_CHARACTERS = 65_536;

/** Where a sealed text belongs. */
export interface Place {
  readonly organization: string;
  /** What it is, e.g. `compiler.key openrouter https://openrouter.ai`. */
  readonly field: string;
}

export type Opened =
  /** `current` is false when it was sealed under the older key: then it wants sealing again. */
  | { readonly ok: true; readonly text: string; readonly current: boolean }
  /** `not-authentic`: changed, or sealed for another place. */
  | { readonly ok: false; readonly cause: "malformed" | "unknown-key" | "not-authentic" };

/**
 * Seals under the newest key.
 * @param text well-formed; anything else would not come back as it was
 * @param secrets the parts of `SETTINGS_KEY`, newest first, at least one
 */
export async function seal(text: string, place: Place, secrets: readonly string[]): Promise<string> {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("no secret to seal under");
  const { id, key } = await keyOf(newest);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plain = new TextEncoder().encode(text);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce, additionalData: bound(id, place), tagLength: TAG_BYTES * 8 },
    key,
    plain,
  );
  const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  bytes.set(nonce);
  bytes.set(new Uint8Array(sealed), NONCE_BYTES);
  return `${VERSION}.${id}.${base64url(bytes)}`;
}

/** Total: whatever is wrong with `sealed` is an answer, and no answer quotes it. */
export async function open(sealed: string, place: Place, secrets: readonly string[]): Promise<Opened> {
  const match = sealed.length > MAX_SEALED_CHARACTERS ? null : /^cs1\.([0-9a-f]{16})\.([\w-]+)$/.exec(sealed);
  const bytes = match === null ? null : fromBase64url(match[2] ?? "");
  if (match === null || bytes === null || bytes.byteLength < NONCE_BYTES + TAG_BYTES)
    return { ok: false, cause: "malformed" };
  for (const [index, secret] of secrets.entries()) {
    const { id, key } = await keyOf(secret);
    if (id !== match[1]) continue;
    try {
      const plain = await crypto.subtle.decrypt(
        {
          name: "AES-GCM",
          iv: bytes.subarray(0, NONCE_BYTES),
          additionalData: bound(id, place),
          tagLength: TAG_BYTES * 8,
        },
        key,
        bytes.subarray(NONCE_BYTES),
      );
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain);
      return { ok: true, text, current: index === 0 };
    } catch {
      return { ok: false, cause: "not-authentic" };
    }
  }
  return { ok: false, cause: "unknown-key" };
}

/** RFC 5869 without salt: the secret is already uniformly random. Each label is another key. */
async function keyOf(secret: string): Promise<{ readonly id: string; readonly key: CryptoKey }> {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveBits",
    "deriveKey",
  ]);
  const derivation = (label: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode(`countersign/settings/v1/${label}`),
  });
  const id = await crypto.subtle.deriveBits(derivation("id"), material, 64);
  const key = await crypto.subtle.deriveKey(
    derivation("seal"),
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
  return { id: [...new Uint8Array(id)].map((byte) => byte.toString(16).padStart(2, "0")).join(""), key };
}

/** JSON, so that no two places are one text. */
function bound(id: string, place: Place): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([VERSION, id, place.organization, place.field]));
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  } catch {
    return null;
  }
}
