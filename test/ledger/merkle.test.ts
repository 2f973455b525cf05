import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  append,
  consistencyNodes,
  consistencyProof,
  EMPTY_ROOT,
  frontierNodes,
  type Hash,
  inclusionNodes,
  inclusionProof,
  leafHash,
  type NodeAddress,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from "../../src/ledger/index.ts";

/** RFC 9162 §2.1.1, §2.1.3.1 and §2.1.4.1 as they are written, over whole lists. */
const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const split = (n: number) => 2 ** Math.floor(Math.log2(n - 1));
function MTH(d: Buffer[]): Buffer {
  const [only] = d;
  if (only === undefined) return sha256();
  if (d.length === 1) return sha256(Buffer.of(0), only);
  const k = split(d.length);
  return sha256(Buffer.of(1), MTH(d.slice(0, k)), MTH(d.slice(k)));
}
function PATH(m: number, d: Buffer[]): Buffer[] {
  if (d.length === 1) return [];
  const k = split(d.length);
  return m < k
    ? [...PATH(m, d.slice(0, k)), MTH(d.slice(k))]
    : [...PATH(m - k, d.slice(k)), MTH(d.slice(0, k))];
}
function SUBPROOF(m: number, d: Buffer[], whole: boolean): Buffer[] {
  if (m === d.length) return whole ? [] : [MTH(d)];
  const k = split(d.length);
  return m <= k
    ? [...SUBPROOF(m, d.slice(0, k), whole), MTH(d.slice(k))]
    : [...SUBPROOF(m - k, d.slice(k), false), MTH(d.slice(0, k))];
}

const MOST = 300;
const DATA = Array.from({ length: MOST }, (_, i) => `leaf ${i}`);
const BYTES = DATA.map((text) => Buffer.from(text));
const LEAVES = DATA.map(leafHash);
/** Roots of RFC 9162 for every size, once. */
const ROOTS = Array.from({ length: MOST + 1 }, (_, size) => MTH(BYTES.slice(0, size)).toString("hex"));
const rootAt = (size: number) => ROOTS[size] ?? "";

const key = ({ level, index }: NodeAddress) => `${level}/${index}`;
const NODES = new Map(append(0, [], LEAVES).nodes.map((node) => [key(node), node.hash]));
/** Reads the nodes that were named, and no other. */
const only = (named: NodeAddress[]) => {
  const names = new Set(named.map(key));
  return (address: NodeAddress): Hash | undefined =>
    names.has(key(address)) ? NODES.get(key(address)) : undefined;
};
const inclusion = (index: number, size: number) =>
  inclusionProof(index, size, only(inclusionNodes(index, size)));
const consistency = (first: number, second: number) =>
  consistencyProof(first, second, only(consistencyNodes(first, second)));
const flip = (hash: string, at = 0) =>
  `${hash.slice(0, at)}${hash[at] === "0" ? "1" : "0"}${hash.slice(at + 1)}`;

