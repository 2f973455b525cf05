import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  append,
  type Checkpoint,
  checkpointText,
  consistencyProof,
  EMPTY_ROOT,
  ed25519Signer,
  type Hash,
  leafHash,
  leafText,
  nextCheckpoint,
  noteDigest,
  organizationOfOrigin,
  parseCheckpoint,
  parseLeaf,
  signNote,
  verifyCheckpoint,
  verifyCheckpoints,
} from "../../src/ledger/index.ts";

const ORIGIN = "gate.example:8787/org_1";
const signer = ed25519Signer(ORIGIN, new Uint8Array(32).fill(1));
const newer = ed25519Signer(ORIGIN, new Uint8Array(32).fill(2));
const hash = (n: number) => n.toString(16).padStart(64, "0");

const LEAVES = Array.from({ length: 12 }, (_, i) =>
  leafText({ org: "org_1", chain: `session:${i}`, seq: i + 1, hash: hash(i), at: 1_000 + i }),
);
const treeOf = (leaves: readonly string[]) => append(0, [], leaves.map(leafHash));
const nodes = new Map(treeOf(LEAVES).nodes.map((node) => [`${node.level}/${node.index}`, node.hash]));
const proofOf = (first: number, second: number): Hash[] =>
  consistencyProof(first, second, ({ level, index }) => nodes.get(`${level}/${index}`));

/** Checkpoints over ever more of these leaves. */
function checkpointsOf(sizes: number[], leaves = LEAVES, by = signer): string[] {
  let previous: { text: string; at: number } | null = null;
  return sizes.map((size, i) => {
    const { root } = treeOf(leaves.slice(0, size));
    const text = nextCheckpoint({ origin: ORIGIN, size, root, now: 5_000 + i, newest: 1_000, previous });
    previous = { text, at: 5_000 + i };
    return signNote(text, [by]);
  });
}

describe("a leaf", () => {
  const leaf = { org: "org_1", chain: 'session:é "', seq: 3, hash: hash(7), at: 9 };
  it("is its RFC 8785 text, and no other is read", ({ expect }) => {
    const text = leafText(leaf);
    expect(text).toBe(`{"at":9,"chain":"session:é \\"","hash":"${hash(7)}","org":"org_1","seq":3,"v":1}`);
    expect(parseLeaf(text)).toEqual({ v: 1, ...leaf });
    for (const other of [
      "",
      "null",
      "[]",
      text.replace('"v":1', '"v":2'),
      text.replace('"v":1', '"v":1.0'),
      text.replace('"at":9', '"at":9,"at":9'),
      text.replace('"at":9', '"at":9,"au":9'),
      text.replace('"seq":3', '"seq":0'),
      text.replace("session:", "sessions:"),
      text.replace("é", "\\ud800"),
      ` ${text}`,
    ])
      expect(parseLeaf(other), other).toBeNull();
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (junk) => parseLeaf(junk) === null));
  });
});

