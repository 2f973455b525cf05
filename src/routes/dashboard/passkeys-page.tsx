/** A member's own passkeys, the form that adds one, and the page on which an owner removes another member's. */
import type { Passkey, RequestOptions } from "../../http/passkeys.ts";
import type { Role } from "../../roles.ts";
import { assetUrl } from "./assets/index.ts";
import { type Frame, Page } from "./layout.tsx";
import { NameField } from "./name-field.tsx";
import { SignedField } from "./passkey-field.tsx";
import { Recorded, visible, When } from "./recorded.tsx";

/** A passkey, and what its removal is signed by: an owner who holds none signs nothing. */
export interface RemovablePasskey extends Passkey {
  readonly removal: RequestOptions;
}

export interface PasskeysPageProps {
  readonly frame: Frame;
  readonly passkeys: readonly RemovablePasskey[];
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
        {passkeys.length === 0 ? (
          <p class="soft">You have none yet.</p>
        ) : (
          <Passkeys passkeys={passkeys} action="/passkeys/remove" />
        )}
        {passkeys.length === 0 ? null : <Lost role={frame.member.role} />}
        {mayAdd ? (
          <AddPasskey typed={typed} fault={fault} isFirst={passkeys.length === 0} />
        ) : (
          <p class="soft">Your role decides no approvals, so it needs no passkey.</p>
        )}
      </div>
    </Page>
  );
}

/** Whom to ask. Nobody can do it for themselves: whoever has stolen a session could, too. */
function Lost({ role }: { role: Role }) {
  return (
    <p class="soft short">
      Adding or removing one takes a passkey that you hold.{" "}
      {role === "owner"
        ? "If you have lost them all, another owner removes them, on your page under Members; if there is none, whoever operates this deployment does."
        : "If you have lost them all, ask an owner: they remove them, on your page under Members, and you add a new one here."}
    </p>
  );
}

export interface MemberPasskeysPageProps {
  readonly frame: Frame;
  readonly member: { readonly member_id: string; readonly name: string };
  readonly passkeys: readonly RemovablePasskey[];
  readonly done: boolean;
  readonly refused?: string;
}

/** What an owner sees of a member's. */
export function MemberPasskeysPage({ frame, member, passkeys, done, refused }: MemberPasskeysPageProps) {
  const base = `/members/${member.member_id}`;
  return (
    <Page title="Their passkeys" frame={frame} place="/members">
      <a class="crumb" href={base}>
        {"← "}
        <Recorded text={member.name} />
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1 class="wrap">
            Passkeys of <Recorded text={member.name} />
          </h1>
          <p class="lead">
            Remove those that they have lost. Make sure that it is they who ask: once the last one is removed,
            whoever is signed in as them can add another.
          </p>
        </div>
        {refused === undefined ? null : (
          <div class="note note-strong" role="alert">
            <p class="note-title">Nothing was changed</p>
            <p>{refused}</p>
          </div>
        )}
        {done ? (
          <div class="note note-strong" role="status">
            <p class="note-title">Removed</p>
            <p>It signs nothing here any more.</p>
          </div>
        ) : null}
        {passkeys.length === 0 ? (
          <p class="soft">They have none: they can add one, under Settings, Your passkeys.</p>
        ) : (
          <Passkeys passkeys={passkeys} action={`${base}/passkeys/remove`} />
        )}
        <script src={assetUrl("/assets/passkeys.js")} defer />
      </div>
    </Page>
  );
}

function Passkeys({ passkeys, action }: { passkeys: readonly RemovablePasskey[]; action: string }) {
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
                  <form class="tuck-body stack-tight" method="post" action={action}>
                    <input type="hidden" name="credential_id" value={passkey.credential_id} />
                    <SignedField options={passkey.removal} />
                    <button
                      class="button button-main"
                      type="submit"
                      hidden={passkey.removal.allowCredentials.length > 0}
                    >
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

interface AddPasskeyProps {
  readonly typed: string;
  readonly fault: string | undefined;
  /** Each further one is signed for by one that is held. */
  readonly isFirst: boolean;
}

function AddPasskey({ typed, fault, isFirst }: AddPasskeyProps) {
  return (
    <section class="card pad stack" aria-labelledby="add">
      <h2 id="add">Add a passkey</h2>
      <noscript>
        <p>
          <strong>Passkeys need JavaScript.</strong> Turn it on to add or remove one.
        </p>
      </noscript>
      {isFirst ? null : (
        <p class="soft">
          Your browser asks twice: for the new one, and then for one that you have. To add another device, do
          it here, and choose that device when your browser asks where to keep it.
        </p>
      )}
      <form
        class="stack form"
        method="post"
        action="/passkeys"
        data-passkey-new="/v1/passkeys/options"
        data-passkey-signed={isFirst ? undefined : ""}
      >
        <NameField
          typed={typed}
          fault={fault}
          label="Name"
          hint="What you know it by, e.g. the device that keeps it."
        />
        <input type="hidden" name="challenge" value="" autocomplete="off" />
        <input type="hidden" name="response" value="" autocomplete="off" />
        <input type="hidden" name="passkey" value="" autocomplete="off" />
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
