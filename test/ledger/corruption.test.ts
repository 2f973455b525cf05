/**
 * What can be done to a proof is found, named and located by two verifiers that share nothing: the project's own, and
 * the one in integrations/verify.
 */
import * as fc from "fast-check";
import { describe, it } from "vitest";
import { RESULTS, verify } from "../../integrations/verify/verify.mjs";
import { CORRUPTIONS, HEADS, KEYS, LOG, SOUND } from "../../scripts/lib/vectors/corruptions.mjs";
import {
  ChainVerifier,
  formatReceipt,
  type Leaf,
  parseTrustedKey,
  verifyChain,
  verifyCheckpointsFile,
  verifyReceipt,
} from "../../src/ledger/index.ts";

interface Row {
  name: string;
  kind: string;
  file: string;
  keys: (string | { vkey: string; from: number; until: number | null })[];
  heads: unknown[];
  expect: { result: string; code: string | null; line?: number; pointer?: string; seq?: number | null };
}

/** What both say, in one form. */
interface Verdict {
  result: string;
  code: string | null;
  line?: number;
  pointer?: string;
  seq?: number | null;
}

function ours({ kind, file, keys, heads }: Row | (Omit<Row, "file"> & { file: Uint8Array })): Verdict {
  if (kind === "export") {
    const sealed = heads as Leaf[];
    const { broken } = typeof file === "string" ? verifyChain(file, sealed) : walk(file, sealed);
    if (broken === null) return { result: "holds", code: null };
    return { result: "broken", code: broken.code, line: broken.line, seq: broken.seq };
  }
  const trusted = keys.flatMap((key) => parseTrustedKey(key) ?? []);
  if (kind === "receipt") {
    const { result, broken } = verifyReceipt(file, { keys: trusted });
    if (broken === null) return { result, code: null };
    return { result, code: broken.code, pointer: broken.pointer, seq: broken.seq };
  }
  const { result, broken } = verifyCheckpointsFile(file, { keys: trusted });
  return broken === null
    ? { result, code: null }
    : { result, code: broken.code, pointer: broken.pointer, seq: null };
}

/** The bytes of an export, a line at a time. */
function walk(bytes: Uint8Array, heads: Leaf[]) {
  const verifier = new ChainVerifier(heads);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    verifier.push(bytes.subarray(start, end === -1 ? bytes.length : end));
    start = end === -1 ? bytes.length : end + 1;
  }
  return verifier.report();
}

async function theirs({
  kind,
  file,
  keys,
  heads,
}: Row | (Omit<Row, "file"> & { file: Uint8Array })): Promise<Verdict> {
  const { result, broken, lines } = await verify(file, { kind, keys, heads });
  const fails = lines.filter((line: { status: string }) => line.status === "fail").length;
  if (fails !== (broken === null ? 0 : 1))
    throw new Error("a break is one line, and a line that fails is a break");
  if (broken === null) return { result, code: null };
  const { code, line, pointer, seq } = broken as {
    code: string;
    line?: number;
    pointer?: string;
    seq?: number;
  };
  return line === undefined
    ? { result, code, pointer: pointer ?? "", seq: seq ?? null }
    : { result: result === "unreadable" ? "broken" : result, code, line, seq: seq ?? 0 };
}

for (const row of CORRUPTIONS as Row[])
  describe(`${row.kind}: ${row.name}`, () => {
    it("is found, named and located by both", async ({ expect }) => {
      expect(ours(row)).toEqual(row.expect);
      expect(await theirs(row)).toEqual(row.expect);
    });
  });

for (const row of SOUND as Row[])
  describe(`${row.kind}: ${row.name}`, () => {
    it(`is ${row.expect.result} to both`, async ({ expect }) => {
      expect(ours(row)).toEqual(row.expect);
      expect(await theirs(row)).toEqual(row.expect);
    });
  });

describe("both verifiers", () => {
  const files: Omit<Row, "name" | "expect">[] = [
    { kind: "export", file: `${LOG.lines("s-1", true).join("\n")}\n`, keys: [], heads: HEADS },
    {
      kind: "receipt",
      file: formatReceipt(LOG.receipt("s-1", 4, { disclose: true })),
      keys: KEYS,
      heads: [],
    },
    {
      kind: "checkpoints",
      file: JSON.stringify({
        countersign_checkpoints: 1,
        organization: LOG.organization,
        checkpoints: LOG.checkpoints.map((one: { note: string }) => one.note),
        consistency: LOG.consistency(),
        leaves: LOG.leaves,
        keys: KEYS,
      }),
      keys: KEYS,
      heads: [],
    },
  ];
  for (const file of files)
    it(`say the same of any one flipped, dropped or doubled byte of ${file.kind}`, async ({ expect }) => {
      const bytes = new TextEncoder().encode(file.file);
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 2), fc.nat(7), fc.nat(3), async (at, bit, how) => {
          const changed =
            how === 0
              ? Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + 1))
              : how === 1
                ? Uint8Array.of(...bytes.subarray(0, at + 1), ...bytes.subarray(at))
                : bytes.slice();
          if (how > 1) changed[at] = (changed[at] ?? 0) ^ (1 << bit);
          const row = { ...file, name: "", expect: { result: "", code: null }, file: changed };
          const mine = ours(row);
          expect(await theirs(row), `${how} ${at} ${bit}`).toEqual(mine);
          expect(mine.result, `${how} ${at} ${bit}`).not.toBe("holds");
        }),
        { numRuns: 400 },
      );
    });

  it("have an exit code for each result", ({ expect }) => {
    expect(RESULTS).toEqual(["holds", "broken", "pending", "unreadable"]);
  });
});
