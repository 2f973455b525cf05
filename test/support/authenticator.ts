/**
 * An authenticator and the browser in front of it, in software (WebAuthn Level 3): ES256, attestation "none". Each lie
 * that one could tell is an option, so that a test changes one thing and nothing else.
 */

export interface Lies {
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  /** The device has not checked who holds it. */
  readonly unverified?: boolean;
  readonly absent?: boolean;
  /** What the authenticator says it has signed so far. */
  readonly counter?: number;
  readonly id?: string;
  /** Instead of "none", with its statement. */
  readonly attestation?: readonly [format: string, statement: Cbor];
  /** A statement by the new key itself (WebAuthn §8.2), which is no lie. */
  readonly selfAttested?: boolean;
  /** A statement by a key with a certificate (WebAuthn §8.6), all of it in order. */
  readonly certified?: boolean;
  /** COSE, instead of the key's own algorithm. */
  readonly algorithm?: number;
}

export interface Registered {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly clientExtensionResults: object;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: string[];
  };
}
export interface Signature {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly clientExtensionResults: object;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export class Authenticator {
  readonly id: string;
  readonly #origin: string;
  readonly #keys: CryptoKeyPair;
  readonly #point: readonly [x: Uint8Array, y: Uint8Array];
  counter: number;

  private constructor(
    origin: string,
    keys: CryptoKeyPair,
    point: readonly [Uint8Array, Uint8Array],
    counter: number,
  ) {
    this.id = textOf(crypto.getRandomValues(new Uint8Array(32)));
    this.#origin = origin;
    this.#keys = keys;
    this.#point = point;
    this.counter = counter;
  }

  /** @param counter signatures so far; `null` for one that does not count */
  static async make(origin: string, counter: number | null = 0): Promise<Authenticator> {
    const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])) as CryptoKeyPair;
    const { x = "", y = "" } = (await crypto.subtle.exportKey("jwk", keys.publicKey)) as JsonWebKey;
    return new Authenticator(origin, keys, [bytesOf(x), bytesOf(y)], counter ?? Number.NaN);
  }

  /** Makes the passkey, as `toJSON()` of the browser's credential tells it. */
  async register(
    options: { readonly challenge: string; readonly rp: { readonly id: string } },
    lies: Lies = {},
  ): Promise<Registered> {
    const id = bytesOf(this.id);
    const [x, y] = this.#point;
    const key = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, lies.algorithm ?? -7],
        [-1, 1],
        [-2, x],
        [-3, y],
      ]),
    );
    const attested = joined(new Uint8Array(16), new Uint8Array([id.length >> 8, id.length & 255]), id, key);
    const data = joined(await this.#data(lies.rpId ?? options.rp.id, ATTESTED, lies), attested);
    const client = this.#client("webauthn.create", options.challenge, lies);
    const own = async (): Promise<readonly [string, Cbor]> => [
      "packed",
      new Map<string, Cbor>([
        ["alg", -7],
        ["sig", await this.#signature(data, client)],
      ]),
    ];
    const certified = async (): Promise<readonly [string, Cbor]> => {
      const point = joined(new Uint8Array([4]), x, y);
      const before = joined(new Uint8Array([0]), data.subarray(0, 32));
      const publicKey = await crypto.subtle.exportKey("spki", this.#keys.publicKey);
      return [
        "fido-u2f",
        new Map<string, Cbor>([
          ["x5c", [certificateOf(new Uint8Array(publicKey as ArrayBuffer))]],
          ["sig", await this.#signature(before, client, joined(id, point))],
        ]),
      ];
    };
    const [format, statement] =
      lies.selfAttested === true
        ? await own()
        : lies.certified === true
          ? await certified()
          : (lies.attestation ?? ["none", new Map()]);
    const object = new Map<string, Cbor>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", data],
    ]);
    return {
      ...this.#credential(lies),
      response: {
        clientDataJSON: textOf(client),
        attestationObject: textOf(cbor(object)),
        transports: ["internal", "telepathy"],
      },
    };
  }

  /** Signs, and counts it. */
  async sign(
    options: { readonly challenge: string; readonly rpId: string },
    lies: Lies = {},
  ): Promise<Signature> {
    this.counter += 1;
    const data = await this.#data(lies.rpId ?? options.rpId, 0, lies);
    const client = this.#client("webauthn.get", options.challenge, lies);
    return {
      ...this.#credential(lies),
      response: {
        clientDataJSON: textOf(client),
        authenticatorData: textOf(data),
        signature: textOf(await this.#signature(data, client)),
        userHandle: textOf(new Uint8Array(32)),
      },
    };
  }

  async #signature(
    before: Uint8Array,
    client: Uint8Array<ArrayBuffer>,
    after = new Uint8Array(),
  ): Promise<Uint8Array> {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", client));
    const signed = joined(before, hash, after);
    const raw = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, this.#keys.privateKey, signed);
    return der(new Uint8Array(raw));
  }

  #credential({ id = this.id }: Lies) {
    return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
  }

  async #data(rpId: string, flags: number, lies: Lies): Promise<Uint8Array<ArrayBuffer>> {
    const party = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rpId)));
    const counter = new Uint8Array(4);
    const counted = Number.isNaN(this.counter) ? 0 : this.counter;
    new DataView(counter.buffer).setUint32(0, lies.counter ?? counted);
    const all = flags | (lies.absent === true ? 0 : PRESENT) | (lies.unverified === true ? 0 : VERIFIED);
    return joined(party, new Uint8Array([all]), counter);
  }

  #client(type: string, challenge: string, lies: Lies): Uint8Array<ArrayBuffer> {
    const { topOrigin } = lies;
    const client = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin: lies.crossOrigin ?? false,
      ...(topOrigin === undefined ? {} : { topOrigin }),
    };
    return new Uint8Array(new TextEncoder().encode(JSON.stringify(client)));
  }
}

