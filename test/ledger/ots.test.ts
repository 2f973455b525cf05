import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  keccak256 as theirKeccak256,
  ripemd160 as theirRipemd160,
} from "../../integrations/verify/hashes.mjs";
import { anchorCovers, base64Of, hexOf, INTEGRITY_ONLY, TIMESTAMP_PENDING } from "../../src/ledger/index.ts";
import { keccak256, ripemd160, sponge } from "../../src/ledger/ots/hashes.ts";
import {
  type Attestation,
  apply,
  attestationsOf,
  BLOCK_OFF_MS,
  chainOf,
  checksOfProof,
  fitsHeight,
  type Headers,
  integrityOf,
  judgeAnchor,
  judgeProof,
  MAX_ATTESTATIONS,
  MAX_DEPTH,
  MAX_MESSAGE_BYTES,
  MAX_OPERATIONS,
  MAX_PROOF_BYTES,
  merge,
  type Operation,
  type Proof,
  parseProof,
  parseTimestamp,
  priorityOf,
  readHeader,
  serializeProof,
  serializeTimestamp,
  type Timestamp,
  upgrade,
  utcOf,
  without,
} from "../../src/ledger/ots/index.ts";

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (of: Uint8Array) => Buffer.from(of).toString("hex");
const sha256 = (of: Uint8Array) => new Uint8Array(createHash("sha256").update(of).digest());
const leaf = (attestation: Attestation) => () => ({ attestations: [attestation], branches: [] });
const make = (message: Uint8Array, operations: Operation[], attestation: Attestation): Timestamp => {
  const timestamp = chainOf(message, operations, leaf(attestation));
  if (timestamp === null) throw new Error("no such chain");
  return timestamp;
};
const proofOf = (timestamp: Timestamp): Proof => ({ hash: "sha256", timestamp });

/** Real headers of Bitcoin blocks. */
const BLOCKS = [
  {
    height: 800_352,
    header:
      "00e0fa2c6a3e49a364a2fbdc904dffc7ad35868e5edfaa2c8cdc00000000000000000000b9711364ed6f7e2cd6145207d8a37314d0908f048a71dc7c7f8a480b9a057e91b314c164026105177f872aed",
    hash: "00000000000000000002d73c4f520e4f1aba034c6f3e0d36aaa175cf744a2551",
    time: 1_690_375_347,
  },
  {
    height: 840_672,
    header:
      "04e000204be80184cc04d777daad1189724bc32a949e04601ebf0200000000000000000078ce8a1195d00b58c530046ec369868aa4cc856bf139ef2636192ced886ed412881c2966db3103172b1d1f06",
    hash: "00000000000000000001d2cbad2209f51143679b6797aef393a45e82eb88a9ae",
    time: 1_713_970_312,
  },
] as const;
const BITS = "02610517";
const FIRST_BLOCK =
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";

/** The root of a block, taken for a digest: nobody can make one that leads into a block of then along operations. */
function confirmedIn(which: 0 | 1): { digest: Uint8Array; timestamp: Timestamp } {
  const { header, height } = BLOCKS[which];
  const digest = bytes(header.slice(72, 136));
  return { digest, timestamp: make(digest, [], { kind: "bitcoin", height }) };
}
const HEADERS: Headers = new Map(BLOCKS.map(({ header, height }) => [height, header]));

const CALENDAR = "https://calendar.example";
const DIGEST = sha256(Buffer.from("the bytes that went out\n"));
const PENDING = make(
  DIGEST,
  [{ kind: "append", argument: bytes("00112233445566778899aabbccddeeff") }, { kind: "sha256" }],
  { kind: "pending", uri: CALENDAR },
);
const file = (timestamp: Timestamp) => serializeProof(proofOf(timestamp));
const START = serializeProof(proofOf(PENDING)).slice(0, 65);
/** A file over DIGEST with these bytes for a timestamp. */
const raw = (...parts: (string | Uint8Array)[]) =>
  new Uint8Array(
    Buffer.concat([START, ...parts.map((part) => (typeof part === "string" ? bytes(part) : part))]),
  );
const att = (tag: string, payload: string) => `00${tag}${hex(Uint8Array.of(payload.length / 2))}${payload}`;
const BITCOIN = "0588960d73d71901";
const UNKNOWN = att("0102030405060708", "00");

