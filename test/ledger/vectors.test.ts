/** The published vectors are what the ledger makes, and both verifiers judge them as they say. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "vitest";
import { isJcs, sha256 } from "../../integrations/verify/hashed.mjs";
import { CONTRADICTED } from "../../integrations/verify/run.mjs";
import {
  isConsistent,
  isIncluded,
  keyOf,
  readNote,
  signersOf,
  leafHash as theirLeafHash,
} from "../../integrations/verify/signed.mjs";
import { verify } from "../../integrations/verify/verify.mjs";
import * as words from "../../integrations/verify/words.mjs";
import { vectors, vectorText } from "../../scripts/lib/vectors/make.mjs";
import {
  CHAIN_NOT_SHOWN,
  CHECKPOINT_NOT_PROVEN,
  CHECKPOINTS_LIMITS,
  coversOf,
  INTEGRITY_ONLY,
  isCanonical,
  KEYS_NOT_COMPARED,
  leafHash,
  MAX_NOTE_BYTES,
  NOT_CHECKED,
  NOT_PROVEN,
  parseVerifierKey,
  RECEIPT_LIMITS,
  RECEIPT_NOT_PROVEN,
  SEALED_NOT_PROVEN,
  TAGS,
  TIMESTAMP_NOT_PROVEN,
  TIMESTAMP_PENDING,
  UNSEALED,
  verifyConsistency,
  verifyInclusion,
  verifyNote,
} from "../../src/ledger/index.ts";
import { PROJECT } from "../house/rooms.ts";

const FOLDER = resolve(PROJECT, "docs/vectors");
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));

interface Inclusion {
  name?: string;
  leaf: string;
  index: number;
  size: number;
  proof: string[];
  root: string;
}
interface Consistency {
  name?: string;
  first: number;
  second: number;
  first_root: string;
  second_root: string;
  proof: string[];
}

describe("docs/vectors", () => {
  it("is what the ledger makes", ({ expect }) => {
    const made = vectors();
    expect(readdirSync(FOLDER).sort()).toEqual(
      Object.keys(made)
        .map((name) => `${name}.json`)
        .sort(),
    );
    for (const [name, value] of Object.entries(made))
      expect(
        readFileSync(join(FOLDER, `${name}.json`), "utf8") === vectorText(value),
        `${name}: run scripts/vectors.mjs`,
      ).toBe(true);
  });

  it("hashes the bytes that it shows", async ({ expect }) => {
    const rows = read("hashes") as { name: string; tag?: string; preimage: string; hash: string }[];
    expect(rows.length).toBeGreaterThan(8);
    for (const { name, tag, preimage, hash } of rows) {
      const bytes = Buffer.from(preimage, "hex");
      expect(createHash("sha256").update(bytes).digest("hex"), name).toBe(hash);
      expect(await sha256(bytes), name).toBe(hash);
      expect(bytes.toString("utf8").startsWith(tag ?? ""), name).toBe(true);
    }
  });

  it("tells RFC 8785 texts from others, by both", ({ expect }) => {
    const { canonical, not_canonical: others } = read("canonical") as {
      canonical: string[];
      not_canonical: string[];
    };
    for (const text of canonical) expect([isCanonical(text), isJcs(text)], text).toEqual([true, true]);
    for (const text of others) expect([isCanonical(text), isJcs(text)], text).toEqual([false, false]);
  });

  it("proves what stands in a tree, and what a tree began with, to both", async ({ expect }) => {
    const merkle = read("merkle");
    for (const text of merkle.leaves) expect(await theirLeafHash(text)).toBe(leafHash(text));
    const inclusion = async (one: Inclusion) => [
      verifyInclusion(one),
      await isIncluded(one.leaf, one.index, one.size, one.proof, one.root),
    ];
    const consistency = async ({
      first,
      second,
      first_root: firstRoot,
      second_root: secondRoot,
      proof,
    }: Consistency) => [
      verifyConsistency({ first, second, firstRoot, secondRoot, proof }),
      first <= second &&
        (await isConsistent({ size: first, root: firstRoot }, { size: second, root: secondRoot }, proof)),
    ];
    expect(merkle.inclusion).toHaveLength(66);
    for (const one of merkle.inclusion) expect(await inclusion(one)).toEqual([true, true]);
    for (const one of merkle.wrong_inclusion) expect(await inclusion(one), one.name).toEqual([false, false]);
    for (const one of merkle.consistency) expect(await consistency(one)).toEqual([true, true]);
    for (const one of merkle.wrong_consistency)
      expect(await consistency(one), one.name).toEqual([false, false]);
  });

  it("verifies notes by the keys that are named, by both", async ({ expect }) => {
    const { notes, keys } = read("notes");
    for (const { vkey, key_id: id } of keys) {
      expect(parseVerifierKey(vkey)?.id).toBe(id);
      expect(await keyOf(vkey, "")).toMatchObject({ id });
    }
    for (const one of notes) {
      const ours = verifyNote(one.note, one.keys.map(parseVerifierKey));
      expect(ours.ok ? "ok" : ours.code, one.name).toBe(one.expect);
      const trusted = await Promise.all(one.keys.map((key: string) => keyOf(key, "")));
      const theirs = await (async () => {
        await signersOf(readNote(one.note, ""), trusted, "");
        return "ok";
      })().catch((error: { code: string }) => error.code);
      expect(theirs, one.name).toBe(one.expect);
    }
  });

  it("holds every row of the table of corruptions", ({ expect }) => {
    for (const [name, least] of [
      ["exports", 35],
      ["receipts", 45],
      ["checkpoints", 25],
    ] as const)
      expect((read(name) as unknown[]).length, name).toBeGreaterThan(least);
  });
});

describe("docs/ledger.md", () => {
  const page = readFileSync(resolve(PROJECT, "docs/ledger.md"), "utf8");

  it("names every tag, every code, every vector, and says every sentence as it is said elsewhere", ({
    expect,
  }) => {
    for (const tag of Object.values(TAGS)) expect(page).toContain(`"${tag.replace("\n", "\\n")}"`);
    const codes = Object.keys(words.SAY).filter((code) => code !== "no-ed25519");
    for (const code of codes) expect(page, code).toContain(`\`${code}\``);
    for (const name of readdirSync(FOLDER)) expect(page, name).toContain(`\`${name}\``);
    const sentences = [NOT_PROVEN, SEALED_NOT_PROVEN, UNSEALED, CHAIN_NOT_SHOWN, CONTRADICTED];
    sentences.push(KEYS_NOT_COMPARED, ...CHECKPOINT_NOT_PROVEN);
    for (const sentence of [...sentences, ...RECEIPT_NOT_PROVEN, ...TIMESTAMP_NOT_PROVEN])
      expect(page).toContain(`\n> ${sentence}\n`);
    const told = { private: "é", salt: "" };
    for (const [body, disclosed, gone] of [
      ["{}", null, false],
      ["{}", told, false],
      ['{"private":""}', null, false],
      ["{}", null, true],
    ] as const)
      expect(page).toContain(
        coversOf(body, disclosed, gone)
          .replace(/body \(\d+/, "body (N")
          .replace(/text \(\d+/, "text (M"),
      );
    // Plain Markdown: whoever shows it needs no HTML of it.
    expect(page.replace(/```[\s\S]*?```|`[^`\n]*`/g, "")).not.toMatch(/<[a-z/!]/i);
  });

  it("states the bounds that are kept", ({ expect }) => {
    const said = (n: number) => expect(page).toContain(n.toLocaleString("en-US"));
    const { file, entry, body, private: text, path } = RECEIPT_LIMITS;
    for (const n of [file, entry, body, text, path, MAX_NOTE_BYTES]) said(n);
    for (const n of [
      CHECKPOINTS_LIMITS.file,
      CHECKPOINTS_LIMITS.checkpoints,
      CHECKPOINTS_LIMITS.leaves,
      CHECKPOINTS_LIMITS.signatures,
    ])
      said(n);
  });
});

describe("the second verifier", () => {
  const folder = resolve(PROJECT, "integrations/verify");

  it("shares nothing with the first, and depends on nothing", ({ expect }) => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
    for (const name of files) {
      const code = readFileSync(join(folder, name), "utf8");
      for (const [, from] of code.matchAll(/\bfrom "([^"]+)"|\bimport\(/g))
        expect(from, name).toMatch(/^\.\/\w+\.mjs$/);
      expect(code, name).not.toMatch(/\bprocess\.|\brequire\(|\bBuffer\b|\bfetch\(/);
      expect(code.split("\n").length, name).toBeLessThanOrEqual(255);
    }
  });

  it("says the same sentences of what is not shown", ({ expect }) => {
    expect(words.CLAIMS).toEqual({
      chain: NOT_PROVEN,
      sealed: SEALED_NOT_PROVEN,
      checkpoints: CHECKPOINT_NOT_PROVEN,
      receipt: RECEIPT_NOT_PROVEN,
      unsealed: UNSEALED,
      chainName: CHAIN_NOT_SHOWN,
      unchecked: NOT_CHECKED,
      keys: KEYS_NOT_COMPARED,
      timestamp: TIMESTAMP_NOT_PROVEN,
      unconfirmed: TIMESTAMP_PENDING,
      integrity: INTEGRITY_ONLY,
    });
  });

  const rows = read("exports") as {
    name: string;
    file: string;
    heads: object[];
    expect: { result: string };
  }[];
  const text = rows[0]?.file ?? "";
  const bytes = new TextEncoder().encode(text);
  async function* pieces(size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  it("reads an export from whatever it comes in", async ({ expect }) => {
    const sources: unknown[] = [
      text,
      bytes,
      bytes.buffer,
      new Blob([bytes]),
      new Blob([bytes]).stream(),
      text.trimEnd().split("\n"),
      pieces(1),
      pieces(7),
      pieces(1_000),
    ];
    for (const source of sources)
      expect(await verify(source)).toMatchObject({ kind: "export", result: "holds", broken: null });
  });

  it("finds out by itself what a file is", async ({ expect }) => {
    for (const kind of ["exports", "receipts", "checkpoints"])
      for (const row of read(kind))
        expect((await verify(row.file, row)).result, row.name).toBe(
          // What does not begin as an export is told to be none.
          row.name === "drop: everything" ? "unreadable" : row.expect.result,
        );
    const { notes, keys } = read("notes");
    expect(await verify(notes[0].note, { keys: [keys[0].vkey] })).toMatchObject({
      kind: "note",
      result: "holds",
    });
    expect(await verify(notes[0].note)).toMatchObject({ kind: "note", result: "pending" });
    expect(await verify(notes[0].note, { keys: [keys[1].vkey] })).toMatchObject({
      broken: { code: "unknown-key" },
    });
    for (const junk of ["", "hello", "{}", "null", "[]", Uint8Array.of(0, 255), 7, null, undefined, {}, true])
      expect((await verify(junk)).result, String(junk)).toBe("unreadable");
  });

  it("comes to an end with what has none", async ({ expect }) => {
    const piece = new Uint8Array(1024 * 1024).fill(0x61);
    async function* endless(begin: string) {
      yield new TextEncoder().encode(begin);
      for (;;) yield piece;
    }
    expect(await verify(endless('{"hash":"'))).toMatchObject({ broken: { code: "malformed-line", line: 1 } });
    const second = `${text.split("\n")[0]}\n`;
    expect(await verify(endless(second))).toMatchObject({
      broken: { code: "malformed-line", line: 2, seq: 2, byte: new TextEncoder().encode(second).length },
    });
    expect(await verify(endless("{"))).toMatchObject({
      result: "unreadable",
      broken: { code: "malformed-file" },
    });
  });

  it("takes the published list of keys as it is, and no key that is none", async ({ expect }) => {
    const [receipt] = read("receipts");
    const keys = receipt.keys.map((vkey: string) => ({ vkey, from: 0, until: null }));
    expect((await verify(receipt.file, { keys })).result).toBe("holds");
    await expect(verify(receipt.file, { keys: ["no key"] })).rejects.toThrow(RangeError);
  });

  it("gives the heads that it proved, to hold an export against", async ({ expect }) => {
    const [receipt] = read("receipts");
    const proved = await verify(receipt.file, receipt);
    expect(proved.heads).toHaveLength(1);
    expect(await verify(text, { heads: proved.heads })).toMatchObject({ result: "holds" });
    const short = text.split("\n").slice(0, 2).join("\n");
    expect(await verify(short, { heads: proved.heads })).toMatchObject({
      broken: { code: "truncated", line: 3, seq: 3 },
    });
  });
});
