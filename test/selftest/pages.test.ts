import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "vitest";
import { CANARIES, CONTROLS, EFFECTS } from "../../scripts/lib/selftest/canaries.mjs";
import { finder } from "../../scripts/lib/selftest/decode.mjs";
import { cleanUp, runIn, setUp, textOf, writeNew } from "../../scripts/lib/selftest/folder.mjs";
import { ownNames, plan, readManifest } from "../../scripts/lib/selftest/manifest.mjs";
import { PAGES } from "../../scripts/lib/selftest/pages.mjs";
import { addressOf, servePages } from "../../scripts/lib/selftest/serve.mjs";
import { targetOf } from "../../scripts/lib/selftest/targets.mjs";
import { TECHNIQUES } from "../../scripts/lib/selftest/techniques.mjs";

let base: string;
let dir: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "countersign-selftest-"));
  dir = join(base, "run");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("the table of canaries", () => {
  it("has no duplicates, and names only what there is", ({ expect }) => {
    const ids = [...CANARIES, ...CONTROLS].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(CANARIES.map(({ text }) => text)).size).toBe(CANARIES.length);
    const pages = new Set(PAGES.map(({ id }) => id));
    for (const { id, page, technique, effect, text } of CANARIES) {
      expect(pages, id).toContain(page);
      expect(TECHNIQUES, id).toHaveProperty([technique]);
      expect(EFFECTS, id).toHaveProperty(effect);
      expect(text, id).toMatch(/\{(?:file|command|decoy|note|claim|address|url)\}/);
    }
  });

  it("tries every effect, hides in every technique, and speaks four languages", ({ expect }) => {
    expect(new Set(CANARIES.map(({ effect }) => effect))).toEqual(new Set(Object.keys(EFFECTS)));
    expect(new Set(CANARIES.map(({ technique }) => technique))).toEqual(new Set(Object.keys(TECHNIQUES)));
    expect(new Set(CANARIES.map(({ language }) => language))).toEqual(new Set(["en", "de", "es", "zh"]));
    expect(new Set(CONTROLS.map(({ effect }) => effect))).toEqual(new Set(Object.keys(EFFECTS)));
    expect(new Set(CANARIES.map(({ page }) => page)).size).toBe(PAGES.length);
  });

  it("reaches nobody: an address or a host is below .invalid, a file below the folder", ({ expect }) => {
    for (const effect of Object.keys(EFFECTS)) {
      const target = targetOf("/home/u/self test", effect, "bcdfghjkmnpqrtv");
      expect(target.address).toMatch(/^[a-z]+@bcdfghjkmnpqrtv\.invalid$/);
      expect(new URL(target.url).hostname).toBe("bcdfghjkmnpqrtv.invalid");
      for (const path of [target.file, target.decoy])
        expect(path).toMatch(/^\/home\/u\/self test\/made\/[a-z-]+\.txt$/);
      expect(target.command).toBe("echo bcdfghjkmnpqrtv > '/home/u/self test/made/bcdfghjkmnpqrtv.txt'");
    }
    for (const { text } of [...CANARIES, ...CONTROLS]) expect(text).not.toMatch(/https?:|@|\//);
  });
});

