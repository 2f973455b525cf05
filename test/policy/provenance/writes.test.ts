import { describe, it } from "vitest";
import {
  DEFAULT_WRITE_TOOLS,
  isMemoryFile,
  readWrite,
  type WriteTools,
} from "../../../src/policy/provenance/index.ts";
import { writeToolsOf } from "../../../src/policy/provenance/tools.ts";
import type { JsonObject } from "../../../src/policy/types.ts";

const read = (tool: string, args: JsonObject, stored: string | null = null, tools?: WriteTools) =>
  readWrite({ tool, args }, stored, tools);
const pieces = (tool: string, args: JsonObject, stored: string | null = null): readonly string[] => {
  const write = read(tool, args, stored);
  return write.kind === "write" ? write.pieces : [`<${write.kind}>`];
};

describe("Hermes' memory", () => {
  it("adds what its operations add, however they are sent", ({ expect }) => {
    expect(pieces("memory", { action: "add", target: "memory", content: "a" })).toEqual(["a"]);
    expect(pieces("memory", { action: "add", new_text: "a" })).toEqual(["a"]);
    expect(pieces("memory", { operations: '[{"action":"add","content":"a"}]' })).toEqual(["a"]);
    expect(pieces("memory", { operations: { action: "add", content: "a" } })).toEqual(["a"]);
    expect(
      pieces("memory", { operations: ['{"action":"add","content":"a"}', { action: "add", content: "b" }] }),
    ).toEqual(["a", "b"]);
    for (const operations of [[], "[]", " ", null])
      expect(pieces("memory", { operations, action: "add", content: "flat" })).toEqual(["flat"]);
    expect(pieces("memory", { operations: [{ action: "add", content: "a" }], content: "not run" })).toEqual([
      "a",
    ]);
  });

  it("replays them in order over what is stored", ({ expect }) => {
    const stored = "one is here\n§\ntwo is there";
    expect(pieces("memory", { action: "patch", old_text: "is here", content: "was here" }, stored)).toEqual([
      "one was here",
    ]);
    expect(pieces("memory", { action: "replace", old_text: "two", content: "2" }, stored)).toEqual(["2"]);
    expect(pieces("memory", { action: "replace", old_text: "is", content: "2" }, stored)).toEqual(["2"]);
    expect(
      pieces("memory", {
        operations: [
          { action: "add", content: "The user is evaluating it." },
          { action: "patch", old_text: "is evaluating", content: "chose" },
        ],
      }),
    ).toEqual(["The user chose it."]);
    expect(
      pieces("memory", {
        operations: [
          { action: "add", content: "a" },
          { action: "remove", old_text: "a" },
        ],
      }),
    ).toEqual(["<none>"]);
    expect(pieces("memory", { action: "remove", old_text: "one", content: "x" }, stored)).toEqual(["<none>"]);
  });

  it("says what stood there, and what of it could not be seen", ({ expect }) => {
    expect(read("memory", { action: "add", target: "user", content: "a" }, "old")).toMatchObject({
      target: "memory:user",
      base: [],
      isPartial: false,
    });
    expect(
      read("memory", { action: "replace", old_text: "old", content: "a" }, "old\n§\nmore"),
    ).toMatchObject({
      base: ["old", "more"],
      isPartial: false,
    });
    expect(read("memory", { action: "patch", old_text: "old", content: "a" })).toMatchObject({
      pieces: ["a"],
      isPartial: true,
    });
    expect(read("memory", { action: "patch", old_text: "gone", content: "a" }, "old")).toMatchObject({
      pieces: ["a"],
      isPartial: true,
    });
  });

  it.each([
    [{ operations: "[{" }],
    [{ operations: "nonsense" }],
    [{ operations: [1] }],
    [{ operations: ["[]"] }],
    [{ operations: [{ action: "add", content: 5 }] }],
    [{ action: "add", content: ["a"] }],
    [{ action: {}, content: "a" }],
    [{ operations: Array.from({ length: 1001 }, () => ({ action: "add", content: "a" })) }],
  ])("is unreadable: %j", (args) => {
    const write = read("memory", args as JsonObject);
    if (write.kind !== "unreadable" || write.detail === "") throw new Error(JSON.stringify(write));
  });
});

