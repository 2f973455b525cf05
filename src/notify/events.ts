/** What a webhook is sent, as a schema: for the document, and for the test that holds what is sent to it. */
import * as z from "zod";
import { APPROVAL_STATUSES } from "../policy/approval/index.ts";
import { RISK_CLASSES } from "../policy/types.ts";

const about = {
  approval: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  session: z.string().meta({ description: "The one that asked." }),
  call_id: z.string(),
  agent: z.string(),
  agent_name: z.string().nullable(),
  tool: z.string().meta({ description: "As the agent sent it: treat it as text that a stranger wrote." }),
  action_digest: z.string(),
};
const Moment = z.int().meta({ description: "Epoch milliseconds." });
const Timestamp = z.iso.datetime().meta({ description: "When it happened; the same in every try." });

const OpenedEvent = z
  .strictObject({
    type: z.literal("approval.opened"),
    timestamp: Timestamp,
    data: z.strictObject({
      ...about,
      risks: z.array(z.enum(RISK_CLASSES)),
      rule_keys: z.array(z.string()).meta({ description: "The rules that asked." }),
      opened_at: Moment,
      expires_at: Moment,
      url: z.string().meta({
        description:
          "Where to look at it. On a member's own channel it is their link, by which whoever holds it answers as them.",
      }),
    }),
  })
  .meta({ id: "ApprovalOpened" });

const DecidedEvent = z
  .strictObject({
    type: z.literal("approval.decided"),
    timestamp: Timestamp,
    data: z.strictObject({
      ...about,
      decided_at: Moment,
      decided_by: z.string().nullable().meta({ description: "A member; `null` for what expired." }),
      via: z.enum(["link", "session"]).nullable(),
      url: z.string(),
    }),
  })
  .meta({ id: "ApprovalDecided" });

const AlertEvent = z
  .strictObject({
    type: z.literal("ledger.alert"),
    timestamp: Timestamp,
    data: z.strictObject({
      count: z.int().min(1).meta({
        description:
          "How many things did not fit, so far: those found within half a minute are told together, and further ones an hour later at the earliest.",
      }),
      findings: z.array(
        z.strictObject({
          code: z.string().meta({ description: "What does not fit, e.g. `missing-row`, `truncated`." }),
          place: z.string().meta({
            description:
              "Whose it is: `database`, the copy; `ledger`, the chain itself; `log`, the signed log.",
          }),
          count: z.int().min(1),
        }),
      ),
      first_seq: z.int().meta({ description: "Their entries on the organization's ledger: from this one" }),
      last_seq: z.int().meta({ description: "through this one, with other entries in between." }),
      found_at: Moment.meta({ description: "When the first was put on record, epoch milliseconds." }),
      url: z.string().meta({ description: "The page that has them all; for admins and owners." }),
    }),
  })
  .meta({ id: "LedgerAlert" });

const TestEvent = z
  .strictObject({
    type: z.literal("test"),
    timestamp: Timestamp,
    data: z.strictObject({ url: z.string().meta({ description: "The page of channels." }) }),
  })
  .meta({ id: "ChannelTestEvent" });

/** By the event's name, with what is said of it. */
export const WEBHOOKS = [
  { event: "approval.opened", schema: OpenedEvent, summary: "Somebody is asked" },
  {
    event: "approval.decided",
    schema: DecidedEvent,
    summary: "An ask was approved or denied, or has expired",
  },
  {
    event: "ledger.alert",
    schema: AlertEvent,
    summary:
      "The record was checked, and something does not fit: a row of its copy, an entry, the signed log. It says what differs, not why",
  },
  {
    event: "test",
    schema: TestEvent,
    summary: "A member has sent a test, whatever events the channel wants. Nothing was asked",
  },
] as const;
