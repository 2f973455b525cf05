/** Receipts and files of checkpoints: their form first, then every step of what they show. */
import {
  chainOf,
  isCount,
  isFirstOf,
  isJcs,
  isObject,
  json,
  no,
  readEntry,
  readLeaf,
  readStored,
  sha256,
} from "./hashed.mjs";
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
} from "./signed.mjs";
import { CLAIMS, covers } from "./words.mjs";

/** A form ends the check where a value does not keep it. */
const bad = (pointer) => no("malformed-file", { pointer });
const text =
  (limit, fits = /^/) =>
  (value, pointer) =>
    (typeof value === "string" && value.length <= limit && value.isWellFormed() && fits.test(value)) ||
    bad(pointer);
const hash = text(64, /^[0-9a-f]{64}$/);
const count = (value, pointer) => isCount(value) || bad(pointer);
const maybe = (form) => (value, pointer) => value === null || form(value, pointer);
const list =
  (limit, form, least = 0) =>
  (value, pointer) => {
    if (!Array.isArray(value) || value.length > limit || value.length < least) bad(pointer);
    for (const [i, one] of value.entries()) form(one, `${pointer}/${i}`);
  };
const members = (forms) => (value, pointer) => {
  if (!isObject(value)) bad(pointer);
  for (const [name, form] of Object.entries(forms))
    Object.hasOwn(value, name) ? form(value[name], `${pointer}/${name}`) : bad(`${pointer}/${name}`);
  if (Object.keys(value).length !== Object.keys(forms).length) bad(pointer);
};
const headers = (value, pointer) => {
  const all = isObject(value) ? Object.entries(value) : bad(pointer);
  if (all.length > 64 || all.some(([height]) => !/^(0|[1-9]\d{0,8})$/.test(height))) bad(pointer);
  for (const [height, one] of all) text(160, /^[0-9a-f]{160}$/)(one, `${pointer}/${height}`);
};
export const FORMS = {
  receipt: members({
    countersign_receipt: () => {},
    organization: text(2_048),
    chain: text(2_048, /^(organization$|session:)/),
    entry: members({ hash, entry: text(16_384), body: text(8_388_608) }),
    disclosed: maybe(members({ private: text(16_777_216), salt: hash })),
    private_gone: (value, pointer) => typeof value === "boolean" || bad(pointer),
    path: list(100_000, text(16_384)),
    leaf: text(16_384),
    inclusion: members({ index: count, tree_size: count, hashes: list(64, hash) }),
    checkpoint: text(65_536),
    keys: list(16, text(1_024), 1),
    anchor: maybe(members({ ots: text(1_400_000), headers })),
    covers: text(2_048),
    not_proven: list(32, text(2_048)),
  }),
  checkpoints: members({
    countersign_checkpoints: () => {},
    organization: text(2_048),
    checkpoints: list(100_000, text(65_536), 1),
    consistency: maybe(list(100_000, list(64, hash))),
    leaves: maybe(list(1_000_000, text(16_384))),
    keys: list(1_024, text(1_024), 1),
  }),
};

export async function checkReceipt(receipt, { keys, anchor }, say) {
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
  for (const [i, one] of path.entries()) {
    const where = { pointer: `/path/${i}`, seq: head.seq + 1 };
    const next = isJcs(one) ? readEntry(one) : null;
    if (next === null) no("malformed-entry", where);
    if (next.seq !== head.seq + 1) no("sequence", where);
    if (next.prev !== head.hash) no("previous-hash", where);
    if (next.org !== organization) no("organization", where);
    if (next.at < head.at) no("time", where);
    head = { seq: next.seq, hash: await sha256(`countersign/entry/v1\n${one}`), at: next.at };
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
      : await signersOf(
          note,
          keys.filter((key) => key.name === origin),
          pointer,
        );
  say("ok", `${[...by].map((key) => key.id).join(" and ")} of ${origin} signed it`);
  if (keys.length === 0) say("pending", CLAIMS.keys);

  if (receipt.anchor === null) say("note", "the checkpoint is not anchored");
  else if (anchor === null) say("note", "the anchor was not looked at");
  else {
    const judged = await anchor(receipt.anchor, await sha256(note.text));
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
  for (const sentence of [receipt.covers, ...told]) say("note", sentence);
  return [leaf];
}

export async function checkCheckpoints(file, { keys }, say) {
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
    if ([...signers].some((key) => key.name !== next.origin)) no("origin", where);
    const old = read[i - 1];
    read.push({ ...next, digest: await sha256(note.text) });
    if (old === undefined) continue;
    if (next.origin !== old.origin) no("origin", where);
    if (next.prev !== old.digest) no("previous-checkpoint", where);
    if (next.size < old.size) no("tree-size", where);
    if (next.at < old.at) no("time", where);
    if (next.size === old.size && next.root !== old.root) no("root", where);
    const proof = consistency?.[i - 1];
    if (proof !== undefined && !(await isConsistent(old, next, proof))) no("consistency", where);
  }
  const { origin } = read.at(-1);
  if (organizationOf(origin) !== organization) no("origin", { pointer: "/organization" });
  say("ok", `${read.length} checkpoints of ${origin} follow from one another and are signed`);
  if (consistency !== null) say("ok", "each tree began with the one before it");
  const heads = leaves === null ? [] : await checkLeaves(leaves, organization, read);
  if (leaves !== null) say("ok", `the ${leaves.length} leaves give every checkpoint's root`);
  else if (consistency === null && read.length > 1)
    say("pending", "neither leaves nor consistency proofs show that the trees only grew");
  if (keys.length === 0) say("pending", CLAIMS.keys);
  for (const sentence of CLAIMS.checkpoints) say("note", sentence);
  return heads;
}

/** One signed checkpoint alone: its keys are those that are given, or nobody's. */
export async function checkNote(text, { keys }, say) {
  const pointer = "";
  const note = readNote(text, pointer);
  const { origin, size } = readCheckpoint(note.text, pointer);
  if (keys.length === 0) say("pending", CLAIMS.keys);
  else if ([...(await signersOf(note, keys, pointer))].some((key) => key.name !== origin))
    no("origin", { pointer });
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
    if (leaf.seq <= (newest.get(leaf.chain) ?? 0)) no("leaf", where);
    newest.set(leaf.chain, leaf.seq);
    return leaf;
  });
  const edge = [];
  let size = 0;
  for (const [i, checkpoint] of checkpoints.entries()) {
    for (; size < checkpoint.size && size < leaves.length; size += 1) await grow(edge, leaves[size]);
    if (size !== checkpoint.size) no("tree-size", { pointer: "/leaves" });
    if ((await rootOf(edge)) !== checkpoint.root) no("root", { pointer: `/checkpoints/${i}` });
  }
  return size === leaves.length ? heads : no("tree-size", { pointer: "/leaves" });
}
