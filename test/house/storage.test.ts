import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "vitest";
import { PROJECT } from "./rooms.ts";

const read = (...path: string[]): string => readFileSync(resolve(PROJECT, ...path), "utf8");

describe("the page of what is stored", () => {
  it("names every table of D1 and of the objects", ({ expect }) => {
    const page = read("docs", "storage-schema.md");
    const migrations = readdirSync(resolve(PROJECT, "migrations"))
      .filter((name) => name.endsWith(".sql"))
      .map((name) => read("migrations", name))
      .join("\n");
    const tables = [
      ...migrations.matchAll(/CREATE (?:VIRTUAL )?TABLE `(\w+)`/g),
      ...read("src", "durable", "storage.ts").matchAll(/CREATE TABLE (\w+)/g),
    ].map(([, name]) => name ?? "");
    expect(tables.length).toBeGreaterThan(40);
    for (const name of tables) expect(page.includes(`\`${name}\``), name).toBe(true);
  });
});

describe("the page of what is kept", () => {
  it("names tests that are there", ({ expect }) => {
    const page = read("docs", "retention.md");
    const named = [...page.matchAll(/`(test\/[\w/.]+)`/g)].map(([, path]) => path ?? "");
    expect(named.length).toBeGreaterThan(2);
    for (const path of named) expect(read(path)).toContain("describe(");
  });
});
