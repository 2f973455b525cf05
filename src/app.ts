/** The order of middleware and the table of routes. Find any URL's handler here in one step. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { checkEnv } from "./env.ts";
import { Problem, problemDocument } from "./errors.ts";
import { identify } from "./http/access.ts";
import type { AppEnv } from "./http/context.ts";
import { databaseProblem, withBoundedDatabase } from "./http/database.ts";
import { faultsOf } from "./http/faults.ts";
import { recordRefusal } from "./http/refusals.ts";
import { newId } from "./ids.ts";
import { log } from "./log.ts";
import { agents } from "./routes/agents.ts";
import { anchors } from "./routes/anchors.ts";
import { approvals } from "./routes/approvals.ts";
import { approve } from "./routes/approve/approve.tsx";
import { channels } from "./routes/channels.ts";
import { checkpoints } from "./routes/checkpoints.ts";
import { compiler } from "./routes/compiler.ts";
import { dashboard } from "./routes/dashboard/index.tsx";
import { problemPage } from "./routes/dashboard/problem-page.tsx";
import { decisions, failClosed } from "./routes/decisions.ts";
import { docs } from "./routes/docs.tsx";
import { drift } from "./routes/drift.ts";
import { effects } from "./routes/effects.ts";
import { evidence } from "./routes/evidence.ts";
import { wholeExport } from "./routes/export.ts";
import { fingerprints } from "./routes/fingerprints.ts";
import { keys } from "./routes/keys.ts";
import { ledger } from "./routes/ledger.ts";
import { members } from "./routes/members.ts";
import { oath } from "./routes/oath.ts";
import { organizations } from "./routes/organizations.ts";
import { outcomes } from "./routes/outcomes.ts";
import { passkeys } from "./routes/passkeys.ts";
import { purge } from "./routes/purge.ts";
import { receipts } from "./routes/receipts.ts";
import { replay } from "./routes/replay.ts";
import { sessions } from "./routes/sessions.ts";
import { signIn } from "./routes/sign-in.tsx";
import { signingKeys } from "./routes/signing-keys.ts";
import { skills } from "./routes/skills.ts";
import { taskPolicy } from "./routes/task-policy.ts";
import { toolTable } from "./routes/tool-table.ts";
import { turns } from "./routes/turns.ts";
import { nothingLeaves, verifyPages } from "./routes/verify.tsx";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function newApp(): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success)
        throw new Problem(
          "invalid-request",
          "The request does not fit its schema. See errors for each place.",
          {
            errors: faultsOf(result.target, result.error),
          },
        );
    },
  });

  // Before anything can fail: whatever fails behind it is answered as a block.
  app.use("/v1/sessions/:session_id/decisions", failClosed());
  app.use(async function prepareRequest(c, next) {
    c.set("requestId", newId("req"));
    const check = checkEnv(c.env);
    if (!check.ok) {
      log.error("misconfigured", check.faults.join("; "));
      throw new Problem(
        "misconfigured",
        "A variable or secret of this deployment is missing or malformed; its log names it.",
      );
    }
    c.set("config", check.config);
    c.env = withBoundedDatabase(c.env);
    c.header("x-request-id", c.get("requestId"));
    // Left as it is, `%ff` would name the same thing as `%25ff`.
    if (!isDecodable(new URL(c.req.url).pathname))
      throw new Problem("malformed-url", "The path's percent-encoding must be UTF-8.");
    await next();
  });
  const pageHeaders = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    // Not "no-referrer": that makes a browser send `Origin: null` with our own forms.
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
  });
  // Around what sets the headers of pages: the address is a credential, which not even our own next page is told.
  app.use("/approve/*", async function keepAddress(c, next) {
    await next();
    c.header("referrer-policy", "no-referrer");
    c.header("x-robots-tag", "noindex, nofollow");
  });
  app.use("/verify", nothingLeaves);
  app.use(async function guardAnswer(c, next) {
    if (!c.req.path.startsWith("/v1/")) return pageHeaders(c, next);
    // Set before the answer is made: to change a finished one is to copy it.
    c.header("cache-control", "no-store");
    c.header("x-content-type-options", "nosniff");
    return next();
  });

  app.route("/", organizations); // /v1/organizations, /v1/organization
  app.route("/", compiler); //      /v1/organization/compiler
  app.route("/", members); //       /v1/members
  app.route("/", agents); //        /v1/agents
  app.route("/", keys); //          /v1/agents/{agent_id}/keys
  app.route("/", oath); //          /v1/oath, /v1/oath/check, /v1/agents/{agent_id}/oath
  app.route("/", sessions); //      /v1/sessions/{session_id}
  app.route("/", taskPolicy); //    /v1/sessions/{session_id}/policy
  app.route("/", turns); //         /v1/sessions/{session_id}/turns
  app.route("/", decisions); //     /v1/sessions/{session_id}/decisions, /v1/decisions
  app.route("/", outcomes); //      /v1/sessions/{session_id}/outcomes
  app.route("/", approvals); //     /v1/approvals, /v1/approvals/{approval_id}
  app.route("/", fingerprints); //  /v1/sessions/{session_id}/fingerprints
  app.route("/", ledger); //        /v1/sessions/{session_id}/ledger, /v1/ledger, /v1/ledger/verify
  app.route("/", checkpoints); //   /v1/checkpoints
  app.route("/", receipts); //      /v1/receipts, /v1/decisions/{decision_id}/receipt
  app.route("/", drift); //         /v1/drift-check
  app.route("/", signingKeys); //   /v1/signing-keys, /.well-known/countersign/{organization}/keys
  app.route("/", anchors); //       /v1/anchors, /v1/anchors/{anchor_id}
  app.route("/", toolTable); //     /v1/tool-table, /v1/tool-table/check
  app.route("/", replay); //        /v1/replay
  app.route("/", effects); //       /v1/effects/explain
  app.route("/", evidence); //      /v1/evidence, /v1/evidence/report, /v1/evidence/check
  app.route("/", skills); //        /v1/agents/{agent_id}/skills
  app.route("/", channels); //      /v1/channels, /v1/push/key
  app.route("/", purge); //         /v1/purge
  app.route("/", wholeExport); //   /v1/export
  app.route("/", passkeys); //      /v1/passkeys, /v1/members/{member_id}/passkeys
  app.route("/", approve); //       /approve/{token}
  app.route("/", signIn); //        /sign-in, /sign-out
  app.route("/", dashboard); //     /, /decisions, /evidence, /oath, /tools, /agents, /members, /settings, /assets
  app.route("/", docs(app)); //     /docs, /openapi.json
  app.route("/", verifyPages); //   /verify, /docs/ledger, /assets/verify

  app.notFound(async (c) => {
    const allowed = METHODS.filter((method) =>
      app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method),
    );
    const allow = allowed.join(", ");
    const problem =
      allowed.length === 0
        ? new Problem("not-found", "There is no such path. See /docs.")
        : new Problem("method-not-allowed", `This path takes ${allow}.`, { headers: { allow } });
    // Nobody has asked yet who this is; what proves an organization leaves its row here too.
    if (c.req.path.startsWith("/v1/") && c.get("suspect") === undefined)
      await identify(c).catch(() => log.info("unidentified", { request: c.get("requestId") }));
    return refuse(c, problem);
  });
  app.onError(async (error, c) => refuse(c, problemOf(error, c)));
  return app;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function problemOf(error: Error, c: Context<AppEnv>): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException) {
    if (error.status === 415)
      return new Problem("unsupported-media-type", "Send the body as content-type: application/json.");
    if (error.status === 400)
      return new Problem("malformed-json", "The body must be one JSON value in UTF-8.");
  }
  log.error("failed", error, { request: c.get("requestId"), operation: c.get("operation") });
  const away = databaseProblem(error);
  if (away !== null) return away;
  return new Problem("internal", "This is our fault. Try again; if it stays, report the instance.");
}

/**
 * Answers a refusal after it is on record: every refusal to a known organization leaves a row (DESIGN §3). One that
 * cannot be recorded is answered 503, never as if it had been.
 */
