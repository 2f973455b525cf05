/** The page behind a link while its approval waits: the exact action, and what can be answered. */
import type { Child } from "hono/jsx";
import type { ApprovalView, ShownAction } from "../../durable/approval-protocol.ts";
import type { RequestOptions } from "../../http/passkeys.ts";
import { MAX_REASON_CHARACTERS, type Means } from "../../policy/approval/index.ts";
import type { TaskPolicy } from "../../policy/fence/index.ts";
import { Held } from "../dashboard/approval-mark.tsx";
import { demandWords, REASON_LABELS, shortageWords } from "../dashboard/approval-words.ts";
import { Word } from "../dashboard/code.tsx";
import { Page } from "../dashboard/layout.tsx";
import { PasskeyField } from "../dashboard/passkey-field.tsx";
import { Recorded, When } from "../dashboard/recorded.tsx";
import { TimeLeft, TimeOver } from "../dashboard/time-left.tsx";
import { ActionView } from "./action-view.tsx";
import { editableJson } from "./edit-text.ts";

/** Why nobody can approve what is shown, whoever they are. */
export type Obstacle = "omitted" | "unread" | "differs";

/** What stands around an approval, for both of its pages. */
export interface Surroundings {
  readonly organization: string;
  readonly agent: string;
  /** Of members, those who left too. */
  readonly names: ReadonlyMap<string, string>;
}

/** What somebody pressed, where it was refused: nothing that they typed is lost. */
export interface Again {
  readonly problem: string;
  readonly reason: string;
  readonly reason_text: string;
  /** The arguments as they were changed; empty where they were not. */
  readonly args: string;
}

export interface ApprovePageProps {
  /** Where the forms go: the link itself. */
  readonly path: string;
  readonly view: ApprovalView;
  readonly shown: ShownAction;
  /** Whom the link was made for. */
  readonly member: string;
  readonly name: string;
  readonly signedIn: boolean;
  readonly around: Surroundings;
  readonly policy: TaskPolicy | null;
  readonly obstacle: Obstacle | null;
  readonly means: Means;
  /** For the authenticator; `null` where no passkey is demanded or nobody is signed in. */
  readonly passkey: RequestOptions | null;
  readonly now: number;
  readonly again?: Again;
}

export function ApprovePage(props: ApprovePageProps) {
  const { view, shown, around, name, now, again } = props;
  const { record } = view;
  const takes = demandWords(record.demand, record.approvals);
  return (
    <Page title="Approve this?" frame={null} scripts={["/assets/left.js"]}>
      <article class="approve stack-wide">
        <header class="stack">
          <h1>Approve this?</h1>
          {again === undefined ? null : (
            <div class="note note-strong" role="alert">
              <p class="note-title">Nothing was decided.</p>
              <p>{again.problem}</p>
            </div>
          )}
          <p class="lead">
            <Recorded text={around.agent} /> wants to use <Word text={shown.tool} />, and is waiting for you,{" "}
            <Recorded text={name} />.
          </p>
          <Held at={record.notify_at} now={now} />
          <dl class="facts">
            <dt>Time left</dt>
            <dd>
              <strong>
                <TimeLeft expires={record.expires_at} now={now} />
              </strong>
              , until <When at={record.expires_at} />
            </dd>
            {takes === null && view.approved_by.length === 0 ? null : (
              <>
                <dt>It takes</dt>
                <dd>
                  {takes ?? "One approver's yes."}
                  <Votes {...props} />
                </dd>
              </>
            )}
          </dl>
        </header>
        <ActionView shown={shown} record={record} policy={props.policy} />
        <section class="stack" aria-labelledby="who">
          <h2 id="who">Who asks</h2>
          <dl class="facts">
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
          </dl>
        </section>
        <Answer {...props} />
      </article>
    </Page>
  );
}

/** Who has approved, where several have to. */
function Votes({ view: { approved_by }, around }: ApprovePageProps) {
  if (approved_by.length === 0) return null;
  return (
    <>
      {" "}
      Approved by{" "}
      {approved_by.map((member, i) => (
        <>
          {i === 0 ? "" : ", "}
          <Recorded text={around.names.get(member) ?? member} />
        </>
      ))}
      .
    </>
  );
}

