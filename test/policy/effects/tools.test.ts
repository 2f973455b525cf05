import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/policy/types.ts";
import { acts, tool } from "./support.ts";

const HERMES = "/home/u/.hermes";

describe("file tools, under the names of every harness", () => {
  it.each<[string, JsonObject, string[]]>([
    ["write_file", { path: "~/a.md", content: "x" }, ["create /home/u/a.md", "modify /home/u/a.md"]],
    ["Write", { file_path: "/srv/a", content: "x" }, ["create /srv/a", "modify /srv/a"]],
    ["write", { filePath: "a", content: "x" }, ["create /home/u/work/a", "modify /home/u/work/a"]],
    ["Edit", { file_path: "/srv/a", old_string: "x", new_string: "y" }, ["modify /srv/a"]],
    ["Edit", { file_path: "/srv/a", old_string: "", new_string: "y" }, ["create /srv/a", "modify /srv/a"]],
    ["replace", { file_path: "/srv/a", old_string: "x", new_string: "y" }, ["modify /srv/a"]],
    ["MultiEdit", { file_path: "/srv/a", edits: [{ old_string: "x", new_string: "y" }] }, ["modify /srv/a"]],
    ["NotebookEdit", { notebook_path: "/srv/n.ipynb", new_source: "x" }, ["modify /srv/n.ipynb"]],
    [
      "patch",
      { mode: "replace", path: "a.md", old_string: "x", new_string: "y" },
      ["modify /home/u/work/a.md"],
    ],
    ["delete_file", { target_file: "/srv/a" }, ["delete /srv/a/**"]],
    [
      "move_file",
      { source: "/srv/a", destination: "/srv/b" },
      ["delete /srv/a/**", "create /srv/b", "modify /srv/b"],
    ],
    ["create_directory", { path: "/srv/d" }, ["create /srv/d"]],
    [
      "str_replace_based_edit_tool",
      { command: "create", path: "/srv/a" },
      ["create /srv/a", "modify /srv/a"],
    ],
    ["str_replace_based_edit_tool", { command: "view", path: "/srv/a" }, []],
    ["mcp__fs__write_file", { path: "/srv/a", content: "" }, ["create /srv/a", "modify /srv/a"]],
    ["mcp_file_system_write_file", { path: "/srv/a", content: "" }, ["create /srv/a", "modify /srv/a"]],
    ["mcp__fs__delete_file", { path: "~/.hermes/SOUL.md" }, [`delete ${HERMES}/SOUL.md/**`]],
    ["mcp__drive__delete_file", { fileId: "abc" }, []],
    ["read_file", { path: "/srv/a" }, []],
    ["Read", { file_path: "/srv/a" }, []],
    ["text_to_speech", { text: "hi", output_path: "/srv/a.mp3" }, ["create /srv/a.mp3", "modify /srv/a.mp3"]],
  ])("%s %j", (name, args, expected) => {
    const effects = tool(name, args);
    expect(acts(effects).sort()).toEqual([...expected].sort());
    expect(effects.unreadable).toEqual([]);
    expect(effects.opaque).toBeNull();
  });

  it("takes a star in a path argument for a star", () => {
    expect(acts(tool("write_file", { path: "/srv/*.md", content: "" }))).toContain("modify /srv/\\*.md");
  });

  it("reads a variable both ways, since tools differ", () => {
    expect(acts(tool("write_file", { path: "$HERMES_HOME/x", content: "" }))).toEqual(
      expect.arrayContaining([`modify ${HERMES}/x`, "modify /home/u/work/$HERMES_HOME/x"]),
    );
    expect(acts(tool("Edit", { file_path: "$SOMEWHERE/x", old_string: "a", new_string: "b" }))).toContain(
      "modify ?",
    );
  });
});

