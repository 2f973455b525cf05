/**
 * The one alarm of an object: time that has run out, people who are to be told, and rows that D1 does not have yet. It is
 * set by what is due, never asked what for; all that is due is looked at whenever it rings. Safe to ring twice: every row
 * is idempotent on its key, and a notice goes by one id. Here alone an object waits for the world outside, and settles
 * nothing meanwhile.
 */
import { publishEntries } from "../db/publish.ts";
import { log } from "../log.ts";
import { within } from "../within.ts";
import type { Approvals } from "./approvals.ts";
import type { Chain } from "./chain.ts";
import { deliverable } from "./delivery.ts";
import type { Forgetting } from "./forgetting.ts";
import type { Notices } from "./notices.ts";
import { chainIdentity, type ObjectName, objectName } from "./protocol.ts";
import type { Tables } from "./storage.ts";
import { RETRY_MOST_MS, type Telling } from "./telling.ts";

/** An alarm runs this long after the first undelivered row: at 200 ms many sessions lose half their throughput, at 5 s 5 %. */
const DRAIN_AFTER_MS = 5_000;
/** Spread, so that sessions that began together do not drain together. */
const DRAIN_JITTER_MS = 2_000;
/** After a failed delivery: doubles up to a minute; the rows wait. */
const RETRY_FIRST_MS = 2_000;
/** One delivery to D1: far below a statement's and a row's limits. */
const BATCH_ROWS = 200;
const BATCH_BYTES = 512 * 1024;
/** Batches in one alarm; what is left is taken up by the next, so that one alarm stays short. */
const BATCHES_PER_ALARM = 20;
/** Longer than telling people takes, however many of them hang. */
const NOTIFYING_MS = 30_000;
/** What an open approval holds back from being forgotten is looked at again this often. */
const FORGET_EVERY_MS = 60_000;
/** D1 that does not answer is taken as failed after this long; a batch is idempotent, so it may be sent again. */
const DELIVERY_TIMEOUT_MS = 10_000;
/** Key of the `meta` table: the organization's object knows this family. */
const ANNOUNCED = "announced";

/** What the alarm looks after. */
export interface Wards {
  readonly name: ObjectName;
  readonly tables: Tables;
  readonly chain: Chain;
  readonly approvals: Approvals;
  readonly notices: Notices;
  readonly forgetting: Forgetting;
  readonly telling: Telling;
  /** One transaction of the object. */
  readonly write: <T>(work: () => T) => T;
}

export class Alarm {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #wards: Wards;
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

  constructor(ctx: DurableObjectState, env: Env, wards: Wards) {
    this.#ctx = ctx;
    this.#env = env;
    this.#wards = wards;
  }

