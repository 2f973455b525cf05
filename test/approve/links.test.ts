/** What a stranger can make of a link's token: everything but one that opens. */
import { describe, it } from "vitest";
import {
  type LinkClaims,
  type LinkFault,
  linkHash,
  linkUrl,
  newJti,
  readLink,
  signLink,
} from "../../src/notify/links.ts";

const ORIGIN = "https://countersign.test";
const SECRETS = ["a secret of the test suite, long enough"];
const OTHER = ["another secret of the test suite, as long"];
const NOW = 1_764_522_000_123;

const claims: LinkClaims = {
  organization: "org_1",
  approval: "apr_1",
  root: "session 1",
  member: "mem_1",
  digest: "d".repeat(64),
  jti: newJti(),
  issued_at: NOW,
  expires_at: NOW + 600_001,
};

const encoder = new TextEncoder();
function base64url(bytes: Uint8Array | string): string {
  const all = typeof bytes === "string" ? encoder.encode(bytes) : bytes;
  let binary = "";
  for (const byte of all) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
function decoded(part: string): string {
  const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
}
type Json = Record<string, unknown>;
interface Parts {
  header: Json;
  payload: Json;
  signature: string;
}
async function parts(secrets = SECRETS, of: LinkClaims = claims): Promise<Parts> {
  const [header = "", payload = "", signature = ""] = (await signLink(of, ORIGIN, secrets)).split(".");
  return { header: JSON.parse(decoded(header)), payload: JSON.parse(decoded(payload)), signature };
}
const joined = ({ header, payload, signature }: Parts) =>
  `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(payload))}.${signature}`;

/** The key that a deployment with this secret signs with, made here a second time from what the file's head says of it. */
async function keyOf(secret: string): Promise<{ sign: CryptoKey; x: string }> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveBits",
  ]);
  const info = encoder.encode("countersign/approval-link/v1/ed25519");
  const seed = await crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    material,
    256,
  );
  const prefix = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
  const pkcs8 = new Uint8Array([...prefix, ...new Uint8Array(seed)]);
  const sign = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  return { sign, x: ((await crypto.subtle.exportKey("jwk", sign)) as JsonWebKey).x ?? "" };
}
/** Signs what it is told to with a deployment's own key: for what only a fault of ours could send out. */
async function resigned(change: { header?: Json; payload?: Json; raw?: string }, secret = SECRETS[0] ?? "") {
  const { header, payload } = await parts([secret]);
  const text = `${base64url(JSON.stringify({ ...header, ...change.header }))}.${base64url(
    change.raw ?? JSON.stringify({ ...payload, ...change.payload }),
  )}`;
  const { sign } = await keyOf(secret);
  return `${text}.${base64url(new Uint8Array(await crypto.subtle.sign("Ed25519", sign, encoder.encode(text))))}`;
}
const read = (token: string, secrets = SECRETS, now = NOW) => readLink(token, ORIGIN, secrets, now);
async function cause(token: string, secrets = SECRETS, now = NOW): Promise<LinkFault | "opens"> {
  const answer = await read(token, secrets, now);
  return answer.ok ? "opens" : answer.cause;
}

