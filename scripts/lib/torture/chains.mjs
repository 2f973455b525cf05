/** A chain as it is exported: verified, and read into what it says became of every approval. */
import { verifyChain } from "../../../src/ledger/index.ts";
import { Break } from "./break.mjs";
import { EXPIRES_SECONDS, PEOPLE_TO_DELETE } from "./world.mjs";

const LASTS_MS = EXPIRES_SECONDS * 1_000;
const EXTENSION_MS = 5 * 60 * 1_000;

/** Exports a family's chain, or the organization's for `null`, and verifies it. */
export async function readChain(client, cookie, root, what = "") {
  const path = root === null ? "/v1/ledger" : `/v1/sessions/${encodeURIComponent(root)}/ledger`;
  const { text } = await client.must("GET", `${path}${what}`, { cookie });
  const report = verifyChain(text);
  if (!report.ok)
    throw new Break(
      `the chain of ${root ?? "the organization"} is broken at entry ${report.broken.seq}: ${report.broken.message}`,
    );
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { hash, entry, body, private: kept } = JSON.parse(line);
      const { seq, kind, session, at } = JSON.parse(entry);
      return { hash, seq, kind, session, at, body: JSON.parse(body), private: kept ?? null };
    });
}

/**
 * Walks a family's chain with a model of its own of what may follow what.
 * @param mayApprove members whose yes counts
 * @param modes by policy version: how the oath was set then
 * @returns what became of each approval, by id, and each call's outcome
 * @throws {Break}
 */
export function follow(root, entries, mayApprove, modes) {
  const walk = new Walk(root, mayApprove, modes);
  for (const entry of entries) walk.take(entry);
  return { approvals: walk.approvals, outcomes: walk.outcomes };
}

class Walk {
  approvals = new Map();
  outcomes = new Map();
  #root;
  #mayApprove;
  #modes;
  #policy = 0;
  #entry = null;

  constructor(root, mayApprove, modes) {
    this.#root = root;
    this.#mayApprove = mayApprove;
    this.#modes = modes;
  }

  take(entry) {
    this.#entry = entry;
    const { kind, body } = entry;
    if (kind === "decision") this.#decision(body);
    else if (kind === "approval_vote") this.#vote(body);
    else if (kind === "approval_decided") this.#decided(body);
    else if (kind === "approval_edited") this.#edited(body);
    else if (kind === "approval_extended") this.#extended(body);
    else if (kind === "grant_lapsed") this.#move(body.approval, ["approved"], "lapsed");
    else if (kind === "outcome") this.#outcome(body);
    else if (kind === "refusal" && typeof body.approval === "string")
      this.approvals.get(body.approval)?.refusals.push({ ...body, seq: entry.seq });
  }

