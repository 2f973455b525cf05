/** Approvals as the wire has them. */
import * as z from "zod";
import type { ApprovalRow } from "../db/approvals.ts";
import type { ApprovalRecord, ShownAction } from "../durable/approval-protocol.ts";
import {
  APPROVAL_STATUSES,
  type ApprovalStatus,
  DENIAL_REASONS,
  GRANT_STATUSES,
  type GrantStatus,
  MAX_REASON_CHARACTERS,
} from "../policy/approval/index.ts";
import { FILE_VERBS, RECIPIENT_ROLES, RISK_CLASSES, type RiskClass } from "../policy/types.ts";
import { OFFERED_REASONS } from "./approving.ts";
import { ReasonSchema } from "./schemas.ts";

/** One that Countersign never made is one that is not there: 404. */
export const ApprovalId = z.string().min(1).max(64);

const Time = z.int().meta({ description: "Epoch milliseconds." });
const By = z
  .object({ member: z.string(), via: z.enum(["link", "session"]) })
  .nullable()
  .meta({ description: "The member whose tap decided; `null` while it is pending and for what expired." });

const COMMON = {
  id: z.string(),
  session: z.string(),
  agent: z.string(),
  call_id: z.string(),
  tool: z.string(),
  action_digest: z.string(),
  risks: z.array(z.enum(RISK_CLASSES)),
  rule_keys: z.array(z.string()).meta({ description: "The rules that asked." }),
  status: z.enum(APPROVAL_STATUSES).meta({
    description: "What people answered. One that nobody answered in time is `expired`, which means no.",
  }),
  grant: z.enum(GRANT_STATUSES).nullable().meta({
    description: "What became of the right to run the action once; `null` where none came of it.",
  }),
  opened_at: Time,
  expires_at: Time,
  decided_at: Time.nullable(),
  decided_by: By,
  edit_of: z.string().nullable().meta({ description: "The approval whose action was edited into this one." }),
  replaced_by: z.string().nullable().meta({ description: "The approval that an edit of this one became." }),
};

export const ListedApproval = z
  .object({
    ...COMMON,
    demand: z.object({ people: z.int().meta({ description: "Members who have to approve." }) }),
  })
  .meta({
    id: "ListedApproval",
    description: "An approval as a list has it; read it by its id for all of it.",
  });

export const ApprovalSchema = z
  .object({
    ...COMMON,
    decision_id: z.string(),
    demand: z.object({
      people: z.int(),
      signed_in: z.boolean(),
      passkey: z.boolean(),
    }),
    approvals: z.int().meta({ description: "Members who have approved so far." }),
    notify_at: Time.meta({ description: "People hear of it from then on; later in quiet hours." }),
    extended: z.boolean(),
    reason: z
      .object({ preset: z.enum(DENIAL_REASONS).nullable(), text: z.string().nullable() })
      .nullable()
      .meta({ description: "Why it was denied, where the approver said so." }),
    grant_expires_at: Time.nullable(),
    edited: z.object({ tool: z.string(), args: z.unknown() }).nullable().meta({
      description: "The action that an approver made of it: ask for it as a new call.",
    }),
  })
  .meta({
    id: "Approval",
    description: "A question to a person about one exact action. It holds no argument of it.",
  });

/** What a reading of the action found, as far as an approver has to see it. */
const ShownEffects = z.object({
  risks: z.array(z.enum(RISK_CLASSES)),
  actions: z.array(z.object({ verb: z.enum(FILE_VERBS), path: z.string() })),
  opaque: z.array(z.string()).meta({ description: "Why not all of it can be known; empty when all is." }),
  hosts: z.array(z.string()),
  recipients: z.array(z.object({ role: z.enum(RECIPIENT_ROLES), address: z.string(), given: z.string() })),
  amounts: z.array(z.object({ value: z.string(), currency: z.string().nullable(), minor: z.boolean() })),
  shortened: z.boolean().meta({ description: "Its lists are longer than they are told here." }),
  deceptions: z.array(z.object({ cause: z.string(), text: z.string() })).meta({
    description: "Look-alike and invisible characters.",
  }),
});

export const ShownSchema = z
  .object({
    tool: z.string(),
    speaks_as: z.string().meta({ description: "The session that the digest names." }),
    cwd: z.string().nullable(),
    host: z.string().nullable().meta({ description: "The machine that it would run on, where it is known." }),
    args: z.unknown().meta({ description: "The arguments as the digest covers them." }),
    args_omitted: z.boolean().meta({ description: "Too large to be shown: then nobody can approve." }),
    stored: z.string().nullable().meta({ description: "The text that it would edit, where it is known." }),
    reasons: z.array(ReasonSchema),
    effects: ShownEffects,
  })
  .meta({ id: "ShownAction", description: "The exact action." });

/** The record as the wire has it: where the approval lives is nobody's to know. */
export function wireApproval(record: ApprovalRecord): z.infer<typeof ApprovalSchema> {
  const { id, session, agent, call_id, decision_id, tool, action_digest, risks, rule_keys, demand } = record;
  const { status, grant, approvals, opened_at, notify_at, expires_at, extended, decided_at } = record;
  const { decided_by, reason, grant_expires_at, edit_of, replaced_by, edited } = record;
  return {
    id,
    session,
    agent,
    call_id,
    decision_id,
    tool,
    action_digest,
    risks: [...risks],
    rule_keys: [...rule_keys],
    demand: { ...demand },
    status,
    grant,
    approvals,
    opened_at,
    notify_at,
    expires_at,
    extended,
    decided_at,
    decided_by,
    reason,
    grant_expires_at,
    edit_of,
    replaced_by,
    edited: edited === null ? null : { tool: edited.tool, args: edited.args },
  };
}

