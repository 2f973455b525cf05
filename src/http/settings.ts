/** What may be set of the engines, as requests say it: for an organization, for one agent, or to try. */
import * as z from "zod";
import { MAX_URL_CHARACTERS, type Reach, readAddress } from "../addresses.ts";
import type { Fault } from "../errors.ts";
import {
  isTimeZone,
  MAX_DEMANDS,
  MAX_PEOPLE,
  MAX_SECONDS,
  MIN_SECONDS,
  minutesOf,
} from "../policy/approval/index.ts";
import { JUDGED_CLASSES } from "../policy/fence/index.ts";
import { MODES } from "../policy/modes.ts";
import { SCOPES, SEARCHES } from "../policy/provenance/index.ts";
import { RISK_CLASSES, VERDICTS } from "../policy/types.ts";

export const EngineModes = z.strictObject({
  oath: z.enum(MODES).optional(),
  fence: z.enum(MODES).optional(),
  provenance: z.enum(MODES).optional(),
});
const Unauthorized = z
  .strictObject(
    Object.fromEntries(
      JUDGED_CLASSES.map((risk) => [
        risk,
        z.enum(risk === "UNKNOWN" ? ["ask", "block"] : VERDICTS).optional(),
      ]),
    ),
  )
  .optional();

export const FenceSettings = z
  .strictObject({
    unauthorized: z.strictObject({ reading: Unauthorized, acting: Unauthorized }).optional().meta({
      description:
        "What an effect that nobody asked for is answered with, by class: in a task that only asks to read, and in one that asks for effects. What is not set is as by default.",
    }),
    strict: z.boolean().optional().meta({
      description: "Where nobody can answer (`answerer` is `auto` or `none`), an ask is a block.",
    }),
    loop_limit: z.int().min(0).max(1000).optional().meta({
      description: "The same call this often within one turn is asked about; 0 for never. Default 5.",
    }),
  })
  .meta({ id: "FenceSettings" });

const Words = z.array(z.string().trim().min(1).max(64)).max(64);

export const ProvenanceSettings = z
  .strictObject({
    search: z.enum(SEARCHES).optional().meta({
      description:
        "Where a quote may come from: `session`, this session and those it continues (the default), or `profile`, every session of the agent.",
    }),
    scope: z.enum(SCOPES).optional().meta({
      description: "What has to be backed: decisions (the default), or what somebody prefers as well.",
    }),
    retention_days: z.int().min(0).max(3650).optional().meta({
      description: "Days that what was typed counts as evidence. Default 30.",
    }),
    names: Words.optional().meta({
      description: "Names that stand for the user beside `user`, `owner`, 用户, 主人 and 老板: `Dana`.",
    }),
    files: Words.optional().meta({
      description:
        "Files that agents read at every start, beside the usual ones (`CLAUDE.md`, `AGENTS.md`, `MEMORY.md`, …): a name, the end of a path, or a folder with `/` at its end.",
    }),
    tools: z
      .array(
        z.strictObject({
          tool: z
            .string()
            .min(1)
            .max(256)
            .meta({ description: "Its name; `mcp__server__tool` for a served one." }),
          shape: z.enum(["memory", "skill", "file", "text"]).optional().meta({
            description:
              "`memory` and `skill` take Hermes' arguments, `file` a path; `text`, the default, what is named here.",
          }),
          texts: Words.optional().meta({ description: "Arguments that hold what is kept." }),
          old: Words.optional().meta({ description: "Arguments that hold the text which is replaced." }),
          target: Words.optional().meta({ description: "Arguments that name the place." }),
        }),
      )
      .max(64)
      .optional()
      .meta({
        description:
          "Memory tools of your own. A tool whose row in the tool table names `stored` arguments is one as well.",
      }),
  })
  .meta({ id: "ProvenanceSettings" });

