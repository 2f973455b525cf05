/**
 * The Merkle tree of RFC 6962 §2.1 (RFC 9162 §2.1), over leaves that are only ever appended. Pure.
 *
 * A full subtree never changes once its last leaf is there, so it is stored once under `(level, index)`: the subtree
 * over the `2^level` leaves from `index · 2^level` on. A tree of `n` leaves is then its frontier, the few full subtrees
 * of its right edge; appending needs the frontier alone, and a proof the nodes that {@link inclusionNodes} or
 * {@link consistencyNodes} names, each O(log n).
 *
 * Hashes are 64 lower-case hex digits. Sizes and indexes are safe integers.
 */
import { createHash } from "node:crypto";

export type Hash = string;

/** The full subtree over the `2^level` leaves from `index · 2^level` on. */
export interface NodeAddress {
  readonly level: number;
  readonly index: number;
}

export interface StoredNode extends NodeAddress {
  readonly hash: Hash;
}

/** Gives a stored node that the caller has read, or `undefined`. */
export type ReadNode = (address: NodeAddress) => Hash | undefined;

/** Leaves `from` to `to`, the latter not among them. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The root of a tree without leaves: the hash of nothing. */
export const EMPTY_ROOT: Hash = createHash("sha256").digest("hex");

/** SHA-256(0x00 ‖ data). Text is taken as UTF-8. */
export function leafHash(data: string | Uint8Array): Hash {
  const digest = createHash("sha256").update(LEAF);
  return (typeof data === "string" ? digest.update(data, "utf8") : digest.update(data)).digest("hex");
}

/** SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Hash, right: Hash): Hash {
  return createHash("sha256").update(NODE).update(left, "hex").update(right, "hex").digest("hex");
}

/** The full subtrees that make up a tree of `size` leaves, from the left: what an append, or the root, needs of it. */
export function frontierNodes(size: number): NodeAddress[] {
  return subtreesOf({ from: 0, to: size });
}

/** The root of the tree whose frontier this is. */
export function rootOf(frontier: readonly Hash[]): Hash {
  return fold(frontier) ?? EMPTY_ROOT;
}

export interface Appended {
  readonly size: number;
  readonly frontier: readonly Hash[];
  readonly root: Hash;
  /** Every full subtree that came into being, the leaves themselves among them, in the order they did. */
  readonly nodes: readonly StoredNode[];
}

/**
 * Appends leaves to a tree.
 * @param size of the tree before
 * @param frontier its {@link frontierNodes}, in that order
 * @param leaves their hashes, as {@link leafHash} makes them
 * @throws {RangeError} when the frontier is not that of a tree of this size
 */
export function append(size: number, frontier: readonly Hash[], leaves: readonly Hash[]): Appended {
  const addresses = frontierNodes(size);
  if (addresses.length !== frontier.length) throw new RangeError("not the frontier of a tree of this size");
  const edge: StoredNode[] = addresses.map((address, i) => ({ ...address, hash: frontier[i] ?? "" }));
  const nodes: StoredNode[] = [];
  for (const [i, hash] of leaves.entries()) {
    let node: StoredNode = { level: 0, index: size + i, hash };
    nodes.push(node);
    while (node.index % 2 === 1) {
      const left = edge.pop();
      if (left?.level !== node.level) throw new RangeError("not the frontier of a tree of this size");
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(left.hash, node.hash) };
      nodes.push(node);
    }
    edge.push(node);
  }
  const after = edge.map((node) => node.hash);
  return { size: size + leaves.length, frontier: after, root: rootOf(after), nodes };
}

/** The stored nodes that {@link inclusionProof} reads. */
export function inclusionNodes(index: number, size: number): NodeAddress[] {
  return pathRanges(index, size).flatMap(subtreesOf);
}

/**
 * The proof that leaf `index` stands in the tree of the first `size` leaves (RFC 9162 §2.1.3.1), nearest sibling first.
 * @throws {RangeError} when there is no such leaf, or a node that is needed was not read
 */
export function inclusionProof(index: number, size: number, read: ReadNode): Hash[] {
  return pathRanges(index, size).map((range) => hashOfRange(range, read));
}

/** The stored nodes that {@link consistencyProof} reads. */
export function consistencyNodes(first: number, second: number): NodeAddress[] {
  return consistencyRanges(first, second).flatMap(subtreesOf);
}

