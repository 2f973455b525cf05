/**
 * Alerts of the record that people are still to be told of: what is found together is one message. The notice is queued
 * in the transaction that puts the first of them on record; until it goes out, what else is found joins it.
 */

import type { Change } from "./changes.ts";
import type { Notices } from "./notices.ts";
import type { Tables } from "./storage.ts";

/** A check finds one thing after the other; so long they are gathered. */
const GATHER_MS = 30_000;
/** From one message to the next: a check finds a hundred things at once, and hundreds of messages would bury the first. */
const APART_MS = 60 * 60_000;
/** A message that could not be sent for so long is no news any more; the alert itself stays on record. */
const LASTS_MS = 24 * 60 * 60_000;

/** As `notify/message.ts` tells them. */
export interface GatheredAlerts {
  readonly id: string;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly found_at: number;
  /** How many of each kind. */
  readonly findings: readonly { readonly code: string; readonly place: string; readonly count: number }[];
}

const KEPT = "alerts/";

/** All of it is synchronous, and runs inside the transactions of the organization's object. */
export class AlertNotices {
  readonly #tables: Tables;
  readonly #notices: Notices;

  constructor(tables: Tables, notices: Notices) {
    this.#tables = tables;
    this.#notices = notices;
  }

  /** Takes up a change that was just put on record. @param seq of its entry @param at when, epoch milliseconds */
  changed(change: Change, seq: number, at: number): void {
    if (change.kind === "add_channel" || change.kind === "change_channel")
      this.#tables.setText("origin", change.origin);
    if (change.kind !== "alert") return;
    const { code, place } = change.finding;
    this.#found({ code: String(code), place: String(place) }, seq, at);
  }

  /** Where people work with us, as of the newest channel that was set up; `null` before the first. */
  origin(): string | null {
    return this.#tables.exist ? this.#tables.getText("origin") : null;
  }

  /** The alerts of one message, the same in every try; `null` for unknown ones. */
  of(subject: string): GatheredAlerts | null {
    const text = this.#tables.exist ? this.#tables.getText(`${KEPT}${subject}`) : null;
    return text === null ? null : (JSON.parse(text) as GatheredAlerts);
  }

  #found({ code, place }: { readonly code: string; readonly place: string }, seq: number, at: number): void {
    const gathering = this.#notices.gathering("ledger.alert");
    const before = gathering === null ? null : this.of(gathering);
    if (before === null) {
      this.#begin({ code, place }, seq, at);
      return;
    }
    const others = before.findings.filter((one) => one.code !== code || one.place !== place);
    const { count } = before.findings.find((one) => one.code === code && one.place === place) ?? { count: 0 };
    this.#keep({ ...before, last_seq: seq, findings: [...others, { code, place, count: count + 1 }] });
  }

  #begin(finding: { readonly code: string; readonly place: string }, seq: number, at: number): void {
    // What was told to everybody, or to nobody in time, is not told again.
    this.#tables.sql.exec(
      `DELETE FROM meta WHERE key >= '${KEPT}' AND key < 'alerts0'
         AND substr(key, ${KEPT.length + 1}) NOT IN (SELECT approval FROM notices WHERE event = 'ledger.alert')`,
    );
    const id = `alerts-${seq}`;
    const dueAt = Math.max(at + GATHER_MS, this.#tables.getNumber("alerts_due") + APART_MS);
    this.#tables.setNumber("alerts_due", dueAt);
    this.#keep({ id, first_seq: seq, last_seq: seq, found_at: at, findings: [{ ...finding, count: 1 }] });
    this.#notices.queue(id, "ledger.alert", dueAt, dueAt + LASTS_MS);
  }

  #keep(alerts: GatheredAlerts): void {
    this.#tables.setText(`${KEPT}${alerts.id}`, JSON.stringify(alerts));
  }
}
