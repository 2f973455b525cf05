import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TABLES } from "../../src/policy/effects/index.ts";
import {
  type FenceConfiguration,
  type HeardTurn,
  readConfiguration,
  undrafted,
} from "../../src/policy/fence/index.ts";
import { MODES, type Modes } from "../../src/policy/modes.ts";
import type { BoundOath } from "../../src/policy/oath/index.ts";
import { Replay, type ReplayedCall } from "../../src/policy/replay.ts";
import type { Environment } from "../../src/policy/types.ts";
import { CALLS, type ToolUse } from "./fence/material.ts";
import { ENVIRONMENT, judged, RANK, reading, words } from "./fence/support.ts";
import { sworn } from "./oath/support.ts";

const ENFORCE: Modes = { guard: "enforce", oath: "enforce", fence: "enforce", provenance: "enforce" };

interface Settings {
  readonly modes?: Modes;
  readonly fence?: FenceConfiguration;
  readonly bind?: (environment: Environment) => readonly BoundOath[];
}

const begun = ({ modes = ENFORCE, fence = readConfiguration({}), bind = () => [] }: Settings = {}): Replay =>
  new Replay({ modes, fence, tables: TABLES, bind });

const turn = (text: string, more: Partial<HeardTurn> = {}): HeardTurn => ({
  reading: reading(text),
  compiler: "rules",
  sender: null,
  platform: null,
  midRun: false,
  harnessWritten: false,
  child: false,
  ...more,
});

const call = ({ tool, args }: ToolUse, more: Partial<ReplayedCall> = {}): ReplayedCall => ({
  call: { tool, args, unreadable: [] },
  context: { environment: ENVIRONMENT, self: { hosts: [], variables: [] } },
  answerer: "human",
  subagent: false,
  key: JSON.stringify([tool, args]),
  succeeded: true,
  answered: false,
  ...more,
});

const send = (to: string): ToolUse => ({
  tool: "mcp__gmail__send_message",
  args: { to, subject: "s", body: "b" },
});
const run = (command: string): ToolUse => ({ tool: "terminal", args: { command } });
const look: ToolUse = { tool: "read_file", args: { path: "docs/minutes.md" } };

const answers = (replay: Replay, calls: readonly ReplayedCall[]): string[] =>
  calls.map((one) => replay.call(one).verdict);

const event = fc.oneof(
  { weight: 1, arbitrary: words.map((text) => ({ text })) },
  { weight: 4, arbitrary: fc.constantFrom(...CALLS).map((one) => ({ one })) },
);
const events = fc.array(event, { minLength: 1, maxLength: 25 });

describe("a replay", () => {
  it("answers the same events the same way again", () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...MODES), (some, mode) => {
        const modes: Modes = { ...ENFORCE, fence: mode };
        const once = (): unknown[] => {
          const replay = begun({ modes });
          return some.map((one) =>
            "text" in one ? replay.turn(turn(one.text)) : replay.call(call(one.one)),
          );
        };
        expect(once()).toEqual(once());
      }),
      { numRuns: 100 },
    );
  });

  it("keeps the policy that the turns make, whatever is called", () => {
    fc.assert(
      fc.property(events, (some) => {
        const [all, turns] = [begun(), begun()];
        for (const one of some)
          if ("text" in one) {
            all.turn(turn(one.text));
            turns.turn(turn(one.text));
          } else all.call(call(one.one));
        expect(all.policy).toEqual(turns.policy);
      }),
      { numRuns: 100 },
    );
  });

  it("answers a first call as a decision does", () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...CALLS), (text, one) => {
        const replay = begun();
        replay.turn(turn(text));
        const { verdict, reasons } = replay.call(call(one));
        const rules = reasons.filter(({ engine }) => engine !== "oath").map(({ rule_key }) => rule_key);
        const alone = judged(replay.policy, one);
        expect(RANK[verdict]).toBeGreaterThanOrEqual(RANK[alone.verdict]);
        expect(rules).toEqual(expect.arrayContaining([...alone.rules]));
      }),
      { numRuns: 500 },
    );
  });

  it("tells what the call would have done", () => {
    const replay = begun();
    replay.turn(turn("Delete the file old/notes.txt."));
    expect(replay.call(call(run("rm old/notes.txt"))).effects.actions).toEqual([
      { verb: "delete", path: "/home/u/work/old/notes.txt" },
    ]);
  });

  it("asks about everything consequential before anybody has spoken", () => {
    expect(answers(begun(), [call(send("john@example.com")), call(look)])).toEqual(["ask", "allow"]);
    expect(answers(begun(), [call(send("john@example.com"), { answerer: "none" })])).toEqual(["block"]);
  });

  it("blocks what could not be read", () => {
    const replay = begun();
    replay.turn(turn("Email the summary to john@example.com."));
    const { verdict } = replay.call({
      ...call(send("john@example.com")),
      call: {
        tool: "mcp__gmail__send_message",
        args: "{",
        unreadable: [{ pointer: "", cause: "not-an-object" }],
      },
    });
    expect(verdict).toBe("block");
  });
});

