/** One agent: its keys, the form that makes one, and the page that shows a new key its one time. */

import { SCOPES, type Scope } from "../../roles.ts";
import { skillsUrl } from "./addresses.ts";
import { Code } from "./code.tsx";
import { type Frame, Page } from "./layout.tsx";
import { NameField } from "./name-field.tsx";
import { oathUrl } from "./oath-page.tsx";
import { Recorded, visible, When } from "./recorded.tsx";
import { ShownOnce } from "./shown-once.tsx";

interface Agent {
  readonly agent_id: string;
  readonly name: string;
  readonly created_at: number;
}
interface Key {
  readonly key_id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly created_at: number;
  readonly revoked_at: number | null;
}

export interface AgentPageProps {
  readonly frame: Frame;
  readonly agent: Agent;
  /** Empty for those who may not see them. */
  readonly keys: readonly Key[];
  /** 0 without an oath of its own. */
  readonly oathVersion: number;
  readonly mayEdit: boolean;
  readonly typed?: { readonly name: string; readonly scopes: readonly Scope[] };
  readonly fault?: string;
}

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  ask: "decisions about tool calls",
  report: "outcomes and fingerprints",
  turns: "what the user typed. Whoever holds such a key speaks as the user",
};

export function AgentPage(props: AgentPageProps) {
  const { frame, agent, oathVersion, mayEdit } = props;
  return (
    <Page title={agent.name} frame={frame} place="/agents">
      <a class="crumb" href="/agents">
        ← Agents
      </a>
      <div class="stack-wide">
        <div class="head">
          <div class="stack-tight">
            <h1 class="wrap">
              <Recorded text={agent.name} />
            </h1>
            <p class="soft">
              <code>{agent.agent_id}</code> · registered <When at={agent.created_at} />
            </p>
          </div>
          <div class="row">
            <a class="button" href={`/?agent=${agent.agent_id}`}>
              Its decisions
            </a>
            <a class="button" href={`/evidence?agent=${agent.agent_id}`}>
              Its evidence
            </a>
            <a class="button" href={skillsUrl(agent.agent_id)}>
              Its skills
            </a>
            <a class="button" href={oathUrl(agent.agent_id)}>
              {oathVersion === 0 ? "Its own oath: none" : `Its own oath: version ${oathVersion}`}
            </a>
          </div>
        </div>
        {mayEdit ? (
          <>
            <Keys {...props} />
            <KeyForm {...props} />
          </>
        ) : (
          <p class="soft">Its keys are shown to admins and owners.</p>
        )}
      </div>
    </Page>
  );
}

function Keys({ agent, keys }: AgentPageProps) {
  return (
    <section class="stack" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      {keys.length === 0 ? (
        <p class="card pad soft">It has no key yet, so it cannot ask.</p>
      ) : (
        <div class="card">
          <table class="things">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">May</th>
                <th scope="col">Made</th>
                <th scope="col" class="end">
                  State
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr>
                  <td>
                    <Recorded text={key.name} />
                    <br />
                    <code class="soft">{key.key_id}</code>
                  </td>
                  <td data-label="May">{key.scopes.join(", ")}</td>
                  <td data-label="Made" class="soft">
                    <When at={key.created_at} />
                  </td>
                  <td class="end">
                    {key.revoked_at === null ? (
                      <Revoke agent={agent} id={key.key_id} name={key.name} />
                    ) : (
                      <span class="soft">
                        Revoked <When at={key.revoked_at} />
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Two steps without a script: the summary opens what confirms. */
function Revoke({ agent, id, name }: { agent: Agent; id: string; name: string }) {
  return (
    <details class="tuck">
      <summary class="button button-quiet">
        Revoke…<span class="unheard"> {visible(name)}</span>
      </summary>
      <form
        class="tuck-body stack-tight"
        method="post"
        action={`/agents/${agent.agent_id}/keys/${id}/revoke`}
      >
        <p>It stops at the next request, for good.</p>
        <p>
          <button class="button button-main" type="submit">
            Revoke it
          </button>
        </p>
      </form>
    </details>
  );
}

function KeyForm({ agent, typed, fault }: AgentPageProps) {
  const chosen = typed?.scopes ?? SCOPES;
  return (
    <section class="card pad stack" aria-labelledby="new-key">
      <h2 id="new-key">Make a key</h2>
      <form class="stack form" method="post" action={`/agents/${agent.agent_id}/keys`}>
        <NameField
          typed={typed?.name ?? ""}
          fault={fault}
          label="Name"
          hint="Where it will be used, so that you know which one to revoke."
        />
        <fieldset>
          <legend>What it may do</legend>
          {SCOPES.map((scope) => (
            <label class="check" for={`scope-${scope}`}>
              <input
                id={`scope-${scope}`}
                type="checkbox"
                name="scope"
                value={scope}
                checked={chosen.includes(scope)}
              />
              <span>
                <strong>{scope}:</strong> <span class="soft">{SCOPE_WORDS[scope]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p>
          <button class="button button-main" type="submit">
            Make the key
          </button>
        </p>
      </form>
    </section>
  );
}

export interface NewKeyPageProps {
  readonly frame: Frame;
  readonly agent: Agent;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly secret: string;
  /** True while the database could not be written: the key is on record and does not work yet. */
  readonly pending: boolean;
  readonly origin: string;
}

/** The one answer that holds a key's secret. */
export function NewKeyPage({ frame, agent, name, scopes, secret, pending, origin }: NewKeyPageProps) {
  return (
    <Page title="New key" frame={frame} place="/agents" scripts={["/assets/copy.js"]}>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Here is the key</h1>
          <p class="lead">
            The key <Recorded text={name} /> of <Recorded text={agent.name} />, for {scopes.join(", ")}. It is
            shown this once: only a hash of it is kept.
          </p>
        </div>
        {pending ? (
          <div class="note note-strong" role="status">
            <p class="note-title">It does not work yet</p>
            <p>It is on record, and works as soon as the database can be written. Do not make another.</p>
          </div>
        ) : null}
        <div class="card pad stack">
          <ShownOnce label="Key" secret={secret} />
          <p class="soft">Put it where the agent's harness finds it, and where the agent cannot read it:</p>
          <Code text={`COUNTERSIGN_KEY=…\nCOUNTERSIGN_URL=${origin}`} />
        </div>
        <p>
          <a class="button" href={`/agents/${agent.agent_id}`}>
            I have kept it. Back to the agent
          </a>
        </p>
      </div>
    </Page>
  );
}
