import { describe, it } from "vitest";
import {
  type Answers,
  type Candidate,
  findingsOf,
  inquire,
  isShort,
  type Judged,
  judgeProvenance,
  readWrite,
  rowsOf,
  searchable,
  withStop,
} from "../../../src/policy/provenance/index.ts";
import {
  conditionOf,
  contentTokens,
  hasNegation,
  hear,
  roleOf,
  standingIn,
  startsNegated,
} from "../../../src/policy/provenance/said.ts";
import type { JsonObject } from "../../../src/policy/types.ts";

/** What a database would answer, the newest message last. */
function answersFor(needles: readonly string[], typed: readonly (string | Partial<Candidate>)[]): Answers {
  const candidates = typed
    .map((one, index): Candidate => {
      const given = typeof one === "string" ? { text: one } : one;
      return {
        id: `m${index + 1}`,
        text: "",
        where: "this-session",
        recent: typed.length - 1 - index,
        ...given,
      };
    })
    .reverse();
  return needles.map((needle) => candidates.filter(({ text }) => searchable(text).includes(needle)));
}

function judge(
  content: string,
  typed: readonly (string | Partial<Candidate>)[],
  stored: string | null = null,
  args: JsonObject = {},
) {
  const write = readWrite(
    { tool: "memory", args: { action: "add", target: "memory", content, ...args } },
    stored,
  );
  if (write.kind !== "write") throw new Error(write.kind);
  const inquiry = inquire(write);
  const judged: Judged = judgeProvenance(inquiry, answersFor(inquiry.needles, typed));
  const outcome = judged.reason ?? judged.claims.map(({ reason }) => reason ?? "pass");
  return { outcome, write, inquiry, judged };
}
const outcome = (content: string, ...typed: (string | Partial<Candidate>)[]) => judge(content, typed).outcome;

describe("the worked examples", () => {
  const claim = "User decided to ship on Friday.";

  it("refuses a decision without the user's words", ({ expect }) => {
    const { write, judged } = judge(claim, ["I decided we ship on Friday"]);
    expect(findingsOf(write, judged, 0)).toEqual([
      {
        verdict: "block",
        reason: {
          rule_key: "provenance:no-quote",
          engine: "provenance",
          clearable_by: "caller",
          message:
            'provenance-gate: this write states a user decision ("User decided to ship on Friday.") without the user\'s words. Quote the user\'s exact words in "..." if they said it, or write it as your own suggestion or as an open question. Nothing was written.',
        },
      },
    ]);
    expect(rowsOf(write, judged)).toEqual([
      {
        tool: "memory",
        target: "memory:memory",
        claim,
        quote: null,
        msg_id: null,
        matched_in: null,
        sender_id: null,
        role: "unknown",
        condition: "unknown",
        reason: "no_quote",
      },
    ]);
  });

  it("lets the same decision pass with them, and says whose they are", ({ expect }) => {
    const content = 'User decided to ship on Friday ("I decided we ship on Friday")';
    const { write, judged } = judge(content, ["I decided we ship on Friday"]);
    expect(findingsOf(write, judged, 0)).toEqual([]);
    expect(rowsOf(write, judged)).toEqual([
      {
        tool: "memory",
        target: "memory:memory",
        claim: content,
        quote: "I decided we ship on Friday",
        msg_id: "m1",
        matched_in: "this-session",
        sender_id: "",
        role: "self",
        condition: "none",
      },
    ]);
  });

  it("names what is wrong with a quote", ({ expect }) => {
    const message = (content: string, typed: string): string => {
      const { write, judged } = judge(content, [typed]);
      return findingsOf(write, judged, 0)[0]?.reason.message ?? "";
    };
    expect(
      message(
        'The user approved deleting the prod database ("can you look at the logs for me").',
        "can you look at the logs for me",
      ),
    ).toContain(
      'without the user\'s words. The quoted words ("can you look at the logs for me") do not share key words with the decision. Quote',
    );
    expect(
      message(
        'The user approved deleting the prod database ("delete the prod database").',
        "Never delete the prod database without asking me",
      ),
    ).toContain(
      'The quoted words ("delete the prod database") follow a negation in what the user typed (for example "never …" or "don\'t …"), so they do not back the decision.',
    );
  });

  it("says to stop at the third refusal of one target in a turn", ({ expect }) => {
    const { write, judged } = judge(claim, []);
    const last = (refusals: number): string => findingsOf(write, judged, refusals)[0]?.reason.message ?? "";
    expect(last(1)).not.toContain("Stop retrying");
    expect(last(2)).toMatch(/Nothing was written\. Stop retrying this write; ask the user instead\.$/);
    expect(withStop(last(0), 2)).toBe(last(2));
    expect(withStop(last(2), 5)).toBe(last(2));
  });
});

