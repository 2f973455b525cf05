import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boundCovers } from "../../../src/policy/paths/index.ts";
import { shell } from "./support.ts";

/**
 * The labelled cases lie beside the repository, where there are any; the figures come from their own scorer.
 * Here only what must never happen is held: nothing dangerous missed, nothing harmless flagged, no false evidence.
 */
const file = `${import.meta.dirname}/../../../../shared/corpora/shell/cases.jsonl`;

interface Labelled {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly home: string;
  readonly exit_code?: number;
  readonly source_kind: string;
  readonly expect: {
    readonly actions: readonly {
      readonly verb: string;
      readonly path: string;
      readonly alt?: string | readonly string[];
    }[];
    readonly opaque: boolean;
    readonly backup_evidence: readonly { readonly src: string }[];
  };
}

describe.runIf(existsSync(file))("labelled shell cases", () => {
  const cases = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Labelled)
    : [];
  const plain = (path: string): string => path.replace(/\/\*\*$/, "");
  const write = (verb: string): string => (verb === "delete" ? verb : "write");

  it("misses nothing, flags nothing harmless, believes no copy that was not made", () => {
    const wrong: string[] = [];
    for (const one of cases) {
      const effects = shell(one.command, { home: one.home, cwd: one.cwd });
      const missing = one.expect.actions.filter(
        (want) =>
          want.path !== "?" &&
          !effects.actions.some(
            (got) =>
              write(got.verb) === write(want.verb) &&
              [want.path, ...[want.alt ?? []].flat()].some(
                (path) => boundCovers(got.path, path) || plain(got.path) === plain(path),
              ),
          ),
      );
      const unknowable =
        one.expect.opaque &&
        (one.expect.actions.length === 0 || one.expect.actions.some((a) => a.path === "?"));
      if (effects.opaque === null && (missing.length || unknowable)) wrong.push(`${one.id} missed`);
      if (one.source_kind === "benign" && (effects.actions.length || effects.opaque))
        wrong.push(`${one.id} flagged`);
      const proven = (one.exit_code ?? 0) === 0 ? effects.backups : [];
      const labelled = one.expect.backup_evidence.map((copy) => plain(copy.src));
      if (proven.some((copy) => !labelled.includes(plain(copy.src)))) wrong.push(`${one.id} false evidence`);
    }
    expect(wrong).toEqual([]);
  });
});
