/**
 * What approvals promise, said once more and in little. Reads what is on record of a family, entry by entry in its order,
 * says what each decision had to be, and throws at the first entry that must not stand there. None of the product's code
 * is in it: an action is known by the session that speaks and its command, not by a digest.
 */
import type { Row } from "./support.ts";

export interface Rules {
  readonly expires_after: number;
  readonly grant_lasts: number;
  readonly people: number;
  /** Members who may decide. */
  readonly deciders: ReadonlySet<string>;
  /** The action that a call is of. */
  actionOf(session: string, callId: string): string;
  /** Whether what was sworn up to this version forbids it. */
  forbids(policyVersion: number, action: string): boolean;
  /** The action that an edit makes of it. */
  editOf(action: string): string;
  /** Whether this member has pressed this on this approval, as far as anybody sent it. */
  pressed(approval: string, member: string, decision: "approve" | "deny" | "edit"): boolean;
}

/** An ask as the model knows it. */
export interface Ask {
  readonly id: string;
  readonly action: string;
  readonly opened: number;
  readonly rules: ReadonlySet<string>;
  expires: number;
  extended: boolean;
  readonly votes: string[];
  answer: "pending" | "approved" | "denied" | "expired";
  /** Denied because somebody put another action in its place. */
  isEdited: boolean;
  /** Who made it of another action, and so approved it. */
  readonly editor: string | null;
  answered: number;
  grant: "none" | "live" | "spent" | "overruled" | "lapsed";
  lasts: number;
  /** The call that ran on it. */
  ran: string | null;
  isKnown: boolean;
}

interface Call {
  readonly final: boolean;
  readonly hangsOn: string | null;
}

const EXTENSION = 5 * 60_000;
const RULE = {
  denied: "guard:denied",
  edited: "guard:edited",
  expired: "guard:approval-expired",
  doubt: "guard:outcome-unknown",
};