const Risks = z.array(z.enum(RISK_CLASSES)).min(1).max(RISK_CLASSES.length);
const Seconds = z.int().min(MIN_SECONDS).max(MAX_SECONDS);
const TimeOfDay = z.string().refine((text) => minutesOf(text) !== null, { message: "a time such as 22:30" });

export const ApprovalSettings = z
  .strictObject({
    expires_after_seconds: Seconds.optional().meta({
      description: "How long an ask waits for an answer; then it has expired, which means no. Default 600.",
    }),
    grant_lasts_seconds: Seconds.optional().meta({
      description: "How long what was approved may still be run, once. Default 600.",
    }),
    demands: z
      .array(
        z.strictObject({
          risks: Risks.meta({ description: "For actions that carry one of these classes." }),
          people: z.int().min(1).max(MAX_PEOPLE).optional().meta({
            description: "Members who have to approve, each on their own. The first who denies decides.",
          }),
          signed_in: z.boolean().optional().meta({
            description: "A link alone does not do: its holder has to be signed in.",
          }),
          passkey: z.boolean().optional().meta({
            description: "The approver signs the action with a passkey; includes `signed_in`.",
          }),
        }),
      )
      .max(MAX_DEMANDS)
      .optional(),
    quiet_hours: z
      .strictObject({
        time_zone: z
          .string()
          .max(64)
          .refine(isTimeZone, { message: "an IANA time zone, such as Europe/Berlin" }),
        from: TimeOfDay,
        to: TimeOfDay,
        asks: z.enum(["hold", "block"]).optional().meta({
          description:
            "`hold` (the default): people hear of an ask when the hours end, and its time runs from then. `block`: nothing is asked in these hours, it is blocked.",
        }),
        except: Risks.optional().meta({ description: "Classes for which people are told at once." }),
      })
      .refine((hours) => hours.from !== hours.to, { message: "must not end when they begin", path: ["to"] })
      .optional(),
  })
  .meta({ id: "ApprovalSettings" });

export const RetentionSettings = z
  .strictObject({
    private_days: z.int().min(1).max(36_500).optional().meta({
      description:
        "Days that private text is kept: what was typed, arguments, paths, quotes. The ledger stays and verifies. By default it is kept until somebody purges it.",
    }),
    ended_sessions_days: z.int().min(1).max(36_500).optional().meta({
      description:
        "Days after which the object of a session in which nothing happens any more is removed; its chain stays to be exported. By default it is kept.",
    }),
  })
  .meta({ id: "RetentionSettings" });

export const AnchoringSettings = z
  .strictObject({
    calendars: z.array(z.string().min(1).max(MAX_URL_CHARACTERS)).max(6).optional().meta({
      description:
        "OpenTimestamps calendars that anchors are sent to, https. None by default: then nothing is sent anywhere. They are told a hash with random bytes in it, and nothing else.",
    }),
    headers: z.string().min(1).max(MAX_URL_CHARACTERS).optional().meta({
      description:
        "Where Bitcoin block headers are asked for: the base URL of an Esplora-like API. Its answers are checked, never trusted. Without one, a header is sent by whoever has it.",
    }),
    checkpoints: z.boolean().optional().meta({ description: "Whether checkpoints are anchored, too." }),
  })
  .meta({ id: "AnchoringSettings" });
export type AnchoringSettings = z.infer<typeof AnchoringSettings>;

/** What of these settings this deployment may not ask. */
export function anchoringFaults(settings: AnchoringSettings | undefined, reach: Reach): Fault[] {
  const named = [
    ...(settings?.calendars ?? []).map((url, i) => [`/anchoring/calendars/${i}`, url] as const),
    ...(settings?.headers === undefined ? [] : [["/anchoring/headers", settings.headers] as const]),
  ];
  return named.flatMap(([pointer, url]) => {
    const address = readAddress(url, reach);
    const detail =
      "This address may not be asked: it must be https, public, without a credential, and not this deployment.";
    return address.ok ? [] : [{ pointer, detail, code: address.cause }];
  });
}