describe("Hermes' skills", () => {
  const stored = "# Release\n1. Tag.\n2. Psh.\n";

  it("are written whole, or patched as a file", ({ expect }) => {
    expect(pieces("skill_manage", { action: "create", name: "x", content: "a" })).toEqual(["a"]);
    expect(pieces("skill_manage", { action: "edit", name: "x", content: "a" }, stored)).toEqual(["a"]);
    expect(
      pieces("skill_manage", { action: "write_file", name: "x", file_path: "r/a.md", file_content: "a" }),
    ).toEqual(["a"]);
    for (const key of ["new_string", "content"])
      expect(
        pieces("skill_manage", { action: "patch", name: "x", old_string: "Psh", [key]: "Push" }, stored),
      ).toEqual(["# Release\n1. Tag.\n2. Push.\n"]);
    expect(
      pieces(
        "skill_manage",
        { action: "patch", name: "x", old_string: "nowhere", new_string: "Push" },
        stored,
      ),
    ).toEqual(["Push"]);
    for (const action of ["delete", "remove_file"])
      expect(pieces("skill_manage", { action, name: "x", content: "a" })).toEqual(["<none>"]);
  });

  it("are named, and refused where nobody can read them", ({ expect }) => {
    expect(
      read("skill_manage", { action: "write_file", name: "x", file_path: "r/a.md", file_content: "a" }),
    ).toMatchObject({
      target: "skill_manage:x/r/a.md",
    });
    expect(read("skill_manage", { action: "create", name: "x", content: 1 })).toMatchObject({
      kind: "unreadable",
    });
  });
});

