/** A text in every form in which it, or something that it could be tried by, may stand somewhere. */
import { createHash } from "node:crypto";
import { hashOf, TAGS } from "../../../src/ledger/index.ts";
import { needleOf, pairsOf, searchable, wordsOf } from "../../../src/policy/provenance/index.ts";

export interface Form {
  readonly how: string;
  readonly text: string;
}

/** Every tag that the product hashes anything under. */
const HASH_TAGS = [
  TAGS.private,
  TAGS.rawArguments,
  TAGS.action,
  TAGS.body,
  "countersign/omitted/v1\n",
  "countersign/said/v1\n",
  "countersign/write-target/v1\n",
];

/** Characters of a byte string, as values of blobs are read. */
export function latin(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const base64 = (bytes: Uint8Array): string => btoa(latin(bytes));
const url = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** As it was written, and as somebody could write it who tries what it was. */
function spellingsOf(text: string): Form[] {
  const plain = searchable(text);
  return [
    { how: "as it is", text },
    { how: "upper case", text: text.toUpperCase() },
    { how: "lower case", text: text.toLowerCase() },
    { how: "NFKC", text: text.normalize("NFKC") },
    { how: "NFD", text: text.normalize("NFD") },
    { how: "searchable", text: plain },
    { how: "a needle", text: needleOf(text) },
    { how: "without marks", text: plain.replace(/[\p{P}\p{S}]/gu, "") },
    { how: "marks as spaces", text: plain.replace(/[\p{P}\p{S}\s]+/gu, " ").trim() },
    { how: "without spaces", text: plain.replace(/[\p{P}\p{S}\s]+/gu, "") },
  ];
}

function hashesOf({ how, text }: Form): Form[] {
  const forms: Form[] = [];
  for (const name of ["sha256", "sha1", "sha512", "md5"]) {
    const digest = new Uint8Array(createHash(name).update(text).digest());
    const hex = createHash(name).update(text).digest("hex");
    const of = `${name} of it ${how}`;
    forms.push(
      { how: `${of}, hex`, text: hex },
      { how: `${of}, HEX`, text: hex.toUpperCase() },
      { how: `${of}, base64`, text: base64(digest) },
      { how: `${of}, base64url`, text: url(base64(digest)) },
      { how: `${of}, bytes`, text: latin(digest) },
      { how: `first 8 bytes of ${of}, hex`, text: hex.slice(0, 16) },
      { how: `first 8 bytes of ${of}`, text: latin(digest.slice(0, 8)) },
    );
  }
  return [
    ...forms,
    ...HASH_TAGS.map((tag) => ({ how: `hashed ${how} under ${tag.trim()}`, text: hashOf(tag, text) })),
  ];
}

/** Without what its neighbours decide: three bytes make four characters, wherever the text begins. */
function base64InsideOf(text: string): Form[] {
  const bytes = utf8(text);
  return [0, 1, 2].flatMap((offset) => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const whole = Math.floor(shifted.length / 3) * 4;
    const inner = base64(shifted).slice(offset === 0 ? 0 : 4, whole);
    return [
      { how: `base64 at ${offset}`, text: inner },
      { how: `base64url at ${offset}`, text: url(inner) },
    ];
  });
}

function encodedOf(text: string): Form[] {
  const bytes = utf8(text);
  const wide = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at += 1) {
    wide[at * 2] = text.charCodeAt(at) & 255;
    wide[at * 2 + 1] = text.charCodeAt(at) >> 8;
  }
  return [
    { how: "in JSON", text: JSON.stringify(text).slice(1, -1) },
    { how: "in JSON in JSON", text: JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1) },
    { how: "in a URL", text: encodeURIComponent(text) },
    { how: "as UTF-8 bytes", text: latin(bytes) },
    { how: "as UTF-16 bytes", text: latin(wide) },
    { how: "in hex", text: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("") },
    ...base64InsideOf(text),
  ];
}

/**
 * Terms of the indexes: hashes of words, and of pairs of them. An index leaves out how a term begins where the one before
 * it begins so, too; of 53 bits two thirds are looked for.
 */
function termsOf(text: string, marks: readonly string[]): Form[] {
  const plain = searchable(text);
  const words = plain.split(" ");
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ""}`.trim());
  const own = [...words, ...pairs].filter((one) => marks.some((mark) => one.includes(mark)));
  return own.flatMap((one) => [
    ...`${pairsOf(one)} ${wordsOf(one)}`
      .split(" ")
      .filter((term) => term.length >= 10)
      // Of a single word the pairs are of its letters, which other words hold, too.
      .filter((term) => one.includes(" ") || wordsOf(one).split(" ").includes(term))
      .filter((term) => isOwn(term, one, marks))
      .map((term) => ({ how: `the term of “${one}”`, text: term.slice(3) })),
    ...hashesOf({ how: `“${one}”`, text: one }),
  ]);
}

/** A term that no other text of the test makes: of words that hold a mark. */
function isOwn(term: string, of: string, marks: readonly string[]): boolean {
  const common = of
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !marks.some((mark) => word.includes(mark)))
    .join(" ");
  return !`${pairsOf(common)} ${wordsOf(common)}`.split(" ").includes(term);
}

/** Forms shorter than this stand by chance in what is long enough. */
export const SHORTEST = 6;

/** @param marks the words of the text that nothing else in the whole test holds */
export function formsOf(text: string, marks: readonly string[]): Form[] {
  const spelled = spellingsOf(text);
  const all = [
    ...spelled,
    ...spelled.flatMap((one) =>
      encodedOf(one.text).map((form) => ({ ...form, how: `${one.how}, ${form.how}` })),
    ),
    ...spelled.flatMap(hashesOf),
    ...termsOf(text, marks),
  ];
  const seen = new Map<string, Form>();
  for (const form of all) if (form.text.length >= SHORTEST && !seen.has(form.text)) seen.set(form.text, form);
  return [...seen.values()];
}