describe("arguments that no two readers read alike", () => {
  it.each<[JsonObject, string, string]>([
    [{ content: "x" }, "/path", "missing"],
    [{ path: 7, content: "x" }, "/path", "not-text"],
    [{ path: "", content: "x" }, "/path", "empty"],
    [{ path: "a\u0000b", content: "x" }, "/path", "nul"],
    [{ path: "a\u202eb", content: "x" }, "/path", "bidi"],
    [{ path: "a\nb", content: "x" }, "/path", "control"],
    [{ path: "a\u200bb", content: "x" }, "/path", "control"],
    [{ path: "a\ud800", content: "x" }, "/path", "surrogate"],
    [{ path: "a/".repeat(3000), content: "x" }, "/path", "too-long"],
  ])("%j", (args, pointer, cause) => {
    const effects = tool("write_file", args);
    expect(effects.unreadable).toEqual([{ pointer, cause }]);
    expect(acts(effects)).toEqual(["create ?", "modify ?"]);
  });

  it("points into bridges and lists", () => {
    const calls = [{ name: "write_file", arguments: { path: "a\u0000", content: "" } }];
    expect(tool("tool_call", { calls }).unreadable).toEqual([
      { pointer: "/calls/0/arguments/path", cause: "nul" },
    ]);
    expect(tool("terminal", { command: 7 }).unreadable).toEqual([{ pointer: "/command", cause: "not-text" }]);
    expect(tool("terminal", {}).unreadable).toEqual([{ pointer: "/command", cause: "missing" }]);
  });
});

describe("patches", () => {
  const patch = (...lines: string[]) => tool("patch", { mode: "patch", patch: lines.join("\n") });

  it("says what happens to each file", () => {
    const effects = patch(
      "*** Begin Patch",
      "*** Update File: a.md",
      "@@ heading",
      "-old",
      "+*** Delete File: not-a-header",
      "*** Add File: ~/b.md",
      "+new",
      "*** Delete File: c.md",
      "*** Move File: d.md -> e.md",
      "*** End Patch",
    );
    expect(effects.opaque).toBeNull();
    expect(acts(effects)).toEqual([
      "create /home/u/b.md",
      "modify /home/u/b.md",
      "modify /home/u/work/a.md",
      "delete /home/u/work/c.md",
      "delete /home/u/work/d.md",
      "create /home/u/work/e.md",
      "modify /home/u/work/e.md",
    ]);
  });

  it("reads Codex' way of moving", () => {
    const effects = tool("apply_patch", {
      input: "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch",
    });
    expect(acts(effects)).toEqual([
      "delete /home/u/work/a",
      "modify /home/u/work/a",
      "create /home/u/work/b",
      "modify /home/u/work/b",
    ]);
  });

  it.each([
    ["a header that only some readers see", "*** Update File: a\n  *** Delete File: ~/.hermes/SOUL.md"],
    ["another case", "*** Update File: a\n*** delete file: ~/.hermes/SOUL.md"],
    ["a header after the end", "*** Update File: a\n*** End Patch\n*** Delete File: ~/.hermes/SOUL.md"],
    ["text before the first header", "rm ~/.hermes/SOUL.md\n*** Update File: a"],
    ["another format", "--- a/x\n+++ /home/u/.hermes/SOUL.md\n"],
    ["nothing", ""],
  ])("trusts no patch with %s", (_what, text) => {
    const effects = tool("patch", { mode: "patch", patch: text });
    expect(effects.opaque?.unparsed).toBe(true);
    if (text.includes("SOUL")) {
      const known = [...acts(effects).map((act) => act.split(" ")[1]), ...(effects.opaque?.names ?? [])];
      expect(known).toContain(`${HERMES}/SOUL.md`);
    }
  });
});