describe("the hashes of timestamp proofs", () => {
  it("are those of the platform, where it has them, at every length", ({ expect }) => {
    for (let length = 0; length < 300; length += 1) {
      const message = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
      expect(hex(ripemd160(message))).toBe(createHash("ripemd160").update(message).digest("hex"));
      expect(hex(sponge(message, 0x06))).toBe(createHash("sha3-256").update(message).digest("hex"));
      expect(hex(theirRipemd160(message))).toBe(hex(ripemd160(message)));
      expect(hex(theirKeccak256(message, 0x06))).toBe(hex(sponge(message, 0x06)));
      expect(hex(theirKeccak256(message))).toBe(hex(keccak256(message)));
    }
    expect(hex(keccak256(new Uint8Array()))).toBe(
      "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    );
    expect(hex(keccak256(Buffer.from("abc")))).toBe(
      "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
    );
  });

  it("does each operation as it is named", ({ expect }) => {
    const done = (operation: Operation, message = "0aff") => {
      const result = apply(operation, bytes(message));
      return result === null ? null : hex(result);
    };
    expect(done({ kind: "append", argument: bytes("01") })).toBe("0aff01");
    expect(done({ kind: "prepend", argument: bytes("01") })).toBe("010aff");
    expect(done({ kind: "reverse" })).toBe("ff0a");
    expect(done({ kind: "hexlify" })).toBe(hex(Buffer.from("0aff")));
    expect(done({ kind: "sha1" })).toBe(createHash("sha1").update(bytes("0aff")).digest("hex"));
    expect(done({ kind: "hexlify" }, "")).toBeNull();
    expect(done({ kind: "reverse" }, "")).toBeNull();
    expect(done({ kind: "hexlify" }, "00".repeat(2_048))).toHaveLength(8_192);
    expect(done({ kind: "hexlify" }, "00".repeat(2_049))).toBeNull();
    expect(done({ kind: "append", argument: bytes("01") }, "00".repeat(4_095))).not.toBeNull();
    expect(done({ kind: "append", argument: bytes("01") }, "00".repeat(4_096))).toBeNull();
    expect(done({ kind: "sha256" }, "00".repeat(4_097))).toBeNull();
  });
});

describe("docs/ledger.md", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/ledger.md"), "utf8");

  it("says what a timestamp shows in the words that are used, with the bytes and bounds that are", ({
    expect,
  }) => {
    for (const sentence of [TIMESTAMP_PENDING, INTEGRITY_ONLY]) expect(page).toContain(`\n> ${sentence}\n`);
    for (const sentence of [anchorCovers(null), anchorCovers(7).replace("7", "N")])
      expect(page).toContain(`- \`${sentence}\``);
    for (const n of [MAX_MESSAGE_BYTES, MAX_PROOF_BYTES, MAX_OPERATIONS, MAX_ATTESTATIONS, MAX_DEPTH])
      expect(page).toContain(n.toLocaleString("en-US"));
    const magic = /^magic {6}(.+)$/m.exec(page)?.[1]?.replaceAll(" ", "") ?? "";
    expect(hex(START).startsWith(`${magic}01`)).toBe(true);
    const rows = [...page.matchAll(/^\| ([\d,]+) \| ([\d,]+) \|$/gm)].map((row) =>
      row.slice(1).map((cell) => Number(cell.replaceAll(",", ""))),
    );
    const times = rows.slice(22);
    expect([rows.length, times.length]).toEqual([42, 20]);
    // Two weeks to either side of each time, and not a second more.
    for (const [height = 0, time = 0] of times)
      for (const [off, fits] of [
        [1_209_600, true],
        [-1_209_600, true],
        [1_209_601, false],
        [-1_209_601, false],
      ] as const)
        expect(fitsHeight(height, time + off), `${height} ${off}`).toBe(fits);
    // The target that each difficulty allows is taken no further, and one that is easier not at all.
    for (const [height = 0, difficulty = 0] of rows.slice(0, 13)) {
      const easiest = (0xffffn << 208n) / BigInt(difficulty);
      for (const [target, code] of [
        [easiest, "header-work"],
        [easiest + (easiest >> 6n), "header-target"],
      ] as const) {
        const read = readHeader(BLOCKS[0].header.replace(BITS, compact(target)), height);
        // The header was mined for its own target alone.
        expect(read.ok ? "ok" : read.code, `${height}`).toBe(code);
      }
    }
  });

  /** The compact form of a target, rounded down, little-endian. */
  function compact(target: bigint): string {
    const digits = target.toString(16);
    let size = Math.ceil(digits.length / 2);
    let mantissa = Number(target >> BigInt(8 * (size - 3)));
    if (mantissa >= 0x800000) [mantissa, size] = [mantissa >> 8, size + 1];
    const bits = Buffer.alloc(4);
    bits.writeUInt32LE(((size << 24) | mantissa) >>> 0);
    return bits.toString("hex");
  }
});

