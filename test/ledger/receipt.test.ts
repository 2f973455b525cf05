import * as fc from "fast-check";
import { describe, it } from "vitest";
import { newLog, signerOf, smallLog } from "../../scripts/lib/vectors/log.mjs";
import {
  type AnchorJudge,
  formatReceipt,
  formatVerifierKey,
  isPlainJson,
  KEYS_NOT_COMPARED,
  MAX_JSON_DEPTH,
  noteDigest,
  RECEIPT_NOT_PROVEN,
  type Receipt,
  verifyReceipt,
} from "../../src/ledger/index.ts";

const log = smallLog();
const key = signerOf("org_vectors").key;
const keys = [key];
/** Of the decision: its private text told, two entries up to the head of the first checkpoint's leaf. */
const receipt: Receipt = log.receipt("s-1", 3, { disclose: true });
const change = (changes: object, of: Receipt = receipt) => ({ ...structuredClone(of), ...changes });

describe("a receipt", () => {
  it("proves every entry that was sealed, by a key that was given", ({ expect }) => {
    for (const [root, count] of [
      ["s-1", 6],
      ["s-2", 1],
      [null, 2],
    ] as const)
      for (let seq = 1; seq <= count; seq += 1)
        for (const disclose of [false, true]) {
          const one: Receipt = log.receipt(root, seq, { disclose });
          const report = verifyReceipt(formatReceipt(one), { keys });
          expect(report, JSON.stringify(report)).toMatchObject({ result: "holds", broken: null, seq });
          expect(report.not_proven).toBe(RECEIPT_NOT_PROVEN);
          expect(one.covers).toContain(one.disclosed === null ? "body (" : "stand here whole");
        }
  });

  it("is pending as long as nobody has compared its keys", ({ expect }) => {
    const report = verifyReceipt(formatReceipt(receipt));
    expect(report.result).toBe("pending");
    expect(report.checks).toContainEqual({ status: "pending", text: KEYS_NOT_COMPARED });
  });

  it("says that private text is kept apart, told, or gone", ({ expect }) => {
    const kept: Receipt = log.receipt("s-1", 3);
    const gone: Receipt = log.receipt("s-1", 3, { gone: true });
    expect(kept.covers).toContain("whoever has it with its salt can check it");
    expect(gone.covers).toContain("nobody can check that part again");
    for (const one of [kept, gone]) expect(verifyReceipt(one, { keys }).result).toBe("holds");
    for (const wrong of [
      change({ private_gone: true }),
      change({ private_gone: true }, log.receipt("s-1", 1)),
    ])
      expect(verifyReceipt(wrong, { keys }).broken).toMatchObject({
        code: "claims",
        pointer: "/private_gone",
      });
  });

  it("names the keys that signed, and is followed through a rotation by either", ({ expect }) => {
    const [old, young, idle] = [1, 2, 3].map((byte) => signerOf("org_vectors", byte));
    if (old === undefined || young === undefined || idle === undefined) return expect.fail();
    const rotated = smallLog({ signers: [old, young] });
    const all = [old, young, idle].map((signer) => formatVerifierKey(signer.key));
    const one: Receipt = rotated.receipt("s-1", 3, { keys: all });
    expect(one.keys).toEqual(all.slice(0, 2));
    for (const signer of [old, young])
      expect(verifyReceipt(one, { keys: [signer.key] }).result).toBe("holds");
    expect(verifyReceipt(one, { keys: [idle.key] }).broken).toMatchObject({ code: "unknown-key" });
  });

  it("is read as a text, as bytes and as a value, in one line or many", ({ expect }) => {
    const text = formatReceipt(receipt);
    const value = JSON.parse(text) as unknown;
    for (const file of [text, new TextEncoder().encode(text), value, JSON.stringify(value)])
      expect(verifyReceipt(file, { keys }).result).toBe("holds");
  });

  it("lets an anchor be judged, and believes what is found", ({ expect }) => {
    const anchored: Receipt = log.receipt("s-1", 3, { anchor: { ots: "AA==", headers: {} } });
    const judges: [AnchorJudge, string][] = [
      [() => [{ status: "ok", text: "block 1" }], "holds"],
      [() => [{ status: "pending", text: "no block yet" }], "pending"],
      [() => ({ pointer: "/anchor/ots", message: "byte 3" }), "broken"],
    ];
    for (const [anchor, result] of judges)
      expect(verifyReceipt(anchored, { keys, anchor }).result).toBe(result);
    let told = "";
    const listen: AnchorJudge = (_, digest) => {
      told = digest;
      return [];
    };
    verifyReceipt(anchored, { keys, anchor: listen });
    expect(told).toBe(noteDigest(log.checkpoints[0]?.text ?? ""));
  });

  it("is unreadable when it is of another version or no receipt at all", ({ expect }) => {
    expect(verifyReceipt(change({ countersign_receipt: 2 }))).toMatchObject({
      result: "unreadable",
      broken: { code: "unknown-version", pointer: "/countersign_receipt" },
    });
    const not = [
      "",
      "{",
      "null",
      "[]",
      "{}",
      "1",
      '{"entry":1}',
      "\ud800",
      null,
      undefined,
      7,
      [],
      Uint8Array.of(255),
    ];
    for (const file of not)
      expect(verifyReceipt(file), String(file)).toMatchObject({
        result: "unreadable",
        broken: { code: "malformed-file", pointer: "" },
      });
  });

  const huge = "x".repeat(20_000);
  const forms: [string, object, string][] = [
    ["a member too many", { more: 1 }, ""],
    ["no leaf", { leaf: undefined }, "/leaf"],
    [
      "a hash of 63 digits",
      { entry: { ...receipt.entry, hash: receipt.entry.hash.slice(1) } },
      "/entry/hash",
    ],
    ["an entry that is a number", { entry: { ...receipt.entry, entry: 1 } }, "/entry/entry"],
    ["an entry past its bound", { entry: { ...receipt.entry, entry: huge } }, "/entry/entry"],
    ["a salt in capitals", { disclosed: { private: "a", salt: "A".repeat(64) } }, "/disclosed/salt"],
    ["a path that is none", { path: { length: 1 } }, "/path"],
    ["a path with a hole", { path: [...receipt.path, null] }, `/path/${receipt.path.length}`],
    ["a negative index", { inclusion: { ...receipt.inclusion, index: -1 } }, "/inclusion/index"],
    ["a half index", { inclusion: { ...receipt.inclusion, index: 0.5 } }, "/inclusion/index"],
    [
      "65 hashes",
      { inclusion: { ...receipt.inclusion, hashes: Array(65).fill("0".repeat(64)) } },
      "/inclusion/hashes",
    ],
    ["no keys", { keys: [] }, "/keys"],
    ["a chain of no kind", { chain: "s-1" }, "/chain"],
    [
      "a header of 79 bytes",
      { anchor: { ots: "", headers: { "840000": "00".repeat(79) } } },
      "/anchor/headers/840000",
    ],
    ["a header under a word", { anchor: { ots: "", headers: { tip: "00".repeat(80) } } }, "/anchor/headers"],
    ["a sentence past its bound", { covers: huge }, "/covers"],
    ["a lone surrogate", { covers: "\ud800" }, "/covers"],
  ];
  for (const [name, changes, pointer] of forms)
    it(`is refused with ${name}, and it is said where`, ({ expect }) => {
      const value = JSON.parse(JSON.stringify(change(changes)));
      expect(verifyReceipt(value, { keys })).toMatchObject({
        result: "broken",
        broken: { code: "malformed-file", pointer },
      });
    });

  it("is refused when two readers could read it two ways", ({ expect }) => {
    const text = formatReceipt(receipt);
    for (const other of [
      text.replace('"private_gone": false', '"private_gone": true, "private_gone": false'),
      text.replace("org_vectors", "\\u006frg_vectors"),
      text.replace('"index": ', '"index": 0'.slice(0, -1)).replace('"tree_size": ', '"tree_size": 1e0,"x": '),
    ])
      expect(verifyReceipt(other, { keys }).result, other.slice(0, 80)).not.toBe("holds");
    expect(isPlainJson('{"a":[1,"\\\\","\\""]}', { a: [1, "\\", '"'] })).toBe(true);
    for (const other of [
      '{"a":1,"a":1}',
      '{"a":1.0}',
      '{"a":"\\u0061"}',
      '{"a":-0}',
      '{"a":1e2}',
      '{"2":0,"1":0}',
    ])
      expect(isPlainJson(other, JSON.parse(other)), other).toBe(false);
  });

  it("shows any one flipped bit", () => {
    const bytes = new TextEncoder().encode(formatReceipt(receipt));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const flipped = bytes.slice();
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        const { result } = verifyReceipt(flipped, { keys });
        return result === "broken" || result === "unreadable";
      }),
      { numRuns: 3_000 },
    );
  });

  it("is judged whatever it is", () => {
    const paths = [
      "entry",
      "disclosed",
      "path",
      "leaf",
      "inclusion",
      "checkpoint",
      "keys",
      "anchor",
      "covers",
    ];
    fc.assert(fc.property(fc.anything(), (junk) => verifyReceipt(junk).result === "unreadable"));
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (name, junk) => {
        const value = change({ [name]: junk });
        const same = JSON.stringify(value) === JSON.stringify(receipt);
        const none = (name === "anchor" || name === "disclosed") && junk === null;
        return same || none || verifyReceipt(value, { keys }).result === "broken";
      }),
    );
  });

  it("takes no body that nests without end", ({ expect }) => {
    const deep = newLog();
    let body: unknown = 1;
    for (let i = 0; i < MAX_JSON_DEPTH; i += 1) body = { a: body };
    deep.link("s", { at: 1, kind: "k", body });
    deep.link("s", { at: 1, kind: "k", body: { a: body } });
    deep.seal(2);
    expect(verifyReceipt(deep.receipt("s", 1), { keys }).result).toBe("holds");
    expect(verifyReceipt(deep.receipt("s", 2), { keys }).broken).toMatchObject({ code: "malformed-body" });
  });
});
