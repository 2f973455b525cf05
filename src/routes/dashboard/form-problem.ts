/**
 * A refusal that is answered with the form it came from, so that nothing typed is lost. It is thrown like any other:
 * `app.ts` puts it on record before the page leaves.
 */
import type { Child } from "hono/jsx";
import { Problem, type ProblemCode, type ProblemDetails } from "../../errors.ts";

export class FormProblem extends Problem {
  /** The page with what was typed and what is wrong with it. */
  readonly page: Child;

  constructor(code: ProblemCode, detail: string, page: Child, details: ProblemDetails = {}) {
    super(code, detail, details);
    this.page = page;
  }
}
