/** What somebody sees whose link does not let them decide. */
import { Page } from "../dashboard/layout.tsx";
import { Recorded } from "../dashboard/recorded.tsx";

/** One page for every link that opens nothing: what is wrong with it is not for whoever holds it to learn. */
export function LinkInvalidPage() {
  return (
    <Page title="This link opens nothing" frame={null}>
      <div class="narrow stack">
        <h1>This link opens nothing</h1>
        <p class="lead">
          It may have been cut off on its way, or its time is over. Nothing was decided by opening it.
        </p>
        <ul class="plain">
          <li>Open it again in full, from the message that brought it.</li>
          <li>Or sign in: what waits for you is listed there.</li>
        </ul>
        <p class="row">
          <a class="button button-main" href="/sign-in">
            Sign in
          </a>
        </p>
      </div>
    </Page>
  );
}

/** For a member whose role has become too low since the link was made. */
export function NotYoursPage({ role, names }: { role: string; names: readonly string[] }) {
  return (
    <Page title="Not yours to decide" frame={null}>
      <div class="narrow stack">
        <h1>Not yours to decide</h1>
        <p class="lead">
          Only an approver or higher decides this. You are {/^[aeiou]/.test(role) ? "an" : "a"} {role}.
        </p>
        {names.length === 0 ? null : (
          <p>
            Ask {names.length === 1 ? "" : "one of them: "}
            {names.map((name, i) => (
              <>
                {i === 0 ? "" : ", "}
                <Recorded text={name} />
              </>
            ))}
            .
          </p>
        )}
      </div>
    </Page>
  );
}

/** For a browser in which another member is signed in. */
export function SomebodyElsePage({ made, signedIn }: { made: string; signedIn: string }) {
  return (
    <Page title="This link is somebody else's" frame={null}>
      <div class="narrow stack">
        <h1>This link is somebody else's</h1>
        <p class="lead">
          It was made for <Recorded text={made} />. In this browser <Recorded text={signedIn} /> is signed in.
        </p>
        <p>
          Use the link that was sent to you, or decide on the approvals page. If you are{" "}
          <Recorded text={made} />, sign out here first and open the link again.
        </p>
        <p class="row">
          <a class="button button-main" href="/approvals">
            Go to approvals
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
}
