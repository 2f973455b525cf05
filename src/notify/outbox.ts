/**
 * Sends what is due. Called by an object's alarm and by nothing else: it waits for strangers, and neither a decision nor
 * a delivery waits for it. Everything may run twice: a crash between sending and writing that down sends the same again
 * under the same id, and loses nothing.
 */
import { reachFrom } from "../addresses.ts";
import { type LiveChannel, listLiveChannels, recordHealth } from "../db/channel-health.ts";
import { log } from "../log.ts";
import { open } from "../sealing.ts";
import { within } from "../within.ts";
import { alertMatterOf } from "./about-alerts.ts";
import { AboutApprovals } from "./about-approvals.ts";
import { crowdMatterOf } from "./about-crowds.ts";
import { DATABASE_TIMEOUT_MS, type Matter, type Notice, type NoticeBox, type NoticeDeps } from "./box.ts";
import { failed, type Sent } from "./dispatch.ts";
import { sendBy } from "./kinds/index.ts";
import { mailerOf } from "./mailer.ts";
import type { NoticeEvent } from "./message.ts";

/** Requests at one time: a Worker has six connections, and D1 wants one. */
const LANES = 4;
/** No send is begun after that, so that one alarm stays short; what is left is due at once. */
const RUN_MS = 20_000;
/** How soon a lane with nothing to do looks again while others are busy. */
const IDLE_MS = 250;
const BATCH_ROWS = 100;
/** Channels are read again after that: one may have been removed, or its member have lost their role. */
const FRESH_MS = 2_000;
/** While D1 is away everything waits this long, and up to twice as long. */
const AWAY_MS = 5_000;
/** After the object could not write down what was sent. */
const BROKEN_MS = 60_000;
/** After so many failures in a row a channel is tried once for each event, until one gets through. */
export const DEAD_AFTER_FAILURES = 20;

/**
 * Never throws. Takes some 26 seconds at most.
 * @returns when it may be called again at the earliest, epoch milliseconds; 0 for whenever something is due
 */
export async function sendNotices(box: NoticeBox, deps: NoticeDeps): Promise<number> {
  const run = new Run(box, deps);
  const [broken] = await run.all();
  if (broken === undefined) return 0;
  // What cannot be written down would be sent again and again.
  log.error("notices-failed", broken, { organization: deps.organization });
  return deps.now() + BROKEN_MS;
}

class Run {
  readonly #box: NoticeBox;
  readonly #deps: NoticeDeps;
  readonly #until: number;
  readonly #approvals: AboutApprovals;
  /** Failures in a row, as this run knows them better than what was read. */
  readonly #failures = new Map<string, number>();
  readonly #inFlight = new Set<number>();
  #channels: { readonly at: number; readonly rows: Promise<readonly LiveChannel[]> } | null = null;
  #isStopped = false;

  constructor(box: NoticeBox, deps: NoticeDeps) {
    this.#box = box;
    this.#deps = deps;
    this.#approvals = new AboutApprovals(box, deps);
    this.#until = deps.now() + RUN_MS;
  }

