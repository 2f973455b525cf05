/** What an approver can answer: approve once, deny with a reason, more time, or another action in place of this one. */
import { MAX_REASON_CHARACTERS } from "../../policy/approval/index.ts";
import { editableJson } from "../approve/edit-text.ts";
import type { ApprovalPageProps } from "./approval-page.tsx";
import { approvalUrl, demandWords, REASON_LABELS, shortageWords } from "./approval-words.ts";
import { PasskeyField } from "./passkey-field.tsx";
import { Recorded } from "./recorded.tsx";
import { TimeOver } from "./time-left.tsx";

/** The way to say yes or no, and why there is none for whoever may not. */
export function Answering(props: ApprovalPageProps) {
  const { view, whole, mayDecide, deciders, frame, passkey, typed } = props;
  const { record, approved_by } = view;
  const base = approvalUrl(record.id);
  const demand = demandWords(record.demand, record.approvals);
  const shortage = shortageWords(record.demand, props.means);
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
      <TimeOver />
      {demand === null ? null : <p>{demand}</p>}
      {shortage === null || !whole ? null : <p class="note note-strong">{shortage}</p>}
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
                <button
                  class="button button-main"
                  type="submit"
                  name="decision"
                  value="approve"
                  hidden={passkey !== null}
                >
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
      {whole && !has ? <Changing {...props} /> : null}
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
            Make a link for my phone
          </button>
        </form>
      </div>
    </section>
  );
}

/** What is longer is nobody's to change by hand, and would stand on the page a second time. */
const MAX_EDITED_CHARACTERS = 32 * 1024;

/** Somebody who sees what is nearly right need not deny it and wait for the agent to come again. */
function Changing({ view: { record, shown }, typed }: ApprovalPageProps) {
  const text = editableJson(shown?.args);
  if (text.length > MAX_EDITED_CHARACTERS) return null;
  const changed = typed?.args ?? "";
  return (
    <details class="tell" open={changed !== ""}>
      <summary>Change it, then approve</summary>
      <form class="card pad stack" method="post" action={`${approvalUrl(record.id)}#result`}>
        <input type="hidden" name="action_digest" value={record.action_digest} />
        <p class="soft short">
          What you make of it is judged anew, as an action of its own. What was asked is denied, and the agent
          is told what may run instead.
        </p>
        <div class="field">
          <label for="args">The arguments, as JSON</label>
          <textarea
            id="args"
            name="args"
            rows={10}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            aria-describedby="args-hint"
          >
            {/* A reader of HTML drops the first line feed, so that one is put there to be dropped. */}
            {`\n${changed === "" ? text : changed}`}
          </textarea>
          <p id="args-hint" class="hint">
            A character that is not seen is written as <code>\u…</code>.
          </p>
        </div>
        <p>
          <button class="button" type="submit" name="decision" value="approve">
            Approve what I changed
          </button>
        </p>
      </form>
    </details>
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
