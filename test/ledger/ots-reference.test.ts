/**
 * Proofs of every shape, whole and damaged, with what the reference client (python-opentimestamps 0.4.5) made of each: it
 * refused them, or found these attestations. Both of our verifiers say the same, but for bounds that docs/ledger.md names.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "vitest";
import { stampedBy, judgeProof as theirs } from "../../integrations/verify/anchor.mjs";
import { hexOf } from "../../src/ledger/index.ts";
import { attestationsOf, checksOfProof, judgeProof, parseProof } from "../../src/ledger/ots/index.ts";

interface Case {
  readonly name: string;
  /** Base64. */
  readonly proof: string;
  readonly refused?: true;
  readonly hash?: string;
  readonly digest?: string;
  readonly attestations?: readonly (readonly [kind: string, what: string, message: string])[];
}
const CASES: Case[] = readFileSync(resolve(import.meta.dirname, "cases/reference.ndjson"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Numbers that no length and no block is: the reference client counts without end. */
const LARGER_NUMBERS = /^h-over10|^h(9007199254740992|18446744073709551616)/;
/** One operation twice under one message: the reference client forgets what followed the first. */
const TWICE = /^dupop2$/;

const bytesOf = ({ proof }: Case) => new Uint8Array(Buffer.from(proof, "base64"));
const inOrder = (all: readonly (readonly string[])[]) => all.map((one) => one.join(" ")).sort();

describe("what the reference client says of a proof", () => {
  it("is what is read of it", ({ expect }) => {
    expect(CASES.filter(({ refused }) => refused).length).toBeGreaterThan(100);
    expect(CASES.filter(({ refused }) => !refused).length).toBeGreaterThan(100);
    for (const one of CASES) {
      const read = parseProof(bytesOf(one));
      if (LARGER_NUMBERS.test(one.name)) expect(read.ok ? "read" : read.code, one.name).toBe("number");
      else expect(read.ok, one.name).toBe(one.refused !== true);
      if (!read.ok) continue;
      const { hash, timestamp } = read.proof;
      expect([hash, hexOf(timestamp.message)], one.name).toEqual([one.hash, one.digest]);
      const found = attestationsOf(timestamp).map(({ attestation, message }) => {
        const { kind } = attestation;
        const what =
          kind === "pending"
            ? attestation.uri
            : kind === "unknown"
              ? `${attestation.tag}:${hexOf(attestation.payload)}`
              : String(attestation.height);
        return [kind, what, hexOf(message)];
      });
      const due = inOrder(one.attestations ?? []);
      if (TWICE.test(one.name)) expect(inOrder(found)).toEqual(expect.arrayContaining(due));
      else expect(inOrder(found), one.name).toEqual(due);
    }
  });

  it("is judged in the same lines by the second verifier", async ({ expect }) => {
    for (const one of CASES) {
      const bytes = bytesOf(one);
      const digest = stampedBy(bytes)?.digest ?? "";
      const other = await theirs(bytes, digest, {});
      const judged = judgeProof(bytes, { digest }, new Map());
      const lines = judged.ok ? checksOfProof(judged) : null;
      if (lines === null) expect(other, one.name).toMatchObject({ pointer: "/anchor/ots" });
      // A message of another length than a root's needs no header to be refuted.
      else if (lines.some(({ status }) => status === "fail"))
        expect(other, one.name).toMatchObject({ pointer: expect.stringMatching(/^\/anchor\/headers\//) });
      else expect(other, one.name).toEqual(lines);
    }
  });
});
