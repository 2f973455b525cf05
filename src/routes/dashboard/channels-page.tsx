/** Where people hear of asks: their own channels, the organization's, for an admin everybody's, and how each fares. */
import type { ShownChannel } from "../../http/channels.ts";
import { ago, EVENT_WORDS, FORM_KINDS, failureText, isFailing, KINDS, shownText } from "./channel-values.ts";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, visible } from "./recorded.tsx";

/** What was just done, in words. */
export interface Said {
  readonly title: string;
  readonly text?: string;
  /** True for what did not work. */
  readonly isFailure?: boolean;
}

export interface ChannelsPageProps {
  readonly frame: Frame;
  readonly channels: readonly ShownChannel[];
  readonly now: number;
  readonly isAdmin: boolean;
  readonly said?: Said;
}

export function ChannelsPage({ frame, channels, now, isAdmin, said }: ChannelsPageProps) {
  const { member } = frame.member;
  const own = channels.filter((one) => one.member === member);
  const shared = channels.filter((one) => one.member === null);
  const others = channels.filter((one) => one.member !== null && one.member !== member);
  const list = { now, mayChange: true };
  return (
    <Page title="Channels" frame={frame} place="/settings" scripts={["/assets/push.js"]}>
      <a class="crumb" href="/settings">
        ← Settings
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Channels</h1>
          <p class="lead">
            Where people hear that an agent asks. A message says who asks, for which tool and why; never what
            the call holds.
          </p>
        </div>
        {said === undefined ? null : <Told said={said} />}
        <Failing channels={channels} now={now} member={member} />
        <section class="stack" aria-labelledby="own">
          <div class="stack-tight">
            <h2 id="own">Yours</h2>
            <p class="soft short">
              They carry your own links. Whoever reads one can answer in your name, so send them where only
              you read.
            </p>
          </div>
          <List
            {...list}
            channels={own}
            isOwn
            none="You have none yet: you hear of asks only when you look at this dashboard."
          />
          <ThisDevice />
        </section>
        <section class="stack" aria-labelledby="organization">
          <div class="stack-tight">
            <h2 id="organization">The organization's</h2>
            <p class="soft short">They carry no link that answers: whoever reads them signs in here first.</p>
          </div>
          <List {...list} mayChange={isAdmin} channels={shared} none="There is none." />
          {isAdmin ? null : <p class="soft">An admin sets these up.</p>}
        </section>
        {others.length === 0 ? null : (
          <section class="stack" aria-labelledby="others">
            <div class="stack-tight">
              <h2 id="others">Other members'</h2>
              <p class="soft short">Only they can change theirs. You can remove what is not wanted.</p>
            </div>
            <List {...list} channels={others} isOthers none="" />
          </section>
        )}
        <section class="stack" aria-labelledby="add">
          <h2 id="add">Add a channel</h2>
          <ul class="choices bare">
            {FORM_KINDS.map((kind) => (
              <li class="card pad stack-tight">
                <h3>{KINDS[kind].name}</h3>
                <p class="soft">{KINDS[kind].about}</p>
                <p>
                  <a class="button" href={`/channels/new/${kind}`}>
                    Add {KINDS[kind].name}
                  </a>
                </p>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}

export function Told({ said: { title, text, isFailure = false } }: { said: Said }) {
  return (
    <div class="note note-strong" role={isFailure ? "alert" : "status"} id="result">
      <p class="note-title">{title}</p>
      {text === undefined ? null : <p>{text}</p>}
    </div>
  );
}

/** What does not get there, before anything else: whoever relies on it waits for an ask that never comes. */
function Failing({
  channels,
  now,
  member,
}: {
  channels: readonly ShownChannel[];
  now: number;
  member: string;
}) {
  const failing = channels.filter(({ health }) => isFailing(health));
  if (failing.length === 0) return null;
  return (
    <div class="note note-strong">
      <p class="note-title">
        {failing.length === 1 ? "One channel does not work" : `${failing.length} channels do not work`}
      </p>
      <ul class="bare">
        {failing.map((one) => (
          <li>
            <a href={`/channels/${one.channel}`}>
              <Recorded text={one.name} />
            </a>
            <Whose channel={one} member={member} />: <HealthText channel={one} now={now} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Whose({ channel, member }: { channel: ShownChannel; member: string }) {
  if (channel.member === member) return <> (yours)</>;
  if (channel.member === null) return <> (the organization's)</>;
  return (
    <>
      {" "}
      (<Recorded text={channel.member_name ?? channel.member} />)
    </>
  );
}

/** How a channel fares, in a sentence without its full stop. */
export function HealthText({ channel: { health }, now }: { channel: ShownChannel; now: number }) {
  const { state, last_sent_at: sent, last_failed_at: failed, failures, last_failure } = health;
  if (state === "unused") return <>nothing was sent yet</>;
  if (state === "working")
    return (
      <>
        last sent <Ago at={sent ?? now} now={now} />
      </>
    );
  return (
    <>
      failed {failures === 1 ? "" : `${failures} times in a row, last `}
      <Ago at={failed ?? now} now={now} />: {failureText(last_failure)};{" "}
      {sent === null ? (
        "it has never worked"
      ) : (
        <>
          last sent <Ago at={sent} now={now} />
        </>
      )}
    </>
  );
}

function Ago({ at, now }: { at: number; now: number }) {
  return <time datetime={new Date(at).toISOString()}>{ago(at, now)}</time>;
}

function List({
  channels,
  now,
  mayChange,
  isOwn = false,
  isOthers = false,
  none,
}: {
  channels: readonly ShownChannel[];
  now: number;
  mayChange: boolean;
  /** The script knows its own device again among the caller's own alone. */
  isOwn?: boolean;
  isOthers?: boolean;
  none: string;
}) {
  if (channels.length === 0) return <p class="card pad soft">{none}</p>;
  return (
    <div class="card">
      <table class="things things-tall">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Told</th>
            <th scope="col">Health</th>
            {mayChange ? (
              <th scope="col" class="end">
                <span class="unheard">Change</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {channels.map((one) => (
            <tr {...(isOwn ? { "data-channel": one.channel } : {})}>
              <td>
                <strong>
                  <Recorded text={one.name} />
                </strong>
                <p class="soft">
                  {KINDS[one.kind].name} · <Recorded text={shownText(one)} />
                </p>
                {isOwn || one.member === null ? null : (
                  <p class="soft">
                    of <Recorded text={one.member_name ?? one.member} />
                  </p>
                )}
              </td>
              <td data-label="Told">{one.events.map((event) => EVENT_WORDS[event]).join(", and ")}</td>
              <td data-label="Health">
                {isFailing(one.health) ? <strong>Does not work: </strong> : null}
                <HealthText channel={one} now={now} />
              </td>
              {mayChange ? (
                <td class="end">
                  <a class="button button-quiet" href={`/channels/${one.channel}`}>
                    {isOthers ? "Look" : "Change"}
                    <span class="unheard">
                      {isOthers ? " at" : ""} {visible(one.name)}
                    </span>
                  </a>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shown by its script alone, where the browser can be told at all, or could be from the home screen. */
function ThisDevice() {
  return (
    <>
      <p class="soft short" data-push-install hidden>
        To be told on this iPhone or iPad, add Countersign to its Home Screen: tap Share, then Add to Home
        Screen. Open it from there, sign in, and come back to this page. It takes iOS 16.4 or newer.
      </p>
      <div class="stack-tight" data-push hidden>
        <p class="row">
          <button class="button" type="button">
            Tell me on this device
          </button>
          <span role="status" />
        </p>
        <p class="hint">
          Your browser asks you first. Whoever unlocks this device can answer in your name from the
          notification.
        </p>
      </div>
    </>
  );
}
