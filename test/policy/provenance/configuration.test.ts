import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  DEFAULT_PROVENANCE,
  detectClaims,
  readProvenance,
  readWrite,
} from "../../../src/policy/provenance/index.ts";

describe("an organization's settings of provenance", () => {
  it("are the defaults where they say nothing that is known", ({ expect }) => {
    const { lexicon, ...plain } = DEFAULT_PROVENANCE;
    for (const settings of [
      undefined,
      null,
      7,
      "x",
      [],
      {},
      { search: "all", scope: 3, names: "Dana", files: [4, ""] },
    ])
      expect(readProvenance(settings)).toMatchObject(plain);
    expect(readProvenance({}).lexicon).toBe(lexicon);
  });

  it("name users, files and tools of their own", ({ expect }) => {
    const { lexicon, tools, search, retention_days } = readProvenance({
      search: "profile",
      retention_days: 7,
      names: ["Dana"],
      files: ["docs\\Team-Notes.md"],
      tools: [{ tool: "mcp__brain__keep", texts: ["fact"], target: ["key"] }],
    });
    expect([search, retention_days]).toEqual(["profile", 7]);
    expect(detectClaims("Dana approved it.", { lexicon })).toHaveLength(1);
    expect(detectClaims("Dana approved it.")).toHaveLength(0);
    const args = { path: "/w/docs/team-notes.md", content: "x" };
    expect(readWrite({ tool: "write_file", args }, null, tools).kind).toBe("write");
    expect(readWrite({ tool: "write_file", args }, null).kind).toBe("none");
    expect(readWrite({ tool: "mcp__brain__keep", args: { fact: "x", key: "k" } }, null, tools)).toMatchObject(
      { kind: "write", target: "mcp__brain__keep:k", pieces: ["x"] },
    );
  });

  it("ask for preferences to be backed only where they say so", ({ expect }) => {
    const { lexicon } = readProvenance({ scope: "decisions+preferences" });
    expect(detectClaims("The user prefers tabs.", { lexicon })).toHaveLength(1);
    expect(detectClaims("The user prefers tabs.")).toHaveLength(0);
  });

  it("are read whatever they are, and nothing that an object only inherits", ({ expect }) => {
    fc.assert(
      fc.property(fc.anything(), (settings) => typeof readProvenance(settings).retention_days === "number"),
    );
    expect(readProvenance(Object.create({ search: "profile" })).search).toBe("session");
  });
});
