/** `POST /v1/sessions/{session_id}/turns`: what the user typed. The first one of a session is briefed on the oath. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { Problem } from "../errors.ts";
import { agentCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { privateText } from "../http/commitment.ts";
import { readSpoken, type Spoken } from "../http/drafting.ts";
import { FingerprintRequestSchema, fingerprintRequest } from "../http/fingerprint-request.ts";
import { answerText, jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { isHarnessTurn } from "../http/recorded.ts";
import { newRouter } from "../http/router.ts";
import { HarnessId, LedgerPositionSchema, OutsideChangeSchema, SessionParams } from "../http/schemas.ts";
import { unknownSession } from "../http/sessions.ts";
import { settleOn } from "../http/settling.ts";
import { AUTHORITIES, COMPILERS, readTurn } from "../policy/fence/index.ts";
import { briefingOf } from "../policy/oath/index.ts";

/** A row of an object holds 2,000,000 bytes; in UTF-8 this is less than half of them. Pasted pages stay far below. */
const MAX_TURN_CHARACTERS = 256 * 1024;

const TurnRequest = z
  .strictObject({
    text: z
      .string()
      .max(MAX_TURN_CHARACTERS)
      .meta({ description: "What the user typed, as the harness received it." }),
    turn_id: HarnessId.optional().meta({
      description: "The harness's id of the turn. The same id and words are recorded once.",
    }),
    sender_id: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: "Who typed it, in a chat of several people." }),
    mid_run: z.boolean().default(false).meta({
      description:
        "True for a turn that was slipped in while the agent ran: it may narrow what is allowed, never widen it.",
    }),
    platform: z.string().min(1).max(64).optional(),
    source: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Claude Code's `source`: `user`, `sdk`, `system`, …" }),
  })
  .meta({ id: "TurnRequest" });

const Turn = z
  .object({
    session: z.string(),
    turn: z.int().meta({ description: "Counts from 1 in each session." }),
    turn_id: z.string().nullable(),
    at: z.int(),
    briefing: z
      .object({ missions: z.array(z.string()), rules: z.array(z.string()), text: z.string() })
      .nullable()
      .meta({ description: "On the first turn: give `text` to the agent." }),
    task: z
      .object({
        authority: z.enum(AUTHORITIES).meta({
          description:
            "What the turn could do to the task policy: its author began the task (`owner`), may only narrow it now (`narrow`), is somebody else whose wish to stop is heard (`heard`), or is not heard (`none`).",
        }),
        compiler: z.enum(COMPILERS),
        permissions: z.int(),
        prohibitions: z.int(),
      })
      .meta({ description: "The task policy after this turn; `GET …/policy` shows it." }),
    outside_changes: z.array(OutsideChangeSchema.extend({ host: z.string(), seq: z.int() })).meta({
      description:
        "Sworn files that moved outside the gate, oldest first. Each is told once; there may be more than one turn has room for.",
    }),
    outside_changes_more: z.int().meta({ description: "Changes that are left for the next turns." }),
    fingerprint: FingerprintRequestSchema,
    policy_version: z.int(),
    ledger: LedgerPositionSchema,
  })
  .meta({ id: "Turn" });

const post = createRoute({
  method: "post",
  path: "/v1/sessions/{session_id}/turns",
  ...operation({
    operationId: "recordTurn",
    summary: "Record what the user typed",
    tag: "Sessions",
    access: { agent: "turns" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { params: SessionParams, body: jsonRequest(TurnRequest) },
  responses: {
    200: jsonContent(Turn, "The turn is recorded"),
    ...refusals(true, "unknown-session", "turn-id-reused"),
  },
});

export const turns = newRouter();

turns.openapi(post, async (c) => {
  const caller = agentCaller(c);
  const { session_id: session } = c.req.valid("param");
  const body = c.req.valid("json");
  const kept = privateText({
    text: body.text,
    sender_id: body.sender_id ?? null,
    source: body.source ?? null,
  });
  const plain = readTurn(body.text);
  const harness_written = isHarnessTurn(plain.dropped, body.source ?? null);
  let spoken: Spoken | null = null;
  const { answer } = await settleOn(c, caller, session, async (stub, { context, policy, standing }) => {
    const platform = body.platform ?? context.platform;
    // Asked at most once, however often the grounds turn out to be old.
    spoken ??=
      harness_written || body.mid_run || context.relation === "child" || platform === "subagent"
        ? { reading: plain, compiler: "rules", drafting: null }
        : await readSpoken(c, caller.organization, policy, body.text, plain);
    const { reading, compiler, drafting } = spoken;
    const bound = policy.modes.oath === "off" ? [] : policy.bind(context.environment);
    return stub.turn({
      ...standing,
      turn_id: body.turn_id ?? null,
      request_id: c.get("requestId"),
      spoken: {
        sender: body.sender_id ?? null,
        platform,
        mid_run: body.mid_run,
        harness_written,
        compiler,
      },
      reading,
      drafting,
      private: kept,
      briefing: briefingOf(bound),
      fingerprint: fingerprintRequest(bound, policy.hash_limit_bytes),
    });
  });
  if (!answer.ok) {
    if (answer.code === "unknown-session") throw unknownSession();
    throw new Problem(
      "turn-id-reused",
      "This turn_id was used for other words in this session. Use a new id for every turn.",
    );
  }
  if (answer.replayed) c.header("idempotent-replayed", "true");
  return answerText(c, answer.answer);
});
