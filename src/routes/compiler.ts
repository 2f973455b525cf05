/**
 * `/v1/organization/compiler`: who reads a person's words into a task policy: the rules, or a model whose draft goes
 * through the same hardening. The key of the model's endpoint is written here and never read back.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { PROVIDERS, shownSettings } from "../compiler/index.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { CompilerRequest, changeCompiler, compilerInForce } from "../http/compiler-settings.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";

const Shown = z
  .object({
    compiler: z.enum(["rules", "model"]).meta({
      description:
        "`rules` reads offline and is the default. `model` asks one for a draft; when it fails, what is consequential is asked about and prohibitions stay in force.",
    }),
    provider: z.enum(PROVIDERS),
    base_url: z.string().nullable(),
    model: z.string().nullable(),
    timeout_ms: z.int().meta({ description: "For everything together: requests, retries, pauses." }),
    key_set: z.boolean().meta({ description: "Whether a key is kept. It is never shown." }),
  })
  .meta({ id: "Compiler" });

const read = createRoute({
  method: "get",
  path: "/v1/organization/compiler",
  ...operation({
    operationId: "readCompiler",
    summary: "Read who compiles task policies",
    tag: "Organization",
    access: { member: "viewer" },
  }),
  responses: { 200: jsonContent(Shown, "The compiler in force"), ...refusals(false) },
});

const change = createRoute({
  method: "put",
  path: "/v1/organization/compiler",
  ...operation({
    operationId: "changeCompiler",
    summary: "Choose who compiles task policies",
    tag: "Organization",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(CompilerRequest) },
  responses: { 200: jsonContent(Shown, "The compiler in force"), ...refusals(true, "publish-pending") },
});

export const compiler = newRouter();

compiler.openapi(read, async (c) => c.json(shownSettings(await compilerInForce(c)), 200));

compiler.openapi(change, async (c) => c.json(await changeCompiler(c, c.req.valid("json")), 200));
