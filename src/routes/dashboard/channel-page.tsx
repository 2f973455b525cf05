/** One channel: the form that sets it up, the forms that change it, and the page that shows a secret its one time. */
import type { Child } from "hono/jsx";
import { hasRole } from "../../http/access.ts";
import { ROTATION_MS, type ShownChannel } from "../../http/channels.ts";
import { type ChannelKind, failureWords } from "../../notify/index.ts";
import { type ChannelDraft, EVENT_WORDS, eventsFor, isFailing, KINDS, shownText } from "./channel-values.ts";
import { HealthText, type Said, Told } from "./channels-page.tsx";
import { Code } from "./code.tsx";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, When } from "./recorded.tsx";
import { described, type FormResult, faultsIn, Refused, TextField } from "./settings-fields.tsx";
import { ShownOnce } from "./shown-once.tsx";

const HOURS = ROTATION_MS / (60 * 60 * 1000);

export interface NewChannelPageProps {
  readonly frame: Frame;
  readonly kind: ChannelKind;
  readonly draft: ChannelDraft;
  /** Whether they may set up one of the organization's. */
  readonly isAdmin: boolean;
  readonly result?: FormResult;
}

export function NewChannelPage({ frame, kind, draft, isAdmin, result }: NewChannelPageProps) {
  const { name, about } = KINDS[kind];
  return (
    <ChannelFrame title={`Add ${name}`} frame={frame}>
      <div class="stack-tight">
        <h1>Add {name}</h1>
        <p class="lead">{about}</p>
      </div>
      <form class="card pad stack form" method="post" action={`/channels/new/${kind}#result`}>
        {result === undefined ? null : <Refused result={result} />}
        <NameAndEvents draft={draft} isAdmin={isAdmin} result={result} />
        <TargetFields kind={kind} draft={draft} result={result} />
        {isAdmin ? (
          <fieldset id="own">
            <legend>Whose</legend>
            <Whose value="mine" words="Mine: it carries my own links to answer by" checked={draft.own} />
            <Whose
              value="organization"
              words="The organization's: it carries no link that answers"
              checked={!draft.own}
            />
          </fieldset>
        ) : (
          <p class="hint">It carries your own links: whoever reads them can answer in your name.</p>
        )}
        <p>
          <button class="button button-main" type="submit">
            Add it
          </button>
        </p>
      </form>
    </ChannelFrame>
  );
}

export interface ChannelPageProps {
  readonly frame: Frame;
  readonly channel: ShownChannel;
  readonly now: number;
  readonly maySet: boolean;
  readonly mayRemove: boolean;
  readonly said?: Said;
  /** What was typed in the form that is answered, and what is wrong with it. */
  readonly draft?: ChannelDraft;
  readonly result?: FormResult;
  /** The form that the result belongs to. */
  readonly form?: "change" | "target";
}

export function ChannelPage(props: ChannelPageProps) {
  const { frame, channel, now, maySet, mayRemove, said } = props;
  const { kind, member, member_name: owner } = channel;
  const base = `/channels/${channel.channel}`;
  return (
    <ChannelFrame title={channel.name} frame={frame}>
      <div class="stack-tight">
        <h1 class="wrap">
          <Recorded text={channel.name} />
        </h1>
        <p class="soft">
          {KINDS[kind].name} ·{" "}
          {member === null ? (
            "the organization's"
          ) : member === frame.member.member ? (
            "yours"
          ) : (
            <>
              of <Recorded text={owner ?? member} />
            </>
          )}{" "}
          · since <When at={channel.created_at} />
        </p>
      </div>
      {said === undefined ? null : <Told said={said} />}
      <section class="card pad stack" aria-labelledby="health">
        <h2 id="health">Does it work?</h2>
        <p>
          {isFailing(channel.health) ? (
            <>
              <strong>No:</strong> it{" "}
            </>
          ) : null}
          <HealthText channel={channel} now={now} />.
        </p>
        <Advice channel={channel} />
        {maySet ? (
          <form method="post" action={`${base}/test#result`}>
            <button class="button" type="submit">
              Send a test
            </button>
          </form>
        ) : null}
      </section>
      {maySet ? <ChangeForm {...props} base={base} /> : null}
      <TargetSection {...props} base={base} />
      {maySet && kind === "webhook" ? <Rotation base={base} /> : null}
      {mayRemove ? (
        <section class="card pad stack" aria-labelledby="remove">
          <h2 id="remove">Remove</h2>
          <p class="soft">
            Nothing is sent there any more, and links that it was sent stay good until their asks are over.
          </p>
          <details class="tuck">
            <summary class="button">Remove…</summary>
            <form class="tuck-body" method="post" action={`${base}/remove`}>
              <button class="button button-main" type="submit">
                Remove it
              </button>
            </form>
          </details>
        </section>
      ) : null}
    </ChannelFrame>
  );
}

