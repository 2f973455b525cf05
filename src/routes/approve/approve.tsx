/**
 * `/approve/{token}`: where an approver's link leads. Opening it shows and never decides, so that a preview, a scanner or
 * a crawler changes nothing; a form that is sent from it decides. The token is the credential: no cookie is needed, and
 * none is enough.
 */
import type { Context } from "hono";
import { listMemberNames, readAgent, readOrganization } from "../../db/governance.ts";
import type { ApprovalRecord, ApprovalView } from "../../durable/approval-protocol.ts";
import { Problem } from "../../errors.ts";
import {
  callApprovals,
  DECISION_FORM_BYTES,
  type DecisionForm,
  decideAs,
  decisionForm,
  extendAs,
  isShownWhole,
  meansOf,
} from "../../http/approving.ts";
import { boundedText } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { editAs } from "../../http/editing.ts";
import { optionsFor, verifyAssertion } from "../../http/passkeys.ts";
import { newRouter } from "../../http/router.ts";
import { callObject, sessionStub } from "../../http/sessions.ts";
import { log } from "../../log.ts";
import type { TaskPolicy } from "../../policy/fence/index.ts";
import { approvalUrl } from "../dashboard/approval-words.ts";
import { FormProblem } from "../dashboard/form-problem.ts";
import { sendPage } from "../dashboard/layout.tsx";
import { type Again, ApprovePage, type Obstacle, type Surroundings } from "./approve-page.tsx";
import { linkInvalid, type OpenedLink, openLink } from "./opening.tsx";
import { OutcomePage } from "./outcome-page.tsx";

export const approve = newRouter();

approve.get("/approve/:token", async (c) => {
  c.set("operation", "openApproval");
  const opened = await openLink(c);
  return sendPage(c, await pageOf(c, opened, c.req.query("late") !== undefined));
});

approve.post("/approve/:token", async (c) => {
  c.set("operation", "answerApproval");
  const opened = await openLink(c);
  const path = `/approve/${opened.token}`;
  c.header("cache-control", "no-store");
  const text = await boundedText(c, DECISION_FORM_BYTES, true);
  const next = await orPageAgain(c, opened, text, () => answer(c, opened, path, decisionForm(text)));
  return c.redirect(next, 303);
});

/** Does what was pressed. @returns the page that says what came of it */
async function answer(
  c: Context<AppEnv>,
  opened: OpenedLink,
  path: string,
  form: DecisionForm,
): Promise<string> {
  const { organization, approval, root, member } = opened.claims;
  const { record } = opened.view;
  const late = `${path}?late`;
  if (form.decision === "extend") {
    const extended = await extendAs(c, organization, root, { approval, by: opened.by });
    return extended.record.status === "pending" ? path : late;
  }
  const approves = form.decision === "approve";
  if (approves && obstacleOf(organization, opened.view) !== null)
    throw new Problem("conflict", "This action cannot be shown as it is, so it can only be denied.");
  if (approves && form.args !== null) {
    // What they changed is what they were shown, or they changed something else.
    if (form.action_digest !== record.action_digest)
      throw new Problem(
        "digest-mismatch",
        "The action that was shown is not the one that is asked for. Look again.",
      );
    const edit = await editAs(c, organization, root, approval, opened.by, form.args.value);
    if (edit.tap === "late") return late;
    // What is still to be signed or joined is answered there: this link is for what was asked.
    return edit.record.status === "pending" && opened.by.signed_in ? approvalUrl(edit.record.id) : path;
  }
  const passkey =
    approves && record.status === "pending" && form.passkey !== null
      ? await verifyAssertion(c, organization, member, record, form.passkey)
      : null;
  const { tap } = await decideAs(c, organization, root, {
    approval,
    decision: form.decision,
    action_digest: form.action_digest,
    reason: form.reason,
    by: { ...opened.by, passkey },
  });
  return tap === "late" ? late : path;
}

