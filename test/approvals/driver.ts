/** Plays a run of commands against the Worker, over HTTP, and keeps what it was answered. */
import { abortAllDurableObjects } from "cloudflare:test";
import { linkHash, newJti, signLink } from "../../src/notify/links.ts";
import { press, SECRETS } from "../approve/support.ts";
import { stubOf } from "../durable/support.ts";
import { type Answer, ORIGIN, openSession, report, send, shell } from "../support/api.ts";
import { type Crew, type Person, pass, say } from "./support.ts";

export const COMMANDS = ["touch a.txt", "touch b.txt"];
/** What may be sworn: nothing, or that one of the commands never runs. */
export const OATHS = ["# nothing\n", "never create: ~/work/a.txt\n", "never create: ~/work/b.txt\n"];
/** The second one continues the first, and so lives in its family and speaks as it does. */
export const SESSIONS = ["a", "a on", "b"];
const ROOTS = [0, 0, 2];

export type Step =
  | { readonly do: "call"; readonly session: number; readonly command: number; readonly id: number }
  | {
      readonly do: "report";
      readonly session: number;
      readonly command: number;
      readonly id: number;
      readonly outcome: string;
    }
  | {
      readonly do: "tap";
      readonly target: number;
      readonly who: number;
      readonly via: "link" | "session";
      readonly decision: "approve" | "deny";
      readonly wrong: boolean;
    }
  | { readonly do: "extend"; readonly target: number; readonly who: number }
  | { readonly do: "edit"; readonly target: number; readonly who: number }
  | { readonly do: "turn"; readonly session: number }
  | { readonly do: "swear"; readonly oath: number }
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "reset" }
  | { readonly do: "together"; readonly steps: readonly Step[] };

/** An approval as its agent was told of it. */
interface Known {
  readonly id: string;
  readonly root: number;
  readonly digest: string;
  readonly command: number;
}

export type Told =
  | { readonly kind: "decision"; readonly session: number; readonly callId: string; readonly answer: Answer }
  | { readonly kind: "entry"; readonly session: number; readonly answer: Answer }
  | {
      readonly kind: "tap";
      readonly approval: string;
      readonly member: string;
      readonly decision: string;
      readonly tap: string;
      readonly status: string | null;
    }
  | {
      readonly kind: "edit";
      readonly approval: string;
      readonly member: string;
      readonly into: string;
    }
  | {
      readonly kind: "extension";
      readonly approval: string;
      readonly member: string;
      readonly extended: boolean;
    }
  | { readonly kind: "refused"; readonly approval: string; readonly member: string; readonly code: string };

/** What an organization has sworn: of each version, from 0, which of {@link OATHS} it is. */
export interface Sworn {
  readonly oaths: number[];
}

export const callIdOf = (command: number, id: number) => `${command}.${id}`;

export class Driver {
  readonly told: Told[] = [];
  /** Answers that were final when they were given. */
  readonly finals = new Map<string, { session: number; command: number; callId: string; text: string }>();
  readonly #crew: Crew;
  readonly #people: readonly Person[];
  readonly #sworn: Sworn;
  readonly #name: string;
  readonly #known: Known[] = [];
  readonly #pressed = new Set<string>();
  #swearing: Promise<void> = Promise.resolve();

  /**
   * @param people who tap: deciders, and others
   * @param sworn of the organization, which may have played before
   */
  constructor(crew: Crew, people: readonly Person[], sworn: Sworn) {
    this.#crew = crew;
    this.#sworn = sworn;
    this.#people = people;
    this.#name = crypto.randomUUID();
  }

  nameOf(session: number): string {
    return `${SESSIONS[session]} ${this.#name}`;
  }

  /** The number of the session whose name this is. */
  numberOf(name: string): number {
    return SESSIONS.findIndex((one) => name === `${one} ${this.#name}`);
  }

  rootOf(session: number): number {
    return ROOTS[session] ?? session;
  }

  pressed(approval: string, member: string, decision: string): boolean {
    return this.#pressed.has(`${approval} ${member} ${decision}`);
  }

  /** The oath that a version of it was, as a number in {@link OATHS}. */
  oathOf(version: number): number {
    return this.#sworn.oaths[version] ?? 0;
  }

