/**
 * `/v1/organization/compiler`: who reads a person's words into a task policy: the rules, or a model whose draft goes
 * through the same hardening. The key of the model's endpoint is written here and never read back.
 */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import {
  type CompilerSettings,
  compilerSettings,
  isApiKey,
  keyPlace,
  PROVIDERS,
  readAddress,
  readCompilerSettings,
  seal,
  shownSettings,
} from "../compiler/index.ts";
import { readOrganization } from "../db/governance.ts";
import { type Fault, Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { reachOf } from "../http/drafting.ts";
import { govern } from "../http/governing.ts";
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

const ChangeRequest = z
  .strictObject({
    compiler: z.enum(["rules", "model"]),
    provider: z.enum(PROVIDERS).optional(),
    base_url: z.string().max(2_048).nullable().optional().meta({
      description: "Of an OpenAI-compatible endpoint, https.",
    }),
    model: z.string().max(200).nullable().optional(),
    timeout_ms: z.int().min(1_000).max(20_000).optional(),
    key: z.string().max(4_096).nullable().optional().meta({
      description:
        "Kept encrypted for this provider and origin alone. Left out: the one that is kept stays, unless provider or origin change. `null` removes it.",
    }),
  })
  .meta({ id: "CompilerRequest" });

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
  request: { body: jsonRequest(ChangeRequest) },
  responses: { 200: jsonContent(Shown, "The compiler in force"), ...refusals(true, "publish-pending") },
});

export const compiler = newRouter();

compiler.openapi(read, async (c) => c.json(shownSettings(await settingsInForce(c)), 200));

compiler.openapi(change, async (c) => {
  const caller = memberCaller(c);
  const { key, ...body } = c.req.valid("json");
  const before = await settingsInForce(c);
  const { settings, faults } = readCompilerSettings(body);
  const errors: Fault[] = faults.map(({ pointer, cause }) => ({
    pointer,
    detail: "This cannot be taken.",
    code: cause,
  }));
  if (settings.base_url !== null) {
    const address = readAddress(settings.base_url, reachOf(c));
    if (!address.ok)
      errors.push({
        pointer: "/base_url",
        detail:
          "This address may not be asked: it must be https, public, without a credential, and not this deployment.",
        code: address.cause,
      });
  }
  if (typeof key === "string" && !isApiKey(key))
    errors.push({
      pointer: "/key",
      detail: "A key is 1 to 4096 printable ASCII characters.",
      code: "not-a-key",
    });
  if (errors.length > 0)
    throw new Problem("invalid-request", "The compiler stays as it is. See errors for each place.", {
      errors,
    });
  const place = keyPlace(caller.organization, settings);
  const sealed =
    typeof key === "string"
      ? await seal(key, place, c.get("config").settingsKeys)
      : key === undefined && keyPlace(caller.organization, before).field === place.field
        ? before.key
        : null;
  const after: CompilerSettings = { ...settings, key: sealed };
  const shown = shownSettings(after);
  await govern(
    c,
    caller.organization,
    { kind: "change_compiler", compiler: { ...after }, shown: { ...shown } },
    caller.member,
  );
  return c.json(shown, 200);
});

async function settingsInForce(c: Context<AppEnv>): Promise<CompilerSettings> {
  const row = await readOrganization(c.env.DB, memberCaller(c).organization);
  if (row === null) throw new Problem("not-found", "There is no such organization.");
  return compilerSettings((JSON.parse(row.settings) as { compiler?: unknown }).compiler);
}
