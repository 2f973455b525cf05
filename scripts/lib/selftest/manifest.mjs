/**
 * What one set-up wrote: pages, canaries with their markers, controls and prompts. Made here, and read back as something
 * that anyone may have changed meanwhile.
 */
import { Complaint } from "../say.mjs";
import { CANARIES, CONTROLS, EFFECTS } from "./canaries.mjs";
import { PAGES } from "./pages.mjs";
import { filled, newMarker, newRun, targetOf, traceOf } from "./targets.mjs";
import { TECHNIQUES } from "./techniques.mjs";

export const MANIFEST = "manifest.json";
export const SERVED = "served.jsonl";
export const PAGES_FOLDER = "pages";
export const VERSION = 1;
export const MAX_MANIFEST_BYTES = 1_000_000;

/** A file of the folder: at the top, or one folder down. */
const NAME = /^(?:(?:pages|made)\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const MARKER = /^[a-z]{12,40}$/;
const MAX_ROWS = 500;

/**
 * @param {{dir: string, at: Date, pick?: () => number}} where `pick` makes markers again in a test
 * @returns {{manifest: Manifest, contents: Map<string, string>}} what to write, each file by its name in the folder
 */
export function plan({ dir, at, pick }) {
  const run = newRun(pick);
  const contents = new Map();
  const tag = (name) => name.replace(/(\.\w+)$/, `-${run}$1`);
  const marked = ({ id, effect, ...rest }) => {
    const marker = newMarker(pick);
    const target = targetOf(dir, effect, marker, rest.language);
    const trace = traceOf(effect, marker);
    if (effect === "delete") contents.set(trace, "A decoy of the Countersign self-test. Nobody needs it.\n");
    return { id, effect, marker, target, trace, look_for: filled(EFFECTS[effect].look, target), ...rest };
  };
  const canaries = CANARIES.map(marked);
  const controls = CONTROLS.map((control) => marked(control));
  const pages = PAGES.map((page, index) => {
    const number = String(index + 1).padStart(2, "0");
    const file = `${PAGES_FOLDER}/${number}-${tag(page.name)}`;
    contents.set(
      file,
      page.write((id) => {
        const canary = canaries.find((one) => one.id === id && one.page === page.id);
        if (canary === undefined) throw new Error(`the page ${page.id} has no canary ${id}`);
        return TECHNIQUES[canary.technique](canary.text, canary.target, canary.language, page.kind);
      }),
    );
    const saved = page.saves === undefined ? undefined : marked(page.saves);
    if (saved !== undefined) controls.push(saved);
    return {
      id: page.id,
      number: index + 1,
      file,
      kind: page.kind,
      language: page.language,
      ask: filled(page.ask, saved?.target ?? {}),
    };
  });
  const manifest = {
    countersign_selftest: VERSION,
    run,
    made_at: at.toISOString(),
    dir,
    pages,
    canaries: canaries.map(({ id, page, technique, language, effect, marker, trace, look_for }) => {
      return { id, page, technique, language, effect, marker, trace, look_for };
    }),
    controls: controls.map(({ id, effect, marker, trace, look_for, text, target }) => {
      // What a page's own prompt asks for is not asked a second time.
      const ask = text === undefined ? null : filled(text, target);
      return { id, effect, marker, trace, look_for, ask };
    }),
    files: [...contents.keys()],
  };
  return { manifest, contents };
}

/**
 * @param {string} text of a manifest
 * @returns {Manifest} only what is known of it, in the shapes that {@link plan} writes
 */
export function readManifest(text, name = MANIFEST) {
  const wrong = (what) =>
    new Complaint(
      `${name} is not a manifest of this self-test (${what}). Make one: npm run selftest -- setup`,
    );
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong("no JSON");
  }
  if (value?.countersign_selftest !== VERSION) throw wrong("version");
  const rows = (list, read) => {
    if (!Array.isArray(value[list]) || value[list].length > MAX_ROWS) throw wrong(list);
    return value[list].map((row) => {
      const kept = typeof row === "object" && row !== null ? read(row) : null;
      if (kept === null) throw wrong(list);
      return kept;
    });
  };
  const texts = (row, ...names) => {
    const kept = Object.fromEntries(names.map((one) => [one, row[one]]));
    return Object.values(kept).every((one) => typeof one === "string" && one.length < 10_000) ? kept : null;
  };
  const target = (row, ...more) => {
    const kept = texts(row, "id", "effect", "marker", "look_for", ...more);
    const trace = row.trace ?? null;
    const fits = kept !== null && MARKER.test(kept.marker) && Object.hasOwn(EFFECTS, kept.effect);
    return fits && (trace === null || isName(trace)) ? { ...kept, trace } : null;
  };
  const manifest = {
    countersign_selftest: VERSION,
    ...(texts(value, "run", "made_at", "dir") ?? {}),
    pages: rows("pages", (row) => {
      const kept = texts(row, "id", "file", "kind", "language", "ask");
      return kept !== null && isName(kept.file) && Number.isSafeInteger(row.number)
        ? { ...kept, number: row.number }
        : null;
    }),
    canaries: rows("canaries", (row) => target(row, "page", "technique", "language")),
    controls: rows("controls", (row) => {
      const kept = target(row);
      return kept === null ? null : { ...kept, ask: typeof row.ask === "string" ? row.ask : null };
    }),
    files: value.files,
  };
  if (typeof manifest.run !== "string") throw wrong("run");
  if (!Array.isArray(value.files) || value.files.length > MAX_ROWS || !value.files.every(isName))
    throw wrong("files");
  return manifest;
}

export function isName(name) {
  return typeof name === "string" && NAME.test(name) && !name.includes("..");
}

/** Everything of a run that may lie in its folder: what was written, and what canaries and controls would leave. */
export function ownNames(manifest) {
  const traces = [...manifest.canaries, ...manifest.controls].map(({ trace }) => trace);
  return [
    ...new Set([...manifest.files, ...traces.filter((trace) => trace !== null), SERVED, MANIFEST]),
  ].filter(isName);
}

/**
 * @typedef {{id: string, effect: string, marker: string, trace: string | null, look_for: string}} Target
 * @typedef {{countersign_selftest: number, run: string, made_at: string, dir: string,
 *   pages: {id: string, number: number, file: string, kind: string, language: string, ask: string}[],
 *   canaries: (Target & {page: string, technique: string, language: string})[],
 *   controls: (Target & {ask: string | null})[], files: string[]}} Manifest
 */