  get #version(): number {
    return this.#sworn.oaths.length - 1;
  }

  async begin(): Promise<void> {
    if (this.oathOf(this.#version) !== 0) await this.#swear(0);
    await openSession(this.#crew.tenant, this.nameOf(0));
    await openSession(this.#crew.tenant, this.nameOf(1), { continues: this.nameOf(0) });
    await openSession(this.#crew.tenant, this.nameOf(2));
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case "call":
        await this.call(step.session, step.command, callIdOf(step.command, step.id));
        return;
      case "report": {
        const call_id = callIdOf(step.command, step.id);
        const answer = await report(this.#crew.tenant, this.nameOf(step.session), {
          call_id,
          outcome: step.outcome,
        });
        if (answer.status === 200) this.told.push({ kind: "entry", session: step.session, answer });
        return;
      }
      case "tap":
        return this.#tap(step);
      case "extend":
        return this.#extend(step);
      case "edit":
        return this.#edit(step);
      case "turn": {
        const answer = await say(this.#crew.tenant, this.nameOf(step.session)).catch(() => null);
        if (answer !== null) this.told.push({ kind: "entry", session: step.session, answer });
        return;
      }
      case "swear":
        this.#swearing = this.#swearing.then(() => this.#swear(step.oath));
        return this.#swearing;
      case "pass":
        pass(step.ms);
        return;
      case "reset":
        return abortAllDurableObjects();
      case "together":
        await Promise.all(step.steps.map((one) => this.run(one)));
    }
  }

  /** Asks, and keeps the answer if it is on record: one that is not lets nothing run. */
  async call(session: number, command: number, callId: string): Promise<Answer> {
    const answer = await shell(this.#crew.tenant, this.nameOf(session), COMMANDS[command] ?? "", {
      call_id: callId,
    });
    const { verdict, ledger, approval, action_digest: digest, id } = answer.json ?? {};
    if (answer.status !== 200 || ledger === null || id === null) {
      if (verdict === "allow") throw new Error(`let through without a record: ${answer.text}`);
      return answer;
    }
    this.told.push({ kind: "decision", session, callId, answer });
    if (approval !== null && !this.#known.some((one) => one.id === approval.id))
      this.#known.push({ id: approval.id, root: this.rootOf(session), digest, command });
    const key = `${session} ${callId}`;
    const final = this.finals.get(key);
    if (final !== undefined && final.text !== answer.text)
      throw new Error(`a final answer changed:\n${final.text}\n${answer.text}`);
    if (verdict !== "ask") this.finals.set(key, { session, command, callId, text: answer.text });
    return answer;
  }

  /** The newest approval but so many. */
  #target(back: number): Known | undefined {
    return this.#known.at(-1 - back);
  }

  async #tap({ target, who, via, decision, wrong }: Extract<Step, { do: "tap" }>): Promise<void> {
    const approval = this.#target(target);
    const person = this.#people[who];
    if (approval === undefined || person === undefined) return;
    const { id, digest: right } = approval;
    const { member } = person;
    const digest = wrong ? "0".repeat(64) : right;
    if (!wrong) this.#pressed.add(`${id} ${member} ${decision}`);
    if (via === "link") {
      const path = await this.#link(approval, member);
      if (path === null) return;
      const answer = await press(path, { decision, action_digest: digest });
      if (answer.status !== 303) return;
      const late = answer.headers.get("location") !== path;
      this.told.push({
        kind: "tap",
        approval: id,
        member,
        decision,
        tap: late ? "late" : "taken",
        status: null,
      });
      return;
    }
    const answer = await send(`/v1/approvals/${id}/decision`, {
      cookie: person.cookie,
      json: { decision, action_digest: digest },
    });
    if (answer.status === 200) {
      const { tap, approval: told } = answer.json;
      this.told.push({ kind: "tap", approval: id, member, decision, tap, status: told.status });
    } else if (answer.json?.code === "digest-mismatch")
      this.told.push({ kind: "refused", approval: id, member, code: "digest-mismatch" });
  }

  /** The path of a new link for a member, or `null` where none is made: it is decided, or the object is being reset. */
  async #link({ id, root, digest }: Known, member: string): Promise<string | null> {
    const { tenant } = this.#crew;
    const jti = newJti();
    const linked = await stubOf(tenant, this.nameOf(root))
      .linkApproval({ approval: id, member, link: linkHash(jti) })
      .catch(() => null);
    if (linked === null || !linked.ok) return null;
    const now = Date.now();
    const claims = {
      organization: tenant.organization,
      approval: id,
      root: this.nameOf(root),
      member,
      digest,
      jti,
      issued_at: now,
      expires_at: now + 3_600_000,
    };
    return `/approve/${await signLink(claims, ORIGIN, SECRETS)}`;
  }

  async #extend({ target, who }: Extract<Step, { do: "extend" }>): Promise<void> {
    const approval = this.#target(target);
    const person = this.#people[who];
    if (approval === undefined || person === undefined) return;
    const answer = await send(`/v1/approvals/${approval.id}/extension`, {
      method: "POST",
      cookie: person.cookie,
    });
    if (answer.status !== 200) return;
    const { extended } = answer.json;
    this.told.push({ kind: "extension", approval: approval.id, member: person.member, extended });
  }

  /** Puts the other command in place of the one that was asked. */
  async #edit({ target, who }: Extract<Step, { do: "edit" }>): Promise<void> {
    const approval = this.#target(target);
    const person = this.#people[who];
    if (approval === undefined || person === undefined) return;
    const { id, digest, root } = approval;
    const { member } = person;
    const command = 1 - approval.command;
    this.#pressed.add(`${id} ${member} edit`);
    const answer = await send(`/v1/approvals/${id}/decision`, {
      cookie: person.cookie,
      json: { decision: "approve", action_digest: digest, args: { command: COMMANDS[command] } },
    });
    const { tap, approval: told, replaced } = answer.json ?? {};
    if (answer.status !== 200) return;
    if (replaced === null)
      this.told.push({ kind: "tap", approval: id, member, decision: "edit", tap, status: told.status });
    else {
      this.told.push({ kind: "edit", approval: id, member, into: told.id });
      this.#known.push({ id: told.id, root, digest: told.action_digest, command });
    }
  }

  /** Swears, however often it takes: an object that was reset may have sworn without saying so. */
  async #swear(oath: number): Promise<void> {
    const expected = this.#version;
    const version = expected + 1;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await send("/v1/oath", {
        method: "PUT",
        cookie: this.#crew.tenant.cookie,
        headers: { "if-match": `"${expected}"` },
        json: { text: OATHS[oath] },
      });
      if (answer.status !== 200 && answer.json?.current_version !== version) continue;
      this.#sworn.oaths[version] = oath;
      return;
    }
    throw new Error("the oath could not be sworn");
  }
}
