/** Files that are checked in one run are held against one another; exports of everything are checked whole. */
import { describe, it } from "vitest";
import { CONTRADICTED } from "../../integrations/verify/run.mjs";
import { newRun, verify } from "../../integrations/verify/verify.mjs";
import { CLAIMS } from "../../integrations/verify/words.mjs";
import { KEYS } from "../../scripts/lib/vectors/corruptions.mjs";
import { signerOf, smallLog } from "../../scripts/lib/vectors/log.mjs";
import {
  append,
  buildReceipt,
  checkpointText,
  exportLine,
  formatReceipt,
  genesis,
  leafHash,
  leafText,
  link,
  signNote,
  verifyCheckpointsFile,
} from "../../src/ledger/index.ts";

const log = smallLog();
const signer = signerOf(log.organization);
const run = async (...files: string[]) => {
  const shared = newRun();
  const told = [];
  for (const file of files) told.push(await verify(file, { keys: KEYS, run: shared }));
  return told.map(({ result, broken }) =>
    broken === null ? result : `${broken.code} ${broken.pointer ?? broken.line}`,
  );
};

/** Another story of session s-1, sealed by the same key. */
const other = (() => {
  const identity = { org: log.organization, session: "s-1" };
  const entry = link(genesis(identity), {
    ...identity,
    at: 1_100,
    kind: "session_opened",
    body: { agent: "agt_9" },
  });
  const leaf = leafText({ org: log.organization, chain: "session:s-1", seq: 1, hash: entry.hash, at: 1_100 });
  const { size, root } = append(0, [], [leafHash(leaf)]);
  const checkpoint = signNote(checkpointText({ origin: log.origin, size, root, prev: null, at: 1_500 }), [
    signer,
  ]);
  const receipt = buildReceipt({
    organization: log.organization,
    chain: "session:s-1",
    entry,
    disclosed: null,
    private_gone: false,
    path: [],
    leaf,
    inclusion: { index: 0, size, proof: [] },
    checkpoint,
    keys: KEYS,
    anchor: null,
  });
  return { receipt: formatReceipt(receipt), export: `${exportLine(entry)}\n` };
})();
const receipt = (seq: number, how = {}) => formatReceipt(log.receipt("s-1", seq, how));
const chain = log.lines("s-1").map((line) => `${line}\n`);

describe("files of one run", () => {
  it("that say the same hold together, in any order", async ({ expect }) => {
    const files = [receipt(1), receipt(3), chain.join(""), log.checkpoints[0]?.note ?? ""];
    expect(await run(...files)).toEqual(["holds", "holds", "holds", "holds"]);
    expect(await run(...files.toReversed())).toEqual(["holds", "holds", "holds", "holds"]);
    expect(await run(files[0] ?? "", files[0] ?? "")).toEqual(["holds", "holds"]);
  });

  it("that tell two stories of an entry, a path or a tree do not both hold", async ({ expect }) => {
    expect(await run(receipt(1), other.receipt)).toEqual(["holds", "forked /entry"]);
    expect(await run(other.receipt, receipt(1))).toEqual(["holds", "forked /entry"]);
    expect(await run(receipt(3), other.export)).toEqual(["holds", "holds"]);
    expect(await run(receipt(1), other.export)).toEqual(["holds", "forked 1"]);
    expect(await run(other.export, chain.join(""))).toEqual(["holds", "forked 1"]);
    expect(await run(chain.join(""), other.export)).toEqual(["holds", "forked 1"]);
    const [one] = log.checkpoints;
    if (one === undefined) throw new Error("no checkpoint");
    const twin = (root: string) =>
      signNote(checkpointText({ origin: log.origin, size: one.size, root, prev: null, at: one.at }), [
        signer,
      ]);
    expect(await run(one.note, twin(one.root), twin("0".repeat(64)))).toEqual(["holds", "holds", "forked "]);
    // What is broken itself says nothing of others.
    expect(await run(other.receipt.replace("agt_9", "agt_8"), receipt(1))).toEqual([
      "body-hash /entry/body",
      "holds",
    ]);
  });

  it("are not compared where nobody asks for it, nor past so many places", async ({ expect }) => {
    expect((await verify(other.receipt, { keys: KEYS })).result).toBe("holds");
    expect((await verify(receipt(1), { keys: KEYS })).result).toBe("holds");
    const shared = newRun();
    for (let i = 0; i < 200_000; i += 1) shared.facts.set(String(i), "");
    await verify(receipt(1), { keys: KEYS, run: shared });
    expect(shared.facts.size).toBe(200_000);
  });

  it("contradict each other about private text, and neither is believed", async ({ expect }) => {
    const [told, gone, apart] = [receipt(2, { disclose: true }), receipt(2, { gone: true }), receipt(2)];
    expect(await run(told, gone)).toEqual(["holds", "pending"]);
    expect(await run(gone, told)).toEqual(["holds", "pending"]);
    expect(await run(apart, gone, receipt(3, { disclose: true }))).toEqual(["holds", "holds", "holds"]);
    const shared = newRun();
    await verify(told, { keys: KEYS, run: shared });
    const { lines } = await verify(gone, { keys: KEYS, run: shared });
    expect(lines).toContainEqual({ status: "pending", text: CONTRADICTED });
    const said = lines.filter(({ text }) => text.includes("nobody can check that part again"));
    expect(said).toMatchObject([{ status: "note", text: expect.stringMatching(/^Said, and not checked: /) }]);
  });
});