describe("the agent's own memory, skills and schedules", () => {
  it.each<[string, JsonObject, string[], string[]]>([
    [
      "memory",
      { action: "add", target: "memory", content: "x" },
      [`create ${HERMES}/memories/MEMORY.md`, `modify ${HERMES}/memories/MEMORY.md`],
      ["PERSISTENT"],
    ],
    [
      "memory",
      { action: "replace", target: "user", old_text: "x", content: "y" },
      [`modify ${HERMES}/memories/USER.md`],
      ["PERSISTENT"],
    ],
    [
      "memory",
      { action: "remove", target: "memory", old_text: "x" },
      [`delete ${HERMES}/memories/MEMORY.md`, `modify ${HERMES}/memories/MEMORY.md`],
      ["DELETE", "PERSISTENT"],
    ],
    [
      "memory",
      { target: "memory", operations: [{ action: "add" }, { action: "remove" }] },
      [
        `create ${HERMES}/memories/MEMORY.md`,
        `delete ${HERMES}/memories/MEMORY.md`,
        `modify ${HERMES}/memories/MEMORY.md`,
      ],
      ["DELETE", "PERSISTENT"],
    ],
    [
      "skill_manage",
      { action: "create", name: "deploy", category: "ops", content: "x" },
      [`create ${HERMES}/skills/ops/deploy/SKILL.md`, `modify ${HERMES}/skills/ops/deploy/SKILL.md`],
      ["PERSISTENT"],
    ],
    [
      "skill_manage",
      { action: "edit", name: "deploy", content: "x" },
      [`modify ${HERMES}/skills/*/deploy/SKILL.md`, `modify ${HERMES}/skills/deploy/SKILL.md`],
      ["PERSISTENT"],
    ],
    [
      "skill_manage",
      { action: "delete", name: "deploy" },
      [`delete ${HERMES}/skills/*/deploy/**`, `delete ${HERMES}/skills/deploy/**`],
      ["DELETE", "PERSISTENT"],
    ],
    [
      "skill_manage",
      { action: "remove_file", name: "deploy", file_path: "scripts/x.sh" },
      [`delete ${HERMES}/skills/*/deploy/scripts/x.sh`, `delete ${HERMES}/skills/deploy/scripts/x.sh`],
      ["DELETE", "PERSISTENT"],
    ],
    ["cronjob", { action: "list" }, [], ["READ"]],
    ["cronjob_manage", { action: "create", prompt: "tidy up", schedule: "@daily" }, [], ["PERSISTENT"]],
  ])("%s %j", (name, args, expected, risks) => {
    const effects = tool(name, args);
    expect(acts(effects)).toEqual(expected);
    expect(effects.risks).toEqual(risks);
  });

  it("finds them where HERMES_HOME says", () => {
    const effects = tool(
      "memory",
      { action: "add", target: "user", content: "x" },
      { variables: { HERMES_HOME: "/opt/h" } },
    );
    expect(acts(effects)).toContain("modify /opt/h/memories/USER.md");
  });
});

