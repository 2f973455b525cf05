/** The anchor of a receipt, judged by two that share nothing: src/ledger/ots and integrations/verify/anchor.mjs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, it } from "vitest";
import { judgeAnchor as theirs } from "../../integrations/verify/anchor.mjs";
import { verify } from "../../integrations/verify/verify.mjs";
import { CORPORA } from "../../scripts/lib/project.mjs";
import { ANCHORS } from "../../scripts/lib/vectors/anchor-rows.mjs";
import { KEYS, LOG } from "../../scripts/lib/vectors/corruptions.mjs";
import {
  base64Of,
  formatReceipt,
  hexOf,
  noteDigest,
  parseVerifierKey,
  verifyReceipt,
} from "../../src/ledger/index.ts";
import { judgeAnchor as ours, parseProof, serializeProof } from "../../src/ledger/ots/index.ts";

interface Anchor {
  ots: string;
  headers: Record<string, string>;
}
type Judged = readonly { status: string; text: string }[] | { pointer: string; message: string };

const verdict = (judged: Judged) =>
  "pointer" in judged ? { pointer: judged.pointer } : { statuses: judged.map((one) => one.status) };
const both = async (anchor: Anchor, digest: string, since = 0, given: Record<string, string> = {}) => [
  verdict(ours(anchor, digest, since, given) as Judged),
  verdict((await theirs(anchor, digest, since, given)) as Judged),
];
interface Row {
  name: string;
  anchor: Anchor;
  digest: string;
  since?: number;
  given?: Record<string, string>;
  expect: { statuses?: string[]; pointer?: string };
}
const ROWS = ANCHORS as unknown as Row[];

describe("an anchor", () => {
  for (const { name, anchor, digest, since, given, expect: due } of ROWS)
    it(`is judged by both: ${name}`, async ({ expect }) => {
      const begun = performance.now();
      expect(await both(anchor, digest, since, given)).toEqual([due, due]);
      expect(performance.now() - begun).toBeLessThan(5_000);
    });

  it("says the same lines where nothing is wrong", async ({ expect }) => {
    for (const { name, anchor, digest, since, given, expect: due } of ROWS)
      if (due.statuses !== undefined && !name.startsWith("one block confirms"))
        expect(await theirs(anchor, digest, since, given), name).toEqual(ours(anchor, digest, since, given));
  });

  it("is judged alike with any one byte changed, dropped or doubled", async ({ expect }) => {
    const rows = ROWS.filter(({ expect: due }) => due.statuses !== undefined);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(rows.length - 1),
        fc.nat(),
        fc.nat(255),
        fc.nat(2),
        async (which, where, byte, how) => {
          const row = rows[which];
          if (row === undefined) return;
          const { anchor, digest, since, given } = row;
          const bytes = [...atob(anchor.ots)].map((one) => one.charCodeAt(0));
          const at = where % bytes.length;
          if (how === 0) bytes.splice(at, 1);
          else if (how === 1) bytes.splice(at, 0, bytes[at] ?? 0);
          else bytes[at] = byte;
          const [mine, other] = await both(
            { ...anchor, ots: base64Of(Uint8Array.from(bytes)) },
            digest,
            since,
            given,
          );
          expect(other).toEqual(mine);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("stands in a receipt, and makes it pending until a block is known", async ({ expect }) => {
    const plain = LOG.receipt("s-1", 2);
    const digest = noteDigest(LOG.checkpoints[0]?.text ?? "");
    const message = Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const uri = "https://calendar.example";
    const proof = { message, attestations: [{ kind: "pending", uri } as const], branches: [] };
    const anchored = (of: typeof proof) =>
      formatReceipt({
        ...plain,
        anchor: { ots: base64Of(serializeProof({ hash: "sha256", timestamp: of })), headers: {} },
      });
    const keys = KEYS.flatMap((key: string) => parseVerifierKey(key) ?? []);
    const good = anchored(proof);
    expect(verifyReceipt(good, { keys, anchor: ours }).result).toBe("pending");
    expect((await verify(good, { keys: KEYS, anchor: theirs })).result).toBe("pending");
    expect((await verify(good, { keys: KEYS })).lines).toContainEqual({
      status: "note",
      text: "the anchor was not looked at",
    });
    // What nobody here can check holds no receipt up, and makes none hold.
    for (const attestation of [
      { kind: "unknown", tag: "0102030405060708", payload: new Uint8Array() },
      { kind: "litecoin", height: 7 },
    ] as const) {
      const odd = formatReceipt({
        ...plain,
        anchor: {
          ots: base64Of(
            serializeProof({
              hash: "sha256",
              timestamp: { message, attestations: [attestation], branches: [] },
            }),
          ),
          headers: {},
        },
      });
      expect(verifyReceipt(odd, { keys, anchor: ours }).result).toBe("pending");
      expect((await verify(odd, { keys: KEYS, anchor: theirs })).result).toBe("pending");
    }
    const other = anchored({ ...proof, message: new Uint8Array(32) });
    const broken = { code: "anchor", pointer: "/anchor/ots" };
    expect(verifyReceipt(other, { keys, anchor: ours })).toMatchObject({ result: "broken", broken });
    expect(await verify(other, { keys: KEYS, anchor: theirs })).toMatchObject({ result: "broken", broken });
  });
});

const CORPUS = resolve(CORPORA, "ots");
const BLOCK_358391 =
  "02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb3802040000000000000000007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6";

describe.skipIf(!existsSync(CORPUS))("proofs of the reference client", () => {
  it("are judged alike", async ({ expect }) => {
    const folders = [CORPUS, resolve(CORPUS, "invalid")];
    const files = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".ots"))
        .map((name) => resolve(folder, name)),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const bytes = new Uint8Array(readFileSync(file));
      const read = parseProof(bytes);
      const digest = read.ok ? hexOf(read.proof.timestamp.message) : "0".repeat(64);
      const [mine, other] = await both({ ots: base64Of(bytes), headers: {} }, digest);
      expect(other, file).toEqual(mine);
    }
  });

  it("hold by the real header of their block, and by no other", async ({ expect }) => {
    const anchorOf = (name: string) => {
      const bytes = new Uint8Array(readFileSync(resolve(CORPUS, `${name}.txt.ots`)));
      const read = parseProof(bytes);
      if (!read.ok) throw new Error(read.message);
      return [
        { ots: base64Of(bytes), headers: { 358391: BLOCK_358391 } },
        hexOf(read.proof.timestamp.message),
      ] as const;
    };
    const [anchor, digest] = anchorOf("hello-world");
    const lines = ours(anchor, digest);
    expect(await theirs(anchor, digest)).toEqual(lines);
    expect(lines).toContainEqual({
      status: "ok",
      text: "38 operations lead to the merkle root of bitcoin block 358391, 000000000000000003e892881a8cdcdc117c06d444057c98b6f04a9ee75a2319, of 2015-05-28 15:41:18 UTC",
    });
    // Of a proof that ends elsewhere, and of the right one with any bit of the header changed.
    const wrong = { pointer: "/anchor/headers/358391" };
    expect(await both(...anchorOf("bad-stamp"))).toEqual([wrong, wrong]);
    for (let at = 0; at < 160; at += 1) {
      const digit = (Number.parseInt(BLOCK_358391.charAt(at), 16) ^ 1).toString(16);
      const header = BLOCK_358391.slice(0, at) + digit + BLOCK_358391.slice(at + 1);
      expect(await both({ ...anchor, headers: { 358391: header } }, digest), `${at}`).toEqual([wrong, wrong]);
    }
  });
});
