/**
 * OpenTimestamps proofs: a tree of operations over a message, whose leaves attest that a message was there. Pure.
 *
 *     file       magic ‖ 0x01 ‖ hash of the file ‖ digest ‖ timestamp
 *     timestamp  { 0xff ‖ branch } ‖ branch
 *     branch     0x00 ‖ attestation, or an operation ‖ the timestamp of its result
 *
 * Reading is total, bounded, and goes down the tree without recursion: it holds as many nodes as it may, and no stack of
 * calls. What it reads it also does, so that every message in a tree that was read is the one that follows.
 */
import { hexOf } from "../bytes.ts";
import { type Attestation, attestationBytes, compareAttestations, readAttestation } from "./attestation.ts";
import {
  apply,
  costOf,
  DIGEST_BYTES,
  type HashName,
  isHashName,
  MAX_MESSAGE_BYTES,
  type Operation,
  operationKind,
  operationTag,
} from "./operation.ts";
import { Reader, type Refusal, refusing, Writer } from "./wire.ts";

export const MAX_PROOF_BYTES = 1_048_576;
/** Of a whole proof. One that waits for four calendars and was answered by each has some hundreds. */
export const MAX_OPERATIONS = 10_000;
export const MAX_ATTESTATIONS = 1_000;
/** Operations from the digest to a leaf: the reference client reads no deeper, and a proof is for every reader. */
export const MAX_DEPTH = 255;
/** Bytes that operations work on, as {@link costOf} counts them. */
const MAX_WORK_BYTES = 4_194_304;

const MAGIC = Uint8Array.of(
  ...[0x00, 0x4f, 0x70, 0x65, 0x6e, 0x54, 0x69, 0x6d, 0x65, 0x73, 0x74, 0x61, 0x6d, 0x70, 0x73, 0x00, 0x00],
  ...[0x50, 0x72, 0x6f, 0x6f, 0x66, 0x00, 0xbf, 0x89, 0xe2, 0xe8, 0x84, 0xe8, 0x92, 0x94],
);
const VERSION = 1;
const FORK = 0xff;
const ATTESTATION = 0x00;

/** A message and what is known of it. */
export interface Timestamp {
  readonly message: Uint8Array;
  readonly attestations: readonly Attestation[];
  readonly branches: readonly Branch[];
}

export interface Branch {
  readonly operation: Operation;
  /** Of the operation's result. */
  readonly timestamp: Timestamp;
}

/** What a `.ots` file holds. `timestamp.message` is the digest of the file that was stamped. */
export interface Proof {
  readonly hash: HashName;
  readonly timestamp: Timestamp;
}

export type ReadProof = { readonly ok: true; readonly proof: Proof } | Refusal;
export type ReadTimestamp = { readonly ok: true; readonly timestamp: Timestamp } | Refusal;

interface Node extends Timestamp {
  readonly attestations: Attestation[];
  readonly branches: (Branch & { readonly timestamp: Node })[];
  /** Where the branches and attestations stand that this node has: the same one twice is one. */
  readonly seen: Map<string, Node | null>;
}

/** Reads a `.ots` file. Every refusal says at which byte. Total. */
export function parseProof(file: Uint8Array): ReadProof {
  return refusing((): ReadProof => {
    const reader = new Reader(file);
    if (file.length > MAX_PROOF_BYTES)
      reader.refuse("too-large", `A proof has ${MAX_PROOF_BYTES} bytes at most.`, MAX_PROOF_BYTES);
    for (const due of MAGIC) {
      const at = reader.at;
      if (reader.byte("the beginning of an OpenTimestamps proof") !== due)
        reader.refuse("magic", "This is not an OpenTimestamps proof.", at);
    }
    const versionAt = reader.at;
    const version = reader.byte("the version");
    if (version !== VERSION)
      reader.refuse("version", `The proof is of version ${version}; 1 is known.`, versionAt);
    const hashAt = reader.at;
    const hash = operationKind(reader.byte("the hash of the file"));
    if (hash === null || !isHashName(hash))
      return reader.refuse("file-hash", "This is not a hash function that a file is stamped by.", hashAt);
    const digest = reader.bytes(DIGEST_BYTES[hash], "the digest of the file");
    const timestamp = readTree(reader, digest);
    reader.end("the proof");
    return { ok: true, proof: { hash, timestamp } };
  });
}

/** Reads a timestamp of a message that is known, such as a calendar answers with. Total. */
export function parseTimestamp(bytes: Uint8Array, message: Uint8Array): ReadTimestamp {
  return refusing((): ReadTimestamp => {
    const reader = new Reader(bytes);
    if (bytes.length > MAX_PROOF_BYTES)
      reader.refuse("too-large", `A proof has ${MAX_PROOF_BYTES} bytes at most.`, MAX_PROOF_BYTES);
    if (message.length > MAX_MESSAGE_BYTES) reader.refuse("message", "The message is too long.");
    const timestamp = readTree(reader, message);
    reader.end("the timestamp");
    return { ok: true, timestamp };
  });
}

