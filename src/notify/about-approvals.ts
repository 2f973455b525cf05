/** What people are told of asks: each approver by a link of their own, all others by the dashboard's page. */
import { type LiveChannel, namesOf } from "../db/channel-health.ts";
import { readSettings } from "../db/governance.ts";
import { type QuietHours, readApprovals } from "../policy/approval/index.ts";
import { ROLES, type Role } from "../roles.ts";
import { open, type Place, seal } from "../sealing.ts";
import { within } from "../within.ts";
import {
  type AskedAt,
  DATABASE_TIMEOUT_MS,
  type Matter,
  type Notice,
  type NoticeBox,
  type NoticeDeps,
} from "./box.ts";
import { linkExpiry, linkHash, linkUrl, newJti, signLink } from "./links.ts";
import { decidedMessage, type Message, type Names, openedMessage } from "./message.ts";

export class AboutApprovals {
  readonly #box: NoticeBox;
  readonly #deps: NoticeDeps;
  readonly #names = new Map<string, Promise<Names>>();
  /** Read once for all that one run looks at. */
  #quiet: Promise<QuietHours | null> | null = null;

  constructor(box: NoticeBox, deps: NoticeDeps) {
    this.#box = box;
    this.#deps = deps;
  }

  /** `null` for what nobody has to be told any more. */
  matterOf({ subject, event }: Notice): Matter | null {
    const asked = this.#box.record(subject);
    if (asked === null) return null;
    const { origin } = asked;
    if (event !== "approval.opened")
      return {
        origin,
        isFor: () => true,
        readiness: () => Promise.resolve("all"),
        message: () => this.#decided(asked),
      };
    if (asked.status !== "pending") return null;
    return {
      origin,
      isFor: mayAnswer,
      readiness: () => this.#readiness(asked),
      message: (...to) => this.#opened(asked, ...to),
    };
  }

  async #readiness(asked: AskedAt): Promise<"held" | "all" | "programs"> {
    if (await this.#isHeld(asked)) return "held";
    return (await this.#box.tells(asked)) ? "all" : "programs";
  }

  /** Quiet hours are those that are set now, not those of when it was asked. */
  async #isHeld({ id, notify_at }: AskedAt): Promise<boolean> {
    if (notify_at <= this.#deps.now()) return false;
    this.#quiet ??= this.#readQuiet();
    return this.#box.reconsider(id, await this.#quiet);
  }

  async #readQuiet(): Promise<QuietHours | null> {
    const { db, organization } = this.#deps;
    const settings = await within(DATABASE_TIMEOUT_MS, readSettings(db, organization));
    if (settings === null) throw new Error("an organization that asks is not in the database");
    return readApprovals((JSON.parse(settings) as { approvals?: unknown }).approvals).quiet_hours;
  }

  async #opened(asked: AskedAt, notice: Notice, { member_id: member }: LiveChannel): Promise<Message | null> {
    const names = await this.#namesFor(asked);
    const token = member === null ? null : await this.#linkFor(notice, member, asked);
    // Somebody may have answered since.
    const latest = this.#box.record(asked.id) ?? asked;
    if (latest.status !== "pending") return null;
    const url = token === null ? pageOf(asked) : linkUrl(asked.origin, token);
    return openedMessage(latest, names, url, token !== null, this.#deps.now());
  }

  async #decided(asked: AskedAt): Promise<Message> {
    const names = await this.#namesFor(asked);
    return decidedMessage(asked, names, pageOf(asked), this.#deps.now());
  }

  /**
   * The link of this channel's member: made once for a notice, then kept sealed, so that every try carries the same.
   * `null` where no further one is to be had; then the message leads to the dashboard.
   */
  async #linkFor(notice: Notice, member: string, asked: AskedAt): Promise<string | null> {
    const { organization, secrets, now } = this.#deps;
    const place: Place = { organization, field: `notice ${asked.id} ${notice.id}` };
    const kept = notice.link === null ? null : await open(notice.link, place, secrets);
    if (kept?.ok === true) return kept.text;
    const jti = newJti();
    const token = await signLink(
      {
        organization,
        approval: asked.id,
        root: asked.root,
        member,
        digest: asked.action_digest,
        jti,
        issued_at: now(),
        expires_at: linkExpiry(asked),
      },
      asked.origin,
      secrets,
    );
    const sealed = await seal(token, place, secrets);
    // Nothing is awaited between the two: they are one commit, and the request waits for it.
    if (!this.#box.link(asked.id, member, linkHash(jti)).ok) return null;
    this.#box.write(() => this.#box.notices.keepLink(notice.id, sealed));
    return token;
  }

  /** Without names a message says ids: late is worse. */
  #namesFor(asked: AskedAt): Promise<Names> {
    const member = asked.decided_by?.member ?? null;
    const key = `${asked.id} ${member}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const { db, organization } = this.#deps;
    const reading = within(DATABASE_TIMEOUT_MS, namesOf(db, organization, asked.agent, member)).catch(
      (): Names => ({ agent: null, member: null }),
    );
    this.#names.set(key, reading);
    return reading;
  }
}

function pageOf(asked: AskedAt): string {
  return `${asked.origin}/approvals/${asked.id}`;
}

/** An ask is for those who may answer it; how it ended is for all who want to hear. */
export function mayAnswer({ member_id, role }: LiveChannel): boolean {
  return member_id === null || ROLES.indexOf(role as Role) >= ROLES.indexOf("approver");
}
