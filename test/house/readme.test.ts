import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "vitest";
import { parseToolTable } from "../../src/policy/effects/index.ts";
import { readTurn } from "../../src/policy/fence/index.ts";
import { GUARD_MODES, MODED_ENGINES, MODES } from "../../src/policy/modes.ts";
import { bindOath, compileOath, parseOath } from "../../src/policy/oath/index.ts";
import { PROJECT, ROOMS } from "./rooms.ts";

const README = readFileSync(resolve(PROJECT, "README.md"), "utf8");

describe("the README", () => {
  it("names commands and files that are there", ({ expect }) => {
    const { scripts } = JSON.parse(readFileSync(resolve(PROJECT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const commands = [
      ...README.matchAll(/\bnpm (?:run )?(start|test|demo|bench|fuzz|judge|score|selftest|check)\b/g),
    ];
    expect(commands.length).toBeGreaterThan(4);
    for (const [, name = ""] of commands) expect(scripts, name).toHaveProperty(name);
    const places = [...README.matchAll(/`(src\/[\w./-]+)`|\]\((?!#)([\w./-]+)\)/g)];
    expect(places.length).toBeGreaterThan(8);
    for (const [, file, link] of places)
      expect(existsSync(resolve(PROJECT, file ?? link ?? "")), file ?? link).toBe(true);
  });

  it("shows an oath that can be sworn, and the line that its decision cites", ({ expect }) => {
    const text = /```\n(# one line, one rule[\s\S]*?)```/.exec(README)?.[1] ?? "";
    const parsed = parseOath(text);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
    const environment = { home: "/home/u", cwd: null, variables: {}, os: "linux" } as const;
    const { lines } = bindOath(compileOath(parsed.oath, "organization", 1), environment);
    expect(lines.every((line) => line.missing === null && line.surface !== null)).toBe(true);
    const shown = JSON.parse(`{${/"cite": \{.*\}/.exec(README)?.[0] ?? ""}}`) as { cite: { line: number } };
    expect(lines.map((line) => line.cite)).toContainEqual(shown.cite);
  });

  it("shows what a person's words allow as they are read, and a tool table that can be saved", ({
    expect,
  }) => {
    const [, words = ""] = /```\n"(Read the report[^\n]*)"\n/.exec(README) ?? [];
    const { permissions, prohibitions } = readTurn(words);
    for (const { quote } of [...permissions, ...prohibitions]) expect(README).toContain(`by "${quote}"`);
    expect([permissions.length, prohibitions.length]).toEqual([1, 1]);
    const table = /```json\n(\{ "tools"[\s\S]*?)```/.exec(README)?.[1] ?? "";
    expect(parseToolTable(JSON.parse(table))).toMatchObject({ ok: true });
  });

  it("names every mode, and what each room may import", ({ expect }) => {
    const row = (name: string) => README.split("\n").find((line) => line.startsWith(`| \`${name}\``)) ?? "";
    for (const engine of MODED_ENGINES) expect(row("engines.oath")).toContain(`\`engines.${engine}\``);
    for (const mode of MODES) expect(row("engines.oath")).toContain(`\`${mode}\``);
    for (const mode of GUARD_MODES) expect(row("guard_mode")).toContain(`\`${mode}\``);
    for (const [room, { rooms }] of Object.entries(ROOMS)) {
      const may = row(`src/${room}`).split("|").at(-2)?.trim() ?? "";
      if (may === "all of the above") continue;
      const named = [...may.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      const folders = rooms.map((one) => one.split(":")[0] ?? "").filter((one) => one in ROOMS);
      expect(named.sort(), room).toEqual(folders.sort());
    }
  });
});
