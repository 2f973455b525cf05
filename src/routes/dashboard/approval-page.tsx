/** One approval: the exact action, the buttons for whoever may press them, and what was answered. */
import type { Child } from "hono/jsx";
import type { ApprovalRecord, ApprovalView } from "../../durable/approval-protocol.ts";
import type { RequestOptions } from "../../http/passkeys.ts";
import type { Means } from "../../policy/approval/index.ts";
import type { TaskPolicy } from "../../policy/fence/index.ts";
import { ActionView } from "../approve/action-view.tsx";
import { decisionByIdUrl, sessionUrl } from "./addresses.ts";
import { Answering } from "./approval-answer.tsx";
import { ApprovalMark, Held } from "./approval-mark.tsx";
import { approvalUrl, GRANT_WORDS, reasonWords } from "./approval-words.ts";
import { Word } from "./code.tsx";
import { AgentName, type AgentNames } from "./decision-list.tsx";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, When } from "./recorded.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { TimeLeft } from "./time-left.tsx";

/** What the member has just done, for the one page after it. */
export type Tap = "decided" | "counted" | "late" | "edited" | "extended" | "not-extended";

export interface ApprovalPageProps {
  readonly frame: Frame;
  readonly view: ApprovalView;
  readonly agents: AgentNames;
  readonly members: ReadonlyMap<string, string>;
  readonly policy: TaskPolicy | null;
  /** The page shows all that the digest stands for; otherwise it can only be denied. */
  readonly whole: boolean;
  readonly mayDecide: boolean;
  /** Whom to ask, for whoever may not. */
  readonly deciders: readonly string[];
  readonly means: Means;
  readonly now: number;
  /** What the member's authenticator is asked; `null` where no passkey is demanded. */
  readonly passkey: RequestOptions | null;
  readonly tap?: Tap;
  /** Why the last button did nothing. */
  readonly refused?: string;
  /** What was typed with it. */
  readonly typed?: { readonly reason: string; readonly reason_text: string; readonly args: string };
}

export function ApprovalPage(props: ApprovalPageProps) {
  const { frame, view, agents, now, refused } = props;
  const { record, shown } = view;
  const pending = record.status === "pending";
  return (
    <Page title="Approval" frame={frame} place="/approvals" scripts={pending ? ["/assets/left.js"] : []}>
      <a class="crumb" href="/approvals">
        ← Approvals
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1 class="wrap">
            <Recorded text={record.tool} />
          </h1>
          <p class="row soft">
            <ApprovalMark {...record} />
            <span>
              <AgentName id={record.agent} agents={agents} /> asked, <When at={record.opened_at} />
            </span>
          </p>
          {pending ? (
            <p>
              <TimeLeft expires={record.expires_at} now={now} /> left, until <When at={record.expires_at} />.
              Then it expires, which means no.
            </p>
          ) : null}
          {pending ? <Held at={record.notify_at} now={now} /> : null}
        </div>
        <After {...props} />
        {refused === undefined ? null : (
          <div class="note note-strong" role="alert" id="result">
            <p class="note-title">Nothing was decided</p>
            <p>{refused}</p>
          </div>
        )}
        {pending ? null : <Outcome {...props} />}
        {shown === null ? null : <ActionView shown={shown} record={record} policy={props.policy} />}
        {pending ? <Answering {...props} /> : null}
        <Facts {...props} />
      </div>
    </Page>
  );
}

/** What came of the button that was just pressed; said only where the record bears it out. */
function After({ tap, view: { record, approved_by }, frame, members }: ApprovalPageProps) {
  const own = record.decided_by?.member === frame.member.member;
  const words =
    tap === "decided" && own
      ? record.status === "approved"
        ? "You approved it. The agent may run this very action, once."
        : "You denied it. The agent is told."
      : tap === "counted" && approved_by.includes(frame.member.member)
        ? "Your approval counts. More people have to approve before it may run."
        : tap === "edited" && record.edit_of !== null
          ? record.status === "pending"
            ? "You changed it, and what was asked is denied. What you made of it is here, and still waits."
            : "You changed it, and what was asked is denied. The agent may run what you made of it, once."
          : tap === "late" && record.status !== "pending"
            ? "It was answered before you pressed the button; what you pressed changed nothing."
            : tap === "extended" && record.extended
              ? "It has five more minutes."
              : tap === "not-extended"
                ? "It was given more time before, or is decided: that is possible once."
                : null;
  if (words === null) return null;
  return (
    <div class="note note-strong" role="status" id="result">
      <p>{words}</p>
      {tap === "late" && record.decided_by !== null ? (
        <p>
          The answer that counts is <Name id={record.decided_by.member} members={members} />
          's.
        </p>
      ) : null}
    </div>
  );
}

