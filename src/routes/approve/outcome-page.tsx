/** The page behind a link once its approval is decided: what was decided, by whom, and what came of it. */
import type { ApprovalView } from "../../durable/approval-protocol.ts";
import { DENIAL_WORDS } from "../../policy/approval/index.ts";
import { Word } from "../dashboard/code.tsx";
import { Page } from "../dashboard/layout.tsx";
import { Recorded, When } from "../dashboard/recorded.tsx";
import { ShortDigest } from "./action-view.tsx";
import type { Surroundings } from "./approve-page.tsx";
import { GRANT_WORDS } from "./words.ts";

const TITLES = { approved: "Approved", denied: "Denied", expired: "Nobody answered in time" } as const;

export interface OutcomePageProps {
  readonly view: ApprovalView;
  /** Who looks. */
  readonly member: string;
  readonly around: Surroundings;
  /** What they pressed changed nothing: it was decided before. */
  readonly late: boolean;
}

export function OutcomePage(props: OutcomePageProps) {
  const { record } = props.view;
  const { around, late } = props;
  if (record.status === "pending") return null;
  return (
    <Page title={TITLES[record.status]} frame={null}>
      <article class="approve stack">
        <h1>{TITLES[record.status]}</h1>
        {late ? (
          <p class="note note-strong" role="status">
            What you pressed came too late, and changed nothing.
          </p>
        ) : null}
        <p class="lead">
          <Who {...props} />
        </p>
        {record.grant === null ? null : (
          <p>
            {GRANT_WORDS[record.grant]}
            {record.grant === "live" && record.grant_expires_at !== null ? (
              <>
                {" "}
                It may until <When at={record.grant_expires_at} />.
              </>
            ) : null}
          </p>
        )}
        <Why {...props} />
        {record.replaced_by === null ? null : (
          <p>
            The action was changed: what was approved instead is <Word text={record.replaced_by} />.
          </p>
        )}
        <dl class="facts">
          <dt>Tool</dt>
          <dd>
            <Word text={record.tool} />
          </dd>
          <dt>Agent</dt>
          <dd>
            <Recorded text={around.agent} /> of <Recorded text={around.organization} />
          </dd>
          <dt>Session</dt>
          <dd>
            <Word text={record.session} />
          </dd>
          <dt>Asked</dt>
          <dd>
            <When at={record.opened_at} />
          </dd>
          <dt>Its mark</dt>
          <dd>
            <ShortDigest digest={record.action_digest} />
          </dd>
        </dl>
        <p class="soft small">There is nothing left to decide here. All of it is on the session's record.</p>
      </article>
    </Page>
  );
}

function Who({ view: { record, approved_by }, member, around }: OutcomePageProps) {
  const { decided_by: by, decided_at: at } = record;
  if (by === null)
    return (
      <>
        Its time was over{at === null ? "" : " "}
        {at === null ? null : <When at={at} />}. That means no.
      </>
    );
  const others = approved_by.filter((one) => one !== by.member);
  return (
    <>
      {by.member === member ? "You" : <Recorded text={around.names.get(by.member) ?? by.member} />}
      {record.status === "approved"
        ? others.map((one) => (
            <>
              {" and "}
              {one === member ? "you" : <Recorded text={around.names.get(one) ?? one} />}
            </>
          ))
        : null}{" "}
      {record.status === "approved" ? "approved" : "denied"} it
      {at === null ? null : (
        <>
          {" on "}
          <When at={at} />
        </>
      )}
      , {by.via === "link" ? "by a link" : "signed in"}.
    </>
  );
}

function Why({ view: { record } }: OutcomePageProps) {
  const { reason } = record;
  if (reason === null) return null;
  return (
    <div class="stack-tight">
      {reason.preset === null ? null : <p>The reason given: {DENIAL_WORDS[reason.preset]}.</p>}
      {reason.text === null ? null : (
        <blockquote>
          <Recorded text={reason.text} block />
        </blockquote>
      )}
    </div>
  );
}
