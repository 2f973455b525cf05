import { PROBLEMS, type Problem } from "../../errors.ts";

/** A refusal as a page: what is wrong, what to do, and the instance to name when asking. */
export function problemPage(problem: Problem, requestId: string) {
  return (
    <main>
      <h1>{PROBLEMS[problem.code][1]}</h1>
      <p>{problem.message}</p>
      <p>{requestId}</p>
    </main>
  );
}
