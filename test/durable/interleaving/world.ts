/**
 * One organization with one family, in which everything that a purge can meet happens step by step: calls, deliveries that
 * fail or whose answer is lost, batches that arrive late, purges that break off, removal, restarts, a clock that goes back.
 */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { type DeliverableEntry, publishEntries } from "../../../src/db/publish.ts";
import { readPurged } from "../../../src/db/purged.ts";
import { deliverable } from "../../../src/durable/delivery.ts";
import { governAs } from "../../../src/http/governing.ts";
import { purgeOn } from "../../../src/http/purging.ts";
import { retain } from "../../../src/http/retention.ts";
import { verifyChain } from "../../../src/ledger/index.ts";
import { must, newTenant, openSession, send, type Tenant } from "../../support/api.ts";
import { organizationStubOf, sessionStubOf } from "../../support/record.ts";
import { everyPlace } from "../privacy/places.ts";

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

export type Step =
  | { readonly do: "say" | "call" | "ask" | "end"; readonly who: number }
  | { readonly do: "answer"; readonly how: "approve" | "deny"; readonly which: number }
  | { readonly do: "retry"; readonly which: number }
  | { readonly do: "deliver"; readonly how: "whole" | "away" | "lost" }
  | { readonly do: "read" | "arrive" | "restart" | "remove" | "alarm" | "part" }
  | { readonly do: "purge"; readonly ago: number; readonly looks: number }
  | { readonly do: "go on"; readonly looks: number }
  | { readonly do: "at once"; readonly who: number; readonly ago: number }
  | { readonly do: "pass"; readonly ms: number };

/** Something private that was taken, and when by its entry. */
interface Taken {
  readonly mark: string;
  /** By the newest entry that says it. */
  at: number;
  readonly root: string;
}

interface Pending {
  readonly call: {
    readonly call_id: string;
    readonly tool: string;
    readonly args: { readonly command: string };
  };
  readonly session: string;
  readonly id: string;
  readonly digest: string;
  state: "pending" | "approved" | "closed";
  /** When it came to be so. */
  since: number;
}

/** Less than any approval waits, and any grant lasts. */
const LASTS_MS = 60_000;

const pathOf = (session: string): string => `/v1/sessions/${encodeURIComponent(session)}`;

export class World {
  readonly tenant: Tenant;
  readonly #taken: Taken[] = [];
  readonly #digests: Taken[] = [];
  readonly #asks: Pending[] = [];
  readonly #read: { readonly root: string; readonly rows: DeliverableEntry[] }[] = [];
  readonly #roots: string[] = [];
  #count = 0;
  #purges = 0;

  private constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  static async begin(): Promise<World> {
    const world = new World(
      await newTenant("Interleaved", {
        engines: { provenance: "off" },
        retention: { ended_sessions_days: 2 },
      }),
    );
    await env.DB.prepare("UPDATE member_sessions SET expires_at = ? WHERE organization_id = ?")
      .bind(Date.now() + 10_000 * DAY, world.tenant.organization)
      .run();
    await world.#open();
    return world;
  }

