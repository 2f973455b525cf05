/**
 * What every route says of itself, once: who may call it, what body it takes and how large, how it refuses. The same
 * words run as middleware and stand in the OpenAPI document, so that neither can say what the other does not.
 */
import type { RouteConfig } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod";
import { PROBLEMS, type ProblemCode } from "../errors.ts";
import { type Access, access, accessStillHolds } from "./access.ts";
import { BODY_LIMIT_BYTES, jsonBody } from "./body.ts";
import type { AppEnv } from "./context.ts";

export const ProblemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    errors: z
      .array(
        z.object({
          pointer: z.string(),
          detail: z.string(),
          code: z.string().optional(),
          line: z.int().optional(),
          column: z.int().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Problem", description: "RFC 9457. Clients switch on `code`; `detail` says what to do." });

export interface OperationSpec<Id extends string> {
  readonly operationId: Id;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  /** Bytes; `null` for a route that takes no JSON body. */
  readonly limit?: number | null;
  /** JSON pointers of the parts of the body whose doubts the handler judges itself. */
  readonly tolerate?: readonly string[];
  readonly dryRun?: boolean;
  /** True for a route that answers in its own words where others answer 5xx. */
  readonly failsClosed?: true;
}

/** Members of a `createRoute` configuration that follow from the specification. */
export function operation<Id extends string>(spec: OperationSpec<Id>) {
  const takesJson = spec.limit !== undefined && spec.limit !== null;
  const middleware: MiddlewareHandler<AppEnv>[] = [
    async function nameOperation(c, next) {
      c.set("operation", spec.operationId);
      c.set("dryRun", spec.dryRun === true);
      c.set("sessionId", c.req.param("session_id"));
      await next();
    },
    access(spec.access),
  ];
  if (takesJson)
    middleware.push(jsonBody(spec.limit ?? BODY_LIMIT_BYTES, spec.tolerate), accessStillHolds(spec.access));
  return {
    operationId: spec.operationId,
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    tags: [spec.tag],
    security: securityOf(spec.access),
    middleware,
    "x-access": spec.access,
    ...(takesJson ? { "x-limit-bytes": spec.limit } : {}),
    ...(spec.failsClosed === undefined ? {} : { "x-fails-closed": spec.failsClosed }),
  };
}

function securityOf(spec: Access): NonNullable<RouteConfig["security"]> {
  return [
    ...(spec.agent === undefined ? [] : [{ agentKey: [spec.agent] }]),
    ...(spec.member === undefined ? [] : [{ memberSession: [spec.member] }]),
    ...(spec.operator === undefined ? [] : [{ operatorToken: [] }]),
  ];
}

/** What every operation can answer. */
const COMMON: readonly ProblemCode[] = [
  "unauthenticated",
  "forbidden",
  "internal",
  "misconfigured",
  "unavailable",
  "not-recorded",
];
/** What every operation that takes JSON can answer. */
const WITH_BODY: readonly ProblemCode[] = [
  "malformed-json",
  "json-too-deep",
  "inexact-number",
  "lone-surrogate",
  "duplicate-key",
  "body-timeout",
  "body-too-large",
  "unsupported-media-type",
  "invalid-request",
];

interface Refusal {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  /** The codes under this status, for whoever reads the document by machine. */
  readonly "x-codes": readonly ProblemCode[];
}

function refusalsBy<Schema>(codes: readonly ProblemCode[], schema: Schema) {
  const byStatus = new Map<number, Set<ProblemCode>>();
  for (const code of codes) {
    const [status] = PROBLEMS[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      String(status),
      {
        description: [...of].map((code) => `\`${code}\`: ${PROBLEMS[code][1]}`).join("; "),
        content: { "application/problem+json": { schema } },
        "x-codes": [...of],
      },
    ]),
  );
}

/**
 * The responses by which a route refuses: those of every route, those of every JSON body, and its own. What follows
 * from its path, its parameters and who may call it is added by {@link withRefusals}.
 */
export function refusals(body: boolean, ...own: ProblemCode[]) {
  return refusalsBy([...COMMON, ...(body ? WITH_BODY : []), ...own], ProblemSchema);
}

/** An operation as it stands in the document. */
export interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, object>>;
  readonly "x-access"?: Access;
  readonly "x-fails-closed"?: true;
}

/** The operation with every refusal that follows from what it is, and without those that it never answers. */
export function withRefusals<Operation extends Described>(method: string, operation: Operation): Operation {
  const codes = new Set<ProblemCode>();
  const kept: [string, object][] = [];
  let schema: unknown;
  for (const [status, response] of Object.entries(operation.responses))
    if ("x-codes" in response) {
      const refusal = response as Refusal;
      for (const code of refusal["x-codes"]) codes.add(code);
      schema ??= refusal.content["application/problem+json"]?.schema;
    } else kept.push([status, response]);
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  if (parameters.some((parameter) => parameter.in !== "header")) codes.add("invalid-request");
  if (inPath.length > 0) codes.add("malformed-url");
  if (inPath.some((parameter) => parameter.name !== "session_id")) codes.add("not-found");
  if (operation["x-access"]?.member !== undefined && method !== "get") codes.add("cross-site");
  if (operation["x-fails-closed"] === true)
    for (const code of codes) if (PROBLEMS[code][0] >= 500) codes.delete(code);
  return { ...operation, responses: { ...Object.fromEntries(kept), ...refusalsBy([...codes], schema) } };
}

export function jsonContent<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

export function jsonRequest<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } } as const;
}

/** Answers with JSON text that an object has composed and recorded: a replay must be the same to the byte. */
export function answerText(c: Context<AppEnv>, text: string): never {
  // The text is what the object answered under the same schema; parsing it only to print it again could change a byte.
  return c.body(text, 200, { "content-type": "application/json" }) as never;
}
