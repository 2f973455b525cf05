/** Everything that is stored anywhere, as text that can be searched. */
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type ObjectName, objectName } from "../../../src/durable/protocol.ts";
import { type Form, latin, SHORTEST } from "./forms.ts";

/** Virtual tables: what they hold stands in tables of their own, which are read. */
const VIRTUAL = ["said_search", "evidence_search"];

/** By `D1 <table>`, `<object> <table>`, `<object> values`, `<object> alarm`. */
export type Places = ReadonlyMap<string, string>;

/**
 * Reads every table of D1 whoever's the rows are, and of every object every table, the values and the alarm.
 * Objects first: what is delivered meanwhile stands in D1 then.
 * @param more objects that D1 has not heard of yet
 * @throws where there is an object that nobody could look into, or a table that cannot be read
 */
export async function everyPlace(more: readonly ObjectName[] = []): Promise<Places> {
  const places = new Map<string, string>();
  const unknown = new Set((await listDurableObjectIds(env.SESSION)).map(String));
  for (const name of [...(await everyName()), ...more]) {
    const text = objectName(name);
    if (!unknown.delete(env.SESSION.idFromName(text).toString())) continue;
    await runInDurableObject(env.SESSION.getByName(text), async (_, { storage }) => {
      const { sql } = storage;
      const own = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
      for (const table of ["sqlite_master", ...own.map((one) => one.name)])
        if (!table.startsWith("_cf"))
          places.set(`${text} ${table}`, textOf(sql.exec(`SELECT * FROM "${table}"`).toArray()));
      places.set(`${text} values`, JSON.stringify([...(await storage.list())]));
      places.set(`${text} alarm`, String(await storage.getAlarm()));
    });
  }
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  for (const name of ["sqlite_master", ...tables.map((table) => table.name)]) {
    if (VIRTUAL.includes(name)) continue;
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    places.set(`D1 ${name}`, textOf(results));
  }
  if (unknown.size > 0) throw new Error(`${unknown.size} objects were not looked into`);
  return places;
}

async function everyName(): Promise<ObjectName[]> {
  const rows = async (sql: string) =>
    (await env.DB.prepare(sql).all<{ organization: string; id: string }>()).results;
  const organizations = await rows("SELECT organization_id AS organization, '' AS id FROM organizations");
  const agents = await rows("SELECT organization_id AS organization, agent_id AS id FROM agents");
  const sessions = await rows("SELECT organization_id AS organization, session_id AS id FROM sessions");
  return [
    ...organizations.map(({ organization }) => ({ kind: "organization" as const, organization })),
    ...agents.map(({ organization, id }) => ({ kind: "agent" as const, organization, agent: id })),
    ...sessions.map(({ organization, id }) => ({ kind: "session" as const, organization, session: id })),
  ];
}

function textOf(rows: readonly Record<string, unknown>[]): string {
  const one = (value: unknown): string => {
    if (value instanceof ArrayBuffer) return latin(new Uint8Array(value));
    // D1 gives a blob as a list of its bytes.
    if (Array.isArray(value)) return latin(Uint8Array.from(value as number[]));
    return String(value);
  };
  return rows.map((row) => Object.values(row).map(one).join("\u0001")).join("\u0002");
}

export interface Find {
  readonly kind: string;
  readonly how: string;
  readonly place: string;
}

/** Every form that stands somewhere, and where. Each text is read once, whatever is looked for. */
export function findIn(places: Places, forms: ReadonlyMap<string, readonly Form[]>): Find[] {
  const begins = new Map<string, { kind: string; form: Form }[]>();
  for (const [kind, ways] of forms)
    for (const form of ways) {
      if (form.text.length < SHORTEST) throw new Error(`too short to be looked for: ${form.text}`);
      const begin = form.text.slice(0, SHORTEST);
      const known = begins.get(begin);
      if (known === undefined) begins.set(begin, [{ kind, form }]);
      else known.push({ kind, form });
    }
  const finds = new Map<string, Find>();
  for (const [place, text] of places)
    for (let at = 0; at <= text.length - SHORTEST; at += 1)
      for (const { kind, form } of begins.get(text.slice(at, at + SHORTEST)) ?? []) {
        if (!text.startsWith(form.text, at)) continue;
        const find = { kind, how: form.how, place };
        finds.set(JSON.stringify(find), find);
      }
  return [...finds.values()];
}