const CORPUS = join(process.env.CORPORA ?? resolve(import.meta.dirname, "../../../shared/corpora"), "ots");

describe.skipIf(!existsSync(CORPUS))("real proofs", () => {
  interface Expected {
    digest_type?: string;
    digest?: string;
    refused?: true;
    file_matches?: boolean;
    attestations?: { kind: string; height?: number; uri?: string; message_hex?: string }[];
  }
  const expected = existsSync(CORPUS)
    ? (JSON.parse(readFileSync(`${CORPUS}/expected.json`, "utf8")) as Record<string, Expected>)
    : {};
  const load = (name: string) => new Uint8Array(readFileSync(`${CORPUS}/${name}`));

  it("are read, lead to the stated heights and messages, and are written back byte for byte", ({
    expect,
  }) => {
    let read = 0;
    for (const [name, row] of Object.entries(expected)) {
      if (row.refused) continue;
      const proof = parseProof(load(name));
      if (!proof.ok) throw new Error(`${name}: ${proof.message}`);
      expect(proof.proof.hash, name).toBe(row.digest_type);
      expect(hex(proof.proof.timestamp.message), name).toBe(row.digest);
      const found = attestationsOf(proof.proof.timestamp).map(({ attestation, message }) => {
        if (attestation.kind === "pending") return { kind: "pending", uri: attestation.uri };
        if (attestation.kind === "unknown") return { kind: `unknown:${attestation.tag}` };
        const at = { kind: attestation.kind, height: attestation.height };
        return attestation.kind === "bitcoin" ? { ...at, message_hex: hex(message) } : at;
      });
      const due = row.attestations?.map(({ kind, height, uri, message_hex }) => ({
        kind,
        ...(height === undefined ? {} : { height }),
        ...(uri === undefined ? {} : { uri }),
        ...(message_hex === undefined ? {} : { message_hex }),
      }));
      const key = (one: unknown) => JSON.stringify(one);
      expect(found.map(key).sort(), name).toEqual(due?.map(key).sort());
      expect(hex(serializeProof(proof.proof)), name).toBe(hex(load(name)));
      const stamped = name.replace(/\.ots$/, "");
      if (existsSync(`${CORPUS}/${stamped}`)) {
        const judged = judgeProof(load(name), { bytes: load(stamped) }, new Map());
        expect(judged.ok && judged.matches, name).toBe(row.file_matches);
      }
      read += 1;
    }
    expect(read).toBeGreaterThan(8);
  });

  it("that are none are refused at the byte that is wrong", ({ expect }) => {
    const at = (name: string) => {
      const read = parseProof(load(`invalid/${name}.ots`));
      return read.ok ? null : [read.code, read.byte];
    };
    expect(at("bad-major-version")).toEqual(["version", 31]);
    expect(at("invalid-file-digest-type")).toEqual(["file-hash", 32]);
    expect(at("exceeds-max-msg-length")).toEqual(["message", 72]);
  });

  it("that end in another merkle root do not pass for a block that they name", ({ expect }) => {
    const [bad, good] = ["bad-stamp.txt.ots", "hello-world.txt.ots"].map((name) => {
      const read = parseProof(load(name));
      const [only] = read.ok ? attestationsOf(read.proof.timestamp) : [];
      return only;
    });
    expect(bad?.attestation).toEqual(good?.attestation);
    expect(hexOf(bad?.message ?? bytes(""))).not.toBe(hexOf(good?.message ?? bytes("")));
  });
});

