/** The page behind a link once its approval is decided: what was decided, by whom, and what came of it. */
import type { ApprovalRecord, ApprovalView } from "../../durable/approval-protocol.ts";
import { ApprovalMark } from "../dashboard/approval-mark.tsx";
import { demandWords, GRANT_WORDS, reasonWords, standingName } from "../dashboard/approval-words.ts";
import { Word } from "../dashboard/code.tsx";
import { Page } from "../dashboard/layout.tsx";
import { Recorded, When } from "../dashboard/recorded.tsx";
import { ShortDigest } from "./action-view.tsx";
import type { Surroundings } from "./approve-page.tsx";

export interface OutcomePageProps {
  readonly view: ApprovalView;
  /** Who looks. */
  readonly member: string;
  readonly around: Surroundings;
  /** What they pressed changed nothing: it was decided before. */
  readonly late: boolean;
  /** What an approver changed the action into. */
  readonly replacement: ApprovalRecord | null;
}

export function OutcomePage(props: OutcomePageProps) {
  const { record } = props.view;
  const { around, late } = props;
  if (record.status === "pending") return null;
  return (
    <Page title={standingName(record)} frame={null}>
      <article class="approve stack">
        <p>
          <ApprovalMark {...record} />
        </p>
        <h1>
          <Who {...props} />
        </h1>
        {late ? (
          <p class="note note-strong" role="status">
            What you pressed came too late, and changed nothing.
          </p>
        ) : null}
        <p class="lead">
          <How {...props} />
        </p>
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
        <Why {...props} />
        <Replaced {...props} />
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
          <dt>Short digest</dt>
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
  const { decided_by: by, status } = record;
  if (by === null) return <>Nobody answered in time</>;
  const others = status === "approved" ? approved_by.filter((one) => one !== by.member) : [];
  return (
    <>
      {by.member === member ? "You" : <Recorded text={around.names.get(by.member) ?? by.member} />}
      {others.map((one) => (
        <>
          {" and "}
          {one === member ? "you" : <Recorded text={around.names.get(one) ?? one} />}
        </>
      ))}{" "}
      {record.replaced_by !== null ? "changed" : status === "approved" ? "approved" : "denied"} it
    </>
  );
}

function How({ view: { record } }: OutcomePageProps) {
  const { decided_by: by, decided_at: at, expires_at } = record;
  if (by === null)
    return (
      <>
        Its time was over on <When at={at ?? expires_at} />. That means no.
      </>
    );
  return (
    <>
      {at === null ? null : (
        <>
          On <When at={at} />,{" "}
        </>
      )}
      {by.via === "link" ? "with a link" : "while signed in"}.
      {record.replaced_by === null ? "" : " What was asked is denied."}
    </>
  );
}

function Why({ view: { record } }: OutcomePageProps) {
  const { reason } = record;
  if (reason === null) return null;
  if (reason.preset === "edited") return null;
  const [preset, words] = reasonWords(reason);
  return (
    <div class="stack-tight">
      {preset === null ? null : <p>The reason given: {preset}.</p>}
      {words === null ? null : (
        <blockquote>
          <Recorded text={words} block />
        </blockquote>
      )}
    </div>
  );
}

/** What was asked is denied; what an approver made of it has an outcome of its own. */
function Replaced({ view: { record }, replacement }: OutcomePageProps) {
  const { edited } = record;
  if (record.replaced_by === null) return null;
  return (
    <section class="card pad stack-tight" aria-labelledby="replaced">
      <h2 id="replaced">What it was changed into</h2>
      {replacement === null ? null : (
        <>
          <p>
            <ApprovalMark {...replacement} />
          </p>
          {replacement.status === "pending" ? (
            <p>
              It waits for more:{" "}
              {demandWords(replacement.demand, replacement.approvals) ?? "an approver's yes."}
            </p>
          ) : null}
          {replacement.grant === null ? null : <p>{GRANT_WORDS[replacement.grant]}</p>}
          <p>
            Short digest: <ShortDigest digest={replacement.action_digest} />
          </p>
        </>
      )}
      {edited === null ? null : (
        <pre>
          <Recorded text={JSON.stringify(edited.args, null, 1)} block />
        </pre>
      )}
    </section>
  );
}