describe("risk classes of other tools", () => {
  it.each<[string, JsonObject, string, string[]]>([
    ["terminal", { command: "ls" }, "shell", ["READ"]],
    ["Bash", { command: "ls" }, "shell", ["READ"]],
    ["run_shell_command", { command: "rm a" }, "shell", ["DELETE"]],
    ["process_manage", { action: "poll", session_id: "p" }, "process", ["READ"]],
    ["process", { action: "submit", data: "y" }, "process", ["EXECUTE"]],
    ["execute_code", { code: "1+1" }, "execute_code", ["EXECUTE"]],
    ["PowerShell", { command: "Get-ChildItem" }, "foreign_shell", ["EXECUTE"]],
    ["todo_list", { todos: [] }, "todo", ["READ"]],
    ["Task", { prompt: "look" }, "delegate_task", ["READ"]],
    ["browser_click", { ref: "@e1" }, "browser_act", ["EXTERNAL_WRITE", "NETWORK"]],
    ["browser_console", {}, "browser_console", ["READ"]],
    ["browser_console", { expression: "1" }, "browser_console", ["EXECUTE"]],
    ["send_message", { action: "list" }, "send_message", ["READ"]],
    ["send_message", { target: "telegram", message: "hi" }, "send_message", ["COMMUNICATION"]],
    ["discord_admin", { action: "list_roles" }, "discord", ["READ"]],
    ["discord_admin", { action: "delete_message" }, "discord", ["DELETE"]],
    ["spotify_library", { action: "save" }, "spotify", ["EXTERNAL_WRITE"]],
    ["ha_call_service", { domain: "light", service: "turn_on" }, "ha_call_service", ["EXTERNAL_WRITE"]],
    ["computer_use", { action: "capture" }, "computer_use", ["READ"]],
    ["computer_use", { action: "type", text: "x" }, "computer_use", ["EXECUTE"]],
    ["tool_call", { name: "terminal", arguments: { command: "ls" } }, "shell", ["READ"]],
    [
      "tool_call",
      { name: "mcp__crm__delete_contact", arguments: { id: 1 } },
      "mcp__crm__delete_contact",
      ["DELETE"],
    ],
  ])("%s %j", (name, args, canonical, risks) => {
    const effects = tool(name, args);
    expect(effects.tool).toBe(canonical);
    expect(effects.risks).toEqual(risks);
  });

  it.each<[string, JsonObject, string[]]>([
    ["get_order", {}, ["READ"]],
    ["list-customers", {}, ["READ"]],
    ["listCustomers", {}, ["READ"]],
    ["customers.export.delete", {}, ["DELETE"]],
    ["getAndWipe", {}, ["DELETE"]],
    ["find_and_send", {}, ["COMMUNICATION"]],
    ["sendEmail", { to: "a@b.example" }, ["COMMUNICATION"]],
    ["mcp__x__create_post", {}, ["COMMUNICATION"]],
    ["create_draft", {}, ["EXTERNAL_WRITE"]],
    ["create_event", { attendees: ["a@b.example"] }, ["COMMUNICATION"]],
    ["create_event", { attendees: [] }, ["EXTERNAL_WRITE"]],
    ["share_file", {}, ["SHARE"]],
    ["list_permissions", {}, ["READ"]],
    ["transfer_funds", { amount: 5 }, ["FINANCIAL"]],
    ["place_order", {}, ["FINANCIAL"]],
    ["book_room", { total: 100 }, ["FINANCIAL"]],
    ["update_contact", {}, ["EXTERNAL_WRITE"]],
    ["manage_page", { action: "get" }, ["READ"]],
    ["manage_page", { action: "delete" }, ["DELETE"]],
    ["query", { sql: "select 1" }, ["READ"]],
    ["query", { sql: "DELETE FROM t" }, ["DELETE"]],
    ["run_scan", {}, ["EXECUTE"]],
    ["x9", {}, ["UNKNOWN"]],
    ["constructor", {}, ["UNKNOWN"]],
  ])("infers %s %j", (name, args, risks) => {
    expect(tool(name, args).risks).toEqual(risks);
  });

  it("acts on paths that an unmapped tool deletes or writes", () => {
    expect(acts(tool("purgeFolder", { folder: "~/.hermes/memories" }))).toEqual([
      `delete ${HERMES}/memories/**`,
    ]);
    expect(acts(tool("rename_thing", { from: "/srv/a", to: "/srv/b" }))).toEqual([
      "delete /srv/a/**",
      "create /srv/b",
      "modify /srv/b",
    ]);
    expect(acts(tool("mcp__github__create_or_update_file", { owner: "o", repo: "r", path: "a.md" }))).toEqual(
      [],
    );
    expect(acts(tool("upload_file", { path: "/srv/a" }))).toEqual([]);
  });

  it("names what an unknown tool is given", () => {
    const effects = tool("frobnicate", { where: "~/.hermes/memories", deep: [{ at: "/srv/x" }] });
    expect(effects.opaque?.names).toEqual([`${HERMES}/memories`, "/srv/x"]);
  });
});

describe("shell tools", () => {
  it("starts where the call says", () => {
    expect(acts(tool("terminal", { command: "rm x", workdir: "~/.hermes" }))).toEqual([`delete ${HERMES}/x`]);
    expect(acts(tool("terminal", { command: "rm x", workdir: "sub" }))).toEqual([
      "delete /home/u/work/sub/x",
    ]);
  });

  it("reads a list of words without a shell between", () => {
    expect(acts(tool("shell", { command: ["rm", "a;b", "*"] }))).toEqual([
      "delete /home/u/work/\\*",
      "delete /home/u/work/a;b",
    ]);
    expect(acts(tool("shell", { command: ["bash", "-c", "rm a; rm b"] }))).toEqual([
      "delete /home/u/work/a",
      "delete /home/u/work/b",
    ]);
  });

  it("names Windows paths in shells that it does not read", () => {
    const effects = tool(
      "PowerShell",
      { command: "Remove-Item -Recurse C:\\Users\\U\\.hermes, $env:USERPROFILE\\x" },
      { os: "windows", home: "C:\\Users\\U", cwd: "C:\\w" },
    );
    expect(effects.opaque?.unparsed).toBe(true);
    expect(effects.opaque?.names).toEqual(expect.arrayContaining(["/c:/Users/U/.hermes", "/c:/Users/U/x"]));
  });
});
