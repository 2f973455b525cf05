/** What a session that ended leaves of a form: the text that was typed, to be copied, and nothing else. */
import { FormProblem } from "./form-problem.ts";
import { Page } from "./layout.tsx";
import { RefusalBody } from "./problem-page.tsx";

/** The refusal of a form whose sender is no longer signed in: their text comes back to them. */
export function signedOutWith(text: string): FormProblem {
  const detail =
    "Your session has ended, and nothing was changed. Copy your text, sign in, and paste it there.";
  return new FormProblem(
    "unauthenticated",
    detail,
    <Page title="You are signed out" frame={null}>
      <RefusalBody title="You are signed out" detail={detail}>
        <div class="field">
          <label for="text">Your text</label>
          <textarea id="text" rows={14} readonly>{`\n${text}`}</textarea>
        </div>
        <p class="row">
          <a class="button button-main" href="/sign-in">
            How to sign in
          </a>
        </p>
      </RefusalBody>
    </Page>,
  );
}
