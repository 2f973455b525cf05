/** The reference of the API as a page. */
import { PROBLEMS } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import { Code } from "../dashboard/code.tsx";
import { type Frame, Page } from "../dashboard/layout.tsx";
import { type Document, type Endpoint, endpointsByTag } from "./document.ts";
import { exampleCommand } from "./examples.ts";
import { Introduction } from "./introduction.tsx";
import { prose } from "./prose.tsx";
import { Parameters, SchemaView } from "./schema.tsx";
import { Webhooks } from "./webhooks.tsx";

export function ReferencePage({ document, frame }: { document: Document; frame: Frame | null }) {
  const tags = endpointsByTag(document);
  return (
    <Page title="API" frame={frame} place="/docs" wide>
      <div class="reference">
        <Contents tags={tags} />
        <div class="stack-wide">
          <Introduction document={document} />
          {tags.map(([tag, endpoints]) => (
            <section class="stack-wide" aria-labelledby={`tag-${tag}`}>
              <div class="stack-tight">
                <h2 id={`tag-${tag}`} class="anchor">
                  {tag}
                </h2>
                <ul class="endpoints">
                  {endpoints.map(({ method, path, operation }) => (
                    <li>
                      <a class="endpoint" href={`#${operation.operationId}`}>
                        <span class="method">{method}</span> <code>{path}</code>
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
              {endpoints.map((endpoint) => (
                <OperationView endpoint={endpoint} document={document} />
              ))}
            </section>
          ))}
          <Webhooks document={document} />
          <Problems />
        </div>
      </div>
    </Page>
  );
}

function Contents({ tags }: { tags: readonly [string, readonly Endpoint[]][] }) {
  return (
    <nav class="toc" aria-label="On this page">
      <ul>
        <li>
          <a href="#begin">First decision</a>
        </li>
        <li>
          <a href="#credentials">Credentials</a>
        </li>
        <li>
          <a href="#conventions">Conventions</a>
        </li>
        {tags.map(([tag, endpoints]) => (
          <li>
            <a class="toc-tag" href={`#tag-${tag}`}>
              {tag}
            </a>
            <ul class="toc-operations">
              {endpoints.map(({ operation }) => (
                <li>
                  <a href={`#${operation.operationId}`}>{operation.summary}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <a class="toc-tag" href="#webhooks">
            Webhooks
          </a>
        </li>
        <li>
          <a class="toc-tag" href="#problems">
            Problems
          </a>
        </li>
      </ul>
    </nav>
  );
}

function OperationView({ endpoint, document }: { endpoint: Endpoint; document: Document }) {
  const { method, path, operation } = endpoint;
  const { parameters = [], requestBody, responses } = operation;
  const limit = operation["x-limit-bytes"];
  return (
    <section
      class="operation stack"
      id={operation.operationId}
      aria-labelledby={`${operation.operationId}-name`}
    >
      <div class="stack-tight">
        <h3 id={`${operation.operationId}-name`}>{operation.summary}</h3>
        <p class="endpoint">
          <span class="method">{method}</span> <code>{path}</code>
        </p>
        <p class="soft">{who(operation["x-access"])}</p>
        {operation.description === undefined ? null : <p>{prose(operation.description)}</p>}
      </div>
      {parameters.length === 0 ? null : (
        <div class="stack-tight">
          <h4>Parameters</h4>
          <Parameters parameters={parameters} document={document} />
        </div>
      )}
      {requestBody === undefined ? null : (
        <div class="stack-tight">
          <h4>Request body</h4>
          {Object.entries(requestBody.content).map(([type, { schema = {} }]) => (
            <>
              <p class="type">
                <code>{type}</code>
                {limit === undefined ? null : `, at most ${size(limit)}`}
              </p>
              <SchemaView schema={schema} document={document} />
            </>
          ))}
        </div>
      )}
      <div class="stack-tight">
        <h4>Example</h4>
        <Code text={exampleCommand(endpoint, document)} />
      </div>
      <div class="stack-tight">
        <h4>Answers</h4>
        {Object.entries(responses)
          .filter(([status]) => status < "300")
          .map(([status, { description, content = {} }]) => (
            <div>
              <p>
                <strong>{status}</strong> {prose(description)}
              </p>
              {Object.entries(content).map(([type, { schema = {} }]) =>
                type === "application/json" ? (
                  <details class="tell">
                    <summary>What is in it</summary>
                    <SchemaView schema={schema} document={document} />
                  </details>
                ) : (
                  <p class="type">
                    <code>{type}</code>
                  </p>
                ),
              )}
            </div>
          ))}
        <Refusals responses={responses} />
      </div>
    </section>
  );
}

/** The problem codes that an operation names, each a link to what it means. */
function Refusals({ responses }: { responses: Endpoint["operation"]["responses"] }) {
  const codes = Object.entries(responses)
    .filter(([status]) => status >= "300")
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/`([a-z-]+)`/g)].map((match) => [status, match[1] ?? ""] as const),
    );
  if (codes.length === 0) return null;
  return (
    <p class="type">
      Problems:{" "}
      {codes.map(([status, code], i) => (
        <>
          {i === 0 ? "" : ", "}
          <a href={`#problem-${code}`}>
            {status} {code}
          </a>
        </>
      ))}
    </p>
  );
}

function Problems() {
  return (
    <section class="stack" aria-labelledby="problems">
      <div class="stack-tight">
        <h2 id="problems" class="anchor">
          Problems
        </h2>
        <p>
          A refusal is an RFC 9457 document, <code>application/problem+json</code>. Switch on{" "}
          <code>code</code>: codes do not change. <code>detail</code> says what to do, <code>instance</code>{" "}
          names the request, <code>errors</code> points at each place.
        </p>
      </div>
      <dl class="problems">
        {Object.entries(PROBLEMS).map(([code, [status, title]]) => (
          <div id={`problem-${code}`}>
            <dt>
              <code>{code}</code>
            </dt>
            <dd class="soft">{status}</dd>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Who may call, in words. */
export function who(access: Access | undefined): string {
  if (access === undefined) return "Anyone.";
  const callers = [
    access.agent === undefined ? null : `an agent key with the scope ${access.agent}`,
    access.member === undefined
      ? null
      : access.member === "viewer"
        ? "a signed-in member"
        : access.member === "owner"
          ? "a signed-in owner"
          : `a signed-in member, ${access.member} or higher`,
    access.operator === true ? "the operator of the deployment" : null,
  ].filter((caller) => caller !== null);
  const text = callers.join(", or ");
  return `For ${text}.`;
}

function size(bytes: number): string {
  return bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MiB` : `${bytes / 1024} KiB`;
}