/** What to do about the last failure, as long as it is the last thing that happened. */
function Advice({ channel: { health } }: { readonly channel: ShownChannel }) {
  if (!isFailing(health) || health.last_failure === null) return null;
  const { todo } = failureWords(health.last_failure);
  return todo === null ? null : <p>{todo}</p>;
}

function ChangeForm(props: ChannelPageProps & { readonly base: string }) {
  const { frame, channel, draft, result, form, base } = props;
  const mine = form === "change" ? result : undefined;
  const shown = (form === "change" ? draft : undefined) ?? { ...channel, own: true, target: {} };
  return (
    <section class="card pad stack" aria-labelledby="change">
      <h2 id="change">Name and events</h2>
      <form class="stack form" method="post" action={`${base}#result`}>
        {mine === undefined ? null : <Refused result={mine} />}
        <NameAndEvents draft={shown} isAdmin={hasRole(frame.member.role, "admin")} result={mine} />
        <p>
          <button class="button button-main" type="submit">
            Save
          </button>
        </p>
      </form>
    </section>
  );
}

function TargetSection({
  channel,
  draft,
  result,
  form,
  base,
  maySet,
}: ChannelPageProps & { readonly base: string }) {
  const { kind } = channel;
  const mine = form === "target" ? result : undefined;
  return (
    <section class="card pad stack" aria-labelledby="target">
      <h2 id="target">Where it goes</h2>
      <p>
        <Recorded text={shownText(channel)} />
      </p>
      <p class="hint">The rest of it is kept encrypted and never shown again.</p>
      {maySet && KINDS[kind].fields.length > 0 ? (
        <details class="tuck" open={mine !== undefined}>
          <summary class="button">Send it elsewhere…</summary>
          <form class="tuck-body stack form" method="post" action={`${base}/target#result`}>
            {mine === undefined ? null : <Refused result={mine} />}
            <TargetFields kind={kind} draft={form === "target" ? draft : undefined} result={mine} />
            <p>
              <button class="button button-main" type="submit">
                Send it there
              </button>
            </p>
          </form>
        </details>
      ) : null}
    </section>
  );
}

function Rotation({ base }: { base: string }) {
  return (
    <section class="card pad stack" aria-labelledby="secret-title">
      <h2 id="secret-title">Signing secret</h2>
      <p class="soft">
        A new secret is shown once. For {HOURS} hours requests are signed with the one before, too, so that
        your program can change over without missing any.
      </p>
      <details class="tuck">
        <summary class="button">Make a new secret…</summary>
        <form class="tuck-body" method="post" action={`${base}/rotate`}>
          <button class="button button-main" type="submit">
            Make it
          </button>
        </form>
      </details>
    </section>
  );
}