describe("a link", () => {
  it("says what was signed, to the millisecond, and opens until it expires", async ({ expect }) => {
    const token = await signLink(claims, ORIGIN, SECRETS);
    expect(await read(token)).toEqual({ ok: true, claims });
    expect(await cause(token, SECRETS, claims.expires_at - 1)).toBe("opens");
    expect(await cause(token, SECRETS, claims.expires_at)).toBe("expired");
    expect(linkUrl(ORIGIN, token)).toBe(`${ORIGIN}/approve/${token}`);
  });

  it("is a JWT as its standards say, with the key's thumbprint as kid", async ({ expect }) => {
    const { header, payload } = await parts();
    const { x } = await keyOf(SECRETS[0] ?? "");
    const thumbprint = await crypto.subtle.digest(
      "SHA-256",
      encoder.encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`),
    );
    expect(header).toEqual({
      alg: "Ed25519",
      typ: "approval+jwt",
      kid: base64url(new Uint8Array(thumbprint)),
    });
    expect(payload).toEqual({
      iss: ORIGIN,
      aud: "countersign:approval",
      sub: claims.member,
      org: claims.organization,
      apr: claims.approval,
      root: claims.root,
      dig: claims.digest,
      jti: claims.jti,
      iat: claims.issued_at / 1000,
      exp: claims.expires_at / 1000,
    });
  });

  it("has a secret of its own, of which the hash tells nothing else", ({ expect }) => {
    const jtis = new Set(Array.from({ length: 100 }, newJti));
    expect(jtis.size).toBe(100);
    for (const jti of jtis) {
      expect(jti).toMatch(/^[\w-]{43}$/);
      expect(linkHash(jti)).toMatch(/^[0-9a-f]{64}$/);
      expect(linkHash(jti)).toBe(linkHash(jti));
    }
  });

  it("opens under an old key while that is live, and not after", async ({ expect }) => {
    const old = await signLink(claims, ORIGIN, OTHER);
    const both = [...SECRETS, ...OTHER];
    expect(await cause(old, both)).toBe("opens");
    expect(await cause(await signLink(claims, ORIGIN, both), both)).toBe("opens");
    // The first signs: what is made during a rotation opens when the old key is gone.
    expect(await cause(await signLink(claims, ORIGIN, both), SECRETS)).toBe("opens");
    expect(await cause(old, SECRETS)).toBe("unknown-key");
    expect(await cause(old, [])).toBe("unknown-key");
  });

  it("carries the longest ids that a session may have", async ({ expect }) => {
    for (const character of ["a", "\u0000", "\u{1F600}", "家"]) {
      const long = { ...claims, root: character.repeat(200) };
      const token = await signLink(long, ORIGIN, SECRETS);
      expect(token.length).toBeLessThanOrEqual(4_096);
      expect(await read(token)).toEqual({ ok: true, claims: long });
    }
  });
});

describe("what does not open", () => {
  it("any claim that was changed", async ({ expect }) => {
    for (const claim of ["iss", "aud", "sub", "org", "apr", "root", "dig", "jti", "iat", "exp"]) {
      const token = await parts();
      token.payload[claim] = typeof token.payload[claim] === "number" ? 9e9 : `${token.payload[claim]}x`;
      expect(await cause(joined(token)), claim).toBe("forged");
    }
  });

  it("one with no signature, or an HMAC with the public key", async ({ expect }) => {
    const { header, payload } = await parts();
    const { x } = await keyOf(SECRETS[0] ?? "");
    for (const alg of ["none", "None", "NONE", "", null, 1]) {
      expect(await cause(joined({ header: { ...header, alg }, payload, signature: "AA" }))).toBe("forged");
      expect(await cause(joined({ header: { ...header, alg }, payload, signature: "" }))).toBe("malformed");
    }
    const raw = Uint8Array.from(atob(x.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    for (const material of [raw, encoder.encode(x), encoder.encode(JSON.stringify({ x }))]) {
      const text = `${base64url(JSON.stringify({ ...header, alg: "HS256" }))}.${base64url(JSON.stringify(payload))}`;
      const key = await crypto.subtle.importKey("raw", material, { name: "HMAC", hash: "SHA-256" }, false, [
        "sign",
      ]);
      const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(text));
      expect(await cause(`${text}.${base64url(new Uint8Array(mac))}`)).toBe("forged");
    }
    for (const alg of ["EdDSA", "ES256", "RS256", "ed25519"])
      expect(await cause(await resigned({ header: { alg } })), alg).toBe("forged");
  });

  it("one that another key signed, under its own name, ours, or none", async ({ expect }) => {
    const ours = await parts();
    const theirs = await parts(OTHER);
    expect(await cause(joined(theirs))).toBe("unknown-key");
    expect(await cause(joined({ ...theirs, header: ours.header }))).toBe("forged");
    const sworn = await resigned({ header: { kid: ours.header["kid"] } }, OTHER[0]);
    expect(await cause(sworn)).toBe("forged");
    // Both keys live, each signature under the other's name.
    const both = [...SECRETS, ...OTHER];
    expect(await cause(sworn, both)).toBe("forged");
    expect(await cause(joined({ ...ours, header: theirs.header }), both)).toBe("forged");
    for (const kid of ["x", "", "../../etc/passwd", "' OR 1=1", 7, null, ["a"], { a: 1 }])
      expect(await cause(await resigned({ header: { kid } }))).toBe("unknown-key");
    // A key that the token brings along is nobody's.
    const { x } = await keyOf(OTHER[0] ?? "");
    const jwk = { kty: "OKP", crv: "Ed25519", x };
    for (const header of [{ jwk }, { jku: "https://evil.test/keys" }, { x5c: ["AA"] }])
      expect(await cause(await resigned({ header: { ...header, kid: ours.header["kid"] } }, OTHER[0]))).toBe(
        "forged",
      );
  });

  it("one of ours for another purpose, reader or deployment", async ({ expect }) => {
    for (const typ of ["JWT", "approval", "application/approval+jwt", "Approval+JWT", "", null, 1])
      expect(await cause(await resigned({ header: { typ } })), String(typ)).toBe("wrong-type");
    for (const aud of [
      "countersign",
      "countersign:approvals",
      "COUNTERSIGN:approval",
      "",
      null,
      ["countersign:approval"],
      ["countersign:approval", "x"],
    ])
      expect(await cause(await resigned({ payload: { aud } })), String(aud)).toBe("wrong-audience");
    for (const iss of ["https://evil.test", `${ORIGIN}/`, "", null, undefined])
      expect(await cause(await resigned({ payload: { iss } })), String(iss)).toBe("wrong-audience");
  });

  it("one that lacks a claim or has another type in it", async ({ expect }) => {
    for (const claim of ["sub", "org", "apr", "root", "dig", "jti", "iat", "exp"])
      for (const value of [undefined, null, "", [], {}, true, claim === "iat" || claim === "exp" ? "9e9" : 5])
        expect(await cause(await resigned({ payload: { [claim]: value } })), claim).toBe("malformed");
    for (const raw of ["[]", "null", "1", '"a"', "", "{", '{"a":1} x', "\u{FEFF}{}"])
      expect(await cause(await resigned({ raw })), raw).toBe("malformed");
    const { payload } = await parts();
    const lone = JSON.stringify(payload).replace('"org_1"', '"\\ud800"');
    expect(await cause(await resigned({ raw: lone }))).toBe("malformed");
    const endless = JSON.stringify(payload).replace(/"exp":[\d.]+/, '"exp":1e999');
    expect(await cause(await resigned({ raw: endless }))).toBe("malformed");
    // A claim that nobody knows says nothing (RFC 7519 §4), and is not handed on.
    expect(await read(await resigned({ payload: { role: "owner", decision: "approve" } }))).toEqual({
      ok: true,
      claims,
    });
    expect(await cause(await resigned({ header: { crit: ["b64"], b64: false } }))).toBe("forged");
    expect(await cause(await resigned({ header: { crit: ["x"], x: 1 } }))).toBe("forged");
  });

  it("a text that is no token, at once and whatever its size", async ({ expect }) => {
    const token = await signLink(claims, ORIGIN, SECRETS);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const broken = [
      "",
      ".",
      "..",
      "a.b",
      "a.b.c.d",
      `${token}.`,
      ` ${token}`,
      `${token}\n`,
      `${token}=`,
      `${header}..${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}é.${signature}`,
      `${header}.${payload}.\u{1F600}`,
      `${header}.${payload}%00.${signature}`,
      `x.${payload}.${signature}`,
      `${base64url("[]")}.${payload}.${signature}`,
      `${base64url("null")}.${payload}.${signature}`,
      `${header}.${"A".repeat(100_000)}.${signature}`,
      "a".repeat(100_000),
      `${header}.${base64url(`{"a":${"[".repeat(1500)}`)}.${signature}`,
    ];
    for (const text of broken) expect(await cause(text), text.slice(0, 80)).toBe("malformed");
    for (let length = 0; length < token.length; length += 1)
      expect(await cause(token.slice(0, length)), String(length)).not.toBe("opens");
    // Every character of the signature counts but for the bits that base64 pads the last one with.
    for (let at = token.length - signature.length; at < token.length - 1; at += 1) {
      const other = token[at] === "A" ? "B" : "A";
      expect(await cause(token.slice(0, at) + other + token.slice(at + 1)), String(at)).toBe("forged");
    }
  });

  it("and what it says of itself is told apart from what is true", async ({ expect }) => {
    const token = await parts();
    token.payload["sub"] = "mem_evil";
    const answer = await read(joined(token));
    expect(answer).toEqual({ ok: false, cause: "forged", unverified: { ...claims, member: "mem_evil" } });
    token.payload = { org: "org_1", apr: 5, exp: "soon", dig: ["x"] };
    expect(await read(joined(token))).toEqual({
      ok: false,
      cause: "forged",
      unverified: { organization: "org_1" },
    });
    expect(await read("x")).toEqual({ ok: false, cause: "malformed", unverified: null });
  });
});
