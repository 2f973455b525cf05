/** What the rows of corruptions are made of and with. */
import {
  bodyHash,
  checkpointText,
  entryHash,
  exportLine,
  formatVerifierKey,
  genesis,
  link,
  parseCheckpoint,
  signNote,
} from "../../../src/ledger/index.ts";
import { signerOf, smallLog } from "./log.mjs";

export const ROOT = "s-1";
export const log = smallLog();
export const signer = signerOf(log.organization);
export const thief = signerOf(log.organization, 9);
export const keys = [formatVerifierKey(signer.key)];
export const HEADS = log.leaves.map((leaf) => JSON.parse(leaf));

export const text = (lines) => lines.map((line) => `${line}\n`).join("");
export const plain = log.lines(ROOT);
export const told = log.lines(ROOT, true);
export const entriesOf = (of, root = ROOT) =>
  of.chains.get(root === null ? "organization" : `session:${root}`) ?? [];

/** A line whose every hash holds, over texts that were put together by hand. */
export function forged(line, { entry = (one) => one, body = (one) => one }) {
  const stored = JSON.parse(line);
  const bodyText = body(stored.body);
  const bound = stored.entry.replace(/("body_hash":")[0-9a-f]{64}/, `$1${bodyHash(bodyText)}`);
  const entryText = entry(bound);
  return exportLine({ hash: entryHash(entryText), entry: entryText, body: bodyText });
}

/** The chain made again from entry `from` on, with changes to that entry: every hash and link of it holds. */
export function relinked(from, changes, of = log, root = ROOT) {
  const organization = of.organization;
  let head = genesis({ org: organization, session: root });
  return entriesOf(of, root).map((stored, i) => {
    const entry = JSON.parse(stored.entry);
    const what = {
      org: entry.org,
      session: entry.session,
      at: entry.at,
      kind: entry.kind,
      body: JSON.parse(stored.body),
    };
    const next = link(head, i + 1 === from ? { ...what, ...changes } : what);
    head = next;
    return exportLine(next);
  });
}

export const without = (list, at) => list.filter((_, i) => i !== at);
export const swapped = (list, a, b) => list.map((one, i) => (i === a ? list[b] : i === b ? list[a] : one));
export const changed = (list, at, change) => list.map((one, i) => (i === at ? change(one) : one));
export const otherDigit = (text) => (text.startsWith("0") ? `1${text.slice(1)}` : `0${text.slice(1)}`);

export const otherSession = (() => {
  const of = smallLog();
  for (let i = 0; i < 5; i += 1) of.link("s-2", { at: 5_000 + i, kind: "note", body: { n: i } });
  return of.lines("s-2");
})();
export const foreign = smallLog({ organization: "org_other" });

const bodyOf = (note) => parseCheckpoint(note.slice(0, note.lastIndexOf("\n\n") + 1));
/** A checkpoint with changes to what it says, signed. */
export const signedAs = (note, changes, by = [signer]) =>
  signNote(checkpointText({ ...bodyOf(note), ...changes }), by);