export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

/** RFC 8949, as much of it as an authenticator says. */
export function cbor(value: Cbor): Uint8Array<ArrayBuffer> {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const text = new TextEncoder().encode(value);
    return joined(head(3, text.length), text);
  }
  if (value instanceof Uint8Array) return joined(head(2, value.length), value);
  if (Array.isArray(value)) return joined(head(4, value.length), ...value.map(cbor));
  const pairs = [...(value as ReadonlyMap<number | string, Cbor>)];
  return joined(head(5, pairs.length), ...pairs.flatMap(([key, one]) => [cbor(key), cbor(one)]));
}

function head(major: number, size: number): Uint8Array<ArrayBuffer> {
  const kind = major << 5;
  if (size < 24) return new Uint8Array([kind | size]);
  return size < 256 ? new Uint8Array([kind | 24, size]) : new Uint8Array([kind | 25, size >> 8, size & 255]);
}

/** The two numbers of a signature as ASN.1 has them (RFC 3279 §2.2.3). */
function der(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  return asn1(0x30, ...[raw.subarray(0, 32), raw.subarray(32)].map(integer));
}

function integer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return asn1(0x02, new Uint8Array((digits[0] ?? 0) > 127 ? [0] : []), digits);
}

/** A value of ASN.1 in DER (X.690), of less than 64 kB. */
function asn1(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = joined(...parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return joined(new Uint8Array([tag, ...size]), body);
}

/** A certificate of a key that nobody vouches for (RFC 5280 §4.1). */
function certificateOf(publicKey: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = (tag: number, value: string) => asn1(tag, new TextEncoder().encode(value));
  const ecdsa = asn1(0x30, asn1(0x06, new Uint8Array([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])));
  const commonName = asn1(0x30, asn1(0x06, new Uint8Array([0x55, 0x04, 0x03])), text(0x0c, "Key"));
  const name = asn1(0x30, asn1(0x31, commonName));
  const validity = asn1(0x30, text(0x17, "260101000000Z"), text(0x17, "360101000000Z"));
  const version = asn1(0xa0, new Uint8Array([2, 1, 2]));
  const body = asn1(0x30, version, new Uint8Array([2, 1, 1]), ecdsa, name, validity, name, publicKey);
  return asn1(0x30, body, ecdsa, asn1(0x03, new Uint8Array(71)));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}