async function refuse(c: Context<AppEnv>, problem: Problem): Promise<Response> {
  const suspect = c.get("suspect");
  // A dry run leaves nothing behind; who may not even try does.
  const dry = c.get("dryRun") === true && ![401, 403, 404].includes(problem.status);
  // What proves no organization is counted in the log: no chain is a stranger's to grow.
  if (suspect === undefined)
    log.info("refused", { request: c.get("requestId"), operation: c.get("operation"), code: problem.code });
  if (suspect === undefined || problem.status >= 500 || problem.details.recorded === true || dry)
    return answer(c, problem);
  try {
    await recordRefusal(c, suspect, problem.code, problem.status);
  } catch (error) {
    log.error("refusal-not-recorded", error, { request: c.get("requestId"), code: problem.code });
    return answer(c, new Problem("not-recorded", "The refusal could not be recorded. Try again."));
  }
  return answer(c, problem);
}

function answer(c: Context<AppEnv>, problem: Problem): Response | Promise<Response> {
  const requestId = c.get("requestId") ?? newId("req");
  const isApi = /^\/(?:v1(?:\/|$)|openapi\.json$|\.well-known\/)/.test(c.req.path);
  if (!isApi)
    return c.html(problemPage(problem, requestId), problem.status, {
      "cache-control": "no-store",
      ...problem.details.headers,
    });
  return c.body(JSON.stringify(problemDocument(problem, requestId)), problem.status, {
    "content-type": "application/problem+json",
    "x-request-id": requestId,
    "cache-control": "no-store",
    ...problem.details.headers,
  });
}
