import { describe, it } from "vitest";
import { blocksOf } from "../../src/routes/docs-ledger/markdown.tsx";
import { LEDGER } from "../../src/routes/verify/served.ts";
import { send } from "../support/api.ts";
import { open } from "./support.ts";

/** Text of a page as it is read: markup dropped, escapes undone, white space even. */
const readable = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

describe("/verify", () => {
  it("is for everybody, may load its own files alone, and says how without a script", async ({ expect }) => {
    const page = await open("/verify");
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("connect-src 'none'");
    expect(policy).toContain("form-action 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("worker-src 'none'");
    // Nothing of ours but the files of this page, each by its whole path.
    expect(policy).not.toMatch(/unsafe|\*|'self'/);
    const named = policy.match(/https?:[^ ;]+/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    for (const source of named) {
      expect(source).toMatch(/^https?:\/\/[^/]+\/(assets\/|favicon\.svg$)[^?]*$/);
      expect((await send(new URL(source).pathname)).status, source).toBe(200);
    }
    expect(page.text).not.toContain("<form");
    expect(page.text).toContain("This page needs a script");
    expect(page.text).toContain("npm run -s verify");
    // Other pages keep their own policy.
    expect((await open("/docs")).headers.get("content-security-policy")).toContain("connect-src 'self'");
  });

  it("serves the verifier unchanged, and each script that it imports", async ({ expect }) => {
    const page = await open("/verify");
    const [, first = ""] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? [];
    const open_ = [first];
    const seen = new Set<string>();
    for (let path = open_.pop(); path !== undefined; path = open_.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = await send(path);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/javascript; charset=utf-8",
      ]);
      for (const [, target = ""] of answer.text.matchAll(/from "([^"]+)"/g))
        open_.push(new URL(target, `https://host${path}`).pathname);
    }
    const names = [...seen].map((path) => path.slice(path.lastIndexOf("/") + 1)).sort();
    expect(names).toEqual([
      "anchor.mjs",
      "forms.mjs",
      "hashed.mjs",
      "hashes.mjs",
      "header.mjs",
      "judge.mjs",
      "lines.mjs",
      "page.mjs",
      "proofs.mjs",
      "run.mjs",
      "signed.mjs",
      "sources.mjs",
      "verify.mjs",
      "whole.mjs",
      "words.mjs",
    ]);
    for (const path of ["/docs/ledger.md", "/constructor", "/../app.ts", "/package.json"])
      expect((await send(first.replace("/src/routes/verify/page.mjs", path))).status).toBe(404);
    expect((await send(first.replace(/verify\/[0-9a-f]+\//, "verify/old/"))).status).toBe(404);
  });

  it("is linked from the reference and from the foot of pages", async ({ expect }) => {
    const { text } = await open("/docs");
    expect(text.split('href="/verify"').length).toBeGreaterThan(2);
    expect(text).toContain('href="/docs/ledger"');
    expect((await open("/sign-in")).text).toContain('href="/verify"');
  });
});

describe("/docs/ledger", () => {
  it("shows every line of docs/ledger.md, and no other", async ({ expect }) => {
    const page = await open("/docs/ledger");
    expect(page.status).toBe(200);
    const shown = readable(page.text);
    for (const line of LEDGER.split("\n")) {
      const bare = line
        .replace(/^(#+|>|-|\d+\.) /, "")
        .replaceAll("`", "")
        .replace(/\s+/g, " ")
        .trim();
      if (bare === "" || line.startsWith("|") || line.startsWith("```")) continue;
      expect(shown).toContain(bare);
    }
    for (const cell of ["SHA-1, RIPEMD-160, SHA-256, Keccak-256", "12,000,000,000,000"])
      expect(page.text).toContain(`<td>${cell}</td>`);
    const ids = [...page.text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size, "every anchor is one place").toBe(ids.length);
    for (const [, target] of page.text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it("takes markup for text, and ends with any input", async ({ expect }) => {
    expect(blocksOf("<script>x</script>\n#### a\n##### b")).toEqual([
      { kind: "paragraph", text: "<script>x</script>" },
      { kind: "heading", level: 4, text: "a", id: "a" },
      { kind: "paragraph", text: "##### b" },
    ]);
    for (const text of [
      "```",
      "|",
      "> ",
      "- ",
      "1. ",
      "# ",
      "#### ",
      "\n\n",
      "|a\n|-\n",
      "main\n## Main\n## Main",
    ])
      expect(blocksOf(text).length).toBeGreaterThanOrEqual(0);
    expect(blocksOf("## Main\n## Main").map((one) => one.kind === "heading" && one.id)).toEqual([
      "main-2",
      "main-3",
    ]);
  });
});
