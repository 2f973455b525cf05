/** The command that checks files, as a person runs it. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, it } from "vitest";
import { keccak256, ripemd160 } from "../../integrations/verify/hashes.mjs";
import { SERVED, servedText } from "../../scripts/lib/verify/served.mjs";
import { INTEGRITY_ONLY, TIMESTAMP_NOT_PROVEN } from "../../src/ledger/claims.ts";
import { ripemd160 as ours } from "../../src/ledger/ots/hashes.ts";
import { PROJECT } from "../house/rooms.ts";
import { chainOf } from "../support/chain.ts";

interface Row {
  readonly name: string;
  readonly file: string;
  readonly keys: string[];
  readonly heads: object[];
  readonly expect: { readonly result: string; readonly code: string | null };
}
interface AnchorRow {
  readonly name: string;
  readonly digest: string;
  readonly anchor: { readonly ots: string; readonly headers: Record<string, string> };
}
const vectors = <T>(name: string): T[] =>
  JSON.parse(readFileSync(join(PROJECT, "docs/vectors", `${name}.json`), "utf8"));
const CODES = ["holds", "broken", "pending", "unreadable"];
const MEGABYTE = 1_048_576;
const MAGIC = Buffer.from("004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294", "hex");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-verify-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (of: string | Uint8Array) => createHash("sha256").update(of).digest();
const put = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return name;
};

function run(args: readonly string[], flags: readonly string[] = []) {
  return new Promise<{ code: number | null; out: string; err: string }>((done) => {
    const child = spawn(process.execPath, [...flags, join(PROJECT, "scripts/verify.mjs"), ...args], {
      cwd: folder,
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (text) => {
      out += text;
    });
    child.stderr.on("data", (text) => {
      err += text;
    });
    child.on("close", (code) => done({ code, out, err }));
  });
}

/** A proof over bytes, and what follows its digest. */
const proofOf = (bytes: string | Uint8Array, rest: Uint8Array) =>
  Buffer.concat([MAGIC, Buffer.from([1, 8]), sha256(bytes), rest]);
const PENDING = Buffer.from("0083dfe30d2ef90c8e", "hex");
const pendingAt = (address: string) => {
  const inner = Buffer.concat([Buffer.from([address.length]), Buffer.from(address)]);
  return Buffer.concat([PENDING, Buffer.from([inner.length]), inner]);
};

