/**
 * The crowd: agents that ask, ask again, run and report; approvers with links and with sessions of their own; an owner who
 * changes what governs. Every answer is kept. A request that dies is made again in the next life of the Worker.
 */

import { Break } from "./break.mjs";
import { Dead } from "./http.mjs";
import { ask, edit, extend, newCall, report, setMode, swear, tap, tapLink, watch } from "./requests.mjs";

const AGENTS = 18;
const APPROVERS = 9;
const WATCHERS = 4;
/** One in so many approvals is left alone, to expire. */
const FORGOTTEN_ONE_IN = 8;
const STRICT_MS = 60;
const BETWEEN_CHANGES_MS = 250;

const chance = (share) => Math.random() < share;
const oneOf = (list) => list[Math.floor(Math.random() * list.length)];
const later = (ms) => new Promise((done) => setTimeout(done, ms));

export class Crowd {
  #world;
  #client;
  #over = false;
  #work = [];
  #fault = null;

  constructor(world, client) {
    this.#world = world;
    this.#client = client;
  }

  /** Sets everybody to work; first of all, to ask again for what died unanswered. */
  begin() {
    const again = this.#world.unanswered.splice(0);
    const loops = [
      ...again.map((work) => () => this.#again(work)),
      ...Array.from({ length: AGENTS }, () => () => this.#loop(() => this.#agent())),
      ...Array.from({ length: APPROVERS }, () => () => this.#loop(() => this.#approver())),
      () => this.#owner(),
      () => this.#loop(() => this.#stranger()),
      ...Array.from({ length: WATCHERS }, () => () => this.#loop(() => this.#watcher())),
    ];
    this.#work = loops.map((loop) =>
      loop().catch((error) => {
        this.#fault ??= error;
        this.#over = true;
      }),
    );
  }

  /** True once somebody was told what must not be. */
  get isBroken() {
    return this.#fault !== null;
  }

  /** Nobody begins anything new; resolves when everybody has their answer, or knows that none comes. */
  async end() {
    this.#over = true;
    await Promise.all(this.#work);
    if (this.#fault !== null) throw this.#fault;
  }

  async #loop(step) {
    while (!this.#over) {
      try {
        await step();
      } catch (error) {
        if (!(error instanceof Dead)) throw error;
        return;
      }
      await later(Math.random() * 15);
    }
  }

  async #again(work) {
    try {
      await this.#once(work);
    } catch (error) {
      if (!(error instanceof Dead)) throw error;
    }
  }

  /** Does a piece of work, which is kept for the next life where no answer comes. */
  async #once(work) {
    try {
      await work(this.#client);
    } catch (error) {
      if (!(error instanceof Dead)) throw error;
      this.#world.counts.died += 1;
      this.#world.unanswered.push(work);
      throw error;
    }
  }

  async #agent() {
    const world = this.#world;
    const family = oneOf(world.active);
    const session = oneOf(family.sessions);
    const roll = Math.random();
    const known = [...(family.calls ?? [])];
    if (roll < 0.4 || known.length === 0) {
      // What an approver made of a call is asked for as a new one, by whichever of its sessions.
      const edited = chance(0.5) ? family.edited?.shift() : undefined;
      const call = newCall(world, family, edited?.session ?? session, edited);
      await this.#once((client) => ask(world, client, call, chance(0.03)));
      // The harness sends the same call twice at once.
      if (chance(0.2)) await this.#once((client) => ask(world, client, call, false));
    } else if (roll < 0.78) {
      const waiting = known.filter((call) => call.verdict === "ask");
      const call = oneOf(waiting.length > 0 && chance(0.85) ? waiting : known);
      await this.#once((client) => ask(world, client, call, chance(0.04)));
    } else if (roll < 0.96) {
      const ran = known.filter((call) => call.verdict === "allow");
      if (ran.length === 0) return;
      const call = oneOf(ran);
      // One in six is never reported.
      if (call.outcome === undefined && call.number % 6 === 0) return;
      call.outcome ??= oneOf(["success", "success", "error", "unknown"]);
      await this.#once((client) => report(world, client, call));
    } else {
      const text = `Go on, please. ${Math.random()}`;
      const path = `/v1/sessions/${encodeURIComponent(session)}/turns`;
      await this.#once((client) => client.send("POST", path, { key: world.key, json: { text } }));
    }
  }

  async #approver() {
    const world = this.#world;
    const all = [...world.approvals.values()];
    const open = all.filter((approval) => !approval.answered && approval.number % FORGOTTEN_ONE_IN !== 0);
    // The newest, since who is told of an ask answers it soon; sometimes any other, which is late.
    const approval = open.length > 0 && chance(0.9) ? oneOf(open.slice(-40)) : oneOf(all.slice(-200));
    if (approval === undefined) return later(20);
    const wanted = chance(0.72) ? "approve" : "deny";
    if (chance(0.04)) return this.#once((client) => extend(world, client, approval, "admin"));
    if (chance(0.12) && approval.people === 1) {
      const content = `edited ${Math.floor(Math.random() * 3)}`;
      return this.#once((client) => edit(world, client, approval, oneOf(["admin", "owner"]), content));
    }
    if (chance(0.3))
      return this.#once((client) => tap(world, client, approval, oneOf(["admin", "owner"]), wanted));
    const who = oneOf(["one", "two"]);
    const url = approval.links[who] ?? (await this.#linkFor(approval, who));
    if (url !== null) await this.#once((client) => tapLink(world, client, approval, who, url, wanted));
  }

  async #linkFor(approval, who) {
    const { cookie } = this.#world.people[who];
    const answer = await this.#client.send("POST", `/v1/approvals/${approval.id}/links`, { cookie });
    if (answer.status === 409) approval.answered = true;
    if (answer.status !== 201) return null;
    const { pathname } = new URL(answer.json.url);
    approval.links[who] = pathname;
    return pathname;
  }

  /** Changes what governs: another oath; and for a moment what is asked about is blocked. */
  async #owner() {
    // What died half-way in the life before is set right first.
    let set = false;
    await this.#loop(async () => {
      if (!set) await setMode(this.#world, this.#client, "ask");
      set = true;
      await this.#govern();
    });
  }

  async #govern() {
    const world = this.#world;
    await later(BETWEEN_CHANGES_MS * (0.5 + Math.random()));
    if (chance(0.5)) await this.#once((client) => swear(world, client));
    else {
      await setMode(world, this.#client, "enforce");
      await later(STRICT_MS);
      await setMode(world, this.#client, "ask");
    }
  }

  /** Waits for answers, as an agent does. */
  async #watcher() {
    const all = [...this.#world.approvals.values()];
    const open = all.filter(({ answered }) => !answered);
    const approval = oneOf(chance(0.8) && open.length > 0 ? open.slice(-20) : all);
    if (approval === undefined) return later(50);
    await this.#once((client) => watch(this.#world, client, approval));
  }

  /** Tries what they have no right to. */
  async #stranger() {
    await later(60);
    const world = this.#world;
    const approval = oneOf([...world.approvals.values()].slice(-40));
    if (approval === undefined) return;
    const json = { decision: "approve", action_digest: approval.digest };
    const path = `/v1/approvals/${approval.id}/decision`;
    const who = chance(0.5) ? { cookie: world.people.viewer.cookie } : { key: world.key };
    const answer = await this.#client.send("POST", path, { ...who, json });
    if (answer.status < 400)
      throw new Break(`${approval.id}: somebody without the right to answer was told ${answer.text}`);
    const wrong = { decision: "approve", action_digest: "0".repeat(64) };
    const other = await this.#client.send("POST", path, { cookie: world.people.admin.cookie, json: wrong });
    if (other.status === 200 && other.json.tap !== "late")
      throw new Break(`${approval.id}: an approval of another action was taken: ${other.text}`);
    // A look decides nothing, by whatever method.
    const link = Object.values(approval.links)[0];
    if (link !== undefined) await this.#client.send(oneOf(["GET", "HEAD", "OPTIONS"]), link);
  }
}
