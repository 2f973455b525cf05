/** A model's draft that names another target than the words do, or fewer: nothing is let through that they would not. */
import { describe, expect, it } from "vitest";
import { readDraft } from "../../../src/policy/fence/draft.ts";
import { applyTurn, harden, readTurn, type TaskPolicy } from "../../../src/policy/fence/index.ts";
import type { ToolUse } from "./material.ts";
import { judged, policyOf, RANK } from "./support.ts";

function drafted(text: string, permissions: readonly object[]): TaskPolicy {
  const read = readDraft({ permissions });
  if (!read.ok) throw new Error(read.cause);
  const reading = harden(read.draft, read.dropped, text, readTurn(text));
  return applyTurn(null, reading, { turn: 0, authority: "owner" });
}

const shell = (command: string): ToolUse => ({ tool: "terminal", args: { command } });
const write = (path: string): ToolUse => ({ tool: "write_file", args: { path, content: "x" } });
const send = (to: string): ToolUse => ({
  tool: "mcp__gmail__send_message",
  args: { to, subject: "s", body: "b" },
});

/** Words; a class and a target that the draft gives; calls that the words let through, and calls that they do not. */
const CASES: readonly (readonly [string, string, readonly [string, string], readonly ToolUse[]])[] = [
  [
    "Write the minutes to docs/minutes.md.",
    "WRITE",
    ["path", "x.md"],
    [write("docs/minutes.md"), write("src/app.ts"), write("x.md")],
  ],
  [
    "Write the minutes to docs/minutes.md.",
    "WRITE",
    ["path", "/"],
    [write("/etc/hosts"), write("src/app.ts")],
  ],
  [
    "Run `npm test`.",
    "EXECUTE",
    ["command", "ls"],
    [shell("npm test"), shell("python3 tool.py"), shell("ls")],
  ],
  [
    "Close issue #12.",
    "EXTERNAL_WRITE",
    ["item", "13"],
    [12, 13].map((issue_number) => ({
      tool: "mcp__github__update_issue",
      args: { owner: "a", repo: "b", issue_number, state: "closed" },
    })),
  ],
  [
    "Email the summary to john@example.com.",
    "COMMUNICATION",
    ["recipient", "eve@evil.example"],
    [send("john@example.com"), send("eve@evil.example")],
  ],
  ["Delete old/notes.txt.", "DELETE", ["path", "old"], [shell("rm old/notes.txt"), shell("rm -rf old")]],
  [
    "Push feature/x to origin.",
    "EXTERNAL_WRITE",
    ["item", "main"],
    [shell("git push origin feature/x"), shell("git push origin main"), shell("git push --force")],
  ],
  [
    "Pay 40 EUR to Miller GmbH.",
    "FINANCIAL",
    ["amount", "400 EUR"],
    ["40", "400"].map((amount) => ({
      tool: "mcp__bank__send_money",
      args: { recipient: "Miller GmbH", amount, currency: "EUR" },
    })),
  ],
];

describe("a draft with another target", () => {
  it.each(CASES)("lets through no more: %s %s %j", (text, risk, [kind, name], calls) => {
    for (const targets of [
      [{ kind, text: name }],
      [],
      [
        { kind, text: name },
        { kind, text: "y" },
      ],
    ]) {
      const task = drafted(text, [{ risk, targets, quote: text.slice(0, 5) }]);
      for (const call of calls)
        expect(RANK[judged(task, call).verdict], JSON.stringify(call)).toBeGreaterThanOrEqual(
          RANK[judged(policyOf([text]), call).verdict],
        );
    }
  });
});