  /** What lanes broke off by. */
  async all(): Promise<unknown[]> {
    const ends = await Promise.allSettled(Array.from({ length: LANES }, (_, lane) => this.#lane(lane)));
    return ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  }

  async #lane(lane: number): Promise<void> {
    while (!this.#isStopped && this.#deps.now() < this.#until) {
      const due = this.#due();
      const notice = this.#choose(lane, due);
      if (notice === null) {
        if (due.length === 0 && this.#inFlight.size === 0) return;
        // Whoever is asked for something while others hang is not to wait for those.
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
        continue;
      }
      this.#inFlight.add(notice.id);
      try {
        await this.#tell(notice);
      } catch (error) {
        log.error("notice-failed", error, { organization: this.#deps.organization });
        this.#settleOrStop(notice);
      } finally {
        this.#inFlight.delete(notice.id);
      }
    }
  }

  #due(): readonly Notice[] {
    return this.#box.notices
      .due(this.#deps.now(), BATCH_ROWS + LANES)
      .filter(({ id }) => !this.#inFlight.has(id));
  }

  /** The first lane is kept for those who have not failed: all others may be held up by those who have. */
  #choose(lane: number, due: readonly Notice[]): Notice | null {
    const isHealthy = ({ tries, channel }: Notice) =>
      tries === 0 && (channel === null || (this.#failures.get(channel) ?? 0) === 0);
    return due.find(isHealthy) ?? (lane === 0 ? null : (due[0] ?? null));
  }

  async #tell(notice: Notice): Promise<void> {
    const { notices } = this.#box;
    const done = () => this.#box.write(() => notices.settled(notice.id, { is: "done" }));
    const matter = this.#matterOf(notice);
    if (matter === null) return done();
    const ready = notice.channel === null ? await this.#readiness(matter) : "all";
    if (ready === "held") return;
    const live = await this.#live();
    if (live === null) return;
    const wanted = live.filter(
      (channel) =>
        wants(channel, notice.event) &&
        matter.isFor(channel) &&
        // A program is told of each: it has nobody who tires, and may keep count.
        (ready === "all" || channel.kind === "webhook"),
    );
    if (notice.channel === null) {
      const channels = wanted.map(({ channel_id, member_id }) => ({
        channel: channel_id,
        member: member_id,
      }));
      return this.#box.write(() => notices.fannedOut(notice.id, channels));
    }
    const channel = wanted.find(({ channel_id }) => channel_id === notice.channel);
    if (channel === undefined) return done();
    const sent = await this.#send(notice, channel, matter);
    if (sent === null) return done();
    this.#settle(notice, sent);
    await this.#note(channel, sent);
  }

  /** `null` when nobody needs to be told any more. */
  async #send(notice: Notice, channel: LiveChannel, matter: Matter): Promise<Sent | null> {
    const { organization, secrets, publicOrigin, env, fetch } = this.#deps;
    const { origin } = matter;
    const opened = await open(
      channel.target,
      { organization, field: `channel ${channel.channel_id}` },
      secrets,
    );
    if (!opened.ok) return failed("target-unreadable", false);
    const message = await matter.message(notice, channel);
    if (message === null) return null;
    return sendBy(
      channel.kind,
      parsed(opened.text),
      // Two channels may lead to one receiver, and what they say differs in the link.
      { ...message, id: `${message.id}_${channel.channel_id}` },
      {
        fetch,
        reach: reachFrom(publicOrigin === null ? [origin] : [origin, publicOrigin]),
        origin,
        secrets,
        mailer: mailerOf(env, origin),
        now: this.#deps.now(),
      },
    );
  }

  #settleOrStop(notice: Notice): void {
    try {
      this.#settle(notice, failed("internal", true));
    } catch (error) {
      // The row is as it was: whichever lane took it next would send it again.
      this.#isStopped = true;
      throw error;
    }
  }

  #settle(notice: Notice, sent: Sent): void {
    const { channel } = notice;
    if (channel !== null && !sent.sent) this.#failures.set(channel, (this.#failures.get(channel) ?? 0) + 1);
    if (channel !== null && sent.sent) this.#failures.set(channel, 0);
    const isDead = channel !== null && (this.#failures.get(channel) ?? 0) >= DEAD_AFTER_FAILURES;
    const result =
      sent.sent || !sent.retry || isDead
        ? { is: "done" as const }
        : {
            is: "failed" as const,
            jitter: this.#deps.random(),
            ...(sent.wait === undefined ? {} : { wait: sent.wait }),
          };
    this.#box.write(() => this.#box.notices.settled(notice.id, result));
  }

  /** Lets administrators see how a channel fares. That it cannot be written is nobody's failure but D1's. */
  async #note(channel: LiveChannel, sent: Sent): Promise<void> {
    const { db, organization, now } = this.#deps;
    const failure = sent.sent ? null : sent.failure;
    if (failure !== null)
      log.info("notice-not-sent", { organization, channel: channel.channel_id, kind: channel.kind, failure });
    const least = failure === "gone" ? DEAD_AFTER_FAILURES : 1;
    try {
      await within(
        DATABASE_TIMEOUT_MS,
        recordHealth(db, organization, channel.channel_id, failure, now(), least),
      );
    } catch (error) {
      log.error("channel-health-not-written", error, { organization });
    }
  }

  #matterOf(notice: Notice): Matter | null {
    switch (notice.event) {
      case "ledger.alert":
        return alertMatterOf(this.#box, notice);
      case "approval.crowd":
        return crowdMatterOf(this.#box, notice);
      default:
        return this.#approvals.matterOf(notice);
    }
  }

  /** `held` as well when nobody can say, and then everything that is due waits: too late is better than in the night. */
  async #readiness(matter: Matter): Promise<"held" | "all" | "programs"> {
    try {
      return await matter.readiness();
    } catch (error) {
      this.#away("readiness-not-known", error);
      return "held";
    }
  }

  /** The organization's channels; `null` when D1 does not say, and then everything that is due waits. */
  async #live(): Promise<readonly LiveChannel[] | null> {
    const { db, organization, now } = this.#deps;
    if (this.#channels === null || now() - this.#channels.at >= FRESH_MS)
      this.#channels = {
        at: now(),
        rows: within(DATABASE_TIMEOUT_MS, listLiveChannels(db, organization)).then((rows) => {
          for (const { channel_id, failures } of rows)
            this.#failures.set(channel_id, Math.max(failures, this.#failures.get(channel_id) ?? 0));
          return rows;
        }),
      };
    try {
      return await this.#channels.rows;
    } catch (error) {
      this.#away("channels-not-read", error);
      return null;
    }
  }

  #away(event: string, error: unknown): void {
    if (this.#isStopped) return;
    const { organization, now, random } = this.#deps;
    this.#isStopped = true;
    log.error(event, error, { organization });
    this.#box.write(() => this.#box.notices.postpone(now(), AWAY_MS * (1 + random())));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function wants(channel: LiveChannel, event: NoticeEvent): boolean {
  const events = parsed(channel.events);
  return Array.isArray(events) && events.includes(event === "approval.crowd" ? "approval.opened" : event);
}
