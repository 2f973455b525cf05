import { followAliases } from "../paths/alias.ts";
import { escapeBound } from "../paths/index.ts";
import type {
  Effects,
  FileAction,
  FileVerb,
  PathBound,
  ReadingContext,
  RiskClass,
  Unreadable,
} from "../types.ts";
import { governanceOf, setsSwitch } from "./governance.ts";
import { isRulesFile, keptFor } from "./kept.ts";
import { namesInText } from "./names.ts";
import { GENERIC_VERBS, Said, type Wording } from "./said.ts";
import { isSecret } from "./secrets.ts";
import { Feed } from "./shell/fed.ts";
import {
  type Candidate,
  type Link,
  MOST_LINKS,
  provenBackups,
  type Seen,
  throughLinks,
  UNKNOWN_PATH,
  unique,
} from "./succession.ts";
import type { Tables } from "./tables.ts";
import type { Trace } from "./trace.ts";

export { stripTree, UNKNOWN_PATH } from "./succession.ts";

/** Past this many actions or names a call is too large to describe; it stays opaque and says so. */
const MOST_ENTRIES = 2000;

/** Commands read for one call; loops, functions, nested shells and bridged calls spend from it, so that nothing grows without end. */
const MOST_COMMANDS = 3000;
/** Text that costs as much to read as one more command, in UTF-16 units. */
const COMMAND_UNITS = 128;
/** What a word costs besides its text. */
export const WORD_UNITS = 16;
/** Text of all the commands of one call together, in UTF-16 units. */
const MOST_COMMAND_TEXT = 64 * 1024;
/**
 * Text that commands may make of their own: what their variables hold wherever they are used, what they have evaluated.
 * For every unit of theirs, and for all together. Ordinary scripts make about as much as they are long; a loop over
 * hundreds of files under a long path makes some tens of thousands of units.
 */
const MADE_FOR_EACH = 4;
const MADE_FOR_ALL = 64 * 1024;
/** Text that is searched for names in one call. */
const MOST_SEARCHED = 1024 * 1024 + 65_536;
/** Text that is searched once more, as if the same stood in another directory. */
const MOST_SEARCHED_AGAIN = 256 * 1024;
/** What the paths of all actions may be long together: 2000 of them, each in a deep folder. */
const MOST_ACTION_TEXT = 256 * 1024;

/**
 * Collects what one tool call would do while its parts are read, then states it once, sorted and free of duplicates.
 * A report belongs to one call of `effectsOf` and never leaves it.
 */
export class Report {
  readonly context: ReadingContext;
  /** What the reader knows by name. */
  readonly tables: Tables;
  readonly #actions = new Map<string, Seen>();
  readonly #risks = new Set<RiskClass>();
  readonly #causes = new Set<string>();
  readonly #names = new Set<PathBound>();
  readonly #used = new Set<PathBound>();
  readonly #hosts = new Set<string>();
  readonly #governance = new Set<string>();
  readonly #backups: Candidate[] = [];
  readonly #links: Link[] = [];
  readonly #unreadable = new Map<string, Unreadable>();
  readonly #texts: string[] = [];
  /** What the call names and says. */
  readonly said: Said;
  /** Classes found by each part of the call that is being read, the innermost last, until it is put in words. */
  readonly #parts: Set<RiskClass>[] = [];
  /** Classes that some part has been put in words for. */
  readonly #worded = new Set<RiskClass>();
  /** How many commands of this call may still be read. */
  commandsLeft = MOST_COMMANDS;
  #commandText = MOST_COMMAND_TEXT;
  #makeable = MADE_FOR_ALL;
  /** Where each text has been searched: the directories, and whether for plain words. */
  readonly #searched = new Map<string, Set<string>>();
  #searchable = MOST_SEARCHED;
  #searchableAgain = MOST_SEARCHED_AGAIN;
  #actionText = MOST_ACTION_TEXT;
  readonly #handed = new Map<string, WeakSet<object>>();
  readonly #origins = new Map<string, Feed>();
  #unparsed = false;
  #switches = false;
  #step = 0;
  #doubts = 0;