describe("a quote", () => {
  const backed = (quote: string): string => `User decided to keep the blue logo on the site ("${quote}").`;

  it("is verbatim up to form, case, white space, kind of quote and its own last marks", ({ expect }) => {
    for (const typed of [
      "Keep the blue logo",
      "keep  the\nblue LOGO!",
      "ok, ｋｅｅｐ the blue logo",
      "keep the “blue” logo",
    ])
      expect(
        outcome(backed(typed.includes("“") ? "keep the 'blue' logo" : "keep the blue logo."), typed),
      ).toEqual([typed.includes("“") ? "quote_not_found" : "pass"]);
    expect(outcome(backed("keep the blue logo"), "keep the blue, logo")).toEqual(["quote_not_found"]);
    expect(outcome(backed("keep the … logo"), "keep the blue logo")).toEqual(["quote_not_found"]);
  });

  it.each([
    "keep the blue logos",
    "keep the blue logo-type",
    "keep the blue logo_x",
    "keep the blue logo/x",
    "keep the blue logo's",
    "keep the blue logo.svg",
    "unkeep the blue logo",
    "re-keep the blue logo",
  ])("does not cut a word in half: %s", (typed) => {
    const got = outcome(backed("keep the blue logo"), typed);
    if (got[0] !== "quote_not_found") throw new Error(String(got));
  });

  it("stands in this session, or in the profile when that was searched", ({ expect }) => {
    const elsewhere = { text: "keep the blue logo", where: "profile", recent: null } as const;
    const { judged } = judge(backed("keep the blue logo"), [elsewhere]);
    expect(judged.claims[0]).toMatchObject({ reason: null, matched_in: "profile" });
    const both = judge(backed("keep the blue logo"), [elsewhere, "keep the blue logo"]);
    expect(both.judged.claims[0]).toMatchObject({ matched_in: "this-session" });
  });

  it("drops no negation, twelve words or six characters back", ({ expect }) => {
    const quote = "keep the blue logo";
    for (const typed of [
      `never ${quote}`,
      `please don't ${quote}`,
      `I will not, under any circumstances, ${quote}`,
      `we ship without, well, ${quote}`,
    ])
      expect(outcome(backed(quote), typed), typed).toEqual(["quote_negated"]);
    for (const typed of [
      `not a b c d e f g h i j k l ${quote}`,
      `never mind. ${quote}`,
      `no\n${quote}`,
      `no; ${quote}`,
    ])
      expect(outcome(backed(quote), typed), typed).toEqual(["pass"]);
    // One clean place is enough.
    expect(outcome(backed(quote), `never ${quote}`, quote)).toEqual(["pass"]);
    const chinese = (typed: string) => outcome("用户同意改线上配置(“改线上配置文件”)。", typed);
    expect(chinese("千万别改线上配置文件")).toEqual(["quote_negated"]);
    expect(chinese("不要现在就去改线上配置文件")).toEqual(["quote_negated"]);
    expect(chinese("不着急你慢慢来这周改线上配置文件")).toEqual(["pass"]);
    expect(chinese("特别想改线上配置文件")).toEqual(["pass"]);
    expect(chinese("别的先放着。改线上配置文件")).toEqual(["pass"]);
  });

  it("was no question", ({ expect }) => {
    const quote = "keep the blue logo";
    for (const typed of [`should we ${quote}?`, `${quote}? I wonder`, `shall we ${quote} on the site?`])
      expect(outcome(backed(quote), typed), typed).toEqual(["quote_from_question"]);
    expect(outcome(backed(quote), `what now? ${quote}.`)).toEqual(["pass"]);
    expect(outcome("用户同意停止发版(“国庆停止发版”)。", "国庆停止发版可以吗")).toEqual([
      "quote_from_question",
    ]);
  });

  it("that begins with a negation backs no approval, but a refusal and a claim that is denied itself", ({
    expect,
  }) => {
    const quote = "don't approve the refund for order 1182";
    expect(outcome(`The user approved the refund for order 1182 ("${quote}").`, quote)).toEqual([
      "negated_quote_for_approval",
    ]);
    expect(outcome(`The user rejected the refund for order 1182 ("${quote}").`, quote)).toEqual(["pass"]);
    expect(outcome(`The user told me not to approve the refund ("${quote}").`, quote)).toEqual(["pass"]);
    expect(outcome(`The user decided not to approve the refund ("${quote}").`, quote)).toEqual(["pass"]);
  });

  it("is about the claim: two content words, the verb of the claim not counted", ({ expect }) => {
    expect(
      outcome('User approved it ("merge the hotfix branch today").', "merge the hotfix branch today"),
    ).toEqual(["quote_unrelated"]);
    expect(
      outcome('User approved the hotfix branch ("I approved the user story").', "I approved the user story"),
    ).toEqual(["quote_unrelated"]);
    expect(
      outcome('User approved the hotfix branch ("merge the hotfix branch").', "merge the hotfix branch"),
    ).toEqual(["pass"]);
    // Words of the claim before it do not count.
    expect(
      outcome(
        'User decided to move the DNS ("move the DNS tonight please") and the user approved firing the host ("move the DNS tonight please").',
        "move the DNS tonight please",
      ),
    ).toEqual(["pass", "quote_unrelated"]);
  });

  it("that is short counts only as a whole message, among the last three", ({ expect }) => {
    const content = 'User approved the flyer proof ("yes").';
    expect(outcome(content, "Yes!")).toEqual(["pass"]);
    expect(outcome(content, "yes", "a", "b")).toEqual(["pass"]);
    expect(outcome(content, "yes", "a", "b", "c")).toEqual(["quote_too_short"]);
    expect(outcome(content, "yes please do")).toEqual(["quote_too_short"]);
    expect(outcome(content, { text: "yes", where: "profile", recent: null })).toEqual(["quote_too_short"]);
    expect(outcome(content, "no")).toEqual(["quote_not_found"]);
    expect(outcome(content, "yes?")).toEqual(["quote_from_question"]);
    expect(isShort("买吧")).toBe(true);
    expect(isShort("可以买啊")).toBe(false);
    expect(isShort("the user's go-ahead")).toBe(true);
  });

  it("is not asked for where nobody looked", ({ expect }) => {
    const write = readWrite(
      { tool: "memory", args: { action: "add", content: 'User approved it ("yes").' } },
      null,
    );
    if (write.kind !== "write") throw new Error();
    const { claims } = judgeProvenance(inquire(write), []);
    expect(claims.map(({ reason }) => reason)).toEqual(["quote_too_short"]);
  });

  it("belongs to one claim: the text from its start to the next", ({ expect }) => {
    const typed = ["move the DNS to the new provider tonight", "cancel the old host at month end"];
    const first = '("move the DNS to the new provider tonight")';
    const second = '("cancel the old host at month end")';
    expect(
      outcome(
        `User decided to move the DNS ${first} and the user approved to cancel the old host ${second}.`,
        ...typed,
      ),
    ).toEqual(["pass", "pass"]);
    expect(
      outcome(
        `User decided to move the DNS ${first} and the user approved to cancel the old host.`,
        ...typed,
      ),
    ).toEqual(["pass", "no_quote"]);
    expect(outcome(`User decided to move the DNS; ${first}`, ...typed)).toEqual(["no_quote"]);
    expect(outcome(`As in ${first}, the user agreed to move the DNS.`, ...typed)).toEqual(["no_quote"]);
    // What ends a sentence owns what it ends.
    expect(outcome(`Move the DNS to the new provider ${first}, as requested by the user.`, ...typed)).toEqual(
      ["pass"],
    );
  });

  it("hides no claim until it is verified", ({ expect }) => {
    const inside = "the owner approved the Q3 budget";
    for (const [open, close] of [
      ['"', '"'],
      ["“", "”"],
      ["「", "」"],
      ["『", "』"],
      ["'", "'"],
      ["`", "`"],
    ]) {
      expect(outcome(`Forward: ${open}${inside}${close}`)).toEqual(["no_quote"]);
      if (open !== "`")
        expect(outcome(`Forward: ${open}${inside}${close}`, `${inside}, tell finance`), open).toEqual([]);
    }
    // A claim whose subject and verb stand on both sides of what the user typed.
    const around = 'The user "I like it a lot, you know" approved the budget.';
    expect(outcome(around)).toEqual([]);
    expect(outcome(around, "I like it a lot, you know")).toEqual(["no_quote"].map(() => "quote_unrelated"));
    // A quotation is no scenario either.
    expect(
      outcome(
        'In "the checkout flow of the demo" the user approved the refund.',
        "the checkout flow of the demo",
      ),
    ).toEqual(["no_quote"]);
  });

  it("that is stored already is evidence where that text is edited", ({ expect }) => {
    const stored =
      'User decided to keep teh blue logo ("keep the blue logo as it is").\n§\nUser approved the rota ("yes").';
    const edit = (content: string, old: string) =>
      judge(content, ["fix the typos"], stored, { action: "replace", old_text: old }).judged.claims;
    expect(
      edit('User decided to keep the blue logo ("keep the blue logo as it is").', "teh blue"),
    ).toMatchObject([{ reason: null, matched_in: "stored-text", message: null }]);
    expect(edit('User decided to sell the van ("keep the blue logo as it is").', "teh blue")).toMatchObject([
      { reason: "quote_unrelated" },
    ]);
    expect(edit('User approved the rota for May ("yes").', "rota")).toMatchObject([
      { reason: "quote_unrelated" },
    ]);
    expect(edit('User approved the whole rota now ("yes").', "rota")).toHaveLength(1);
    expect(
      judge('User decided to keep the blue logo ("keep the blue logo as it is").', [], stored).outcome,
    ).toEqual(["quote_not_found"]);
  });

  it("names what got farthest among several", ({ expect }) => {
    expect(
      outcome(backed('never said that at all") ("keep the blue logo'), "do not keep the blue logo"),
    ).toEqual(["quote_negated"]);
    expect(outcome(backed('never said that at all") ("keep the blue logo'), "keep the blue logo")).toEqual([
      "pass",
    ]);
    expect(
      outcome(
        "User decided to put the guests' names on the cards ('put the guests' names on the cards').",
        "put the guests' names on the cards",
      ),
    ).toEqual(["pass"]);
  });
});

