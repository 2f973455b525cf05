/** The overview: what the agents asked and what they were told. */
import { sessionUrl } from "./addresses.ts";
import { Code } from "./code.tsx";
import { addressOf, isFiltered, namesOf, type Shown } from "./decision-filter.ts";
import { type AgentNames, DecisionList } from "./decision-list.tsx";
import type { DecisionView } from "./decision-view.ts";
import { type Frame, Page } from "./layout.tsx";
import { ModeNote } from "./mode-note.tsx";
import { Recorded, visible } from "./recorded.tsx";

interface Agent {
  readonly agent_id: string;
  readonly name: string;
}

export interface DecisionsPageProps {
  readonly frame: Frame;
  readonly shown: Shown;
  readonly agents: readonly Agent[];
  readonly views: readonly DecisionView[];
  readonly next: string | null;
  /** True on every page but the first; only the first is live. */
  readonly paged: boolean;
  /** 0 before the first oath. */
  readonly oathVersion: number;
  readonly mode: string;
  readonly origin: string;
  readonly latest: string;
}

export function DecisionsPage(props: DecisionsPageProps) {
  const { frame, shown, agents, views, next, paged, oathVersion, mode } = props;
  const newest = addressOf("/", shown);
  const names: AgentNames = namesOf(agents);
  return (
    <Page title="Decisions" frame={frame} place="/" scripts={paged ? [] : ["/assets/live.js"]}>
      <div class="stack">
        <div class="head">
          <div class="stack-tight">
            <h1>Decisions</h1>
            <p class="soft">
              What your agents asked and what they were told, newest first. A decision shows here five to
              seven seconds after it was answered.
            </p>
          </div>
        </div>
        {oathVersion === 0 ? (
          <div class="note note-strong">
            <p class="note-title">No oath is sworn yet</p>
            <p>
              Every call is read and recorded, and only Countersign's own protection stands in the way of any.{" "}
              <a href="/oath">{frame.member.role === "owner" ? "Write the oath" : "See the oath page"}</a>
            </p>
          </div>
        ) : (
          <ModeNote mode={mode} />
        )}
        <div class="tools">
          <Filters shown={shown} agents={agents} />
          {paged ? null : (
            <div class="live">
              <span class="pulse" data-live-pulse aria-hidden="true" />
              <span data-live-status />
              <button class="button button-quiet" type="button" data-live-toggle hidden>
                Pause
              </button>
              <a class="crumb" href={newest}>
                Refresh
              </a>
              <span class="unheard" role="status" data-live-announce />
            </div>
          )}
        </div>
        <div {...(paged ? {} : { "data-live": props.latest })}>
          {views.length === 0 ? (
            <Empty shown={shown} origin={props.origin} />
          ) : (
            <DecisionList views={views} agents={names} />
          )}
        </div>
        {paged || next !== null ? (
          <nav class="pager" aria-label="Pages">
            {paged ? (
              <a class="button" href={newest}>
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

function Filters({ shown, agents }: { shown: Shown; agents: readonly Agent[] }) {
  const option = (value: string, name: string, chosen: string | null) => (
    <option value={value} selected={value === (chosen ?? "")}>
      {visible(name)}
    </option>
  );
  const known = shown.agent === null || agents.some(({ agent_id }) => agent_id === shown.agent);
  return (
    <form class="filters" method="get" action="/">
      <div class="field">
        <label for="verdict">Verdict</label>
        <select id="verdict" name="verdict">
          {option("", "All", shown.verdict)}
          {option("allow", "Allow", shown.verdict)}
          {option("block", "Block", shown.verdict)}
          {option("ask", "Ask", shown.verdict)}
        </select>
      </div>
      <div class="field">
        <label for="agent">Agent</label>
        <select id="agent" name="agent">
          {option("", "All", shown.agent)}
          {agents.map(({ agent_id, name }) => option(agent_id, name, shown.agent))}
          {known ? null : option(shown.agent ?? "", "Unknown agent", shown.agent)}
        </select>
      </div>
      {shown.session === null ? null : (
        <p class="field">
          <span class="hint">Session</span>
          <a class="wrap" href={sessionUrl(shown.session)}>
            <Recorded text={shown.session} />
          </a>
          <input type="hidden" name="session" value={shown.session} />
        </p>
      )}
      <button class="button" type="submit">
        Show
      </button>
      {!isFiltered(shown) ? null : (
        <a class="button button-quiet" href="/">
          Clear
        </a>
      )}
    </form>
  );
}

/** Nothing to show: nothing matches, or nothing was ever asked, and then this is how. */
export function Empty({ shown, origin }: { shown: Shown; origin: string }) {
  if (isFiltered(shown))
    return (
      <div class="card pad stack-tight">
        <h2>Nothing matches</h2>
        <p class="soft">
          No decision on record fits.
          {shown.session === null ? null : (
            <>
              {" "}
              The session asked for is <Recorded text={shown.session} />.
            </>
          )}
        </p>
        <p>
          <a href="/">Show all decisions</a>
        </p>
      </div>
    );
  return (
    <div class="card pad stack">
      <div class="stack-tight">
        <h2>Nothing was asked yet</h2>
        <p class="soft">Three steps to the first decision. It shows here by itself.</p>
      </div>
      <div class="stack-tight">
        <h3>
          1. <a href="/agents">Register an agent and make a key</a>
        </h3>
        <p class="soft">The key is shown once. Keep it where the agent's harness finds it.</p>
      </div>
      <div class="stack-tight">
        <h3>2. Open a session</h3>
        <Code
          text={`export COUNTERSIGN_KEY=cs_live_…
curl -X PUT ${origin}/v1/sessions/first \\
  -H "authorization: Bearer $COUNTERSIGN_KEY" \\
  -H "content-type: application/json" \\
  -d '{"home": "/home/me", "cwd": "/home/me/work"}'`}
        />
      </div>
      <div class="stack-tight">
        <h3>3. Ask before a tool runs</h3>
        <Code
          text={`curl ${origin}/v1/sessions/first/decisions \\
  -H "authorization: Bearer $COUNTERSIGN_KEY" \\
  -H "content-type: application/json" \\
  -d '{"call_id": "1", "tool": "terminal", "args": {"command": "rm -rf ~/.hermes/memories"}}'`}
        />
        <p class="soft">
          All of it is on the <a href="/docs">API page</a>.
        </p>
      </div>
    </div>
  );
}