/**
 * The proof that the tree of the first `first` leaves is what the tree of `second` began with (RFC 9162 §2.1.4.1).
 * Nothing has to be shown for equal sizes, or for a first tree without leaves: the proof is empty.
 * @throws {RangeError} when `first` is past `second`, or a node that is needed was not read
 */
export function consistencyProof(first: number, second: number, read: ReadNode): Hash[] {
  return consistencyRanges(first, second).map((range) => hashOfRange(range, read));
}

/** Whether `proof` shows that `leaf` is leaf `index` of the tree with this root (RFC 9162 §2.1.3.2). Total. */
export function verifyInclusion(claim: {
  readonly leaf: Hash;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Hash[];
  readonly root: Hash;
}): boolean {
  const { index, size, proof } = claim;
  if (!isSize(index) || !isSize(size) || index >= size) return false;
  let fn = index;
  let sn = size - 1;
  let hash = claim.leaf;
  for (const sibling of proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeHash(sibling, hash);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else hash = nodeHash(hash, sibling);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && hash === claim.root;
}

/** Whether `proof` shows that the first tree is what the second began with (RFC 9162 §2.1.4.2). Total. */
export function verifyConsistency(claim: {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Hash;
  readonly secondRoot: Hash;
  readonly proof: readonly Hash[];
}): boolean {
  const { first, second, firstRoot, secondRoot, proof } = claim;
  if (!isSize(first) || !isSize(second) || first > second) return false;
  if (first === second) return proof.length === 0 && firstRoot === secondRoot;
  if (first === 0) return proof.length === 0 && firstRoot === EMPTY_ROOT;
  const [start, ...rest] = isPowerOfTwo(first) ? [firstRoot, ...proof] : proof;
  if (start === undefined) return false;
  let fn = first - 1;
  let sn = second - 1;
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  let [old, grown] = [start, start];
  for (const node of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      old = nodeHash(node, old);
      grown = nodeHash(node, grown);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else grown = nodeHash(grown, node);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && old === firstRoot && grown === secondRoot;
}

/** PATH of RFC 9162 §2.1.3.1, as the leaves that each hash of it is over. */
function pathRanges(index: number, size: number): Range[] {
  if (!isSize(index) || !isSize(size) || index >= size) throw new RangeError("no such leaf");
  const siblings: Range[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    siblings.push(index < middle ? { from: middle, to } : { from, to: middle });
    if (index < middle) to = middle;
    else from = middle;
  }
  return siblings.reverse();
}

/** PROOF and SUBPROOF of RFC 9162 §2.1.4.1, likewise. */
function consistencyRanges(first: number, second: number): Range[] {
  if (!isSize(first) || !isSize(second) || first > second) throw new RangeError("no such trees");
  if (first === 0 || first === second) return [];
  const ranges: Range[] = [];
  let [from, to] = [0, second];
  while (to !== first) {
    const middle = from + largestPowerBelow(to - from);
    ranges.push(first <= middle ? { from: middle, to } : { from, to: middle });
    if (first <= middle) to = middle;
    else from = middle;
  }
  // The old tree's own root need not be told to who has it.
  if (from > 0) ranges.push({ from, to });
  return ranges.reverse();
}

/** The full subtrees that a range is made of, from the left. Ranges of a proof begin where their largest one may stand. */
function subtreesOf({ from, to }: Range): NodeAddress[] {
  const subtrees: NodeAddress[] = [];
  let at = from;
  while (at < to) {
    const width = largestPowerBelow(to - at + 1);
    subtrees.push({ level: Math.log2(width), index: at / width });
    at += width;
  }
  return subtrees;
}

function hashOfRange(range: Range, read: ReadNode): Hash {
  const hashes = subtreesOf(range).map((address) => {
    const hash = read(address);
    if (hash === undefined) throw new RangeError(`node ${address.level}/${address.index} was not read`);
    return hash;
  });
  return rootOf(hashes);
}

/** The hash over neighbouring full subtrees, each smaller than the one before it. */
function fold(hashes: readonly Hash[]): Hash | undefined {
  return hashes.reduceRight<Hash | undefined>(
    (right, left) => (right === undefined ? left : nodeHash(left, right)),
    undefined,
  );
}

/** The largest power of two below `n`, which is 2 or more. Shifts would lose what is past 32 bits. */
function largestPowerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}

function half(n: number): number {
  return Math.floor(n / 2);
}

function isPowerOfTwo(n: number): boolean {
  return largestPowerBelow(n + 1) === n;
}

function isSize(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 0;
}