/** A row of the search copy as the wire has it. */
export function listedApproval(row: ApprovalRow): z.infer<typeof ListedApproval> {
  return {
    id: row.approval_id,
    session: row.session_id,
    agent: row.agent_id,
    call_id: row.call_id,
    tool: row.tool,
    action_digest: row.action_digest,
    risks: JSON.parse(row.risks) as RiskClass[],
    rule_keys: JSON.parse(row.rule_keys) as string[],
    demand: { people: row.people },
    status: row.status as ApprovalStatus,
    grant: row.grant_status as GrantStatus | null,
    opened_at: row.opened_at,
    expires_at: row.expires_at,
    decided_at: row.decided_at,
    decided_by:
      row.decided_by === null
        ? null
        : { member: row.decided_by, via: row.via === "link" ? "link" : "session" },
    edit_of: row.edit_of,
    replaced_by: row.replaced_by,
  };
}

export function wireShown(shown: ShownAction): z.infer<typeof ShownSchema> {
  const { effects } = shown;
  return {
    tool: shown.tool,
    speaks_as: shown.speaks_as,
    cwd: shown.cwd,
    host: shown.host,
    args: shown.args,
    args_omitted: shown.args_omitted,
    stored: shown.stored,
    reasons: shown.reasons.map(({ rule_key, engine, message, cite, clearable_by }) => ({
      rule_key,
      engine,
      message,
      ...(cite === undefined ? {} : { cite: { ...cite } }),
      clearable_by,
    })),
    effects: {
      risks: [...effects.risks],
      actions: effects.actions.map(({ verb, path }) => ({ verb, path })),
      opaque: [...(effects.opaque?.causes ?? [])],
      hosts: [...effects.hosts],
      recipients: effects.recipients.map(({ role, address, given }) => ({ role, address, given })),
      shortened: shown.effects_shortened,
      amounts: effects.amounts.map(({ value, currency, minor }) => ({ value, currency, minor })),
      deceptions: effects.deceptions.map(({ cause, text }) => ({ cause, text })),
    },
  };
}

const Answering = z.object({
  decided: z.int().meta({ description: "Approvals that their tap decided." }),
  approved: z.int(),
  share_approved: z.number().nullable().meta({ description: "0 to 1; `null` where nothing was decided." }),
  median_seconds: z.int().nullable().meta({
    description: "From the ask to the answer; quiet hours count. Half of the answers came faster.",
  }),
  p90_seconds: z.int().nullable(),
});
const Asking = z.object({
  asks: z.int(),
  asks_per_day: z.number(),
  approved: z.int(),
  denied: z.int().meta({ description: "With what an approver changed: it is denied as it was asked." }),
  expired: z.int(),
  pending: z.int(),
  share_approved: z.number().nullable().meta({ description: "Of those that are not pending, 0 to 1." }),
  share_denied: z.number().nullable(),
  share_expired: z.number().nullable(),
});

export const ApprovalReport = z
  .object({
    since: Time,
    days: z.int(),
    overall: Asking.extend(Answering.pick({ median_seconds: true, p90_seconds: true }).shape),
    approvers: z.array(z.object({ member: z.string() }).extend(Answering.shape)).meta({
      description: "Most decisions first, at most 100.",
    }),
    agents: z.array(z.object({ agent: z.string() }).extend(Asking.shape)).meta({
      description: "Most asks first, at most 100.",
    }),
    truncated: z.boolean().meta({ description: "There were more: only the newest 10,000 asks are counted." }),
  })
  .meta({ id: "ApprovalReport" });

export const GivenReason = z
  .strictObject({
    preset: z.enum(OFFERED_REASONS).optional(),
    text: z
      .string()
      .max(MAX_REASON_CHARACTERS * 2)
      .optional()
      .meta({
        description: `The approver's own words, at most ${MAX_REASON_CHARACTERS} characters. The agent is told.`,
      }),
  })
  .meta({ id: "DenialReason" });

export const ApprovalDecision = z
  .strictObject({
    decision: z.enum(["approve", "deny"]),
    action_digest: z.string().min(1).max(200).meta({ description: "Of the action that was shown." }),
    reason: GivenReason.optional().meta({ description: "With `deny` alone." }),
    passkey: z.unknown().optional().meta({
      description:
        "An assertion of a passkey of yours (WebAuthn, as its `toJSON()` makes it), where the approval demands one.",
    }),
    args: z.unknown().optional().meta({
      description:
        "Arguments as you changed them, with `approve`: what was asked is denied, and what you made of it is judged anew, as an action with an approval of its own.",
    }),
  })
  .refine((body) => body.decision === "approve" || body.args === undefined, {
    message: "Change an action with approve alone.",
    path: ["args"],
  })
  .refine((body) => body.args === undefined || body.passkey === undefined, {
    message: "What you made of it has another digest: sign it on its own approval.",
    path: ["passkey"],
  })
  .refine((body) => body.decision === "deny" || body.reason === undefined, {
    message: "Give a reason with deny alone.",
    path: ["reason"],
  })
  .meta({ id: "ApprovalDecision" });
