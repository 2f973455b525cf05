import { describe, expect, it } from "vitest";
import { boundsIntersect, treeBound } from "../../../src/policy/paths/index.ts";
import type { Effects, JsonObject } from "../../../src/policy/types.ts";
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
      ["delete /srv/a/**", "create /srv/b", "modify /srv/b", "create /srv/b/a/**", "modify /srv/b/a/**"],
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
      [`create ${HERMES}/skills/ops/deploy/SKILL.md`],
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
      "create /srv/b/a/**",
      "modify /srv/b/a/**",
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

/** True when `never any: ~/sworn/**` blocks the call, by an action, a name, or because it must not be read at all. */
function blocked(effects: Effects, surface = "/home/u/sworn/**"): boolean {
  return (
    effects.unreadable.length > 0 ||
    effects.opaque?.unparsed === true ||
    effects.actions.some(({ path }) => path === "?" || boundsIntersect(surface, path)) ||
    (effects.opaque?.names ?? []).some((name) => boundsIntersect(surface, treeBound(name)))
  );
}

describe("one budget for all that one call carries", () => {
  it.each([
    ["braces", "echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}; ".repeat(300)],
    [
      "loops",
      `for i in {1..48}; do for j in {1..48}; do frob${" {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}".repeat(300)}; done; done`,
    ],
    ["words", "x ".repeat(8000)],
  ])("spends no more on 256 bridged commands than on a few: %s", (_what, command) => {
    const calls = Array.from({ length: 256 }, () => ({ name: "terminal", arguments: { command } }));
    const began = performance.now();
    const effects = tool("tool_call", { calls });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(effects.opaque?.unparsed).toBe(true);
  });

  it("still names what the unread commands hold", () => {
    const padding = { name: "terminal", arguments: { command: `: ${"x".repeat(16_000)}` } };
    const calls = [...Array(5).fill(padding), { name: "terminal", arguments: { command: "rm ~/sworn/a" } }];
    const effects = tool("tool_call", { calls });
    expect(effects.opaque?.unparsed).toBe(true);
    expect(effects.opaque?.names).toContain("/home/u/sworn/a");
  });

  it("reads a few honest commands in one call", () => {
    const calls = Array.from({ length: 20 }, (_, at) => ({
      name: "terminal",
      arguments: { command: `ls ${at}` },
    }));
    expect(tool("tool_call", { calls }).opaque).toBeNull();
  });
});

describe("patch headers that only some readers see", () => {
  it.each([
    "\u00a0",
    "\u3000",
    "\f",
    "\v",
    "\u2028",
    "\u2029",
    "\u0085",
    "\r",
    "\ufeff",
    "\u001c",
    " ",
    "\t",
  ])("%j before it", (mark) => {
    const text = `*** Begin Patch\n*** Update File: a\n@@\n x${mark}*** Delete File: /home/u/sworn/a\n*** End Patch`;
    const lone = text.replace(` x${mark}`, mark);
    for (const one of /[\f\v\r\u2028\u2029\u0085\u001c]/.test(mark) ? [text, lone] : [lone]) {
      const effects = tool("apply_patch", { input: one });
      expect(acts(effects)).toContain("delete /home/u/sworn/a");
    }
    if (mark !== "\r") expect(tool("apply_patch", { input: lone }).opaque?.unparsed ?? true).toBe(true);
  });

  it("believes carriage returns and odd spaces in content", () => {
    const input =
      "*** Begin Patch\r\n*** Update File: a\r\n@@\r\n-x\u00a0y\r\n+x\u3000y\f\r\n*** End Patch\r\n";
    expect(tool("apply_patch", { input }).opaque).toBeNull();
  });
});

describe("bridges that two readers would open differently", () => {
  it.each<[JsonObject]>([
    [{ name: "terminal", arguments: '{"command":"rm ~/sworn/a","command":"ls"}' }],
    [{ name: "terminal", arguments: '{"command":"rm a","comm\\u0061nd":"ls"}' }],
    [{ name: "read_file", tool: "write_file", arguments: { path: "/srv/a" } }],
    [{ name: "read_file", arguments: { path: "/srv/a" }, args: { path: "/srv/b" } }],
    [{ server: "a", server_name: "b", tool: "read", arguments: {} }],
    [{ name: "read_file", arguments: { path: "/srv/a" }, calls: "x" }],
  ])("%j", (args) => {
    expect(tool("tool_call", args).unreadable).not.toEqual([]);
  });

  it("accepts the same thing said twice, and arguments as JSON text", () => {
    expect(
      tool("tool_call", {
        name: "read_file",
        tool: "read_file",
        arguments: '{"path":"/srv/a"}',
      }).unreadable,
    ).toEqual([]);
  });
});

