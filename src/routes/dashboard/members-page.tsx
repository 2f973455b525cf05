/** The members, the forms by which an owner changes them, and the page that shows a sign-in link its one time. */
import { ROLES, type Role } from "../../roles.ts";
import { type Frame, Page } from "./layout.tsx";
import { NameField } from "./name-field.tsx";
import { Recorded, visible, When } from "./recorded.tsx";
import { ShownOnce } from "./shown-once.tsx";

interface Member {
  readonly member_id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: number;
}

export interface MembersPageProps {
  readonly frame: Frame;
  /** `unheard`: they may approve, and no channel of their own tells them of asks. */
  readonly members: readonly (Member & { readonly unheard: boolean })[];
  /** A channel of the organization tells of asks. */
  readonly shared: boolean;
  readonly mayEdit: boolean;
  readonly typed?: { readonly name: string; readonly role: Role };
  readonly fault?: string;
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: "reads",
  approver: "reads, and decides approvals",
  admin: "also registers agents and makes keys",
  owner: "also swears oaths and adds members",
};

export function MembersPage(props: MembersPageProps) {
  const { frame, members, shared, mayEdit, typed, fault } = props;
  const unheard = members.some((member) => member.unheard);
  return (
    <Page title="Members" frame={frame} place="/members">
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Members</h1>
          <p class="lead">The people of this organization, and what each may do.</p>
        </div>
        <div class="card">
          <table class="things">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Role</th>
                <th scope="col">Since</th>
                {mayEdit ? (
                  <th scope="col" class="end">
                    <span class="unheard">Change</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {members.map((member) => (
                <tr>
                  <td>
                    <Recorded text={member.name} />
                    {member.member_id === frame.member.member ? <span class="soft"> (you)</span> : null}
                    {member.unheard ? (
                      <p class="small soft">
                        {shared
                          ? "no channel of their own: hears of asks by the organization's"
                          : "no channel: hears of asks on the dashboard alone"}
                      </p>
                    ) : null}
                  </td>
                  <td data-label="Role">{member.role}</td>
                  <td data-label="Since" class="soft">
                    <When at={member.created_at} />
                  </td>
                  {mayEdit ? (
                    <td class="end">
                      <a class="button button-quiet" href={`/members/${member.member_id}`}>
                        Change
                        <span class="unheard"> {visible(member.name)}</span>
                      </a>
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {unheard ? (
          <p class="soft short">
            Whoever may approve is told of asks once they have set up a channel of their own, under{" "}
            <a href="/channels">Channels</a>. Nobody can do that for them.
          </p>
        ) : null}
        {mayEdit ? (
          <AddMember typed={typed} fault={fault} />
        ) : (
          <p class="soft">An owner can change this list.</p>
        )}
      </div>
    </Page>
  );
}

export interface MemberPageProps {
  readonly frame: Frame;
  readonly member: Member;
  /** Why the last change was not made. */
  readonly refused?: string;
}

/** What an owner can do about one member. */
export function MemberPage({ frame, member, refused }: MemberPageProps) {
  const base = `/members/${member.member_id}`;
  return (
    <Page title={member.name} frame={frame} place="/members">
      <a class="crumb" href="/members">
        ← Members
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1 class="wrap">
            <Recorded text={member.name} />
          </h1>
          <p class="soft">
            {member.role} since <When at={member.created_at} />
          </p>
        </div>
        {refused === undefined ? null : (
          <div class="note note-strong" role="alert">
            <p class="note-title">Nothing was changed</p>
            <p>{refused}</p>
          </div>
        )}
        <section class="card pad stack" aria-labelledby="role-title">
          <h2 id="role-title">Role</h2>
          <form class="form-line" method="post" action={`${base}/role`}>
            <div class="field">
              <label for="role">What they may do</label>
              <RoleSelect id="role" chosen={member.role} />
            </div>
            <button class="button button-main" type="submit">
              Set role
            </button>
          </form>
        </section>
        <section class="card pad stack" aria-labelledby="link-title">
          <h2 id="link-title">Way in</h2>
          <p class="soft">A link lets whoever opens it sign in as this member, once, within an hour.</p>
          <form method="post" action={`${base}/link`}>
            <button class="button" type="submit">
              Make a sign-in link
            </button>
          </form>
        </section>
        <section class="card pad stack" aria-labelledby="passkeys-title">
          <h2 id="passkeys-title">Passkeys</h2>
          <p class="soft">If they have lost those that they sign with, you can remove them.</p>
          <p>
            <a class="button" href={`${base}/passkeys`}>
              See their passkeys
            </a>
          </p>
        </section>
        <section class="card pad stack" aria-labelledby="remove-title">
          <h2 id="remove-title">Remove</h2>
          <p class="soft">Their sessions end at once. Their name stays on record.</p>
          <details class="tuck">
            <summary class="button">Remove…</summary>
            <form class="tuck-body" method="post" action={`${base}/remove`}>
              <button class="button button-main" type="submit">
                Remove them
              </button>
            </form>
          </details>
        </section>
      </div>
    </Page>
  );
}

function RoleSelect({ id, chosen }: { id: string; chosen: Role }) {
  return (
    <select id={id} name="role">
      {ROLES.map((role) => (
        <option value={role} selected={role === chosen}>
          {role}: {ROLE_WORDS[role]}
        </option>
      ))}
    </select>
  );
}

function AddMember({ typed, fault }: { typed: MembersPageProps["typed"]; fault: string | undefined }) {
  return (
    <section class="card pad stack" aria-labelledby="add">
      <h2 id="add">Add a member</h2>
      <form class="stack form" method="post" action="/members">
        <NameField
          typed={typed?.name ?? ""}
          fault={fault}
          label="Name"
          hint="You get a sign-in link to pass on to them."
        />
        <div class="field">
          <label for="role">Role</label>
          <RoleSelect id="role" chosen={typed?.role ?? "viewer"} />
        </div>
        <p>
          <button class="button button-main" type="submit">
            Add
          </button>
        </p>
      </form>
    </section>
  );
}

export interface NewLinkPageProps {
  readonly frame: Frame;
  readonly name: string;
  readonly url: string;
  readonly expires: number;
  /** They may approve, and nothing tells them of asks yet. */
  readonly untold: boolean;
}

/** The one answer that holds a sign-in link. */
export function NewLinkPage({ frame, name, url, expires, untold }: NewLinkPageProps) {
  return (
    <Page title="Sign-in link" frame={frame} place="/members" scripts={["/assets/copy.js"]}>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Here is the link</h1>
          <p class="lead">
            It signs in <Recorded text={name} />, once, until <When at={expires} />. It is shown this once;
            send it to nobody else.
          </p>
        </div>
        <div class="card pad">
          <ShownOnce label="Sign-in link" secret={url} />
        </div>
        {untold ? (
          <div class="note">
            <p class="note-title">Nothing tells them of asks yet</p>
            <p>
              They may approve, and are told of asks once they are signed in and have set up a channel of
              their own, under <a href="/channels">Channels</a>. Until then they see asks on the dashboard
              alone.
            </p>
          </div>
        ) : null}
        <p>
          <a class="button" href="/members">
            I have passed it on. Back to members
          </a>
        </p>
      </div>
    </Page>
  );
}
