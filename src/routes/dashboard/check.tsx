/** `/evidence/check`: what a text claims, and what backs it. A dry run: nothing of it is kept. */
import type { Context } from "hono";
import { Problem } from "../../errors.ts";
import { memberCaller } from "../../http/access.ts";
import { BODY_LIMIT_BYTES } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { policyOf } from "../../http/policy.ts";
import { newRouter } from "../../http/router.ts";
import { HarnessId } from "../../http/schemas.ts";
import { findSession, sessionStub } from "../../http/sessions.ts";
import { judge } from "../../http/writes.ts";
import { inquire, type Judged, judgeProvenance } from "../../policy/provenance/index.ts";
import { orFormAgain, page, readForm, typedText } from "./access.tsx";
import { type CheckDraft, CheckPage, type CheckPageProps } from "./check-page.tsx";
import { FormProblem } from "./form-problem.ts";
import { signedOutWith } from "./kept-text.tsx";
import { frameOf, sendPage } from "./layout.tsx";

export const checkPages = newRouter();

checkPages.get("/evidence/check", page({ operation: "viewCheck" }), async (c) => {
  const session = c.req.query("session") ?? "";
  return sendPage(c, <CheckPage frame={await frameOf(c)} draft={{ text: "", stored: "", session }} />);
});

checkPages.post(
  "/evidence/check",
  page({ operation: "checkEvidence", dryRun: true, signedOut: keepText }),
  async (c) => {
    const draft = draftOf(await readForm(c, BODY_LIMIT_BYTES));
    const frame = await frameOf(c);
    const again = (result: NonNullable<CheckPageProps["result"]>) => (
      <CheckPage frame={frame} draft={draft} result={result} />
    );
    if (draft.text.trim() === "") {
      const message = "Write a text to try.";
      throw new FormProblem("invalid-request", message, again({ kind: "faulty", field: "text", message }));
    }
    const judged = await orFormAgain(
      c,
      () => judgeDraft(c, draft),
      ({ code, message }) =>
        again(
          code === "unknown-session"
            ? { kind: "faulty", field: "session", message }
            : { kind: "failed", detail: message },
        ),
    );
    return sendPage(c, again({ kind: "judged", judged }));
  },
);

/** @throws {Problem} `unknown-session`, `unavailable` */
async function judgeDraft(c: Context<AppEnv>, { text, stored, session }: CheckDraft): Promise<Judged> {
  const caller = memberCaller(c);
  const { provenance } = await policyOf(c.env.DB, caller);
  const texts = { pieces: [text], base: stored === "" ? [] : [stored] };
  if (session === "") return judgeProvenance(inquire(texts, provenance.lexicon), []);
  const { organization } = caller;
  const context = HarnessId.safeParse(session).success
    ? await findSession(c.env, organization, session)
    : null;
  if (context === null)
    throw new Problem("unknown-session", "There is no such session in this organization.");
  return judge(texts, provenance, {
    db: c.env.DB,
    organization,
    context,
    stub: () => sessionStub(c.env, organization, context.root),
  });
}

/** An id of a session may begin or end with anything, so it is taken as it was typed. */
function draftOf(form: URLSearchParams): CheckDraft {
  return {
    text: typedText(form, "text"),
    stored: typedText(form, "stored"),
    session: form.get("session") ?? "",
  };
}

/** The session ended while somebody wrote: their text comes back to them, and nothing else is shown. */
async function keepText(c: Context<AppEnv>): Promise<Problem> {
  const { text } = draftOf(await readForm(c, BODY_LIMIT_BYTES));
  return text === ""
    ? new Problem("unauthenticated", "You are not signed in, or not any more.")
    : signedOutWith(text);
}
