/** Receipts and files of checkpoints, whose form was judged: every step of what they show. */
import { chainOf, isFirstOf, isJcs, json, no, readEntry, readLeaf, readStored, sha256 } from "./hashed.mjs";
import { CONTRADICTED } from "./run.mjs";
import {
  grow,
  isConsistent,
  isIncluded,
  keyOf,
  leafHash,
  organizationOf,
  readCheckpoint,
  readNote,
  rootOf,
  signersOf,
  witnessesOf,
} from "./signed.mjs";
import { CLAIMS, covers } from "./words.mjs";

export async function checkReceipt(receipt, { keys, anchor, notes }, say) {
  const { organization, chain, entry: stored, disclosed, path, inclusion, private_gone: gone } = receipt;
  const entry = await readStored(stored, disclosed, (part) => ({ pointer: `/${part}` }));
  const { seq } = entry;
  if (entry.org !== organization) no("organization", { pointer: "/organization", seq });
  if ((entry.session === null) !== (chain === "organization")) no("chain", { pointer: "/chain", seq });
  if (seq < 1) no("sequence", { pointer: "/entry/entry", seq });
  if (seq === 1 && !((await isFirstOf(entry)) && chain === chainOf(entry)))
    no("genesis", { pointer: "/entry/entry", seq });
  say("ok", `entry ${seq} of ${chain} has its hash, and its body is the one it commits to`);
  if (disclosed !== null) say("ok", "the private text is the one that the body commits to");

  let head = { seq, hash: stored.hash, at: entry.at };
  notes.entry({ org: organization, chain, ...head }, { pointer: "/entry", seq });
  for (const [i, one] of path.entries()) {
    const where = { pointer: `/path/${i}`, seq: head.seq + 1 };
    const next = isJcs(one) ? readEntry(one) : null;
    if (next === null) no("malformed-entry", where);
    if (next.seq !== head.seq + 1) no("sequence", where);
    if (next.prev !== head.hash) no("previous-hash", where);
    if (next.org !== organization) no("organization", where);
    if (next.at < head.at) no("time", where);
    head = { seq: next.seq, hash: await sha256(`countersign/entry/v1\n${one}`), at: next.at };
    notes.entry({ org: organization, chain, ...head }, where);
  }
  say("ok", `${path.length} further entries lead from it to the head ${head.seq}`);

  const inLeaf = { pointer: "/leaf", seq: head.seq };
  const leaf = readLeaf(receipt.leaf) ?? no("malformed-leaf", inLeaf);
  if (leaf.org !== organization) no("organization", inLeaf);
  if (leaf.chain !== chain) no("chain", inLeaf);
  if (["seq", "hash", "at"].some((name) => leaf[name] !== head[name])) no("leaf", inLeaf);
  say("ok", `the log's leaf ${inclusion.index} names that head`);

  const pointer = "/checkpoint";
  const note = readNote(receipt.checkpoint, pointer);
  const { origin, size, root, at } = readCheckpoint(note.text, pointer);
  if (organizationOf(origin) !== organization) no("origin", { pointer });
  if (inclusion.tree_size !== size) no("tree-size", { pointer: "/inclusion/tree_size" });
  if (!(await isIncluded(await leafHash(receipt.leaf), inclusion.index, size, inclusion.hashes, root)))
    no("inclusion", { pointer: "/inclusion" });
  if (head.at > at) no("time", { pointer });
  notes.root({ origin, size, root }, { pointer });
  say("ok", `the leaf stands in the tree of ${size} leaves that the checkpoint is over`);

  const own = [];
  for (const [i, vkey] of receipt.keys.entries()) {
    own.push(await keyOf(vkey, `/keys/${i}`));
    if (own[i].name !== origin) no("origin", { pointer: `/keys/${i}` });
  }
  const signers = await signersOf(note, own, pointer);
  const idle = own.findIndex((key) => !signers.has(key));
  if (idle !== -1) no("unknown-key", { pointer: `/keys/${idle}` });
  const by =
    keys.length === 0
      ? signers
      : witnessesOf(
          await signersOf(
            note,
            keys.filter((key) => key.name === origin),
            pointer,
          ),
          { origin, at },
          pointer,
        );
  say("ok", `${[...by].map((key) => key.id).join(" and ")} of ${origin} signed it`);
  if (keys.length === 0) say("pending", CLAIMS.keys);

  if (receipt.anchor === null) say("note", "the checkpoint is not anchored");
  else if (anchor === null) say("note", "the anchor was not looked at");
  else {
    const judged = await anchor(receipt.anchor, await sha256(note.text), at);
    if (judged.pointer !== undefined) no("anchor", { pointer: judged.pointer }, false, judged.message);
    for (const one of judged) say(one.status, one.text);
  }

  const told = receipt.not_proven;
  if (gone && (disclosed !== null || typeof json(stored.body)?.private !== "string"))
    no("claims", { pointer: "/private_gone" });
  if (receipt.covers !== covers(stored.body, disclosed, gone)) no("claims", { pointer: "/covers" });
  const other = CLAIMS.receipt.findIndex((sentence, i) => told[i] !== sentence);
  if (other !== -1) no("claims", { pointer: `/not_proven/${other}` });
  if (told.length > CLAIMS.receipt.length) no("claims", { pointer: `/not_proven/${CLAIMS.receipt.length}` });
  if ((gone || disclosed !== null) && notes.text(stored.hash, gone)) say("pending", CONTRADICTED);
  say("note", gone ? `${CLAIMS.unchecked} ${receipt.covers}` : receipt.covers);
  if (chain !== "organization" && seq !== 1) say("note", CLAIMS.chainName);
  for (const sentence of told) say("note", sentence);
  return [leaf];
}

