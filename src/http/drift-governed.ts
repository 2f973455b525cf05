/**
 * Compares D1's copy of what governs with what the organization's object has on record, and its copy of approvals with
 * the families' objects. Whoever can write the database could otherwise add a key, raise a role, change an oath or mark
 * an approval, and nothing would show it.
 *
 * Rows are written and delivered while this looks. A difference counts only when the object says the same before and
 * after the database was read, and has nothing of that row on its way.
 */
import {
  type ComparedTable,
  comparedColumns,
  expectedValue,
  type FoundRow,
  isKnown,
  listCompared,
  readCompared,
  readSworn,
} from "../db/governed.ts";
import { readPurged } from "../db/purged.ts";
import type { CopiedApprovals } from "../durable/copies.ts";
import { GOVERNED, type GovernedTable } from "../durable/governed.ts";
import type { Finding } from "./alerts.ts";
import { callObject, organizationStub, sessionStub } from "./sessions.ts";

/** No credential of a member lasts longer: those that are older than what the object knows of have run out by then. */
const CREDENTIAL_MS = 24 * 60 * 60 * 1000;
/** Characters of an id that a finding tells: whoever writes a row may call it anything. */
const ID_CHARACTERS = 200;
/** No session's id is longer. */
const ROOT_CHARACTERS = 1_000;
/** Approvals of one question to an object. */
const ASKED = 200;

type Row = Readonly<Record<string, unknown>>;

/** A row of which the object and the database say two things. */
export interface Difference {
  readonly table: ComparedTable;
  readonly id: string;
  /** The family whose object has it; `null` for the organization's. */
  readonly root: string | null;
  /** The first column that differs; `null` where the row is on one side alone. */
  readonly column: string | null;
  /** As the object has it; `null` where nobody put it on record. */
  readonly expected: Row | null;
  /** As the database has it; `null` where it is gone. */
  readonly found: FoundRow | null;
  /** Of the object's chain, when its row was read. */
  readonly head: number;
}

/** Where a comparison goes on; `null` from the beginning. */
export interface GovernedCursor {
  readonly table: GovernedTable | "approvals";
  readonly after: string | null;
}

/** In this order. */
export const GOVERNED_STEPS: readonly GovernedCursor["table"][] = [...GOVERNED, "approvals"];

export interface GovernedCheck {
  readonly differences: readonly Difference[];
  readonly rows: number;
  /** `null` at the end. */
  readonly next: GovernedCursor | null;
}

/** Looks at one page of one table. */
export async function checkGoverned(
  env: Env,
  organization: string,
  cursor: GovernedCursor | null,
  now: number,
): Promise<GovernedCheck> {
  const { table, after } = cursor ?? { table: GOVERNED[0], after: null };
  const page =
    table === "approvals"
      ? await approvalPage(env, organization, after, now)
      : await governedPage(env, organization, table, after, now);
  const next = page.next === null ? stepAfter(cursor) : { table, after: page.next };
  return { differences: page.differences, rows: page.rows, next };
}

/** The beginning of the next table; `null` after the last. */
export function stepAfter(cursor: GovernedCursor | null): GovernedCursor | null {
  const table = cursor?.table ?? GOVERNED[0];
  const following = GOVERNED_STEPS[GOVERNED_STEPS.indexOf(table) + 1];
  return following === undefined ? null : { table: following, after: null };
}

/** The finding that a difference is. */
export function findingOf({ table, id, root, column, expected, found }: Difference): Finding {
  const what = table === "approvals" ? "approval" : "governing";
  const code = found === null ? "missing" : expected === null ? "unrecorded" : "altered";
  return {
    code: `${code}-${what}`,
    place: "database",
    chain: root === null ? "organization" : `session:${shortened(root)}`,
    seq: 0,
    table,
    id: shortened(id),
    ...(column === null ? {} : { column }),
  };
}

function shortened(id: string): string {
  return [...id].slice(0, ID_CHARACTERS).join("").toWellFormed();
}

interface Expected {
  readonly row: Row;
  readonly pending: boolean;
}
interface Asked {
  readonly rows: ReadonlyMap<string, Expected>;
  readonly head: number;
  /** Credentials of members that are older are none that the object could know. */
  readonly since: number;
}