describe("a checkpoint", () => {
  const checkpoint: Checkpoint = { origin: ORIGIN, size: 12, root: treeOf(LEAVES).root, prev: null, at: 5 };

  it("reads as it was written, and only so", ({ expect }) => {
    const text = checkpointText(checkpoint);
    expect(parseCheckpoint(text)).toEqual(checkpoint);
    expect(text.split("\n")).toHaveLength(6);
    const second = checkpointText({ ...checkpoint, prev: noteDigest(text) });
    expect(parseCheckpoint(second)).toEqual({ ...checkpoint, prev: noteDigest(text) });
    for (const other of [
      "",
      text.slice(0, -1),
      `${text}\n`,
      `${text}more\n`,
      text.replace("\n12\n", "\n012\n"),
      text.replace("\n12\n", "\n-1\n"),
      text.replace("\n12\n", "\n0\n"),
      text.replace("\n12\n", "\n99999999999999999\n"),
      text.replace("prev -", "prev"),
      text.replace("at 5", "at 05"),
      text.replace("=\n", "\n"),
      text.replace("at 5", "at 9007199254740993"),
    ])
      expect(parseCheckpoint(other), other).toBeNull();
    expect(parseCheckpoint(checkpointText({ ...checkpoint, size: 0, root: EMPTY_ROOT }))).not.toBeNull();
    fc.assert(fc.property(fc.string({ unit: "binary" }), (junk) => parseCheckpoint(junk) === null));
    expect(organizationOfOrigin(ORIGIN)).toBe("org_1");
    for (const other of ["", "org_1", "/org_1", "a/", "a/b/c"])
      expect(organizationOfOrigin(other)).toBeNull();
  });

  it("is dated by the clock, and never before what it holds or follows", ({ expect }) => {
    const previous = { text: checkpointText(checkpoint), at: 50 };
    const at = (now: number, newest: number, before: { text: string; at: number } | null) =>
      parseCheckpoint(
        nextCheckpoint({ origin: ORIGIN, size: 12, root: checkpoint.root, now, newest, previous: before }),
      );
    expect(at(60, 10, previous)).toMatchObject({ at: 60, prev: noteDigest(previous.text) });
    expect(at(40, 10, previous)).toMatchObject({ at: 50 });
    expect(at(40, 70, previous)).toMatchObject({ at: 70 });
    expect(at(40, 10, null)).toMatchObject({ at: 40, prev: null });
  });

  it("is its log's own, by a key that was given", ({ expect }) => {
    const [note = ""] = checkpointsOf([3]);
    expect(verifyCheckpoint(note, [signer.key])).toMatchObject({ ok: true, checkpoint: { size: 3 } });
    expect(verifyCheckpoint(note, [newer.key])).toMatchObject({ code: "unknown-key" });
    const foreign = ed25519Signer("gate.example:8787/org_2", new Uint8Array(32).fill(1));
    const borrowed = signNote(checkpointText(checkpoint), [foreign]);
    expect(verifyCheckpoint(borrowed, [foreign.key])).toMatchObject({ code: "origin" });
    expect(verifyCheckpoint(signNote("hello\n", [signer]), [signer.key])).toMatchObject({
      code: "malformed-checkpoint",
    });
  });

  it("follows from the one before it", ({ expect }) => {
    const notes = checkpointsOf([1, 4, 4, 9, 12]);
    const proofs = [proofOf(1, 4), proofOf(4, 4), proofOf(4, 9), proofOf(9, 12)];
    expect(verifyCheckpoints(notes, [signer.key], proofs)).toMatchObject({
      ok: true,
      checkpoints: 5,
      organization: "org_1",
      latest: { size: 12 },
    });
    expect(verifyCheckpoints(notes.slice(2), [signer.key])).toMatchObject({ ok: true, checkpoints: 3 });
    expect(verifyCheckpoints([], [signer.key]).ok).toBe(false);
  });

  it("is followed through a rotation by either key", ({ expect }) => {
    const [first = "", second = ""] = checkpointsOf([2, 5]);
    const text = second.slice(0, second.indexOf("\n\n") + 1);
    const both = signNote(text, [signer, newer]);
    expect(verifyCheckpoints([first, both], [signer.key])).toMatchObject({ ok: true });
    expect(verifyCheckpoints([both], [newer.key])).toMatchObject({ ok: true });
    expect(verifyCheckpoints([first, both], [signer.key, newer.key])).toMatchObject({ ok: true });
  });

  const rewritten = LEAVES.map((leaf, i) => (i === 1 ? (LEAVES[5] ?? "") : leaf));
  const good = checkpointsOf([2, 5, 8]);
  const body = (changes: Partial<Checkpoint>): string => {
    const [first = "", second = ""] = good;
    const read = parseCheckpoint(second.slice(0, second.indexOf("\n\n") + 1));
    if (read === null) throw new Error("the checkpoint reads");
    return [first, signNote(checkpointText({ ...read, ...changes }), [signer])][1] ?? "";
  };
  const cases: [string, string[], string, number][] = [
    ["one left out", [good[0] ?? "", good[2] ?? ""], "previous-checkpoint", 2],
    ["two swapped", [good[1] ?? "", good[0] ?? ""], "previous-checkpoint", 2],
    ["one twice", [good[0] ?? "", good[0] ?? ""], "previous-checkpoint", 2],
    ["one of another key", [good[0] ?? "", checkpointsOf([2, 5], LEAVES, newer)[1] ?? ""], "unknown-key", 2],
    ["one that is dated back", [good[0] ?? "", body({ at: 1 })], "time", 2],
    ["a tree that shrank", [good[0] ?? "", body({ size: 1, root: hash(1) })], "tree-size", 2],
    [
      "a tree of the same size and another root",
      [good[0] ?? "", body({ size: 2, root: hash(1) })],
      "root",
      2,
    ],
    [
      "a tree that was rewritten",
      [good[0] ?? "", body({ root: treeOf(rewritten.slice(0, 5)).root })],
      "consistency",
      2,
    ],
    ["another log's", [good[0] ?? "", body({ origin: "gate.example/org_9" })], "origin", 2],
    ["one changed letter", [good[0] ?? "", (good[1] ?? "").replace("at 5", "at 6")], "signature", 2],
  ];
  for (const [name, notes, code, checkpoint] of cases)
    it(`shows ${name}`, ({ expect }) => {
      const report = verifyCheckpoints(notes, [signer.key], [proofOf(2, 5)]);
      expect(report).toMatchObject({ ok: false, checkpoints: 1, broken: { code, checkpoint } });
    });
});
