import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  bytesOfBase64,
  bytesOfHex,
  ed25519Signer,
  formatNote,
  formatVerifierKey,
  hexOf,
  MAX_NOTE_BYTES,
  parseNote,
  parseVerifierKey,
  signNote,
  verifierKey,
  verifyNote,
} from "../../src/ledger/index.ts";

const seed = (n: number) => new Uint8Array(32).fill(n);
const NAME = "gate.example/org_1";
const ours = ed25519Signer(NAME, seed(1));
const newer = ed25519Signer(NAME, seed(2));
const stranger = ed25519Signer("else.example/log", seed(3));
const TEXT = "one\n\ntwo é\n";
const note = signNote(TEXT, [ours]);

describe("a signed note", () => {
  it("is the one that other software makes and reads", ({ expect }) => {
    // The example of Go's package golang.org/x/mod/sumdb/note.
    const key = parseVerifierKey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    const theirs =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
      "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
    expect(key).toMatchObject({ name: "PeterNeumann", id: "c74f20a3" });
    if (key === null) return;
    expect(verifyNote(theirs, [key])).toMatchObject({ ok: true });
    expect(verifyNote(theirs.replace("problem is", "problem Is"), [key])).toMatchObject({
      code: "signature",
    });
    // RFC 8032 §7.1, test 1: the public key of this private key.
    const rfc = ed25519Signer(
      "rfc",
      bytesOfHex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60") ?? seed(0),
    );
    expect(hexOf(rfc.key.publicKey)).toBe("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  });

  it("comes back as it was, and verifies by its key alone", ({ expect }) => {
    const read = parseNote(note);
    expect(read).toMatchObject({ ok: true, note: { text: TEXT } });
    expect(read.ok && formatNote(read.note)).toBe(note);
    expect(verifyNote(note, [ours.key])).toMatchObject({ ok: true, text: TEXT, signers: [ours.key] });
    expect(verifyNote(note, [stranger.key])).toMatchObject({ ok: false, code: "unknown-key" });
    expect(verifyNote(note, [])).toMatchObject({ ok: false, code: "unknown-key" });
  });

  it("passes over keys that nobody knows, and not over a wrong signature of a known one", ({ expect }) => {
    const both = signNote(TEXT, [stranger, ours, newer]);
    expect(verifyNote(both, [newer.key])).toMatchObject({ ok: true, signers: [newer.key] });
    expect(verifyNote(both, [ours.key, newer.key])).toMatchObject({ signers: [ours.key, newer.key] });
    const swapped = signNote(TEXT, [ours, { key: newer.key, sign: ours.sign }]);
    expect(verifyNote(swapped, [ours.key])).toMatchObject({ ok: true });
    expect(verifyNote(swapped, [ours.key, newer.key])).toMatchObject({ ok: false, code: "signature" });
  });

  it("may carry a signature of another kind and of any length", ({ expect }) => {
    const other = { name: "witness.example", id: "0a0b0c0d", signature: new Uint8Array(4_000) };
    const read = parseNote(note);
    if (!read.ok) return expect.fail(read.message);
    const longer = formatNote({ text: TEXT, signatures: [other, ...read.note.signatures] });
    expect(verifyNote(longer, [ours.key])).toMatchObject({ ok: true });
  });

  const wrong: [string, string, number][] = [
    ["nothing", "", 0],
    ["no signature", "text\n", 5],
    ["no blank line", `text\n${note.slice(note.indexOf("—"))}`, 0],
    ["a blank line at the end", `${note}\n`, 0],
    ["no last line feed", note.slice(0, -1), 0],
    ["a carriage return", note.replace("\n", "\r\n"), 3],
    ["a NUL", note.replace("one", "o\0e"), 1],
    ["a lone surrogate", note.replace("one", "o\ud800e"), 0],
    ["a hyphen for the dash", note.replace("—", "-"), TEXT.length + 2],
    ["two spaces", note.replace("— ", "—  "), TEXT.length + 2],
    ["a plus in the name", note.replace("org_1", "org+1"), TEXT.length + 2],
    ["no padding", note.replace(/=+\n$/, "\n"), 0],
    ["url-safe base64", note.replace(/.(=+\n)$/, "-$1"), 0],
    ["17 signatures", signNoteMany(17), 0],
    ["more than it may hold", `${"a".repeat(MAX_NOTE_BYTES)}\n\n`, 0],
  ];
  for (const [name, text, byte] of wrong)
    it(`is refused with ${name}, and it is said where`, ({ expect }) => {
      const read = parseNote(text);
      expect(read.ok).toBe(false);
      if (read.ok) return;
      if (byte > 0) expect(read.byte).toBe(byte);
      expect(verifyNote(text, [ours.key])).toMatchObject({ ok: false, code: "malformed-note" });
    });

  it("is not signed over a text that no note can hold", ({ expect }) => {
    for (const text of ["", "no line feed", "a\r\n", "\ud800\n", `${"a".repeat(MAX_NOTE_BYTES)}\n`])
      expect(() => signNote(text, [ours]), text.slice(0, 20)).toThrow(RangeError);
    expect(() => ed25519Signer("a name", seed(1))).toThrow(RangeError);
    expect(() => ed25519Signer("a", new Uint8Array(31))).toThrow(RangeError);
  });

  it("shows any one flipped bit", () => {
    const bytes = new TextEncoder().encode(note);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const flipped = bytes.slice();
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        return !verifyNote(new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(flipped), [
          ours.key,
        ]).ok;
      }),
      { numRuns: 1_500 },
    );
  });

  it("is judged whatever it is", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (junk) => !verifyNote(junk, [ours.key]).ok));
    fc.assert(fc.property(fc.string({ unit: "binary" }), (junk) => parseVerifierKey(junk) === null));
  });
});

describe("a verifier key", () => {
  it("comes back as it was, and only with its own id", ({ expect }) => {
    const text = formatVerifierKey(ours.key);
    expect(parseVerifierKey(text)).toEqual(ours.key);
    expect(verifierKey(NAME, ours.key.publicKey)).toEqual(ours.key);
    const id = ours.key.id;
    for (const other of [
      text.replace(id, id.startsWith("0") ? `1${id.slice(1)}` : `0${id.slice(1)}`),
      text.replace("gate", "gote"),
      text.replace(id, id.toUpperCase()),
      `${text}=`,
      text.slice(0, -1),
      text.replace("+A", "+B"),
      `${text}\n`,
      "",
      "a+b+c",
    ])
      expect(parseVerifierKey(other), other).toBeNull();
  });

  it("is read from one base64 alone", ({ expect }) => {
    expect(bytesOfBase64("QQ==")).toEqual(Uint8Array.of(65));
    for (const other of ["QR==", "QQ=", "QQ", "Q===", "Q-==", "QQ==\n", " QQ=="])
      expect(bytesOfBase64(other), other).toBeNull();
  });
});

function signNoteMany(count: number): string {
  const read = parseNote(note);
  const [signature] = read.ok ? read.note.signatures : [];
  return formatNote({ text: TEXT, signatures: Array.from({ length: count }, () => signature ?? never()) });
}

function never(): never {
  throw new Error("the note has a signature");
}
