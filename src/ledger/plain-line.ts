/**
 * The next line of a chain where it is plainly written, as nearly every line of an export is: read where it stands,
 * without building what it says. Pure. It takes nothing that the slow reading would not take; what it does not take may
 * be sound all the same, and is for the slow reading to judge.
 */
import { bodyHash, entryHash, type Head } from "./chain.ts";
import { parse } from "./reading.ts";
import { plainTexts } from "./scan.ts";

/** What whoever comes next has to follow from. */
export interface Due {
  readonly org: string;
  readonly head: Head;
}

export interface PlainLine {
  readonly hash: string;
  readonly at: number;
}

const HASH_LENGTH = 64;
const BEGINS = '{"hash":"';
const ENTRY = '","entry":"{\\"at\\":';
const BODY_HASH = ',\\"body_hash\\":\\"';
const KIND = '\\",\\"kind\\":\\"';
const ORG = '\\",\\"org\\":\\"';
const BODY = ',\\"v\\":1}","body":"';
const ENDS = '"}';

/** Texts that stand in JSON as they are, also in a text that stands in JSON itself. */
const WORD = /^[\w-]{1,200}$/;
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;
/** A whole number in its one form, and one that a double holds. */
const WHOLE = /^(?:0|[1-9][0-9]{0,14})$/;

/**
 * The line as what follows `due`, with every hash that it names; `null` where it is not plainly that.
 * @param depth levels that a body may nest
 */
export function plainNext(line: string, { org, head }: Due, depth: number): PlainLine | null {
  if (!line.startsWith(BEGINS) || !line.endsWith(ENDS) || !WORD.test(org)) return null;
  const hash = line.slice(BEGINS.length, BEGINS.length + HASH_LENGTH);
  let from = BEGINS.length + HASH_LENGTH;
  if (!line.startsWith(ENTRY, from)) return null;
  from += ENTRY.length;

  let to = line.indexOf(",", from);
  const at = line.slice(from, to);
  if (!WHOLE.test(at) || !line.startsWith(BODY_HASH, to)) return null;
  from = to + BODY_HASH.length;
  const commits = line.slice(from, from + HASH_LENGTH);
  from += HASH_LENGTH;
  if (!line.startsWith(KIND, from)) return null;
  from += KIND.length;

  to = line.indexOf("\\", from);
  const kind = line.slice(from, to);
  const follows = `${ORG}${org}\\",\\"prev\\":\\"${head.hash}\\",\\"seq\\":${head.seq + 1},\\"session\\":`;
  if (!WORD.test(kind) || !line.startsWith(follows, to)) return null;
  from = to + follows.length;

  let session = "null";
  if (line.startsWith('\\"', from)) {
    to = line.indexOf("\\", from + 2);
    const name = line.slice(from + 2, to);
    if (!PLAIN.test(name) || !line.startsWith('\\"', to)) return null;
    session = `"${name}"`;
    from = to + 2;
  } else if (line.startsWith(session, from)) from += session.length;
  else return null;
  if (!line.startsWith(BODY, from)) return null;
  from += BODY.length;

  const written = line.slice(from - 1, 1 - ENDS.length);
  const body = parse(written);
  if (typeof body !== "string" || body.includes("\\")) return null;
  const texts = plainTexts(body, depth);
  // Each quotation mark takes one character more than it is, and nothing else does: there is no shorter way to write it.
  if (texts === -1 || written.length !== body.length + 2 + 2 * texts || bodyHash(body) !== commits)
    return null;
  const entry = `{"at":${at},"body_hash":"${commits}","kind":"${kind}","org":"${org}","prev":"${head.hash}","seq":${head.seq + 1},"session":${session},"v":1}`;
  return entryHash(entry) === hash ? { hash, at: Number(at) } : null;
}
