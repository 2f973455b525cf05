/**
 * `/session?id=…`: one session, its family and its task policy; a form on it replays the family under another
 * configuration. The id stands in the query, since it is any text.
 */
import type { Context } from "hono";
import * as z from "zod";
import { listAgents, readOath } from "../../db/governance.ts";
import { listRecords } from "../../db/records.ts";
import type { SessionContext } from "../../durable/protocol.ts";
import { Problem } from "../../errors.ts";
import { memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { faultsOf } from "../../http/faults.ts";
import type { Policy } from "../../http/policy.ts";
import { selfOf } from "../../http/reading.ts";
import { recordedEvents } from "../../http/recorded.ts";
import { configurationOf, policyOfSession, rejudge, TriedConfiguration } from "../../http/replaying.ts";
import { newRouter } from "../../http/router.ts";
import { HarnessId } from "../../http/schemas.ts";
import { callObject, endedSession, findSession, rememberSession, sessionStub } from "../../http/sessions.ts";
import { MODED_ENGINES, type ModedEngine } from "../../policy/modes.ts";
import { MAX_OATH_BYTES, parseOath } from "../../policy/oath/index.ts";
import { orFormAgain, page, readForm, typedText } from "./access.tsx";
import { filterOf, namesOf } from "./decision-filter.ts";
import { decisionView } from "./decision-view.ts";
import { FormProblem } from "./form-problem.ts";
import { signedOutWith } from "./kept-text.tsx";
import { frameOf, sendPage } from "./layout.tsx";
import { SessionPage, type SessionPageProps } from "./session-page.tsx";
import type { Drafting } from "./task-policy-view.tsx";
import type { Tried } from "./what-if.tsx";

const LISTED_DECISIONS = 10;
/** An oath of the largest size in a form's encoding, three characters a byte, and as much again so that too long a text comes back. */
const FORM_BYTES = MAX_OATH_BYTES * 6;

export const sessionPages = newRouter();

sessionPages.get("/session", page({ operation: "viewSession" }), async (c) => {
  const { props } = await sessionOf(c);
  return sendPage(c, <SessionPage {...props} />);
});

sessionPages.post("/session", page({ operation: "replay", dryRun: true, signedOut: keepText }), async (c) => {
  const form = await readForm(c, FORM_BYTES);
  const { props, policy } = await sessionOf(c);
  const tried = triedOf(form);
  const failed = (detail: string) => (
    <SessionPage {...props} tried={tried} result={{ kind: "failed", detail }} />
  );
  const parsed = parseOath(tried.oath);
  if (!parsed.ok)
    throw new FormProblem(
      "invalid-oath",
      "The oath has errors, and nothing was tried.",
      <SessionPage {...props} tried={tried} result={{ kind: "faulty", diagnostics: parsed.diagnostics }} />,
    );
  const configuration = TriedConfiguration.safeParse(configurationFrom(tried, props, policy));
  if (!configuration.success) {
    const detail = "One of the choices is none.";
    const errors = faultsOf("json", configuration.error);
    throw new FormProblem("invalid-request", detail, failed(detail), { errors });
  }
  const { calls, unkept, truncated } = await orFormAgain(
    c,
    async () => {
      const { organization } = memberCaller(c);
      const events = await recordedEvents(c.env.DB, organization, props.session.root, selfOf(c));
      return { ...events, calls: rejudge(configurationOf(policy, configuration.data), events.events) };
    },
    (problem) => failed(problem.message),
  );
  return sendPage(
    c,
    <SessionPage {...props} tried={tried} result={{ kind: "judged", calls, unkept, truncated }} />,
  );
});

function triedOf(form: URLSearchParams): Tried {
  const modes = MODED_ENGINES.map((engine) => [engine, form.get(engine) ?? ""] as const);
  return {
    modes: Object.fromEntries(modes) as Record<ModedEngine, string>,
    strict: form.get("strict") ?? "",
    oath: typedText(form, "oath_text"),
  };
}

/** What was chosen, as a request would say it: what is as it is in force is left out. */
function configurationFrom({ modes, strict, oath }: Tried, { inForce }: SessionPageProps, { fence }: Policy) {
  const chosen = Object.entries(modes).filter(([, mode]) => mode !== "");
  const stricter = strict === "yes" ? true : strict === "no" ? false : strict;
  return {
    ...(chosen.length === 0 ? {} : { engines: Object.fromEntries(chosen) }),
    ...(stricter === "" ? {} : { fence: { ...fence, strict: stricter } }),
    // Line ends are the form's, not the text's.
    ...(oath === inForce.oath.replaceAll("\r\n", "\n") ? {} : { oath }),
  };
}

/** Everything that the page says of the session that the address names. */
async function sessionOf(c: Context<AppEnv>): Promise<{ props: SessionPageProps; policy: Policy }> {
  const { organization } = memberCaller(c);
  const session = await contextOf(c, organization, c.req.query("id") ?? "");
  const family = () => sessionStub(c.env, organization, session.root);
  const [frame, status, task, policy, agents, oath, rows] = await Promise.all([
    frameOf(c),
    callObject(family, (stub) => stub.status()),
    callObject(family, (stub) => stub.task()),
    policyOfSession(c.env.DB, organization, session),
    listAgents(c.env.DB, organization),
    readOath(c.env.DB, organization, "organization"),
    listRecords(
      c.env.DB,
      organization,
      filterOf({ verdict: null, agent: null, session: session.session }, LISTED_DECISIONS),
    ),
  ]);
  return {
    policy,
    props: {
      frame,
      session,
      status,
      task,
      drafting: task.policy.compiler === "rules" ? null : await draftingOf(c, organization, session.session),
      views: rows.map(decisionView),
      agents: namesOf(agents),
      inForce: {
        modes: policy.modes,
        strict: policy.fence.strict,
        oath: oath?.text ?? "",
        ownOath: policy.oaths.some(({ source }) => source === "agent"),
      },
    },
  };
}

/** The session as its family knows it now: an isolate remembers where it lives, not where it runs. */
async function contextOf(c: Context<AppEnv>, organization: string, id: string): Promise<SessionContext> {
  const isId = HarnessId.safeParse(id).success;
  const known = isId ? await findSession(c.env, organization, id) : null;
  const current =
    known === null
      ? null
      : await callObject(
          () => sessionStub(c.env, organization, known.root),
          (stub) => stub.context(id),
        );
  if (current === null && isId && (await endedSession(c.env, organization, id)) !== null)
    throw new Problem(
      "session-ended",
      `It is over, and what it kept to judge by is removed. Its decisions are still listed, and its whole chain is at /v1/sessions/${encodeURIComponent(id)}/ledger.`,
    );
  if (current === null)
    throw new Problem("unknown-session", "There is no such session in this organization.");
  rememberSession(organization, current);
  return current;
}

const DraftedTurn = z.object({
  drafting: z.object({
    model: z.string().nullable(),
    requests: z.number(),
    cause: z.string().nullable().catch(null),
  }),
});

/** How the drafting of the session's last turn went; `null` where no model was asked, or the record is not here yet. */
async function draftingOf(
  c: Context<AppEnv>,
  organization: string,
  session: string,
): Promise<Drafting | null> {
  const [turn] = await listRecords(c.env.DB, organization, { kind: "turn", session, limit: 1 });
  return turn === undefined ? null : (DraftedTurn.safeParse(JSON.parse(turn.body)).data?.drafting ?? null);
}

/** The session ended while somebody wrote: their oath comes back to them, and nothing else is shown. */
async function keepText(c: Context<AppEnv>): Promise<Problem> {
  const { oath } = triedOf(await readForm(c, FORM_BYTES));
  return oath === ""
    ? new Problem("unauthenticated", "You are not signed in, or not any more.")
    : signedOutWith(oath);
}
