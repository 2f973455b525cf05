/**
 * Holds what was answered against what is on record. Everything acknowledged is on the ledgers as it was told; what was
 * on them once stays; and nothing is on them that must not be.
 */
import { Break } from "./break.mjs";
import { follow, readChain } from "./chains.mjs";

const AGAIN_MS = 500;
const COPY_MS = 60_000;

export class Checker {
  #world;
  /** Hashes as they were read before, by chain. */
  #seen = new Map();
  entries = 0;

  constructor(world) {
    this.#world = world;
  }

  /**
   * @param families that are looked at, with all that was answered of them
   * @throws {Break}
   */
  async check(client, families) {
    const world = this.#world;
    const { cookie } = world.people.owner;
    const own = await readChain(client, cookie, null);
    this.#keeps("the organization", own);
    this.#changes(own);
    const modes = modesOf(own);
    const chains = new Map();
    this.entries = 0;
    for (const family of families) {
      const entries = await readChain(client, cookie, family.root, "?disclose=private");
      this.#keeps(family.root, entries);
      this.entries += entries.length;
      const facts = follow(family.root, entries, world.mayApprove, modes);
      chains.set(family, { entries, ...facts });
    }
    const { decisions, outcomes, taps, extensions, watched } = world.answers;
    for (const answer of decisions) this.#decision(chains.get(answer.call.family), answer);
    for (const answer of outcomes) this.#outcome(chains.get(answer.call.family), answer);
    const late = new Map();
    for (const answer of taps) this.#tap(chains.get(answer.approval.family), answer, late);
    for (const { approval, status, by } of watched) {
      const state = chains.get(approval.family)?.approvals.get(approval.id);
      if (state !== undefined) this.#status(state, status, by, `${approval.id}: a waiter was told`);
    }
    for (const { approval, member } of extensions) {
      const facts = chains.get(approval.family);
      if (facts !== undefined && facts.approvals.get(approval.id)?.extended_by !== member)
        throw new Break(`${approval.id}: it was answered that ${member} extended it, which is not on record`);
    }
    return chains;
  }

