/**
 * Everything that an organization has, as one stream of lines. Between the lines stand marks: whoever was cut off goes on
 * after the last one that they have. Chains come as they are exported one by one, so that each can be checked by itself.
 */
import * as z from "zod";
import {
  EXPORTED_TABLES,
  type ExportedTable,
  type KeyValue,
  keyLength,
  listExported,
  nextChain,
  PRIVATE_TABLES,
} from "../db/exporting.ts";
import { readOrganization } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { familiesOf } from "./drift-families.ts";
import { comesBefore } from "./drift-governed.ts";
import { chainLines } from "./exporting.ts";
import { MAX_ID_CHARACTERS } from "./schemas.ts";

/** Characters of a chain between two marks. */
const MARK_CHARACTERS = 4 * 1024 * 1024;
export const MAX_MARK_CHARACTERS = 4_000;

const SESSIONS = "session:";
const ORGANIZATION = "organization";
/** In code units, as an id's are counted. */
const MAX_CHAIN_CHARACTERS = SESSIONS.length + MAX_ID_CHARACTERS * 2;

const NOT_INCLUDED = [
  "secrets: hashes of keys and sign-ins, sealed keys, the addresses of channels",
  "private text that was purged or is past its days",
  "sessions that were opened in the last seconds, and that the search copy does not know of yet",
  "what the sessions' objects keep to judge by: it is made of the entries",
];

/** Where an export goes on. */
export type ExportMark =
  | { readonly table: ExportedTable; readonly after: readonly KeyValue[] | null }
  | { readonly chain: string; readonly seq: number };

const Mark = z.union([
  z
    .strictObject({
      table: z.enum(EXPORTED_TABLES as [ExportedTable, ...ExportedTable[]]),
      after: z
        .array(z.union([z.string().max(2_000), z.int()]))
        .max(4)
        .nullable(),
    })
    .refine(({ table, after }) => after === null || after.length === keyLength(table)),
  z.strictObject({
    chain: z.string().refine((chain) => chain === "" || isChain(chain)),
    seq: z.int().min(0),
  }),
]);