describe("where a command starts, and what it is fed", () => {
  it("refuses several directories that differ", () => {
    const command = { cmd: "rm a", workdir: "/tmp" };
    expect(tool("exec_command", { ...command, cwd: "/home/u/sworn" }).unreadable).toEqual([
      { pointer: "/cwd", cause: "ambiguous" },
    ]);
    expect(tool("exec_command", { ...command, cwd: "/tmp" }).unreadable).toEqual([]);
    for (const key of ["working_dir", "working_directory", "cwd", "workdir", "dir"])
      expect(acts(tool("exec_command", { cmd: "rm a", [key]: "/home/u/sworn" }))).toEqual([
        "delete /home/u/sworn/a",
      ]);
  });

  it("reads standard input as code where an interpreter gets it", () => {
    expect(acts(tool("terminal", { command: "bash", stdin: "rm -rf ~/sworn" }))).toEqual([
      "delete /home/u/sworn/**",
    ]);
    expect(
      blocked(tool("terminal", { command: "python3", stdin: "import os; os.remove('/home/u/sworn/a')" })),
    ).toBe(true);
    expect(tool("terminal", { command: "cat", stdin: "rm -rf ~/sworn" }).opaque).toBeNull();
  });

  it.each<[JsonObject]>([
    [{ language: "bash", code: "rm -rf sworn", cwd: "/home/u" }],
    [{ lang: "shell", code: "cd /home/u; rm -rf sworn" }],
    [{ language: "python", code: "import shutil; shutil.rmtree('sworn')", cwd: "/home/u" }],
  ])("execute_code %j", (args) => {
    expect(blocked(tool("execute_code", args))).toBe(true);
  });

  it.each([
    "Remove-Item -Recurse C:\\Users\\u\\sworn",
    "del /q C:\\Users\\u\\sworn\\a",
    "del /q %USERPROFILE%\\sworn\\a",
    "d^el C:\\Us^ers\\u\\sw^orn\\a",
    "rd /s /q ..\\sworn",
  ])("names what %s may touch on Windows", (command) => {
    const where = { os: "windows", home: "C:\\Users\\u", cwd: "C:\\Users\\u\\work" } as const;
    expect(blocked(tool("run_in_terminal", { command }, where), "/c:/Users/u/sworn/**")).toBe(true);
    expect(tool("run_in_terminal", { command: "dir" }, where).opaque?.unparsed).toBe(false);
  });
});