describe("bounds", () => {
  it("refuses more than a hundred claims unread", ({ expect }) => {
    const line = (n: number): string => `- User approved line ${n}.\n`;
    const many = (count: number): string => Array.from({ length: count }, (_, n) => line(n)).join("");
    expect(outcome(many(100))).toHaveLength(100);
    const { outcome: reason, write, judged } = judge(many(101), []);
    expect(reason).toBe("too_many_claims");
    expect(findingsOf(write, judged, 0)[0]?.reason).toMatchObject({ rule_key: "provenance:too-many-claims" });
    expect(rowsOf(write, judged)).toMatchObject([{ claim: null, reason: "too_many_claims" }]);
    // Those that stand there already are not counted.
    expect(
      judge(`${many(101)}- User approved the van.\n`, [], many(101), {
        action: "replace",
        old_text: many(101),
      }).outcome,
    ).toEqual(["no_quote"]);
  });

  it("looks up the first thirty-two quoted spans of a sentence", ({ expect }) => {
    const noise = Array.from({ length: 31 }, (_, n) => `"noise number ${n} of many"`).join(" ");
    const good = '"keep the blue logo as is"';
    expect(
      outcome(`User decided to keep the blue logo as is ${noise} ${good}`, "keep the blue logo as is"),
    ).toEqual(["pass"]);
    expect(
      outcome(
        `User decided to keep the blue logo as is ${noise} "one too many here" ${good}`,
        "keep the blue logo as is",
      ),
    ).toEqual(["quote_not_found"]);
  });

  it("gives one finding for each class of failure", ({ expect }) => {
    const { write, judged } = judge(
      'User approved a.\nUser approved b.\nUser approved c ("never said that at all").',
      [],
    );
    const findings = findingsOf(write, judged, 0);
    expect(findings.map(({ reason }) => reason.rule_key)).toEqual([
      "provenance:no-quote",
      "provenance:quote-not-found",
    ]);
    expect(findings[0]?.reason.message).toContain("The same holds for 1 more of its claims.");
  });

  it("refuses what nobody can read", ({ expect }) => {
    const write = readWrite({ tool: "memory", args: { operations: "[{" } }, null);
    expect(findingsOf(write, null, 2)[0]?.reason).toMatchObject({
      rule_key: "provenance:unreadable-arguments",
      message: expect.stringMatching(/cannot be read \(operations is not JSON\).*Stop retrying/) as string,
    });
    expect(rowsOf(write, null)).toMatchObject([{ claim: null, reason: "unreadable_arguments" }]);
    expect(findingsOf({ kind: "none" }, null, 9)).toEqual([]);
    expect(rowsOf({ kind: "none" }, null)).toEqual([]);
  });
});