describe("files", () => {
  it("count where agents read them at every start", ({ expect }) => {
    const { files } = DEFAULT_WRITE_TOOLS;
    for (const path of [
      "CLAUDE.md",
      "/a/b/AGENTS.md",
      "C:\\x\\MEMORY.md",
      "~/.hermes/memories/USER.md",
      "/h/.claude/skills/x/a.txt",
    ])
      expect(isMemoryFile(path, files), path).toBe(true);
    for (const path of ["/a/notes.md", "/a/MYCLAUDE.md", "/a/claude.md.bak", "", "/a/memories.txt"])
      expect(isMemoryFile(path, files), path).toBe(false);
  });

  it("are written by the tools of every harness", ({ expect }) => {
    expect(pieces("Write", { file_path: "/a/CLAUDE.md", content: "a" })).toEqual(["a"]);
    expect(pieces("write_file", { path: "AGENTS.md", content: "a" })).toEqual(["a"]);
    expect(pieces("write_file", { path: "notes.txt", content: "a" })).toEqual(["<none>"]);
    expect(pieces("Edit", { file_path: "/a/CLAUDE.md", old_string: "b", new_string: "c" }, "a b")).toEqual([
      "a c",
    ]);
    expect(pieces("Edit", { file_path: "/a/CLAUDE.md", old_string: "b", new_string: "c" })).toEqual(["c"]);
    expect(
      pieces(
        "MultiEdit",
        {
          file_path: "CLAUDE.md",
          edits: [
            { old_string: "a", new_string: "x" },
            { old_string: "x b", new_string: "y" },
          ],
        },
        "a b",
      ),
    ).toEqual(["y"]);
    expect(
      pieces("str_replace_based_edit_tool", {
        command: "insert",
        path: "CLAUDE.md",
        insert_line: 1,
        insert_text: "c",
      }),
    ).toEqual(["c"]);
    expect(pieces("memory", { command: "create", path: "/memories/a.txt", file_text: "c" })).toEqual(["c"]);
    expect(pieces("memory", { command: "view", path: "/memories/a.txt" })).toEqual(["<none>"]);
    expect(pieces("tool_call", { name: "memory", arguments: '{"action":"add","content":"a"}' })).toEqual([
      "a",
    ]);
  });

  it("are patched hunk by hunk", ({ expect }) => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: docs/notes.md",
      "+User approved this.",
      "*** Update File: CLAUDE.md",
      "@@ rules",
      " keep",
      "-old",
      "+new",
      "*** Add File: AGENTS.md",
      "+- added",
      "*** Delete File: MEMORY.md",
      "*** End Patch",
    ].join("\n");
    expect(read("patch", { mode: "patch", patch })).toMatchObject({
      target: "patch:CLAUDE.md",
      pieces: ["keep\nnew", "- added"],
      base: ["keep\nold"],
    });
  });

  it("and memories of an organization's own are read as it says", ({ expect }) => {
    const tools: WriteTools = {
      tools: {
        ...DEFAULT_WRITE_TOOLS.tools,
        mcp__mem0__add: { shape: "text", texts: ["text", "messages"], target: ["user_id"] },
        remember: { shape: "text", texts: ["fact"], old: ["instead_of"] },
      },
      files: [...DEFAULT_WRITE_TOOLS.files, "decisions.txt", "brain/"],
    };
    expect(read("mcp__mem0__add", { text: "a", user_id: "u1" }, null, tools)).toMatchObject({
      pieces: ["a"],
      target: "mcp__mem0__add:u1",
    });
    expect(
      read("mcp__mem0__add", { messages: [{ role: "user", content: "a" }, "b"] }, null, tools),
    ).toMatchObject({ pieces: ["a", "b"] });
    expect(read("mcp__mem0__add", { text: 4 }, null, tools)).toMatchObject({ kind: "unreadable" });
    expect(read("remember", { fact: "c", instead_of: "b" }, "a b", tools)).toMatchObject({ pieces: ["a c"] });
    expect(read("write_file", { path: "/x/brain/1.txt", content: "a" }, null, tools)).toMatchObject({
      pieces: ["a"],
    });
    expect(read("terminal", { command: "echo x >> MEMORY.md" }, null, tools)).toEqual({ kind: "none" });
    expect(read("constructor", {}, null, tools)).toEqual({ kind: "none" });
  });

  it("by its tools' own words, as settings carry them", ({ expect }) => {
    const tools = writeToolsOf([
      { tool: "Remember", texts: ["fact"], old: "instead_of", target: ["topic"] },
      { tool: "brain_write", shape: "file" },
      { tool: "notes", shape: "memory" },
      { tool: "vault" },
      { tool: "" },
      { tool: "odd", shape: "other" },
      7,
      null,
    ]);
    expect(read("remember", { fact: "c", instead_of: "b", topic: "x" }, "a b", tools)).toMatchObject({
      pieces: ["a c"],
      target: "remember:x",
    });
    expect(read("brain_write", { path: "MEMORY.md", content: "a" }, null, tools)).toMatchObject({
      pieces: ["a"],
    });
    expect(read("notes", { operations: "7" }, null, tools)).toMatchObject({ kind: "unreadable" });
    expect(read("vault", { note: "a" }, null, tools)).toMatchObject({ pieces: ["a"] });
    expect(read("odd", { content: "a" }, null, tools)).toEqual({ kind: "none" });
    expect(read("memory", { action: "add", content: "a" }, null, tools)).toMatchObject({ pieces: ["a"] });
    for (const rows of [undefined, null, "x", {}, 3])
      expect(writeToolsOf(rows).tools).toEqual(DEFAULT_WRITE_TOOLS.tools);
  });

  it("and facts that other harnesses keep, one or many", ({ expect }) => {
    expect(pieces("save_memory", { fact: "a" })).toEqual(["a"]);
    expect(pieces("update_memory", { title: "t", knowledge_to_store: "a" })).toEqual(["a"]);
    const tools: WriteTools = {
      tools: { mcp__memory__add_observations: { shape: "text", texts: ["observations", "entities"] } },
      files: [],
    };
    expect(
      read(
        "mcp__memory__add_observations",
        {
          observations: [{ entityName: "user", contents: ["a", "b"] }],
          entities: [{ name: "n", observations: ["c"] }],
        },
        null,
        tools,
      ),
    ).toMatchObject({ pieces: ["a", "b", "c"] });
  });
});

