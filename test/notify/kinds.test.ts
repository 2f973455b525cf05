import { Webhook } from "standardwebhooks";
import { describe, it, vi } from "vitest";
import { newWebhookSecret } from "../../src/notify/index.ts";
import { readTarget, sendBy } from "../../src/notify/kinds/index.ts";
import { pushBody } from "../../src/notify/kinds/push.ts";
import { escapedForSlack } from "../../src/notify/kinds/slack.ts";
import { mailerOf } from "../../src/notify/mailer.ts";
import type { Message } from "../../src/notify/message.ts";
import { ASKED, decided, LINK, leadingTo, ORIGIN, opened, ways } from "./asked.ts";
import { receiver } from "./receiver.ts";

const HOSTILE = [
  "<!channel> <https://evil.example|Approve>",
  "`code` *bold* _it_ ~no~ &amp; <@U123>",
  "a\r\nBcc: eve@evil.example\r\n\r\nbody",
  "@everyone @here",
  "[click](https://evil.example)",
  "<b>x</b><script>alert(1)</script>",
  "rm\u202etxt",
  ":bomb:",
  "x".repeat(10_000),
];

async function sendTo(kind: string, target: Record<string, unknown>, message: Message, now = Date.now()) {
  await using there = await receiver();
  const sent = await sendBy(kind, target, message, ways({ fetch: leadingTo(there.url), now }));
  const [first] = there.received;
  return {
    sent,
    headers: first?.headers ?? {},
    text: first?.text ?? "",
    path: first?.path,
    body: first?.body,
  };
}

