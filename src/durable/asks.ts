/**
 * Between a call and people: what approvals say against a call before it is judged, and what its verdict then does to
 * them. Everything here runs inside one synchronous transaction of the root's object and awaits nothing.
 */
import { canonicalText, hashOf } from "../ledger/index.ts";
import {
  crowdOf,
  type Demand,
  demandOf,
  deniedFinding,
  doubtFinding,
  expiredFinding,
  isCovered,
  MAX_PENDING,
  quietUntil,
  type Unaskable,
  unaskableFinding,
} from "../policy/approval/index.ts";
import type { Decision } from "../policy/decide.ts";
import { utf8Bytes } from "../policy/paths/index.ts";
import { withoutStop } from "../policy/provenance/index.ts";
import type { Annotations, Effects, Finding } from "../policy/types.ts";
import type { Asking, ReasonGiven, ShownAction } from "./approval-protocol.ts";
import type { ApprovalRow, Approvals } from "./approvals.ts";
import type { Chain } from "./chain.ts";
import type { Judgement } from "./judging.ts";
import type { PrivateText, SettleInput } from "./protocol.ts";

/** A row of the object holds 2,000,000 bytes: the arguments, what stands beside them, and what was read of them. */
const MAX_EFFECTS_BYTES = 256 * 1024;
const MAX_LISTED = 50;

/** What approvals say of a call before it is judged. */
export interface Before {
  readonly findings: readonly Finding[];
  /** A live right to run this very action. */
  readonly grant: ApprovalRow | null;
  /** The run of this action of which nobody said what became. */
  readonly doubted: ApprovalRow | null;
  /** The answered approval that the call hangs on. */
  readonly refused: ApprovalRow | null;
  /** What waits for a person already. */
  readonly pending: ApprovalRow | null;
}

const NOTHING_ASKED: Before = { findings: [], grant: null, doubted: null, refused: null, pending: null };

/** What a verdict did to approvals: for the answer, for the entry, and for D1. */
export interface After {
  readonly judgement: Judgement;
  readonly decision: Decision;
  /** The approval that the call hangs on from now on; `null` when none. */
  readonly approval: ApprovalRow | null;
  readonly opened: boolean;
  /** Members of the decision's body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Every approval that moved. */
  readonly moved: readonly ApprovalRow[];
}

export class Asks {
  readonly #chain: Chain;
  readonly #approvals: Approvals;
  readonly #now: () => number;

  constructor(chain: Chain, approvals: Approvals, now: () => number) {
    this.#chain = chain;
    this.#approvals = approvals;
    this.#now = now;
  }