describe("a file of checkpoints", () => {
  it("with more signatures than a file may have is refused before any of them is checked", async ({
    expect,
  }) => {
    const [first] = log.checkpoints;
    const line = (first?.note ?? "").split("\n\n").at(-1) ?? "";
    const note = `${first?.text}\n${line.repeat(16)}`;
    const file = (many: number) => ({
      countersign_checkpoints: 1,
      organization: log.organization,
      checkpoints: Array(many).fill(note),
      consistency: null,
      leaves: null,
      keys: KEYS,
    });
    const begun = performance.now();
    const due = { result: "broken", broken: { code: "malformed-file", pointer: "/checkpoints/12500" } };
    expect(verifyCheckpointsFile(file(12_501))).toMatchObject(due);
    expect(await verify(file(12_501))).toMatchObject(due);
    expect(performance.now() - begun).toBeLessThan(50_000);
    // At the bound, what is wrong is something else: each is the first one again.
    const next = { broken: { code: "previous-checkpoint", pointer: "/checkpoints/1" } };
    expect(verifyCheckpointsFile(file(12_500))).toMatchObject(next);
    expect(await verify(file(12_500))).toMatchObject(next);
  });
});

describe("an answer that was saved in place of a file", () => {
  it("is named, and so is a page", async ({ expect }) => {
    const problem = {
      type: "about:blank",
      title: "Not found",
      status: 404,
      code: "not-found",
      detail: "There is no such decision.",
    };
    for (const text of [JSON.stringify(problem), JSON.stringify(problem, null, 2)]) {
      const { result, lines } = await verify(text);
      expect(result).toBe("unreadable");
      expect(lines[0]?.text).toContain(
        "This is an answer of the API, saved in place of a file. It says: There is no such decision. (not-found)",
      );
    }
    for (const text of ["<!DOCTYPE html><html>", "\n <html lang=en>", '<?xml version="1.0"?>'])
      expect((await verify(text)).lines[0]?.text).toContain("This is a web page");
    // A record that happens to have such members is judged as what it is.
    const receiptToo = JSON.stringify({ countersign_receipt: 2, code: "x", detail: "y" });
    expect((await verify(receiptToo)).broken).toMatchObject({ code: "unknown-version" });
  });
});

