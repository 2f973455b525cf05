/** The pages before anyone is signed in. */
import { Page } from "./layout.tsx";
import { Recorded } from "./recorded.tsx";

/** Opening a link shows this and changes nothing; the button spends it. */
export function SignInPage({ link }: { link: string }) {
  return (
    <Page title="Sign in" frame={null}>
      <div class="narrow stack">
        <h1>Sign in</h1>
        <p class="lead">This link works once. It is spent when you press the button.</p>
        <form method="post" action="/sign-in">
          <input type="hidden" name="link" value={link} />
          <button class="button button-main" type="submit">
            Sign in
          </button>
        </form>
        <p class="soft">You stay signed in for twelve hours in this browser.</p>
      </div>
    </Page>
  );
}

/** For whoever comes without a link that works. */
export function NotSignedInPage({ refused = false, signedIn }: { refused?: boolean; signedIn?: string }) {
  if (signedIn !== undefined)
    return (
      <Page title="Signed in" frame={null}>
        <div class="narrow stack">
          <h1>You are signed in</h1>
          <p class="lead">
            In this browser you are <Recorded text={signedIn} />.
          </p>
          <p class="row">
            <a class="button button-main" href="/">
              Go to decisions
            </a>
          </p>
          <form method="post" action="/sign-out">
            <button class="button" type="submit">
              Sign out
            </button>
          </form>
        </div>
      </Page>
    );
  return (
    <Page title="Sign in" frame={null}>
      <div class="narrow stack">
        <h1>{refused ? "This link is not known" : "You are not signed in"}</h1>
        <p class="lead">
          {refused
            ? "It may have been cut off on its way. Open it again in full, or get a new one."
            : "You sign in with a link that works once. There is no password."}
        </p>
        <form class="stack form" method="post" action="/sign-in">
          <div class="field">
            <label for="link">Your link</label>
            <input
              id="link"
              name="link"
              type="text"
              inputmode="url"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              required
              aria-describedby="link-hint"
            />
            <p id="link-hint" class="hint">
              Open it in this browser, or paste it here. It works once.
            </p>
          </div>
          <p>
            <button class="button" type="submit">
              Sign in
            </button>
          </p>
        </form>
        <h2>How to get a link</h2>
        <ul class="stack-tight">
          <li>An owner of your organization makes one on the Members page, for any member.</li>
          <li>
            The first owner's link is printed when the organization is created; the operator of this
            deployment can make another.
          </li>
        </ul>
        <p class="soft">
          A link is good for an hour. If yours was used already and not by you, tell an owner: it is on
          record.
        </p>
      </div>
    </Page>
  );
}
