/** The quick reading of a line takes nothing that the slow one would not, and nearly everything that is written. */
import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  bodyHash,
  entryHash,
  exportLine,
  genesis,
  HASH,
  type Head,
  link,
  type StoredEntry,
} from "../../src/ledger/index.ts";
import { plainNext } from "../../src/ledger/plain-line.ts";
import { MAX_JSON_DEPTH, readStored } from "../../src/ledger/reading.ts";

const ORG = "org_1";
const HEAD: Head = genesis({ org: ORG, session: "s 1" });

/** The slow reading, as what follows a head. */
function slowNext(line: string, head: Head, org = ORG): { hash: string; at: number } | null {
  let value: Partial<StoredEntry>;
  try {
    value = JSON.parse(line) as Partial<StoredEntry>;
  } catch {
    return null;
  }
  const { hash, entry, body } = value ?? {};
  if (typeof hash !== "string" || !HASH.test(hash) || typeof entry !== "string" || typeof body !== "string")
    return null;
  if (exportLine({ hash, entry, body }) !== line) return null;
  const read = readStored({ hash, entry, body }, null);
  if ("code" in read) return null;
  const follows = read.entry.seq === head.seq + 1 && read.entry.prev === head.hash && read.entry.org === org;
  return follows ? { hash, at: read.entry.at } : null;
}

const lineOf = (
  body: unknown,
  { session = "s 1", kind = "decision", at = 1_790_000_000_000, org = ORG } = {} as {
    session?: string | null;
    kind?: string;
    at?: number;
    org?: string;
  },
): string => exportLine(link(HEAD, { org, session, at, kind, body }));

const quick = (line: string, head = HEAD, org = ORG) => plainNext(line, { org, head }, MAX_JSON_DEPTH);

/** A line whose hashes hold, whatever its entry and body say. */
function forged(entry: string, body: string): string {
  const bound = entry.replace(/"body_hash":"[0-9a-f]*"/, `"body_hash":"${bodyHash(body)}"`);
  return exportLine({ hash: entryHash(bound), entry: bound, body });
}

const BODY = {
  agent: "agt",
  call_id: "call 1",
  engines: { guard: { mode: "enforce", rule_keys: [] } },
  n: [0, -1, 15, true, null],
  text: "é 用户",
};

describe("a line that is plainly written", () => {
  it("is taken as the slow reading takes it", ({ expect }) => {
    for (const line of [
      lineOf(BODY),
      lineOf({}),
      lineOf({ private: "0".repeat(64) }, { kind: "turn", session: null }),
      lineOf(BODY, { session: "用户's — session/7", at: 0 }),
    ]) {
      const read = quick(line);
      expect(read).not.toBeNull();
      expect(read).toEqual(slowNext(line, HEAD));
    }
  });

  it("is left to the slow reading where it has to be looked at twice", ({ expect }) => {
    for (const line of [
      lineOf({ text: 'a "quoted" word' }),
      lineOf({ text: "two\nlines" }),
      lineOf({ text: "back\\slash" }),
      lineOf({ n: 1.5 }),
      lineOf({ text: "😀" }),
      lineOf(BODY, { session: 'a "session"' }),
      lineOf(BODY, { session: "back\\slash" }),
      lineOf(BODY, { kind: "two words" }),
    ]) {
      expect(quick(line), line).toBeNull();
      expect(slowNext(line, HEAD)).not.toBeNull();
    }
  });

  it("is taken with no byte of it changed, left out or doubled", ({ expect }) => {
    const line = lineOf(BODY);
    const others = ['"', "\\", "{", "}", ",", "0", "f", " ", "\u0001", "\ud800", "é", "/", "\n"];
    let looked = 0;
    for (let at = 0; at < line.length; at += 1)
      for (const changed of [
        line.slice(0, at) + line.slice(at + 1),
        line.slice(0, at) + line.charAt(at) + line.slice(at),
        ...others.map((one) => line.slice(0, at) + one + line.slice(at + 1)),
        ...others.map((one) => line.slice(0, at) + one + line.slice(at)),
      ]) {
        if (changed === line) continue;
        looked += 1;
        if (quick(changed) !== null) expect(slowNext(changed, HEAD), JSON.stringify(changed)).not.toBeNull();
      }
    expect(looked).toBeGreaterThan(10_000);
  });

  it("is taken in one reading alone, though every hash of another holds", ({ expect }) => {
    const { entry, body } = JSON.parse(lineOf(BODY)) as StoredEntry;
    expect(quick(forged(entry, body))).not.toBeNull();
    for (const other of [
      '{"verdict":"block","verdict":"allow"}',
      '{"b":1,"a":2}',
      '{"a": 1}',
      '{"a":1} ',
      '{"a":01}',
      '{"a":-0}',
      '{"a":1e3}',
      '{"a":"\\u0041"}',
      '{"a":"\u0001"}',
      '{"a":"\ud800"}',
      '{"a":"b"c"}',
      `${'{"a":'.repeat(MAX_JSON_DEPTH + 1)}1${"}".repeat(MAX_JSON_DEPTH + 1)}`,
      "null,",
      "",
    ])
      expect(quick(forged(entry, other)), other).toBeNull();
    for (const other of [
      entry.replace('"kind":"decision"', '"kind":"decision","kind":"turn"'),
      entry.replace('"at":', '"at":0'),
      entry.replace('"at":1', '"at":-1'),
      entry.replace('"v":1', '"v":2'),
      entry.replace('"session":"s 1"', '"session":7'),
      entry.replace('"session":"s 1"', '"session":"s\u0001"'),
      entry.replace('"session":"s 1"', '"session":"s\ud800"'),
      entry.replace('"seq":1', '"seq":2'),
      entry.replace('"org":"org_1"', '"org":"org_2"'),
      `${entry} `,
    ]) {
      expect(other).not.toBe(entry);
      expect(quick(forged(other, body)), other).toBeNull();
    }
  });

  it("follows from its head, and from no other", ({ expect }) => {
    const line = lineOf(BODY);
    expect(quick(line, { ...HEAD, seq: 1 })).toBeNull();
    expect(quick(line, { ...HEAD, hash: "0".repeat(64) })).toBeNull();
    expect(quick(line, HEAD, "org_2")).toBeNull();
    expect(quick(line, HEAD, 'org_1","prev')).toBeNull();
  });

  it("says of any body what the slow reading says", ({ expect }) => {
    let taken = 0;
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ minLength: 1, maxLength: 6 }),
          fc.oneof(
            fc.string({ unit: "grapheme", maxLength: 8 }),
            fc.integer(),
            fc.constant(null),
            fc.jsonValue(),
          ),
          { maxKeys: 4 },
        ),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
        (value, session) => {
          let line: string;
          try {
            line = lineOf(JSON.parse(JSON.stringify(value)), { session });
          } catch {
            return;
          }
          const read = quick(line);
          if (read === null) return;
          taken += 1;
          expect(read).toEqual(slowNext(line, HEAD));
        },
      ),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