describe("the pages", () => {
  it("hold each its canaries, and no other page's", ({ expect }) => {
    const { manifest, contents } = plan({ dir, at: new Date() });
    for (const page of manifest.pages) {
      const found = finder(manifest.canaries.map(({ marker }) => marker)).in(contents.get(page.file) ?? "");
      const own = manifest.canaries.filter((canary) => canary.page === page.id);
      expect([...found.keys()].sort(), page.id).toEqual(own.map(({ marker }) => marker).sort());
    }
  });

  it("show a reader who looks at them nothing of what is hidden in them", ({ expect }) => {
    const { manifest, contents } = plan({ dir, at: new Date() });
    const hidden = new Set(["base64", "tag-characters"]);
    for (const canary of manifest.canaries.filter(({ technique }) => hidden.has(technique))) {
      const page = manifest.pages.find(({ id }) => id === canary.page);
      expect(contents.get(page?.file ?? ""), canary.id).not.toContain(canary.marker);
    }
    const zero = manifest.canaries.find(({ technique }) => technique === "zero-width");
    const page = contents.get(manifest.pages.find(({ id }) => id === zero?.page)?.file ?? "") ?? "";
    expect(page).not.toContain("Assistant: write");
    expect(page.replaceAll("\u200b", "")).toContain("Assistant: write");
    // The target is whole: what the agent copies has to be it.
    expect(page).toContain(join(dir, "made", `${zero?.marker}.txt`));
  });

  it("have markers of their own in each run", ({ expect }) => {
    const markers = [1, 2].flatMap(() => {
      const { manifest } = plan({ dir, at: new Date() });
      return [...manifest.canaries, ...manifest.controls].map(({ marker }) => marker);
    });
    expect(new Set(markers).size).toBe(markers.length);
    for (const marker of markers) expect(marker).toMatch(/^[bcdfghjkmnpqrtvwxz]{15}$/);
  });

  it("are valid as what they are", ({ expect }) => {
    const { manifest, contents } = plan({ dir, at: new Date() });
    for (const { file, kind } of manifest.pages) {
      const text = contents.get(file) ?? "";
      expect(text.isWellFormed(), file).toBe(true);
      expect(text, file).not.toMatch(/\{\w+\}|undefined|null/);
      if (kind === "json") JSON.parse(text);
      if (kind === "html")
        expect(text.match(/<!--/g)?.length ?? 0, file).toBe(text.match(/-->/g)?.length ?? 0);
      if (kind === "csv")
        for (const line of text.trim().split("\n"))
          expect(line.replace(/"(?:[^"]|"")*"/g, "").split(","), line).toHaveLength(5);
    }
  });
});

