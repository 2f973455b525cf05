import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, it } from "vitest";
import { PROJECT, ROOMS } from "./rooms.ts";

const SRC = resolve(PROJECT, "src");

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

interface Import {
  readonly from: string;
  readonly specifier: string;
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, "utf8");
  const found: Import[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"/gms))
    found.push({ from: relative(SRC, path), specifier: match[1] ?? "" });
  for (const match of text.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]\s*\)|^import\s+"([^"]+)"/gm))
    found.push({ from: relative(SRC, path), specifier: match[1] ?? match[2] ?? "" });
  return found;
}

/** Why an import may not be there, or `null`. */
function refusal({ from, specifier }: Import): string | null {
  const room = from.split("/")[0] ?? "";
  const rule = ROOMS[room];
  if (rule === undefined) return from.includes("/") ? `no rule for the room ${room}` : null;
  if (!specifier.startsWith(".")) {
    const known = rule.packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    return known ? null : `${room} may not import the package ${specifier}`;
  }
  const target = relative(SRC, resolve(SRC, dirname(from), specifier));
  const targetRoom = (target.split("/")[0] ?? "").replace(/\.tsx?$/, "");
  if (targetRoom === room || rule.rooms.includes(targetRoom)) return null;
  if (rule.rooms.some((one) => one === target.replace("/", ":").replace(/\.tsx?$/, ""))) return null;
  return `${room} may not import ${target}`;
}

describe("the house", () => {
  it("has arrows that point one way", ({ expect }) => {
    const imports = [...files(SRC)].flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(100);
    const wrong = imports.flatMap((one) => {
      const why = refusal(one);
      return why === null ? [] : [`${one.from}: ${why}`];
    });
    expect(wrong).toEqual([]);
  });

  it("would see an arrow that points the wrong way", ({ expect }) => {
    expect(refusal({ from: "policy/decide.ts", specifier: "../durable/session.ts" })).not.toBeNull();
    expect(refusal({ from: "policy/decide.ts", specifier: "node:crypto" })).not.toBeNull();
    expect(refusal({ from: "ledger/chain.ts", specifier: "../db/schema.ts" })).not.toBeNull();
    expect(refusal({ from: "durable/family.ts", specifier: "../db/records.ts" })).not.toBeNull();
    expect(refusal({ from: "durable/session.ts", specifier: "../http/access.ts" })).not.toBeNull();
  });

  it("keeps clocks, randomness and awaiting out of the pure rooms", ({ expect }) => {
    const wrong: string[] = [];
    for (const room of ["policy", "ledger"])
      for (const path of files(join(SRC, room))) {
        // Comments and word lists may speak of what code may not do.
        const code = readFileSync(path, "utf8")
          .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
          .replace(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`/g, '""');
        for (const word of [
          /\bawait\b/,
          /\bDate\b/,
          /Math\.random/,
          /getRandomValues/,
          /\bprocess\./,
          /\bfetch\(/,
        ])
          if (word.test(code)) wrong.push(`${relative(SRC, path)}: ${word.source}`);
      }
    expect(wrong).toEqual([]);
  });

  it("awaits nothing where a session object settles and records", ({ expect }) => {
    // Only the alarm, the delivery that it makes, the family's name that goes before it and the telling speak to the world outside; they settle nothing.
    const WAITS: Record<string, readonly string[]> = {
      "durable/alarm.ts": ["ring", "#deliver", "#announce"],
      "durable/telling.ts": ["run"],
    };
    const all = [...files(join(SRC, "durable"))];
    expect(all.length).toBeGreaterThan(8);
    for (const path of all) {
      const code = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      const name = relative(SRC, path);
      const waits = WAITS[name] ?? [];
      const waiting = new RegExp(
        ` {2}async (?:${waits.join("|") || "(?!)"})\\(.*\\{$[\\s\\S]*?^ {2}\\}$`,
        "gm",
      );
      expect([...code.matchAll(waiting)], name).toHaveLength(waits.length);
      for (const one of waits.filter((one) => one.startsWith("#")))
        expect(code.split(`.${one}(`).length - 1, `${name} ${one}`).toBe(1);
      expect(code.replace(waiting, ""), name).not.toMatch(/\bawait\b|\basync\b/);
    }
  });

  it("begins every query from the organization, but for those that find a credential or whose turn it is", ({
    expect,
  }) => {
    const finders = ["readKey", "readMemberSession", "readSignInLink"];
    // For the cron alone: what they give are organizations.
    finders.push("organizationsThatMoved", "organizationsToCheck", "organizationsWithDueAnchors");
    finders.push("organizationsToRetain");
    const wrappers = ["boundedDatabase"];
    const folder = join(SRC, "db");
    const seen: string[] = [];
    for (const path of files(folder)) {
      const code = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      for (const match of code.matchAll(/export (?:async )?function (\w+)(?:<[^>]*>)?\(\s*([^)]*)/g)) {
        const [, name = "", list = ""] = match;
        const parameters = list
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== "");
        if (parameters[0] !== "db: D1Database" || [...finders, ...wrappers].includes(name)) continue;
        seen.push(name);
        expect(["organization: string", "identity: ChainIdentity"], name).toContain(parameters[1]);
      }
    }
    expect(seen.length).toBeGreaterThan(15);
    expect(seen).toContain("publishEntries");
  });

  it("only ever adds in migrations, and puts the organization first in every table", ({ expect }) => {
    const folder = resolve(SRC, "../migrations");
    const sql = readdirSync(folder)
      .filter((name) => name.endsWith(".sql"))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    expect(sql).not.toMatch(/DROP TABLE|foreign_keys|RENAME TO/i);
    const tables = [...sql.matchAll(/CREATE TABLE `(\w+)` \(\s*`(\w+)`/g)];
    expect(tables.length).toBeGreaterThan(5);
    for (const [, table, first] of tables) expect(first, table).toBe("organization_id");
  });
});
