/** How approvals are answered: plain numbers by which a team that is asked too much can be seen. */
import type * as z from "zod";
import type { ApprovalReport } from "../../http/approval-schemas.ts";
import { durationWords, percentWords } from "./approval-words.ts";
import { AgentName, type AgentNames } from "./decision-list.tsx";
import { type Frame, Page } from "./layout.tsx";
import { Recorded } from "./recorded.tsx";

export const REPORT_DAYS = [1, 7, 30, 90, 365] as const;

export interface ReportPageProps {
  readonly frame: Frame;
  readonly report: z.infer<typeof ApprovalReport>;
  readonly members: ReadonlyMap<string, string>;
  readonly agents: AgentNames;
}

export function ReportPage({ frame, report, members, agents }: ReportPageProps) {
  const { overall } = report;
  return (
    <Page title="How approvals are answered" frame={frame} place="/approvals">
      <a class="crumb" href="/approvals">
        ← Approvals
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>How they are answered</h1>
          <p class="lead">
            Many asks a day, answers within seconds and nearly always yes: whoever answers like that no longer
            reads. Then ask for less, or share it among more people.
          </p>
        </div>
        <div class="tools">
          <form class="filters" method="get" action="/approvals/report">
            <div class="field">
              <label for="days">Days</label>
              <select id="days" name="days">
                {[...new Set<number>([...REPORT_DAYS, report.days])].map((days) => (
                  <option value={days} selected={days === report.days}>
                    {days === 1 ? "Last day" : `Last ${days} days`}
                  </option>
                ))}
              </select>
            </div>
            <button class="button" type="submit">
              Show
            </button>
          </form>
        </div>
        <section class="stack" aria-labelledby="overall">
          <h2 id="overall">All together</h2>
          <dl class="card pad facts">
            <dt>Asks</dt>
            <dd>
              {number(overall.asks)}, {number(overall.asks_per_day)} a day
            </dd>
            <dt>Approved</dt>
            <dd>
              {number(overall.approved)} ({percentWords(overall.share_approved)})
            </dd>
            <dt>Denied</dt>
            <dd>
              {number(overall.denied)} ({percentWords(overall.share_denied)})
            </dd>
            <dt>Expired</dt>
            <dd>
              {number(overall.expired)} ({percentWords(overall.share_expired)})
            </dd>
            <dt>Pending</dt>
            <dd>{number(overall.pending)}</dd>
            <dt>Time to answer</dt>
            <dd>
              {overall.median_seconds === null
                ? "nobody has answered yet"
                : `half within ${durationWords(overall.median_seconds)}, nine in ten within ${durationWords(overall.p90_seconds)}`}
            </dd>
          </dl>
          {report.truncated ? <p class="soft">Only the newest 10,000 asks are counted.</p> : null}
        </section>
        <section class="stack" aria-labelledby="approvers">
          <h2 id="approvers">By approver</h2>
          {report.approvers.length === 0 ? (
            <p class="card pad soft">Nobody has answered anything in these days.</p>
          ) : (
            <div class="card">
              <table class="things">
                <thead>
                  <tr>
                    <th scope="col">Approver</th>
                    <th scope="col">Decided</th>
                    <th scope="col">Approved</th>
                    <th scope="col">Half within</th>
                    <th scope="col">Nine in ten within</th>
                  </tr>
                </thead>
                <tbody>
                  {report.approvers.map((row) => (
                    <tr>
                      <td>
                        <Recorded text={members.get(row.member) ?? row.member} />
                      </td>
                      <td data-label="Decided">{number(row.decided)}</td>
                      <td data-label="Approved">
                        <Share share={row.share_approved} />
                      </td>
                      <td data-label="Half within">{durationWords(row.median_seconds)}</td>
                      <td data-label="9 in 10">{durationWords(row.p90_seconds)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <p class="hint">
            From the ask to the answer; quiet hours count. Where two people are demanded, whoever answers last
            is counted. What somebody changed counts as denied.
          </p>
        </section>
        <section class="stack" aria-labelledby="agents">
          <h2 id="agents">By agent</h2>
          {report.agents.length === 0 ? (
            <p class="card pad soft">No agent has asked anything in these days.</p>
          ) : (
            <div class="card">
              <table class="things">
                <thead>
                  <tr>
                    <th scope="col">Agent</th>
                    <th scope="col">Asks</th>
                    <th scope="col">A day</th>
                    <th scope="col">Approved</th>
                    <th scope="col">Denied</th>
                    <th scope="col">Expired</th>
                  </tr>
                </thead>
                <tbody>
                  {report.agents.map((row) => (
                    <tr>
                      <td>
                        <AgentName id={row.agent} agents={agents} />
                      </td>
                      <td data-label="Asks">{number(row.asks)}</td>
                      <td data-label="A day">{number(row.asks_per_day)}</td>
                      <td data-label="Approved">
                        <Share share={row.share_approved} />
                      </td>
                      <td data-label="Denied">
                        <Share share={row.share_denied} />
                      </td>
                      <td data-label="Expired">
                        <Share share={row.share_expired} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
      </div>
    </Page>
  );
}

/** A share as a number, and as a bar for the eye. */
function Share({ share }: { share: number | null }) {
  return (
    <span class="share">
      <span class="share-number">{percentWords(share)}</span>
      {share === null ? null : (
        <svg
          class="share-bar"
          viewBox="0 0 100 8"
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <rect width="100" height="8" class="share-all" />
          <rect width={Math.round(share * 100)} height="8" class="share-part" />
        </svg>
      )}
    </span>
  );
}

function number(n: number): string {
  return n.toLocaleString("en-GB");
}