describe("file tools of servers, and tools that nobody knows", () => {
  const P = "/home/u/sworn/a";

  it.each<[string, JsonObject]>([
    ["mcp__fs__write_file", { path: "sworn/a" }],
    ["mcp__fs__edit_file", { path: "sworn/a" }],
    ["mcp__fs__delete_file", { path: "sworn" }],
    ["mcp__fs__move_file", { source: "sworn/a", destination: "b" }],
    ["mcp_fs_delete_file", { path: "sworn/a" }],
    ["mcp__fs__remove_stuff", { path: "sworn" }],
    ["mcp__fs__write_files", { files: [{ path: P }] }],
    ["mcp__fs__write_files", { batch: { items: [{ where: P }] } }],
    ["mcp__fs__delete_file", { path: "sworn/a", branch: "x", repo: "y" }],
    ["mcp__github__delete_file", { path: P, branch: "x" }],
    ["mcp_fs_delete_and_read", { path: P }],
    ["delete_files", { files: [{ path: "sworn/a" }] }],
    ["delete_files", { paths: `a,${P}` }],
    ["delete_files", { paths: "a, sworn/a" }],
    ["delete_files", { paths: `["b","${P}"]` }],
    ["delete_stuff", { path: "../u/sworn/a", branch: "x" }],
    ["delete_stuff", { path: "sworn", branch: "x" }],
    ["copy_and_delete", { source: P }],
    ["delete_and_upload", { path: P }],
    ["move_and_delete", { target: P }],
    ["file_update", { action: "delete", path: P }],
    ["convert", { input: "/tmp/a", output: P }],
    ["export_report", { path: P }],
    ["list_cleanup", { path: P }],
    ["format_code", { file: P }],
    ["get_data", { save_to: P }],
    ["image_generate", { prompt: "x", output_path: P }],
    ["text_to_speech", { text: "x", output_path: P }],
    ["mcp__tts__text_to_speech", { text: "x", output_path: P }],
    ["update_thing", { spec: `target=${P}` }],
    ["delete_thing", { text: P }],
    ["upload_and_purge", { data: { at: P } }],
    ["wibble", { path: "sworn" }],
    ["copy_file", { source: "/tmp/sworn", destination: "/home/u" }],
    ["mcp__fs__move_file", { source: "/tmp/sworn", destination: "/home/u" }],
    ["duplicate_item", { from: "/tmp/sworn", to: "/home/u" }],
  ])("%s %j", (name, args) => {
    expect(blocked(tool(name, args, { cwd: "/home/u" }))).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["read_notes", { path: P }],
    ["list_files", { path: "/home/u" }],
    ["mcp__fs__list_directory", { path: P }],
    ["mcp__github__create_or_update_file", { owner: "o", repo: "r", path: "sworn/a" }],
    ["mcp__github__push_files", { owner: "o", repo: "r", branch: "b", files: [{ path: "sworn/a" }] }],
    ["mcp__github__create_pull_request", { repo: "r", head: "sworn/a", base: "main", body: "x" }],
    ["mcp__mail__move_message", { id: "1", folder: "sworn" }],
    ["update_contact", { name: "a", url: "https://x.example/home/u/sworn/a" }],
    ["copy_file", { source: P, destination: "/tmp/a" }],
    ["convert", { input: P, output: "/tmp/a" }],
  ])("lets %s %j be", (name, args) => {
    expect(blocked(tool(name, args, { cwd: "/home/u" }))).toBe(false);
  });

  it("stays quick with arguments without end", () => {
    const files = Array.from({ length: 20_000 }, (_, at) => ({ path: `/srv/${at}` }));
    const began = performance.now();
    expect(tool("delete_files", { files }).opaque?.unparsed).toBe(true);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe("second names of files", () => {
  it.each([
    "/proc/self/root/home/u/sworn/a",
    "/proc/1/root/home/u/sworn/a",
    "/proc/1/cwd/a",
    "/proc/self/fd/9/a",
  ])("%s, in a path argument, a command, and code", (path) => {
    expect(blocked(tool("write_file", { path, content: "" }))).toBe(true);
    expect(blocked(tool("terminal", { command: `rm -rf ${path}` }))).toBe(true);
    expect(blocked(tool("execute_code", { code: `import os; os.remove("${path}")` }))).toBe(true);
  });

  it.each([
    "rm -rf /proc/*/root/home/u/sworn/a",
    "rm -rf /proc/s?lf/root/home/u/sworn",
    "rm /proc/$$/cwd/a",
    "cd ~; rm -rf /proc/self/cwd/sworn",
    "echo x > /dev/fd/7",
  ])("%s", (command) => {
    expect(blocked(tool("terminal", { command }))).toBe(true);
  });

  it.each(["cat /proc/self/status", "ls /proc/1/fd", "echo x > /dev/stderr", "rm -rf /tmp/proc/1/cwd"])(
    "lets %s be",
    (command) => {
      expect(blocked(tool("terminal", { command }))).toBe(false);
    },
  );
});

describe("a shell under a name that nobody knows", () => {
  it.each(["sh", "zsh", "fish", "my_tool", "subprocess", "mcp__box__do_it"])(
    "%s, and whatever is in its command",
    (name) => {
      for (const command of [
        "rm -rf ~/sworn",
        "cd ~ && rm -rf sworn",
        "RM=1 rm -rf ~/sworn",
        "ls && unlink ~/sworn/a",
      ])
        expect(blocked(tool(name, { command })), command).toBe(true);
    },
  );

  it("is no shell for having a command of one word", () => {
    expect(blocked(tool("player", { command: "pause" }))).toBe(false);
  });
});
