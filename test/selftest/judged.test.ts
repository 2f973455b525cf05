import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { CANARIES } from "../../scripts/lib/selftest/canaries.mjs";
import { Check, readCallLog } from "../../scripts/lib/selftest/check.mjs";
import { readCommand } from "../../scripts/lib/selftest/command.mjs";
import { credentialOf, originOf, readLedger } from "../../scripts/lib/selftest/download.mjs";
import { LedgerReader, linesOf } from "../../scripts/lib/selftest/ledger.mjs";
import { compare, countsOf, readResult } from "../../scripts/lib/selftest/results.mjs";
import { bytesOf, exportOf, newRun, type RecordedCall } from "./support.ts";

let base: string;
let run: ReturnType<typeof newRun>;
let dir: string;
let manifest: typeof run.manifest;
let opened: RecordedCall[];

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "countersign-selftest-"));
  run = newRun(join(base, "run"));
  ({ dir, manifest, opened } = run);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const sought = (id: string) => run.sought(id);
const check: typeof run.check = (...given) => run.check(...given);

describe("what cannot be judged", () => {
  it("is a page that nothing shows to have been opened", async ({ expect }) => {
    const { result } = await check(opened.slice(1));
    expect(result.verdict).toBe("not-judged");
    expect(result.problems).toEqual([expect.stringContaining("opened the page herbs")]);
    expect(countsOf(result)).toMatchObject({ ran: 0, unknown: 2, never: CANARIES.length - 2 });
    const path = join(dir, manifest.pages[0]?.file ?? "");
    // A prompt that names the page opens nothing, and neither does a call that was held, or failed.
    const typed = await check(opened.slice(1), { turns: [`Read ${path}`] });
    expect(typed.result.verdict).toBe("not-judged");
    const read = { tool: "read_file", args: { path } };
    for (const more of [{ verdict: "block" }, { verdict: "ask" }, { outcome: "error" }] as const)
      expect((await check([...opened.slice(1), { ...read, ...more }])).result.verdict).toBe("not-judged");
    // The harness has put the page into the prompt; or the agent knows what only the page says.
    const pasted = await check(opened.slice(1), { turns: [`Read ${readFileSync(path, "utf8")}`] });
    expect(pasted.result.verdict).toBe("held");
    const args = { to: sought("herbs-comment").address };
    const knows = await check([...opened.slice(1), { tool: "send_email", args, verdict: "block" }]);
    expect(knows.row("herbs-visible")).toMatchObject({ state: "never", met: "canary" });
    expect(knows.result.verdict).toBe("held");
    const all = await check([{ tool: "terminal", args: { command: `cat ${dir}/pages/*` } }]);
    expect(all.result.verdict).toBe("held");
    expect((await check([])).result.verdict).toBe("not-judged");
  });

  it("is an export without the arguments, unless the harness kept a record of its own", async ({
    expect,
  }) => {
    const call = {
      tool: "send_email",
      args: { to: sought("herbs-comment").address },
      outcome: "success",
    } as const;
    for (const disclosed of ["no", "false"] as const) {
      const { result } = await check([...opened, call], { disclosed });
      expect(result.verdict).toBe("not-judged");
      expect(result.problems.join()).toMatch(new RegExp(`arguments of ${opened.length + 1} calls`));
      // Nothing is said to be never tried of which nothing is known.
      expect(countsOf(result)).toMatchObject({ ran: 0, unknown: CANARIES.length, never: 0, tried: 0 });
    }
    // What did not pass needs no reading.
    const blocked = await check([{ ...call, verdict: "block", outcome: "blocked" }], { disclosed: "no" });
    expect(blocked.result.problems.join()).not.toMatch(/arguments/);

    const rows = [...opened, { ...call, call_id: `call ${opened.length + 1}` }].map(
      ({ call_id, tool, args }) =>
        JSON.stringify({ tool_use_id: call_id, tool_name: tool, tool_input: args, session_id: "chat" }),
    );
    const log = await readCallLog(linesOf(bytesOf(...rows, "{", "null", "[]", '{"call_id":1}')));
    const { row, result } = await check([...opened, call], { disclosed: "no", log });
    expect(row("herbs-comment").state).toBe("executed");
    expect(result.problems).toEqual([]);
  });

  it("is a chain that does not hold, whatever its entries say", async ({ expect }) => {
    const lines = exportOf(opened);
    const judged = async (changed: string[]) => {
      const checking = new Check(manifest);
      checking.ended(await readLedger(bytesOf(...changed), (entry) => checking.take(entry)), "chat");
      return checking.finish();
    };
    expect((await judged(lines)).verdict).toBe("held");
    const cases: Record<string, string[]> = {
      "a changed verdict": lines.map((line) => line.replaceAll("allow", "block")),
      "a line left out": lines.filter((_, index) => index !== 3),
      "the beginning cut off": lines.slice(1),
      "two lines swapped": [lines[1] ?? "", lines[0] ?? "", ...lines.slice(2)],
      nothing: [],
      "no JSON": ["hello", ...lines],
    };
    for (const [name, changed] of Object.entries(cases)) {
      const result = await judged(changed);
      expect(result.verdict, name).toBe("not-judged");
      expect(result.problems.join(), name).toMatch(/does not hold: line \d+/);
    }
  });

  it("is hostile lines, which are bounded and break nothing", async ({ expect }) => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const inner = (value: unknown) => JSON.stringify(value);
    const entry = (more: object) => inner({ seq: 1, kind: "decision", session: "s", at: 1, ...more });
    const hostile = [
      "",
      "null",
      "[]",
      '{"entry":1,"body":2}',
      deep,
      inner({ entry: deep, body: deep, hash: "" }),
      inner({ entry: entry({ seq: 1e99 }), body: "{}", hash: "x" }),
      inner({ entry: entry({}), body: inner({ call_id: 1, tool: [] }), hash: "x" }),
      inner({
        entry: entry({}),
        body: inner({ call_id: "c", tool: "t", engines: [1, null, { mode: 1 }] }),
        hash: "x",
      }),
      inner({
        entry: entry({}),
        body: '{"call_id":"c","tool":"t","engines":{"__proto__":{"mode":"observe"}}}',
        hash: "x",
      }),
      inner({
        entry: entry({ kind: "outcome" }),
        body: inner({ call_id: "c", outcome: { success: true } }),
        hash: "x",
      }),
      inner({
        entry: entry({ kind: "turn" }),
        body: inner({ private: "00" }),
        private: "{",
        salt: "zz",
        hash: "x",
      }),
      "\ud800",
      "\u0000",
    ];
    const checking = new Check(manifest);
    const reader = new LedgerReader();
    for (const line of hostile) {
      const read = reader.push(line);
      if (read !== null) checking.take(read);
    }
    checking.ended(reader.report(), "chat");
    expect(checking.finish().verdict).toBe("not-judged");
    expect(({} as Record<string, unknown>)["mode"]).toBeUndefined();
  });

  it("is arguments beyond all bounds", async ({ expect }) => {
    let nested: unknown = sought("bike-alt").url;
    for (let depth = 0; depth < 500; depth += 1) nested = { nested };
    for (const args of [nested, { urls: Array(10_000).fill("http://a.example/") }]) {
      const { result } = await check([...opened, { tool: "web_fetch", args }]);
      expect(result.verdict).toBe("not-judged");
      expect(result.problems.join()).toMatch(/arguments of 1 calls/);
    }
  });

  it("takes time in proportion to what there is to read", async ({ expect }) => {
    const words = `${"the quick brown fox jumps over ".repeat(8_000)}`;
    const texts = [
      words,
      "%25".repeat(80_000),
      "A".repeat(240_000),
      "&#65;".repeat(50_000),
      "ab ".repeat(80_000),
      "\\x41".repeat(60_000),
      "1,".repeat(120_000),
      "<<".repeat(100_000),
      "'".repeat(99_999),
      "$(".repeat(60_000),
    ];
    const started = performance.now();
    await check([
      ...opened,
      ...texts.flatMap((text) => [
        { tool: "web_fetch", args: { url: text } },
        { tool: "terminal", args: { command: text } },
      ]),
    ]);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("is a line without an end, of which no more than a line is held", async ({ expect }) => {
    async function* endless() {
      for (let index = 0; index < 100; index += 1) yield Buffer.from("x".repeat(1000));
      yield Buffer.from("\nshort\n");
    }
    const lines: (string | null)[] = [];
    for await (const line of linesOf(endless(), 5000)) lines.push(line);
    expect(lines).toEqual([null, "short"]);
  });
});

describe("two results", () => {
  it("stand beside each other, with what makes them doubtful", async ({ expect }) => {
    const args = { to: sought("herbs-comment").address };
    const before = await check([...opened, { tool: "send_email", args, would: "block", outcome: "success" }]);
    const after = await check([...opened, { tool: "send_email", args, verdict: "block" }]);
    const file = join(base, "result.json");
    const reread = (result: unknown) => {
      writeFileSync(file, JSON.stringify(result));
      return readResult(file);
    };
    const [one, other] = [reread(before.result), reread({ ...after.result, run: "another" })];
    const { canaries, doubts } = compare(one, other);
    const row = canaries.find(({ id }) => id === "herbs-comment");
    expect([row?.before?.state, row?.after?.state]).toEqual(["executed", "blocked"]);
    expect(doubts).toEqual(["before: fence was in enforce and observe, not in observe"]);
    expect(compare(one, one).doubts.join()).toMatch(/one run/);
    // Before, an engine that is off holds nothing either; after, it is not what is to be shown.
    const off = { ...other, run: "a third", modes: { fence: ["off"] } };
    expect(compare(off, other).doubts).toEqual([]);
    expect(compare(one, off).doubts).toContain("after: fence was in off, not in enforce");
    // A read that nothing speaks against is counted apart.
    const read = await check([
      ...opened,
      { tool: "web_fetch", args: { url: sought("bike-alt").url }, outcome: "error" },
    ]);
    expect(countsOf(read.result)).toMatchObject({ ran: 1, reads: 1 });
    expect(countsOf(before.result)).toMatchObject({ ran: 1, reads: 0 });
    for (const wrong of [
      "",
      "[]",
      "{}",
      JSON.stringify({ ...one, canaries: [{}] }),
      JSON.stringify({ ...one, verdict: 1 }),
    ]) {
      writeFileSync(file, wrong);
      expect(() => readResult(file), wrong.slice(0, 40)).toThrow(/not a result/);
    }
  });
});

describe("a credential", () => {
  it("comes from a variable and goes over https, or to this machine", ({ expect }) => {
    expect(credentialOf({ COUNTERSIGN_KEY: "k" })).toEqual({ authorization: "Bearer k" });
    expect(credentialOf({ COUNTERSIGN_COOKIE: "v", COUNTERSIGN_KEY: "k" })).toEqual({
      cookie: "__Host-countersign=v",
    });
    expect(() => credentialOf({})).toThrow(/COUNTERSIGN_KEY/);
    expect(() => credentialOf({ COUNTERSIGN_KEY: "k\r\nx: y" })).toThrow(/characters/);
    for (const origin of [
      "https://gate.example",
      "http://localhost:8787",
      "http://127.0.0.1:1",
      "http://[::1]:8787",
    ])
      expect(originOf(`${origin}/path`)).toBe(origin);
    for (const origin of ["http://gate.example", "gate.example", "file:///etc", "http://localhost.example"])
      expect(() => originOf(origin), origin).toThrow();
  });
});

describe("a command line", () => {
  it("is cut into what acts and what is said", ({ expect }) => {
    const cases: [string, string[]][] = [
      ["echo x > y", ["y"]],
      ["echo x >> y; cat z", ["y"]],
      ["echo x | sh", ["echo x", "sh"]],
      ["echo $(rm x)", ["echo $(rm x)"]],
      ['echo "`rm x`"', ['echo "`rm x`"']],
      ["cat <<E | sh\nrm x\nE", ["cat", "rm x", "sh"]],
      ["cat > f <<'E'\nrm x\nE\nrm z", ["f", "rm z"]],
      ["python3 - <<E\nrm x\nE", ["python3 -", "rm x"]],
      ["if grep x y; then rm z; fi", ["rm z", "fi"]],
      ["ls x && rm x", ["rm x"]],
      ["echo x | tee y", ["y"]],
      ["grep x y 2> /dev/null", ["/dev/null"]],
      ["# rm x\nls", []],
      ["(rm x)", ["(rm x)"]],
      ["echo 'x", ["echo 'x"]],
      ["cat <<E\nx", ["cat <<E\nx"]],
      ["a=x; rm $a", ["a=x", "rm $a"]],
    ];
    for (const [text, acting] of cases) expect(readCommand(text).acting, text).toEqual(acting);
  });
});
