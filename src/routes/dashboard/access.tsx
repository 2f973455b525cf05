/** Who may open a page or send a form, and how a form is read. */
import type { Context, MiddlewareHandler } from "hono";
import type { Child } from "hono/jsx";
import { listMembers } from "../../db/governance.ts";
import { Problem } from "../../errors.ts";
import { hasRole, type MemberCaller, memberOf, refuseCrossSite, suspectOf } from "../../http/access.ts";
import { boundedText } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { databaseProblem } from "../../http/database.ts";
import { log } from "../../log.ts";
import type { Role } from "../../roles.ts";
import { FormProblem } from "./form-problem.ts";
import { frameOf, Page } from "./layout.tsx";
import { RefusalBody } from "./problem-page.tsx";
import { Recorded } from "./recorded.tsx";

const FORM_LIMIT_BYTES = 16 * 1024;
/** People named when somebody lacks a role. */
const MAX_NAMED = 5;

export interface PageAccess {
  /** The operation, for the refusal's row. */
  readonly operation: string;
  /** At least this role. Default: every member. */
  readonly role?: Role;
  /** What the role is for, as in "Only an owner can …". */
  readonly act?: string;
  /** Part of a page, fetched by its script: a stranger gets a status, not the way to the sign-in page. */
  readonly fragment?: boolean;
  /** True for a form that leaves nothing behind, not even a row for what is wrong with it. */
  readonly dryRun?: boolean;
  /** What a stranger gets instead of the plain refusal, e.g. the text they typed before their session ended. */
  readonly signedOut?: (c: Context<AppEnv>) => Promise<Problem>;
}

/**
 * Middleware: lets a member of at least the role pass. A form also has to come from one of our own pages: the cookie
 * goes along with whatever another site makes a browser send.
 */
export function page({
  operation,
  role = "viewer",
  act = "do this",
  fragment = false,
  dryRun = false,
  signedOut,
}: PageAccess): MiddlewareHandler<AppEnv> {
  return async function checkPage(c, next) {
    c.set("operation", operation);
    c.set("dryRun", dryRun);
    c.header("x-robots-tag", "noindex");
    const unsafe = c.req.method !== "GET" && c.req.method !== "HEAD";
    const member = await memberOf(c);
    if (member === null) {
      if (!unsafe && !fragment) return c.redirect("/sign-in", 303);
      if (unsafe) refuseCrossSite(c);
      throw signedOut === undefined
        ? new Problem("unauthenticated", "You are not signed in, or not any more. Nothing was changed.")
        : await signedOut(c);
    }
    c.set("caller", member);
    c.set("suspect", suspectOf(member));
    if (unsafe) refuseCrossSite(c);
    if (!hasRole(member.role, role)) throw await roleTooLow(c, member, role, act);
    return next();
  };
}

/** Says which role it takes, and who has it. */
async function roleTooLow(
  c: Context<AppEnv>,
  member: MemberCaller,
  role: Role,
  act: string,
): Promise<FormProblem> {
  const [frame, members] = await Promise.all([frameOf(c), listMembers(c.env.DB, member.organization)]);
  const names = members
    .filter((other) => hasRole(other.role as Role, role))
    .slice(0, MAX_NAMED)
    .map((other) => `${other.name} (${other.role})`);
  const who = role === "owner" ? "an owner" : `an ${role} or higher`;
  const detail = `Only ${who} can ${act}. You are ${/^[aeiou]/.test(member.role) ? "an" : "a"} ${member.role}.`;
  return new FormProblem(
    "forbidden",
    detail,
    <Page title="Not yours to do" frame={frame}>
      <RefusalBody title="Not yours to do" detail={detail}>
        {names.length === 0 ? null : (
          <p>
            Ask {names.length === 1 ? "" : "one of them: "}
            {names.map((name, i) => (
              <>
                {i === 0 ? "" : ", "}
                <Recorded text={name} />
              </>
            ))}
            .
          </p>
        )}
        <p class="row">
          <a class="button button-main" href="/">
            Go to decisions
          </a>
        </p>
      </RefusalBody>
    </Page>,
  );
}

/** A posted form's fields, read within a bound. */
export async function readForm(c: Context<AppEnv>, limit = FORM_LIMIT_BYTES): Promise<URLSearchParams> {
  return new URLSearchParams(await boundedText(c, limit, true));
}

/** The text of a text area. A form sends every line end as CR LF, whatever stood there; the API would get it as it was. */
export function typedText(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? "").replaceAll("\r\n", "\n");
}

/** The version that a form says it changed; -1, which no version is, for what says none. */
export function versionField(form: URLSearchParams, name: string): number {
  const version = form.get(name) ?? "";
  return /^(?:0|[1-9][0-9]{0,8})$/.test(version) ? Number(version) : -1;
}

/**
 * Does what a form asks for. What refuses or fails on the way becomes the page that `again` makes of it, with what was
 * typed; `publish-pending` stays as it is, since then the change is made.
 */
export async function orFormAgain<T>(
  c: Context<AppEnv>,
  work: () => Promise<T>,
  again: (problem: Problem) => Child | Promise<Child>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.code === "publish-pending") throw error;
    const problem = error instanceof Problem ? error : failed(c, error);
    throw new FormProblem(problem.code, problem.message, await again(problem), problem.details);
  }
}

function failed(c: Context<AppEnv>, error: unknown): Problem {
  log.error("failed", error, { request: c.get("requestId"), operation: c.get("operation") });
  const away = databaseProblem(error);
  if (away !== null) return away;
  return new Problem(
    "internal",
    `This is our fault, and nothing of it is sure. Look before you try again; if it stays, report ${c.get("requestId")}.`,
  );
}