  /** Where what is found is noted besides, for people who ask why. */
  readonly #trace: Trace | null;

  constructor(context: ReadingContext, tables: Tables, trace: Trace | null = null) {
    this.context = context;
    this.tables = tables;
    this.#trace = trace;
    this.said = new Said((cause) => this.opaque(cause));
  }

  /**
   * Reads one part of the call: a tool, or one command of a script. What it does of its own, inner parts left out, is
   * an act in the words that `wording` gives; `null` for what needs none.
   * @param looks true when a part that does nothing is an act too, of looking.
   */
  part<T>(read: () => T, wording: (risk: RiskClass) => Wording | null, looks = false): T {
    const risks = new Set<RiskClass>();
    this.#parts.push(risks);
    try {
      return read();
    } finally {
      this.#parts.pop();
      if (looks && risks.size === 0) risks.add("READ");
      for (const risk of risks) {
        // Going over the network is how the rest is done.
        const words = risk === "NETWORK" && risks.size > 1 ? null : wording(risk);
        if (words === null) continue;
        this.#worded.add(risk);
        this.said.act(risk, words);
      }
    }
  }

  get isTraced(): boolean {
    return this.#trace !== null;
  }

  /** Reads what stands at these offsets of a command line. */
  at<T>(source: string, start: number, end: number, read: () => T): T {
    return this.#trace === null ? read() : this.#trace.within(this.said.at, source, start, end, read);
  }

  /** The present step; a mark for `backup`. */
  get mark(): number {
    return this.#step;
  }

  /** How often something was found that cannot be known. */
  get doubts(): number {
    return this.#doubts;
  }

  /** Pays for the text of one more command; false when the call has had its share and the text must not be read. */
  affords(text: string): boolean {
    this.#commandText -= text.length;
    this.#makeable += MADE_FOR_EACH * text.length;
    return this.#commandText >= 0 && this.commandsLeft > 0;
  }

  /** Counts text that is read as part of a command: again and again where a loop or a function repeats it. */
  works(units: number): void {
    this.commandsLeft -= Math.floor(units / COMMAND_UNITS);
  }