describe("countersign-verify", () => {
  for (const kind of ["exports", "receipts", "checkpoints"])
    it(`says of ${kind} what the vectors say, and the exit code with it`, async ({ expect }) => {
      // One of each outcome: a process a row would take minutes.
      const rows = vectors<Row>(kind).filter(({ heads }) => heads.length === 0);
      for (const result of CODES) {
        const row = rows.find((one) => one.expect.result === result);
        if (row === undefined) continue;
        const keys = row.keys.length === 0 ? [] : ["--keys", put("keys.txt", row.keys.join("\n"))];
        const { code, out } = await run([put("file", row.file), ...keys]);
        expect([code, row.name], out).toEqual([CODES.indexOf(result), row.name]);
        expect(out).toMatch(new RegExp(`^RESULT {2}${result} — `, "m"));
        if (row.expect.code !== null)
          expect(out).toMatch(new RegExp(`^ {2}FAIL {2}.*\\[${row.expect.code}\\] \\(where: .+\\)$`, "m"));
      }
    });

  it("takes the published list of keys", async ({ expect }) => {
    const row = vectors<Row>("receipts").find((one) => one.expect.result === "holds");
    if (row === undefined) throw new Error("no receipt holds");
    const keys = row.keys.map((vkey) => ({ vkey, from: 0, until: null }));
    put("keys.json", JSON.stringify({ organization: "org_vectors", keys }));
    put("receipt.json", row.file);
    expect((await run(["receipt.json", "--keys", "keys.json"])).code).toBe(0);
    expect((await run(["receipt.json"])).code, "keys that nobody compared").toBe(2);
    put("keys.json", JSON.stringify({ keys: [{ vkey: row.keys[0] }, { vkey: "a+b+c" }] }));
    const bad = await run(["receipt.json", "--keys", "keys.json"]);
    expect([bad.code, bad.err]).toEqual([3, "--keys keys.json: key 2 is no verifier key\n"]);
    const far = await run(["receipt.json", "--keys", "http://keys.example/"]);
    expect([far.code, far.err]).toEqual([3, "--keys http://keys.example/: keys are fetched over https\n"]);
  });

  it("holds an export against the heads of a checkpoint that is named after it", async ({ expect }) => {
    const chain = vectors<Row>("exports").find((one) => one.expect.result === "holds");
    const sealed = vectors<Row>("checkpoints").find(
      (one) => one.expect.result === "holds" && JSON.parse(one.file).leaves?.length > 0,
    );
    if (chain === undefined || sealed === undefined) throw new Error("no vectors");
    put("chain.ndjson", chain.file);
    put("checkpoints.json", sealed.file);
    put("keys.txt", sealed.keys.join("\n"));
    const { out } = await run(["chain.ndjson", "checkpoints.json", "--keys", "keys.txt"]);
    expect(out.indexOf("checkpoints.json\n")).toBeLessThan(out.indexOf("chain.ndjson\n"));
    const sealedBy = (text: string) => text.slice(text.indexOf("chain.ndjson\n"));
    expect(sealedBy(out)).toContain("every sealed head stands in it");
    expect(sealedBy(out)).toContain("RESULT  holds");
    // Heads that anybody could have sealed show nothing yet.
    const own = await run(["chain.ndjson", "checkpoints.json"]);
    expect([own.code, sealedBy(own.out).includes("RESULT  pending")], own.out).toEqual([2, true]);
    const entries = chain.file.trimEnd().split("\n");
    put("chain.ndjson", `${entries[0]}\n`);
    const cut = await run(["chain.ndjson", "checkpoints.json", "--keys", "keys.txt"]);
    expect(cut.code, cut.out).toBe(1);
    expect(cut.out).toContain("[truncated] (where: line 2, seq 2, byte ");
  });

  it("says of an export alone that nothing seals it, and of a name what stands in it", async ({ expect }) => {
    const chain = vectors<Row>("exports").find((one) => one.expect.result === "holds");
    const name = put(`chain${"\u0301\u0336".repeat(40)}.ndjson`, chain?.file ?? "");
    const { code, out } = await run([name]);
    expect(code, out).toBe(0);
    expect(out).toContain("RESULT  holds \u2014 every check passed, and nothing seals this chain yet");
    expect(out).toContain("give the checkpoints of its log beside it (GET /v1/checkpoints.json)");
    expect(out.split("\n", 1)[0]).toBe("chain\u27e880 marks\u27e9.ndjson");
  });

  it("holds the files of one run against one another", async ({ expect }) => {
    const [told, gone] = ["a receipt with its private text", "a receipt whose private text is gone"].map(
      (name) => vectors<Row>("receipts").find((one) => one.name === name),
    );
    put("keys.txt", (told?.keys ?? []).join("\n"));
    put("told.json", told?.file ?? "");
    put("gone.json", gone?.file ?? "");
    const both = await run(["told.json", "gone.json", "--keys", "keys.txt"]);
    expect([both.code, both.out.includes("the opposite of this entry's private text")], both.out).toEqual([
      2,
      true,
    ]);
    expect((await run(["gone.json", "--keys", "keys.txt"])).code).toBe(0);
  });

  it("calls keys compared that were, whatever else of a receipt is pending", async ({ expect }) => {
    const receipt = vectors<Row>("receipts").find(({ name }) => name === "a receipt with its private text");
    const chain = vectors<Row>("exports").find((one) => one.expect.result === "holds");
    const value = JSON.parse(receipt?.file ?? "");
    const text = value.checkpoint.slice(0, value.checkpoint.lastIndexOf("\n\n") + 1);
    const ots = proofOf(text, pendingAt("https://calendar.example")).toString("base64");
    put("anchored.json", `${JSON.stringify({ ...value, anchor: { ots, headers: {} } }, null, 2)}\n`);
    put("chain.ndjson", chain?.file ?? "");
    put("keys.txt", (receipt?.keys ?? []).join("\n"));
    const { code, out } = await run(["anchored.json", "chain.ndjson", "--keys", "keys.txt"]);
    expect(code, out).toBe(2);
    expect(out).not.toContain("The keys were not compared");
    expect(out.slice(out.indexOf("chain.ndjson\n"))).toContain("RESULT  holds");
  });

  it("reads a record whatever its first member is, though a proof stands beside it", async ({ expect }) => {
    const receipt = vectors<Row>("receipts").find(({ name }) => name === "a receipt with its private text");
    const { countersign_receipt: version, ...rest } = JSON.parse(receipt?.file ?? "");
    const text = JSON.stringify({ ...rest, organization: "org_else", countersign_receipt: version });
    put("turned.json", text);
    put("turned.json.ots", proofOf(text, pendingAt("https://calendar.example")));
    expect((await run(["turned.json"])).code).toBe(1);
    for (const other of [
      '{"a":1}',
      '{"kind":"a pod"}\n{"kind":"b"}\n',
      '{"kind":"manifest"}',
      '{"hashes":[]}',
      "{",
    ]) {
      put("other.json", other);
      put("other.json.ots", proofOf(other, pendingAt("https://calendar.example")));
      const stamped = await run(["other.json"]);
      expect([stamped.code, stamped.out.includes("FAIL")], stamped.out).toEqual([2, false]);
    }
  });

  it("judges by the reader's own header, and says where the file's is another", async ({ expect }) => {
    const row = vectors<AnchorRow>("anchors").find(({ name }) => name.startsWith("a real proof"));
    const [[height, hex] = ["", ""]] = Object.entries(row?.anchor.headers ?? {});
    const receipt = vectors<Row>("receipts").find(({ name }) => name === "a receipt with its private text");
    const value = JSON.parse(receipt?.file ?? "");
    const anchor = { ots: row?.anchor.ots, headers: { [height]: hex.replace("1e376755", "1f376755") } };
    put("receipt.json", `${JSON.stringify({ ...value, anchor }, null, 2)}\n`);
    const { code, out } = await run(["receipt.json", "--header", `${height}:${hex}`]);
    expect(code).toBe(1);
    expect(out).toContain("the header that the file brings is not the one that was given");
  });

  it("judges bytes by the proof beside them, and headers by themselves", async ({ expect }) => {
    const row = vectors<AnchorRow>("anchors").find(({ name }) => name === "confirmed by a block");
    if (row === undefined) throw new Error("no anchor is confirmed");
    put("lone.ots", Buffer.from(row.anchor.ots, "base64"));
    const [[height, hex] = ["", ""]] = Object.entries(row.anchor.headers);
    const lone = await run(["lone.ots", "--header", `${height}:${hex}`]);
    expect([lone.code, lone.out.includes("the bytes are not at hand")], lone.out).toEqual([2, true]);
    expect(lone.out).toMatch(new RegExp(`merkle root of bitcoin block ${height}`));
    put("headers.txt", `${height}:${hex}\n`);
    expect((await run(["lone.ots", "--headers", "headers.txt"])).out).toBe(lone.out);

    // A proof of the reference client, of a file that it brings.
    const real = vectors<AnchorRow>("anchors").find(({ name }) => name.startsWith("a real proof"));
    if (real === undefined) throw new Error("no proof is real");
    put("hello.txt", "Hello World!\n");
    put("hello.txt.ots", Buffer.from(real.anchor.ots, "base64"));
    const [[at, header] = ["", ""]] = Object.entries(real.anchor.headers);
    put("headers.txt", `${at}:${header}\n`);
    const held = await run(["hello.txt", "--headers", "headers.txt"]);
    expect(held.code, held.out).toBe(0);
    expect(held.out).toContain("of 2015-05-28 15:41:18 UTC\n");
    for (const sentence of [INTEGRITY_ONLY, ...TIMESTAMP_NOT_PROVEN])
      expect(held.out).toContain(`        ${sentence}\n`);
    expect((await run(["hello.txt"])).code, "without the header").toBe(2);
    put("headers.txt", `${at}:${header.replace("1e376755", "1f376755")}\n`);
    const dated = await run(["hello.txt", "--headers", "headers.txt"]);
    expect([dated.code, dated.out.includes("its header's hash is not below its target")]).toEqual([1, true]);

    put("body.txt", "the exact bytes");
    put("body.txt.ots", proofOf("the exact bytes", pendingAt("https://calendar.example")));
    const pending = await run(["body.txt"]);
    expect(pending.code).toBe(2);
    expect(pending.out).toContain("  ..    pending: https://calendar.example\n");
    expect((await run(["body.txt.ots"])).out).toContain("the proof is over these bytes");
    put("body.txt", "the exact bytes ");
    const other = await run(["body.txt"]);
    expect([other.code, other.out.includes("FAIL  The proof is over other bytes. (byte 33)")]).toEqual([
      1,
      true,
    ]);
    put("body.txt.ots", proofOf("the exact bytes ", Buffer.alloc(0)));
    const short = await run(["body.txt"]);
    expect([short.code, short.out.includes("The proof ends too early. (byte 65)")]).toEqual([3, true]);
  });

  it("judges bytes by whichever hash they were stamped by, and counts nothing that it cannot check", async ({
    expect,
  }) => {
    const promise = pendingAt("https://calendar.example");
    const unknown = Buffer.from("00010203040506070800", "hex");
    for (const [name, tag, digest] of [
      ["sha1", 2, createHash("sha1").update("the bytes").digest()],
      ["ripemd160", 3, ripemd160(Buffer.from("the bytes"))],
      ["keccak256", 0x67, keccak256(Buffer.from("the bytes"))],
    ] as const) {
      put("old", "the bytes");
      put("old.ots", Buffer.concat([MAGIC, Buffer.from([1, tag]), digest, promise]));
      const right = await run(["old"]);
      expect(right.code, right.out).toBe(2);
      expect(right.out).toContain(`over these bytes (${name} ${Buffer.from(digest).toString("hex")})`);
      put("old", "the bytes\n");
      expect((await run(["old"])).code, name).toBe(1);
    }
    put("body.txt", "x");
    put("body.txt.ots", proofOf("x", unknown));
    const odd = await run(["body.txt"]);
    expect([odd.code, odd.out.includes("  ..    no attestation of this proof is of a kind")]).toEqual([
      2,
      true,
    ]);
  });

  it("refuses what is out of bounds with its position, at once", async ({ expect }) => {
    put("body.txt", "x");
    put("body.txt.ots", proofOf("x", Buffer.alloc(1_000_000, 0x08)));
    const many = await run(["body.txt"]);
    expect(many.code).toBe(3);
    expect(many.out).toMatch(/FAIL {2}Too many operations follow one another\. \(byte \d+\)/);
    put("body.txt.ots", proofOf("x", Buffer.alloc(2_000_000, 0x08)));
    expect((await run(["body.txt"])).out).toContain("(byte 1048576)");
    const header = await run(["body.txt", "--header", `1:${"0".repeat(158)}`]);
    expect([header.code, header.err]).toEqual([
      3,
      `--header 1:${"0".repeat(22)}: line 1: a header is 80 bytes, 160 hex digits; this one has 158 digits\n`,
    ]);
    put("headers.txt", `0:${"0".repeat(160)}\n7:${"0".repeat(10)}g\n`);
    expect((await run(["body.txt", "--headers", "headers.txt"])).err).toContain(
      "line 2: column 13 is no hex digit",
    );
    const receipt = vectors<Row>("receipts").find((one) => one.expect.result === "holds")?.file ?? "";
    put("receipt.json", receipt.replace('"countersign_receipt": 1', '"countersign_receipt": 2'));
    const version = await run(["receipt.json"]);
    expect([version.code, version.out.includes("[unknown-version] (where: /countersign_receipt)")]).toEqual([
      3,
      true,
    ]);
    for (const [args, why] of [
      [[], "Name a file"],
      [["--nothing"], "nothing"],
    ] as const)
      expect([(await run(args)).code, (await run(args)).err.includes(why)]).toEqual([3, true]);
    expect((await run(["absent", "."])).out).toBe(
      "absent\nRESULT  unreadable — there is no such file.\n\n.\nRESULT  unreadable — it is a folder.\n",
    );
  });

  it("reads no further than it must: what is packed, what nests without end, what holds too much", async ({
    expect,
  }) => {
    const line = JSON.parse(readFileSync(join(PROJECT, "docs/vectors/exports.json"), "utf8"))[0].file;
    put("packed.ndjson", gzipSync(line));
    put("deep.json", `{"countersign_receipt":1,"x":${"[".repeat(20 * MEGABYTE)}`);
    put("wide.json", `{"countersign_checkpoints":1,"x":[${"0,".repeat(9_000_000)}0]}`);
    put("first.ndjson", `{"hasn":"${line.slice(9)}${line.repeat(Math.ceil((40 * MEGABYTE) / line.length))}`);
    put("bytes", Buffer.alloc(300 * MEGABYTE, 0xaa));
    put("text.json", Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(300 * MEGABYTE, 0x61)]));
    for (const [name, said] of [
      ["packed.ndjson", "This is compressed (gzip): unpack it first. [malformed-file] (where: byte 0)"],
      ["deep.json", "[malformed-file] (where: byte 44)"],
      ["wide.json", "[malformed-file] (where: byte 16000033)"],
      ["first.ndjson", "[malformed-line] (where: line 1, seq 1, byte 0)"],
      ["bytes", "[malformed-line] (where: line 1, seq 1, byte 0)"],
      ["text.json", "[malformed-file] (where: byte 268435456)"],
    ] as const) {
      const { code, out } = await run([name], ["--max-old-space-size=64"]);
      expect([code, out.includes(said)], out).toEqual([3, true]);
    }
  });

  it("shows what a terminal would obey, in names and in contents", async ({ expect }) => {
    const hostile = put("a\u001b[2J\nRESULT  holds\u202e", "nothing");
    const named = await run([hostile]);
    expect(named.out).toContain("a⟨U+001B⟩[2J⟨U+000A⟩RESULT  holds⟨U+202E⟩\n");
    const made = chainOf("o\u001b]0;mine\u0007\n  ok    all is well", 1, 2);
    put("hostile.ndjson", [...made].join(""));
    const told = await run(["hostile.ndjson"]);
    expect(told.code, told.out).toBe(0);
    expect(told.out).toContain("⟨U+001B⟩]0;mine⟨U+0007⟩⟨U+000A⟩");
    for (const { out, err } of [named, told])
      expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it("checks a large export in bounded memory", { timeout: 240_000 }, async ({ expect }) => {
    const stream = createWriteStream(join(folder, "large.ndjson"));
    let size = 0;
    for (const line of chainOf("org_large", 150, MEGABYTE)) {
      size += line.length;
      if (!stream.write(line)) await new Promise((done) => stream.once("drain", done));
    }
    await new Promise<void>((done) => stream.end(() => done()));
    expect(size).toBeGreaterThan(150 * MEGABYTE);
    const { code, out, err } = await run(["large.ndjson"], ["--max-old-space-size=64"]);
    expect(code, out + err).toBe(0);
    expect(out).toContain("150 entries of organization of org_large follow one another");
  });

  it("hashes as the service does what WebCrypto does not", ({ expect }) => {
    for (const size of [0, 1, 55, 56, 63, 64, 65, 1_000]) {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7) & 255);
      expect(ripemd160(bytes)).toEqual(ours(bytes));
    }
  });
});

