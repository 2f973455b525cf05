/** What channels of the kind `webhook` are sent: in the document, and on its page. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../http/context.ts";
import { WEBHOOKS } from "../../notify/events.ts";
import { Code } from "../dashboard/code.tsx";
import type { Document } from "./document.ts";
import { SchemaView } from "./schema.tsx";

/** Adds the webhooks to what the document is made from. */
export function describeWebhooks(app: OpenAPIHono<AppEnv>): void {
  for (const { event, schema, summary } of WEBHOOKS)
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path: event,
      summary,
      description:
        "Signed as Standard Webhooks has it: `webhook-id`, `webhook-timestamp`, `webhook-signature`. Any 2xx takes it.",
      request: { body: { required: true, content: { "application/json": { schema } } } },
      responses: { "2XX": { description: "Taken. Anything else is tried again." } },
    });
}

export function Webhooks({ document }: { document: Document }) {
  return (
    <section class="stack" aria-labelledby="webhooks">
      <div class="stack-tight">
        <h2 id="webhooks" class="anchor">
          Webhooks
        </h2>
        <p>
          A channel of the kind <code>webhook</code> is sent a POST, signed as{" "}
          <a href="https://www.standardwebhooks.com">Standard Webhooks</a> has it with the secret that was
          shown when the channel was made: check the signature with one of its libraries before you believe
          anything. Answer 2xx within five seconds; redirects are not followed. Whatever else you answer is
          tried again, later each time, under the same <code>webhook-id</code>: the same one may come twice.
          After a 410 it is not.
        </p>
        <Code
          text={`POST /hook
webhook-id: apr_…_decided_chn_…
webhook-timestamp: 1796040000
webhook-signature: v1,…

{"type": "approval.decided", "timestamp": "2026-11-30T12:00:00.000Z",
 "data": {"approval": "apr_…", "status": "approved", …}}`}
        />
      </div>
      {WEBHOOKS.map(({ event, summary }) => (
        <div class="stack-tight">
          <h3>
            <code>{event}</code>
          </h3>
          <p>{summary}.</p>
          <details class="tell">
            <summary>What is in it</summary>
            <SchemaView schema={schemaOf(document, event)} document={document} />
          </details>
        </div>
      ))}
    </section>
  );
}

function schemaOf({ webhooks }: Document, event: string) {
  return webhooks[event]?.post.requestBody.content["application/json"]?.schema ?? {};
}