  /** Pays for text that a command makes; false when the call has had its share, so that the text must stay unknown. */
  makes(units: number): boolean {
    this.#makeable -= units;
    if (this.#makeable >= 0) return true;
    this.opaque("too-much-expansion");
    return false;
  }

  /** Classes found so far. */
  get risks(): RiskClass[] {
    return [...this.#risks];
  }

  /** Classes of the part that is being read. */
  get found(): ReadonlySet<RiskClass> {
    return this.#parts[this.#parts.length - 1] ?? new Set();
  }

  /** True as long as the part that is being read has only looked. */
  get looksOnly(): boolean {
    return [...this.found].every((risk) => risk === "READ" || risk === "NETWORK");
  }

  act(verb: FileVerb, path: PathBound): void {
    this.touch(verb, path);
    this.risk(verb === "delete" ? "DELETE" : "WRITE");
  }

  /** As `act`, for files that have a risk class of their own, such as the agent's memory. */
  touch(verb: FileVerb, given: PathBound): void {
    const path = followAliases(given, this.context.environment);
    if (path === UNKNOWN_PATH && given !== path) this.opaque("alias");
    this.#trace?.note(this.said.at, { fact: "acts", verb, path });
    const key = `${path}\n${verb}`;
    const seen = this.#actions.get(key);
    const fits = this.#actions.size < MOST_ENTRIES && path.length <= this.#actionText;
    if (seen !== undefined) seen.last = this.#step;
    else if (fits || path === UNKNOWN_PATH) {
      this.#actionText -= path.length;
      this.#actions.set(key, { verb, path, first: this.#step, last: this.#step });
    } else {
      this.#causes.add("too-many-actions");
      this.touch(verb, UNKNOWN_PATH);
      return;
    }
    this.#step++;
  }

  /** A write to a path that may or may not exist. */
  write(path: PathBound): void {
    this.act("modify", path);
    this.act("create", path);
    // A pattern that matches nothing stays as it is spelled; stars and question marks match themselves, brackets do not.
    const spelled = spelledBrackets(path);
    if (spelled !== null) this.write(spelled);
  }

  risk(...classes: readonly RiskClass[]): void {
    for (const one of classes) {
      this.#risks.add(one);
      this.#trace?.note(this.said.at, { fact: "carries", risk: one });
      this.#parts[this.#parts.length - 1]?.add(one);
    }
  }

  /**
   * The full effect cannot be known. `text` is what an attacker could have hidden something in: it is searched for
   * Countersign's own names, and for paths when `paths` says where relative ones would start.
   */
  opaque(cause: string, text?: string, cwd?: string | null): void {
    this.#causes.add(cause);
    this.#trace?.note(this.said.at, { fact: "hides", cause });
    this.#doubts++;
    if (text !== undefined) this.mention(text, cwd ?? null);
  }

  /** Text that opaque code is given: searched for names, and for Countersign's own. */
  mention(text: string, cwd: string | null, plainWords = false): void {
    // The same text comes back with every doubt about it; looking once is enough.
    const places = this.#searched.get(text);
    const place = `${plainWords} ${cwd}`;
    if (places?.has(place)) return;
    const cost = text.length + 32;
    if (places === undefined) {
      this.#searched.set(text, new Set([place]));
      this.#texts.push(text);
      this.#searchable -= cost;
    } else {
      places.add(place);
      this.#searchableAgain -= cost;
    }
    if (places === undefined ? this.#searchable < 0 : this.#searchableAgain < 0) {
      this.#causes.add("too-long");
      this.#unparsed = true;
      return;
    }
    const { names, complete } = namesInText(text, this.context.environment, cwd, plainWords);
    for (const name of names) this.name(name);
    if (!complete) this.#unparsed = true;
  }

  /** Code of unknown effect: opaque, and EXECUTE. */
  execute(cause: string, text?: string, cwd?: string | null): void {
    this.risk("EXECUTE");
    this.opaque(cause, text, cwd);
  }

  /** The text could not be read at all: not even its names can be trusted to be complete. */
  unparsed(cause: string, text: string, cwd: string | null): void {
    this.#unparsed = true;
    this.execute(cause, text, cwd);
  }

  name(given: PathBound): void {
    const path = followAliases(given, this.context.environment);
    // Code that is handed another name of some file may do anything to that file.
    if (path === UNKNOWN_PATH && given !== path) this.#unparsed = true;
    if (path === UNKNOWN_PATH) return;
    if (this.#names.size < MOST_ENTRIES) this.#names.add(path);
    else this.losesNames();
  }

  /** True once no more names are kept. */
  get namesAreFull(): boolean {
    return this.#names.size >= MOST_ENTRIES;
  }

  /** Not all that opaque code may touch is named. */
  losesNames(): void {
    this.#causes.add("too-many-names");
    this.#unparsed = true;
  }

  /** True the first time that a value is handed to opaque code in these directories. */
  handsOver(value: object, directories: readonly (PathBound | null)[]): boolean {
    const place = directories.join("\n");
    const handed = this.#handed.get(place) ?? new WeakSet();
    this.#handed.set(place, handed);
    if (handed.has(value)) return false;
    handed.add(value);
    return true;
  }

  /** Something is shown, sent or changed that opens other things: a file, `$NAME` of a variable, a key in a URL. */
  secret(what: string): void {
    this.risk("CREDENTIAL");
    this.said.item("secret", what);
  }

  /** Text that is written, or a command that may write it: looked at for what decides whether an agent is governed. */
  written(text: string): void {
    if (setsSwitch(text.slice(0, MOST_SEARCHED))) this.#switches = true;
  }

  /** A text that code may come from. Whoever asks often asks about the same: the whole script. */
  origin(text: string): Feed {
    const known = this.#origins.get(text);
    if (known !== undefined) return known;
    const fresh = new Feed(text);
    this.#origins.set(text, fresh);
    return fresh;
  }

  /** A key that a program uses without showing it, such as `ssh -i` does. */
  uses(path: PathBound): void {
    this.#used.add(path);
  }

  /** True once the call has written to a file that later sessions read. */
  get writesRules(): boolean {
    return [...this.#actions.values()].some(({ verb, path }) => verb !== "delete" && isRulesFile(path));
  }

  host(host: string): void {
    this.#hosts.add(host);
    this.#trace?.note(this.said.at, { fact: "reaches", host });
    this.said.url(host);
  }

  govern(name: string): void {
    this.#governance.add(name);
    this.#trace?.note(this.said.at, { fact: "governs", what: name });
  }

  unreadable(pointer: string, cause: string): void {
    this.#unreadable.set(`${pointer}\n${cause}`, { pointer, cause });
  }

  backup(src: PathBound, dest: PathBound, begun: number): void {
    this.#backups.push({ src, dest, begun, done: this.mark });
    this.#trace?.note(this.said.at, { fact: "copies", src, dest });
  }

  /** `at` is another way to reach `to` from now on in this call. */
  link(at: PathBound, to: PathBound): void {
    this.#links.push({ at, to, after: this.mark });
  }

  /** States everything once. `tool` is the canonical name. */
  effects(tool: string): Effects {
    const seen = [...this.#actions.values()];
    if (this.#links.length > MOST_LINKS) {
      this.#causes.add("too-many-links");
      for (const verb of new Set(seen.map((action) => action.verb))) this.touch(verb, UNKNOWN_PATH);
    }
    for (const { verb, path } of throughLinks(this.#links, seen)) {
      this.#causes.add("through-link");
      this.act(verb, path);
    }
    this.#byPath();
    for (const risk of this.#risks)
      if (risk !== "NETWORK" && risk !== "READ" && !this.#worded.has(risk))
        this.said.act(risk, { verbs: [GENERIC_VERBS[risk]], object: [], service: null });
    const actions = [...this.#actions.keys()].sort().map((key): FileAction => {
      const { verb, path } = this.#actions.get(key) as Seen;
      return { verb, path };
    });
    const names = [...this.#names].sort();
    const opaque = this.#causes.size
      ? { causes: [...this.#causes].sort(), unparsed: this.#unparsed, names }
      : null;
    const hosts = [...this.#hosts].sort();
    for (const found of governanceOf(
      { actions, opaque, hosts, texts: this.#texts, switches: this.#switches },
      this.context,
    )) {
      this.#governance.add(found);
    }
    const governance = [...this.#governance].sort();
    if (governance.length) this.#risks.add("GOVERNANCE");
    if ([...this.#risks].every((risk) => risk === "GOVERNANCE" || risk === "CREDENTIAL"))
      this.#risks.add("READ");
    return {
      tool,
      risks: [...this.#risks].sort(),
      actions,
      opaque,
      backups: opaque ? [] : provenBackups(this.#backups, [...this.#actions.values()]),
      hosts,
      ...this.said.stated(),
      governance,
      unreadable: unique([...this.#unreadable.values()], (u) => `${u.pointer}\n${u.cause}`),
    };
  }

  /** Classes that follow from which file it is. */
  #byPath(): void {
    const isKept = keptFor(this.context.environment);
    for (const { verb, path } of this.#actions.values()) {
      if (path === UNKNOWN_PATH) continue;
      if (isSecret(path, verb === "delete")) this.secret(path);
      if (isKept(path)) this.risk("PERSISTENT");
    }
    for (const name of this.#names) if (!this.#used.has(name) && isSecret(name, false)) this.secret(name);
  }
}

/** The bound with its bracket patterns taken literally; `null` when it has none. */
function spelledBrackets(path: PathBound): PathBound | null {
  let changed = false;
  const spelled = path.replace(/\\[\s\S]|\[(?:[^\]/]+)\]/g, (found) => {
    if (found.startsWith("\\")) return found;
    changed = true;
    return escapeBound(found.replace(/\\([\s\S])/g, "$1"));
  });
  return changed ? spelled : null;
}
