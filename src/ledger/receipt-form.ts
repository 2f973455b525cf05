/** The form of a receipt's file: every member is there, of its kind and within its bound, before anything is hashed. */
import { HASH } from "./bytes.ts";
import { MAX_NOTE_BYTES, MAX_NOTE_SIGNATURES } from "./note.ts";
import { isPlainJson } from "./plain-json.ts";
import { parse } from "./reading.ts";
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

export type ReadReceipt =
  | { readonly receipt: Receipt }
  | {
      readonly code: "malformed-receipt" | "unknown-version";
      readonly pointer: string;
      readonly message: string;
      /** Not a receipt of a version that is known here: nothing can be said of it. */
      readonly unreadable: boolean;
    };

/** Says what is wrong with a value at a pointer, or `null`. */
type Form = (value: unknown, pointer: string) => { pointer: string; message: string } | null;

const text =
  (limit: number, fits: (text: string) => boolean = () => true): Form =>
  (value, pointer) => {
    if (typeof value !== "string") return { pointer, message: "A text is due here." };
    if (value.length > limit) return { pointer, message: `This text has ${limit} characters at most.` };
    return value.isWellFormed() && fits(value)
      ? null
      : { pointer, message: "This text is not of the form that is due." };
  };

const hash = text(64, (value) => HASH.test(value));

const size: Form = (value, pointer) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? null : { pointer, message: "A count is due here." };

const either =
  (form: Form): Form =>
  (value, pointer) =>
    value === null ? null : form(value, pointer);

const list =
  (limit: number, form: Form, least = 0): Form =>
  (value, pointer) => {
    if (!Array.isArray(value)) return { pointer, message: "A list is due here." };
    if (value.length > limit || value.length < least)
      return { pointer, message: `This list has from ${least} to ${limit} members.` };
    for (const [i, one] of value.entries()) {
      const wrong = form(one, `${pointer}/${i}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const members =
  (forms: Readonly<Record<string, Form>>): Form =>
  (value, pointer) => {
    if (!isObject(value)) return { pointer, message: "An object is due here." };
    for (const [name, form] of Object.entries(forms)) {
      if (!Object.hasOwn(value, name)) return { pointer: `${pointer}/${name}`, message: "This is missing." };
      const wrong = form(value[name], `${pointer}/${name}`);
      if (wrong !== null) return wrong;
    }
    return Object.keys(value).length === Object.keys(forms).length
      ? null
      : { pointer, message: "Something stands here that no receipt of version 1 holds." };
  };

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
export function readReceipt(file: unknown): ReadReceipt {
  const no = (message: string, pointer = "", unreadable = true): ReadReceipt => ({
    code: "malformed-receipt",
    pointer,
    message,
    unreadable,
  });
  let value = file;
  let source: string | null = null;
  if (typeof file === "string" || file instanceof Uint8Array) {
    if (file.length > RECEIPT_LIMITS.file)
      return no(`A receipt has ${RECEIPT_LIMITS.file} characters at most.`);
    source = typeof file === "string" ? file : decode(file);
    if (source === null) return no("The file is not UTF-8.");
    value = parse(source);
    if (value === undefined) return no("The file is not JSON.");
  }
  if (!isObject(value) || !Object.hasOwn(value, "countersign_receipt")) return no("The file is no receipt.");
  if (value["countersign_receipt"] !== 1)
    return {
      code: "unknown-version",
      pointer: "/countersign_receipt",
      message: "The receipt is of a version that is not known here; this reads version 1.",
      unreadable: true,
    };
  // A member that stands twice is read one way by one reader and the other way by another.
  if (source !== null && !isPlainJson(source, value))
    return no(
      "The file is not plain JSON: a member stands twice, or a text is escaped needlessly.",
      "",
      false,
    );
  const wrong = RECEIPT(value, "");
  return wrong === null ? { receipt: value as unknown as Receipt } : no(wrong.message, wrong.pointer, false);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