/** Does what a form asks for; what refuses it becomes the page again, with what was typed. */
async function orPageAgain<T>(
  c: Context<AppEnv>,
  opened: OpenedLink,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    if (error.code === "link-invalid" || error.code === "not-found")
      throw linkInvalid(error.details.recorded === true);
    const form = new URLSearchParams(text);
    const again: Again = {
      problem: error.message,
      reason: form.get("reason") ?? "",
      reason_text: (form.get("reason_text") ?? "").slice(0, 2_000),
      args: form.get("args") ?? "",
    };
    throw new FormProblem(error.code, error.message, await pageOf(c, opened, false, again), error.details);
  }
}

async function pageOf(c: Context<AppEnv>, opened: OpenedLink, late: boolean, again?: Again) {
  const { token, view, claims, name, by } = opened;
  const { organization, member } = claims;
  const { record, shown } = view;
  const around = await surroundingsOf(c, organization, opened);
  if (record.status !== "pending" || shown === null) {
    const replacement = await replacementOf(c, organization, record);
    return <OutcomePage view={view} member={member} around={around} late={late} replacement={replacement} />;
  }
  const wanted = record.demand.passkey && by.signed_in;
  const [policy, passkey, means] = await Promise.all([
    policyOf(c, organization, record),
    wanted ? optionsFor(c, organization, member, record) : null,
    meansOf(c, organization),
  ]);
  return (
    <ApprovePage
      path={`/approve/${token}`}
      view={view}
      shown={shown}
      member={member}
      name={name}
      signedIn={by.signed_in}
      around={around}
      policy={policy}
      obstacle={obstacleOf(organization, view)}
      means={means}
      passkey={passkey}
      now={Date.now()}
      {...(again === undefined ? {} : { again })}
    />
  );
}

/**
 * Why what is shown cannot be approved, or `null`: the digest is made again of what the page shows, so that what a person
 * reads and what their approval is for are one thing.
 */
function obstacleOf(organization: string, view: ApprovalView): Obstacle | null {
  const { record, shown } = view;
  if (shown === null) return null;
  const { args, args_omitted } = shown;
  if (args_omitted) return "omitted";
  if (typeof args !== "object" || args === null || Array.isArray(args)) return "unread";
  try {
    if (isShownWhole(organization, view)) return null;
    log.error("shown-differs", "what is shown has another digest", { approval: record.id });
  } catch (error) {
    log.error("shown-differs", error, { approval: record.id });
  }
  return "differs";
}

/** What the action was changed into, as it stands now. */
async function replacementOf(
  c: Context<AppEnv>,
  organization: string,
  { replaced_by, root }: ApprovalRecord,
): Promise<ApprovalRecord | null> {
  if (replaced_by === null) return null;
  return callApprovals(c.env, organization, root, (stub) => stub.approvalRecord(replaced_by));
}

async function surroundingsOf(
  c: Context<AppEnv>,
  organization: string,
  { view: { record, approved_by } }: OpenedLink,
): Promise<Surroundings> {
  const named = record.decided_by !== null || approved_by.length > 0;
  const [owner, agent, names] = await Promise.all([
    readOrganization(c.env.DB, organization),
    readAgent(c.env.DB, organization, record.agent),
    named ? listMemberNames(c.env.DB, organization) : [],
  ]);
  return {
    organization: owner?.name ?? organization,
    agent: agent?.name ?? record.agent,
    names: new Map(names.map(({ member_id, name }) => [member_id, name])),
  };
}

/** What the person's words came to. The page does without it where it cannot be read: the reasons say enough. */
async function policyOf(
  c: Context<AppEnv>,
  organization: string,
  record: ApprovalRecord,
): Promise<TaskPolicy | null> {
  if (!record.rule_keys.some((rule) => rule.startsWith("fence:"))) return null;
  try {
    const { policy } = await callObject(
      () => sessionStub(c.env, organization, record.root),
      (stub) => stub.task(),
    );
    return policy;
  } catch (error) {
    log.error("read-failed", error, { what: "task-policy", request: c.get("requestId") });
    return null;
  }
}
