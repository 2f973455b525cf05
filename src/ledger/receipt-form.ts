/** The form of a receipt's file, and its bounds. */
import {
  either,
  type Form,
  type FormFault,
  hash,
  isObject,
  list,
  members,
  readFile,
  size,
  text,
} from "./form.ts";
import { MAX_NOTE_BYTES, MAX_NOTE_SIGNATURES } from "./note.ts";
import type { Receipt } from "./receipt.ts";

/** Bounds in characters, or in members of a list. */
export const RECEIPT_LIMITS = {
  file: 67_108_864,
  name: 2_048,
  entry: 16_384,
  body: 8_388_608,
  private: 16_777_216,
  path: 100_000,
  hashes: 64,
  key: 1_024,
  ots: 1_400_000,
  headers: 64,
  sentence: 2_048,
  sentences: 32,
} as const;

const headers: Form = (value, pointer) => {
  if (!isObject(value)) return { pointer, message: "An object is due here." };
  const all = Object.entries(value);
  if (all.length > RECEIPT_LIMITS.headers)
    return { pointer, message: `At most ${RECEIPT_LIMITS.headers} headers stand here.` };
  for (const [height, header] of all) {
    if (!/^(0|[1-9]\d{0,8})$/.test(height)) return { pointer, message: "A header stands under its height." };
    const at = `${pointer}/${height}`;
    if (typeof header !== "string" || !/^[0-9a-f]{160}$/.test(header))
      return { pointer: at, message: "A block header is 80 bytes, 160 digits of hex." };
  }
  return null;
};

const RECEIPT = members({
  countersign_receipt: (value, pointer) =>
    value === 1 ? null : { pointer, message: "This is not version 1." },
  organization: text(RECEIPT_LIMITS.name),
  chain: text(RECEIPT_LIMITS.name, (value) => value === "organization" || value.startsWith("session:")),
  entry: members({ hash, entry: text(RECEIPT_LIMITS.entry), body: text(RECEIPT_LIMITS.body) }),
  disclosed: either(members({ private: text(RECEIPT_LIMITS.private), salt: hash })),
  private_gone: (value, pointer) =>
    typeof value === "boolean" ? null : { pointer, message: "True or false is due here." },
  path: list(RECEIPT_LIMITS.path, text(RECEIPT_LIMITS.entry)),
  leaf: text(RECEIPT_LIMITS.entry),
  inclusion: members({ index: size, tree_size: size, hashes: list(RECEIPT_LIMITS.hashes, hash) }),
  checkpoint: text(MAX_NOTE_BYTES),
  keys: list(MAX_NOTE_SIGNATURES, text(RECEIPT_LIMITS.key), 1),
  anchor: either(members({ ots: text(RECEIPT_LIMITS.ots), headers })),
  covers: text(RECEIPT_LIMITS.sentence),
  not_proven: list(RECEIPT_LIMITS.sentences, text(RECEIPT_LIMITS.sentence)),
});

/** Reads a receipt from a file's text or bytes, or from its JSON value. Total. */
export function readReceipt(file: unknown): { readonly receipt: Receipt } | FormFault {
  const read = readFile(file, "countersign_receipt", RECEIPT_LIMITS.file, RECEIPT);
  return "code" in read ? read : { receipt: read.value as unknown as Receipt };
}
