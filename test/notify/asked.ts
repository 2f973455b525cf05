/** An ask, its outcome, and the ways that a message goes in tests. */
import type { SendWays } from "../../src/notify/kinds/kind.ts";
import { type Asked, decidedMessage, type Message, openedMessage } from "../../src/notify/message.ts";

export const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);
export const ORIGIN = "https://countersign.example.com";
export const SECRETS = ["newest-settings-key-of-the-notify-tests", "older-settings-key-of-the-notify-tests"];

export const ASKED: Asked = {
  id: "apr_0123456789abcdefghij",
  session: "ses_1",
  root: "ses_1",
  agent: "agt_0123456789abcdefghij",
  call_id: "call-7",
  tool: "terminal",
  action_digest: "0123456789abcdef".repeat(4),
  risks: ["READ", "DELETE", "EXECUTE"],
  rule_keys: ["fence:unauthorized-delete", "oath:opaque"],
  demand: { people: 1 },
  status: "pending",
  opened_at: NOW - 5_000,
  expires_at: NOW + 595_000,
  extended: false,
  decided_at: null,
  decided_by: null,
};

export const DECIDED: Asked = {
  ...ASKED,
  status: "denied",
  decided_at: NOW,
  decided_by: { member: "mem_1", via: "link" },
};

export const NAMES = { agent: "tidy-bot", member: "Olivia" };
export const LINK = `${ORIGIN}/approve/eyJhbGciOi.eyJpc3Mi.c2ln`;

export function opened(
  change: Partial<Asked> = {},
  agent: string | null = "tidy-bot",
  link: string = LINK,
): Message {
  return openedMessage({ ...ASKED, ...change }, { agent, member: null }, link, true, NOW);
}

export function decided(change: Partial<Asked> = {}): Message {
  return decidedMessage({ ...DECIDED, ...change }, NAMES, `${ORIGIN}/approvals/${ASKED.id}`, NOW);
}

export function ways(change: Partial<SendWays> = {}): SendWays {
  return {
    fetch: (...request) => fetch(...request),
    reach: { own: [new URL(ORIGIN).host], loopback: true },
    origin: ORIGIN,
    secrets: SECRETS,
    mailer: null,
    now: NOW,
    ...change,
  };
}

/** A fetch that finds what an address says on a receiver of the test, as if its name led there. */
export function leadingTo(url: string): typeof globalThis.fetch {
  return (input, init) => {
    const { pathname, search } = new URL(String(input));
    return fetch(url + pathname + search, init);
  };
}