  /**
   * What people have said of this action, and what is not known of it.
   * @param hangsOn the approval that an earlier answer to this call names, at rest
   * @param turnSeq of the last turn in which a person spoke: what was denied since then is not asked again
   */
  before(digest: string, hangsOn: ApprovalRow | null, turnSeq: number): Before {
    if (!this.#approvals.any()) return NOTHING_ASKED;
    const findings: Finding[] = [];
    const answered = hangsOn?.state === "denied" || hangsOn?.state === "expired" ? hangsOn : null;
    const refused = answered ?? this.#approvals.deniedSince(digest, turnSeq);
    if (refused !== null) findings.push(refusalOf(refused));
    const granted = this.#approvals.inState(digest, "approved");
    const grant = granted === null ? null : this.#approvals.atRest(granted);
    const ran = this.#approvals.newestRun(digest);
    const doubted = ran !== null && ran.state !== "reported" ? ran : null;
    if (doubted !== null) findings.push(doubtFinding());
    const waiting = this.#approvals.inState(digest, "pending");
    const pending = waiting === null ? null : this.#approvals.atRest(waiting);
    return {
      findings,
      // The answer to this very call is no word against what was approved for another one.
      grant: refused === null && grant?.state === "approved" ? grant : null,
      doubted,
      refused,
      pending: pending?.state === "pending" ? pending : null,
    };
  }

  /**
   * Takes a verdict to the approvals: spends a grant, or overrules it; opens an approval for an ask, or attaches to one.
   * What cannot be asked is blocked.
   */
  after(judged: Judgement, before: Before, input: SettleInput, speaksAs: string): After {
    const moved: ApprovalRow[] = [];
    const body: Record<string, unknown> = {};
    let judgement = judged;
    let { decision } = judged;
    let approval: ApprovalRow | null = null;
    let opened = false;
    if (before.doubted?.state === "spent") moved.push(this.#approvals.move(before.doubted, "doubt"));
    if (before.doubted !== null) body["doubted"] = before.doubted.id;
    if (before.grant !== null) {
      if (answersFor(before.grant, decision, input)) {
        approval = this.#approvals.move(before.grant, "spend");
        // What asked has been answered, and counts no more; the engines still say what they found.
        decision = { ...decision, verdict: "allow", enforcement: "enforced", reasons: [] };
        body["approval"] = { id: approval.id, did: "spent" };
        moved.push(approval);
      } else {
        const overruled = this.#approvals.move(before.grant, "overrule");
        body["overruled"] = overruled.id;
        moved.push(overruled);
      }
    }
    if (decision.verdict === "ask" && input.asking !== null) {
      const { pending } = before;
      const shown = pending === null ? shownOf(input, speaksAs, decision, judgement.found) : null;
      if (pending !== null) {
        approval = pending;
        body["approval"] = { id: pending.id, did: "attached" };
      } else if (shown !== null) {
        const why = this.#unaskable(input, shown);
        if (why === null) {
          approval = this.open(input, input.asking, decision, shown);
          opened = true;
          body["approval"] = { id: approval.id, did: "opened", expires_at: approval.expires_at };
          moved.push(approval);
        } else {
          judgement = judgement.with(unaskableFinding(why));
          decision = judgement.decision;
        }
      }
    }
    if (approval === null && before.refused !== null && decision.verdict === "block") {
      approval = before.refused;
      body["approval"] = { id: approval.id, did: "refused" };
    }
    return { judgement, decision, approval, opened, body, moved };
  }

  /** Why nobody can be asked, or `null`. */
  #unaskable({ approvals, effects, waiting }: SettleInput, shown: ShownAction): Unaskable | null {
    if (shown.args_omitted) return "too-large-to-show";
    if (this.#approvals.pending() >= MAX_PENDING) return "too-many-asks";
    const crowd = crowdOf(waiting);
    if (crowd !== null) return crowd;
    const { quiet_hours: quiet } = approvals;
    const isQuiet = quiet?.asks === "block" && quietUntil(quiet, effects.risks, this.#now()) !== null;
    return isQuiet ? "quiet-hours" : null;
  }

  /** Who has to say yes to a call. */
  demandOf(input: SettleInput): Demand {
    return demandOf(input.approvals, input.effects.risks);
  }

  /** Opens the approval of a call, as of the entry that comes next. @param edited the approval that it was edited from */
  open(
    input: SettleInput,
    asking: Asking,
    decision: Decision,
    shown: ShownAction,
    edited: ApprovalRow | null = null,
  ): ApprovalRow {
    const configuration = input.approvals;
    const now = this.#now();
    const { quiet_hours: quiet } = configuration;
    const notifyAt = (quiet === null ? null : quietUntil(quiet, input.effects.risks, now)) ?? now;
    return this.#approvals.open(
      {
        id: asking.approval_id,
        session: input.session,
        agent: input.agent,
        call_id: input.call_id,
        decision_id: input.decision_id,
        tool: input.tool,
        digest: input.digest,
        reading: readingOf(input),
        reasons: JSON.stringify(reasonsOf(decision)),
        origin: asking.origin,
        grant_lasts: configuration.grant_lasts,
        opened_at: now,
        notify_at: notifyAt,
        expires_at: notifyAt + configuration.expires_after,
        edit_of: edited?.id ?? null,
        risks: input.effects.risks,
        rule_keys: ruleKeysOf(decision),
        demand: this.demandOf(input),
        shown,
      },
      this.#chain.head().seq + 1,
    );
  }
}

/** Each rule that counts, once. */
export function ruleKeysOf(decision: Decision): string[] {
  return [...new Set(decision.reasons.map((reason) => reason.rule_key))];
}

/** Whoever asks again and again while they wait seems to loop; a grant runs once, however often it is asked for. */
const ANSWERED_BY_ONCE = new Set(["fence:loop"]);

/**
 * Whether a grant still answers for its action, judged by what governs now: a block wins over it, and so does an ask for
 * a reason that whoever approved was not shown, one that takes more than they gave, and a call that now reads otherwise.
 */
function answersFor(grant: ApprovalRow, decision: Decision, input: SettleInput): boolean {
  if (decision.verdict !== "ask") return decision.verdict === "allow";
  const shown = new Set(JSON.parse(grant.reasons) as string[]);
  return (
    grant.reading === readingOf(input) &&
    reasonsOf(decision).every((reason) => shown.has(reason)) &&
    isCovered(demandOf(input.approvals, input.effects.risks), JSON.parse(grant.demand) as Demand)
  );
}

/** Of what is kept here alone: no stranger derives it. */
const READING = "countersign/reading/v1\n";

/**
 * What people were shown beside the digest's parts, as a hash. `rm -r $OUT` is one action by its digest wherever `OUT`
 * leads; whoever approved has seen where it led when it was asked.
 */
function readingOf({ environment, host, effects }: SettleInput): string {
  return hashOf(READING, JSON.stringify([environment, host, { ...effects, stored: [] }]));
}

/** Each reason that counts, once: by its rule, and the line of an oath or the claim in a write that it stands on. */
function reasonsOf({ reasons }: Decision): string[] {
  const told = reasons
    .filter(({ rule_key }) => !ANSWERED_BY_ONCE.has(rule_key))
    .map(({ rule_key, engine, cite, message }) =>
      JSON.stringify([
        rule_key,
        cite?.oath,
        cite?.text,
        engine === "provenance" ? withoutStop(message) : null,
      ]),
    );
  return [...new Set(told)];
}

function refusalOf(row: ApprovalRow): Finding {
  if (row.state === "expired") return expiredFinding();
  const given = row.reason === null ? null : (JSON.parse(row.reason) as ReasonGiven);
  return deniedFinding(row.replaced_by === null ? (given?.preset ?? null) : "edited", given?.text ?? null);
}

/** The exact action, taken from what the entry commits to: nobody is shown anything else than what is on record. */
export function shownOf(
  input: SettleInput,
  speaksAs: string,
  decision: Decision,
  found: readonly Finding[],
): ShownAction {
  const kept = JSON.parse(input.private.text) as Record<string, unknown>;
  const omitted = isOmitted(kept["args"]);
  const counted = new Set(decision.reasons.map((reason) => reason.message));
  return {
    tool: input.tool,
    speaks_as: speaksAs,
    cwd: typeof kept["cwd"] === "string" ? kept["cwd"] : null,
    args: omitted ? null : (kept["args"] ?? null),
    args_omitted: omitted,
    host: input.host,
    annotations: (kept["annotations"] ?? null) as Annotations | null,
    stored: typeof kept["stored"] === "string" ? kept["stored"] : null,
    reasons: [
      ...decision.reasons,
      // What was only observed is nobody's question, but whoever is asked may want to know it.
      ...found.filter(({ reason }) => !counted.has(reason.message)).map(({ reason }) => reason),
    ].slice(0, MAX_LISTED),
    ...boundedEffects(input.effects),
  };
}

/** The reading without the texts, which stand in the arguments; where it is long, the beginning of each list. */
function boundedEffects(effects: Effects): Pick<ShownAction, "effects" | "effects_shortened"> {
  const slim: Effects = { ...effects, stored: [] };
  if (utf8Bytes(JSON.stringify(slim)) <= MAX_EFFECTS_BYTES)
    return { effects: slim, effects_shortened: false };
  const short: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(slim))
    short[name] = Array.isArray(value) ? value.slice(0, MAX_LISTED) : value;
  const opaque =
    slim.opaque === null ? null : { ...slim.opaque, names: slim.opaque.names.slice(0, MAX_LISTED) };
  const bounded = { ...(short as unknown as Effects), opaque };
  return {
    effects:
      utf8Bytes(JSON.stringify(bounded)) <= MAX_EFFECTS_BYTES
        ? bounded
        : { ...bounded, actions: [], recipients: [], items: [], acts: [], opaque: null },
    effects_shortened: true,
  };
}

const SALT_BYTES = 32;

/** Text of an object's own making that enters the chain only as a commitment. */
export function privateOf(value: Readonly<Record<string, unknown>>): PrivateText {
  return { text: canonicalText(value), salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)) };
}

/**
 * What an entry about an action commits to. By its digest alone somebody could try what the action was, for as long as
 * the chain stands: so it is private text, too. `null` once it is forgotten.
 */
export function actionOf(
  { digest }: Pick<ApprovalRow, "digest">,
  more: Readonly<Record<string, unknown>> = {},
): PrivateText | null {
  return digest === "" ? null : privateOf({ action_digest: digest, ...more });
}

function isOmitted(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 1) return false;
  const { omitted } = value as { omitted?: { sha256?: unknown } | null };
  return typeof omitted?.sha256 === "string";
}
