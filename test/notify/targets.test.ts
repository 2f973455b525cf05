import { describe, it } from "vitest";
import { CHANNEL_KINDS, type ChannelKind, readTarget } from "../../src/notify/index.ts";

const REACH = { own: ["countersign.example.com"], loopback: false };
const AT_HOME = { own: ["localhost:8787"], loopback: true };
const KEYS = { p256dh: `B${"a".repeat(86)}`, auth: "b".repeat(22) };

/** What each kind takes, with the member that holds an address. */
const GOOD = {
  webhook: { url: "https://receiver.example.org/hook?sig=1" },
  slack: { url: "https://hooks.slack.com/services/T0/B0/x" },
  ntfy: { server: "https://ntfy.example.org", topic: "topic-1", token: null },
  telegram: { token: "123456:AAaaBBbbCCccDDddEEeeFFff", chat_id: "-100123" },
  email: { address: "o.l+asks@mail.example.org" },
  push: { endpoint: "https://push.example.org/x", keys: KEYS },
} as const satisfies Record<ChannelKind, object>;

function codes(kind: ChannelKind, value: unknown, reach = REACH): string[] {
  const read = readTarget(kind, value, reach);
  return read.ok ? ["ok"] : read.faults.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe("a target", () => {
  it.for(CHANNEL_KINDS)("of the kind %s is taken as it should be", (kind, { expect }) => {
    expect(readTarget(kind, GOOD[kind], REACH)).toMatchObject({ ok: true, target: GOOD[kind] });
  });

  it.for(CHANNEL_KINDS)("of the kind %s is nothing else", (kind, { expect }) => {
    for (const value of [null, undefined, 5, "x", [], {}, true])
      expect(readTarget(kind, value, REACH).ok, JSON.stringify(value)).toBe(false);
    expect(codes(kind, { ...GOOD[kind], more: 1 })).toEqual([" unrecognized-keys"]);
    for (const name of Object.keys(GOOD[kind])) {
      if (name === "token" && kind === "ntfy") continue;
      for (const value of [5, {}, [], true, "", "x".repeat(100_000), "\u0000", "a\r\nb"])
        expect(readTarget(kind, { ...GOOD[kind], [name]: value }, REACH).ok, `${name} ${value}`).toBe(false);
    }
  });

  const addressed: [ChannelKind, string][] = [
    ["webhook", "url"],
    ["slack", "url"],
    ["ntfy", "server"],
    ["push", "endpoint"],
  ];
  it.for(addressed)("of the kind %s leads to no place where it must not", ([kind, name], { expect }) => {
    const at = (url: string, reach = REACH) => codes(kind, { ...GOOD[kind], [name]: url }, reach);
    expect(at("http://receiver.example.org/")).toEqual([`/${name} not-https`]);
    expect(at("ftp://receiver.example.org/")).toEqual([`/${name} not-https`]);
    expect(at("javascript:alert(1)")).toEqual([`/${name} not-https`]);
    expect(at("https://countersign.example.com/")).toEqual([`/${name} own-origin`]);
    expect(at("https://COUNTERSIGN.example.com.:8443/")).toEqual([`/${name} own-origin`]);
    expect(at("https://127.0.0.1/")).toEqual([`/${name} loopback`]);
    expect(at("https://2130706433/")).toEqual([`/${name} loopback`]);
    expect(at("https://localhost/")).toEqual([`/${name} loopback`]);
    for (const host of [
      "10.1.2.3",
      "192.168.0.1",
      "169.254.169.254",
      "[fe80::1]",
      "[::ffff:10.0.0.1]",
      "0x0a000001",
    ])
      expect(at(`https://${host}/`), host).toEqual([`/${name} private-address`]);
    expect(at("https://metadata.internal/")).toEqual([`/${name} local-name`]);
    expect(at("https://u:p@receiver.example.org/")).toEqual([`/${name} credentials-in-url`]);
    expect(at("https://receiver.example.org/#f")).toEqual([`/${name} query-or-fragment`]);
    expect(at("https://receiver.example.org/\\..\\x")).toEqual([`/${name} not-a-url`]);
    expect(at("http://127.0.0.1:9999", AT_HOME)).toEqual(["ok"]);
    expect(at("http://127.0.0.1:8787", AT_HOME)).toEqual([`/${name} own-origin`]);
    expect(at("http://192.168.0.1", AT_HOME)).toEqual([`/${name} private-address`]);
  });

  it("of ntfy is a server without a path, and ntfy.sh where none is named", ({ expect }) => {
    expect(codes("ntfy", { server: "https://ntfy.example.org/sub", topic: "t" })).toEqual(["/server path"]);
    expect(readTarget("ntfy", { topic: "t" }, REACH)).toMatchObject({
      ok: true,
      target: { server: "https://ntfy.sh", topic: "t", token: null },
      shown: { host: "ntfy.sh", token_set: false },
    });
    for (const topic of ["a/b", "a b", "../x", "a?b", "ü"]) expect(codes("ntfy", { topic })).toHaveLength(1);
  });

  it("of Telegram can lead to no other path of its API", ({ expect }) => {
    for (const token of [
      "123456:../../x/AAAAAAAAAAAAAAAAAAA",
      "123456:AAAAAAAAAAAAAAAAAAAAAAA?x=1",
      "123456",
      ":x",
    ])
      expect(codes("telegram", { ...GOOD.telegram, token }), token).toEqual(["/token invalid-format"]);
    for (const chat_id of ["@", "@a b", "1 2", "--1", "@../x"])
      expect(codes("telegram", { ...GOOD.telegram, chat_id }), chat_id).toEqual(["/chat_id invalid-format"]);
  });

  it("of mail is one plain address at a public domain", ({ expect }) => {
    for (const address of [
      "a@b.example.org, c@d.example.org",
      "Eve <eve@example.org>",
      '"a b"@example.org',
      "a@example.org\nBcc: x@example.org",
      "a@@example.org",
      "@example.org",
      "a@",
      "a@-x.example.org",
      "ä@example.org",
      "a@exämple.org",
      `${"a".repeat(65)}@example.org`,
    ])
      expect(codes("email", { address }), address).toEqual(["/address invalid-format"]);
    expect(codes("email", { address: "a@localhost" })).toEqual(["/address loopback"]);
    expect(codes("email", { address: "a@intranet" })).toEqual(["/address local-name"]);
    expect(codes("email", { address: "a@10.0.0.1" })).toEqual(["/address private-address"]);
    expect(codes("email", { address: "owner@localhost" }, AT_HOME)).toEqual(["ok"]);
  });

  it("of push has the keys of a browser", ({ expect }) => {
    const withKeys = (keys: unknown) => codes("push", { endpoint: GOOD.push.endpoint, keys });
    expect(withKeys({ ...KEYS, p256dh: "short" })).toEqual(["/keys/p256dh invalid-format"]);
    expect(withKeys({ ...KEYS, auth: "short" })).toEqual(["/keys/auth invalid-format"]);
    expect(withKeys({ ...KEYS, more: 1 })).toEqual(["/keys unrecognized-keys"]);
    const read = readTarget("push", { ...GOOD.push, expirationTime: null }, REACH);
    expect(read.ok).toBe(true);
  });

  it("that is refused is not quoted", ({ expect }) => {
    const secret = "whoever-reads-this-has-it";
    for (const kind of CHANNEL_KINDS)
      for (const name of Object.keys(GOOD[kind])) {
        const read = readTarget(
          kind,
          { ...GOOD[kind], [name]: `http://u:${secret}@10.0.0.1/ ${secret}`, [secret]: 1 },
          REACH,
        );
        expect(JSON.stringify(read)).not.toContain(secret);
      }
  });
});