function readTree(reader: Reader, message: Uint8Array): Timestamp {
  const root = nodeOf(message);
  /** Nodes of which one branch is being read, and another will follow. */
  const open: { node: Node; depth: number }[] = [];
  let here = { node: root, depth: 0 };
  let [operations, attestations, work] = [0, 0, 0];
  for (;;) {
    let at = reader.at;
    let tag = reader.byte("an operation or an attestation");
    if (tag === FORK) {
      open.push(here);
      at = reader.at;
      tag = reader.byte("a branch");
    }
    if (tag === ATTESTATION) {
      attestations += 1;
      if (attestations > MAX_ATTESTATIONS)
        reader.refuse("too-many", `A proof has ${MAX_ATTESTATIONS} attestations at most.`, at);
      attest(here.node, readAttestation(reader));
      const next = open.pop();
      if (next === undefined) return root;
      here = next;
      continue;
    }
    const operation = readOperation(reader, tag, at);
    operations += 1;
    if (operations > MAX_OPERATIONS)
      reader.refuse("too-many", `A proof has ${MAX_OPERATIONS} operations at most.`, at);
    if (here.depth === MAX_DEPTH)
      reader.refuse("too-deep", `No more than ${MAX_DEPTH} operations follow one another in a proof.`, at);
    work += costOf(operation, here.node.message);
    if (work > MAX_WORK_BYTES)
      reader.refuse("too-much-work", "The operations of this proof work on more bytes than is allowed.", at);
    const node = branch(here.node, operation);
    if (node === null)
      return reader.refuse(
        "message",
        `The message is too long for ${operation.kind}, or its result is: ${MAX_MESSAGE_BYTES} bytes at most.`,
        at,
      );
    here = { node, depth: here.depth + 1 };
  }
}

function readOperation(reader: Reader, tag: number, at: number): Operation {
  const kind = operationKind(tag);
  if (kind === null) return reader.refuse("operation", `0x${hexOf(Uint8Array.of(tag))} is no operation.`, at);
  if (kind === "append" || kind === "prepend")
    return { kind, argument: reader.sized(1, MAX_MESSAGE_BYTES, `what to ${kind}`) };
  return { kind };
}

/** The bytes of a `.ots` file, in the one order that there is: reading them gives an equal proof. */
export function serializeProof(proof: Proof): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writer.bytes(MAGIC);
  writer.byte(VERSION);
  writer.byte(operationTag({ kind: proof.hash }));
  writer.bytes(proof.timestamp.message);
  writeTree(writer, proof.timestamp);
  return writer.done();
}

/**
 * The bytes of a timestamp without its message.
 * @throws {RangeError} on one that has a node with nothing under it: no bytes say that
 */
export function serializeTimestamp(timestamp: Timestamp): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writeTree(writer, timestamp);
  return writer.done();
}

function writeTree(writer: Writer, root: Timestamp): void {
  const rest: { timestamp: Timestamp; branch: Branch | null; fork: boolean }[] = [];
  const push = (timestamp: Timestamp) => {
    const branches = timestamp.branches.toSorted((a, b) =>
      compareKeys(keyOf(a.operation), keyOf(b.operation)),
    );
    if (branches.length === 0 && timestamp.attestations.length === 0)
      throw new RangeError("a timestamp with nothing under it");
    for (const [i, one] of [...branches].reverse().entries())
      rest.push({ timestamp: one.timestamp, branch: one, fork: i > 0 });
    const attestations = timestamp.attestations.toSorted(compareAttestations);
    for (const [i, attestation] of attestations.entries()) {
      if (i < attestations.length - 1 || branches.length > 0) writer.byte(FORK);
      writer.byte(ATTESTATION);
      writer.bytes(attestationBytes(attestation));
    }
  };
  push(root);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.fork) writer.byte(FORK);
    if (next.branch !== null) {
      writer.byte(operationTag(next.branch.operation));
      if ("argument" in next.branch.operation) writer.sized(next.branch.operation.argument);
    }
    push(next.timestamp);
  }
}

export interface Attested {
  readonly attestation: Attestation;
  /** What is attested. */
  readonly message: Uint8Array;
  /** Operations from the digest to it. */
  readonly depth: number;
}