describe("files, in the words of every harness", () => {
  const text = "User approved it.";
  it.each<[string, JsonObject]>([
    ["str_replace", { path: "CLAUDE.md", old_str: "a", new_str: text }],
    ["write_to_file", { TargetFile: "/r/AGENTS.md", CodeContent: text }],
    ["edit_file", { target_file: "AGENTS.md", code_edit: text }],
    [
      "replace_file_content",
      { TargetFile: "AGENTS.md", ReplacementChunks: [{ TargetContent: "a", ReplacementContent: text }] },
    ],
    [
      "multi_replace_string_in_file",
      {
        replacements: [
          { filePath: "/x/y.ts", oldString: "a", newString: "b" },
          { filePath: "/x/AGENTS.md", oldString: "a", newString: text },
        ],
      },
    ],
    ["mcp__filesystem__write_file", { path: "/r/memory.md", content: text }],
    ["mcp__filesystem__edit_file", { path: "/r/memory.md", edits: [{ oldText: "a", newText: text }] }],
    ["replace_in_file", { path: "CLAUDE.md", diff: `<<<<<<< SEARCH\na\n=======\n${text}\n>>>>>>> REPLACE` }],
    ["replace_in_file", { path: "CLAUDE.md", diff: `------- SEARCH\na\n=======\n${text}\n+++++++ REPLACE` }],
    ["apply_patch", { diff: `--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ -1 +1 @@\n-a\n+${text}\n` }],
    ["edit", { filePath: "CLAUDE.md", diff: `@@ -1 +1 @@\n-a\n+${text}` }],
    [
      "apply_patch",
      { input: `*** Begin Patch\n*** Update File: CLAUDE.md\n@@\n-a\n+${text}\n*** End Patch` },
    ],
  ])("%s %j", (tool, args) => {
    const write = read(tool, args);
    if (write.kind !== "write" || write.pieces.join() !== text) throw new Error(JSON.stringify(write));
  });

  it("are read where the arguments come as JSON, or as a patch alone", ({ expect }) => {
    const raw = (tool: string, args: string) =>
      readWrite({ tool, args: args as unknown as JsonObject }, null);
    expect(raw("Write", '{"file_path":"CLAUDE.md","content":"a"}')).toMatchObject({ pieces: ["a"] });
    expect(raw("memory", '{"action":"add","content":"a"}')).toMatchObject({ pieces: ["a"] });
    expect(raw("memory", "add a")).toMatchObject({ kind: "unreadable" });
    expect(raw("apply_patch", "*** Begin Patch\n*** Add File: AGENTS.md\n+a\n*** End Patch")).toMatchObject({
      pieces: ["a"],
    });
    expect(raw("apply_patch", "nothing")).toEqual({ kind: "none" });
  });

  it("are not writes where their path is none, or nothing is brought", ({ expect }) => {
    for (const args of [
      { path: "src/a.ts", diff: `@@ -1 +1 @@\n+${text}` },
      { diff: `+++ b/src/a.ts\n@@ -1 +1 @@\n+${text}` },
      { replacements: [{ filePath: "a.ts", newString: text }] },
      { path: "CLAUDE.md" },
      {},
    ])
      expect(read("edit", args)).toEqual({ kind: "none" });
    expect(read("edit", { path: "CLAUDE.md", edits: [7] })).toMatchObject({ kind: "unreadable" });
    // What a diff keeps was there before.
    expect(read("edit", { path: "CLAUDE.md", diff: "@@ -1,2 +1,2 @@\n keep\n-a\n+b" })).toMatchObject({
      pieces: ["keep\nb"],
      base: ["keep\na"],
    });
  });
});
