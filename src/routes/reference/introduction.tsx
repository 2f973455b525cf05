/** What a reader needs before any single operation. */
import { Code } from "../dashboard/code.tsx";
import type { Document } from "./document.ts";
import { prose } from "./prose.tsx";

export function Introduction({ document }: { document: Document }) {
  const origin = document.servers[0]?.url ?? "";
  return (
    <>
      <div class="stack">
        <h1>API reference</h1>
        <p class="lead">{prose(document.info.description)}</p>
        <p class="row">
          <a class="button" href="/openapi.json">
            OpenAPI 3.1 document
          </a>
          <a class="button" href="/docs/ledger">
            The ledger, byte for byte
          </a>
          <a class="button" href="/verify">
            Check a file
          </a>
        </p>
      </div>
      <section class="stack" aria-labelledby="begin">
        <h2 id="begin" class="anchor">
          First decision
        </h2>
        <p>Open a session where your agent's conversation begins, then ask before each tool call.</p>
        <Code
          text={`curl -X PUT "${origin}/v1/sessions/first" \\
  -H "authorization: Bearer $COUNTERSIGN_KEY" \\
  -H "content-type: application/json" \\
  -d '{"home": "/home/me", "cwd": "/home/me/work"}'

curl -X POST "${origin}/v1/sessions/first/decisions" \\
  -H "authorization: Bearer $COUNTERSIGN_KEY" \\
  -H "content-type: application/json" \\
  -d '{"call_id": "1", "tool": "terminal", "args": {"command": "rm -rf ~/.hermes/memories"}}'`}
        />
        <p>
          Run the tool when <code>verdict</code> is <code>allow</code>. Do not run it when it is{" "}
          <code>block</code>, and give the agent the reasons. When it is <code>ask</code>, a person decides
          first.
        </p>
        <Code
          text={`{
  "verdict": "block",
  "enforcement": "enforced",
  "reasons": [
    {
      "rule_key": "oath:never",
      "engine": "oath",
      "message": "Blocked by the oath, line 8: \\"never delete: ~/.hermes/memories/**\\". …",
      "cite": {"oath": "organization", "version": 1, "line": 8, "text": "never delete: ~/.hermes/memories/**"},
      "clearable_by": "owner"
    }
  ],
  "action_digest": "…",
  "ledger": {"seq": 2, "hash": "…"},
  …
}`}
        />
        <p>
          Report what became of a call that ran, so that a backup counts as evidence. Send what the user typed
          as a turn; the first one answers with what to tell the agent.
        </p>
      </section>
      <section class="stack" aria-labelledby="credentials">
        <h2 id="credentials" class="anchor">
          Credentials
        </h2>
        <dl class="facts">
          <dt>Agent key</dt>
          <dd>
            <code>authorization: Bearer cs_live_…</code>. It asks and reports, within its scopes:{" "}
            <code>ask</code>, <code>report</code>, <code>turns</code>. It can change nothing that governs it.
          </dd>
          <dt>Member</dt>
          <dd>
            The cookie <code>__Host-countersign</code> of a signed-in browser. Roles: viewer, approver, admin,
            owner; each may what the one before it may.
          </dd>
          <dt>Operator</dt>
          <dd>
            <code>authorization: Bearer</code> with the deployment's <code>OPERATOR_TOKEN</code>. It creates
            organizations and sign-in links, and reads nothing.
          </dd>
        </dl>
        <p>The organization always comes from the credential. What belongs to another one is not found.</p>
      </section>
      <section class="stack" aria-labelledby="conventions">
        <h2 id="conventions" class="anchor">
          Conventions
        </h2>
        <ul class="plain">
          <li>JSON in UTF-8, names in snake_case. A member that is not known is refused, not ignored.</li>
          <li>Times are milliseconds since 1970, UTC.</li>
          <li>
            The same <code>call_id</code> with the same action gets the same answer, to the byte. With another
            action it is refused.
          </li>
          <li>
            A list goes on with <code>next_cursor</code>. Lists follow the ledgers by five to seven seconds.
          </li>
          <li>Every refusal to a known organization is on its record. A dry run leaves nothing.</li>
        </ul>
      </section>
    </>
  );
}