/** Every attestation of a tree, in the order of the tree. */
export function attestationsOf(root: Timestamp): Attested[] {
  const found: Attested[] = [];
  const rest = [{ timestamp: root, depth: 0 }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { timestamp, depth } = next;
    for (const attestation of timestamp.attestations)
      found.push({ attestation, message: timestamp.message, depth });
    for (const one of timestamp.branches.toReversed())
      rest.push({ timestamp: one.timestamp, depth: depth + 1 });
  }
  return found;
}

/** A timestamp by a chain of operations, the end of which is `end` made of: what a stamp begins with. */
export function chainOf(
  message: Uint8Array,
  operations: readonly Operation[],
  end: (message: Uint8Array) => Pick<Timestamp, "attestations" | "branches">,
): Timestamp | null {
  const messages = [message];
  for (const operation of operations) {
    const result = apply(operation, messages.at(-1) ?? message);
    if (result === null) return null;
    messages.push(result);
  }
  const last = messages.at(-1) ?? message;
  let timestamp: Timestamp = { message: last, ...end(last) };
  for (let i = operations.length - 1; i >= 0; i -= 1) {
    const operation = operations[i];
    const before = messages[i];
    if (operation === undefined || before === undefined) return null;
    timestamp = { message: before, attestations: [], branches: [{ operation, timestamp }] };
  }
  return timestamp;
}

/** Both timestamps of one message as one; `null` when they are of two. */
export function merge(a: Timestamp, b: Timestamp): Timestamp | null {
  if (!isSame(a.message, b.message)) return null;
  const root = nodeOf(a.message);
  copyInto(root, a);
  copyInto(root, b);
  return root;
}

/**
 * A proof with what a calendar answered about a message in it. Where the answer holds a Bitcoin attestation, the promise
 * of `calendar` to have one made is kept, and goes. The proof that comes back is one that can be read.
 * @returns `null` when the message is nowhere in the proof; a refusal when the whole would be no proof any more
 */
export function upgrade(proof: Proof, answer: Timestamp, calendar: string): ReadProof | null {
  const root = nodeOf(proof.timestamp.message);
  copyInto(root, proof.timestamp);
  const places: Node[] = [];
  const rest: Node[] = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (isSame(next.message, answer.message)) places.push(next);
    for (const one of next.branches) rest.push(one.timestamp);
  }
  if (places.length === 0) return null;
  const kept = attestationsOf(answer).some((one) => one.attestation.kind === "bitcoin");
  for (const place of places) {
    copyInto(place, answer);
    if (!kept) continue;
    const left = place.attestations.filter((one) => one.kind !== "pending" || one.uri !== calendar);
    place.attestations.splice(0, place.attestations.length, ...left);
  }
  return parseProof(serializeProof({ hash: proof.hash, timestamp: root }));
}

/**
 * A timestamp without some of its attestations, and without what led to these alone; `null` when nothing is left.
 * No timestamp is deeper than {@link MAX_DEPTH}, and so is no call.
 */
export function without(
  timestamp: Timestamp,
  drops: (one: Omit<Attested, "depth">) => boolean,
): Timestamp | null {
  const { message } = timestamp;
  const attestations = timestamp.attestations.filter((attestation) => !drops({ attestation, message }));
  const branches = timestamp.branches.flatMap((one) => {
    const left = without(one.timestamp, drops);
    return left === null ? [] : [{ operation: one.operation, timestamp: left }];
  });
  return attestations.length === 0 && branches.length === 0 ? null : { message, attestations, branches };
}

function nodeOf(message: Uint8Array): Node {
  return { message, attestations: [], branches: [], seen: new Map() };
}

function attest(node: Node, attestation: Attestation): void {
  const key = `\0${hexOf(attestationBytes(attestation))}`;
  if (node.seen.has(key)) return;
  node.seen.set(key, null);
  node.attestations.push(attestation);
}

/** The node of an operation's result, which may be there already; `null` when it has none. */
function branch(node: Node, operation: Operation): Node | null {
  const key = keyOf(operation);
  const there = node.seen.get(key);
  if (there !== undefined && there !== null) return there;
  const result = apply(operation, node.message);
  if (result === null) return null;
  const timestamp = nodeOf(result);
  node.seen.set(key, timestamp);
  node.branches.push({ operation, timestamp });
  return timestamp;
}

function copyInto(target: Node, source: Timestamp): void {
  const rest = [{ target, source }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const attestation of next.source.attestations) attest(next.target, attestation);
    for (const one of next.source.branches) {
      const node = branch(next.target, one.operation);
      if (node !== null) rest.push({ target: node, source: one.timestamp });
    }
  }
}

/** One text an operation, in the order of its tag and then of its argument's bytes. */
function keyOf(operation: Operation): string {
  const argument = "argument" in operation ? operation.argument : new Uint8Array();
  return hexOf(Uint8Array.of(operationTag(operation))) + hexOf(argument);
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