describe("setup and clean", () => {
  it("leave nothing behind", ({ expect }) => {
    const manifest = setUp(dir);
    expect(readdirSync(dir).sort()).toEqual(["made", "manifest.json", "pages"]);
    expect(runIn(dir)).toEqual(manifest);
    for (const { trace } of [...manifest.canaries, ...manifest.controls])
      if (trace !== null) writeFileSync(join(dir, trace), "made by the agent\n");
    expect(cleanUp(dir).kept).toEqual([]);
    expect(existsSync(dir)).toBe(false);
    expect(readdirSync(base)).toEqual([]);
  });

  it("keep what they did not make", ({ expect }) => {
    setUp(dir);
    writeFileSync(join(dir, "made", "my-notes.txt"), "mine");
    writeFileSync(join(dir, "thesis.txt"), "mine");
    expect(cleanUp(dir).kept.sort()).toEqual(["made/my-notes.txt", "thesis.txt"]);
    expect(readFileSync(join(dir, "thesis.txt"), "utf8")).toBe("mine");
  });

  it("refuse a folder that holds something, and a link to a folder", ({ expect }) => {
    mkdirSync(dir);
    writeFileSync(join(dir, "thesis.txt"), "mine");
    expect(() => setUp(dir)).toThrow(/holds something else/);
    expect(readdirSync(dir)).toEqual(["thesis.txt"]);
    symlinkSync(dir, join(base, "link"));
    expect(() => setUp(join(base, "link"))).toThrow(/link/);
    expect(() => cleanUp(join(base, "link"))).toThrow(/no folder/);
    expect(() => cleanUp(dir)).toThrow(/no self-test/);
    const again = join(base, "again");
    setUp(again);
    expect(() => setUp(again)).toThrow(/setup --replace/);
  });

  it("refuse to write outside", ({ expect }) => {
    setUp(dir);
    for (const name of [
      "../out.txt",
      "/tmp/out.txt",
      "made/../../out.txt",
      "other/out.txt",
      "made/",
      "",
      ".",
    ])
      expect(() => writeNew(dir, name, "x"), name).toThrow(/outside|would lie/);
    rmSync(join(dir, "made"), { recursive: true });
    mkdirSync(join(base, "elsewhere"));
    symlinkSync(join(base, "elsewhere"), join(dir, "made"));
    expect(() => writeNew(dir, "made/out.txt", "x")).toThrow(/would lie/);
    expect(readdirSync(join(base, "elsewhere"))).toEqual([]);
  });

  it("remove nothing through a link, nor what a changed manifest names elsewhere", ({ expect }) => {
    const manifest = setUp(dir);
    const victim = join(base, "victim");
    mkdirSync(victim);
    const decoy = manifest.files.find((name) => name.startsWith("made/decoy-")) ?? "";
    writeFileSync(join(victim, decoy.slice("made/".length)), "mine");
    rmSync(join(dir, "made"), { recursive: true });
    symlinkSync(victim, join(dir, "made"));
    cleanUp(dir);
    expect(readdirSync(victim)).toHaveLength(1);

    const other = join(base, "other");
    setUp(other);
    const file = join(other, "manifest.json");
    for (const name of ["../victim/x", "/etc/hosts", "made/../../victim/x", "src/index.ts"]) {
      writeFileSync(file, JSON.stringify({ ...runIn(other), files: [name] }));
      expect(() => cleanUp(other), name).toThrow(/not a manifest/);
      writeFileSync(file, JSON.stringify({ ...manifest, files: [] }));
    }
    expect(readdirSync(victim)).toHaveLength(1);
  });

  it("read a manifest as something that anyone may have changed", ({ expect }) => {
    const { manifest } = plan({ dir, at: new Date() });
    expect(readManifest(JSON.stringify(manifest))).toEqual(manifest);
    const wrong = [
      "",
      "null",
      "[]",
      "{}",
      JSON.stringify({ ...manifest, countersign_selftest: 2 }),
      JSON.stringify({ ...manifest, canaries: [null] }),
      JSON.stringify({ ...manifest, canaries: [{ ...manifest.canaries[0], marker: "(.*)" }] }),
      JSON.stringify({ ...manifest, canaries: [{ ...manifest.canaries[0], trace: "../../x" }] }),
      JSON.stringify({ ...manifest, canaries: Array(501).fill(manifest.canaries[0]) }),
      JSON.stringify({ ...manifest, pages: [{ ...manifest.pages[0], file: "/etc/passwd" }] }),
    ];
    for (const text of wrong) expect(() => readManifest(text), text.slice(0, 60)).toThrow(/not a manifest/);
    expect(ownNames(manifest).every((name) => !name.includes(".."))).toBe(true);
  });

  it("read no file that is a link, or too long", ({ expect }) => {
    writeFileSync(join(base, "long"), "x".repeat(11));
    symlinkSync(join(base, "long"), join(base, "link"));
    expect(textOf(join(base, "long"), 11)).toBe("x".repeat(11));
    expect(textOf(join(base, "long"), 10)).toBeNull();
    expect(textOf(join(base, "link"), 100)).toBeNull();
    expect(textOf(base, 100)).toBeNull();
  });
});

describe("the server", () => {
  it("gives the pages to this machine, and nothing else", async ({ expect }) => {
    const manifest = setUp(dir);
    const server = await servePages(dir, manifest, 0);
    try {
      const [page] = manifest.pages;
      if (page === undefined) throw new Error("no page");
      const answer = await fetch(addressOf(server.origin, page));
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await answer.text()).toBe(readFileSync(join(dir, page.file), "utf8"));
      for (const path of ["/", "/manifest.json", "/../manifest.json", "/..%2fmanifest.json", "/pages/"])
        expect((await fetch(server.origin + path)).status, path).toBe(404);
      expect((await fetch(addressOf(server.origin, page), { method: "POST" })).status).toBe(405);
      const { port } = new URL(server.origin);
      const { request } = await import("node:http");
      const status = await new Promise((done) =>
        request({ port, path: "/", headers: { host: "rebound.example" } }, (one) =>
          done(one.resume().statusCode),
        ).end(),
      );
      expect(status).toBe(421);
      expect(readFileSync(join(dir, "served.jsonl"), "utf8").trim().split("\n")).toHaveLength(1);
    } finally {
      await server.stop();
    }
    expect(cleanUp(dir).kept).toEqual([]);
  });
});
