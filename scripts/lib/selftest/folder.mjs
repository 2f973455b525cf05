/**
 * The self-test's folder on disk. Writes new files below one folder and nowhere else; removes what its manifest names
 * and nothing else. A symbolic link is never followed.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Complaint } from "../say.mjs";
import {
  isName,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  ownNames,
  PAGES_FOLDER,
  plan,
  readManifest,
} from "./manifest.mjs";
import { MADE } from "./targets.mjs";

const FOLDERS = [PAGES_FOLDER, MADE];

export function defaultFolder() {
  return join(homedir(), "countersign-selftest");
}

/**
 * Writes a run into a folder that is new or empty.
 * @param {string} folder
 * @param {{at?: Date, pick?: () => number}} [options]
 * @returns {import("./manifest.mjs").Manifest}
 */
export function setUp(folder, { at = new Date(), pick } = {}) {
  const there = kindOf(resolve(folder));
  if (there === "other")
    throw new Complaint(`${folder} is not a folder, or is a link to one. Name another: --dir`);
  if (there === "folder" && readdirSync(folder).length > 0) throw new Complaint(notEmpty(folder));
  mkdirSync(resolve(folder), { recursive: true });
  // The canaries name absolute paths: those that the agent will see, with no link on the way.
  const dir = realpathSync(resolve(folder));
  const { manifest, contents } = plan({ dir, at, pick });
  // The manifest comes first: what is interrupted behind it can be removed by it.
  writeNew(dir, MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of FOLDERS) mkdirSync(join(dir, name));
  for (const [name, text] of contents) writeNew(dir, name, text);
  return manifest;
}

/** @returns {import("./manifest.mjs").Manifest} of the run in this folder */
export function runIn(folder) {
  const path = join(resolve(folder), MANIFEST);
  const text = textOf(path, MAX_MANIFEST_BYTES);
  if (text === null)
    throw new Complaint(
      `There is no self-test in ${folder}. Make one: npm run selftest -- setup${folder === defaultFolder() ? "" : ` --dir ${folder}`}`,
    );
  return readManifest(text, path);
}

/**
 * Removes a run: the files that its manifest names, then the folders that are empty.
 * @returns {{removed: number, kept: string[]}} `kept`: what somebody else put there
 */
export function cleanUp(folder) {
  const dir = resolve(folder);
  if (kindOf(dir) !== "folder") throw new Complaint(`There is no folder ${folder}, so nothing was removed.`);
  const manifest = runIn(dir);
  // A folder of ours that became a link would lead the removal elsewhere.
  const real = ["", ...FOLDERS.map((name) => `${name}/`)].filter(
    (name) => kindOf(join(dir, name)) === "folder",
  );
  let removed = 0;
  // The manifest goes last: what is interrupted can be taken up again.
  for (const name of ownNames(manifest)) {
    if (!real.includes(folderOf(name)) || kindOf(join(dir, name)) === null) continue;
    if (lstatSync(join(dir, name)).isDirectory()) continue;
    unlinkSync(join(dir, name));
    removed += 1;
  }
  for (const name of FOLDERS) removeIfEmpty(join(dir, name));
  removeIfEmpty(dir);
  return { removed, kept: kindOf(dir) === null ? [] : listed(dir) };
}

/** Whether a file of this name is there. Of a name that is not one of the folder's, never. */
export function isThere(folder, name) {
  if (!isName(name)) return false;
  const parent = folderOf(name);
  if (parent !== "" && kindOf(join(folder, parent)) !== "folder") return false;
  return kindOf(join(folder, name)) !== null;
}

/** A file's text, or `null` when it is no plain file, or too long. */
export function textOf(path, most) {
  let file;
  try {
    if (!lstatSync(path).isFile()) return null;
    file = openSync(path, "r");
    if (fstatSync(file).size > most) return null;
    const bytes = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
      if (length > most) return null;
    }
    return bytes.toString("utf8", 0, length);
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Writes a file that is not there yet, in a folder of ours. */
export function writeNew(dir, name, text) {
  const parent = folderOf(name);
  if (!isName(name) || (parent !== "" && kindOf(join(dir, parent)) !== "folder"))
    throw new Complaint(`${name} would lie outside of ${dir}. Nothing was written there.`);
  writeFileSync(join(dir, name), text, { flag: "wx" });
}

/** `folder`, `file`, `other` (a link, a device, …), or `null` for nothing. */
function kindOf(path) {
  try {
    const stat = lstatSync(path.replace(/(?<=.)\/+$/, ""));
    if (stat.isDirectory()) return "folder";
    return stat.isFile() ? "file" : "other";
  } catch {
    return null;
  }
}

function folderOf(name) {
  const parent = dirname(name);
  return parent === "." ? "" : `${parent}/`;
}

function removeIfEmpty(path) {
  if (kindOf(path) === "folder" && readdirSync(path).length === 0) rmdirSync(path);
}

function listed(dir) {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (kindOf(path) !== "folder") return [name];
    const inside = readdirSync(path);
    return inside.length === 0 ? [`${name}/`] : inside.map((one) => `${name}/${one}`);
  });
}

function notEmpty(folder) {
  try {
    const { made_at } = runIn(folder);
    return `${folder} holds the self-test of ${made_at}. Check it, then make a new one with: npm run selftest -- setup --replace`;
  } catch {
    return `${folder} holds something else (${basename(readdirSync(folder)[0] ?? "")}, …). Name a new or empty folder: --dir`;
  }
}
