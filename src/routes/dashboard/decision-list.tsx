/** The list of decisions, and what one of them says when it is opened. */
import type { Child } from "hono/jsx";
import type { QuotedMessage } from "../../db/evidence-pages.ts";
import { decisionUrl, receiptUrl, sessionUrl } from "./addresses.ts";
import { type ApprovalNow, ApprovalOfDecision } from "./approval-of-decision.tsx";
import { Word } from "./code.tsx";
import type { DecisionView, ReasonGroup, ShownReason } from "./decision-view.ts";
import { evidenceUrl } from "./evidence-filter.ts";
import { VerdictMark } from "./marks.tsx";
import { engineName } from "./policy-words.ts";
import { ReadAgain } from "./reading-page.tsx";
import { Recorded, shortened, When } from "./recorded.tsx";
import { WriteView } from "./write-view.tsx";

/** Characters of the arguments in a list; the decision's own page shows them whole. */
const LISTED_ARGUMENTS = 2_000;
const LISTED_ACTIONS = 12;

export type AgentNames = ReadonlyMap<string, string>;

export function DecisionList({ views, agents }: { views: readonly DecisionView[]; agents: AgentNames }) {
  return (
    <ol class="decisions card" aria-label="Decisions, newest first">
      {views.map((view) => (
        <li id={`d-${view.hash.slice(0, 20)}`} class="decision" data-verdict={view.verdict ?? "unknown"}>
          <details>
            <summary>
              <VerdictMark verdict={view.verdict} />
              <span class="what">
                <strong>
                  <Recorded text={view.tool ?? "?"} />
                </strong>
                {view.preview === "" ? null : (
                  <code class="preview">
                    <Recorded text={view.preview} />
                  </code>
                )}
              </span>
              <span class="by">
                <When at={view.at} />
                <span class="who-asked">
                  <AgentName id={view.agent} agents={agents} />
                </span>
              </span>
              <Why view={view} />
            </summary>
            <DecisionDetail view={view} agents={agents} whole={false} />
          </details>
        </li>
      ))}
    </ol>
  );
}

/** One line under a closed row: the line of the oath, or the rule. */
function Why({ view }: { view: DecisionView }) {
  const [first] = view.counted.reasons;
  if (first !== undefined) {
    const more = view.counted.reasons.length - 1;
    return (
      <span class="why">
        {first.cite === null ? (
          <code>{first.rule_key}</code>
        ) : (
          <>
            Line {first.cite.line}: <Recorded text={shortened(first.cite.text, 160)} />
          </>
        )}
        {more > 0 ? <span class="soft"> and {more} more</span> : null}
      </span>
    );
  }
  const [observed] = view.observed;
  return observed === undefined ? null : (
    <span class="why soft">Observed only: would have been {past(observed.verdict)}</span>
  );
}

/**
 * @param whole shows everything that is recorded; else long arguments end early
 * @param messages that quotes were found in, where they were looked up
 * @param approval that it has to do with, where it was looked up
 */
export function DecisionDetail({
  view,
  agents,
  whole,
  messages,
  approval = null,
}: {
  view: DecisionView;
  agents: AgentNames;
  whole: boolean;
  messages?: ReadonlyMap<string, QuotedMessage>;
  approval?: ApprovalNow | null;
}) {
  const { body } = view;
  return (
    <div class="detail">
      <section class="stack-tight">
        <h2 class="part">Why</h2>
        {view.counted.reasons.length === 0 && view.observed.length === 0 ? (
          <p>No rule stood against it.</p>
        ) : null}
        <Reasons group={view.counted} view={view} />
        {view.observed.map((observed) => (
          <div>
            <p class="soft">
              {engineName(observed.engine)} only observes. It would have been {past(observed.verdict)}:
            </p>
            <Reasons group={observed} view={view} />
          </div>
        ))}
        {body.opaque.length === 0 ? null : (
          <p>
            Not all of this call could be seen: <Recorded text={body.opaque.join(", ")} />. What it does
            inside is not known.
          </p>
        )}
        {body.stale_policy ? (
          <p>The database could not be read; this stands on the policy of the minute before.</p>
        ) : null}
      </section>
      {body.approval === null || body.approval === undefined ? null : (
        <ApprovalOfDecision approval={body.approval} now={approval} />
      )}
      {view.write === null ? null : (
        <WriteView
          view={view}
          write={view.write}
          whole={whole}
          {...(messages === undefined ? {} : { messages })}
        />
      )}
      <Call view={view} whole={whole} />
      <Facts view={view} agents={agents} whole={whole} />
    </div>
  );
}

function Reasons({ group, view }: { group: ReasonGroup; view: DecisionView }) {
  return (
    <>
      {group.unsure ? <p class="soft">Recorded evidence cleared some of these; at least one stood.</p> : null}
      {group.reasons.map((reason) => (
        <div class="reason">
          <p>
            {reason.message === null ? (
              <span class="soft">Its text was removed by a purge.</span>
            ) : (
              <Recorded text={reason.message} />
            )}
          </p>
          <p class="cite small soft">
            <code>{reason.rule_key}</code>
            <Cited reason={reason} view={view} />
          </p>
        </div>
      ))}
    </>
  );
}