  get #root(): string {
    return this.#roots.at(-1) ?? "";
  }

  get #members(): string[] {
    return [this.#root, `${this.#root} goes on`, `${this.#root} child`];
  }

  async #open(): Promise<void> {
    this.#roots.push(`family ${this.#roots.length} of ${this.tenant.organization}`);
    const [root = "", continuation = "", child = ""] = this.#members;
    await openSession(this.tenant, root);
    await openSession(this.tenant, continuation, { continues: root });
    await openSession(this.tenant, child, { child_of: root });
  }

  #mark(): string {
    this.#count += 1;
    return `${this.tenant.organization.slice(4)}mark${String(this.#count).padStart(4, "0")}x`;
  }

  async step(step: Step): Promise<void> {
    switch (step.do) {
      case "say":
        return this.#say(this.#members[step.who % 3] ?? "");
      case "call":
        return this.#call(this.#members[step.who % 3] ?? "", false);
      case "ask":
        return this.#call(this.#members[step.who % 3] ?? "", true);
      case "end":
        await this.#insist(this.#members[step.who % 3] ?? "", "/end", {});
        return;
      case "answer":
        return this.#answer(step.how, step.which);
      case "retry":
        return this.#retry(step.which);
      case "deliver":
        return this.#deliver(step.how);
      case "read":
        this.#read.push({ root: this.#root, rows: await this.#waiting() });
        return;
      case "arrive": {
        const late = this.#read.shift();
        if (late !== undefined)
          await publishEntries(env.DB, { org: this.tenant.organization, session: late.root }, late.rows);
        return;
      }
      case "restart":
        return evictDurableObject(sessionStubOf(this.tenant, this.#root));
      case "alarm":
        await runDurableObjectAlarm(sessionStubOf(this.tenant, this.#root));
        return;
      case "part":
        await sessionStubOf(this.tenant, this.#root).forget(
          await readPurged(env.DB, this.tenant.organization),
        );
        return;
      case "purge":
        return this.#purge(step.ago, step.looks);
      case "go on":
        await this.#goOn(step.looks);
        return;
      case "at once":
        await Promise.all([
          this.#purge(step.ago, 1_000),
          this.#call(this.#members[step.who % 3] ?? "", false),
          this.#say(this.#root),
          runDurableObjectAlarm(sessionStubOf(this.tenant, this.#root)),
          this.#goOn(1_000),
        ]);
        return;
      case "remove":
        return this.#remove();
      case "pass":
        vi.setSystemTime(Date.now() + step.ms);
    }
  }

  /** Sends until it is taken: where a session runs may have to be said again, and one that is over be opened. */
  async #insist(session: string, path: string, json: object) {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const answer = await send(`${pathOf(session)}${path}`, { key: this.tenant.key, json });
      if (answer.status < 400) return answer.json;
      if (!["session-gone", "session-ended"].includes(answer.json.code)) throw new Error(answer.text);
      await openSession(this.tenant, session);
    }
    throw new Error(`${session} takes nothing`);
  }

  async #say(session: string): Promise<void> {
    const root = this.#root;
    const mark = this.#mark();
    const { at } = await this.#insist(session, "/turns", { text: `Note: ${mark}.` });
    this.#taken.push({ mark, at, root });
  }

  async #call(session: string, isAsk: boolean): Promise<void> {
    const root = this.#root;
    const mark = this.#mark();
    // A copy: its paths stand in the object's own tables, as a backup once it is reported.
    const copy = `cp /home/u/work/${mark}.md /tmp/${mark}.md`;
    const command = isAsk ? `git push origin ${mark}` : copy;
    const call = {
      call_id: `call ${this.#count} of ${root}`,
      tool: "terminal",
      args: { command },
      ask_through: isAsk ? "approvals" : "harness",
    };
    const { at, verdict, approval, action_digest: digest } = await this.#insist(session, "/decisions", call);
    if (verdict !== "ask" || (approval !== null) !== isAsk) throw new Error(`decided otherwise: ${verdict}`);
    this.#taken.push({ mark, at, root });
    this.#digests.push({ mark: digest, at, root });
    if (approval !== null)
      this.#asks.push({ call, session, id: approval.id, digest, state: "pending", since: Date.now() });
    else
      await must(`${pathOf(session)}/outcomes`, {
        key: this.tenant.key,
        json: { call_id: call.call_id, outcome: "success", answered_by: "harness" },
      });
  }

  async #answer(how: "approve" | "deny", which: number): Promise<void> {
    const open = this.#asks.filter(({ state }) => state === "pending");
    const one = open[which % Math.max(open.length, 1)];
    if (one === undefined) return;
    const mark = this.#mark();
    const { json } = await must(`/v1/approvals/${one.id}/decision`, {
      cookie: this.tenant.cookie,
      json: {
        decision: how,
        action_digest: one.digest,
        ...(how === "deny" ? { reason: { text: `No: ${mark}` } } : {}),
      },
    });
    one.state = json.approval.status === "approved" ? "approved" : "closed";
    one.since = Date.now();
    if (json.tap === "decided" && how === "deny")
      this.#taken.push({ mark, at: json.approval.decided_at, root: this.#root });
  }

  /** The same call again: answered as before, or told that it is gone; one that was approved runs, once. */
  async #retry(which: number): Promise<void> {
    const open = this.#asks.filter(({ state }) => state !== "closed");
    const some = open.length > 0 ? open : this.#asks;
    const one = some[which % Math.max(some.length, 1)];
    if (one === undefined) return;
    const { status, json, text, headers } = await send(`${pathOf(one.session)}/decisions`, {
      key: this.tenant.key,
      json: one.call,
    });
    const isOver = status === 410 && ["gone", "session-gone", "session-ended"].includes(json.code);
    if (!isOver && status !== 200) throw new Error(text);
    const isOpen = one.state !== "closed" && Date.now() - one.since < LASTS_MS;
    if (
      isOpen &&
      json.code !== "session-ended" &&
      json.verdict !== (one.state === "approved" ? "allow" : "ask")
    )
      throw new Error(`what is ${one.state} was forgotten: ${text}`);
    if (status === 200 && json.verdict === "allow" && one.state !== "approved")
      throw new Error(`it runs without leave: ${one.state}`);
    if (status === 200 && json.verdict === "allow") one.state = "closed";
    if (status !== 200 || headers.get("idempotent-replayed") !== null) return;
    // Judged anew: there is another entry that says the same.
    for (const known of [...this.#taken, ...this.#digests])
      if (known.mark === one.digest || one.call.args.command.includes(known.mark)) known.at = json.at;
  }

  async #deliver(how: "whole" | "away" | "lost"): Promise<void> {
    const real = env.DB.batch.bind(env.DB);
    const held = vi.spyOn(env.DB, "batch");
    if (how === "away") held.mockRejectedValue(new Error("D1_ERROR: away"));
    if (how === "lost")
      held.mockImplementation(async (statements) => {
        await real(statements);
        throw new Error("D1_ERROR: the answer is lost");
      });
    try {
      await runDurableObjectAlarm(sessionStubOf(this.tenant, this.#root));
    } finally {
      held.mockRestore();
    }
  }

  /** What the outbox would send now. */
  async #waiting(): Promise<DeliverableEntry[]> {
    const stub = sessionStubOf(this.tenant, this.#root);
    return runInDurableObject(stub, (_, { storage: { sql } }) =>
      sql
        .exec<Record<string, SqlStorageValue> & DeliverableEntry>(
          `SELECT seq, hash, entry, body, private, salt, publish FROM entries
           WHERE seq > coalesce((SELECT value FROM meta WHERE key = 'delivered'), 0) ORDER BY seq`,
        )
        .toArray()
        .map((row) => deliverable(row)),
    );
  }

  /** Begins a purge, which breaks off after so many looks at the clock. */
  async #purge(ago: number, looks: number): Promise<void> {
    const { organization } = this.tenant;
    const before = Date.now() + 1 - ago;
    this.#purges += 1;
    if (before > (await readPurged(env.DB, organization)))
      await governAs(env, organization, { kind: "purge", before }, null, `purge ${this.#purges}`);
    await this.#goOn(looks);
  }

  async #goOn(looks: number): Promise<boolean> {
    const { organization } = this.tenant;
    let looked = 0;
    const isLate = () => {
      looked += 1;
      return looked > looks;
    };
    return (await purgeOn(env, organization, await readPurged(env.DB, organization), isLate)).done;
  }

  /** Days go by, everything is sealed, and the clock removes what is quiet; another family begins then. */
  async #remove(): Promise<void> {
    vi.setSystemTime(Date.now() + 3 * HOUR);
    for (let rung = 0; rung < 3; rung += 1) await this.#drain();
    await must("/v1/checkpoints", { method: "POST", cookie: this.tenant.cookie });
    vi.setSystemTime(Date.now() + 3 * DAY);
    await retain(env, Date.now(), Date.now() + 20_000);
    const { place } = await sessionStubOf(this.tenant, this.#root).locate();
    if (place !== "ended") return;
    for (const session of this.#members) {
      const late = await send(`${pathOf(session)}/decisions`, {
        key: this.tenant.key,
        json: { call_id: "late", tool: "terminal", args: { command: "ls" } },
      });
      if (late.json.code !== "session-ended") throw new Error(`a late call to ${session}: ${late.text}`);
    }
    this.#read.length = 0;
    this.#asks.length = 0;
    await this.#open();
  }

  async #drain(): Promise<void> {
    await runDurableObjectAlarm(sessionStubOf(this.tenant, this.#root));
    await runDurableObjectAlarm(organizationStubOf(this.tenant));
  }

  async #exported(root: string): Promise<string> {
    return (await must(`${pathOf(root)}/ledger?disclose=private`, { cookie: this.tenant.cookie })).text;
  }

  /**
   * What is wrong now: a chain that does not verify, a text that is older than the purge and is told, one that is newer
   * and is not.
   */
  async faults(): Promise<string[]> {
    const faults: string[] = [];
    const before = await readPurged(env.DB, this.tenant.organization);
    for (const root of this.#roots) {
      const text = await this.#exported(root);
      const { broken } = verifyChain(text);
      if (broken !== null) faults.push(`${root}: ${JSON.stringify(broken)}`);
      for (const { mark, at } of this.#taken.filter((one) => one.root === root))
        if (text.includes(mark) !== at >= before)
          faults.push(`${mark} of ${at - before} is ${at >= before ? "lost" : "told"}`);
    }
    return faults;
  }

  /** The same once everything has come to rest, wherever anything is stored; and that calls are still decided. */
  async faultsAtRest(): Promise<string[]> {
    for (const late of this.#read.splice(0))
      await publishEntries(env.DB, { org: this.tenant.organization, session: late.root }, late.rows);
    // Longer than any approval, grant and pause.
    for (let rung = 0; rung < 4; rung += 1) {
      vi.setSystemTime(Date.now() + 3 * HOUR);
      await this.#drain();
    }
    for (let run = 0; !(await this.#goOn(1_000)); run += 1) if (run > 20) return ["the purge does not end"];
    for (let rung = 0; rung < 2; rung += 1) {
      vi.setSystemTime(Date.now() + 3 * HOUR);
      await this.#drain();
    }
    const before = await readPurged(env.DB, this.tenant.organization);
    const places = await everyPlace();
    const faults = await this.faults();
    for (const { mark, at, root } of this.#taken) {
      const where = [...places].flatMap(([place, text]) => (text.includes(mark) ? [place] : []));
      // A call id is no private text, and holds the mark here.
      if (at < before && where.length > 0)
        faults.push(`${mark} of ${at - before} is left in ${where.join(", ")}`);
      if (at >= before && !where.includes("D1 records"))
        faults.push(`${mark} of ${root} is not in the records`);
    }
    // A newer answer to an approval says again which action it was about.
    for (const { mark, at } of this.#digests.filter((one) => one.at < before))
      for (const [place, text] of places)
        if (text.includes(mark) && !/^D1 records$| entries$/.test(place))
          faults.push(`a digest of ${at - before} is left in ${place}`);
    await this.#call(this.#root, false);
    return faults;
  }
}