export async function checkCheckpoints(file, { keys, notes }, say) {
  const { organization, checkpoints, consistency, leaves } = file;
  const own = [];
  for (const [i, vkey] of file.keys.entries()) {
    own.push(await keyOf(vkey, `/keys/${i}`));
    if (organizationOf(own[i].name) !== organization) no("origin", { pointer: `/keys/${i}` });
  }
  const read = [];
  for (const [i, one] of checkpoints.entries()) {
    const where = { pointer: `/checkpoints/${i}` };
    const note = readNote(one, where.pointer);
    const signers = await signersOf(note, keys.length === 0 ? own : keys, where.pointer);
    const next = readCheckpoint(note.text, where.pointer);
    witnessesOf(signers, next, where.pointer);
    const old = read[i - 1];
    read.push({ ...next, digest: await sha256(note.text) });
    if (old === undefined) continue;
    if (next.origin !== old.origin) no("origin", where);
    if (next.prev !== old.digest) no("previous-checkpoint", where);
    if (next.size < old.size) no("tree-size", where);
    if (next.at < old.at) no("time", where);
    if (next.size === old.size && next.root !== old.root) no("root", where);
    if (consistency !== null && !(await isConsistent(old, next, consistency[i - 1])))
      no("consistency", where);
  }
  const { origin } = read.at(-1);
  if (organizationOf(origin) !== organization) no("origin", { pointer: "/organization" });
  say("ok", `${read.length} checkpoints of ${origin} follow from one another and are signed`);
  if (consistency !== null) say("ok", "each tree began with the one before it");
  const heads = leaves === null ? [] : await checkLeaves(leaves, organization, read);
  for (const [i, one] of read.entries()) notes.root(one, { pointer: `/checkpoints/${i}` });
  for (const [i, head] of heads.entries()) notes.entry(head, { pointer: `/leaves/${i}` });
  if (leaves !== null) say("ok", `the ${leaves.length} leaves give every checkpoint's root`);
  else if (consistency === null && read.length > 1)
    say("pending", "neither leaves nor consistency proofs show that the trees only grew");
  if (keys.length === 0) say("pending", CLAIMS.keys);
  for (const sentence of CLAIMS.checkpoints) say("note", sentence);
  return heads;
}

/** One signed checkpoint alone: its keys are those that are given, or nobody's. */
export async function checkNote(text, { keys, notes }, say) {
  const pointer = "";
  const note = readNote(text, pointer);
  const { origin, size, root, at } = readCheckpoint(note.text, pointer);
  if (keys.length === 0) say("pending", CLAIMS.keys);
  else witnessesOf(await signersOf(note, keys, pointer), { origin, at }, pointer);
  notes.root({ origin, size, root }, { pointer });
  say("ok", `a checkpoint of ${origin}, over a tree of ${size} leaves`);
  for (const sentence of CLAIMS.checkpoints) say("note", sentence);
  return [];
}

async function checkLeaves(leaves, organization, checkpoints) {
  const newest = new Map();
  const heads = leaves.map((one, i) => {
    const where = { pointer: `/leaves/${i}` };
    const leaf = readLeaf(one);
    if (leaf?.org !== organization) no("malformed-leaf", where);
    const before = newest.get(leaf.chain);
    if (leaf.seq <= (before?.seq ?? 0)) no("leaf", where);
    if (leaf.at < (before?.at ?? leaf.at)) no("time", where);
    newest.set(leaf.chain, leaf);
    return leaf;
  });
  const edge = [];
  let size = 0;
  for (const [i, checkpoint] of checkpoints.entries()) {
    let isLater = false;
    for (; size < checkpoint.size && size < leaves.length; size += 1) {
      await grow(edge, leaves[size]);
      isLater ||= heads[size].at > checkpoint.at;
    }
    if (size !== checkpoint.size) no("tree-size", { pointer: "/leaves" });
    if ((await rootOf(edge)) !== checkpoint.root) no("root", { pointer: `/checkpoints/${i}` });
    if (isLater) no("time", { pointer: `/checkpoints/${i}` });
  }
  return size === leaves.length ? heads : no("tree-size", { pointer: "/leaves" });
}
