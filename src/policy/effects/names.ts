import { escapeBound, homeOf, normalisePath, variableOf } from "../paths/index.ts";
import type { Environment, PathBound } from "../types.ts";

/** Text past this length is not searched further, and its names are not complete. */
const LONGEST_TEXT = 1024 * 1024;
const MOST_NAMES = 2000;

/**
 * Ways in which common languages write the user's home directory. What follows them in the same expression is joined
 * on, so that `Path.home() / ".hermes"` names that folder and not all of the home.
 */
const HOME_EXPRESSIONS =
  /\b(?:pathlib\.)?Path\.home\(\)|\b(?:os\.path\.)?expanduser\(\s?["']~["']\s?\)|\b(?:os\.)?homedir\(\)|\bDir\.home\b|\bos\.UserHomeDir\(\)|\bprocess\.env\.HOME\b|\$ENV\{["']?HOME["']?\}|\b(?:os\.)?(?:environ|ENV|env)(?:\.get)?\s?[[(]\s?["']HOME["']\s?[\])]|\b(?:os\.)?getenv\(\s?["']HOME["']\s?\)/g;

/** `os.environ["NAME"]` and its relatives, for declared variables. */
const VARIABLE_EXPRESSIONS =
  /\b(?:os\.)?(?:environ|ENV|env)(?:\.get)?\s?[[(]\s?["']([A-Za-z_]\w{0,63})["']\s?[\])]|\b(?:os\.)?getenv\(\s?["']([A-Za-z_]\w{0,63})["']\s?\)|\bprocess\.env\.([A-Za-z_]\w{0,63})|\$\{([A-Za-z_]\w{0,63})\}|\$env:([A-Za-z_]\w{0,63})|\$([A-Za-z_]\w{0,63})/g;

/** Calls in whose first argument a lone `/` or `.` is a place, not a separator. */
const TAKES_A_PATH =
  /(?:rmtree|rm|rmSync|remove|removedirs|unlink|unlinkSync|rmdir|rmdirSync|delete|walk|scandir|listdir|readdir|readdirSync|glob|Path|open|chmod|chown|chdir|move|rename|truncate|opendir)\($/;

/** Stands for a resolved variable while the text is taken apart; NUL never reaches this far otherwise. */
const OPEN = "\u0001";

interface Token {
  readonly kind: "string" | "word" | "sign";
  readonly text: string;
  readonly at: number;
}

/**
 * Every path that a piece of code or command text names, resolved as far as `environment` allows.
 * @param cwd where relative names start, as a literal path; `null` leaves relative names out.
 * @param plainWords true for what feeds a shell, where any bare word may be a file.
 * @returns `complete: false` when there was too much to search, so that padding cannot hide a name.
 * Linear in the text; never throws. Over-naming blocks honest calls, under-naming lets opaque code through: what looks
 * like a separator, a bare home or the root is named only where it is plainly used as a place.
 */
export function namesInText(
  text: string,
  environment: Environment,
  cwd: string | null,
  plainWords = false,
): { readonly names: readonly PathBound[]; readonly complete: boolean } {
  // One word without a sign in it names nothing in code.
  if (!plainWords && /^[\w-]*$/.test(text)) return { names: [], complete: text.length <= LONGEST_TEXT };
  const found = new Set<PathBound>();
  const reader = new NameReader(environment, cwd, found, plainWords);
  reader.read(text.slice(0, LONGEST_TEXT));
  const complete = text.length <= LONGEST_TEXT && found.size < MOST_NAMES && !reader.lost;
  return { names: [...found].sort(), complete };
}

class NameReader {
  /** True once a name stood for a file that cannot be known. */
  lost = false;
  readonly #environment: Environment;
  readonly #home: string | null;
  /** What has been resolved already: long texts say the same names over and over. */
  readonly #seen = new Set<string>();
  readonly #cwd: string | null;
  readonly #plainWords: boolean;
  readonly #found: Set<PathBound>;

  constructor(environment: Environment, cwd: string | null, found: Set<PathBound>, plainWords: boolean) {
    this.#plainWords = plainWords;
    this.#environment = environment;
    this.#home = homeOf(environment);
    this.#cwd = cwd;
    this.#found = found;
  }

  read(text: string): void {
    const windows = this.#environment.os === "windows";
    const spelled = windows ? text.replace(/%([A-Za-z_]\w{0,63})%/g, "$${$1}") : text;
    const plain = this.#withVariables(spelled.replaceAll(OPEN, " "));
    const tokens = tokenise(plain);
    for (let at = 0; at < tokens.length && this.#found.size < MOST_NAMES; at++) {
      const token = tokens[at];
      if (token === undefined || token.kind === "sign") continue;
      const chained = chainAfter(tokens, at);
      if (token.kind === "string") {
        this.#string(token, chained, plain);
        // `base / ".agent"`, `home + "/.agent"`: a dotted folder joined to something unknown is most often a home's.
        const joined = /^[,/+.]$/.test(tokens[at - 1]?.text ?? "") && tokens[at - 1]?.kind === "sign";
        if (joined && /^\/?\.[A-Za-z]/.test(token.text))
          this.#add(`~/${token.text.replace(/^\//, "")}${chained}`, true);
      } else this.#word(token.text, chained, false);
    }
  }

  /** Puts known values in place of variables. An unknown one becomes a mark that ends the path before it. */
  #withVariables(text: string): string {
    const home = this.#home;
    const homed = /home|expanduser/i.test(text) ? text.replace(HOME_EXPRESSIONS, home ?? OPEN) : text;
    if (!/\$|env/i.test(homed)) return homed;
    return homed.replace(VARIABLE_EXPRESSIONS, (_all, ...groups) => {
      const name = groups.slice(0, 6).find((group) => typeof group === "string");
      return typeof name === "string" ? (variableOf(name, this.#environment) ?? OPEN) : OPEN;
    });
  }

  #string(token: Token, chained: string, text: string): void {
    // `f"{base}/x"` and its like: what stands in the braces is not known.
    const inner = token.text.replace(/\$?\{[^{}]{0,200}\}/g, OPEN);
    if (/^[a-z][a-z0-9+.-]{1,15}:\/\//i.test(inner) && !/\s/.test(inner)) {
      this.#word(inner, "", false);
      return;
    }
    if (inner === "" || inner.length > 4096) {
      if (inner !== "") this.#words(inner);
      return;
    }
    if (/^[./]$/.test(inner) && chained === "") {
      if (TAKES_A_PATH.test(text.slice(Math.max(0, token.at - 24), token.at))) this.#add(inner);
      return;
    }
    if (inner === "~") {
      this.#add(`~${chained}`);
      return;
    }
    if (/\s/.test(inner)) this.#words(inner);
    if (inner.length <= 1024) this.#add(inner + chained, true);
  }

  /** Words of a longer string or of plain text: only those that look like paths. */
  #words(text: string): void {
    for (const word of text.split(/[\s"'`()[\],;|&<>=]+/)) if (word !== "") this.#word(word, "", true);
  }

  /** @param prose true for a word of a longer string, where `notes.md` is a file and not a member of an object. */
  #word(word: string, chained: string, prose: boolean): void {
    if (/^[a-z][a-z0-9+.-]{1,15}:\/\//i.test(word)) {
      if (/^file:\/\/\//i.test(word)) this.#add(word.slice(7));
      return;
    }
    const value = word.replace(/^-{1,2}[\w-]*(?=[/~.])/, "");
    for (const part of value.split(":").slice(1, 64)) if (/^[~/.]/.test(part)) this.#add(part);
    if (value === "/" || value === "." || value === "~") {
      // In shell text these are places; in code they are operators. A chained name tells them apart.
      if (chained !== "" && value !== ".") this.#add(value + chained);
      return;
    }
    if (
      /^(?:~|\.{1,2})?\//.test(value) ||
      value.startsWith("~") ||
      value.startsWith("../") ||
      value === ".."
    ) {
      this.#add(value + chained);
    } else if (
      value.includes("/") ||
      (this.#environment.os === "windows" && value.includes("\\")) ||
      /^\.[\w-]/.test(value) ||
      /^[A-Za-z]:[\\/]/.test(value)
    ) {
      this.#add(value + chained);
    } else if (prose && /^[\w@+-][\w.@+-]{0,254}\.[A-Za-z]\w{0,9}$/.test(value)) this.#add(value);
    else if (this.#plainWords && /^[\w@+][\w.@+-]{0,254}$/.test(value)) this.#add(value);
  }

  #add(text: string, exact = false): void {
    if (text.startsWith("//") || text.startsWith("/*")) return;
    const cut = text.indexOf(OPEN);
    // A path under something unknown is most often under the home, and that is what an oath protects.
    if (cut === 0 && text[1] === "/" && this.#home !== null) this.#add(`~${text.slice(1)}`, exact);
    const known = cut < 0 ? text : text.slice(0, Math.max(0, text.lastIndexOf("/", cut)));
    const trimmed = exact ? known : known.replace(/[.,:]+$/, "");
    if (trimmed === "") return;
    const key = `${cut < 0 ? "" : OPEN}${trimmed}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const bound = this.#resolve(trimmed);
    if (bound === null) return;
    if (cut >= 0 && this.#isAboveHome(bound)) return;
    this.#found.add(bound);
  }

  #resolve(text: string): PathBound | null {
    const home = this.#home;
    let path = text;
    if (path === "~" || /^~[\\/]/.test(path)) {
      if (home === null) return null;
      path = home + path.slice(1);
    } else if (path.startsWith("~")) return null;
    const drive = /^[A-Za-z]:[\\/]/.test(path);
    const absolute = normalisePath(path, this.#cwd, drive ? "windows" : this.#environment.os);
    if (!absolute.ok) {
      if (absolute.cause === "alias") this.lost = true;
      return null;
    }
    // A star in code may be a pattern; taking it as one covers the literal reading too.
    return escapeBound(absolute.path).replaceAll("\\*", "*").replaceAll("\\?", "?");
  }

  #isAboveHome(bound: PathBound): boolean {
    const home = this.#home;
    return bound === "/" || (home !== null && (bound === home || home.startsWith(`${bound}/`)));
  }
}

/** The string literals that an expression adds to the path before it: `a / "b"`, `join(a, "b")`, `a + "/b"`. */
function chainAfter(tokens: readonly Token[], start: number): string {
  let chained = "";
  let at = start + 1;
  for (let steps = 0; steps < 16; steps++) {
    while (tokens[at]?.kind === "sign" && /^[)\]]$/.test(tokens[at]?.text ?? "")) at++;
    const joint = tokens[at];
    const next = tokens[at + 1];
    if (joint === undefined || next?.kind !== "string") break;
    const glue = joint.text;
    if (glue !== "/" && glue !== "," && glue !== "+" && glue !== ".") break;
    if (!/^[\w./ *?~-]{1,255}$/.test(next.text) || (glue === "," && next.text.startsWith("/"))) break;
    chained += glue === "+" || glue === "." || next.text.startsWith("/") ? next.text : `/${next.text}`;
    at += 2;
  }
  return chained;
}

function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern =
    /"([^"\n]{0,4096})"|'([^'\n]{0,4096})'|`([^`\n]{0,4096})`|([^\s"'`()[\]{},;|&<>=+]+)|([()[\]{},;|&<>=+"'`])/g;
  for (const match of text.matchAll(pattern)) {
    const at = match.index;
    const quoted = match[1] ?? match[2] ?? match[3];
    if (quoted !== undefined) tokens.push({ kind: "string", text: quoted, at });
    else if (match[4] === "/" || match[4] === ".") tokens.push({ kind: "sign", text: match[4], at });
    else if (match[4] !== undefined) tokens.push({ kind: "word", text: match[4], at });
    else tokens.push({ kind: "sign", text: match[5] ?? "", at });
  }
  return tokens;
}