describe("what is said of proofs", () => {
  it("is served as it stands in the files", ({ expect }) => {
    expect(readFileSync(SERVED, "utf8") === servedText(), "run node scripts/lib/verify/served.mjs").toBe(
      true,
    );
  });

  it("claims no more than a proof shows", ({ expect }) => {
    const texts = textsIn([
      "src/routes",
      "src/notify",
      "src/ledger",
      "src/http",
      "integrations",
      "scripts/lib/verify",
    ]);
    expect(texts.length).toBeGreaterThan(100);
    const found = [...texts, "docs/ledger.md", "README.md", "scripts/verify.mjs"].flatMap((path) =>
      [...readFileSync(join(PROJECT, path), "utf8").matchAll(FORBIDDEN)].map(([word]) => `${path}: ${word}`),
    );
    expect(found).toEqual([]);
    for (const claim of ["This is certified.", "It guarantees the time.", "a tamper-proof log"])
      expect(claim).toMatch(new RegExp(FORBIDDEN.source, "i"));
  });
});

/** What no proof here shows, in words that sellers of records use. */
const FORBIDDEN =
  /\b(certified|certifies|notari[sz]ed|guarantee[sd]?|tamper-?\s?proof|unforgeable|irrefutabl[ey]|undeniabl[ey]|incontestabl[ey]|legally binding|court-?\s?proof|100\s?% (?:secure|proof)|proves? (?:the truth|that it is true|who wrote))\b/gi;

function textsIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && /\.(tsx?|mjs|md|css|html)$/.test(one.name))
      .map((one) => join(relative(PROJECT, one.parentPath), one.name)),
  );
}
