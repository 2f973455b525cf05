/** The form of a file: every member is there, of its kind and within its bound, before anything is hashed. */
import { attempt, isCount, isObject, no } from "./hashed.mjs";
import { readNote } from "./signed.mjs";

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
const both = (form, more) => (value, pointer) => {
  form(value, pointer);
  more(value);
};
/** What the form of each member by itself does not say: a proof for every step, and so many signatures in all. */
const pairs = ({ checkpoints, consistency }) => {
  if (consistency !== null && consistency.length !== checkpoints.length - 1) bad("/consistency");
  let signatures = 0;
  for (const [i, note] of checkpoints.entries()) {
    signatures += attempt(() => readNote(note, "").signatures.length) ?? 0;
    if (signatures > 200_000) bad(`/checkpoints/${i}`);
  }
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
  checkpoints: both(
    members({
      countersign_checkpoints: () => {},
      organization: text(2_048),
      checkpoints: list(100_000, text(65_536), 1),
      consistency: maybe(list(100_000, list(64, hash))),
      leaves: maybe(list(1_000_000, text(16_384))),
      keys: list(1_024, text(1_024), 1),
    }),
    pairs,
  ),
};