function NameAndEvents({
  draft,
  isAdmin,
  result,
}: {
  readonly draft: Pick<ChannelDraft, "name" | "events">;
  readonly isAdmin: boolean;
  readonly result: FormResult | undefined;
}) {
  const faults = faultsIn(result);
  return (
    <>
      <TextField id="name" label="Name" value={draft.name} mayEdit faults={faults}>
        So that you know which one it is.
      </TextField>
      <fieldset id="events">
        <legend>Told</legend>
        {eventsFor(isAdmin).map((event) => (
          <label class="check" for={`event-${event}`}>
            <input
              id={`event-${event}`}
              type="checkbox"
              name="event"
              value={event}
              checked={draft.events.includes(event)}
            />
            <span>{EVENT_WORDS[event]}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

function TargetFields({
  kind,
  draft,
  result,
}: {
  readonly kind: ChannelKind;
  readonly draft: ChannelDraft | undefined;
  readonly result: FormResult | undefined;
}) {
  const faults = faultsIn(result);
  return (
    <>
      {KINDS[kind].fields.map(({ name, label, hint, secret = false }) => {
        const id = `target-${name}`;
        if (secret) return <SecretField id={id} label={label} hint={hint} result={result} />;
        return (
          <TextField id={id} label={label} value={draft?.target[name] ?? ""} mayEdit faults={faults}>
            {hint}
          </TextField>
        );
      })}
    </>
  );
}

/** What is typed here goes in and never out. */
function SecretField({
  id,
  label,
  hint,
  result,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly result: FormResult | undefined;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="password"
        name={id}
        autocomplete="new-password"
        autocapitalize="off"
        spellcheck={false}
        {...described(id, faultsIn(result), true)}
      />
      <p id={`${id}-hint`} class="hint">
        {hint}
        {result === undefined ? null : " What you typed was not kept: type it again."}
      </p>
    </div>
  );
}

function Whose({ value, words, checked }: { value: string; words: string; checked: boolean }) {
  return (
    <label class="check" for={`whose-${value}`}>
      <input id={`whose-${value}`} type="radio" name="whose" value={value} checked={checked} />
      <span>{words}</span>
    </label>
  );
}

export interface SecretPageProps {
  readonly frame: Frame;
  readonly channel: ShownChannel;
  readonly secret: string;
  /** True when it takes over from one that goes on signing for a day. */
  readonly isRotation: boolean;
  /** True while the database could not be written. */
  readonly pending: boolean;
}

/** The one answer that holds a webhook's secret. */
export function SecretPage({ frame, channel, secret, isRotation, pending }: SecretPageProps) {
  return (
    <ChannelFrame title="Signing secret" frame={frame} scripts={["/assets/copy.js"]}>
      <div class="stack-tight">
        <h1>Here is the secret</h1>
        <p class="lead">
          Requests to <Recorded text={channel.name} /> are signed with it. It is shown this once.
          {isRotation ? ` The one before signs beside it for ${HOURS} hours.` : ""}
        </p>
      </div>
      {pending ? (
        <div class="note note-strong" role="status">
          <p class="note-title">It is not in use yet</p>
          <p>It is on record, and is used as soon as the database can be written. Do not make another.</p>
        </div>
      ) : null}
      <div class="card pad stack">
        <ShownOnce label="Signing secret" secret={secret} />
        <p class="soft">
          Your program checks three headers with it, as Standard Webhooks says, and refuses what does not fit:
        </p>
        <Code text={"webhook-id\nwebhook-timestamp\nwebhook-signature: v1,…"} />
      </div>
      <p>
        <a class="button" href={pending ? "/channels" : `/channels/${channel.channel}`}>
          I have kept it. Go on
        </a>
      </p>
    </ChannelFrame>
  );
}

function ChannelFrame({
  title,
  frame,
  scripts = [],
  children,
}: {
  readonly title: string;
  readonly frame: Frame;
  readonly scripts?: readonly "/assets/copy.js"[];
  readonly children?: Child;
}) {
  return (
    <Page title={title} frame={frame} place="/settings" scripts={scripts}>
      <a class="crumb" href="/channels">
        ← Channels
      </a>
      <div class="stack-wide">{children}</div>
    </Page>
  );
}