describe("what is unchanged", () => {
  it("is not checked again, and nothing else is let through with it", ({ expect }) => {
    const stored = "Teh build is nightly. User decided to keep the logo.\n```\nuser approved the scan\n```";
    const edit = (old: string, content: string) =>
      judge(content, [], stored, { action: "patch", old_text: old }).outcome;
    expect(edit("Teh build", "The build")).toEqual([]);
    expect(edit("keep the logo", "keep the old logo")).toEqual(["no_quote"]);
    // What was code is prose once its fence is gone.
    expect(edit("```\nuser approved the scan\n```", "user approved the scan")).toEqual(["no_quote"]);
  });
});

describe("words", () => {
  it("tell who decides, and under which condition", ({ expect }) => {
    for (const [quote, role] of [
      ["I decided we ship on Friday", "self"],
      ["we're going with Fly", "self"],
      ["我同意把图床迁走", "self"],
      ["Alice decided we're using Postgres", "relayed"],
      ["Dana from legal decided we're using the short contract", "relayed"],
      ["the landlord said no to the boiler", "relayed"],
      ["老板同意涨价了", "relayed"],
      ["Alice suggested X and I agree", "unknown"],
      ["小雯说用飞书,我同意", "unknown"],
      ["ship it on Friday", "unknown"],
    ] as const)
      expect(roleOf(quote), quote).toBe(role);
    for (const quote of ["only if it fits", "ship unless it rains", "as long as it holds", "只要不下雨就去"])
      expect(conditionOf(quote), quote).toBe("unresolved");
    expect(conditionOf("ship on Friday if you like")).toBe("none");
  });

  it("tell a negation from what looks like one", ({ expect }) => {
    for (const text of [
      "never do",
      "don\u2019t do".replace("\u2019", "'"),
      "do not",
      "without it",
      "不要",
      "没有",
      "别走",
    ])
      expect(hasNegation(text), text).toBe(true);
    for (const text of ["nothing-like".slice(0, 0), "特别好", "不过可以", "没问题", "note that", "别人"])
      expect(hasNegation(text), text).toBe(false);
    for (const text of ["please don't", "ok, never", "不要动", "请别动", "do not move"])
      expect(startsNegated(text), text).toBe(true);
    for (const text of ["没问题", "move, don't run", "notify me"])
      expect(startsNegated(text), text).toBe(false);
  });

  it("are compared by content", ({ expect }) => {
    expect([...contentTokens("The user's GPU, and 改线上 net-14 terms")].sort()).toEqual(
      ["gpu", "net", "terms", "改线", "线上"].sort(),
    );
  });

  it("are told apart in characters beyond the first plane too", ({ expect }) => {
    const typed = "用𠮷野家的数据库，周五上线";
    expect(outcome(`用户决定用𠮷野家的数据库，周五上线（“${typed}”）。`, typed)).toEqual(["pass"]);
    expect(outcome("用户决定用𠮷野家（“用𠮷野家”）。", "用𠮷野家")).toEqual(["pass"]);
    expect([...contentTokens("用𠮷野a")]).toEqual(["用𠮷", "𠮷野"]);
    expect([isShort("𠮷野家"), isShort("用𠮷野家")]).toEqual([true, false]);
  });

  it("are heard as typed, a line's end kept", ({ expect }) => {
    expect(hear(" a\n\n b  c ")).toEqual({ text: "a b c", breaks: [2] });
    expect(standingIn(hear("don't\nship the beta now"), "ship the beta now")).toBe("clean");
    expect(standingIn(hear("don't ship the beta now"), "ship the beta now")).toBe("negated");
    expect(standingIn(hear("ship the beta"), "ship the alpha")).toBe("absent");
  });
});
