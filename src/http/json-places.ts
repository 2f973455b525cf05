/**
 * Where the values of a JSON text stand, and where it stops being JSON: for people who are shown the place of a fault.
 * What a text means is for the strict reader to say. Pure and total.
 */
import { MAX_DEPTH } from "./strict-json.ts";

/** UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonNode extends Span {
  /** The name that it stands under, quotes included; `null` for what has none. */
  readonly key: Span | null;
  /** Of two members with one name the last, as every reader here takes it. `null` for what is no object. */
  readonly members: ReadonlyMap<string, JsonNode> | null;
  readonly entries: readonly JsonNode[];
}

export type LocatedJson =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly at: number; readonly message: string };

/** Agrees with `JSON.parse` on what is JSON, up to the depth that the strict reader takes. */
export function locateJson(text: string): LocatedJson {
  const reader = new Reader(text);
  const root = reader.document();
  return root === null ? { ok: false, ...reader.fault } : { ok: true, root };
}

/** What a JSON pointer leads to; where it leads to nothing, the last thing on the way. */
export function nodeAt(root: JsonNode, pointer: string): JsonNode {
  let node = root;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = node.members === null ? node.entries[Number(name)] : node.members.get(name);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Reader {
  /** Means something once a reading has given `null`. */
  fault = { at: 0, message: "" };
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode | null {
    const root = this.#value(null, 0, "There is nothing here. Write a JSON object.");
    if (root === null) return null;
    this.#space();
    return this.#at === this.#text.length ? root : this.#stop("The value is over; nothing may follow it.");
  }

  /** @param missing what is said when there is no value here */
  #value(key: Span | null, depth: number, missing: string): JsonNode | null {
    this.#space();
    const start = this.#at;
    const first = this.#text[start];
    if (first === undefined) return this.#stop(missing);
    if (depth === MAX_DEPTH && (first === "{" || first === "["))
      return this.#stop(`At most ${MAX_DEPTH} levels are read.`);
    const plain = { key, members: null, entries: [] };
    if (first === "{") return this.#object(key, depth);
    if (first === "[") return this.#list(key, depth);
    if (first === '"') return this.#string() === null ? null : { start, end: this.#at, ...plain };
    if (this.#take(NUMBER) || this.#take(WORD)) return { start, end: this.#at, ...plain };
    if (first === "'") return this.#stop('A text stands in double quotes, ".');
    if (first === "]" || first === "}" || first === ",") return this.#stop("A value is missing here.");
    return this.#stop('This is no JSON value. A text stands in double quotes, ".');
  }

  #object(key: Span | null, depth: number): JsonNode | null {
    const start = this.#at;
    const members = new Map<string, JsonNode>();
    this.#at += 1;
    this.#space();
    let ended = this.#skip("}");
    while (!ended) {
      this.#space();
      const from = this.#at;
      if (this.#text[from] !== '"')
        return this.#stop(
          this.#text[from] === "}"
            ? "Nothing follows the last comma; take it away."
            : 'The name of a member is missing, in double quotes, ".',
        );
      const name = this.#string();
      if (name === null) return null;
      const named = { start: from, end: this.#at };
      this.#space();
      if (!this.#skip(":")) return this.#stop("A colon is missing between a member's name and its value.");
      const value = this.#value(named, depth + 1, "The value of this member is missing.");
      if (value === null) return null;
      members.set(name, value);
      this.#space();
      ended = this.#skip("}");
      if (!ended && !this.#skip(",")) return this.#stop("A comma or the closing } is missing.");
    }
    return { start, end: this.#at, key, members, entries: [] };
  }

  #list(key: Span | null, depth: number): JsonNode | null {
    const start = this.#at;
    const entries: JsonNode[] = [];
    this.#at += 1;
    this.#space();
    let ended = this.#skip("]");
    while (!ended) {
      this.#space();
      if (entries.length > 0 && this.#text[this.#at] === "]")
        return this.#stop("Nothing follows the last comma; take it away.");
      const entry = this.#value(null, depth + 1, "The closing ] is missing.");
      if (entry === null) return null;
      entries.push(entry);
      this.#space();
      ended = this.#skip("]");
      if (!ended && !this.#skip(",")) return this.#stop("A comma or the closing ] is missing.");
    }
    return { start, end: this.#at, key, members: null, entries };
  }

  /** Steps over a text in quotes, and gives what it says. */
  #string(): string | null {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        if (!this.#take(ESCAPE)) return this.#stop("No such escape: a backslash is written \\\\.");
      } else if (code >= 0x20) this.#at += 1;
      // Past the end there is no code; a line feed ends what somebody forgot to close.
      else if (Number.isNaN(code) || code === 0x0a) {
        this.#at = start;
        return this.#stop("The closing quote of this text is missing on its line.");
      } else return this.#stop("Control characters are written as escapes, as in \\t.");
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #space(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #take(token: RegExp): boolean {
    token.lastIndex = this.#at;
    if (!token.test(this.#text)) return false;
    this.#at = token.lastIndex;
    return true;
  }

  #stop(message: string): null {
    this.fault = { at: this.#at, message };
    return null;
  }
}