describe("the tree of heads", () => {
  it("has the root of RFC 9162 at every size, however its leaves were appended", ({ expect }) => {
    expect(EMPTY_ROOT).toBe(rootAt(0));
    for (let size = 0; size <= MOST; size += 1) {
      const frontier = frontierNodes(size).map((address) => NODES.get(key(address)) ?? "");
      expect(rootOf(frontier)).toBe(rootAt(size));
    }
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 7 }), (steps) => {
        let tree = append(0, [], []);
        for (const step of steps) {
          const grown = append(tree.size, tree.frontier, LEAVES.slice(tree.size, tree.size + step));
          for (const node of grown.nodes) if (NODES.get(key(node)) !== node.hash) return false;
          tree = grown;
        }
        return tree.root === rootAt(tree.size);
      }),
    );
  });

  it("stores a node once, and few of them at a time", ({ expect }) => {
    const { nodes } = append(0, [], LEAVES);
    expect(new Set(nodes.map(key)).size).toBe(nodes.length);
    expect(nodes.length).toBeLessThan(2 * MOST);
    for (const size of [1, 255, 256, 2 ** 40, 2 ** 40 + 1, 2 ** 53 - 1])
      expect(frontierNodes(size).length).toBeLessThanOrEqual(53);
    expect(inclusionNodes(3, 2 ** 50 - 1).length).toBeLessThan(53 * 53);
    expect(inclusionNodes(2 ** 45, 2 ** 50).length).toBe(50);
  });

  it("does not grow from a frontier that is not its own", ({ expect }) => {
    expect(() => append(3, [LEAVES[0] ?? ""], [])).toThrow(RangeError);
    expect(() => append(1, [], [LEAVES[0] ?? ""])).toThrow(RangeError);
  });

  it("shows every leaf of every tree, by the nodes it names and no others", ({ expect }) => {
    for (let size = 1; size <= MOST; size += 1) {
      const root = rootAt(size);
      for (let index = 0; index < size; index += 1) {
        const proof = inclusion(index, size);
        const claim = { leaf: LEAVES[index] ?? "", index, size, proof, root };
        if (!verifyInclusion(claim)) expect.fail(`leaf ${index} of ${size}`);
      }
    }
    for (const [index, size] of [
      [0, 1],
      [2, 3],
      [6, 7],
      [40, 129],
      [298, 300],
    ] as const)
      expect(inclusion(index, size)).toEqual(
        PATH(index, BYTES.slice(0, size)).map((hash) => hash.toString("hex")),
      );
  });

  it("shows every tree in every later one, by the nodes it names and no others", ({ expect }) => {
    for (let second = 0; second <= MOST; second += 1)
      for (let first = 0; first <= second; first += 1) {
        const proof = consistency(first, second);
        const claim = { first, second, firstRoot: rootAt(first), secondRoot: rootAt(second), proof };
        if (!verifyConsistency(claim)) expect.fail(`${first} in ${second}`);
      }
    for (const [first, second] of [
      [1, 2],
      [3, 7],
      [4, 7],
      [6, 7],
      [100, 257],
      [128, 300],
    ] as const)
      expect(consistency(first, second)).toEqual(
        SUBPROOF(first, BYTES.slice(0, second), true).map((hash) => hash.toString("hex")),
      );
  });

  it("believes no other leaf, place, size, proof or root", () => {
    const place = fc
      .integer({ min: 1, max: MOST })
      .chain((size) => fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.constant(size)));
    fc.assert(
      fc.property(place, fc.nat(), fc.nat(), ([index, size], which, at) => {
        const proof = inclusion(index, size);
        const good = { leaf: LEAVES[index] ?? "", index, size, proof, root: rootAt(size) };
        const wrong = [
          { ...good, leaf: flip(good.leaf, at % 64) },
          { ...good, root: flip(good.root, at % 64) },
          { ...good, index: size },
          { ...good, index: -1 },
          { ...good, index: 0.5 },
          { ...good, size: Number.NaN },
          { ...good, proof: [...proof, good.leaf] },
          ...(size === 1 ? [] : [{ ...good, index: (index + 1 + (which % (size - 1))) % size }]),
          ...(proof.length === 0
            ? []
            : [
                { ...good, proof: proof.slice(1) },
                { ...good, proof: proof.slice(0, -1) },
                {
                  ...good,
                  proof: proof.map((hash, i) => (i === which % proof.length ? flip(hash, at % 64) : hash)),
                },
              ]),
        ];
        return verifyInclusion(good) && wrong.every((claim) => !verifyInclusion(claim));
      }),
    );
    const pair = fc
      .integer({ min: 2, max: MOST })
      .chain((second) => fc.tuple(fc.integer({ min: 1, max: second - 1 }), fc.constant(second)));
    fc.assert(
      fc.property(pair, fc.nat(), fc.nat(), ([first, second], which, at) => {
        const proof = consistency(first, second);
        const good = { first, second, firstRoot: rootAt(first), secondRoot: rootAt(second), proof };
        const wrong = [
          { ...good, firstRoot: flip(good.firstRoot, at % 64) },
          { ...good, secondRoot: flip(good.secondRoot, at % 64) },
          { ...good, first: second, second: first },
          { ...good, first: -1 },
          { ...good, proof: proof.slice(1) },
          { ...good, proof: [...proof, good.firstRoot] },
          {
            ...good,
            proof: proof.map((hash, i) => (i === which % proof.length ? flip(hash, at % 64) : hash)),
          },
        ];
        return verifyConsistency(good) && wrong.every((claim) => !verifyConsistency(claim));
      }),
    );
    fc.assert(
      fc.property(pair, ([first, second]) => {
        // A tree that was rewritten: the same number of leaves, one of them another.
        const rewritten = LEAVES.slice(0, second);
        rewritten[first - 1] = flip(rewritten[first - 1] ?? "");
        const { root } = append(0, [], rewritten);
        const proof = consistency(first, second);
        return !verifyConsistency({ first, second, firstRoot: rootAt(first), secondRoot: root, proof });
      }),
    );
  });

  it("says that there is no proof rather than making one up", ({ expect }) => {
    expect(() => inclusionNodes(3, 3)).toThrow(RangeError);
    expect(() => consistencyNodes(4, 3)).toThrow(RangeError);
    expect(() => inclusionProof(1, 4, () => undefined)).toThrow(RangeError);
  });
});
