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
import { absentSession, goneAnswer } from "../http/sessions.ts";
import { settleOn } from "../http/settling.ts";
import { AUTHORITIES, COMPILERS, readTurn } from "../policy/fence/index.ts";
import { briefingOf } from "../policy/oath/index.ts";
import { HARNESSES, typedIn } from "../policy/provenance/index.ts";

/** A row of an object holds 2,000,000 bytes; in UTF-8 this is less than half of them. Pasted pages stay far below. */
const MAX_TURN_CHARACTERS = 256 * 1024;

const MAX_PARTS = 1_000;

/** A part of a multimodal message. Pictures and sounds are not kept. */
const ContentPart = z.looseObject({ type: z.string().max(64), text: z.string().optional() });

const TurnRequest = z
  .strictObject({
    text: z.string().max(MAX_TURN_CHARACTERS).or(z.array(ContentPart).max(MAX_PARTS)).meta({
      description:
        "What the user typed, as the harness received it: a text, or the parts of a message, of which those of text are read.",
    }),
    harness: z.enum(HARNESSES).optional().meta({
      description:
        "Who put blocks of its own around it. Without it, what any known harness writes is taken out before quotes are looked up.",
    }),
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
    ...refusals(true, "unknown-session", "turn-id-reused", "gone", "session-ended", "session-gone"),
  },
});

export const turns = newRouter();

turns.openapi(post, async (c) => {
  const caller = agentCaller(c);
  const { session_id: session } = c.req.valid("param");
  const body = c.req.valid("json");
  const text = typeof body.text === "string" ? body.text : textOfParts(body.text);
  if (text.length > MAX_TURN_CHARACTERS)
    throw new Problem("invalid-request", "Send the turn in parts that are shorter together.", {
      errors: [{ pointer: "/text", detail: `at most ${MAX_TURN_CHARACTERS} characters`, code: "too_big" }],
    });
  const kept = privateText({
    text,
    sender_id: body.sender_id ?? null,
    source: body.source ?? null,
    harness: body.harness ?? null,
  });
  const plain = readTurn(text);
  const harness_written = isHarnessTurn(plain.dropped, body.source ?? null);
  let spoken: Spoken | null = null;
  const { answer } = await settleOn(c, caller, session, async (stub, { context, policy, standing }) => {
    const platform = body.platform ?? context.platform;
    // Asked at most once, however often the grounds turn out to be old.
    spoken ??=
      harness_written || body.mid_run || context.speaks_as !== context.root || platform === "subagent"
        ? { reading: plain, compiler: "rules", drafting: null }
        : await readSpoken(c, caller.organization, policy, text, plain);
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
        typed:
          !harness_written &&
          typedIn({ text, harness: body.harness ?? null, platform, source: body.source ?? null }) !== null,
      },
      reading,
      drafting,
      private: kept,
      briefing: briefingOf(bound),
      fingerprint: fingerprintRequest(bound, policy.hash_limit_bytes),
    });
  });
  if (!answer.ok) {
    if (answer.code === "gone") throw goneAnswer();
    if (answer.code !== "turn-id-reused") throw absentSession(answer.code);
    throw new Problem(
      "turn-id-reused",
      "This turn_id was used for other words in this session. Use a new id for every turn.",
    );
  }
  if (answer.replayed) c.header("idempotent-replayed", "true");
  return answerText(c, answer.answer);
});

/** The texts of a message; other parts say nothing that a person typed. */
function textOfParts(parts: readonly z.infer<typeof ContentPart>[]): string {
  return parts
    .flatMap(({ type, text }) =>
      text !== undefined && (type === "text" || type === "input_text") ? [text] : [],
    )
    .join("\n\n");
}
