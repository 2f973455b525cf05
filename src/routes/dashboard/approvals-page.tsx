/** The approvals: what waits for an answer, and what was answered. */
import type { ApprovalRow } from "../../db/approvals.ts";
import type { Denial } from "../../http/answering.ts";
import { MAX_REASON_CHARACTERS } from "../../policy/approval/index.ts";
import { ApprovalMark, Held } from "./approval-mark.tsx";
import {
  type ApprovalsSought,
  approvalsUrl,
  approvalUrl,
  isSought,
  leftWords,
  REASON_LABELS,
  STATUS_NAMES,
} from "./approval-words.ts";
import { AgentName, type AgentNames } from "./decision-list.tsx";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, visible, When } from "./recorded.tsx";

interface Agent {
  readonly agent_id: string;
  readonly name: string;
}

/** One that waits, and the beginning of what it is about. */
export type PendingRow = ApprovalRow & {
  readonly preview: string;
  /** People hear of it from then on; `null` where its object could not be asked. */
  readonly notify_at: number | null;
};

export interface ApprovalsPageProps {
  readonly frame: Frame;
  readonly sought: ApprovalsSought;
  readonly agents: readonly Agent[];
  readonly members: ReadonlyMap<string, string>;
  /** `null` where the address asks for others, or for a later page. */
  readonly pending: readonly PendingRow[] | null;
  /** More wait than are shown. */
  readonly morePending: boolean;
  /** `null` where the address asks for what is pending alone. */
  readonly answered: readonly ApprovalRow[] | null;
  readonly next: string | null;
  readonly paged: boolean;
  readonly mayDecide: boolean;
  readonly mayReport: boolean;
  readonly now: number;
  /** What became of a list that was denied. */
  readonly denials?: readonly Denial[];
  /** Why nothing was done. */
  readonly refused?: string;
}

export function ApprovalsPage(props: ApprovalsPageProps) {
  const { frame, sought, agents, pending, answered, next, paged, mayDecide, mayReport, denials, refused } =
    props;
  const names: AgentNames = new Map(agents.map(({ agent_id, name }) => [agent_id, name]));
  return (
    <Page title="Approvals" frame={frame} place="/approvals">
      <div class="stack-wide">
        <div class="head">
          <div class="stack-tight">
            <h1>Approvals</h1>
            <p class="lead">What your agents may only do once a person has said yes to that very action.</p>
          </div>
          <div class="row">
            {mayDecide ? (
              <a class="button" href="/channels">
                Where you hear of them
              </a>
            ) : null}
            {mayReport ? (
              <a class="button" href="/approvals/report">
                How they are answered
              </a>
            ) : null}
          </div>
        </div>
        {denials === undefined ? null : <Denied denials={denials} />}
        {refused === undefined ? null : (
          <div class="note note-strong" role="alert" id="result">
            <p class="note-title">Nothing was denied</p>
            <p>{refused}</p>
          </div>
        )}
        <div class="tools">
          <Filters sought={sought} agents={agents} />
        </div>
        {pending === null ? null : <Pending {...props} rows={pending} names={names} />}
        {answered === null ? null : (
          <section class="stack" aria-labelledby="answered">
            <h2 id="answered">Answered</h2>
            {answered.length === 0 ? (
              <p class="card pad soft">
                {isSought(sought) ? "Nothing matches." : "Nothing was asked yet."}{" "}
                {isSought(sought) ? <a href="/approvals">Show all approvals</a> : null}
              </p>
            ) : (
              <Answered {...props} rows={answered} names={names} />
            )}
          </section>
        )}
        {paged || next !== null ? (
          <nav class="pager" aria-label="Pages">
            {paged ? (
              <a class="button" href={approvalsUrl(sought)}>
                ← Newest
              </a>
            ) : (
              <span />
            )}
            {next === null ? null : (
              <a class="button" href={next}>
                Older →
              </a>
            )}
          </nav>
        ) : null}
      </div>
    </Page>
  );
}

function Filters({ sought, agents }: { sought: ApprovalsSought; agents: readonly Agent[] }) {
  const option = (value: string, name: string, chosen: string | null) => (
    <option value={value} selected={value === (chosen ?? "")}>
      {visible(name)}
    </option>
  );
  const known = sought.agent === null || agents.some(({ agent_id }) => agent_id === sought.agent);
  return (
    <form class="filters" method="get" action="/approvals">
      <div class="field">
        <label for="status">Status</label>
        <select id="status" name="status">
          {option("", "All", sought.status)}
          {Object.entries(STATUS_NAMES).map(([status, name]) => option(status, name, sought.status))}
        </select>
      </div>
      <div class="field">
        <label for="agent">Agent</label>
        <select id="agent" name="agent">
          {option("", "All", sought.agent)}
          {agents.map(({ agent_id, name }) => option(agent_id, name, sought.agent))}
          {known ? null : option(sought.agent ?? "", "Unknown agent", sought.agent)}
        </select>
      </div>
      {sought.session === null ? null : (
        <p class="field">
          <span class="hint">Session</span>
          <span class="wrap">
            <Recorded text={sought.session} />
          </span>
          <input type="hidden" name="session" value={sought.session} />
        </p>
      )}
      <button class="button" type="submit">
        Show
      </button>
      {isSought(sought) ? (
        <a class="button button-quiet" href="/approvals">
          Clear
        </a>
      ) : null}
    </form>
  );
}

