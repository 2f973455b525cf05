/**
 * An approver changes an action and approves what they made of it: the edited action is read and judged as a call of its
 * own, by what governs its agent now.
 */
import type { Context } from "hono";
import type { Approver, Edited, ShownAction } from "../durable/approval-protocol.ts";
import { Problem } from "../errors.ts";
import { newId } from "../ids.ts";
import { callApprovals, lookAt, refusalOf, unknownApproval } from "./approving.ts";
import type { AppEnv } from "./context.ts";
import { originOf, settleInput } from "./judging.ts";
import { policyOfAgent } from "./policy.ts";
import { unreadableArguments } from "./reading.ts";
import { callObject, sessionStub } from "./sessions.ts";
import { publishOpened } from "./waiting.ts";

/** Times that the object may know something newer than what an edit was judged by. */
const MAX_ROUNDS = 4;

export type EditMade = Extract<Edited, { ok: true }>;

/**
 * Puts the edited action in place of what was asked, and takes the editor's approval of it.
 * @param args read strictly: without doubts
 * @throws {Problem} `approval-blocked` with the reasons, `conflict` where nothing was changed or the edited action has
 *   an approval of its own, `approval-decided`, `not-found`, `link-invalid`, `sign-in-demanded`; each is on record already. `unavailable` where the session changes all the while
 */
export async function editAs(
  c: Context<AppEnv>,
  organization: string,
  root: string,
  approval: string,
  by: Approver,
  args: unknown,
): Promise<EditMade> {
  const view = await lookAt(
    c,
    organization,
    root,
    approval,
    by.link === null ? { member: by.member } : { link: by.link },
  );
  const { record, shown } = view;
  // Decided meanwhile: the object says by whom, and keeps the row of the late tap.
  const action: Pick<ShownAction, "tool" | "cwd" | "stored" | "host" | "annotations"> = shown ?? {
    tool: record.tool,
    cwd: null,
    stored: null,
    host: null,
    annotations: null,
  };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const policy = await policyOfAgent(c.env.DB, organization, record.agent);
    const context = await callObject(
      () => sessionStub(c.env, organization, root),
      (stub) => stub.context(record.session),
    );
    if (context === null) throw unknownApproval();
    const call = await settleInput(
      c,
      // What is edited is in the place of what waits: it adds nothing to that.
      { organization, agent: record.agent, stale: false, waiting: { organization: 0, agent: 0 } },
      {
        call_id: record.call_id,
        tool: action.tool,
        args,
        malformed: unreadableArguments(args, [], ""),
        bodyText: JSON.stringify(args) ?? "",
        annotations: action.annotations === null ? {} : { annotations: action.annotations },
        cwd: action.cwd,
        stored: action.stored,
        answerer: "human",
        host: action.host,
      },
      {
        context,
        policy,
        standing: {
          session: record.session,
          agent: record.agent,
          key: by.member,
          policy_version: policy.version,
          context_version: context.context_version,
        },
      },
      { approval_id: newId("apr"), origin: originOf(c) },
    );
    const edited = await callApprovals(c.env, organization, root, (stub) =>
      stub.editApproval({ approval, by, call }),
    );
    if (edited.ok) {
      // Its editor is shown it next, by an isolate that may not have made it.
      if (edited.tap !== "late")
        await publishOpened(c, { organization, agent: record.agent }, root, edited.record.id);
      return edited;
    }
    if (edited.code !== "stale-policy" && edited.code !== "stale-context") throw problemOf(edited);
  }
  // Whoever runs the session can keep changing where it runs; that is no fault of the approver's, nor of ours.
  throw new Problem("unavailable", "Where the session runs keeps changing. Deny it, or try once more.", {
    headers: { "retry-after": "1" },
  });
}

/** What tells an agent what to do next stands at the end of its message, and is not for whoever edits. */
const FOR_AGENTS =
  /[.;] (?:do not retry|stop retrying|send (?:it|them|the call|a smaller call)|try (?:once more|again))[^"]*$/i;

/** A blocked agent's message as the end of a sentence that has said `is blocked`. */
export function causeOf(message: string): string {
  const [cause = ""] = message.split(FOR_AGENTS);
  const text = `${cause.replace(/^Blocked:? /, "").replace(/\.$/, "")}.`;
  return text.startsWith("by ") ? ` ${text}` : `: ${text}`;
}

type EditRefused = Exclude<Edited, { ok: true } | { code: "stale-policy" } | { code: "stale-context" }>;

function problemOf(edited: EditRefused): Problem {
  switch (edited.code) {
    case "blocked":
      return new Problem(
        "approval-blocked",
        `What you made of the action is blocked${causeOf(edited.reasons[0]?.message ?? "it cannot be shown whole.")} The action that was asked still waits.`,
        { recorded: true, extra: { reasons: edited.reasons } },
      );
    case "unchanged":
      return new Problem("conflict", "Nothing was changed. Approve the action as it is, or change it.", {
        recorded: true,
      });
    case "asked-already":
      return new Problem(
        "conflict",
        "The action that you made of it waits or is approved already. Answer that one.",
        { recorded: true },
      );
    default:
      return refusalOf(edited.code);
  }
}
