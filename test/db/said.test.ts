import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, it } from "vitest";
import { findSaid, type SaidQuery, saidStatements } from "../../src/db/said.ts";
import { needleOf, pairQuery, pairsOf, searchable } from "../../src/policy/provenance/index.ts";

interface Message {
  readonly chain: string;
  readonly text: string;
}

let organizations = 0;
const newOrganization = (): string => {
  organizations += 1;
  return `org_said_${organizations}`;
};

/** Keeps messages as a delivery does, in their order. */
async function keep(
  organization: string,
  agent: string,
  messages: readonly Message[],
  at = 1,
): Promise<void> {
  for (const [seq, { chain, text }] of messages.entries()) {
    const form = searchable(text);
    const row = {
      agent_id: agent,
      seq: seq + 1,
      session_id: chain,
      message_id: `${chain} ${seq + 1}`,
      at,
      sender_id: null,
      text,
      searchable: form,
      pairs: pairsOf(form),
    };
    await env.DB.batch(saidStatements(env.DB, organization, chain, [row]));
  }
}

async function found(
  organization: string,
  query: Partial<SaidQuery>,
  quotes: readonly string[],
  db = env.DB,
) {
  const sought = quotes.map((quote) => ({
    needle: needleOf(quote),
    match: pairQuery(needleOf(quote)) ?? "",
  }));
  const answer = await findSaid(db, organization, {
    agent: "a",
    chain: "one",
    profile: false,
    since: 0,
    sought,
    ...query,
  });
  return answer.found.map((messages) => messages.map(({ message_id }) => message_id));
}

const word = fc.constantFrom(
  ...'ship friday the database never Delete PostgreSQL ok-go don\'t v2.1 naïve 数据库就用 周五上线 吧 ＦＵＬＬ a_b "quoted" 50% * AND OR NOT NEAR( ^x col:'.split(
    " ",
  ),
);
const message = fc.record({
  chain: fc.constantFrom("one", "two"),
  text: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" ")),
});

describe("looking quotes up", () => {
  it("finds what stands there word for word, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.nat(11)), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (messages, cuts, profile) => {
          const organization = newOrganization();
          await keep(organization, "a", messages);
          // Somebody else's, who said it all as well.
          await keep(
            organization,
            "b",
            messages.map((one) => ({ ...one, chain: `${one.chain} of b` })),
          );
          const quotes = cuts
            .map(([at, from, length]) => {
              const words = (messages[at % messages.length]?.text ?? "").split(" ");
              return words.slice(from % words.length, (from % words.length) + 1 + length).join(" ");
            })
            .filter((quote) => pairQuery(needleOf(quote)) !== null);
          const ids = messages.map(({ chain, text }, index) => ({
            id: `${chain} ${index + 1}`,
            chain,
            form: searchable(text),
          }));
          const expected = quotes.map((quote) => {
            const holding = ids.filter(({ form }) => form.includes(needleOf(quote))).reverse();
            const own = holding.filter(({ chain }) => chain === "one").slice(0, 16);
            const others = profile ? holding.filter(({ chain }) => chain !== "one").slice(0, 16) : [];
            return [...own, ...others].map(({ id }) => id);
          });
          return JSON.stringify(await found(organization, { profile }, quotes)) === JSON.stringify(expected);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("takes one round trip for a hundred quotes, and one more where messages are long", async ({
    expect,
  }) => {
    const organization = newOrganization();
    const texts = Array.from({ length: 100 }, (_, n) => `we ship the part number ${n} on friday`);
    await keep(
      organization,
      "a",
      texts.map((text) => ({ chain: "one", text })),
    );
    let trips = 0;
    const counted = {
      batch: (statements: D1PreparedStatement[]) => {
        trips += 1;
        return env.DB.batch(statements);
      },
      prepare: (sql: string) => {
        const statement = env.DB.prepare(sql);
        const bind = statement.bind.bind(statement);
        return Object.assign(statement, {
          bind: (...values: unknown[]) => {
            const bound = bind(...values);
            const all = bound.all.bind(bound);
            return Object.assign(bound, {
              all: () => {
                trips += 1;
                return all();
              },
            });
          },
        });
      },
    } as unknown as D1Database;
    const answers = await found(organization, { profile: true }, texts, counted);
    expect(answers.map(([first]) => first)).toEqual(texts.map((_, n) => `one ${n + 1}`));
    expect(trips).toBe(1);
    const long = "x ".repeat(2_000);
    await keep(organization, "b", [{ chain: "two", text: `${long} we ship the long part on friday` }]);
    const query = { agent: "b", chain: "two" };
    expect(await found(organization, query, ["we ship the long part"], counted)).toEqual([["two 1"]]);
    expect(trips).toBe(3);
  });

  it("keeps many turns of one delivery in their order, large ones among them, and each once", async ({
    expect,
  }) => {
    const organization = newOrganization();
    const rows = Array.from({ length: 60 }, (_, n) => {
      const text = `${n % 20 === 7 ? "字 x ".repeat(120_000) : ""} we ship part ${n} on friday`;
      const form = searchable(text);
      return {
        agent_id: "a",
        seq: n + 1,
        session_id: "one",
        message_id: `one ${n + 1}`,
        at: n,
        sender_id: n % 2 === 0 ? null : "ann",
        text,
        searchable: form,
        pairs: pairsOf(form),
      };
    });
    const statements = saidStatements(env.DB, organization, "one", rows);
    expect(statements.length).toBeLessThan(25);
    await env.DB.batch(statements);
    await env.DB.batch(saidStatements(env.DB, organization, "one", rows.slice(30)));
    const { results } = await env.DB.prepare(
      "SELECT seq, sender_id, at, indexed FROM said WHERE organization_id = ? ORDER BY said_id",
    )
      .bind(organization)
      .all();
    expect(results).toEqual(rows.map(({ seq, sender_id, at }) => ({ seq, sender_id, at, indexed: 1 })));
    const answers = await found(
      organization,
      {},
      rows.map(({ seq }) => `we ship part ${seq - 1} on friday`),
    );
    expect(answers).toEqual(rows.map(({ message_id }) => [message_id]));
  });

  it("tells the last three of the chain, nothing too old, and keeps a message once", async ({ expect }) => {
    const organization = newOrganization();
    const messages = ["yes", "no", "maybe", "we ship"].map((text) => ({ chain: "one", text }));
    await keep(organization, "a", messages, 500);
    await keep(organization, "a", messages, 500);
    const query = {
      agent: "a",
      chain: "one",
      profile: true,
      sought: [{ match: pairsOf("we ship"), needle: "we ship" }],
    };
    const recent = await findSaid(env.DB, organization, { ...query, since: 500 });
    expect(recent.last.map(({ text }) => text)).toEqual(["we ship", "maybe", "no"]);
    expect(recent.found.map((one) => one.length)).toEqual([1]);
    const old = await findSaid(env.DB, organization, { ...query, since: 501 });
    expect([old.last, old.found]).toEqual([[], [[]]]);
  });

  it("reads no more text than one answer holds, the newest of each quote first", async ({ expect }) => {
    const organization = newOrganization();
    const long = "x ".repeat(400_000);
    await keep(
      organization,
      "a",
      Array.from({ length: 7 }, (_, n) => ({ chain: "one", text: `${long} we ship on friday ${n}` })),
    );
    const [messages] = await found(organization, {}, ["we ship on friday"]);
    expect(messages).toEqual(["one 7", "one 6", "one 5", "one 4"]);
  });
});