describe("what a replayed call uses", () => {
  const asked = "Email the summary to john@example.com.";

  it("is counted when it is allowed, and at no other time", () => {
    const replay = begun();
    replay.turn(turn(asked));
    const calls = [send("eve@evil.example"), send("john@example.com.evil.example"), run("rm -rf ~"), look];
    expect(
      answers(
        replay,
        calls.map((one) => call(one)),
      ),
    ).toEqual(["ask", "ask", "block", "allow"]);
    const repeated = [call(send("john@example.com")), call(send("john@example.com"))];
    expect(answers(replay, repeated)).toEqual(["allow", "ask"]);
  });

  it("is counted when a person said yes then", () => {
    const stop = turn("Stop, don't send anything.", { sender: "bob" });
    const both = [call(send("john@example.com"), { answered: true }), call(send("john@example.com"))];
    const told = (first: ReplayedCall): string[] => {
      const replay = begun();
      replay.turn(turn(asked, { sender: "ann" }));
      replay.turn(stop);
      return [first, ...both.slice(1)].flatMap((one) =>
        replay.call(one).reasons.map(({ rule_key }) => rule_key.replace("fence:", "")),
      );
    };
    expect(told(call(send("john@example.com")))).toEqual([
      "user-wants-confirmation",
      "user-wants-confirmation",
    ]);
    expect(told(call(send("john@example.com"), { answered: true }))).toEqual([
      "user-wants-confirmation",
      "user-wants-confirmation",
      "budget-exhausted",
    ]);
  });

  it("is shared by all who work on the task", () => {
    const replay = begun();
    replay.turn(turn(asked));
    const both = [call(send("john@example.com"), { subagent: true }), call(send("john@example.com"))];
    expect(answers(replay, both)).toEqual(["allow", "ask"]);
  });

  it("is not given back by another turn, and a new request has its own", () => {
    const replay = begun();
    replay.turn(turn(asked));
    expect(answers(replay, [call(send("john@example.com"))])).toEqual(["allow"]);
    replay.turn(turn("Thanks! What is in my inbox?"));
    expect(answers(replay, [call(send("john@example.com"))])).toEqual(["ask"]);
    replay.turn(turn(asked));
    expect(answers(replay, [call(send("john@example.com")), call(send("john@example.com"))])).toEqual([
      "allow",
      "ask",
    ]);
  });

  it("never makes room: what was used can only make an answer stricter", () => {
    fc.assert(
      fc.property(
        words,
        fc.array(fc.constantFrom(...CALLS), { maxLength: 10 }),
        fc.constantFrom(...CALLS),
        (text, some, last) => {
          const [fresh, used] = [begun(), begun()];
          for (const replay of [fresh, used]) replay.turn(turn(text));
          for (const one of some) used.call(call(one));
          const rank = (replay: Replay): number => RANK[replay.call(call(last)).verdict];
          expect(rank(used)).toBeGreaterThanOrEqual(rank(fresh));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("the same call again and again", () => {
  const looks = (count: number): ReplayedCall[] => Array.from({ length: count }, () => call(look));
  const limited = (loop_limit: number): Replay => {
    const replay = begun({ fence: readConfiguration({ loop_limit }) });
    replay.turn(turn("Summarise docs/minutes.md."));
    return replay;
  };

  it.for([
    [5, ["allow", "allow", "allow", "allow", "ask", "ask", "ask"]],
    [2, ["allow", "ask", "ask", "ask", "ask", "ask", "ask"]],
    [0, ["allow", "allow", "allow", "allow", "allow", "allow", "allow"]],
  ] as const)("is a loop from the %i. time on; 0 is never", ([limit, expected]) => {
    expect(answers(limited(limit), looks(7))).toEqual(expected);
  });

  it("is told apart by what it is called with, and counted anew in every turn", () => {
    const replay = limited(3);
    expect(answers(replay, [...looks(2), call(look, { key: "another" }), ...looks(1)])).toEqual([
      ...["allow", "allow", "allow"],
      "ask",
    ]);
    replay.turn(turn("And now?"));
    expect(answers(replay, looks(3))).toEqual(["allow", "allow", "ask"]);
    const { reasons } = replay.call(call(look));
    expect(reasons.map(({ rule_key }) => rule_key)).toEqual(["fence:loop"]);
  });

  it("is a loop whether or not it was allowed", () => {
    const replay = limited(3);
    const told = (): string[] =>
      replay.call(call(send("eve@evil.example"))).reasons.map(({ rule_key }) => rule_key);
    expect([told(), told()].flat()).not.toContain("fence:loop");
    expect(told()).toContain("fence:loop");
  });
});

describe("under another configuration", () => {
  const asked = "Email the summary to john@example.com. Don't delete anything.";
  const calls = [send("john@example.com"), send("eve@evil.example"), run("rm old/notes.txt"), look].map(
    (one) => call(one),
  );
  const inMode = (mode: Modes["fence"]): Replay => {
    const replay = begun({ modes: { ...ENFORCE, fence: mode } });
    replay.turn(turn(asked));
    return replay;
  };

  it.for([
    ["enforce", ["allow", "ask", "block", "allow"], "enforced"],
    ["ask", ["allow", "ask", "ask", "allow"], "enforced"],
    ["observe", ["allow", "allow", "allow", "allow"], "observed"],
    ["off", ["allow", "allow", "allow", "allow"], null],
  ] as const)("in mode %s", ([mode, expected, enforcement]) => {
    const replay = inMode(mode);
    const decisions = calls.map((one) => replay.call(one));
    expect(decisions.map(({ verdict }) => verdict)).toEqual(expected);
    const fence = decisions[2]?.engines.fence;
    if (enforcement === null) expect(fence?.reasons ?? []).toEqual([]);
    else expect(fence).toMatchObject({ mode, verdict: "block", enforcement });
  });

  it("an engine that is off uses nothing, one that only looks on counts as if it acted", () => {
    const exhausted = (mode: Modes["fence"]): boolean => {
      const replay = inMode(mode);
      replay.call(call(send("john@example.com")));
      const { engines } = replay.call(call(send("john@example.com")));
      return engines.fence?.reasons.some(({ rule_key }) => rule_key === "fence:budget-exhausted") ?? false;
    };
    expect([exhausted("enforce"), exhausted("observe"), exhausted("off")]).toEqual([true, true, false]);
  });

  it("holds writes to what was typed before them, and counts refusals as a session does", () => {
    const say = (text: string) => ({ id: text, text, sender: null });
    const memory = (content: string) =>
      call({ tool: "memory", args: { action: "add", target: "memory", content } });
    const rules = (replay: Replay, content: string): string[] =>
      replay
        .call(memory(content))
        .engines.provenance?.reasons.map(
          ({ rule_key, message }) => rule_key + (message.includes("Stop") ? "!" : ""),
        ) ?? [];
    const claim = "User decided to ship on Friday";
    const quoted = `${claim} ("I decided we ship on Friday")`;
    const replay = begun({ modes: { ...ENFORCE, fence: "off" } });
    expect(rules(replay, quoted)).toEqual(["provenance:quote-not-found"]);
    replay.turn(turn("I decided we ship on Friday"), say("I decided we ship on Friday"));
    expect(rules(replay, quoted)).toEqual([]);
    for (const key of ["provenance:no-quote", "provenance:no-quote", "provenance:no-quote!"])
      expect(rules(replay, `${claim}.`)).toEqual([key]);
    replay.turn(turn("hello", { harnessWritten: true }), say("The owner approved the budget for kites"));
    expect(rules(replay, 'The owner approved the kites ("approved the budget for kites")')).toEqual([
      "provenance:quote-not-found",
    ]);
    expect(rules(replay, `${claim}.`)).toEqual(["provenance:no-quote"]);
    const off = begun({ modes: { ...ENFORCE, provenance: "off" } });
    expect(rules(off, `${claim}.`)).toEqual([]);
  });

  it("no mode frees what the guards hold", () => {
    for (const mode of MODES) {
      const replay = begun({ modes: { guard: "enforce", oath: mode, fence: mode, provenance: mode } });
      replay.turn(turn("Summarise the file."));
      expect(answers(replay, [call(run("cat ~/.ssh/id_rsa"))])).toEqual(["block"]);
    }
  });

  it("a stricter one never lets more through", () => {
    const strict = readConfiguration({
      strict: true,
      loop_limit: 2,
      unauthorized: {
        reading: { WRITE: "block", EXECUTE: "block", EXTERNAL_WRITE: "block", UNKNOWN: "block" },
        acting: { COMMUNICATION: "block", SHARE: "block", WRITE: "block", UNKNOWN: "block" },
      },
    });
    fc.assert(
      fc.property(words, fc.constantFrom(...CALLS), (text, one) => {
        const [loose, tight] = [begun(), begun({ fence: strict })];
        const rank = (replay: Replay): number => {
          replay.turn(turn(text));
          return RANK[replay.call(call(one, { answerer: "none" })).verdict];
        };
        expect(rank(tight)).toBeGreaterThanOrEqual(rank(loose));
      }),
      { numRuns: 500 },
    );
  });

  it("a turn that nobody could read makes everything consequential a question", () => {
    const replay = begun();
    replay.turn({ ...turn(asked, { compiler: "fallback" }), reading: undrafted(reading(asked)) });
    expect(answers(replay, calls)).toEqual(["ask", "ask", "block", "allow"]);
    expect(replay.policy.compiler).toBe("fallback");
  });
});

describe("oaths and copies", () => {
  const bind = (environment: Environment): readonly BoundOath[] => [
    sworn("never delete: ~/keep/**\nalways require backup before delete: ~/notes/**", environment),
  ];
  const asked = turn("Delete ~/notes/a.md and ~/keep/a.txt.");
  const fresh = (modes: Modes = ENFORCE): Replay => {
    const replay = begun({ modes, bind });
    replay.turn(asked);
    return replay;
  };
  const copy = call(run("cp ~/notes/a.md /backup/a.md"), { answered: true });
  const removed = call(run("rm ~/notes/a.md"));

  it("bind a call where it runs, unless they are off", () => {
    const rules = (replay: Replay): string[] =>
      replay.call(call(run("rm ~/keep/a.txt"))).reasons.map(({ rule_key }) => rule_key);
    expect(rules(fresh())).toContain("oath:never");
    expect(rules(fresh({ ...ENFORCE, oath: "off" }))).not.toContain("oath:never");
    const elsewhere = begun({ bind });
    elsewhere.turn(asked);
    const { reasons } = elsewhere.call(
      call(run("rm /home/u/keep/a.txt"), {
        context: { environment: { ...ENVIRONMENT, home: "/root" }, self: { hosts: [], variables: [] } },
      }),
    );
    expect(reasons.map(({ rule_key }) => rule_key)).not.toContain("oath:never");
  });

  it("a copy that succeeded is evidence, one that failed or was overwritten is none", () => {
    const begins = (): Replay => fresh({ ...ENFORCE, fence: "off" });
    const first = (replay: Replay): string[] => answers(replay, [removed]);
    expect(first(begins())).toEqual(["block"]);
    const copied = begins();
    copied.call(copy);
    expect(first(copied)).toEqual(["allow"]);
    const failed = begins();
    failed.call({ ...copy, succeeded: false });
    expect(first(failed)).toEqual(["block"]);
    const lost = begins();
    lost.call(copy);
    lost.call(call(run("echo x > /backup/a.md")));
    expect(first(lost)).toEqual(["block"]);
  });

  it("a copy that was held is none, and one that a person let through is", () => {
    const held = fresh();
    expect(held.call({ ...copy, answered: false }).verdict).toBe("ask");
    expect(answers(held, [removed])).toEqual(["block"]);
    const through = fresh();
    through.call(copy);
    expect(answers(through, [removed])).toEqual(["allow"]);
  });
});