function Outcome({ view: { record, approved_by }, members }: ApprovalPageProps) {
  const [preset, words] = record.reason === null ? [null, null] : reasonWords(record.reason);
  const by = record.decided_by;
  return (
    <section class="card pad stack" aria-labelledby="outcome">
      <h2 id="outcome">What was answered</h2>
      <p>
        {record.status === "expired" ? (
          "Nobody answered in time, which means no."
        ) : (
          <>
            {record.status === "approved"
              ? "Approved"
              : record.replaced_by === null
                ? "Denied"
                : "Denied as it was asked, and changed"}
            {by === null ? null : (
              <>
                {" "}
                by <Name id={by.member} members={members} />,{" "}
                {by.via === "link" ? "by their link" : "signed in here"}
              </>
            )}
            {record.decided_at === null ? null : (
              <>
                , <When at={record.decided_at} />
              </>
            )}
            .
          </>
        )}
      </p>
      {approved_by.length > 1 ? (
        <p>
          Approved by{" "}
          {approved_by.map((member, i) => (
            <>
              {i === 0 ? "" : ", "}
              <Name id={member} members={members} />
            </>
          ))}
          .
        </p>
      ) : null}
      {preset === null || record.replaced_by !== null ? null : <p>The reason given: {preset}.</p>}
      {words === null ? null : (
        <blockquote>
          <Recorded text={words} block />
        </blockquote>
      )}
      {record.grant === null ? null : (
        <p>
          {GRANT_WORDS[record.grant]}
          {record.grant === "live" && record.grant_expires_at !== null ? (
            <>
              {" "}
              It can, once, until <When at={record.grant_expires_at} />.
            </>
          ) : null}
        </p>
      )}
      {record.replaced_by === null ? null : (
        <p>
          <a href={approvalUrl(record.replaced_by)}>What it was changed into</a> stands in its place.
        </p>
      )}
      <p>
        <a href={decisionByIdUrl(record.decision_id)}>What was asked, in full</a>
      </p>
      {record.edited === null ? null : (
        <div class="stack-tight">
          <h3>What it was changed into</h3>
          <pre>
            <Recorded text={JSON.stringify(record.edited.args, null, 2)} block />
          </pre>
        </div>
      )}
    </section>
  );
}

function Facts({ view: { record }, agents, now }: ApprovalPageProps) {
  const facts: readonly (readonly [string, Child])[] = [
    [
      "Agent",
      <a href={`/agents/${encodeURIComponent(record.agent)}`}>
        <AgentName id={record.agent} agents={agents} />
      </a>,
    ],
    [
      "Session",
      <>
        <a class="wrap" href={sessionUrl(record.session)}>
          <Recorded text={record.session} />
        </a>
        {" · "}
        <a href={`/?${new URLSearchParams({ session: record.session })}`}>its decisions</a>
      </>,
    ],
    ["Rules", record.rule_keys.join(", ")],
    ["Risks", record.risks.join(", ")],
    ["Call", <Word text={record.call_id} />],
    ["Decision", <a href={decisionByIdUrl(record.decision_id)}>{record.decision_id}</a>],
    ["Approval", <Word text={record.id} />],
    ["Action digest", <Word text={record.action_digest} />],
    ["People told", <ToldWhen record={record} now={now} />],
    ["Expires", <When at={record.expires_at} />],
    ...(record.edit_of === null
      ? []
      : [["Changed from", <a href={approvalUrl(record.edit_of)}>another approval</a>] as const]),
  ];
  return (
    <section class="stack-tight" aria-labelledby="record">
      <h2 id="record">Record</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

/** Of an ask that is held nobody hears before its time, and never where it is answered before. */
function ToldWhen({ record, now }: { record: ApprovalRecord; now: number }) {
  const { notify_at: at, decided_at } = record;
  if (decided_at !== null && decided_at < at) return <>nobody: it was answered in quiet hours</>;
  return at > now ? (
    <>
      nobody yet; from <When at={at} />, when the quiet hours are over
    </>
  ) : (
    <When at={at} />
  );
}

function Name({ id, members }: { id: string; members: ReadonlyMap<string, string> }) {
  return <Recorded text={members.get(id) ?? id} />;
}

export interface OwnLinkPageProps {
  readonly frame: Frame;
  readonly record: Pick<ApprovalRecord, "id">;
  readonly url: string;
  readonly expires: number;
}

/** The one answer that holds the link. */
export function OwnLinkPage({ frame, record, url, expires }: OwnLinkPageProps) {
  return (
    <Page title="Your link" frame={frame} place="/approvals" scripts={["/assets/copy.js"]}>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Here is your link</h1>
          <p class="lead">
            Open it on your own phone, until <When at={expires} />. Whoever has it can answer as you: send it
            to nobody. It is shown this once.
          </p>
        </div>
        <div class="card pad">
          <ShownOnce label="Link to the approval" secret={url} />
        </div>
        <p>
          <a class="button" href={approvalUrl(record.id)}>
            Back to the approval
          </a>
        </p>
      </div>
    </Page>
  );
}
