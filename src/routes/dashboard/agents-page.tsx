/** The agents of an organization, and the form that registers one. */
import { type Frame, Page } from "./layout.tsx";
import { NameField } from "./name-field.tsx";
import { Recorded, When } from "./recorded.tsx";

export interface AgentsPageProps {
  readonly frame: Frame;
  readonly agents: readonly {
    readonly agent_id: string;
    readonly name: string;
    readonly created_at: number;
    readonly live_keys: number;
  }[];
  readonly mayEdit: boolean;
  readonly typed?: string;
  readonly fault?: string;
}

export function AgentsPage({ frame, agents, mayEdit, typed = "", fault }: AgentsPageProps) {
  return (
    <Page title="Agents" frame={frame} place="/agents">
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Agents</h1>
          <p class="lead">An agent asks with a key of its own. It can never change what governs it.</p>
        </div>
        {mayEdit ? (
          <section class="card pad stack" aria-labelledby="register">
            <h2 id="register">Register an agent</h2>
            <form class="form-line" method="post" action="/agents">
              <NameField typed={typed} fault={fault} label="Name" hint="One name is one agent, for good." />
              <button class="button button-main" type="submit">
                Register
              </button>
            </form>
          </section>
        ) : null}
        <section class="stack" aria-labelledby="all">
          <h2 id="all" class={agents.length === 0 ? "unheard" : ""}>
            All agents
          </h2>
          {agents.length === 0 ? (
            <p class="card pad soft">
              No agent is registered yet.
              {mayEdit ? null : " An admin can register one."}
            </p>
          ) : (
            <div class="card">
              <table class="things">
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Live keys</th>
                    <th scope="col">Registered</th>
                    <th scope="col" class="end">
                      <span class="unheard">Decisions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {agents.map((agent) => (
                    <tr>
                      <td>
                        <a href={`/agents/${agent.agent_id}`}>
                          <Recorded text={agent.name} />
                        </a>
                      </td>
                      <td data-label="Live keys">{agent.live_keys}</td>
                      <td data-label="Registered" class="soft">
                        <When at={agent.created_at} />
                      </td>
                      <td class="end">
                        <a class="button button-quiet" href={`/?agent=${agent.agent_id}`}>
                          Decisions
                          <span class="unheard">
                            {" "}
                            of <Recorded text={agent.name} />
                          </span>
                        </a>
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
