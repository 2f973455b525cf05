/** One session as a page: where it runs, its family, its task policy, its last decisions, and what would change them. */

import type { FamilyStatus, SessionContext, TaskStatus } from "../../durable/protocol.ts";
import { sessionUrl } from "./addresses.ts";
import { Word } from "./code.tsx";
import { AgentName, type AgentNames, DecisionList } from "./decision-list.tsx";
import type { DecisionView } from "./decision-view.ts";
import { evidenceUrl } from "./evidence-filter.ts";
import { type Frame, Page } from "./layout.tsx";
import { VerdictMark } from "./marks.tsx";
import { Recorded } from "./recorded.tsx";
import { type Drafting, TaskPolicyView } from "./task-policy-view.tsx";
import { WhatIf, type WhatIfProps } from "./what-if.tsx";

/** Members of a family that are listed; a conversation that is compressed daily has hundreds. */
const LISTED_MEMBERS = 100;
/** Variables, and copies that count as a backup. */
const LISTED_FACTS = 100;

const SYSTEMS = { linux: "Linux", darwin: "macOS", windows: "Windows" } as const;

export interface SessionPageProps extends WhatIfProps {
  readonly frame: Frame;
  readonly session: SessionContext;
  readonly status: FamilyStatus;
  readonly task: TaskStatus;
  readonly drafting: Drafting | null;
  readonly views: readonly DecisionView[];
  readonly agents: AgentNames;
}

export function SessionPage(props: SessionPageProps) {
  const { frame, session, status, task, drafting, views, agents } = props;
  const { undelivered } = status;
  return (
    <Page title={`Session ${session.session}`} frame={frame} place="/">
      <a class="crumb" href="/">
        ← Decisions
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1 class="wrap">
            Session <Recorded text={session.session} />
          </h1>
          <p class="soft">
            A conversation of{" "}
            <a href={`/agents/${encodeURIComponent(session.agent)}`}>
              <AgentName id={session.agent} agents={agents} />
            </a>
            .
          </p>
          <nav aria-label="On this page">
            <ul class="jumps">
              <li>
                <a href="#policy">The task policy</a>
              </li>
              <li>
                <a href="#decisions">Decisions</a>
              </li>
              <li>
                <a href="#what-if">What would change?</a>
              </li>
              <li>
                <a href={evidenceUrl({ session: session.session, days: null })}>Its evidence</a>
              </li>
              <li>
                <a
                  href={`/v1/sessions/${encodeURIComponent(session.session)}/ledger`}
                  download="ledger.ndjson"
                >
                  Save its ledger
                </a>
              </li>
            </ul>
          </nav>
        </div>
        <section class="stack" aria-labelledby="where">
          <h2 id="where">Where it runs</h2>
          <div class="card pad">
            <Where {...props} />
          </div>
          <Members {...props} />
        </section>
        <section class="stack" aria-labelledby="policy">
          <h2 id="policy">The task policy</h2>
          <TaskPolicyView {...task} drafting={drafting} />
        </section>
        <section class="stack" aria-labelledby="decisions">
          <div class="head">
            <h2 id="decisions">Its last decisions</h2>
            <a href={`/?${new URLSearchParams({ session: session.session })}`}>All of them</a>
          </div>
          {views.length === 0 ? (
            <p class="card pad soft">No decision of this session is on record here.</p>
          ) : (
            <DecisionList views={views} agents={agents} />
          )}
          {undelivered === 0 ? null : (
            <p class="soft">
              {undelivered} {undelivered === 1 ? "entry" : "entries"} of the family's ledger will show here
              within seconds.
            </p>
          )}
        </section>
        <WhatIf {...props} />
      </div>
    </Page>
  );
}

function Where({ session, status }: SessionPageProps) {
  const { environment, platform, root } = session;
  const variables = Object.entries(environment.variables);
  const path = (text: string | null) => (text === null ? "not known" : <Word text={text} />);
  return (
    <dl class="facts">
      <dt>System</dt>
      <dd>{SYSTEMS[environment.os]}</dd>
      <dt>Home directory</dt>
      <dd>{path(environment.home)}</dd>
      <dt>Working directory</dt>
      <dd>{path(environment.cwd)}</dd>
      <dt>Platform</dt>
      <dd>{platform === null ? "not said" : <Word text={platform} />}</dd>
      {variables.length === 0 ? null : (
        <>
          <dt>Variables</dt>
          <dd>
            <ul class="bare">
              {variables.slice(0, LISTED_FACTS).map(([name, value]) => (
                <li>
                  <Word text={`${name}=${value}`} />
                </li>
              ))}
              <More all={variables.length} listed={LISTED_FACTS} />
            </ul>
          </dd>
        </>
      )}
      {status.backups.length === 0 ? null : (
        <>
          <dt>Backups made</dt>
          <dd>
            <ul class="bare">
              {status.backups.slice(0, LISTED_FACTS).map(({ src, dest }) => (
                <li>
                  <Word text={src} /> to <Word text={dest} />
                </li>
              ))}
              <More all={status.backups.length} listed={LISTED_FACTS} />
            </ul>
          </dd>
        </>
      )}
      <dt>Answers</dt>
      <dd class="row">
        <Answers verdicts={status.verdicts} />
      </dd>
      <dt>Ledger</dt>
      <dd>
        {status.head.seq} {status.head.seq === 1 ? "entry" : "entries"}, the family's
        {root === session.session ? null : (
          <>
            {" "}
            under <SessionLink id={root} />
          </>
        )}
      </dd>
    </dl>
  );
}

/** How the whole family was answered. */
function Answers({ verdicts }: Pick<FamilyStatus, "verdicts">) {
  const counts = (["allow", "ask", "block"] as const).filter((verdict) => (verdicts[verdict] ?? 0) > 0);
  if (counts.length === 0) return <>none yet</>;
  return (
    <>
      {counts.map((verdict) => (
        <span>
          <VerdictMark verdict={verdict} /> {(verdicts[verdict] ?? 0).toLocaleString("en-GB")}
        </span>
      ))}
    </>
  );
}

function Members({ session, status: { sessions } }: SessionPageProps) {
  if (sessions.length < 2) return <p class="soft">It is alone in its family.</p>;
  return (
    <div class="card">
      <table class="things">
        <caption class="unheard">Its family</caption>
        <thead>
          <tr>
            <th scope="col">Family</th>
            <th scope="col">What it is</th>
            <th scope="col">Turns</th>
          </tr>
        </thead>
        <tbody>
          {sessions.slice(0, LISTED_MEMBERS).map((member) => (
            <tr>
              <td class="wrap">
                {member.session === session.session ? (
                  <>
                    <Recorded text={member.session} /> <span class="soft">(this one)</span>
                  </>
                ) : (
                  <SessionLink id={member.session} />
                )}
              </td>
              <td data-label="Is" class="wrap">
                <RelationOf {...member} />
              </td>
              <td data-label="Turns">{member.turns}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sessions.length > LISTED_MEMBERS ? (
        <p class="pad soft">and {sessions.length - LISTED_MEMBERS} more</p>
      ) : null}
    </div>
  );
}

function RelationOf({ relation, parent }: { relation: string; parent: string | null }) {
  if (parent === null) return <>the first one</>;
  return (
    <>
      {relation === "continuation" ? "continues" : "a subagent of"} <Recorded text={parent} />
    </>
  );
}

function SessionLink({ id }: { id: string }) {
  return (
    <a href={sessionUrl(id)}>
      <Recorded text={id} />
    </a>
  );
}

function More({ all, listed }: { all: number; listed: number }) {
  return all > listed ? <li class="soft">and {all - listed} more</li> : null;
}