function Answer(props: ApprovePageProps) {
  const { path, view, again, obstacle } = props;
  const { record } = view;
  const shortage = shortageWords(record.demand, props.means);
  return (
    <section class="answer card pad stack" aria-labelledby="answer">
      <h2 id="answer">Your answer</h2>
      <TimeOver />
      {shortage === null || obstacle !== null ? null : <Note>{shortage}</Note>}
      <Approving {...props} />
      <button class="button button-big" type="submit" form="deny" name="decision" value="deny">
        Deny
      </button>
      <form id="deny" method="post" action={path}>
        <Digest {...props} />
        <details class="tell" open={again !== undefined && (again.reason !== "" || again.reason_text !== "")}>
          <summary>Deny, and say why</summary>
          <div class="stack">
            <fieldset>
              <legend>Why not? The agent is told.</legend>
              {Object.entries(REASON_LABELS).map(([reason, label]) => (
                <label class="check">
                  <input type="radio" name="reason" value={reason} checked={again?.reason === reason} />
                  {label}
                </label>
              ))}
            </fieldset>
            <div class="field">
              <label for="reason_text">
                In your own words <span class="hint">at most {MAX_REASON_CHARACTERS} characters</span>
              </label>
              <textarea id="reason_text" name="reason_text" rows={3} maxlength={MAX_REASON_CHARACTERS}>
                {`\n${again?.reason_text ?? ""}`}
              </textarea>
            </div>
            <button class="button button-big" type="submit" name="decision" value="deny">
              Deny for this reason
            </button>
          </div>
        </details>
      </form>
      <Changing {...props} />
      {record.extended ? (
        <p class="soft small">It was given five more minutes already.</p>
      ) : (
        <form method="post" action={path}>
          <Digest {...props} />
          <button class="button" type="submit" name="decision" value="extend">
            Give it 5 more minutes
          </button>
        </form>
      )}
      <p class="soft small">If nobody answers in time, that means no.</p>
    </section>
  );
}

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  omitted:
    "The action is too large to be shown whole, and nobody approves what they cannot see. It can only be denied.",
  unread:
    "Its arguments cannot be read in one way alone, so nobody can tell what would run. It can only be denied.",
  differs:
    "What is shown here is not what was asked for: its digest is another one. It can only be denied. Please tell an owner.",
};

/** The way to say yes, or why there is none. */
function Approving(props: ApprovePageProps) {
  const { path, view, member, signedIn, obstacle, passkey } = props;
  const { demand } = view.record;
  if (obstacle !== null) return <Note>{OBSTACLES[obstacle]}</Note>;
  if (view.approved_by.includes(member))
    return <Note>You have approved. It waits for somebody else now; until then you can still deny it.</Note>;
  if (demand.signed_in && !signedIn)
    return (
      <>
        <Note>
          To approve this you have to be signed in on this device. Sign in, then open this link again. Denying
          it needs no more than the link.
        </Note>
        <a class="button button-big" href="/sign-in">
          Sign in
        </a>
      </>
    );
  // Without a passkey of theirs there is nothing to press: the field says where one is added.
  if (passkey?.allowCredentials.length === 0) return <PasskeyField options={passkey} />;
  return (
    <form method="post" action={path} class="stack-tight">
      <Digest {...props} />
      {passkey === null ? null : <PasskeyField options={passkey} />}
      <button
        class="button button-main button-big"
        type="submit"
        name="decision"
        value="approve"
        hidden={passkey !== null}
      >
        {passkey === null ? "Approve once" : "Approve once, with your passkey"}
      </button>
      <p class="soft small">It then runs once, and only exactly as it is shown here.</p>
    </form>
  );
}

/** What is longer is nobody's to change by hand, and would stand on the page a second time. */
const MAX_EDITED_CHARACTERS = 32 * 1024;

/** Somebody who sees what is nearly right need not deny it and wait for the agent to come again. */
function Changing(props: ApprovePageProps) {
  const { path, view, shown, member, signedIn, obstacle, again } = props;
  const mayNot = obstacle !== null || (view.record.demand.signed_in && !signedIn);
  if (mayNot || view.approved_by.includes(member)) return null;
  const text = editableJson(shown.args);
  if (text.length > MAX_EDITED_CHARACTERS) return null;
  const typed = again?.args ?? "";
  return (
    <form method="post" action={path}>
      <Digest {...props} />
      <details class="tell" open={typed !== ""}>
        <summary>Change it, then approve</summary>
        <div class="stack">
          <p class="soft">
            What you make of it is judged anew, as an action of its own. What was asked is denied, and the
            agent is told what may run instead.
          </p>
          <div class="field">
            <label for="args">
              The arguments <span class="hint">as JSON; a character that is not seen is written as \u…</span>
            </label>
            <textarea
              id="args"
              name="args"
              rows={10}
              spellcheck={false}
              autocapitalize="off"
              autocomplete="off"
            >
              {`\n${typed === "" ? text : typed}`}
            </textarea>
          </div>
          <button class="button button-big" type="submit" name="decision" value="approve">
            Approve what I changed
          </button>
        </div>
      </details>
    </form>
  );
}

/** What was shown: an answer to another action is none. */
function Digest({ view }: ApprovePageProps) {
  return <input type="hidden" name="action_digest" value={view.record.action_digest} />;
}

function Note({ children }: { children?: Child }) {
  return <p class="note note-strong">{children}</p>;
}