/** Where what it stands on can be read: a line of an oath, or the person's words. */
function Cited({ reason: { rule_key, cite }, view }: { reason: ShownReason; view: DecisionView }) {
  const { agent, session } = view;
  if (cite === null && session !== null && rule_key.startsWith("provenance:"))
    return (
      <>
        {" · "}
        <a href={evidenceUrl({ session, days: null })}>the session's evidence</a>
      </>
    );
  if (cite === null && session !== null && rule_key.startsWith("fence:"))
    return (
      <>
        {" · "}
        <a href={`${sessionUrl(session)}#policy`}>the task policy</a>
      </>
    );
  if (cite === null) return null;
  const own = cite.oath === "agent";
  const query = new URLSearchParams({
    ...(own && agent !== null ? { agent } : {}),
    version: String(cite.version),
  });
  return (
    <>
      {" · "}
      <a href={`/oath?${query}#line-${cite.line}`}>
        {own ? "the agent's oath" : "the oath"}, version {cite.version}, line {cite.line}
      </a>
    </>
  );
}

function Call({ view, whole }: { view: DecisionView; whole: boolean }) {
  const { call } = view;
  if (call === null)
    return (
      <section class="stack-tight">
        <h2 class="part">What was asked</h2>
        <p class="soft">The arguments were removed by a purge. The chain still verifies.</p>
      </section>
    );
  const cut = !whole && call.args.length > LISTED_ARGUMENTS;
  const actions = whole ? call.actions : call.actions.slice(0, LISTED_ACTIONS);
  return (
    <>
      <section class="stack-tight">
        <h2 class="part">Arguments</h2>
        <pre>
          <Recorded text={cut ? shortened(call.args, LISTED_ARGUMENTS) : call.args} block />
        </pre>
        {cut ? (
          <p>
            <a href={decisionUrl(view)}>Show all {call.args.length.toLocaleString("en-GB")} characters</a>
          </p>
        ) : null}
        {call.object === null ? null : <ReadAgain chain={view.chain} seq={view.seq} />}
      </section>
      {actions.length === 0 ? null : (
        <section class="stack-tight">
          <h2 class="part">What it would do to files</h2>
          <ul class="decisions">
            {actions.map(({ verb, path }) => (
              <li>
                {verb}{" "}
                <code>
                  {path === "?" ? "a path that cannot be known beforehand" : <Recorded text={path} />}
                </code>
              </li>
            ))}
          </ul>
          {actions.length < call.actions.length ? (
            <p class="soft">and {call.actions.length - actions.length} more</p>
          ) : null}
        </section>
      )}
    </>
  );
}

function Facts({ view, agents, whole }: { view: DecisionView; agents: AgentNames; whole: boolean }) {
  const { body, call } = view;
  const facts: readonly (readonly [string, Child])[] = [
    [
      "Agent",
      view.agent === null ? null : (
        <a href={`/agents/${encodeURIComponent(view.agent)}`}>
          <AgentName id={view.agent} agents={agents} />
        </a>
      ),
    ],
    [
      "Session",
      view.session === null ? null : (
        <>
          <a href={sessionUrl(view.session)}>
            <Recorded text={view.session} />
          </a>
          {" · "}
          <a href={`/?${new URLSearchParams({ session: view.session })}`}>its decisions</a>
        </>
      ),
    ],
    [
      "Enforcement",
      body.enforcement === "observed"
        ? "observed: something was found and let pass"
        : body.enforcement === "enforced"
          ? "enforced"
          : null,
    ],
    ["Risks", body.risks.length === 0 ? null : body.risks.join(", ")],
    ["Directory", recorded(call?.cwd)],
    ["Host", recorded(body.host)],
    ["Call", recorded(body.call_id)],
    ["Decision", recorded(body.id)],
    [
      "Policy",
      body.policy_version === null || body.policy_version === undefined
        ? null
        : `version ${body.policy_version}`,
    ],
    ["Action digest", recorded(call?.digest)],
    ["Ledger", `entry ${view.seq}`],
    ["Entry hash", recorded(view.hash)],
  ];
  return (
    <section class="stack-tight">
      <h2 class="part">Record</h2>
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
      </dl>
      {whole ? (
        <p>
          <a href={receiptUrl(view)}>Save its receipt</a>
          <span class="soft">, a file by which somebody else can check this entry</span>
        </p>
      ) : (
        <p>
          <a href={decisionUrl(view)}>Open this decision on its own page</a>
        </p>
      )}
    </section>
  );
}

function recorded(text: string | null | undefined): Child {
  return text === null || text === undefined ? null : <Word text={text} />;
}

export function AgentName({ id, agents }: { id: string | null; agents: AgentNames }) {
  if (id === null) return <>no agent</>;
  return <Recorded text={agents.get(id) ?? id} />;
}

function past(verdict: string): string {
  return verdict === "block" ? "blocked" : verdict === "ask" ? "asked about" : "allowed";
}
