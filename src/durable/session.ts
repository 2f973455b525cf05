/**
 * The one Durable Object class. By its name an object is a session family's (`…/session/…`), an organization's
 * (`…/organization`), or the fingerprint baseline of an agent (`…/agent/…`). Methods are the whole RPC surface: few,
 * coarse, and each one synchronous transaction; only the alarm awaits anything.
 */
import { DurableObject } from "cloudflare:workers";
import { publishEntries } from "../db/publish.ts";
import type { ChainIdentity } from "../ledger/index.ts";
import { log } from "../log.ts";
import { within } from "../within.ts";
import { Baseline } from "./baseline.ts";
import { Calls } from "./calls.ts";
import { Chain } from "./chain.ts";
import { deliverable } from "./delivery.ts";
import { Evidence } from "./evidence.ts";
import { Family } from "./family.ts";
import { type Change, type Changed, Organization } from "./organization.ts";
import {
  type BaselineMove,
  type Compared,
  type CompareInput,
  type DriftInput,
  type DriftRecorded,
  type ExportPage,
  type FamilyStatus,
  type LedgerPosition,
  type Located,
  type ObjectName,
  type Opened,
  type OpenInput,
  type OutcomeInput,
  type OutcomeRecorded,
  parseObjectName,
  type RefusalInput,
  type SessionContext,
  type Settled,
  type SettleInput,
  type TaskStatus,
  type TurnInput,
  type TurnRecorded,
  type TypedMessage,
} from "./protocol.ts";
import { Tables } from "./storage.ts";
import { Task } from "./task.ts";
import { Turns } from "./turns.ts";

/** An alarm runs this long after the first undelivered row: at 200 ms many sessions lose half their throughput, at 5 s 5 %. */
const DRAIN_AFTER_MS = 5_000;
/** Spread, so that sessions that began together do not drain together. */
const DRAIN_JITTER_MS = 2_000;
/** After a failed delivery: doubles up to a minute; the rows wait. */
const RETRY_FIRST_MS = 2_000;
const RETRY_MOST_MS = 60_000;
/** One delivery to D1: far below a statement's and a row's limits. */
const BATCH_ROWS = 200;
const BATCH_BYTES = 512 * 1024;
/** Batches in one alarm; what is left is taken up by the next, so that one alarm stays short. */
const BATCHES_PER_ALARM = 20;
/** D1 that does not answer is taken as failed after this long; a batch is idempotent, so it may be sent again. */
const DELIVERY_TIMEOUT_MS = 10_000;