describe("an export of everything", () => {
  const row = (kind: string, more: object) => JSON.stringify({ kind, ...more });
  const head = (more = {}) =>
    row("manifest", {
      countersign_export: 1,
      organization: log.organization,
      at: 9,
      goes_on_after: null,
      ...more,
    });
  const keyRow = row("signing_key", { key_id: "k", vkey: KEYS[0], valid_from: 0, valid_until: null });
  const checkpoints = log.checkpoints.map(({ note, size, root, at }, i) =>
    row("checkpoint", { number: i + 1, tree_size: size, root, note, at }),
  );
  const leaves = log.leaves.map((data, i) => row("leaf", { leaf_index: i, data }));
  const chains = [...log.chains.keys()].sort().map((name) => {
    const session = name === "organization" ? null : name.slice("session:".length);
    return [row("chain", { chain: name, session, after: 0 }), ...log.lines(session)];
  });
  const end = row("end", {});
  const whole = [
    head(),
    row("organization", { name: "Vectors" }),
    row("member", { member_id: "mem_1" }),
    keyRow,
    ...checkpoints,
    row("mark", { after: "x" }),
    ...leaves,
    ...chains.flat(),
    end,
  ];
  const of = (lines: string[]) => lines.map((line) => `${line}\n`).join("");
  const judged = async (lines: string[], keys: unknown[] = KEYS) => {
    const { kind, result, broken } = await verify(of(lines), { keys });
    return broken === null ? `${kind} ${result}` : `${kind} ${broken.code} ${broken.line}`;
  };
  const without = (part: string) => whole.filter((line) => !line.includes(part));
  const at = (part: string) => whole.findIndex((line) => line.includes(part)) + 1;
  const changed = (part: string, from: string | RegExp, to: string) =>
    whole.map((line) => (line.includes(part) ? line.replace(from, to) : line));

  it("holds with every chain, checkpoint and leaf in it", async ({ expect }) => {
    const told = await verify(of(whole), { keys: KEYS });
    expect(told).toMatchObject({ kind: "whole", result: "holds", sealed: true });
    const texts = told.lines.map(({ text }) => text);
    expect(texts[0]).toBe("an export of org_vectors: 9 entries of 3 chains follow one another");
    expect(texts).toContain("3 checkpoints follow from one another and are signed");
    expect(texts).toContain(CLAIMS.sealed);
    expect(await judged(whole, [])).toBe("whole pending");
    expect(await judged(whole.slice(0, -1))).toBe("whole pending");
    // What was written meanwhile: a leaf that no checkpoint in it holds, an entry, a new session.
    const later = leafText({
      org: log.organization,
      chain: "session:s-9",
      seq: 1,
      hash: "a".repeat(64),
      at: 9_000,
    });
    const last = whole.indexOf(leaves.at(-1) ?? "");
    expect(await judged(whole.toSpliced(last + 1, 0, row("leaf", { leaf_index: 6, data: later })))).toBe(
      "whole holds",
    );
  });

  it("is broken where anything of it is not what was sealed", async ({ expect }) => {
    const entry = '\\"seq\\":4';
    expect(await judged(changed(entry, "success", "failure"))).toBe(
      `whole entry-hash ${at(entry)}`.replace("entry-hash", "body-hash"),
    );
    expect(await judged(without(entry))).toBe(`whole sequence ${at(entry)}`);
    const s1 = whole.findIndex((line) => line.startsWith('{"kind":"chain","chain":"session:s-1"'));
    const size = log.lines("s-1").length;
    // Its tail, and the whole of it.
    expect(await judged(whole.toSpliced(s1 + size, 1))).toBe(`whole truncated ${s1 + size + 1}`);
    expect(await judged(whole.toSpliced(s1, size + 1))).toBe(`whole truncated ${whole.length - size}`);
    expect(await judged(whole.toSpliced(s1, 0, ...whole.slice(s1, s1 + size + 1)))).toBe(
      `whole chain ${s1 + size + 2}`,
    );
    expect(await judged(without(checkpoints[1] ?? ""))).toBe(
      `whole previous-checkpoint ${at(checkpoints[2] ?? "") - 1}`,
    );
    expect(await judged(without(leaves[2] ?? ""))).toBe(`whole tree-size ${at(leaves[2] ?? "")}`);
    expect(await judged(without(leaves.at(-1) ?? ""))).toMatch(/^whole tree-size /);
    expect(await judged(whole.filter((line) => !leaves.includes(line)))).toMatch(/^whole tree-size /);
    expect(await judged(changed(leaves[0] ?? "", /(?<=hash\\":\\")./, "f"))).toMatch(
      /^whole (root|malformed-leaf) /,
    );
    expect(await judged(whole, [{ vkey: KEYS[0], from: 0, until: 2_500 }])).toBe(
      `whole key-time ${at(checkpoints[1] ?? "")}`,
    );
    expect(await judged(without(keyRow), [])).toBe(`whole unknown-key ${at(checkpoints[0] ?? "") - 1}`);
    expect(await judged(changed("manifest", "org_vectors", "org_other"))).toBe(
      `whole origin ${at(checkpoints[0] ?? "")}`,
    );
    expect(await judged([...whole, end])).toBe(`whole malformed-line ${whole.length + 1}`);
    expect(await judged(changed('"member"', '"member_id"', "member_id"))).toBe("whole malformed-line 3");
  });

  it("holds with no line less, more or moved that proves something", async ({ expect }) => {
    const proves = (line: string) => /^\{"(hash"|kind":"(checkpoint|leaf|chain)")/.test(line);
    for (const [i, line] of whole.entries()) {
      if (!proves(line)) continue;
      // Its end nobody misses: a later checkpoint, which somebody else has, shows it.
      if (line === checkpoints.at(-1)) {
        const { result, lines } = await verify(of(whole.toSpliced(i, 1)), { keys: KEYS });
        expect(result).toBe("holds");
        expect(lines.map(({ text }) => text)).toContain(
          "2 leaves that no checkpoint in it holds were passed over",
        );
        continue;
      }
      expect(await judged(whole.toSpliced(i, 1)), `without line ${i + 1}`).not.toMatch(/holds|pending/);
      expect(await judged(whole.toSpliced(i, 0, line)), `line ${i + 1} twice`).not.toMatch(/holds|pending/);
      const next = whole[i + 1] ?? "";
      if (proves(next))
        expect(await judged(whole.toSpliced(i, 2, next, line)), `line ${i + 1} later`).not.toMatch(
          /holds|pending/,
        );
      const flipped = line.replace(/[0-9a-f](?=[^0-9a-f"\\]*"?\}?$)/, (digit) => (digit === "0" ? "1" : "0"));
      if (line.startsWith('{"hash"') && flipped !== line)
        expect(await judged(whole.with(i, flipped)), `line ${i + 1} changed`).not.toMatch(/holds|pending/);
    }
  });

  it("is told apart where it is a part, or none", async ({ expect }) => {
    const part = [head({ goes_on_after: "x" }), ...chains.flat(), end];
    expect(await judged(part)).toBe("whole pending");
    const s1 = chains.find(([line]) => line?.includes('"session:s-1"')) ?? [];
    const rest = [
      head({ goes_on_after: "x" }),
      row("chain", { chain: "session:s-1", session: "s-1", after: 3 }),
      ...s1.slice(4),
      end,
    ];
    expect(await judged(rest)).toBe("whole pending");
    expect(await judged(rest.toSpliced(2, 1))).toBe("whole sequence 3");
    expect(await judged([head({ countersign_export: 2 })])).toBe("whole unknown-version 1");
    expect((await verify(of([head({ countersign_export: 2 })]))).result).toBe("unreadable");
    expect((await verify(`{"kind":"manifest"}\n`)).result).toBe("unreadable");
    expect((await verify(`{"kind":"`)).result).toBe("unreadable");
    expect((await verify(`{"kind":"other","organization":"o","countersign_export":1}`)).result).toBe(
      "unreadable",
    );
  });

  it("of an organization without checkpoints says that nothing seals it", async ({ expect }) => {
    const bare = [head(), ...chains.flat(), end];
    const { result, sealed, text, lines } = await verify(of(bare));
    expect([result, sealed]).toEqual(["holds", false]);
    expect(text).toContain("nothing seals");
    expect(lines).toContainEqual({ status: "note", text: CLAIMS.unsealed });
    // One chain that is newer than the checkpoints, beside others that are sealed.
    const newer = smallLog();
    newer.link("s-9", { at: 9_000, kind: "session_opened", body: { agent: "agt_1" } });
    const more = [row("chain", { chain: "session:s-9", session: "s-9", after: 0 }), ...newer.lines("s-9")];
    const told = await verify(of(whole.toSpliced(-1, 0, ...more)), { keys: KEYS });
    expect([told.result, told.sealed]).toEqual(["holds", true]);
    expect(
      told.lines.some(({ text: said }) => said.startsWith("no sealed head is at hand of 1 of the chains")),
    ).toBe(true);
  });
});