describe("a webhook", () => {
  const secret = newWebhookSecret();
  const target = (secrets: unknown) => ({ url: "https://receiver.example.org/hook", secrets });
  const signed = (headers: object) => headers as Record<string, string>;

  it("is signed so that its receiver can check it", async ({ expect }) => {
    const { sent, headers, text } = await sendTo("webhook", target([{ secret, until: null }]), opened());
    expect(sent).toEqual({ sent: true });
    const body = new Webhook(secret).verify(text, signed(headers)) as Record<string, unknown>;
    expect(body).toEqual({
      type: "approval.opened",
      timestamp: "2026-11-30T11:59:55.000Z",
      data: opened().data,
    });
    expect(headers["webhook-id"]).toBe(`${ASKED.id}_opened`);
    expect(() => new Webhook(newWebhookSecret()).verify(text, signed(headers))).toThrow();
    expect(() => new Webhook(secret).verify(text.replace("pending", "approved"), signed(headers))).toThrow();
    expect(() =>
      new Webhook(secret).verify(text, signed({ ...headers, "webhook-id": "apr_other_opened" })),
    ).toThrow();
  });

  it("goes by one id and one body however often it is tried; only the time of the try is another", async ({
    expect,
  }) => {
    const now = Date.now();
    const one = await sendTo("webhook", target([{ secret, until: null }]), decided(), now);
    const two = await sendTo("webhook", target([{ secret, until: null }]), decided(), now + 60_000);
    expect(two.headers["webhook-id"]).toBe(one.headers["webhook-id"]);
    expect(two.text).toBe(one.text);
    expect(Number(two.headers["webhook-timestamp"])).toBe(Number(one.headers["webhook-timestamp"]) + 60);
  });

  it("is signed twice while a secret is changed over, and once when that is over", async ({ expect }) => {
    const newer = newWebhookSecret();
    const now = Date.now();
    const secrets = [
      { secret: newer, until: null },
      { secret, until: now + 1_000 },
    ];
    const during = await sendTo("webhook", target(secrets), opened(), now);
    for (const one of [newer, secret]) new Webhook(one).verify(during.text, signed(during.headers));
    expect(String(during.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    const after = await sendTo("webhook", target(secrets), opened(), now + 1_000);
    new Webhook(newer).verify(after.text, signed(after.headers));
    expect(() => new Webhook(secret).verify(after.text, signed(after.headers))).toThrow();
  });

  it("is never sent unsigned", async ({ expect }) => {
    for (const secrets of [
      [],
      undefined,
      [{ secret: "", until: null }],
      [{ secret: "whsec_short", until: null }],
      [{ secret: "plain-text-secret-of-some-length-here", until: null }],
    ]) {
      const { sent, path } = await sendTo("webhook", target(secrets), opened());
      expect(sent, JSON.stringify(secrets)).toEqual({
        sent: false,
        failure: "target-unreadable",
        retry: false,
      });
      expect(path).toBeUndefined();
    }
    const { sent, path } = await sendTo("webhook", target([{ secret, until: 5 }]), opened());
    expect(sent).toEqual({ sent: false, failure: "no-secret", retry: false });
    expect(path).toBeUndefined();
  });

  it("makes secrets of 256 bits, none twice", ({ expect }) => {
    const made = new Set(Array.from({ length: 100 }, newWebhookSecret));
    expect(made.size).toBe(100);
    for (const one of made) expect(atob(one.slice("whsec_".length))).toHaveLength(32);
  });
});

describe("Slack", () => {
  const target = { url: "https://hooks.slack.com/services/T0/B0/x" };

  it("is sent what it shows as it stands", async ({ expect }) => {
    const { text } = await sendTo("slack", target, opened());
    const body = JSON.parse(text) as { blocks: { text: { type: string; text: string } }[]; text: string };
    expect(body.blocks[0]?.text).toEqual({
      type: "plain_text",
      emoji: false,
      text: "“tidy-bot” asks to use “terminal”",
    });
    expect(body.blocks[2]?.text.text).toBe(`<${LINK}|See what it is, and decide>`);
    expect(body).toMatchObject({ unfurl_links: false, unfurl_media: false, parse: "none" });
  });

  it.for(HOSTILE)("reads no mark-up in %j", async (name, { expect }) => {
    const { text } = await sendTo("slack", target, opened({ tool: name }, name));
    const body = JSON.parse(text) as { text: string; blocks: { text: { type: string; text: string } }[] };
    expect(body.text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
    const read = body.blocks.filter((block) => block.text.type === "mrkdwn").map((block) => block.text.text);
    expect(read).toEqual([`<${LINK}|See what it is, and decide>`]);
    for (const block of body.blocks) expect(block.text.text.length).toBeLessThanOrEqual(2_900);
    expect(body.blocks[0]?.text.text.length).toBeLessThanOrEqual(150);
  });

  it("is escaped as Slack wants it", ({ expect }) => {
    expect(escapedForSlack("a & b <c> `d`")).toBe("a &amp; b &lt;c&gt; \u200b`\u200bd\u200b`\u200b");
  });
});

describe("ntfy", () => {
  const target = { server: "https://ntfy.example.org", topic: "a-long-random-topic", token: "tk_secret" };

  it("is sent JSON, since a name could end a header", async ({ expect }) => {
    const { text, headers, path } = await sendTo("ntfy", target, opened({ tool: "Grüße\r\nX-Evil: 1" }));
    expect(path).toBe("/");
    expect(headers["authorization"]).toBe("Bearer tk_secret");
    expect(headers).not.toHaveProperty("x-evil");
    expect(JSON.parse(text)).toMatchObject({
      topic: "a-long-random-topic",
      title: "“tidy-bot” asks to use “Grüße<U+000D><U+000A>X-Evil: 1”",
      click: LINK,
      priority: 4,
      markdown: false,
    });
  });

  it("is sent no token where there is none", async ({ expect }) => {
    const { headers } = await sendTo("ntfy", { ...target, token: null }, opened());
    expect(headers).not.toHaveProperty("authorization");
  });
});

describe("Telegram", () => {
  const target = { token: "123456:AAaaBBbbCCccDDddEEeeFFff", chat_id: "424242" };

  it.for(HOSTILE)("reads %j as it stands, and makes no link of it", async (name, { expect }) => {
    const { text, path } = await sendTo("telegram", target, opened({ tool: name }, name));
    expect(path).toBe("/bot123456:AAaaBBbbCCccDDddEEeeFFff/sendMessage");
    const body = JSON.parse(text) as {
      text: string;
      entities: { type: string; offset: number; length: number }[];
    };
    expect(body).not.toHaveProperty("parse_mode");
    expect(body).toMatchObject({ chat_id: "424242", link_preview_options: { is_disabled: true } });
    expect(body.text.length).toBeLessThan(4_096);
    expect(body.text.endsWith(LINK)).toBe(true);
    expect(body.entities).toHaveLength(2);
    const marked = body.entities.map(({ offset, length }) => body.text.slice(offset, offset + length));
    expect(marked[0]).toBe(marked[1]);
    expect(body.text.startsWith(`${marked[0]} asks to use ${marked[1]}\n`)).toBe(true);
  });

  it("counts what lies outside the basic plane as Telegram does", async ({ expect }) => {
    const { text } = await sendTo("telegram", target, opened({ tool: "🦊tool" }, "🦊🦊"));
    const body = JSON.parse(text) as { text: string; entities: { offset: number; length: number }[] };
    const marked = body.entities.map(({ offset, length }) => body.text.slice(offset, offset + length));
    expect(marked).toEqual(["🦊🦊", "🦊tool"]);
  });
});

describe("mail", () => {
  it.for(HOSTILE)("has one line of subject, whatever %j says", async (name, { expect }) => {
    const mails: { subject: string; text: string; to: string; from: string }[] = [];
    const env = { EMAIL: { send: async (mail: (typeof mails)[number]) => void mails.push(mail) } };
    const mailer = mailerOf(env, "https://countersign.example.com");
    const sent = await sendBy(
      "email",
      { address: "o@example.org" },
      opened({ tool: name }, name),
      ways({ mailer }),
    );
    expect(sent).toEqual({ sent: true });
    expect(mails[0]).toMatchObject({ to: "o@example.org", from: "countersign@countersign.example.com" });
    expect(mails[0]?.subject).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect([...(mails[0]?.subject ?? "")].length).toBeLessThanOrEqual(150);
    expect(mails[0]?.text.match(/https?:\/\/\S+/g)).toEqual([LINK]);
  });

  it("is sent from whom the deployment says, and fails by the name that the binding gives", async ({
    expect,
  }) => {
    const send = vi.fn(async () => {
      throw Object.assign(new Error("o@example.org is not verified"), { code: "E_RECIPIENT_NOT_ALLOWED" });
    });
    const env = { EMAIL: { send }, EMAIL_FROM: "asks@example.com" };
    const mail = { to: "o@example.org", subject: "s", text: "t", link: LINK };
    const sent = await mailerOf(env, "https://countersign.example.com")?.send(mail);
    expect(sent).toEqual({ sent: false, failure: "mail-recipient-not-allowed", retry: true });
    expect(send.mock.calls[0]).toEqual([
      { from: "asks@example.com", to: "o@example.org", subject: "s", text: "t" },
    ]);
    send.mockImplementation(async () => {
      throw new Error("o@example.org: something else");
    });
    expect(await mailerOf(env, "https://countersign.example.com")?.send(mail)).toMatchObject({
      failure: "mail-refused",
    });
  });

  it("is written to the log on a developer's machine alone", async ({ expect }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      for (const origin of ["https://countersign.example.com", "http://192.168.1.2:8787"]) {
        expect(mailerOf({}, origin), origin).toBeNull();
        const sent = await sendBy(
          "email",
          { address: "o@example.org" },
          opened(),
          ways({ origin, mailer: null }),
        );
        expect(sent).toEqual({ sent: false, failure: "no-mailer", retry: false });
      }
      expect(log).not.toHaveBeenCalled();
      for (const origin of ["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787"])
        expect(mailerOf({}, origin), origin).not.toBeNull();
      const mailer = mailerOf({}, "http://localhost:8787");
      await sendBy("email", { address: "owner@localhost" }, opened(), ways({ mailer }));
      expect(log).toHaveBeenCalledTimes(1);
      const line = JSON.parse(String(log.mock.calls[0]?.[0])) as Record<string, unknown>;
      expect(line).toMatchObject({ event: "mail", to: "owner@localhost", link: LINK });
    } finally {
      log.mockRestore();
    }
  });
});

describe("any kind", () => {
  it("fails by a name on a target that is not what it should be", async ({ expect }) => {
    for (const kind of ["webhook", "slack", "ntfy", "telegram", "email", "push"])
      for (const target of [{}, { url: 5, token: null, address: {}, endpoint: [], server: 1, keys: 1 }]) {
        const mailer = mailerOf({ EMAIL: { send: async () => {} } }, "https://countersign.example.com");
        const sent = await sendBy(
          kind,
          target,
          opened(),
          ways({ mailer, fetch: async () => new Response("") }),
        );
        expect(sent.sent, `${kind} ${JSON.stringify(target)}`).toBe(false);
      }
    expect(await sendBy("pigeon", {}, opened(), ways())).toMatchObject({ failure: "unknown-kind" });
    expect(await sendBy("constructor", {}, opened(), ways())).toMatchObject({ failure: "unknown-kind" });
  });

  it("is sent a link whole, however long it is, and whatever else there is", async ({ expect }) => {
    const link = `${ORIGIN}/approve/${"a".repeat(3_300)}`;
    const long = opened({ tool: "\u202e".repeat(500) }, "🦊".repeat(500), link);
    const slack = await sendTo("slack", { url: "https://hooks.slack.com/services/T0/B0/x" }, long);
    expect(JSON.parse(slack.text)).not.toHaveProperty("blocks");
    expect(JSON.parse(slack.text).text).toContain(`<${link}|`);
    const bot = { token: "123456:AAaaBBbbCCccDDddEEeeFFff", chat_id: "1" };
    const { text } = JSON.parse((await sendTo("telegram", bot, long)).text) as { text: string };
    expect(text.endsWith(link)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(4_096);
    const pushed = pushBody(long);
    expect(JSON.parse(pushed)).toMatchObject({ url: link });
    expect(Buffer.byteLength(pushed)).toBeLessThanOrEqual(3_993);
  });

  it("shows nothing of a target by which it could be used", ({ expect }) => {
    const reach = { own: ["countersign.example.com"], loopback: false };
    const secret = "SECRETSECRETSECRETSECRET";
    const targets = {
      webhook: { url: `https://receiver.example.org/${secret}?k=${secret}` },
      slack: { url: `https://hooks.slack.com/services/${secret}` },
      ntfy: { topic: `abcd${secret}`, token: secret },
      telegram: { token: `123456:${secret}`, chat_id: "424242424242" },
      push: {
        endpoint: `https://push.example.org/${secret}`,
        keys: { p256dh: `B${"a".repeat(86)}`, auth: "b".repeat(22) },
      },
    } as const;
    for (const [kind, target] of Object.entries(targets)) {
      const read = readTarget(kind as keyof typeof targets, target, reach);
      if (!read.ok) throw new Error(JSON.stringify(read));
      const shown = JSON.stringify(read.shown);
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain("424242424242");
      expect(shown).not.toMatch(/a{20}|b{20}/);
      expect(JSON.stringify(read.target)).toContain(secret);
    }
  });
});