export class SessionObject extends DurableObject<Env> {
  readonly #tables: Tables;
  readonly #name: ObjectName;
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #task: Task;
  readonly #turns: Turns;
  readonly #evidence: Evidence;
  readonly #calls: Calls;
  readonly #organization: Organization;
  readonly #baseline: Baseline;
  #armed = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const name = parseObjectName(ctx.id.name ?? "");
    if (name === null) throw new Error("a session object is reached by a name of objectName()");
    this.#name = name;
    this.#tables = new Tables(ctx.storage);
    this.#chain = new Chain(this.#tables, identityOf(name));
    const root = name.kind === "session" ? name.session : "";
    this.#family = new Family(this.#tables, this.#chain, root, Date.now);
    this.#task = new Task(this.#tables);
    this.#turns = new Turns(this.#tables, this.#chain, this.#family, this.#task, Date.now);
    this.#evidence = new Evidence(this.#tables, this.#chain);
    this.#calls = new Calls(this.#tables, this.#chain, this.#family, this.#evidence, this.#task, Date.now);
    this.#organization = new Organization(this.#tables, this.#chain, Date.now);
    this.#baseline = new Baseline(this.#tables, Date.now);
  }

  // A session's own object: where is it, and what must be known to read its calls?

  /** Where a session lives: here, in its root's object, or nowhere. Writes nothing. */
  locate(): Located {
    if (this.#name.kind !== "session" || !this.#tables.exist) return { place: "nowhere" };
    const context = this.#family.context(this.#name.session);
    if (context !== null) return { place: "here", context };
    const root = this.#tables.getText("root");
    return root === null ? { place: "nowhere" } : { place: "elsewhere", root };
  }

  /** Binds this name to a family whose root is elsewhere, once and for all. False when it is bound otherwise. */
  claim(root: string): boolean {
    return this.#write(() => {
      const located = this.locate();
      if (located.place === "here") return false;
      if (located.place === "elsewhere") return located.root === root;
      this.#tables.create();
      this.#tables.setText("root", root);
      return true;
    });
  }

  // A root's object: the family.

  context(session: string): SessionContext | null {
    return this.#family.context(session);
  }

  open(input: OpenInput): Opened {
    return this.#write(() => {
      // Between a claim and the family's hearing of it the name is neither here nor there: it must not become a root.
      const claimed = this.#tables.exist && this.#tables.getText("root") !== null;
      return claimed ? { ok: false, code: "session-conflict" } : this.#family.open(input);
    });
  }

  turn(input: TurnInput): TurnRecorded {
    return this.#write(() => this.#turns.turn(input));
  }

  settle(input: SettleInput): Settled {
    return this.#write(() => this.#calls.settle(input));
  }

  outcome(input: OutcomeInput): OutcomeRecorded {
    return this.#write(() => this.#calls.outcome(input));
  }

  /** What the person's words authorise, and what of it has been used. */
  task(): TaskStatus {
    return { policy: this.#task.policy(), use: this.#task.used() };
  }

  /** Messages that were typed and that D1 does not have yet, newest first. Ask here first, then D1: then none is missed. */
  typed(): TypedMessage[] {
    return this.#turns.typed();
  }

  drift(input: DriftInput): DriftRecorded {
    return this.#write(() => this.#turns.drift(input));
  }

  /** What a family has recorded so far. */
  status(): FamilyStatus {
    const { seq, hash } = this.#chain.head();
    return {
      sessions: this.#family.list(),
      verdicts: this.#calls.verdicts(),
      backups: this.#evidence.backups(),
      head: { seq, hash },
      undelivered: this.#chain.lag(),
    };
  }

  // The organization's object.

  change(change: Change, actor: string | null, id: string): Changed {
    return this.#write(() => this.#organization.change(change, actor, id));
  }

  // Any chain.

  /** Leaves the row that every refusal to a known organization leaves. `null` for a chain that was never begun. */
  refuse(input: RefusalInput): LedgerPosition | null {
    if (!this.#tables.exist) return null;
    return this.#write(() => {
      const { session, ...body } = input;
      const head = this.#chain.append({ session, at: Date.now(), kind: "refusal", body });
      return { seq: head.seq, hash: head.hash };
    });
  }

  /** Lines of the export after entry `after`. Call again with `next` until it is `null`. */
  page(after: number, since: number | null = null): ExportPage {
    return this.#chain.page(after, since);
  }

  // An agent's object: its baseline.

  compare(input: CompareInput): Compared {
    return this.#write(() => this.#baseline.compare(input));
  }

  accept(host: string, moves: readonly BaselineMove[]): void {
    this.#write(() => this.#baseline.accept(host, moves));
  }

  /** Delivers what D1 does not have yet. Safe to run twice: every row is idempotent on its key. */
  override async alarm(): Promise<void> {
    this.#armed = true;
    try {
      const isDone = await this.#deliver();
      this.#armed = false;
      if (!isDone) this.#arm(1);
      else if (this.#tables.getNumber("failures") > 0) this.#tables.setNumber("failures", 0);
    } catch (error) {
      // The platform stops retrying a failing alarm after six times; the rows must wait for as long as it takes.
      this.#armed = false;
      const failures = this.#tables.getNumber("failures") + 1;
      this.#tables.setNumber("failures", failures);
      const wait = Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures - 1, 10), RETRY_MOST_MS);
      this.#arm(wait + Math.random() * DRAIN_JITTER_MS);
      log.error("delivery-failed", error, {
        organization: this.#name.organization,
        chain: this.#name.kind,
        failures,
      });
    }
  }

  /** Delivers batch after batch. False when there is more than one alarm should carry. */
  async #deliver(): Promise<boolean> {
    for (let batch = 0; batch < BATCHES_PER_ALARM; batch += 1) {
      const rows = this.#chain.undelivered(BATCH_ROWS, BATCH_BYTES);
      const last = rows.at(-1);
      if (last === undefined) return true;
      await within(
        DELIVERY_TIMEOUT_MS,
        publishEntries(this.env.DB, identityOf(this.#name), rows.map(deliverable)),
      );
      this.#write(() => this.#chain.delivered(last.seq));
    }
    return false;
  }

  #arm(afterMs: number): void {
    if (this.#armed) return;
    this.#armed = true;
    void this.ctx.storage.setAlarm(Date.now() + afterMs);
  }

  /** One transaction; then, in the same turn and so in the same commit, an alarm if rows wait for D1. */
  #write<T>(work: () => T): T {
    try {
      const result = this.#tables.transaction(work);
      if (!this.#armed && this.#chain.lag() > 0) this.#arm(DRAIN_AFTER_MS + Math.random() * DRAIN_JITTER_MS);
      return result;
    } catch (error) {
      this.#chain.forget();
      this.#family.forget();
      this.#task.forget();
      throw error;
    }
  }
}

function identityOf(name: ObjectName): ChainIdentity {
  return { org: name.organization, session: name.kind === "session" ? name.session : null };
}