async function governedPage(
  env: Env,
  organization: string,
  table: GovernedTable,
  after: string | null,
  now: number,
): Promise<{ differences: Difference[]; rows: number; next: string | null }> {
  const listed = await listCompared(env.DB, organization, table, after, now);
  const page = await callObject(
    () => organizationStub(env, organization),
    (stub) => stub.governed(table, after),
  );
  // Nothing governs an organization that was never made.
  if (page === null) return { differences: [], rows: 0, next: null };
  // The end of the shorter page: beyond it one side was not read.
  const ends = [listed.full ? (listed.rows.at(-1)?.id ?? null) : null, page.next].flatMap((end) => end ?? []);
  const end = ends.reduce<string | null>(
    (least, one) => (least === null || comesBefore(one, least) ? one : least),
    null,
  );
  const within = (id: string): boolean => end === null || id === end || comesBefore(id, end);
  const found = new Map(listed.rows.filter(({ id }) => within(id)).map((row) => [row.id, row]));
  const expected = new Map(page.rows.filter(({ id }) => within(id)).map(({ id, ...row }) => [id, row]));
  const suspects: string[] = [];
  for (const id of new Set([...found.keys(), ...expected.keys()])) {
    const [due, row] = [expected.get(id), found.get(id)];
    if ((await faultOf(env, organization, table, due?.row ?? null, row ?? null, page.head)) !== "none")
      suspects.push(id);
  }
  const ask = async (): Promise<Asked> => {
    const { rows, head, since } = (await callObject(
      () => organizationStub(env, organization),
      (stub) => stub.governed(table, suspects),
    )) ?? { rows: [], head: 0, since: 0 };
    return { rows: new Map(rows.map(({ id, ...row }) => [id, row])), head, since };
  };
  const differences = await confirmed(env, organization, table, null, suspects, ask, now);
  return { differences, rows: Math.max(found.size, expected.size), next: end };
}

/** The differences that are still there when both sides are asked once more. */
async function confirmed(
  env: Env,
  organization: string,
  table: ComparedTable,
  root: string | null,
  suspects: readonly string[],
  ask: () => Promise<Asked>,
  now: number,
): Promise<Difference[]> {
  if (suspects.length === 0) return [];
  const first = await ask();
  const found = await readCompared(env.DB, organization, table, suspects, now);
  const { rows, head, since } = await ask();
  const differences: Difference[] = [];
  for (const id of suspects) {
    const due = rows.get(id) ?? null;
    const row = found.get(id) ?? null;
    const isMoving =
      due?.pending === true || JSON.stringify(first.rows.get(id) ?? null) !== JSON.stringify(due);
    if (isMoving || isBeyondKnowledge(table, row, due, since)) continue;
    const column = await faultOf(env, organization, table, due?.row ?? null, row, head);
    if (column === "none") continue;
    differences.push({ table, id, root, column, expected: due?.row ?? null, found: row, head });
  }
  return differences;
}

/** Credentials are written after they are on record, by whoever asked: one that is not there was never given out. */
function isBeyondKnowledge(
  table: ComparedTable,
  found: FoundRow | null,
  due: Expected | null,
  since: number,
): boolean {
  if (table !== "sign_in_links" && table !== "member_sessions") return false;
  if (found === null) return true;
  const { created_at, expires_at } = found.values;
  return due === null && Number(created_at) < since && Number(expires_at) < since + CREDENTIAL_MS;
}

/** The column in which two rows differ, `null` where one is missing, `none` where they say the same. */
async function faultOf(
  env: Env,
  organization: string,
  table: ComparedTable,
  due: Row | null,
  found: FoundRow | null,
  head: number,
): Promise<string | null> {
  if (due === null || found === null) return due === null && found === null ? "none" : null;
  const row = table === "oath_versions" ? await sworn(env, organization, due) : due;
  for (const column of comparedColumns(table)) {
    if (!isKnown(row, column)) continue;
    const expected = expectedValue(table, row, column);
    const value = found.values[column] ?? null;
    if (column === "ended_at") {
      // Signed out here and still let in there. The other way round the note has yet to come.
      if (expected !== null && value === null) return column;
    } else if (value !== expected && !(await isPurged(env, organization, table, column, found)))
      return column;
  }
  // A change that is yet to come would be passed over for this row.
  return found.changed_seq > head ? "changed_seq" : "none";
}

