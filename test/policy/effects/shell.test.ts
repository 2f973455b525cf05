import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { acts, shell } from "./support.ts";

/**
 * What shell commands do, as data: one row a command, in a session of user `u` whose directory is /home/u/work.
 * `reads` change nothing, `changes` do plainly, `evasions` do so in disguise, `copies` may be backups;
 * `limits` go past what is followed, `fed` hand code its text in other ways, `redefined` make programs others than their
 * names say, `unproven` leave copies that may not exist, `misread` are commands whose options or places need care.
 */
interface Row {
  readonly command: string;
  readonly risks: readonly string[];
  readonly acts: readonly string[];
  readonly opaque?: true | "unparsed";
  readonly names?: readonly string[];
  readonly backups?: readonly string[];
  readonly hosts?: readonly string[];
  readonly governance?: readonly string[];
}

function rowsOf(kind: string): Row[] {
  return JSON.parse(readFileSync(`${import.meta.dirname}/cases/shell-${kind}.json`, "utf8")) as Row[];
}

const KINDS = ["reads", "changes", "evasions", "copies", "limits", "fed", "redefined", "unproven", "misread"];

describe.each(KINDS)("%s", (kind) => {
  it.each(rowsOf(kind))("$command", (row) => {
    const effects = shell(row.command);
    expect({
      risks: effects.risks,
      acts: acts(effects),
      opaque: effects.opaque === null ? undefined : effects.opaque.unparsed ? "unparsed" : true,
      names: effects.opaque?.names,
      backups: effects.backups.map((copy) => `${copy.src} > ${copy.dest}`),
      hosts: effects.hosts,
      governance: effects.governance,
    }).toEqual({
      risks: row.risks,
      acts: row.acts,
      opaque: row.opaque,
      names: row.names,
      backups: row.backups ?? [],
      hosts: row.hosts ?? [],
      governance: row.governance ?? [],
    });
  });
});

describe("what depends on the session", () => {
  it("does not guess a directory or a home that nobody declared", () => {
    expect(acts(shell("rm a", { cwd: null }))).toEqual(["delete ?"]);
    expect(acts(shell("rm ~/a", { home: null }))).toEqual(["delete ?"]);
    expect(acts(shell("cd /srv && rm a", { cwd: null }))).toEqual(["delete /srv/a"]);
  });

  it("knows declared variables and no others", () => {
    expect(acts(shell("rm $DATA/x", { variables: { DATA: "/srv/data" } }))).toEqual(["delete /srv/data/x"]);
    expect(acts(shell("rm $DATA/x"))).toEqual(["delete ?"]);
    expect(acts(shell("rm $HERMES_HOME/x", { variables: { HERMES_HOME: "/opt/h" } }))).toEqual([
      "delete /opt/h/x",
    ]);
  });

  it("proves no copy whose source depends on a directory that may be out of date", () => {
    expect(shell("cp notes.md /tmp/notes.md").backups).toEqual([]);
    expect(shell("cp /home/u/work/notes.md /tmp/notes.md").backups).toEqual([
      { src: "/home/u/work/notes.md", dest: "/tmp/notes.md" },
    ]);
    expect(shell("cd /home/u/work && cp notes.md /tmp/notes.md").backups).toHaveLength(1);
  });
});
