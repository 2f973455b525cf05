/**
 * Telling people what they are asked, what was answered and what was found: what an object has to tell, and the world
 * that it is told through. From the alarm alone: no decision waits for it.
 */
import { checkEnv } from "../env.ts";
import { sendNotices } from "../notify/outbox.ts";
import { within } from "../within.ts";
import type { AlertNotices, GatheredAlerts } from "./alert-notices.ts";
import type { Approvals } from "./approvals.ts";
import type { Crowds } from "./crowd.ts";
import type { Held } from "./held.ts";
import type { Notices } from "./notices.ts";
import { type ObjectName, objectName } from "./protocol.ts";
import type { Taps } from "./taps.ts";

/** What failed is tried again after this long at most. */
export const RETRY_MOST_MS = 60_000;
/** The organization's object that does not answer is taken as failed after this long. */
const ASKING_TIMEOUT_MS = 10_000;

/** What there is to tell of. */
export interface Tidings {
  readonly name: ObjectName;
  readonly approvals: Approvals;
  readonly notices: Notices;
  readonly held: Held;
  readonly taps: Taps;
  readonly crowds: Crowds;
  readonly alerts: AlertNotices;
  /** One transaction of the object. */
  readonly write: <T>(work: () => T) => T;
}

export class Telling {
  readonly #env: Env;
  readonly #tidings: Tidings;

  constructor(env: Env, tidings: Tidings) {
    this.#env = env;
    this.#tidings = tidings;
  }

  /** Tells people what they are asked and what was answered. @returns when to try again at the earliest */
  async run(): Promise<number> {
    const { name, approvals, notices, held, taps, crowds, write } = this.#tidings;
    const check = checkEnv(this.#env);
    if (!check.ok) return Date.now() + RETRY_MOST_MS;
    return sendNotices(
      {
        notices,
        write,
        record: (approval) => {
          const row = approvals.find(approval);
          return row === null ? null : approvals.record(row);
        },
        link: (approval, member, hash) => write(() => taps.link({ approval, member, link: hash })),
        reconsider: (approval, quiet) => write(() => held.reconsider(approval, quiet)),
        tells: ({ id, origin }) => this.#tells(id, origin),
        crowd: (subject) => crowds.of(subject),
        alerts: (subject) => this.#alertsOf(subject, check.config.publicOrigin),
      },
      {
        db: this.#env.DB,
        organization: name.organization,
        secrets: check.config.settingsKeys,
        publicOrigin: check.config.publicOrigin,
        env: this.#env,
        now: Date.now,
        random: Math.random,
        fetch: (...request) => fetch(...request),
      },
    );
  }

  /** Asked of the organization's object, which all families share. */
  #tells(approval: string, origin: string): Promise<boolean> {
    const { organization } = this.#tidings.name;
    const stub = this.#env.SESSION.getByName(objectName({ kind: "organization", organization }));
    return within(ASKING_TIMEOUT_MS, stub.tellsSingly(approval, origin));
  }

  /** Alerts and where they lead: where no origin is set, to where the organization's channels were set up. */
  #alertsOf(subject: string, publicOrigin: string | null): (GatheredAlerts & { origin: string }) | null {
    const alerts = this.#tidings.alerts.of(subject);
    const origin = publicOrigin ?? this.#tidings.alerts.origin();
    return alerts === null || origin === null ? null : { ...alerts, origin };
  }
}