/** @throws {Problem} `invalid-request` for what no export has said */
export function readMark(text: string): ExportMark {
  try {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    return Mark.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch {
    throw new Problem("invalid-request", "This is no mark of an export.", {
      errors: [{ pointer: "/after", detail: "the `after` of a line of the kind `mark`", code: "not-a-mark" }],
    });
  }
}

function writeMark(mark: ExportMark): string {
  const bytes = new TextEncoder().encode(JSON.stringify(mark));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function markLine(mark: ExportMark): string {
  return JSON.stringify({ kind: "mark", after: writeMark(mark) });
}

/**
 * The lines of an export.
 * @param from where it goes on; `null` from the beginning
 * @param disclose adds private texts that are still kept
 */
export async function* exportLines(
  env: Env,
  organization: string,
  from: ExportMark | null,
  disclose: boolean,
  now: number,
): AsyncGenerator<string> {
  yield JSON.stringify({
    kind: "manifest",
    countersign_export: 1,
    organization,
    at: now,
    goes_on_after: from === null ? null : writeMark(from),
    private: disclose,
    holds: ["organization", ...EXPORTED_TABLES, "chains"],
    not_included: NOT_INCLUDED,
  });
  if (from === null) yield await organizationLine(env.DB, organization);
  if (from === null || "table" in from) yield* tableLines(env.DB, organization, from, disclose);
  yield* everyChain(env, organization, from !== null && "chain" in from ? from : null, disclose);
  yield JSON.stringify({ kind: "end" });
}

async function organizationLine(db: D1Database, organization: string): Promise<string> {
  const row = await readOrganization(db, organization);
  if (row === null) throw new Error("the organization is not there");
  const { compiler, ...settings } = JSON.parse(row.settings) as {
    compiler?: Readonly<Record<string, unknown>>;
  };
  const { key: _sealed, ...shown } = compiler ?? {};
  return JSON.stringify({
    kind: "organization",
    organization_id: organization,
    name: row.name,
    policy_version: row.policy_version,
    created_at: row.created_at,
    settings: compiler === undefined ? settings : { ...settings, compiler: shown },
    tool_table: JSON.parse(row.tool_table) as unknown,
    tool_table_version: row.tool_table_version,
    purged_before: row.purged_before,
  });
}

async function* tableLines(
  db: D1Database,
  organization: string,
  from: Extract<ExportMark, { table: unknown }> | null,
  disclose: boolean,
): AsyncGenerator<string> {
  const first = from === null ? 0 : EXPORTED_TABLES.indexOf(from.table);
  for (const table of EXPORTED_TABLES.slice(first)) {
    let after = from?.table === table ? from.after : null;
    while (disclose || !PRIVATE_TABLES.has(table)) {
      const page = await listExported(db, organization, table, after);
      for (const row of page.rows) yield JSON.stringify({ ...row, kind: page.kind });
      after = page.next;
      if (after === null) break;
      yield markLine({ table, after });
    }
    const next = EXPORTED_TABLES[EXPORTED_TABLES.indexOf(table) + 1];
    yield markLine(next === undefined ? { chain: "", seq: 0 } : { table: next, after: null });
  }
}

async function* everyChain(
  env: Env,
  organization: string,
  from: Extract<ExportMark, { chain: unknown }> | null,
  disclose: boolean,
): AsyncGenerator<string> {
  const known = await knownChains(env, organization, from?.chain ?? "");
  let chain = from === null || from.chain === "" ? await known("") : from.chain;
  let after = from?.chain === chain ? (from?.seq ?? 0) : 0;
  while (chain !== null) {
    yield* oneChain(env, organization, chain, disclose, after);
    const next: string | null = await known(chain);
    if (next !== null) yield markLine({ chain: next, seq: 0 });
    chain = next;
    after = 0;
  }
}

/**
 * Which chain comes after another, out of what the database names and of the families that the organization's object
 * knows: one that was taken out of the database is exported all the same.
 */
async function knownChains(
  env: Env,
  organization: string,
  from: string,
): Promise<(after: string) => Promise<string | null>> {
  const first = from.startsWith(SESSIONS) ? from.slice(SESSIONS.length) : "";
  let { roots, next } = await familiesOf(env, organization, first);
  let passed = 0;
  const nextRoot = async (after: string): Promise<string | null> => {
    for (;;) {
      // It is asked in the order of the names: what was passed once is not looked at again.
      for (; passed < roots.length; passed += 1) {
        const root = roots[passed];
        if (root !== undefined && (after === "" || comesBefore(after, root))) return root;
      }
      if (next === null) return null;
      ({ roots, next } = await familiesOf(env, organization, next));
      passed = 0;
    }
  };
  const nextNamed = async (after: string): Promise<string | null> => {
    for (let at: string | null = after; at !== null; ) {
      at = await nextChain(env.DB, organization, at);
      // What no object can be called was put there by somebody else.
      if (at !== null && isChain(at)) return at;
    }
    return null;
  };
  return async (after) => {
    const named = await nextNamed(after);
    if (named === ORGANIZATION) return named;
    const root = await nextRoot(after.startsWith(SESSIONS) ? after.slice(SESSIONS.length) : "");
    if (root === null) return named;
    const chain = `${SESSIONS}${root}`;
    return named === null || comesBefore(chain, named) ? chain : named;
  };
}

function isChain(chain: string): boolean {
  return (
    chain === ORGANIZATION ||
    (chain.startsWith(SESSIONS) && chain.length > SESSIONS.length && chain.length <= MAX_CHAIN_CHARACTERS)
  );
}

async function* oneChain(
  env: Env,
  organization: string,
  chain: string,
  disclose: boolean,
  after: number,
): AsyncGenerator<string> {
  const session = chain.startsWith(SESSIONS) ? chain.slice(SESSIONS.length) : null;
  yield JSON.stringify({ kind: "chain", chain, session, after });
  let seq = after;
  let characters = 0;
  for await (const line of chainLines(env, { org: organization, session }, disclose, after)) {
    yield line;
    seq += 1;
    characters += line.length;
    if (characters < MARK_CHARACTERS) continue;
    characters = 0;
    yield markLine({ chain, seq });
  }
}