  #decision(body) {
    const { verdict, policy_version: policy, approval } = body;
    if (policy < this.#policy) this.#break(`policy ${policy} decided after ${this.#policy}`);
    this.#policy = policy;
    if (verdict !== "block" && this.#modes.get(policy) === "enforce")
      this.#break(`${verdict}, though policy ${policy} blocks it`);
    if (body.doubted !== undefined) this.#move(body.doubted, ["spent", "ambiguous"], "ambiguous");
    if (body.overruled !== undefined) this.#move(body.overruled, ["approved"], "overruled");
    if (verdict === "allow" && approval?.did !== "spent") this.#break("allowed without a grant");
    if (approval === undefined) return;
    if (approval.did === "opened") this.#open(approval, body);
    else if (approval.did === "attached") {
      const state = this.#known(approval.id);
      if (verdict !== "ask" || state.state !== "pending" || this.#entry.at >= state.expires_at)
        this.#break(`${verdict} was attached to an approval that is ${state.state}`);
    } else if (approval.did === "spent") {
      const state = this.#move(approval.id, ["approved"], "spent");
      if (verdict !== "allow") this.#break(`${verdict} spent a grant`);
      if (this.#entry.at >= state.decided_at + LASTS_MS) this.#break("a grant was spent after its time");
      if (body.tool !== state.tool) this.#break(`${body.tool} spent the grant of ${state.tool}`);
      state.spent = { session: this.#entry.session, call_id: body.call_id, seq: this.#entry.seq };
    } else if (approval.did === "refused") {
      const { state } = this.#known(approval.id);
      if (verdict !== "block" || (state !== "denied" && state !== "expired"))
        this.#break(`${verdict} for an approval that is ${state}`);
    } else this.#break(`unknown: ${approval.did}`);
  }

  #open(approval, { verdict, tool, risks }) {
    if (verdict !== "ask") this.#break(`${verdict} opened an approval`);
    const people = risks.includes("DELETE") ? PEOPLE_TO_DELETE : 1;
    this.#new(approval.id, { tool, people, expires_at: approval.expires_at, digest: null });
  }

  #new(id, { tool, people, expires_at, digest }) {
    if (this.approvals.has(id)) this.#break(`${id} is opened twice`);
    this.approvals.set(id, {
      id,
      tool,
      people,
      expires_at,
      digest,
      state: "pending",
      opened_seq: this.#entry.seq,
      votes: [],
      refusals: [],
      extended_by: null,
      edited_into: null,
      decided: null,
      decided_at: null,
      spent: null,
    });
  }

  /** One is answered no, and opens another for what was made of its action, which its editor approves. */
  #edited(body) {
    const state = this.#move(body.approval, ["pending"], "denied");
    const { action_digest: digest, edited_digest: edited = null } = this.#actions();
    this.#hold(state);
    if (this.#entry.at >= state.expires_at) this.#break("edited after its time");
    if (!this.#mayApprove.has(body.by)) this.#break(`edited by ${body.by}, who may not`);
    if (edited !== null && edited === digest) this.#break("edited into the same action");
    if (body.verdict === "block" || this.#modes.get(body.policy_version) === "enforce")
      this.#break("edited into an action that is blocked");
    state.decided = { ...body, outcome: "denied" };
    state.decided_at = this.#entry.at;
    state.edited_into = body.replaced_by;
    // Only what one person may approve is edited here.
    const expires_at = this.#entry.at + LASTS_MS;
    this.#new(body.replaced_by, { tool: state.tool, people: 1, expires_at, digest: edited });
  }

  #vote(body) {
    const state = this.#move(body.approval, ["pending"], "pending");
    this.#hold(state);
    if (!this.#mayApprove.has(body.by)) this.#break(`a vote of ${body.by}, who may not approve`);
    if (state.votes.includes(body.by)) this.#break(`${body.by} votes twice`);
    state.votes.push(body.by);
    if (state.votes.length >= state.people) this.#break("enough have approved, and it is not decided");
  }

  #decided(body) {
    const { outcome, by } = body;
    const state = this.#move(body.approval, ["pending"], outcome);
    this.#hold(state);
    if (body.decision_seq !== state.opened_seq) this.#break("it names another decision");
    const isLate = this.#entry.at >= state.expires_at;
    if (outcome === "expired") {
      if (!isLate || by !== null) this.#break("it expired before its time");
    } else {
      if (isLate) this.#break(`${outcome} after its time`);
      if (!this.#mayApprove.has(by)) this.#break(`${outcome} by ${by}, who may not`);
    }
    if (outcome === "approved") {
      const all = [...state.votes, by];
      if (JSON.stringify(body.approved_by) !== JSON.stringify(all) || new Set(all).size !== state.people)
        this.#break(`approved by ${body.approved_by}, after the votes of ${state.votes}`);
    }
    state.decided = body;
    state.decided_at = this.#entry.at;
  }

  #extended(body) {
    const state = this.#move(body.approval, ["pending"], "pending");
    this.#hold(state);
    if (state.extended_by !== null) this.#break("it is extended twice");
    if (body.expires_at !== state.expires_at + EXTENSION_MS) this.#break("it is extended by another time");
    state.extended_by = body.by;
    state.expires_at = body.expires_at;
  }

  #outcome(body) {
    const name = `${this.#entry.session}/${body.call_id}`;
    if (this.outcomes.has(name)) this.#break(`a second outcome of ${name}`);
    this.outcomes.set(name, body);
    if (body.approval === undefined) return;
    const { spent } = this.#known(body.approval.id);
    if (spent?.call_id !== body.call_id || spent.session !== this.#entry.session)
      this.#break(`${name} did not run on this grant`);
    const unknown = body.outcome === "unknown";
    const state = this.#move(body.approval.id, ["spent", "ambiguous"], unknown ? "ambiguous" : "reported");
    if (body.approval.grant !== state.state) this.#break(`it says that the grant is ${body.approval.grant}`);
  }

  /** One approval is for one action, whoever says so. Where the private text is not disclosed, nobody says. */
  #hold(state) {
    const { action_digest: digest } = this.#actions();
    if (digest === undefined) return;
    state.digest ??= digest;
    if (state.digest !== digest) this.#break("it is for another action");
  }

  /** The digests that an entry commits to. */
  #actions() {
    const { private: kept } = this.#entry;
    return kept === null ? {} : JSON.parse(kept);
  }

  #known(id) {
    return this.approvals.get(id) ?? this.#break(`${id} was never opened`);
  }

  #move(id, from, to) {
    const state = this.#known(id);
    if (!from.includes(state.state)) this.#break(`${id} is ${state.state}, and becomes ${to}`);
    state.state = to;
    return state;
  }

  #break(why) {
    const { seq, kind, body } = this.#entry;
    throw new Break(`${this.#root}, entry ${seq} (${kind}): ${why}. ${JSON.stringify(body)}`);
  }
}
