/**
 * The closed list of ways in which a request is refused, and the RFC 9457 document that says so.
 * Nothing internal enters a document: a 5xx says that it is ours, its cause goes to the log.
 */
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** Every code, with its status and title. Codes are stable; clients switch on them. */
export const PROBLEMS = {
  "malformed-json": [400, "The body is not JSON"],
  "json-too-deep": [400, "The body is nested too deeply or holds too many values"],
  "duplicate-key": [400, "An object in the body names a member twice"],
  "inexact-number": [400, "A number in the body does not survive a double"],
  "lone-surrogate": [400, "A text in the body is not well-formed Unicode"],
  "malformed-url": [400, "The URL cannot be read"],
  unauthenticated: [401, "No valid credential"],
  forbidden: [403, "This credential may not do that"],
  "sign-in-demanded": [403, "This action takes an approver who is signed in"],
  "passkey-demanded": [403, "This action takes an approver's passkey"],
  "cross-site": [403, "The request came from another site"],
  "not-found": [404, "There is no such thing here"],
  "unknown-session": [404, "There is no such session"],
  "link-invalid": [404, "This link opens nothing"],
  "unknown-call": [404, "No decision was asked for this call"],
  "method-not-allowed": [405, "This path does not take that method"],
  "call-id-reused": [409, "This call id was used for another action"],
  "turn-id-reused": [409, "This turn id was used for other words"],
  "outcome-already-reported": [409, "Another outcome was reported for this call"],
  "approval-decided": [409, "The approval is decided"],
  "approval-blocked": [409, "The edited action is blocked"],
  "digest-mismatch": [409, "The approval is for another action"],
  "not-sealed-yet": [409, "No checkpoint covers this yet"],
  "session-conflict": [409, "The session exists with another owner or place in its family"],
  gone: [410, "What was answered then is removed"],
  "session-gone": [410, "Where the session runs is removed"],
  "session-ended": [410, "The session is over"],
  "body-timeout": [408, "The body did not arrive in time"],
  conflict: [409, "The request conflicts with what is stored"],
  "version-mismatch": [412, "It was changed in the meantime"],
  "body-too-large": [413, "The body is too large"],
  "unsupported-media-type": [415, "The body has another type than this path takes"],
  "invalid-request": [422, "The request does not fit its schema"],
  "invalid-oath": [422, "The oath cannot be sworn as it stands"],
  "invalid-tool-table": [422, "The tool table cannot be saved as it stands"],
  "precondition-required": [428, "Say which version you are changing"],
  misconfigured: [500, "The service is not configured"],
  "log-damaged": [500, "The organization's log is not what was signed"],
  internal: [500, "The service failed"],
  "not-recorded": [503, "The record could not be written"],
  "publish-pending": [503, "Recorded, and not yet in force"],
  unavailable: [503, "A part of the service cannot be reached"],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault in a request. `pointer` is a JSON pointer into the body, or `#/query/…`, `#/path/…`, `#/header/…`. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
  readonly code?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ProblemDetails {
  readonly errors?: readonly Fault[];
  /** Members that a code adds, e.g. the current version on `version-mismatch`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** True when the object that refused has left the row itself. */
  readonly recorded?: boolean;
}

/** Thrown by middleware and handlers, and by nothing deeper; `app.ts` turns it into an answer. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  /** @param detail for the reader: what is wrong and what to do about it */
  constructor(code: ProblemCode, detail: string, details: ProblemDetails = {}) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.details = details;
  }

  get status(): ContentfulStatusCode {
    return PROBLEMS[this.code][0];
  }
}

/** The RFC 9457 document. `type` resolves to the code's entry on the reference page. */
export function problemDocument(problem: Problem, requestId: string): Record<string, unknown> {
  const [status, title] = PROBLEMS[problem.code];
  return {
    type: `/docs#problem-${problem.code}`,
    title,
    status,
    detail: problem.message,
    instance: requestId,
    code: problem.code,
    ...(problem.details.errors ? { errors: problem.details.errors } : {}),
    ...problem.details.extra,
  };
}
