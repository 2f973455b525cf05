/** One approval: the exact action, the buttons for whoever may press them, and what was answered. */
import type { Child } from "hono/jsx";
import type { ApprovalRecord, ApprovalView } from "../../durable/approval-protocol.ts";
import type { RequestOptions } from "../../http/passkeys.ts";
import { MAX_REASON_CHARACTERS } from "../../policy/approval/index.ts";
import type { TaskPolicy } from "../../policy/fence/index.ts";
import { ActionView } from "../approve/action-view.tsx";
import { sessionUrl } from "./addresses.ts";
import { ApprovalMark } from "./approval-mark.tsx";
import {
  approvalUrl,
  demandWords,
  GRANT_WORDS,
  leftWords,
  REASON_LABELS,
  reasonWords,
} from "./approval-words.ts";
import { Word } from "./code.tsx";
import { AgentName, type AgentNames } from "./decision-list.tsx";
import { type Frame, Page } from "./layout.tsx";
import { PasskeyField } from "./passkey-field.tsx";
import { Recorded, When } from "./recorded.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** What the member has just done, for the one page after it. */
export type Tap = "decided" | "counted" | "late" | "extended" | "not-extended";

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
  readonly now: number;
  /** What the member's authenticator is asked; `null` where no passkey is demanded. */
  readonly passkey: RequestOptions | null;
  readonly tap?: Tap;
  /** Why the last button did nothing. */
  readonly refused?: string;
  /** What was typed with it. */
  readonly typed?: { readonly reason: string; readonly reason_text: string };
}

export function ApprovalPage(props: ApprovalPageProps) {
  const { frame, view, agents, now, refused } = props;
  const { record, shown } = view;
  const pending = record.status === "pending";
  return (
    <Page title="Approval" frame={frame} place="/approvals">
      <a class="crumb" href="/approvals">
        ← Approvals
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1 class="wrap">
            <Recorded text={record.tool} />
          </h1>
          <p class="row soft">
            <ApprovalMark status={record.status} />
            <span>
              <AgentName id={record.agent} agents={agents} /> asked, <When at={record.opened_at} />
            </span>
          </p>
          {pending ? (
            <p>
              {leftWords(record.expires_at - now)} left, until <When at={record.expires_at} />. Then it
              expires, which means no.
            </p>
          ) : null}
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
            {record.status === "approved" ? "Approved" : "Denied"}
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
      {preset === null ? null : <p>The reason given: {preset}.</p>}
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
          It was changed, and <a href={approvalUrl(record.replaced_by)}>what it was changed into</a> stands in
          its place.
        </p>
      )}
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

function Answering(props: ApprovalPageProps) {
  const { view, whole, mayDecide, deciders, frame, passkey, typed } = props;
  const { record, approved_by } = view;
  const base = approvalUrl(record.id);
  const demand = demandWords(record.demand, record.approvals);
  if (!mayDecide)
    return (
      <section class="card pad stack-tight" aria-labelledby="answer">
        <h2 id="answer">Your answer</h2>
        <p>
          You can look at it; answering it takes an approver.{" "}
          {deciders.length === 0 ? "Ask an owner to make somebody one." : <Deciders names={deciders} />}
        </p>
      </section>
    );
  const has = approved_by.includes(frame.member.member);
  return (
    <section class="stack" aria-labelledby="answer">
      <h2 id="answer">Your answer</h2>
      {demand === null ? null : <p>{demand}</p>}
      {has ? <p>You have approved it. Somebody else has to, too.</p> : null}
      <div class="choices">
        <div class="card pad stack">
          <h3>Approve</h3>
          <p class="soft">This very action, once. Whatever else the agent does is asked again.</p>
          {whole && passkey?.allowCredentials.length === 0 ? (
            <PasskeyField options={passkey} />
          ) : whole ? (
            <form class="stack" method="post" action={`${base}#result`}>
              <input type="hidden" name="action_digest" value={record.action_digest} />
              {passkey === null ? null : <PasskeyField options={passkey} />}
              <p>
                <button class="button button-main" type="submit" name="decision" value="approve">
                  Approve once
                </button>
              </p>
            </form>
          ) : (
            <p>It cannot be shown whole, and nobody approves what they cannot see. It can be denied.</p>
          )}
        </div>
        <form class="card pad stack" method="post" action={`${base}#result`}>
          <h3>Deny</h3>
          <input type="hidden" name="action_digest" value={record.action_digest} />
          <fieldset>
            <legend>Why, if you want to say</legend>
            <div class="reasons">
              {Object.entries(REASON_LABELS).map(([reason, label]) => (
                <label class="check">
                  <input type="radio" name="reason" value={reason} checked={typed?.reason === reason} />
                  <span>{label}</span>
                </label>
              ))}
            </div>
          </fieldset>
          <div class="field">
            <label for="reason_text">In your own words</label>
            <input
              id="reason_text"
              type="text"
              name="reason_text"
              value={typed?.reason_text ?? ""}
              maxlength={MAX_REASON_CHARACTERS}
              autocomplete="off"
              aria-describedby="reason_text-hint"
            />
            <p id="reason_text-hint" class="hint">
              The agent is told.
            </p>
          </div>
          <p>
            <button class="button" type="submit" name="decision" value="deny">
              Deny
            </button>
          </p>
        </form>
      </div>
      <div class="row">
        {record.extended ? null : (
          <form method="post" action={`${base}#result`}>
            <button class="button button-quiet" type="submit" name="decision" value="extend">
              Give it 5 more minutes
            </button>
          </form>
        )}
        <form method="post" action={`${base}/link`}>
          <button class="button button-quiet" type="submit">
            Open on my phone
          </button>
        </form>
      </div>
    </section>
  );
}

function Deciders({ names }: { names: readonly string[] }) {
  return (
    <>
      Ask {names.length === 1 ? "" : "one of them: "}
      {names.map((name, i) => (
        <>
          {i === 0 ? "" : ", "}
          <Recorded text={name} />
        </>
      ))}
      .
    </>
  );
}

function Facts({ view: { record }, agents }: ApprovalPageProps) {
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
    ["Decision", <Word text={record.decision_id} />],
    ["Approval", <Word text={record.id} />],
    ["Action digest", <Word text={record.action_digest} />],
    ["People told", <When at={record.notify_at} />],
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
