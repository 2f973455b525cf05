/** `POST /v1/effects/explain`: how a tool call is read, and which part of it says what. For people who ask why. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { organizationCaller } from "../http/access.ts";
import { DECISION_LIMIT_BYTES } from "../http/body.ts";
import { ENVIRONMENT, readEnvironment } from "../http/environment.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { policyOf } from "../http/policy.ts";
import { explain, selfOf, unreadableArguments } from "../http/reading.ts";
import { newRouter } from "../http/router.ts";
import { AnnotationsSchema, annotationsOf, ToolName } from "../http/schemas.ts";
import { FILE_VERBS, RECIPIENT_ROLES, RISK_CLASSES } from "../policy/types.ts";

const Risk = z.enum(RISK_CLASSES);
const Pointer = z.string().meta({ description: "JSON pointer into the arguments." });

const Fact = z.union([
  z.object({ fact: z.literal("acts"), verb: z.enum(FILE_VERBS), path: z.string() }),
  z.object({ fact: z.literal("carries"), risk: Risk }),
  z.object({ fact: z.literal("hides"), cause: z.string() }),
  z.object({ fact: z.literal("reaches"), host: z.string() }),
  z.object({ fact: z.literal("copies"), src: z.string(), dest: z.string() }),
  z.object({ fact: z.literal("governs"), what: z.string() }),
]);

const Step = z
  .object({
    pointer: Pointer,
    text: z.int().nullable().meta({ description: "Which of `texts` the span is in." }),
    start: z.int().meta({ description: "UTF-16 offset into that text." }),
    end: z.int(),
    quote: z.string().meta({ description: "What stands there, at most 400 characters of it." }),
    found: z.array(Fact),
  })
  .meta({ id: "ReadingStep" });

const Explained = z
  .object({
    tool: z.string(),
    risks: z.array(Risk),
    actions: z.array(z.object({ verb: z.enum(FILE_VERBS), path: z.string() })).meta({
      description:
        "What happens to which files. `/a/**` is `/a` and all below it; `?` a path that cannot be known.",
    }),
    opaque: z
      .object({ causes: z.array(z.string()), unparsed: z.boolean(), names: z.array(z.string()) })
      .nullable()
      .meta({ description: "Why not all of it can be known, and what it names; `null` when all is known." }),
    backups: z.array(z.object({ src: z.string(), dest: z.string() })),
    hosts: z.array(z.string()),
    acts: z.array(
      z.object({
        risk: Risk,
        verbs: z.array(z.string()),
        object: z.array(z.string()),
        service: z.string().nullable(),
      }),
    ),
    recipients: z.array(
      z.object({
        role: z.enum(RECIPIENT_ROLES),
        address: z.string(),
        given: z.string(),
        pointer: Pointer,
      }),
    ),
    amounts: z.array(
      z.object({
        value: z.string(),
        currency: z.string().nullable(),
        minor: z.boolean(),
        pointer: Pointer,
      }),
    ),
    items: z.array(z.object({ name: z.string(), value: z.string(), pointer: Pointer })),
    stored: z.array(z.object({ text: z.string(), pointer: Pointer })),
    deceptions: z.array(z.object({ cause: z.string(), text: z.string(), pointer: Pointer })),
    governance: z.array(z.string()),
    unreadable: z.array(z.object({ pointer: Pointer, cause: z.string() })),
    texts: z.array(z.string()).meta({
      description: "The command lines that were read, and those found inside them.",
    }),
    steps: z.array(Step),
    truncated: z.boolean().meta({ description: "There was more than is told." }),
  })
  .meta({ id: "ExplainedReading" });

const explainRoute = createRoute({
  method: "post",
  path: "/v1/effects/explain",
  ...operation({
    operationId: "explainEffects",
    summary: "See how a tool call is read",
    description:
      "The one reading that every judge sees, under the tool table in force, with the part of the call that each of its facts was read off. A dry run: nothing is recorded, and nothing is judged.",
    tag: "Tools",
    access: { agent: "ask", member: "viewer" },
    limit: DECISION_LIMIT_BYTES,
    tolerate: ["/args"],
    dryRun: true,
  }),
  request: {
    body: jsonRequest(
      z
        .strictObject({
          tool: ToolName,
          args: z.unknown(),
          annotations: AnnotationsSchema.optional(),
          ...ENVIRONMENT,
        })
        .meta({ id: "ExplainRequest", required: ["tool", "args"] }),
    ),
  },
  responses: { 200: jsonContent(Explained, "The reading"), ...refusals(true) },
});

export const effects = newRouter();

effects.openapi(explainRoute, async (c) => {
  const body = c.req.valid("json");
  const { tables } = await policyOf(c.env.DB, organizationCaller(c));
  const { environment, unreadable } = readEnvironment(body);
  const read = explain(
    {
      tool: body.tool,
      args: body.args,
      unreadable: [...unreadableArguments(body.args, c.get("doubts"), "/args"), ...unreadable],
    },
    { environment, self: selfOf(c), ...annotationsOf(body.annotations) },
    tables,
  );
  // The schema is the reading's own shape; copying every list to lose `readonly` would only cost time.
  return c.json(read as z.infer<typeof Explained>, 200);
});