describe("a proof of our own making", () => {
  it("is written in one way, whatever order it was put together in", ({ expect }) => {
    const other = make(DIGEST, [{ kind: "sha1" }], { kind: "litecoin", height: 7 });
    const third = make(DIGEST, [{ kind: "append", argument: bytes("00") }, { kind: "keccak256" }], {
      kind: "unknown",
      tag: "0102030405060708",
      payload: bytes("ff00"),
    });
    const all = [PENDING, other, third];
    const texts = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ].map((order) => {
      const whole = order.reduce<Timestamp | null>((sum, i) => {
        const one = all[i];
        return sum === null || one === undefined ? (one ?? null) : merge(sum, one);
      }, null);
      return whole === null ? "" : hex(file(whole));
    });
    expect(new Set(texts).size).toBe(1);
    const read = parseProof(bytes(texts[0] ?? ""));
    expect(read.ok && attestationsOf(read.proof.timestamp)).toHaveLength(3);
    expect(read.ok && hex(serializeProof(read.proof))).toBe(texts[0]);
  });

  it("comes back from its bytes, for every tree there is", () => {
    const attestation: fc.Arbitrary<Attestation> = fc.oneof(
      fc.record({ kind: fc.constant("pending" as const), uri: fc.stringMatching(/^[a-z0-9./:_-]{0,40}$/) }),
      fc.record({
        kind: fc.constantFrom("bitcoin" as const, "litecoin" as const, "ethereum" as const),
        height: fc.nat(),
      }),
      fc.record({
        kind: fc.constant("unknown" as const),
        tag: fc.constantFrom("0102030405060708", "ffffffffffffffff"),
        payload: fc.uint8Array({ maxLength: 20 }),
      }),
    );
    const operation: fc.Arbitrary<Operation> = fc.oneof(
      fc.record({
        kind: fc.constantFrom("append" as const, "prepend" as const),
        argument: fc.uint8Array({ minLength: 1, maxLength: 200 }),
      }),
      fc.record({
        kind: fc.constantFrom<"reverse" | "sha1" | "ripemd160" | "sha256" | "keccak256">(
          "reverse",
          "sha1",
          "ripemd160",
          "sha256",
          "keccak256",
        ),
      }),
    );
    const chains = fc.array(fc.tuple(fc.array(operation, { maxLength: 5 }), attestation), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(chains, (list) => {
        let whole: Timestamp | null = null;
        for (const [operations, end] of list) {
          const one = make(DIGEST, operations, end);
          whole = whole === null ? one : merge(whole, one);
        }
        if (whole === null) return false;
        const written = file(whole);
        const read = parseProof(written);
        if (!read.ok) return false;
        const seen = new Set(attestationsOf(whole).map((one) => JSON.stringify(one)));
        const back = attestationsOf(read.proof.timestamp).map((one) => JSON.stringify(one));
        return (
          hex(serializeProof(read.proof)) === hex(written) &&
          back.length === seen.size &&
          back.every((one) => seen.has(one))
        );
      }),
      { numRuns: 200 },
    );
  });

  it("says so where it is over another message, or over nothing", ({ expect }) => {
    expect(merge(PENDING, confirmedIn(0).timestamp)).toBeNull();
    expect(() => serializeTimestamp({ message: DIGEST, attestations: [], branches: [] })).toThrow(RangeError);
  });
});

describe("an upgrade", () => {
  const { digest, timestamp } = confirmedIn(0);
  const waiting = make(digest, [], { kind: "pending", uri: CALENDAR });

  it("adds what the calendar answered, and ends its promise", ({ expect }) => {
    const two = merge(waiting, make(digest, [{ kind: "sha256" }], { kind: "pending", uri: CALENDAR }));
    if (two === null) throw new Error("no proof");
    const done = upgrade(proofOf(two), timestamp, CALENDAR);
    if (done === null || !done.ok) throw new Error("not upgraded");
    const kinds = attestationsOf(done.proof.timestamp).map(({ attestation }) => attestation.kind);
    expect(kinds.sort()).toEqual(["bitcoin", "pending"]);
    const again = upgrade(done.proof, timestamp, CALENDAR);
    expect(again?.ok && hex(serializeProof(again.proof))).toBe(hex(serializeProof(done.proof)));
  });

  it("that is only another promise keeps the first", ({ expect }) => {
    const answer = make(digest, [{ kind: "sha256" }], { kind: "pending", uri: "https://other.example" });
    const done = upgrade(proofOf(waiting), answer, CALENDAR);
    expect(done?.ok && attestationsOf(done.proof.timestamp)).toHaveLength(2);
  });

  it("of another calendar's does not end this one's promise", ({ expect }) => {
    const done = upgrade(proofOf(waiting), timestamp, "https://other.example");
    expect(done?.ok && attestationsOf(done.proof.timestamp)).toHaveLength(2);
  });

  it("for a message that the proof does not hold is none", ({ expect }) => {
    expect(upgrade(proofOf(PENDING), timestamp, CALENDAR)).toBeNull();
  });

  it("that would make a proof which nobody reads is refused", ({ expect }) => {
    const long = Array.from({ length: 200 }, (): Operation => ({ kind: "sha256" }));
    const deep = make(digest, long, { kind: "pending", uri: CALENDAR });
    const end = attestationsOf(deep)[0]?.message ?? bytes("");
    const answer = make(end, long, { kind: "bitcoin", height: 9 });
    const done = upgrade(proofOf(deep), answer, CALENDAR);
    expect(done?.ok).toBe(false);
    expect(done && "code" in done ? done.code : null).toBe("too-deep");
  });
});