/** A digest that a purge took out of the database while the object still needs it, or the other way round. */
async function isPurged(
  env: Env,
  organization: string,
  table: ComparedTable,
  column: string,
  { values }: FoundRow,
): Promise<boolean> {
  if (table !== "approvals" || column !== "action_digest") return false;
  return Number(values["opened_at"]) < (await readPurged(env.DB, organization));
}

/** What an older object did not keep of an oath stands in the record, whose commitment is held against it there. */
async function sworn(env: Env, organization: string, row: Row): Promise<Row> {
  if (row["text"] !== null) return row;
  const { text: _text, sworn_by: _by, sworn_at: _at, ...known } = row;
  const record = await readSworn(env.DB, organization, String(row["oath"]), Number(row["version"]));
  // One that is missing there is told of with the chain.
  if (record === null || record.private === null) return known;
  try {
    const { text } = JSON.parse(record.private) as { text?: unknown };
    const { by } = JSON.parse(record.body) as { by?: unknown };
    return { ...known, text, sworn_by: typeof by === "string" ? by : "operator" };
  } catch {
    return known;
  }
}

/** A page of the database's approvals, each held against its family's object. */
async function approvalPage(
  env: Env,
  organization: string,
  after: string | null,
  now: number,
): Promise<{ differences: Difference[]; rows: number; next: string | null }> {
  const listed = await listCompared(env.DB, organization, "approvals", after, now);
  const families = new Map<string, string[]>();
  for (const { id, values } of listed.rows) {
    const root = String(values["root_id"]);
    families.set(root, [...(families.get(root) ?? []), id]);
  }
  const differences: Difference[] = [];
  for (const [root, ids] of families)
    differences.push(...(await checkApprovals(env, organization, root, ids, now)));
  return {
    differences,
    rows: listed.rows.length,
    next: listed.full ? (listed.rows.at(-1)?.id ?? null) : null,
  };
}

/** Approvals of one family. @param ids which of them; `null` for all that its object has */
export async function checkApprovals(
  env: Env,
  organization: string,
  root: string,
  ids: readonly string[] | null,
  now: number,
): Promise<Difference[]> {
  const ask = (from: string | readonly string[]): Promise<CopiedApprovals> =>
    // No object has such a name: what is said to live there was never on record.
    root === "" || root.length > ROOT_CHARACTERS
      ? Promise.resolve({ rows: [], next: null, head: Number.MAX_SAFE_INTEGER, removed: false })
      : callObject(
          () => sessionStub(env, organization, root),
          (stub) => stub.copiedApprovals(from),
        );
  const differences: Difference[] = [];
  let after = "";
  for (;;) {
    const page = await ask(ids ?? after);
    // Where the object is gone, the record is what is left: its approvals bind nobody any more.
    if (page.removed) return differences;
    const expected = new Map(page.rows.map(({ id, ...row }) => [id, row]));
    const asked = ids ?? [...expected.keys()];
    for (let at = 0; at < asked.length; at += ASKED) {
      const some = asked.slice(at, at + ASKED);
      const found = await readCompared(env.DB, organization, "approvals", some, now);
      const suspects: string[] = [];
      for (const id of some) {
        const due = expected.get(id)?.row ?? null;
        const fault = await faultOf(env, organization, "approvals", due, found.get(id) ?? null, page.head);
        if (fault !== "none") suspects.push(id);
      }
      const again = async (): Promise<Asked> => {
        const { rows, head } = await ask(suspects);
        return { rows: new Map(rows.map(({ id, ...row }) => [id, row])), head, since: 0 };
      };
      differences.push(...(await confirmed(env, organization, "approvals", root, suspects, again, now)));
    }
    if (ids !== null || page.next === null) return differences;
    after = page.next;
  }
}

/** The order of UTF-8 bytes, which is that of code points. */
export function comesBefore(a: string, b: string): boolean {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const [x = 0, y = 0] = [left[i]?.codePointAt(0), right[i]?.codePointAt(0)];
    if (x !== y) return x < y;
  }
  return left.length < right.length;
}
