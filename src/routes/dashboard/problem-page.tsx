/** A refusal as a page: what is wrong, what to do, and the instance to name when asking. */
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { PROBLEMS, type Problem, type ProblemCode } from "../../errors.ts";
import { FormProblem } from "./form-problem.ts";
import { Page } from "./layout.tsx";

/** The way on, where the detail alone does not show it. */
const WAYS: Partial<Record<ProblemCode, readonly [href: string, text: string]>> = {
  unauthenticated: ["/sign-in", "How to sign in"],
  "not-found": ["/", "Go to decisions"],
  "cross-site": ["/", "Open Countersign"],
};

/** The page of the form that the refusal came from, or one that says what happened. */
export function problemPage(problem: Problem, requestId: string) {
  const page = problem instanceof FormProblem ? problem.page : <Refusal problem={problem} id={requestId} />;
  return html`<!doctype html>${page}`;
}

function Refusal({ problem, id }: { problem: Problem; id: string }) {
  const [status, title] = PROBLEMS[problem.code];
  const [href, text] = WAYS[problem.code] ?? ["/", "Go to decisions"];
  return (
    <Page title={title} frame={null}>
      <RefusalBody title={title} detail={problem.message}>
        <p class="row">
          <a class="button button-main" href={href}>
            {text}
          </a>
        </p>
        <dl class="facts">
          <dt>Status</dt>
          <dd>{status}</dd>
          <dt>Code</dt>
          <dd>
            <a href={`/docs#problem-${problem.code}`}>
              <code>{problem.code}</code>
            </a>
          </dd>
          <dt>Instance</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </dl>
      </RefusalBody>
    </Page>
  );
}

/** What a refusal says, inside a page of any frame. */
export function RefusalBody({
  title,
  detail,
  children,
}: {
  title: string;
  detail: string;
  children?: Child;
}) {
  return (
    <div class="narrow stack">
      <h1>{title}</h1>
      <p class="lead">{detail}</p>
      {children}
    </div>
  );
}
