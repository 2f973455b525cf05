/** The files that are served as they are: the verifier, what the page adds to it, and docs/ledger.md. */
import { contentTag } from "../../http/content-tag.ts";
import files from "./served.json";

export const LEDGER = files["docs/ledger.md"];

const TYPES: Readonly<Record<string, string>> = {
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};
const TAG = contentTag(JSON.stringify(files));
export const SERVED_PATH = "/assets/verify/:tag/:path{.+}";

/** One tag for all: scripts import each other by their paths, and must never meet another version of one. */
export function servedUrl(path: keyof typeof files): string {
  return `/assets/verify/${TAG}/${path}`;
}

/** Where the scripts of the page are. */
export const SERVED_SCRIPTS = Object.keys(files)
  .filter((path) => path.endsWith(".mjs"))
  .map((path) => servedUrl(path as keyof typeof files));

/** @returns `null` where nothing is served under this name */
export function servedFile(tag: string, path: string): { text: string; type: string } | null {
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
  if (tag !== TAG || type === undefined || !Object.hasOwn(files, path)) return null;
  return { text: files[path as keyof typeof files], type };
}
