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
  /** JSON pointer of the part of the body whose doubts the handler judges itself. */
  readonly tolerate?: string;
  readonly dryRun?: boolean;
  /** Refusals beyond those that every route shares. */
  readonly refusals?: readonly ProblemCode[];
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
  };
}

function securityOf(spec: Access): NonNullable<RouteConfig["security"]> {
  return [
    ...(spec.agent === undefined ? [] : [{ agentKey: [spec.agent] }]),
    ...(spec.member === undefined ? [] : [{ memberSession: [spec.member] }]),
    ...(spec.operator === undefined ? [] : [{ operatorToken: [] }]),
  ];
}

const COMMON: readonly ProblemCode[] = [
  "unauthenticated",
  "forbidden",
  "not-found",
  "invalid-request",
  "unavailable",
];
const WITH_BODY: readonly ProblemCode[] = [
  "malformed-json",
  "body-too-large",
  "unsupported-media-type",
  "duplicate-key",
];

/** The responses by which a route refuses: those of every route, those of every body, and its own. */
export function refusals(body: boolean, ...own: ProblemCode[]) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of [...COMMON, ...(body ? WITH_BODY : []), ...own]) {
    const [status] = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}`).join("; "),
        content: { "application/problem+json": { schema: ProblemSchema } },
      },
    ]),
  );
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