  async ring(): Promise<void> {
    // Rung for something else, before a database that was away is to be tried again. An alarm can be late.
    const isEarly = this.#drainAt !== null && Math.max(this.#alarmAt ?? 0, Date.now()) < this.#drainAt;
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

  /** Something was written: in the same turn, and so in the same commit, the alarm is set for what is due. */
  wrote(): void {
    if (this.#drainAt === null && this.#wards.chain.lag() > 0)
      this.#drainAt = Date.now() + DRAIN_AFTER_MS + Math.random() * DRAIN_JITTER_MS;
    this.#arm();
  }

  /** Has what D1 needs delivered at once. */
  hurry(): void {
    this.#drainAt = Date.now();
    this.#arm();
  }

  /** The object holds nothing any more, and its alarm went with it. */
  forget(): void {
    this.#alarmAt = null;
    this.#drainAt = null;
  }

  /** Puts on record what time has run out for. Should that fail, the rest of the alarm goes on. */
  #sweep(): void {
    if (!this.#wards.tables.exist) return;
    try {
      this.#wards.write(() => this.#wards.approvals.sweep());
    } catch (error) {
      this.#sweepAfter = Date.now() + RETRY_MOST_MS;
      log.error("sweep-failed", error, { organization: this.#wards.name.organization });
    }
  }

  /** Takes what was held back, as soon as nothing holds it; a part at a time. */
  #forgetHeld(): void {
    if (!this.#wards.forgetting.held || Date.now() < this.#forgetAfter) return;
    try {
      const { done } = this.#wards.write(() => this.#wards.forgetting.run(0));
      this.#forgetAfter = Date.now() + (done ? FORGET_EVERY_MS : DRAIN_AFTER_MS);
    } catch (error) {
      this.#forgetAfter = Date.now() + RETRY_MOST_MS;
      log.error("forgetting-failed", error, { organization: this.#wards.name.organization });
    }
  }

  /** Nothing waits for those who are told: one who hangs would hold up the record of everybody else. */
  #startNotifying(): void {
    const now = Date.now();
    if (this.#notifying) {
      // Else the alarm would ring again and again for what is being told.
      if (this.#notifyAfter <= now) this.#notifyAfter = now + NOTIFYING_MS;
      return;
    }
    const due = this.#wards.tables.exist ? this.#wards.notices.nextDue() : null;
    if (due === null || due > now) return;
    this.#notifying = true;
    // Should this object be gone before it has told everybody, the alarm rings again.
    this.#notifyAfter = now + NOTIFYING_MS;
    const done = this.#wards.telling.run().then((next) => {
      this.#notifying = false;
      this.#notifyAfter = next;
      this.#arm();
    });
    this.#ctx.waitUntil(done);
  }

  /** Delivers batch after batch; what is more than one alarm should carry, and what fails, waits for the next. */
  async #deliver(isEarly: boolean): Promise<void> {
    if (!this.#wards.tables.exist) return;
    const failures = this.#wards.tables.getNumber("failures");
    if (failures > 0 && isEarly) return;
    await this.#announce();
    try {
      for (let batch = 0; batch < BATCHES_PER_ALARM; batch += 1) {
        const rows = this.#wards.chain.undelivered(BATCH_ROWS, BATCH_BYTES);
        const last = rows.at(-1);
        if (last === undefined) break;
        const purged = await within(
          DELIVERY_TIMEOUT_MS,
          publishEntries(this.#env.DB, chainIdentity(this.#wards.name), rows.map(deliverable)),
        );
        this.#wards.write(() => {
          this.#wards.chain.delivered(last.seq);
          // A purge that could not know of this object: what it removed everywhere else goes here, too.
          if (this.#wards.name.kind === "session" && this.#wards.forgetting.isBehind(purged))
            this.#wards.forgetting.run(purged);
        });
      }
      this.#drainAt = this.#wards.chain.lag() > 0 ? Date.now() : null;
      if (failures > 0) this.#wards.tables.setNumber("failures", 0);
    } catch (error) {
      // The platform stops retrying a failing alarm after six times; the rows must wait for as long as it takes.
      this.#wards.tables.setNumber("failures", failures + 1);
      const wait = Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures, 10), RETRY_MOST_MS);
      this.#drainAt = Date.now() + wait + Math.random() * DRAIN_JITTER_MS;
      log.error("delivery-failed", error, {
        organization: this.#wards.name.organization,
        chain: this.#wards.name.kind,
        failures: failures + 1,
      });
    }
  }

  /** Makes the family known to the organization, once, before D1 hears of it: whoever takes its rows is found out. */
  async #announce(): Promise<void> {
    if (this.#wards.name.kind !== "session" || this.#wards.chain.lag() === 0) return;
    if (this.#wards.tables.getNumber(ANNOUNCED) === 1) return;
    const { organization, session } = this.#wards.name;
    try {
      const object = this.#env.SESSION.getByName(objectName({ kind: "organization", organization }));
      await within(DELIVERY_TIMEOUT_MS, object.families([session], null));
      this.#wards.write(() => this.#wards.tables.setNumber(ANNOUNCED, 1));
    } catch (error) {
      // The next delivery tries again; the record does not wait for it.
      log.error("not-announced", error, { organization });
    }
  }

  /** Sets the alarm for whatever is due first. */
  #arm(): void {
    if (this.#ringing) return;
    let at = this.#drainAt ?? Number.POSITIVE_INFINITY;
    // Most families never ask anybody: then there is nothing to look for on the way of every decision.
    if (this.#wards.approvals.any() || this.#mayHaveAlerts()) {
      const { POSITIVE_INFINITY: never } = Number;
      const notice = Math.max(this.#wards.notices.nextDue() ?? never, this.#notifyAfter);
      at = Math.min(at, Math.max(this.#wards.approvals.nextDue() ?? never, this.#sweepAfter), notice);
    }
    if (this.#wards.forgetting.held) at = Math.min(at, Math.max(this.#forgetAfter, 1));
    if (at === Number.POSITIVE_INFINITY) return;
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    void this.#ctx.storage.setAlarm(at);
  }

  #mayHaveAlerts(): boolean {
    return this.#wards.name.kind === "organization" && this.#wards.tables.exist;
  }
}
