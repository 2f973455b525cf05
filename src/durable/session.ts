/**
 * The one Durable Object class. By its name an object is a session family's (`…/session/…`), an organization's
 * (`…/organization`), or the fingerprint baseline of an agent (`…/agent/…`). Methods are the whole RPC surface: few,
 * coarse, and each one synchronous transaction; only the alarm awaits anything.
 */
import { DurableObject } from "cloudflare:workers";
import { Alarm } from "./alarm.ts";
import { AlertNotices } from "./alert-notices.ts";
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
import type { Change, Changed } from "./changes.ts";
import { type CopiedApprovals, Copies } from "./copies.ts";
import { Crowds } from "./crowd.ts";
import { Edits } from "./edits.ts";
import { Evidence } from "./evidence.ts";
import { Family } from "./family.ts";
import { Forgetting } from "./forgetting.ts";
import type { GovernedPage, GovernedTable } from "./governed.ts";
import { Held } from "./held.ts";
import { Judging } from "./judging.ts";
import type { KeptCheckpoint } from "./log-keeping.ts";
import { Notices } from "./notices.ts";
import { Organization } from "./organization.ts";
import {
  type BaselineMove,
  type ChainPosition,
  type Compared,
  type CompareInput,
  chainIdentity,
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
import { Telling } from "./telling.ts";
import { Turns } from "./turns.ts";
import { Waiting } from "./waiting.ts";

/** Rows of a baseline that one call forgets. */
const FORGOTTEN_FILES = 1_000;

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
  readonly #taps: Taps;
  readonly #edits: Edits;
  readonly #forgetting: Forgetting;
  readonly #alarm: Alarm;
  readonly #waiting = new Waiting();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const name = parseObjectName(ctx.id.name ?? "");
    if (name === null) throw new Error("a session object is reached by a name of objectName()");
    this.#name = name;
    this.#tables = new Tables(ctx.storage);
    this.#chain = new Chain(this.#tables, chainIdentity(name));
    const root = name.kind === "session" ? name.session : "";
    this.#family = new Family(this.#tables, this.#chain, root, Date.now);
    this.#task = new Task(this.#tables);
    this.#turns = new Turns(this.#tables, this.#chain, this.#family, this.#task, Date.now);
    this.#evidence = new Evidence(this.#tables, this.#chain);
    this.#notices = new Notices(this.#tables, Date.now);
    this.#approvals = new Approvals(this.#tables, this.#chain, this.#notices, root, Date.now);
    this.#copies = new Copies(this.#tables, this.#chain, this.#family, this.#approvals);
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
    const common = {
      name,
      approvals: this.#approvals,
      notices: this.#notices,
      write: <T>(work: () => T): T => this.#write(work),
    };
    const telling = new Telling(env, {
      ...common,
      held: new Held(this.#chain, this.#approvals, this.#notices, Date.now),
      taps: this.#taps,
      crowds: this.#crowds,
      alerts: this.#alerts,
    });
    this.#alarm = new Alarm(ctx, env, {
      ...common,
      tables: this.#tables,
      chain: this.#chain,
      forgetting: this.#forgetting,
      telling,
    });
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
    if (count > 0) this.#alarm.hurry();
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
    this.#alarm.forget();
    return { removed: true, head: { seq, hash } };
  }

  // An agent's object: its baseline.

  compare(input: CompareInput): Compared {
    return this.#write(() => this.#baseline.compare(input));
  }

  accept(host: string, moves: readonly BaselineMove[]): void {
    this.#write(() => this.#baseline.accept(host, moves));
  }

  /** What is due by the clock: see {@link Alarm}. */
  override alarm(): Promise<void> {
    return this.#alarm.ring();
  }

  /**
   * One transaction; then, in the same turn and so in the same commit, an alarm if something is due. Whoever waits for
   * what was decided hears of it once it is committed: what leaves the object waits for the disk.
   */
  #write<T>(work: () => T): T {
    try {
      const result = this.#tables.transaction(work);
      this.#alarm.wrote();
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
