/** What the files of one run say of the same thing: two that contradict each other are not both right. */
import { no } from "./hashed.mjs";

/** Facts that a run keeps; of what comes after, nothing is compared. */
const MOST = 200_000;
const FORKED = "Another file that was given here says otherwise of the same place in the same record.";
export const CONTRADICTED =
  "Another file that was given here says the opposite of this entry's private text: one has it, the other says that it is not kept any more. A receipt from before a purge may well have it; that the text is gone is not shown.";

export const newRun = () => ({ facts: new Map(), texts: new Map() });

/**
 * What one file adds to a run. Nothing of a file that is broken is kept.
 * @param {ReturnType<typeof newRun> | null} run
 */
export function notesOf(run) {
  const [facts, texts] = [new Map(), new Map()];
  const state = (key, value, where) => {
    if (run === null) return;
    const before = run.facts.get(key) ?? facts.get(key);
    if (before === undefined) {
      if (run.facts.size + facts.size < MOST) facts.set(key, value);
    } else if (before !== value) no("forked", where, false, FORKED);
  };
  return {
    /** The root of a log's tree of a size. */
    root: ({ origin, size, root }, where) => state(`root ${size} ${origin}`, root, where),
    /** An entry of a chain. */
    entry: ({ org, chain, seq, hash }, where) => state(`entry ${seq} ${org}\n${chain}`, hash, where),
    /** Whether an entry's private text is told or said to be gone. @returns whether another file says the opposite */
    text: (hash, isGone) => {
      if (run === null) return false;
      const before = run.texts.get(hash);
      texts.set(hash, isGone);
      return before !== undefined && before !== isGone;
    },
    keep: () => {
      for (const [key, value] of facts) run?.facts.set(key, value);
      for (const [hash, isGone] of texts) if (run.texts.size < MOST) run.texts.set(hash, isGone);
    },
  };
}
