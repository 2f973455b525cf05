/**
 * How many asks people are told of one by one. All families of an organization ask here, from their alarms, before they
 * tell anybody; what is more than people read goes into one message a minute. Kept by the organization's object; all of it
 * is synchronous, and runs inside its transactions.
 */
import type { Notices } from "./notices.ts";
import type { Tables } from "./storage.ts";

/** Of one minute; each is a message on a phone. */
export const TOLD_SINGLY = 5;
export const MINUTE_MS = 60_000;
/** Somebody who has not heard of it by then has seen it on the dashboard, or it has expired. */
const LASTS_MS = 60 * MINUTE_MS;

/** Asks of one minute that are told together, as `notify/message.ts` tells them. */
export interface Crowd {
  readonly id: string;
  readonly origin: string;
  readonly count: number;
  readonly since: number;
}

/** Which asks of the running minute are told by themselves, and which together. */
interface Minute {
  readonly since: number;
  readonly told: readonly string[];
  readonly more: readonly string[];
}

const KEPT = "crowd/";

export class Crowds {
  readonly #tables: Tables;
  readonly #notices: Notices;
  readonly #now: () => number;

  constructor(tables: Tables, notices: Notices, now: () => number) {
    this.#tables = tables;
    this.#notices = notices;
    this.#now = now;
  }

  /** Whether people are told of this ask by itself; the same however often it is asked. @param origin where it leads */
  tells(approval: string, origin: string): boolean {
    const now = this.#now();
    const kept = this.#read();
    const minute = kept !== null && now - kept.since < MINUTE_MS ? kept : { since: now, told: [], more: [] };
    const { since, told, more } = minute;
    if (told.includes(approval)) return true;
    if (more.includes(approval)) return false;
    if (told.length < TOLD_SINGLY) {
      this.#write({ since, more, told: [...told, approval] });
      return true;
    }
    this.#write({ since, told, more: [...more, approval] });
    const id = `crowd-${since}`;
    if (more.length === 0) {
      this.#drop();
      this.#notices.queue(id, "approval.crowd", since + MINUTE_MS, since + LASTS_MS);
    }
    const crowd: Crowd = { id, origin, count: more.length + 1, since };
    this.#tables.setText(`${KEPT}${id}`, JSON.stringify(crowd));
    return false;
  }

  /** `null` for one that is not known. */
  of(subject: string): Crowd | null {
    const text = this.#tables.exist ? this.#tables.getText(`${KEPT}${subject}`) : null;
    return text === null ? null : (JSON.parse(text) as Crowd);
  }

  /** Forgets what nobody has to be told any more. */
  #drop(): void {
    this.#tables.sql.exec(
      `DELETE FROM meta WHERE key >= '${KEPT}' AND key < 'crowd0'
         AND substr(key, ${KEPT.length + 1}) NOT IN (SELECT approval FROM notices WHERE event = 'approval.crowd')`,
    );
  }

  #read(): Minute | null {
    const text = this.#tables.exist ? this.#tables.getText("crowd") : null;
    return text === null ? null : (JSON.parse(text) as Minute);
  }

  #write(minute: Minute): void {
    this.#tables.setText("crowd", JSON.stringify(minute));
  }
}
