/** Shapes that several routes share. Unknown members are refused everywhere: a misspelt field must not be ignored. */
import * as z from "zod";
import { APPROVAL_STATUSES, DENIAL_REASONS, GRANT_STATUSES } from "../policy/approval/index.ts";
import { MODES } from "../policy/modes.ts";
import { type Annotations, ENGINES } from "../policy/types.ts";

/** Characters of an id that a harness chose. */
export const MAX_ID_CHARACTERS = 200;
const ID_RULE = `any text of at most ${MAX_ID_CHARACTERS} characters, counted in code points.`;

/** A harness's own id: opaque, any Unicode, counted in code points. */
export const HarnessId = z
  .string()
  .min(1)
  // In code units: a character beyond the first plane takes two.
  .max(MAX_ID_CHARACTERS * 2)
  .refine((text) => [...text].length <= MAX_ID_CHARACTERS, {
    message: `at most ${MAX_ID_CHARACTERS} characters`,
  })
  .refine((text) => text.isWellFormed(), { message: "must be well-formed Unicode" })
  .meta({ description: `The harness's own id: ${ID_RULE}` });

export const SessionParams = z.object({
  session_id: HarnessId.meta({
    description: `The harness's own id of the conversation: ${ID_RULE} \`.\` and \`..\` cannot be session ids, since a URL means folders by them.`,
  }),
});

export const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text), {
    message: "must not hold control or invisible characters",
  });

export const ToolName = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => text.isWellFormed(), { message: "must be well-formed Unicode" });

/** What an MCP server says of its own tool. A server's word: it can make a call look graver, never more harmless. */
export const AnnotationsSchema = z
  .strictObject({
    read_only_hint: z.boolean().optional(),
    destructive_hint: z.boolean().optional(),
    idempotent_hint: z.boolean().optional(),
    open_world_hint: z.boolean().optional(),
  })
  .meta({
    id: "ToolAnnotations",
    description:
      "The tool's MCP annotations, if it has any. They can raise the classes that a call is read as, never lower them.",
  });

/** The member of a reading's context that annotations become; none where none were sent. */
export function annotationsOf(sent: z.infer<typeof AnnotationsSchema> | undefined): {
  readonly annotations?: Annotations;
} {
  if (sent === undefined) return {};
  const { read_only_hint, destructive_hint, idempotent_hint, open_world_hint } = sent;
  return {
    annotations: {
      ...(read_only_hint === undefined ? {} : { readOnlyHint: read_only_hint }),
      ...(destructive_hint === undefined ? {} : { destructiveHint: destructive_hint }),
      ...(idempotent_hint === undefined ? {} : { idempotentHint: idempotent_hint }),
      ...(open_world_hint === undefined ? {} : { openWorldHint: open_world_hint }),
    },
  };
}

/** What an approver said. */
export const ReasonGivenSchema = z.object({
  preset: z.enum(DENIAL_REASONS).nullable(),
  text: z.string().nullable(),
});

export const ApprovalOfCallSchema = z
  .object({
    id: z.string(),
    status: z.enum(APPROVAL_STATUSES),
    grant: z.enum(GRANT_STATUSES).nullable().meta({
      description: "What became of the right to run the action once; `null` where there is none.",
    }),
    people: z.int().meta({ description: "Members who have to approve." }),
    approvals: z.int().meta({ description: "Members who have approved so far." }),
    expires_at: z.int(),
    notify_at: z.int().meta({ description: "People hear of it from then on: later in quiet hours." }),
    decided_at: z.int().nullable(),
    decided_by: z.string().nullable().meta({ description: "The member who decided." }),
    reason: ReasonGivenSchema.nullable(),
    replaced_by: z
      .string()
      .nullable()
      .meta({ description: "The approval of the action as an approver changed it." }),
    edited: z
      .object({ tool: z.string(), args: z.unknown() })
      .nullable()
      .meta({ description: "The action as an approver changed it: ask for it as a new call." }),
  })
  .meta({ id: "ApprovalOfCall" });

export const LedgerPositionSchema = z
  .object({ seq: z.int(), hash: z.string() })
  .meta({ id: "LedgerPosition", description: "Where the record of this stands in the chain." });

export const ReasonSchema = z
  .object({
    rule_key: z.string(),
    engine: z.enum(ENGINES),
    message: z.string(),
    cite: z
      .object({ oath: z.enum(["organization", "agent"]), version: z.int(), line: z.int(), text: z.string() })
      .optional(),
    clearable_by: z.enum(["nobody", "owner", "evidence", "caller"]),
  })
  .meta({ id: "Reason" });

export const VerdictSchema = z.enum(["allow", "block", "ask"]);

const EngineDecision = z.object({
  mode: z.enum(MODES),
  verdict: VerdictSchema,
  enforcement: z.enum(["enforced", "observed"]),
  reasons: z.array(ReasonSchema),
});

/** What each engine found, in which mode, and whether it counted. */
export const EnginesSchema = z.object({
  guard: EngineDecision.optional(),
  oath: EngineDecision.optional(),
  fence: EngineDecision.optional(),
  provenance: EngineDecision.optional(),
});

const Names = z.array(z.string());

/** Only its shape; what a row may say is checked where it is read, all faults at once. */
export const ToolTableSchema = z
  .strictObject({
    tools: z.array(
      z
        .strictObject({
          name: z.string().optional().meta({ description: "One name; or `names`." }),
          names: Names.optional(),
          risks: Names.meta({ description: "What a call of it can do: risk classes." }),
          capability: z.string().optional().meta({
            description: "What decisions call it, e.g. `crm.write`.",
          }),
          arguments: z
            .strictObject({
              paths: z
                .strictObject({
                  writes: Names.optional(),
                  edits: Names.optional(),
                  creates: Names.optional(),
                  deletes: Names.optional(),
                  reads: Names.optional(),
                })
                .optional(),
              recipients: Names.optional(),
              copies: Names.optional(),
              blind_copies: Names.optional(),
              replies: Names.optional(),
              attendees: Names.optional(),
              members: Names.optional(),
              channels: Names.optional(),
              payees: Names.optional(),
              amounts: Names.optional(),
              currency: Names.optional(),
              items: Names.optional(),
              stored: Names.optional(),
              urls: Names.optional(),
              command: Names.optional(),
              code: Names.optional(),
            })
            .optional()
            .meta({ description: "Which arguments hold what, by name, wherever they stand." }),
          reads_only_actions: Names.optional().meta({
            description: "Values of its `action` argument with which it only reads.",
          }),
        })
        .meta({ id: "ToolTableRow" }),
    ),
  })
  .meta({ id: "ToolTable" });

export const OutsideChangeSchema = z
  .object({ path: z.string(), change: z.enum(["modified", "created", "deleted"]) })
  .meta({ id: "OutsideChange", description: "A sworn file that moved without a call that was let through." });

/** Ids that Countersign made. One that it never made is one that is not there: 404, like another organization's. */
const OwnId = z.string().min(1).max(64);
export const AgentId = OwnId;
export const AnchorId = OwnId;
export const ChannelId = OwnId;
export const DecisionId = OwnId;
export const KeyId = OwnId;
export const MemberId = OwnId;
export const OrganizationId = OwnId;