interface RowsProps<Row extends ApprovalRow> extends ApprovalsPageProps {
  readonly rows: readonly Row[];
  readonly names: AgentNames;
}

function Pending({ rows, names, mayDecide, morePending, now, sought }: RowsProps<PendingRow>) {
  if (rows.length === 0)
    return (
      <section class="stack" aria-labelledby="pending">
        <h2 id="pending">Waiting for an answer</h2>
        <p class="card pad soft">
          {sought.agent === null && sought.session === null
            ? "Nobody is asked anything now."
            : "Nothing matches."}
        </p>
      </section>
    );
  const table = (
    <div class="card">
      <table class="things">
        <thead>
          <tr>
            {mayDecide ? (
              <th scope="col">
                <span class="unheard">Deny</span>
              </th>
            ) : null}
            <th scope="col">Action</th>
            <th scope="col">Agent</th>
            <th scope="col">Asked</th>
            <th scope="col">Time left</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {mayDecide ? (
                <td>
                  <label class="check">
                    <input type="checkbox" name="approval" value={row.approval_id} />
                    <span class="unheard">
                      Deny {visible(row.tool)} {visible(row.preview)}
                    </span>
                  </label>
                </td>
              ) : null}
              <Action row={row} preview={row.preview} />
              <td data-label="Agent">
                <AgentName id={row.agent_id} agents={names} />
              </td>
              <td data-label="Asked" class="soft">
                <When at={row.opened_at} />
              </td>
              <td data-label="Time left">
                {leftWords(row.expires_at - now)}
                {row.notify_at === null ? null : <Held at={row.notify_at} now={now} small />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return (
    <section class="stack" aria-labelledby="pending">
      <div class="stack-tight">
        <h2 id="pending">Waiting for an answer</h2>
        {morePending ? <p class="soft">These are the newest; more wait.</p> : null}
      </div>
      {mayDecide ? (
        <form class="stack" method="post" action="/approvals/denials#result">
          {table}
          <div class="form-line">
            <div class="field">
              <label for="reason">Why, if you want to say</label>
              <select id="reason" name="reason">
                <option value="">No reason</option>
                {Object.entries(REASON_LABELS).map(([reason, label]) => (
                  <option value={reason}>{label}</option>
                ))}
              </select>
            </div>
            <div class="field">
              <label for="reason_text">In your own words</label>
              <input
                id="reason_text"
                type="text"
                name="reason_text"
                maxlength={MAX_REASON_CHARACTERS}
                autocomplete="off"
              />
            </div>
            <button class="button" type="submit">
              Deny what is ticked
            </button>
          </div>
          <p class="hint">
            Nothing approves several at once: whoever approves has to have seen the very action. Open one to
            approve it.
          </p>
        </form>
      ) : (
        table
      )}
    </section>
  );
}

function Answered({ rows, names, members }: RowsProps<ApprovalRow>) {
  return (
    <div class="card">
      <table class="things">
        <thead>
          <tr>
            <th scope="col">Action</th>
            <th scope="col">Answer</th>
            <th scope="col">By</th>
            <th scope="col">Agent</th>
            <th scope="col">Asked</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <Action row={row} />
              <td data-label="Answer">
                <ApprovalMark status={row.status} grant={row.grant_status} replaced_by={row.replaced_by} />
              </td>
              <td data-label="By">
                {row.decided_by === null ? (
                  <span class="soft">nobody</span>
                ) : (
                  <Recorded text={members.get(row.decided_by) ?? row.decided_by} />
                )}
              </td>
              <td data-label="Agent">
                <AgentName id={row.agent_id} agents={names} />
              </td>
              <td data-label="Asked" class="soft">
                <When at={row.opened_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Arguments are kept by the approval's object while it waits; of an answered one, its decision has them. */
function Action({ row, preview = "" }: { row: ApprovalRow; preview?: string }) {
  const risks = JSON.parse(row.risks) as string[];
  return (
    <td>
      <a class="wrap" href={approvalUrl(row.approval_id)}>
        <strong>
          <Recorded text={row.tool} />
        </strong>
      </a>
      {preview === "" ? null : (
        <p>
          <code class="preview">
            <Recorded text={preview} />
          </code>
        </p>
      )}
      <p class="small soft">{risks.join(", ")}</p>
    </td>
  );
}

function Denied({ denials }: { denials: readonly Denial[] }) {
  const count = (result: Denial["result"]) => denials.filter((one) => one.result === result).length;
  const [denied, late] = [count("denied"), count("late")];
  const refused = denials.filter(({ result }) => result === "refused");
  return (
    <div class="note note-strong" role="status" id="result">
      <p class="note-title">{denied === 1 ? "1 was denied" : `${denied} were denied`}</p>
      {late === 0 ? null : (
        <p>{late === 1 ? "1 had been decided before." : `${late} had been decided before.`}</p>
      )}
      {refused.map(({ approval, detail }) => (
        <p>
          <a class="wrap" href={approvalUrl(approval)}>
            <Recorded text={approval} />
          </a>
          : {detail}
        </p>
      ))}
    </div>
  );
}
