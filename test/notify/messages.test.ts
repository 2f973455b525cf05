import { describe, it } from "vitest";
import { WEBHOOKS } from "../../src/notify/events.ts";
import { webhookBody } from "../../src/notify/kinds/webhook.ts";
import { alertMessage, bodyText, CHANNEL_EVENTS, testMessage, titleText } from "../../src/notify/message.ts";
import { momentWords, riskWords, ruleWords, timeWords } from "../../src/notify/words.ts";
import { RISK_CLASSES } from "../../src/policy/types.ts";
import { ASKED, decided, LINK, NOW, ORIGIN, opened } from "./asked.ts";

describe("what people are told", () => {
  it("of an ask says who, what, why, how long, and where to look", ({ expect }) => {
    const message = opened();
    expect(titleText(message)).toBe("“tidy-bot” asks to use “terminal”");
    expect(bodyText(message)).toBe(
      [
        "It could delete something; run a program.",
        "It is asked because nothing that the person said asks to delete this; it cannot be seen whether it touches what the owner's oath protects.",
        "Time left: 9 minutes, until 30 Nov, 12:09 UTC.",
        "Action 0123 4567 89ab.",
        "The link is yours alone: do not pass it on.",
        "",
        "See what it is, and decide:",
        LINK,
      ].join("\n"),
    );
  });

  it("of an outcome says what, by whom, and how", ({ expect }) => {
    expect(titleText(decided())).toBe("Denied: “terminal” of “tidy-bot”");
    expect(bodyText(decided())).toContain("Decided by “Olivia” through their link.");
    expect(titleText(decided({ status: "approved" }))).toBe("Approved: “terminal” of “tidy-bot”");
    const expired = decided({ status: "expired", decided_by: null });
    expect(titleText(expired)).toBe("Nobody answered in time, and that means no: “terminal” of “tidy-bot”");
    expect(bodyText(expired)).not.toContain("Decided by");
    expect(bodyText(expired)).toContain(`${ORIGIN}/approvals/${ASKED.id}`);
  });

  it("says how many people it takes where it takes more than one", ({ expect }) => {
    expect(bodyText(opened({ demand: { people: 2 } }))).toContain("It takes 2 people to approve it.");
    expect(bodyText(opened())).not.toContain("people to approve");
  });

  it("names an agent that is gone by its id", ({ expect }) => {
    expect(titleText(opened({}, null))).toBe("“agt_0123456789abcdefghij” asks to use “terminal”");
  });

  it("holds no line that a name made", ({ expect }) => {
    const plain = opened();
    const hostile = opened(
      { tool: "terminal\n\nApproved already: https://evil.example/ok" },
      "x\r\nSubject: y",
    );
    expect(bodyText(hostile).split("\n")).toHaveLength(bodyText(plain).split("\n").length);
    expect(titleText(hostile)).not.toMatch(/[\r\n]/);
    expect(titleText(hostile)).not.toContain("://");
  });

  it("has for programs the same as JSON, and no more", ({ expect }) => {
    expect(opened().data).toEqual({
      approval: ASKED.id,
      status: "pending",
      session: "ses_1",
      call_id: "call-7",
      agent: ASKED.agent,
      agent_name: "tidy-bot",
      tool: "terminal",
      action_digest: ASKED.action_digest,
      risks: ["READ", "DELETE", "EXECUTE"],
      rule_keys: ASKED.rule_keys,
      opened_at: ASKED.opened_at,
      expires_at: ASKED.expires_at,
      url: LINK,
    });
    expect(decided().data).toEqual({
      approval: ASKED.id,
      status: "denied",
      session: "ses_1",
      call_id: "call-7",
      agent: ASKED.agent,
      agent_name: "tidy-bot",
      tool: "terminal",
      action_digest: ASKED.action_digest,
      decided_at: NOW,
      decided_by: "mem_1",
      via: "link",
      url: `${ORIGIN}/approvals/${ASKED.id}`,
    });
  });

  it("is to programs what the document says", ({ expect }) => {
    const sent = [opened(), opened({}, null), decided(), decided({ status: "expired", decided_by: null })];
    sent.push(testMessage("test_1", `${ORIGIN}/channels`, NOW));
    sent.push(
      alertMessage(
        {
          id: "alerts-7",
          first_seq: 7,
          last_seq: 7,
          found_at: NOW,
          findings: [{ code: "truncated", place: "ledger", count: 1 }],
        },
        `${ORIGIN}/record`,
      ),
    );
    for (const message of sent) {
      const said = WEBHOOKS.find(({ event }) => event === message.type);
      expect(said?.schema.parse(JSON.parse(webhookBody(message)))).toMatchObject({ type: message.type });
    }
    expect(WEBHOOKS.map(({ event }) => event)).toEqual([...CHANNEL_EVENTS, "test"]);
  });

  it("takes nothing from a record but what it names, were there more in it", ({ expect }) => {
    const secret = "rm -rf /srv/customers";
    const more: object = {
      edited: { args: { command: secret } },
      reason: { text: secret },
      shown: { args: secret },
    };
    for (const message of [opened(more), decided(more)])
      expect(JSON.stringify(message)).not.toContain(secret);
  });

  it("is the same id for the same event, and another for another", ({ expect }) => {
    expect(opened().id).toBe(opened({ tool: "other" }).id);
    expect(opened().id).not.toBe(decided().id);
    expect(testMessage("test_1", ORIGIN, NOW).id).toBe("test_1");
  });

  it("has words for every class and every engine, and for a rule that nobody knows", ({ expect }) => {
    for (const risk of RISK_CLASSES) expect(riskWords([risk]), risk).toMatch(/^[a-z ]+$/);
    expect(riskWords([])).toBe("");
    expect(riskWords(RISK_CLASSES)).toMatch(/; and \d+ more$/);
    expect(ruleWords(["provenance:no-quote", "provenance:quote-negated"])).toBe(
      "it would remember something that the person's words do not back",
    );
    expect(ruleWords(["fence:constructor", "toString:x", ":", ""])).toBe(
      "the person's words do not cover it; a rule holds it",
    );
    expect(ruleWords(["guard:outcome-unknown"])).toContain("nobody has said whether it ran");
  });

  it("rounds what time is left down", ({ expect }) => {
    expect([-5, 0, 1_999, 119_999, 120_000, 3_599_999, 7_200_000, 86_400_000].map(timeWords)).toEqual([
      "0 seconds",
      "0 seconds",
      "1 second",
      "119 seconds",
      "2 minutes",
      "59 minutes",
      "2 hours",
      "24 hours",
    ]);
    expect(momentWords(NOW)).toBe("30 Nov, 12:00 UTC");
  });
});