  /** What was read before is still there, unchanged. */
  #keeps(name, entries) {
    const before = this.#seen.get(name) ?? [];
    const now = entries.map(({ hash }) => hash);
    const at = before.findIndex((hash, i) => hash !== now[i]);
    if (at !== -1)
      throw new Break(`${name}: entry ${at + 1} was ${before[at]} and is ${now[at] ?? "not there any more"}`);
    this.#seen.set(name, now);
  }

  #changes(own) {
    for (const { kind, policy_version, version } of this.#world.answers.changes) {
      const found = own.some(
        ({ kind: is, body }) =>
          is === kind &&
          (version === undefined ? body.policy_version === policy_version : body.version === version),
      );
      if (!found)
        throw new Break(`${kind} ${version ?? policy_version} was answered, and is not on the ledger`);
    }
  }

  #decision(facts, { call, id, ledger, verdict, action_digest: digest, approval }) {
    if (facts === undefined) return;
    const what = `${call.session}, ${call.call_id}: ${verdict} was answered`;
    const { body } = this.#entryOf(facts, ledger, "decision", what);
    if (body.id !== id || body.call_id !== call.call_id || body.verdict !== verdict)
      throw new Break(`${what} as entry ${ledger.seq}, which says ${JSON.stringify(body)}`);
    if (approval === null) return;
    const state = facts.approvals.get(approval.id);
    if (state === undefined) throw new Break(`${what} with ${approval.id}, which is not on the ledger`);
    if (state.digest !== null && state.digest !== digest)
      throw new Break(`${what} for the action ${digest}, and its approval is for ${state.digest}`);
    if (approval.status !== "pending") this.#status(state, approval.status, approval.decided_by, what);
    if (verdict === "allow" && state.spent?.seq !== ledger.seq)
      throw new Break(`${what}, and its grant was spent by ${JSON.stringify(state.spent)}`);
  }

  #outcome(facts, { call, outcome, ledger }) {
    if (facts === undefined) return;
    const what = `${call.session}, ${call.call_id}: the outcome ${outcome} was taken`;
    const { body } = this.#entryOf(facts, ledger, "outcome", what);
    if (body.call_id !== call.call_id || body.outcome !== outcome)
      throw new Break(`${what} as entry ${ledger.seq}, which says ${JSON.stringify(body)}`);
  }

  #tap(facts, { approval, member, via, decision, did, status, decided_by, made }, lateTaps) {
    if (facts === undefined) return;
    const state = facts.approvals.get(approval.id);
    const what = `${approval.id}: ${member} was told "${did}" for ${decision} by ${via}`;
    if (state === undefined) throw new Break(`${what}, and it is not on the ledger`);
    if (status !== null && status !== "pending")
      this.#status(state, status, decided_by?.member ?? null, what);
    if (did === "edited") {
      const edited = facts.approvals.get(made);
      const isSo = state.edited_into === made && state.decided.by === member;
      if (!isSo || edited?.decided?.by !== member || edited.decided.outcome !== "approved")
        throw new Break(`${what}, into ${made}; the ledger says ${JSON.stringify([state.decided, edited])}`);
    }
    const isDecider =
      state.decided?.by === member &&
      state.decided.outcome === (decision === "approve" ? "approved" : "denied");
    if (did === "decided" && !(isDecider && state.decided.via === via))
      throw new Break(`${what}, and the ledger says ${JSON.stringify(state.decided)}`);
    const counts = isDecider || (decision === "approve" && state.votes.includes(member));
    if ((did === "counted" || did === "taken") && !counts)
      throw new Break(`${what}, and the ledger says ${JSON.stringify([state.votes, state.decided])}`);
    if (did !== "late") return;
    const name = `${approval.id}/${member}/${via}`;
    lateTaps.set(name, (lateTaps.get(name) ?? 0) + 1);
    const rows = state.refusals.filter(
      (row) => row.code === "late-tap" && row.by === member && row.via === via,
    );
    if (rows.length < lateTaps.get(name))
      throw new Break(`${what} ${lateTaps.get(name)} times, and ${rows.length} late taps are on record`);
  }

  /** What was told of an approval is what was recorded. */
  #status(state, status, by, what) {
    const { decided } = state;
    // Time that has run out is told before it is on record.
    if (
      decided === null &&
      status === "expired" &&
      state.state === "pending" &&
      Date.now() >= state.expires_at
    )
      return;
    if (decided?.outcome !== status || decided.by !== by)
      throw new Break(`${what}: ${status} by ${by}; the ledger says ${JSON.stringify(decided)}`);
  }

  #entryOf({ entries }, { seq, hash }, kind, what) {
    const entry = entries[seq - 1];
    if (entry === undefined) throw new Break(`${what} as entry ${seq}, and the chain ends before it`);
    if (entry.hash !== hash || entry.kind !== kind)
      throw new Break(`${what} as entry ${seq}, ${hash}; there is ${entry.kind}, ${entry.hash}`);
    return entry;
  }

  /** At the end: what people and lists are told is what the ledgers say. */
  async told(client, chains) {
    const { cookie } = this.#world.people.owner;
    const states = new Map();
    for (const { approvals } of chains.values())
      for (const state of approvals.values()) states.set(state.id, state);
    for (const state of states.values()) {
      const { approval } = (await client.must("GET", `/v1/approvals/${state.id}`, { cookie })).json;
      const told = toldOf(approval);
      if (!statesNow(state).includes(told))
        throw new Break(`${state.id}: read as ${told}; on the ledger it is ${state.state}`);
    }
    await this.#copied(client, cookie, states);
    return states.size;
  }

  /** The search copy follows: every approval arrives there, as it stands. */
  async #copied(client, cookie, states) {
    const until = Date.now() + COPY_MS;
    for (;;) {
      const left = new Map(states);
      for (let cursor = ""; cursor !== null; ) {
        const path = `/v1/approvals?limit=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
        const page = (await client.must("GET", path, { cookie })).json;
        for (const row of page.approvals) {
          const state = left.get(row.id);
          if (state !== undefined && statusesNow(state).includes(row.status)) left.delete(row.id);
        }
        cursor = page.next_cursor;
      }
      if (left.size === 0) return;
      if (Date.now() > until) {
        const [state] = left.values();
        throw new Break(
          `${left.size} approvals are not in the search copy as they stand: ${state.id} is ${state.state}`,
        );
      }
      await new Promise((later) => setTimeout(later, AGAIN_MS));
    }
  }
}

/** How the oath was set, by the policy version that set it so. */
function modesOf(own) {
  const modes = new Map();
  let mode = "ask";
  for (const { kind, body } of own) {
    if (kind === "settings_changed") mode = body.settings.engines.oath;
    if (typeof body.policy_version === "number") modes.set(body.policy_version, mode);
  }
  return modes;
}

const toldOf = ({ status, grant }) =>
  status !== "approved" ? status : grant === "live" ? "approved" : grant;

/** States that an approval may be read in: its time may have run out since. */
function statesNow(state) {
  if (state.state === "pending") return ["pending", "expired"];
  return state.state === "approved" ? ["approved", "lapsed"] : [state.state];
}

function statusesNow({ state }) {
  if (state === "pending") return ["pending", "expired"];
  return state === "denied" || state === "expired" ? [state] : ["approved"];
}