describe("what is left out of a proof", () => {
  it("goes with what led to it alone", ({ expect }) => {
    const { digest, timestamp } = confirmedIn(0);
    const other = make(digest, [{ kind: "sha256" }, { kind: "sha1" }], { kind: "bitcoin", height: 5 });
    const both = merge(timestamp, other);
    if (both === null) throw new Error("no proof");
    const left = without(both, ({ attestation }) => "height" in attestation && attestation.height === 5);
    expect(left === null ? null : hex(file(left))).toBe(hex(file(timestamp)));
    expect(without(both, () => true)).toBeNull();
    expect(hex(file(without(both, () => false) ?? timestamp))).toBe(hex(file(both)));
  });
});

describe("a hostile proof", () => {
  const refusal = (of: Uint8Array) => {
    const read = parseProof(of);
    return read.ok ? "read" : `${read.code} ${read.byte}`;
  };

  it("is refused at the byte that is wrong", ({ expect }) => {
    expect(START).toHaveLength(65);
    expect(refusal(new Uint8Array())).toBe("truncated 0");
    expect(refusal(Buffer.from("%PDF-1.7"))).toBe("magic 0");
    expect(refusal(raw())).toBe("truncated 65");
    expect(refusal(raw("ff"))).toBe("truncated 66");
    expect(refusal(raw("ffff", UNKNOWN))).toBe("operation 66");
    expect(refusal(raw("04", UNKNOWN))).toBe("operation 65");
    expect(refusal(raw(UNKNOWN, "00"))).toBe("trailing 76");
    expect(refusal(raw("f000", UNKNOWN))).toBe("length 66");
    expect(refusal(raw(`f0${"81".repeat(20)}`))).toBe("number 66");
    expect(refusal(raw("f08120", new Uint8Array(4_097), UNKNOWN))).toBe("length 66");
    expect(refusal(raw("000102030405060708ff7f"))).toBe("length 74");
    expect(refusal(raw(att(BITCOIN, "0700")))).toBe("trailing 76");
    expect(refusal(raw(att(BITCOIN, "")))).toBe("truncated 75");
    expect(refusal(raw(att(BITCOIN, `${"ff".repeat(12)}01`)))).toBe("number 75");
  });

  it("names no address but a plain one", ({ expect }) => {
    const naming = (uri: string) => {
      const named = Buffer.from(uri, "latin1");
      const inner = Buffer.concat([number(named.length), named]);
      return refusal(raw("0083dfe30d2ef90c8e", Buffer.concat([number(inner.length), inner])));
    };
    const number = (n: number) =>
      n < 128 ? Buffer.of(n) : Buffer.of((n & 127) | 128, ...(n >> 7 < 128 ? [n >> 7] : []));
    expect(naming("https://a.example:8443/b-c_d")).toBe("read");
    expect(naming("x".repeat(1_000))).toBe("read");
    expect(naming("x".repeat(1_001))).toMatch(/^length/);
    for (const wrong of ["?", "#", "@", "%41", "[::1]", "\\", " ", "\n", "\u00e9", "\0", "+", "~", '"'])
      expect(naming(`https://a.example/${wrong}`), wrong).toMatch(/^uri/);
  });

  it("with a million operations is refused at once: in one line, side by side, or over long messages", ({
    expect,
  }) => {
    const started = performance.now();
    expect(refusal(raw("08".repeat(1_000_000), UNKNOWN))).toBe("too-deep 320");
    // Every node forks, and each fork is 250 operations deep.
    const branchy = `ff${"08".repeat(250)}${UNKNOWN}`;
    const distinct = Array.from({ length: 3_800 }, (_, i) =>
      branchy.replace("ff08", `fff002${i.toString(16).padStart(4, "0")}`),
    );
    expect(refusal(raw(...distinct))).toMatch(/^too-many/);
    const wide = Array.from(
      { length: 50_000 },
      (_, i) => `fff003${i.toString(16).padStart(6, "0")}67${UNKNOWN}`,
    );
    expect(refusal(raw(`${"f3".repeat(6)}`, ...wide))).toMatch(/^too-much-work/);
    expect(refusal(raw(...Array.from({ length: 85_000 }, () => `ff${UNKNOWN}`)))).toMatch(/^too-many/);
    expect(refusal(raw(new Uint8Array(1_048_576)))).toBe("too-large 1048576");
    // Bounded in time: seconds on any machine, where a million hashes of 4 KiB would be minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it("is read as deep as the reference client reads, and no deeper", ({ expect }) => {
    expect(refusal(raw("08".repeat(255), UNKNOWN))).toBe("read");
    expect(refusal(raw("08".repeat(256), UNKNOWN))).toBe("too-deep 320");
  });

  it("that says one thing twice says it once", ({ expect }) => {
    const read = parseProof(raw(`ff08${UNKNOWN}`, `ff08${att(BITCOIN, "07")}`, `ff08${UNKNOWN}`, UNKNOWN));
    if (!read.ok) throw new Error(read.message);
    expect(read.proof.timestamp.branches).toHaveLength(1);
    expect(attestationsOf(read.proof.timestamp)).toHaveLength(3);
  });

  it("cut off anywhere is refused within what is left, and changed anywhere is never misread", ({
    expect,
  }) => {
    const whole = file(
      merge(PENDING, make(DIGEST, [{ kind: "sha256" }], { kind: "bitcoin", height: 500 })) ?? PENDING,
    );
    for (let length = 0; length < whole.length; length += 1) {
      const read = parseProof(whole.slice(0, length));
      expect(read.ok, `${length}`).toBe(false);
      if (!read.ok) expect(read.byte).toBeLessThanOrEqual(length);
    }
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = whole.slice();
        changed[at] = (changed[at] ?? 0) ^ change;
        const read = parseProof(changed);
        if (!read.ok) return read.byte <= changed.length;
        const again = parseProof(serializeProof(read.proof));
        return again.ok && hex(serializeProof(again.proof)) === hex(serializeProof(read.proof));
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (tail) => {
        const read = parseProof(raw(tail));
        return read.ok || (read.byte >= 65 && read.byte <= 65 + tail.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it("from a calendar is bounded as a whole file is", ({ expect }) => {
    const read = parseTimestamp(bytes("08".repeat(300)), DIGEST);
    expect(read.ok ? null : [read.code, read.byte]).toEqual(["too-deep", 255]);
    const fine = parseTimestamp(serializeTimestamp(PENDING), DIGEST);
    expect(fine.ok && hex(file(fine.timestamp))).toBe(hex(file(PENDING)));
  });
});

describe("a block header", () => {
  const [first, second] = BLOCKS;
  const with_ = (at: number, part: string) =>
    first.header.slice(0, 2 * at) + part + first.header.slice(2 * at + part.length);
  const refused = (text: string, height: number = first.height) => {
    const read = readHeader(text, height);
    return read.ok ? "read" : `${read.code} ${read.byte}`;
  };

  it("tells its hash, its merkle root and its time", ({ expect }) => {
    for (const { height, header, hash, time } of BLOCKS) {
      const read = readHeader(header, height);
      expect(read.ok && [read.header.hash, read.header.time]).toEqual([hash, time]);
      expect(read.ok && hex(read.header.merkleRoot)).toBe(header.slice(72, 136));
      expect(refused(header.toUpperCase(), height)).toBe("read");
    }
  });

  it("is 80 bytes of hex", ({ expect }) => {
    expect(refused("")).toBe("header-length 0");
    expect(refused(first.header.slice(2))).toBe("header-length 79");
    expect(refused(`${first.header}00`)).toBe("header-length 80");
    expect(refused("00".repeat(1_000_000))).toBe("header-length 80");
    expect(refused(with_(11, "0g"))).toBe("header-hex 11");
    expect(refused(with_(0, "\u0660\u0661"))).toBe("header-hex 0");
  });

  it("has been mined: no bit of it can be changed", ({ expect }) => {
    for (let bit = 0; bit < 640; bit += 1) {
      const changed = bytes(first.header);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(refused(hex(changed)), `${bit}`).toMatch(/^header-(work|target)/);
    }
  });

  it("has a target that blocks have", ({ expect }) => {
    for (const bits of ["ffff7f20", "0000001d", "ffff801d", "ffffff21", "00000000", "ffff00ff", "0000011d"])
      expect(refused(with_(72, bits)), bits).toBe("header-target 72");
    for (const height of [100_000, 129_405, 350_000, 358_391, 971_330, 10 ** 9])
      expect(refused(FIRST_BLOCK, height)).toBe("header-target 72");
  });

  it("is of no use at a height whose work is soon done again, whatever it is", ({ expect }) => {
    for (const height of [0, 1, 49_999, 99_999]) {
      expect(refused(FIRST_BLOCK, height)).toBe("height-too-early 0");
      expect(refused(first.header, height)).toBe("height-too-early 0");
    }
  });

  it("has the time of its height: another height takes it for weeks at most", ({ expect }) => {
    // By work alone it would pass at every height before.
    for (const height of [400_000, 700_000, 797_500, 803_500, 850_000, 900_000])
      expect(refused(first.header, height), `${height}`).toMatch(/^header-(time 68|target 72)$/);
    expect(refused(first.header, 799_000)).toBe("read");
    expect(refused(second.header, first.height)).toBe("header-time 68");
    // Of the future, a tenth of what has passed since the last row is let go by.
    expect([10 ** 6, 10 ** 7, 10 ** 9].map((height) => fitsHeight(height, 2 ** 32))).toEqual([
      false,
      false,
      false,
    ]);
    expect(fitsHeight(950_000, 1_719_674_000 + 100_000 * 590)).toBe(true);
  });
});

describe("what a proof establishes", () => {
  const { digest, timestamp } = confirmedIn(0);
  const proof = file(timestamp);
  const claim = { digest: hex(digest) };
  const before = BLOCKS[0].time * 1_000;
  const HEIGHT = BLOCKS[0].height;
  const judged = (of: Uint8Array, stamped: Parameters<typeof judgeProof>[1], headers: Headers = HEADERS) => {
    const answer = judgeProof(of, stamped, headers);
    if (!answer.ok) throw new Error(answer.message);
    return answer;
  };

  it("is told apart: the bytes are the stamped ones, and they were there before they were published", ({
    expect,
  }) => {
    const one = judged(proof, claim);
    expect(one.matches).toBe(true);
    expect(one.confirmed).toMatchObject({ height: BLOCKS[0].height, header: { hash: BLOCKS[0].hash } });
    expect(integrityOf(one)).toBe("established");
    expect(priorityOf(one, null)).toBe("not claimed");
    expect(priorityOf(one, before + 1)).toBe("established");
    expect(priorityOf(one, before)).toBe("not established");
    expect(priorityOf(one, before - 1)).toBe("not established");
    expect(checksOfProof(one).map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(checksOfProof(one)[1]?.text).toContain("2023-07-26 12:42:27 UTC");
  });

  it("is nothing yet while a calendar promises, or the header is not at hand", ({ expect }) => {
    const promised = judged(file(PENDING), { bytes: Buffer.from("the bytes that went out\n") });
    expect([integrityOf(promised), priorityOf(promised, 1), priorityOf(promised, null)]).toEqual([
      "pending",
      "pending",
      "not claimed",
    ]);
    const unknown = judged(proof, claim, new Map());
    expect(unknown.confirmed).toBeNull();
    expect([integrityOf(unknown), priorityOf(unknown, before + 1)]).toEqual(["pending", "pending"]);
    expect(checksOfProof(unknown).map(({ status }) => status)).toEqual(["ok", "pending"]);
  });

  it("is nothing for other bytes, even by one line feed", ({ expect }) => {
    for (const other of [
      "the bytes that went out",
      "the bytes that went out\r\n",
      " the bytes that went out\n",
    ]) {
      const one = judged(file(PENDING), { bytes: Buffer.from(other) });
      expect([one.matches, integrityOf(one), priorityOf(one, before)]).toEqual([
        false,
        "not established",
        "not established",
      ]);
      expect(checksOfProof(one)[0]?.status).toBe("fail");
    }
    expect(integrityOf(judged(proof, { digest: "00".repeat(32) }))).toBe("not established");
    expect(integrityOf(judged(proof, null))).toBe("not claimed");
  });

  it("is nothing by a header of another block, or by one that nobody mined", ({ expect }) => {
    const aside = file(make(digest, [{ kind: "sha256" }], { kind: "bitcoin", height: HEIGHT }));
    const wrong = judged(aside, claim);
    expect(wrong.attestations[0]?.state).toBe("refuted");
    const forged = Buffer.from(BLOCKS[0].header, "hex");
    forged.write("ffff7f20", 72, "hex");
    const made = judged(proof, claim, new Map([[HEIGHT, forged.toString("hex")]]));
    expect(made.attestations[0]?.state).toBe("header-refused");
    const short = judged(proof, claim, new Map([[HEIGHT, BLOCKS[0].header.slice(2)]]));
    expect(short.attestations[0]?.state).toBe("header-refused");
    for (const one of [wrong, made, short]) {
      expect(one.confirmed).toBeNull();
      expect([integrityOf(one), priorityOf(one, before + 1)]).toEqual(["not established", "not established"]);
      expect(checksOfProof(one)[1]?.status).toBe("fail");
    }
    for (const kind of ["sha256", "sha1"] as const) {
      const elsewhere = make(digest, [{ kind }], { kind: "bitcoin", height: HEIGHT });
      expect(judged(file(elsewhere), claim).attestations[0]?.state).toBe("refuted");
    }
  });

  it("is nothing by a block that is too early, nor by one that is older than what was stamped", ({
    expect,
  }) => {
    const early = judged(
      file(make(digest, [], { kind: "bitcoin", height: 99_999 })),
      claim,
      new Map([[99_999, BLOCKS[0].header]]),
    );
    expect([early.attestations[0]?.state, early.confirmed]).toEqual(["too-early", null]);
    expect([integrityOf(early), priorityOf(early, 2 ** 45)]).toEqual(["not established", "not established"]);
    for (const [since, state] of [
      [before + BLOCK_OFF_MS, "confirmed"],
      [before + BLOCK_OFF_MS + 1, "refuted"],
    ] as const) {
      const one = judgeProof(proof, claim, HEADERS, since);
      expect(one.ok && one.attestations[0]?.state).toBe(state);
    }
  });

  it("is nothing by what nobody here can check", ({ expect }) => {
    const one = judged(file(make(digest, [], { kind: "litecoin", height: 3 })), claim);
    expect(one.attestations[0]?.state).toBe("not-checked");
    expect([integrityOf(one), priorityOf(one, before + 1)]).toEqual(["not established", "not established"]);
    const alone = judged(
      file(make(digest, [], { kind: "unknown", tag: "0102030405060708", payload: bytes("") })),
      null,
    );
    expect(checksOfProof(alone).map(({ status }) => status)).toEqual(["note", "pending"]);
  });

  it("is held up by no promise once a block confirms, and goes by the earliest", ({ expect }) => {
    const both = merge(timestamp, make(digest, [], { kind: "pending", uri: CALENDAR }));
    const one = judged(file(both ?? timestamp), claim);
    expect(integrityOf(one)).toBe("established");
    expect(
      checksOfProof(one)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(["note", "ok", "ok"]);
    const later = confirmedIn(1);
    expect(judged(file(later.timestamp), { digest: hex(later.digest) }).confirmed?.header.time).toBe(
      BLOCKS[1].time,
    );
  });

  it("serves as the anchor of a receipt, for its own digest alone", ({ expect }) => {
    const headers = { [HEIGHT]: BLOCKS[0].header };
    const held = judgeAnchor({ ots: base64Of(proof), headers }, hex(digest));
    expect(Array.isArray(held) && held.map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(judgeAnchor({ ots: base64Of(proof), headers }, "00".repeat(32))).toHaveProperty(
      "pointer",
      "/anchor/ots",
    );
    expect(
      judgeAnchor({ ots: base64Of(proof), headers: { [HEIGHT]: BLOCKS[1].header } }, hex(digest)),
    ).toHaveProperty("pointer", `/anchor/headers/${HEIGHT}`);
    expect(judgeAnchor({ ots: "%", headers }, hex(digest))).toHaveProperty("pointer", "/anchor/ots");
    expect(judgeAnchor({ ots: base64Of(proof.slice(0, 40)), headers }, hex(digest))).toHaveProperty(
      "message",
    );
    const waits = judgeAnchor({ ots: base64Of(proof), headers: {} }, hex(digest));
    expect(Array.isArray(waits) && waits.map(({ status }) => status)).toEqual(["ok", "pending"]);
  });

  it("is dated as calendars date it", ({ expect }) => {
    for (let seconds = -1e10; seconds < 2e11; seconds += 987_654_321)
      expect(utcOf(seconds)).toBe(
        `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace("T", " ")} UTC`,
      );
  });
});
