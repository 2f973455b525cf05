/**
 * The one Durable Object class. By its name an object is a session family's (`…/session/…`), an organization's
 * (`…/organization`), or the fingerprint baseline of an agent (`…/agent/…`). Methods are the whole RPC surface: few,
 * coarse, and each one synchronous transaction; only the alarm awaits anything.
 */
import { DurableObject } from "cloudflare:workers";
import { publishEntries } from "../db/publish.ts";
import { checkEnv } from "../env.ts";
import type { ChainIdentity } from "../ledger/index.ts";
import { log } from "../log.ts";
import { sendNotices } from "../notify/outbox.ts";
import { within } from "../within.ts";
import { AlertNotices, type GatheredAlerts } from "./alert-notices.ts";
import type {
  ApprovalRecord,
  Decided,
  DecideInput,
  Edited,
  EditInput,
  Extended,
  ExtendInput,
  Linked,
  LinkInput,
  Looked,
  LookedAtBy,
} from "./approval-protocol.ts";
import { Approvals } from "./approvals.ts";
import { Asks } from "./asks.ts";
import { Baseline } from "./baseline.ts";
import { Calls } from "./calls.ts";
import { Chain } from "./chain.ts";
import { type CopiedApprovals, Copies } from "./copies.ts";
import { Crowds } from "./crowd.ts";
import { deliverable } from "./delivery.ts";
import { Edits } from "./edits.ts";
import { Evidence } from "./evidence.ts";
import { Family } from "./family.ts";
import { Forgetting } from "./forgetting.ts";
import type { GovernedPage, GovernedTable } from "./governed.ts";
import { Held } from "./held.ts";
import { Judging } from "./judging.ts";
import type { KeptCheckpoint } from "./log-keeping.ts";
import { Notices } from "./notices.ts";
import { type Change, type Changed, Organization } from "./organization.ts";
import {
  type BaselineMove,
  type ChainPosition,
  type Compared,
  type CompareInput,
  type DriftInput,
  type DriftRecorded,
  type Ended,
  type ExportPage,
  type FamilyStatus,
  type Forgotten,
  type LedgerPosition,
  type Located,
  type ObjectName,
  type Opened,
  type OpenInput,
  type OutcomeInput,
  type OutcomeRecorded,
  objectName,
  parseObjectName,
  type RefusalInput,
  type Removed,
  type SessionContext,
  type Settled,
  type SettleInput,
  type TaskStatus,
  type TurnInput,
  type TurnRecorded,
  type TypedMessage,
} from "./protocol.ts";
import type { SealedCheckpoint } from "./sealing-changes.ts";
import { Tables } from "./storage.ts";
import { Taps } from "./taps.ts";
import { Task } from "./task.ts";
import { Turns } from "./turns.ts";
import { Waiting } from "./waiting.ts";

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
/** Longer than telling people takes, however many of them hang. */
const NOTIFYING_MS = 30_000;
/** What an open approval holds back from being forgotten is looked at again this often. */
const FORGET_EVERY_MS = 60_000;
/** Rows of a baseline that one call forgets. */
const FORGOTTEN_FILES = 1_000;
/** D1 that does not answer is taken as failed after this long; a batch is idempotent, so it may be sent again. */
const DELIVERY_TIMEOUT_MS = 10_000;
/** Key of the `meta` table: the organization's object knows this family. */
const ANNOUNCED = "announced";

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
  readonly #notices: Notices;
  readonly #alerts: AlertNotices;
  readonly #crowds: Crowds;
  readonly #approvals: Approvals;
  readonly #copies: Copies;
  readonly #held: Held;
  readonly #taps: Taps;
  readonly #edits: Edits;
  readonly #forgetting: Forgetting;
  readonly #waiting = new Waiting();
  /** When the alarm rings, as far as this memory knows. */
  #alarmAt: number | null = null;
  /** While it rings nothing sets it: what is due is looked for once, at its end. */
  #ringing = false;
  /** When rows are next delivered; `null` while none wait. */
  #drainAt: number | null = null;
  /** Nothing that has run out is looked for before. */
  #sweepAfter = 0;
  #notifying = false;
  /** Nobody is told anything before. */
  #notifyAfter = 0;
  /** What is held back is not looked at before. */
  #forgetAfter = 0;

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
    this.#notices = new Notices(this.#tables, Date.now);
    this.#approvals = new Approvals(this.#tables, this.#chain, this.#notices, root, Date.now);
    this.#copies = new Copies(this.#tables, this.#chain, this.#family, this.#approvals);
    this.#held = new Held(this.#chain, this.#approvals, this.#notices, Date.now);
    this.#taps = new Taps(this.#tables, this.#chain, this.#approvals, this.#notices, Date.now);
    const asks = new Asks(this.#chain, this.#approvals, Date.now);
    const judging = new Judging(this.#family, this.#evidence, this.#task);
    this.#calls = new Calls(
      this.#tables,
      this.#chain,
      this.#family,
      this.#evidence,
      this.#task,
      this.#approvals,
      asks,
      judging,
      Date.now,
    );
    this.#edits = new Edits(
      this.#chain,
      this.#family,
      this.#task,
      this.#approvals,
      asks,
      judging,
      this.#taps,
      Date.now,
    );
    this.#alerts = new AlertNotices(this.#tables, this.#notices);
    this.#crowds = new Crowds(this.#tables, this.#notices, Date.now);
    this.#organization = new Organization(this.#tables, this.#chain, Date.now);
    this.#baseline = new Baseline(this.#tables, Date.now);
    this.#forgetting = new Forgetting(this.#tables, this.#chain, this.#family, this.#task);
  }

  // A session's own object: where is it, and what must be known to read its calls?

  /** Where a session lives: here, in its root's object, or nowhere. Writes nothing. */
  locate(): Located {
    if (this.#tables.removed !== null) {
      const { agent, ...head } = this.#tables.removed;
      return { place: "ended", agent, head };
    }
    const root = this.#tables.elsewhere;
    if (root !== null) return { place: "elsewhere", root };
    if (this.#name.kind !== "session" || !this.#tables.exist) return { place: "nowhere" };
    const context = this.#family.context(this.#name.session);
    return context === null ? { place: "nowhere" } : { place: "here", context };
  }

  /** Binds this name to a family whose root is elsewhere, once and for all. False when it is bound otherwise. */
  claim(root: string): boolean {
    return this.#write(() => {
      const located = this.locate();
      if (located.place === "here" || located.place === "ended") return false;
      if (located.place === "elsewhere") return located.root === root;
      this.#tables.bind(root);
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
      const claimed = this.#tables.elsewhere !== null;
      return claimed ? { ok: false, code: "session-conflict" } : this.#family.open(input);
    });
  }

  /**
   * The next members of the family whose own objects may hold more than where the root is, in the order of their names.
   * @param visited the last one that does not any more
   */
  members(visited: string | null): string[] {
    return this.#tables.exist ? this.#write(() => this.#family.members(visited)) : [];
  }

  /** Puts on record that a session is over: nothing new happens in it, until it is opened again. */
  end(input: { readonly session: string; readonly agent: string; readonly key: string }): Ended {
    return this.#write(() => this.#family.end(input));
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
    if (!this.#tables.exist)
      return { sessions: [], verdicts: {}, backups: [], head: { seq, hash }, undelivered: 0 };
    return {
      sessions: this.#family.list(),
      verdicts: this.#calls.verdicts(),
      backups: this.#evidence.backups(),
      head: { seq, hash },
      undelivered: this.#chain.lag(),
    };
  }

  // What people are asked.

  /** The page behind a link, or a member's view. Writes nothing. */
  approval(id: string, by: LookedAtBy): Looked {
    return this.#taps.look(id, by);
  }

  /** An approval as it stands, or `null`. Writes nothing. */
  approvalRecord(id: string): ApprovalRecord | null {
    const row = this.#approvals.find(id);
    return row === null ? null : this.#approvals.record(row);
  }

  linkApproval(input: LinkInput): Linked {
    return this.#write(() => this.#taps.link(input));
  }

  decideApproval(input: DecideInput): Decided {
    return this.#write(() => this.#taps.decide(input));
  }

  /** Puts an edited action, judged anew, in place of what was asked. */
  editApproval(input: EditInput): Edited {
    return this.#write(() => this.#edits.edit(input));
  }

  extendApproval(input: ExtendInput): Extended {
    return this.#write(() => this.#taps.extend(input));
  }

  /**
   * Waits until an approval is decided or has expired, at most so long; what stands then. Nothing is settled while it
   * waits, and nothing that happens meanwhile waits for it.
   */
  awaitApproval(id: string, afterMs: number): Promise<ApprovalRecord | null> {
    const row = this.#approvals.find(id);
    if (row === null) return Promise.resolve(null);
    const left = row.state === "pending" ? Math.min(afterMs, row.expires_at - Date.now()) : 0;
    return this.#waiting.until(id, Math.max(left, 0)).then(() => {
      const now = this.#approvals.find(id);
      return now === null ? null : this.#write(() => this.#approvals.record(this.#approvals.atRest(now)));
    });
  }

  // The organization's object.

  change(change: Change, actor: string | null, id: string): Changed {
    return this.#write(() => {
      const before = this.#chain.head().seq;
      const changed = this.#organization.change(change, actor, id);
      const { seq, at } = this.#chain.head();
      if (seq > before) this.#alerts.changed(change, seq, at);
      return changed;
    });
  }

  /** Whether people are told of an ask by itself, or along with others of the same minute. */
  tellsSingly(approval: string, origin: string): boolean {
    return this.#tables.exist ? this.#write(() => this.#crowds.tells(approval, origin)) : true;
  }

  /** The newest checkpoint that is on record here, or `null`. Writes nothing. */
  sealed(): SealedCheckpoint | null {
    return this.#organization.sealed();
  }

  /** Rows that D1 must hold of what governs. @param from after which row, or which rows; `null` from the first */
  governed(table: GovernedTable, from: string | null | readonly string[]): GovernedPage | null {
    return this.#tables.exist ? this.#write(() => this.#organization.governed(table, from)) : null;
  }

  /** Checkpoints as they were signed, with their leaves, from a number on; and the first that is kept at all. */
  keptLog(first: number): {
    readonly checkpoints: readonly KeptCheckpoint[];
    readonly oldest: number | null;
  } {
    return this.#organization.kept(first);
  }

  /** Takes up checkpoints that were made before this object kept them, newest first. @returns how many */
  takeUpLog(older: readonly KeptCheckpoint[]): number {
    return this.#tables.exist ? this.#write(() => this.#organization.takeUp(older)) : 0;
  }

  /** Notes session families of the organization; those known after one, in the order of their ids' bytes. `null`: none. */
  families(
    roots: readonly string[],
    after: string | null,
  ): { readonly roots: readonly string[]; readonly next: string | null } {
    if (!this.#tables.exist) return { roots: [], next: null };
    return this.#write(() => this.#organization.families(roots, after));
  }

  // Any chain.

  /** Approvals of the family as D1 must hold them, after one or of these ids. Writes nothing. */
  copiedApprovals(from: string | readonly string[]): CopiedApprovals {
    return this.#copies.approvals(from);
  }

  /** Has what D1 lost delivered once more, from an entry on. @returns how many entries */
  redeliver(from: number): number {
    if (!this.#tables.exist) return 0;
    const count = this.#write(() => this.#copies.redeliver(from));
    if (count > 0) {
      this.#drainAt = Date.now();
      this.#arm();
    }
    return count;
  }

  /** Where the chain stands, and how much of it D1 has. `null` for one that was never begun. Writes nothing. */
  position(): ChainPosition | null {
    const gone = this.#tables.removed;
    if (gone !== null) return { seq: gone.seq, hash: gone.hash, delivered: gone.seq, removed: true };
    if (!this.#tables.exist) return null;
    const { seq, hash } = this.#chain.head();
    return { seq, hash, delivered: this.#chain.deliveredTo(), removed: false };
  }

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
    return { ...this.#chain.page(after, since), removed: this.#tables.removed !== null };
  }

  /** Forgets a part of the private text that is older, epoch milliseconds. Call it until it is done. */
  forget(before: number): Forgotten {
    switch (this.#name.kind) {
      case "session":
        return this.#write(() => this.#forgetting.run(before));
      case "agent":
        return this.#write(() => ({ done: this.#baseline.forget(before, FORGOTTEN_FILES), held: false }));
      case "organization":
        return { done: true, held: false };
    }
  }

  /**
   * Removes everything that stands here for good, once D1 has all of it and the chain still ends where it was sealed.
   * @param sealed the head that a checkpoint covers
   */
  remove(sealed: LedgerPosition): Removed {
    const gone = this.#tables.removed;
    if (gone !== null) return { removed: true, head: { seq: gone.seq, hash: gone.hash } };
    if (this.#name.kind !== "session" || !this.#tables.exist) return null;
    const { seq, hash } = this.#chain.head();
    if (seq !== sealed.seq || hash !== sealed.hash) return { removed: false, why: "moved" };
    if (this.#chain.lag() > 0) return { removed: false, why: "undelivered" };
    if (this.#approvals.nextDue() !== null || this.#notices.nextDue() !== null)
      return { removed: false, why: "open" };
    this.#tables.remove({ seq, hash, agent: this.#family.agent() });
    this.#forgetMemory();
    this.#alarmAt = null;
    this.#drainAt = null;
    return { removed: true, head: { seq, hash } };
  }

  // An agent's object: its baseline.

  compare(input: CompareInput): Compared {
    return this.#write(() => this.#baseline.compare(input));
  }

  accept(host: string, moves: readonly BaselineMove[]): void {
    this.#write(() => this.#baseline.accept(host, moves));
  }

  /**
   * The one alarm: time that has run out, people who are to be told, and rows that D1 does not have yet. Safe to ring
   * twice: every row is idempotent on its key, and a notice goes by one id.
   */
  override async alarm(): Promise<void> {
    // Rung for something else, before a database that was away is to be tried again.
    const isEarly = this.#alarmAt !== null && this.#drainAt !== null && this.#alarmAt < this.#drainAt;
    this.#alarmAt = null;
    this.#ringing = true;
    try {
      this.#sweep();
      this.#forgetHeld();
      this.#startNotifying();
      await this.#deliver(isEarly);
    } finally {
      this.#ringing = false;
      this.#arm();
    }
  }

  /** Puts on record what time has run out for. Should that fail, the rest of the alarm goes on. */
  #sweep(): void {
    if (!this.#tables.exist) return;
    try {
      this.#write(() => this.#approvals.sweep());
    } catch (error) {
      this.#sweepAfter = Date.now() + RETRY_MOST_MS;
      log.error("sweep-failed", error, { organization: this.#name.organization });
    }
  }

  /** Takes what was held back, as soon as nothing holds it; a part at a time. */
  #forgetHeld(): void {
    if (!this.#forgetting.held || Date.now() < this.#forgetAfter) return;
    try {
      const { done } = this.#write(() => this.#forgetting.run(0));
      this.#forgetAfter = Date.now() + (done ? FORGET_EVERY_MS : DRAIN_AFTER_MS);
    } catch (error) {
      this.#forgetAfter = Date.now() + RETRY_MOST_MS;
      log.error("forgetting-failed", error, { organization: this.#name.organization });
    }
  }

  /** Nothing waits for those who are told: one who hangs would hold up the record of everybody else. */
  #startNotifying(): void {
    const due = this.#tables.exist ? this.#notices.nextDue() : null;
    if (this.#notifying || due === null || due > Date.now()) return;
    this.#notifying = true;
    // Should this object be gone before it has told everybody, the alarm rings again.
    this.#notifyAfter = Date.now() + NOTIFYING_MS;
    const done = this.#notify().then((next) => {
      this.#notifying = false;
      this.#notifyAfter = next;
      this.#arm();
    });
    this.ctx.waitUntil(done);
  }

  /** Delivers batch after batch; what is more than one alarm should carry, and what fails, waits for the next. */
  async #deliver(isEarly: boolean): Promise<void> {
    if (!this.#tables.exist) return;
    const failures = this.#tables.getNumber("failures");
    if (failures > 0 && isEarly) return;
    await this.#announce();
    try {
      for (let batch = 0; batch < BATCHES_PER_ALARM; batch += 1) {
        const rows = this.#chain.undelivered(BATCH_ROWS, BATCH_BYTES);
        const last = rows.at(-1);
        if (last === undefined) break;
        const purged = await within(
          DELIVERY_TIMEOUT_MS,
          publishEntries(this.env.DB, identityOf(this.#name), rows.map(deliverable)),
        );
        this.#write(() => {
          this.#chain.delivered(last.seq);
          // A purge that could not know of this object: what it removed everywhere else goes here, too.
          if (this.#name.kind === "session" && this.#forgetting.isBehind(purged))
            this.#forgetting.run(purged);
        });
      }
      this.#drainAt = this.#chain.lag() > 0 ? Date.now() : null;
      if (failures > 0) this.#tables.setNumber("failures", 0);
    } catch (error) {
      // The platform stops retrying a failing alarm after six times; the rows must wait for as long as it takes.
      this.#tables.setNumber("failures", failures + 1);
      const wait = Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures, 10), RETRY_MOST_MS);
      this.#drainAt = Date.now() + wait + Math.random() * DRAIN_JITTER_MS;
      log.error("delivery-failed", error, {
        organization: this.#name.organization,
        chain: this.#name.kind,
        failures: failures + 1,
      });
    }
  }

  /** Makes the family known to the organization, once, before D1 hears of it: whoever takes its rows is found out. */
  async #announce(): Promise<void> {
    if (this.#name.kind !== "session" || this.#chain.lag() === 0) return;
    if (this.#tables.getNumber(ANNOUNCED) === 1) return;
    const { organization, session } = this.#name;
    try {
      const object = this.env.SESSION.getByName(objectName({ kind: "organization", organization }));
      await within(DELIVERY_TIMEOUT_MS, object.families([session], null));
      this.#write(() => this.#tables.setNumber(ANNOUNCED, 1));
    } catch (error) {
      // The next delivery tries again; the record does not wait for it.
      log.error("not-announced", error, { organization });
    }
  }

  /** Tells people what they are asked and what was answered. @returns when to try again at the earliest */
  async #notify(): Promise<number> {
    const check = checkEnv(this.env);
    if (!check.ok) return Date.now() + RETRY_MOST_MS;
    return sendNotices(
      {
        notices: this.#notices,
        write: (work) => this.#write(work),
        record: (approval) => this.approvalRecord(approval),
        link: (approval, member, hash) => this.linkApproval({ approval, member, link: hash }),
        reconsider: (approval, quiet) => this.#write(() => this.#held.reconsider(approval, quiet)),
        tells: ({ id, origin }) => this.#tells(id, origin),
        crowd: (subject) => this.#crowds.of(subject),
        alerts: (subject) => this.#alertsOf(subject, check.config.publicOrigin),
      },
      {
        db: this.env.DB,
        organization: this.#name.organization,
        secrets: check.config.settingsKeys,
        publicOrigin: check.config.publicOrigin,
        env: this.env,
        now: Date.now,
        random: Math.random,
        fetch: (...request) => fetch(...request),
      },
    );
  }

  /** Asked of the organization's object, which all families share. From the alarm alone: no decision waits for it. */
  #tells(approval: string, origin: string): Promise<boolean> {
    const { organization } = this.#name;
    const stub = this.env.SESSION.getByName(objectName({ kind: "organization", organization }));
    return within(DELIVERY_TIMEOUT_MS, stub.tellsSingly(approval, origin));
  }

  /** Alerts and where they lead: where no origin is set, to where the organization's channels were set up. */
  #alertsOf(subject: string, publicOrigin: string | null): (GatheredAlerts & { origin: string }) | null {
    const alerts = this.#alerts.of(subject);
    const origin = publicOrigin ?? this.#alerts.origin();
    return alerts === null || origin === null ? null : { ...alerts, origin };
  }

  /** Sets the alarm for whatever is due first. */
  #arm(): void {
    if (this.#ringing) return;
    let at = this.#drainAt ?? Number.POSITIVE_INFINITY;
    // Most families never ask anybody: then there is nothing to look for on the way of every decision.
    if (this.#approvals.any() || this.#mayHaveAlerts()) {
      const { POSITIVE_INFINITY: never } = Number;
      const notice = Math.max(this.#notices.nextDue() ?? never, this.#notifyAfter);
      at = Math.min(at, Math.max(this.#approvals.nextDue() ?? never, this.#sweepAfter), notice);
    }
    if (this.#forgetting.held) at = Math.min(at, Math.max(this.#forgetAfter, 1));
    if (at === Number.POSITIVE_INFINITY) return;
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }

  #mayHaveAlerts(): boolean {
    return this.#name.kind === "organization" && this.#tables.exist;
  }

  /**
   * One transaction; then, in the same turn and so in the same commit, an alarm if something is due. Whoever waits for
   * what was decided hears of it once it is committed: what leaves the object waits for the disk.
   */
  #write<T>(work: () => T): T {
    try {
      const result = this.#tables.transaction(work);
      if (this.#drainAt === null && this.#chain.lag() > 0)
        this.#drainAt = Date.now() + DRAIN_AFTER_MS + Math.random() * DRAIN_JITTER_MS;
      this.#arm();
      this.#waiting.wake(this.#approvals.takeSettled());
      return result;
    } catch (error) {
      this.#forgetMemory();
      throw error;
    }
  }

  #forgetMemory(): void {
    this.#chain.forget();
    this.#family.forget();
    this.#task.forget();
    this.#approvals.forget();
    this.#forgetting.forget();
  }
}

function identityOf(name: ObjectName): ChainIdentity {
  return { org: name.organization, session: name.kind === "session" ? name.session : null };
}
