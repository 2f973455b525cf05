import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  actionDigest,
  bodyHash,
  canonicalText,
  entryHash,
  exportLine,
  genesis,
  type Head,
  link,
  privateCommitment,
  verifyChain,
} from "../../src/ledger/index.ts";

const IDENTITY = { org: "org_1", session: "s 1" };

function chainOf(length: number, identity = IDENTITY): string[] {
  const lines: string[] = [];
  let head: Head = genesis(identity);
  for (let i = 0; i < length; i += 1) {
    const next = link(head, { ...identity, at: 1_000 + i, kind: "decision", body: { n: i, text: `é${i}` } });
    lines.push(exportLine(next));
    head = next;
  }
  return lines;
}

const text = (lines: string[]) => lines.map((line) => `${line}\n`).join("");

describe("an export", () => {
  it("verifies, and names its head", ({ expect }) => {
    const report = verifyChain(text(chainOf(20)));
    expect(report).toMatchObject({
      ok: true,
      entries: 20,
      organization: "org_1",
      session: "s 1",
      broken: null,
    });
    expect(report.head?.seq).toBe(20);
  });

  it("verifies without its last line feed, and says that an empty one is broken", ({ expect }) => {
    expect(verifyChain(text(chainOf(2)).trimEnd()).ok).toBe(true);
    expect(verifyChain("").broken).toMatchObject({ code: "malformed-line", line: 1 });
  });

  it("takes no text that two readers could read two ways, though every hash of it holds", ({ expect }) => {
    const forged = (entry: string, body: string) => {
      const members = JSON.parse(entry) as Record<string, unknown>;
      const bound = entry.replace(String(members["body_hash"]), bodyHash(body));
      return exportLine({ hash: entryHash(bound), entry: bound, body });
    };
    const [line = ""] = chainOf(1);
    const { entry, body } = JSON.parse(line) as { entry: string; body: string };
    expect(verifyChain(forged(entry, body)).ok).toBe(true);
    for (const other of [
      '{"verdict":"block","verdict":"allow"}',
      '{"b":1,"a":2}',
      '{"n": 1}',
      '{"n":1.0}',
      '{"n":"\\u0061"}',
      '{"n":"\\ud800"}',
      "",
      "{",
      "[".repeat(100_000),
    ])
      expect(verifyChain(forged(entry, other)).broken, other.slice(0, 40)).toMatchObject({
        code: "malformed-body",
        line: 1,
      });
    for (const other of [
      entry.replace('"at":', '"at":1,"at":'),
      entry.replace('"v":1', '"v":1.0'),
      entry.replace('{"at"', '{ "at"'),
    ])
      expect(verifyChain(forged(other, body)).broken, other).toMatchObject({
        code: "malformed-entry",
        line: 1,
      });
  });

  it("shows any one flipped bit, at its own line", () => {
    const bytes = new TextEncoder().encode(text(chainOf(6)));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: bytes.length - 2 }),
        fc.integer({ min: 0, max: 7 }),
        (at, bit) => {
          const flipped = bytes.slice();
          flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
          const line = bytes.slice(0, at).filter((byte) => byte === 0x0a).length + 1;
          const report = verifyChain(new TextDecoder().decode(flipped));
          // A line feed that becomes something else joins two lines: the break is where the joined line stands.
          return !report.ok && report.broken?.line === line;
        },
      ),
      { numRuns: 2_000 },
    );
  });

  const good = chainOf(6);
  const other = chainOf(6, { org: "org_1", session: "other" });
  const foreign = chainOf(6, { org: "org_2", session: "s 1" });
  const backdated = (() => {
    const head = JSON.parse(good[2] ?? "").hash as string;
    const next = link({ seq: 3, hash: head }, { ...IDENTITY, at: 1, kind: "decision", body: {} });
    return [...good.slice(0, 3), exportLine(next)];
  })();
  const cases: [string, string[], string, number][] = [
    ["a dropped line", [...good.slice(0, 2), ...good.slice(3)], "sequence", 3],
    ["a doubled line", [...good.slice(0, 3), good[2] ?? "", ...good.slice(3)], "sequence", 4],
    ["two swapped lines", [good[0] ?? "", good[2] ?? "", good[1] ?? "", ...good.slice(3)], "sequence", 2],
    ["a cut beginning", good.slice(1), "sequence", 1],
    ["a splice from another session", [...good.slice(0, 3), ...other.slice(3)], "previous-hash", 4],
    ["a splice from another organization", [...good.slice(0, 3), ...foreign.slice(3)], "previous-hash", 4],
    ["an entry that is dated back", backdated, "time", 4],
  ];
  for (const [name, lines, code, line] of cases)
    it(`shows ${name}`, ({ expect }) => {
      expect(verifyChain(text(lines)).broken).toMatchObject({ code, line });
    });

  it("cannot be made to begin as another chain", ({ expect }) => {
    const stolen = link(genesis(IDENTITY), {
      org: "org_2",
      session: "s 1",
      at: 1,
      kind: "decision",
      body: {},
    });
    expect(verifyChain(exportLine(stolen)).broken).toMatchObject({ code: "genesis", line: 1 });
  });

  it("is judged whatever it is", ({ expect }) => {
    fc.assert(fc.property(fc.string(), (junk) => verifyChain(junk).ok === false));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.json())),
        (lines) => verifyChain(lines.join("\n")).ok === false,
      ),
    );
    expect(verifyChain('{"hash":1}').ok).toBe(false);
  });
});

describe("digests", () => {
  const action = { organization: "o", session: "s", agent: "a", tool: "t", cwd: "/x" };
  it("change with every part of the action", ({ expect }) => {
    const of = (more: object, args: Parameters<typeof actionDigest>[1] = { object: { a: 1 } }) =>
      actionDigest({ ...action, ...more }, args);
    const digests = [
      of({}),
      of({ organization: "o2" }),
      of({ session: "s2" }),
      of({ agent: "a2" }),
      of({ tool: "t2" }),
      of({ cwd: "/y" }),
      of({ cwd: null }),
      of({}, { object: { a: 2 } }),
      of({}, { unreadable: '{"a":1}' }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("do not depend on the order of members", ({ expect }) => {
    expect(actionDigest(action, { object: { a: 1, b: [2, 3] } })).toBe(
      actionDigest(action, { object: { b: [2, 3], a: 1 } }),
    );
  });

  it("hide private text behind a salt", ({ expect }) => {
    const salt = new Uint8Array(32).fill(7);
    expect(privateCommitment(salt, "x")).not.toBe(privateCommitment(new Uint8Array(32), "x"));
    expect(privateCommitment(salt, "x")).toBe(privateCommitment(salt, "x"));
  });

  it("are refused to what is not well-formed", ({ expect }) => {
    expect(() => canonicalText({ a: "\ud800" })).toThrow();
    expect(() => canonicalText(undefined)).toThrow();
  });
});
