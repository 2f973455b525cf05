/** A member's own passkeys, and the form that adds one. */
import type { Passkey } from "../../http/passkeys.ts";
import { type Frame, Page } from "./layout.tsx";
import { NameField } from "./name-field.tsx";
import { Recorded, visible, When } from "./recorded.tsx";

export interface PasskeysPageProps {
  readonly frame: Frame;
  readonly passkeys: readonly Passkey[];
  /** False for a role that decides no approvals. */
  readonly mayAdd: boolean;
  readonly done?: "added" | "removed";
  /** What was typed, and what is wrong with it. */
  readonly typed?: string;
  readonly fault?: string;
  /** Why nothing was done, where it is no fault of what was typed. */
  readonly refused?: string;
}

const DONE = {
  added: ["Added", "You can approve with it from now on."],
  removed: [
    "Removed",
    "It signs nothing here any more. Your device still keeps it; delete it there as well.",
  ],
} as const;

export function PasskeysPage(props: PasskeysPageProps) {
  const { frame, passkeys, mayAdd, done, typed = "", fault, refused } = props;
  return (
    <Page title="Passkeys" frame={frame} place="/settings" scripts={["/assets/passkeys.js"]}>
      <a class="crumb" href="/settings">
        ← Settings
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Your passkeys</h1>
          <p class="lead">
            Some actions can be approved with a passkey only. Your phone, laptop or security key keeps it,
            checks that it is you, and signs the exact action.
          </p>
        </div>
        {refused === undefined ? null : (
          <div class="note note-strong" role="alert">
            <p class="note-title">Nothing was changed</p>
            <p>{refused}</p>
          </div>
        )}
        {done === undefined ? null : (
          <div class="note note-strong" role="status">
            <p class="note-title">{DONE[done][0]}</p>
            <p>{DONE[done][1]}</p>
          </div>
        )}
        {passkeys.length === 0 ? <p class="soft">You have none yet.</p> : <Passkeys passkeys={passkeys} />}
        {mayAdd ? (
          <AddPasskey typed={typed} fault={fault} />
        ) : (
          <p class="soft">Your role decides no approvals, so it needs no passkey.</p>
        )}
      </div>
    </Page>
  );
}

function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  return (
    <div class="card">
      <table class="things">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Added</th>
            <th scope="col">Last used</th>
            <th scope="col" class="end">
              <span class="unheard">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {passkeys.map((passkey) => (
            <tr>
              <td>
                <Recorded text={passkey.name} />
              </td>
              <td data-label="Added" class="soft">
                <When at={passkey.created_at} />
              </td>
              <td data-label="Last used" class="soft">
                {passkey.last_used_at === null ? "never" : <When at={passkey.last_used_at} />}
              </td>
              <td class="end">
                <details class="tuck">
                  <summary class="button button-quiet">
                    Remove…<span class="unheard"> {visible(passkey.name)}</span>
                  </summary>
                  <form class="tuck-body" method="post" action="/passkeys/remove">
                    <input type="hidden" name="credential_id" value={passkey.credential_id} />
                    <button class="button button-main" type="submit">
                      Remove it
                    </button>
                  </form>
                </details>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AddPasskey({ typed, fault }: { typed: string; fault: string | undefined }) {
  return (
    <section class="card pad stack" aria-labelledby="add">
      <h2 id="add">Add a passkey</h2>
      <noscript>
        <p>
          <strong>Passkeys need JavaScript.</strong> Turn it on to add one. You can remove one without.
        </p>
      </noscript>
      <form class="stack form" method="post" action="/passkeys" data-passkey-new="/v1/passkeys/options">
        <NameField
          typed={typed}
          fault={fault}
          label="Name"
          hint="What you know it by, e.g. the device that keeps it."
        />
        <input type="hidden" name="challenge" value="" autocomplete="off" />
        <input type="hidden" name="response" value="" autocomplete="off" />
        <p>
          <button class="button button-main" type="submit" hidden>
            Add
          </button>
        </p>
        <p role="status" data-passkey-said="" />
      </form>
    </section>
  );
}