export class Model {
  readonly asks = new Map<string, Ask>();
  /** What happened, counted: a run in which nothing does shows nothing. */
  readonly seen = new Map<string, number>();
  readonly #rules: Rules;
  readonly #calls = new Map<string, Call>();
  readonly #digests = new Map<string, string>();
  #spoken = 0;
  #policy = 0;
  #now = 0;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Takes the next entry. @param session the one that it is of */
  read(row: Row, session: string | null): void {
    try {
      if (row.at < this.#now) throw new Error("time goes back");
      this.#now = row.at;
      if (typeof row.body.approval === "string") this.#named(row.body.approval, row.body.action_digest);
      if (row.kind === "turn") this.#spoken = row.seq;
      if (row.kind === "decision") this.#decision(row, session ?? "");
      if (row.kind === "approval_decided") this.#decided(row);
      if (row.kind === "approval_vote") this.#vote(row);
      if (row.kind === "approval_edited") this.#edited(row);
      if (row.kind === "approval_extended") this.#extended(row);
      if (row.kind === "grant_lapsed") this.#lapsed(row);
      if (row.kind === "outcome") this.#outcome(row, session ?? "");
      if (row.kind === "refusal") this.#refusal(row);
    } catch (error) {
      throw new Error(`entry ${row.seq} (${row.kind}): ${(error as Error).message} ${JSON.stringify(row)}`);
    }
  }

  #decision({ seq, at, body }: Row, session: string): void {
    const key = `${session} ${body.call_id}`;
    const action = this.#rules.actionOf(session, body.call_id);
    const rules: string[] = body.rule_keys;
    const before = this.#calls.get(key);
    must(before?.final !== true, "a final answer was given anew");
    const hangsOn = before?.hangsOn == null ? null : this.#ask(before.hangsOn);
    must(hangsOn === null || !this.#waits(hangsOn, at), "a call was judged anew while its approval waits");
    must(body.policy_version >= this.#policy, "an older policy was taken for the newest");
    this.#policy = body.policy_version;

    const own = this.#of(action, at);
    const isForbidden = this.#rules.forbids(body.policy_version, action);
    const refused =
      hangsOn?.answer === "denied" || hangsOn?.answer === "expired" ? hangsOn : this.#denied(own);
    const doubted = doubtedOf(own);
    const live = own.find((ask) => ask.grant === "live" && at < ask.lasts);
    must(rules.includes("oath:never") === isForbidden, "the oath in force did not count");
    const isNo = refused?.answer === "denied";
    must(rules.includes(RULE.denied) === (isNo && !refused.isEdited), "a no did not count");
    must(rules.includes(RULE.edited) === (isNo && refused.isEdited), "an edit did not count");
    must(rules.includes(RULE.expired) === (refused?.answer === "expired"), "silence did not count as a no");
    must(rules.includes(RULE.doubt) === (doubted !== null), "a run of unknown outcome did not count");
    must((body.doubted ?? null) === (doubted?.id ?? null), "another run was doubted");

    const isBlocked = isForbidden || refused !== null;
    const grant = refused === null ? live : undefined;
    const answers = grant !== undefined && !isBlocked && rules.every((rule) => grant.rules.has(rule));
    must(
      (body.overruled ?? null) === (grant !== undefined && !answers ? grant.id : null),
      "overruled wrongly",
    );
    let verdict = "ask";
    let named: { id: string; did: string } | null = null;
    if (grant !== undefined && answers) {
      verdict = "allow";
      named = { id: grant.id, did: "spent" };
      must(grant.ran === null, "one grant let two calls run");
      must(grant.answer === "approved", "a grant that nobody approved");
      grant.grant = "spent";
      grant.ran = key;
    } else if (isBlocked) {
      verdict = "block";
      named = refused === null ? null : { id: refused.id, did: "refused" };
    } else {
      const waiting = own.find((ask) => ask.answer === "pending");
      if (waiting !== undefined) named = { id: waiting.id, did: "attached" };
      else {
        const { id } = body.approval;
        must(typeof id === "string" && !this.asks.has(id), "an ask without an approval of its own");
        named = { id, did: "opened" };
        must(body.approval.expires_at === at + this.#rules.expires_after, "another time to answer");
        this.asks.set(id, newAsk(id, action, seq, at + this.#rules.expires_after, rules));
      }
    }
    if (grant !== undefined && !answers) grant.grant = "overruled";
    must(body.verdict === verdict, `should be ${verdict}`);
    must(same(body.approval ?? null, named), `should name ${JSON.stringify(named)}`);
    this.#calls.set(key, { final: verdict !== "ask", hangsOn: named?.id ?? null });
    this.#count(named === null ? verdict : named.did);
    if (body.overruled !== undefined) this.#count("overruled");
    if (doubted !== null) this.#count("doubted");
  }

  /** One digest for one action, and no other action's. */
  #named(approval: string, digest: string): void {
    const { action } = this.#ask(approval);
    for (const [other, of] of this.#digests)
      must((other === action) === (of === digest), `${action} goes by the digest of ${other}, or by two`);
    this.#digests.set(action, digest);
  }

  #decided({ seq, at, body }: Row): void {
    const ask = this.#ask(body.approval);
    must(ask.answer === "pending", "answered twice");
    must(body.decision_seq === ask.opened, "the answer to another decision");
    if (body.outcome === "expired") {
      must(at >= ask.expires, "expired before its time");
      must(body.by === null && body.via === null, "somebody's timeout");
    } else {
      must(at < ask.expires, "answered after its time");
      must(this.#rules.deciders.has(body.by), "answered by somebody who may not");
      const decision = body.outcome === "approved" ? "approve" : "deny";
      const isEditor = decision === "approve" && ask.editor === body.by;
      must(
        isEditor || this.#rules.pressed(ask.id, body.by, decision),
        "answered by somebody who did not press that",
      );
      if (decision === "approve") {
        const by = [...ask.votes, body.by];
        must(JSON.stringify(body.approved_by) === JSON.stringify(by), "other people than those who approved");
        must(new Set(by).size === this.#rules.people, "too few people, or too many");
        ask.grant = "live";
        ask.lasts = at + this.#rules.grant_lasts;
      }
    }
    ask.answer = body.outcome;
    ask.answered = seq;
    this.#count(body.outcome);
  }

  /** The action's approvals; what expired has to be on record by the time that it matters. */
  #of(action: string, at: number): Ask[] {
    const own = [...this.asks.values()].filter((ask) => ask.action === action);
    for (const ask of own)
      must(ask.answer !== "pending" || this.#waits(ask, at), "what expired is open still");
    return own;
  }

  /** What was denied since a person last spoke. */
  #denied(own: readonly Ask[]): Ask | null {
    return own.findLast((ask) => ask.answer === "denied" && ask.answered > this.#spoken) ?? null;
  }

  /** Another action in place of the one that was asked, approved by whoever made it. */
  #edited({ seq, at, body }: Row): void {
    const ask = this.#ask(body.approval);
    must(this.#waits(ask, at), "edited when it was decided");
    must(this.#rules.deciders.has(body.by), "edited by somebody who may not");
    must(this.#rules.pressed(ask.id, body.by, "edit"), "edited by somebody who did not press that");
    const action = this.#rules.editOf(ask.action);
    const own = this.#of(action, at);
    must(!this.#rules.forbids(body.policy_version, action), "edited into what is forbidden");
    must(body.policy_version >= this.#policy, "an older policy was taken for the newest");
    this.#policy = body.policy_version;
    must(this.#denied(own) === null, "edited into what was denied");
    must(
      own.every(({ answer }) => answer !== "pending"),
      "edited into what waits already",
    );
    must(
      !own.some(({ grant, lasts }) => grant === "live" && at < lasts),
      "edited into what is granted already",
    );
    const rules: string[] = body.rule_keys;
    must(rules.includes(RULE.doubt) === (doubtedOf(own) !== null), "a run of unknown outcome did not count");
    ask.answer = "denied";
    ask.answered = seq;
    ask.isEdited = true;
    const id: string = body.replaced_by;
    must(!this.asks.has(id), "an edit without an approval of its own");
    this.asks.set(id, newAsk(id, action, seq, at + this.#rules.expires_after, rules, body.by));
    this.#named(id, body.edited_digest);
    this.#count("edited");
  }

  #vote({ at, body }: Row): void {
    const ask = this.#ask(body.approval);
    must(this.#waits(ask, at), "a vote on what is decided");
    must(this.#rules.deciders.has(body.by), "a vote by somebody who may not");
    const hasPressed = ask.editor === body.by || this.#rules.pressed(ask.id, body.by, "approve");
    must(hasPressed, "a vote by somebody who did not press that");
    must(!ask.votes.includes(body.by), "one person's second vote");
    ask.votes.push(body.by);
    must(ask.votes.length < this.#rules.people, "a vote that should have decided");
    must(body.approvals === ask.votes.length, "votes counted wrongly");
    this.#count("vote");
  }

  #extended({ at, body }: Row): void {
    const ask = this.#ask(body.approval);
    must(this.#waits(ask, at) && !ask.extended, "extended twice or too late");
    must(this.#rules.deciders.has(body.by), "extended by somebody who may not");
    must(body.expires_at === ask.expires + EXTENSION, "extended by something else");
    ask.extended = true;
    ask.expires = body.expires_at;
    this.#count("extended");
  }

  #lapsed({ at, body }: Row): void {
    const ask = this.#ask(body.approval);
    must(ask.grant === "live" && at >= ask.lasts, "lapsed before its time");
    ask.grant = "lapsed";
    this.#count("lapsed");
  }

  #outcome({ body }: Row, session: string): void {
    const ran = [...this.asks.values()].find((ask) => ask.ran === `${session} ${body.call_id}`);
    must((body.approval?.id ?? null) === (ran?.id ?? null), "the outcome of another grant");
    must(
      body.heeded === (ran !== undefined || ["blocked", "unknown"].includes(body.outcome)),
      "heeded wrongly",
    );
    if (ran === undefined) return;
    must(!ran.isKnown, "reported twice");
    ran.isKnown = body.outcome !== "unknown";
    must(body.approval.grant === (ran.isKnown ? "reported" : "ambiguous"), "moved on wrongly");
    this.#count(body.approval.grant);
  }

  #refusal({ at, body }: Row): void {
    if (body.operation !== "decideApproval" && body.operation !== "extendApproval") return;
    const ask = this.#ask(body.approval);
    if (body.code === "late-tap") must(ask.answer !== "pending", "too late for what waits");
    if (body.code === "repeated-tap")
      must(this.#waits(ask, at) && ask.votes.includes(body.by), "no repetition");
    if (body.code === "extended-before") must(ask.extended, "was not extended");
    if (body.code === "digest-mismatch") must(this.#waits(ask, at), "late, and not told so");
    this.#count(body.code);
  }

  #ask(id: string): Ask {
    const ask = this.asks.get(id);
    if (ask === undefined) throw new Error(`nobody has opened ${id}`);
    return ask;
  }

  #waits(ask: Ask, at: number): boolean {
    return ask.answer === "pending" && at < ask.expires;
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

/** The newest run of an action, where nobody has said what became of it. */
function doubtedOf(own: readonly Ask[]): Ask | null {
  const last = own.findLast((ask) => ask.grant === "spent");
  return last === undefined || last.isKnown ? null : last;
}

function newAsk(
  id: string,
  action: string,
  opened: number,
  expires: number,
  rules: readonly string[],
  editor: string | null = null,
): Ask {
  return {
    id,
    action,
    opened,
    rules: new Set(rules),
    expires,
    extended: false,
    votes: [],
    answer: "pending",
    isEdited: false,
    editor,
    answered: 0,
    grant: "none",
    lasts: 0,
    ran: null,
    isKnown: false,
  };
}

function same(said: { id: string; did: string } | null, named: { id: string; did: string } | null): boolean {
  return said?.id === named?.id && said?.did === named?.did;
}

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
