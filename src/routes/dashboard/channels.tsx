/**
 * `/channels`: who is told of asks, and where. Approvers set up their own, admins the organization's; an admin sees how
 * everybody's fare. A push channel sets itself up by its script, over the API.
 */
import type { Context } from "hono";
import { type Fault, Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import {
  addChannel,
  type ChangedChannel,
  ChannelChange,
  changeChannel,
  channelInSight,
  channelsInSight,
  mayRemove,
  maySet,
  NewChannel,
  removeChannel,
  type ShownChannel,
  targetFaults,
  testChannel,
  usualEvents,
} from "../../http/channels.ts";
import type { AppEnv } from "../../http/context.ts";
import { faultsOf } from "../../http/faults.ts";
import { newRouter } from "../../http/router.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import { ChannelPage, type ChannelPageProps, NewChannelPage, SecretPage } from "./channel-page.tsx";
import {
  type ChannelDraft,
  channelFaults,
  FORM_KINDS,
  failureSentences,
  targetFrom,
  typedChannel,
} from "./channel-values.ts";
import { ChannelsPage, type Said } from "./channels-page.tsx";
import { FormProblem } from "./form-problem.ts";
import { frameOf, sendPage } from "./layout.tsx";
import type { FormResult } from "./settings-fields.tsx";

const ACT = "set up channels";
const access = (operation: string) => page({ operation, role: "approver", act: ACT });

export const channelPages = newRouter();

channelPages.get("/channels", access("viewChannels"), async (c) => {
  const [frame, channels] = await Promise.all([frameOf(c), channelsInSight(c)]);
  const isAdmin = hasRole(frame.member.role, "admin");
  return sendPage(
    c,
    <ChannelsPage
      frame={frame}
      channels={channels}
      now={Date.now()}
      isAdmin={isAdmin}
      {...saidBy(c, channels)}
    />,
  );
});

channelPages.get("/channels/new/:kind", access("viewNewChannel"), async (c) => {
  const kind = kindOf(c.req.param("kind"));
  const frame = await frameOf(c);
  const { role } = frame.member;
  const isAdmin = hasRole(role, "admin");
  const draft: ChannelDraft = { name: "", events: usualEvents(role), own: true, target: {} };
  return sendPage(c, <NewChannelPage frame={frame} kind={kind} draft={draft} isAdmin={isAdmin} />);
});

channelPages.post("/channels/new/:kind", access("addChannel"), async (c) => {
  const kind = kindOf(c.req.param("kind"));
  const draft = typedChannel(await readForm(c), kind);
  const frame = await frameOf(c);
  const isAdmin = hasRole(frame.member.role, "admin");
  const again = (result: FormResult) => (
    <NewChannelPage frame={frame} kind={kind} draft={draft} isAdmin={isAdmin} result={result} />
  );
  const { name, events, own } = draft;
  const target = targetFrom(kind, draft);
  const wish = NewChannel.safeParse({ kind, name, events, own, target });
  if (!wish.success)
    throw invalid(kind, [...faultsOf("json", wish.error), ...targetFaults(c, kind, target)], again);
  const added = await made(c, kind, () => addChannel(c, wish.data), again);
  if (added.secret !== null) return secretPage(c, added, false);
  return c.redirect(`/channels?added=${added.channel.channel}#result`, 303);
});

channelPages.get("/channels/:channel", access("viewChannel"), async (c) => {
  const props = await channelProps(c, c.req.param("channel"));
  const said: Said | undefined = c.req.query("saved") === "yes" ? { title: "Saved" } : undefined;
  return sendPage(c, <ChannelPage {...props} {...(said === undefined ? {} : { said })} />);
});

channelPages.post("/channels/:channel", access("changeChannel"), async (c) => {
  const props = await channelProps(c, c.req.param("channel"));
  const { channel, kind } = props.channel;
  const draft = typedChannel(await readForm(c), kind);
  const again = (result: FormResult) => (
    <ChannelPage {...props} form="change" draft={draft} result={result} />
  );
  const { name, events } = draft;
  const change = ChannelChange.safeParse({ name, events });
  if (!change.success) throw invalid(kind, faultsOf("json", change.error), again);
  await made(c, kind, () => changeChannel(c, channel, change.data), again);
  return c.redirect(`/channels/${channel}?saved=yes#result`, 303);
});

channelPages.post("/channels/:channel/target", access("changeChannel"), async (c) => {
  const props = await channelProps(c, c.req.param("channel"));
  const { channel, kind } = props.channel;
  const draft = typedChannel(await readForm(c), kind);
  const again = (result: FormResult) => (
    <ChannelPage {...props} form="target" draft={draft} result={result} />
  );
  const target = targetFrom(kind, draft);
  await made(c, kind, () => changeChannel(c, channel, { target }), again);
  return c.redirect(`/channels/${channel}?saved=yes#result`, 303);
});

channelPages.post("/channels/:channel/rotate", access("changeChannel"), async (c) => {
  const props = await channelProps(c, c.req.param("channel"));
  const { channel, kind } = props.channel;
  const again = (result: FormResult) => <ChannelPage {...props} said={saidOf(result)} />;
  return secretPage(c, await made(c, kind, () => changeChannel(c, channel, { rotate: true }), again), true);
});

channelPages.post("/channels/:channel/test", access("testChannel"), async (c) => {
  const id = c.req.param("channel");
  const result = await testChannel(c, id);
  const said: Said = result.sent
    ? { title: "The test was sent", text: "Look whether it is there." }
    : {
        title: "The test did not get there",
        text: failureSentences(result.failure),
        isFailure: true,
      };
  // Not a redirect: what happened is said in this one answer.
  return sendPage(c, <ChannelPage {...(await channelProps(c, id))} said={said} />);
});

channelPages.post("/channels/:channel/remove", access("removeChannel"), async (c) => {
  const props = await channelProps(c, c.req.param("channel"));
  const again = (problem: Problem) => (
    <ChannelPage {...props} said={{ title: "Nothing was removed", text: problem.message, isFailure: true }} />
  );
  await orFormAgain(c, () => removeChannel(c, props.channel.channel), again);
  return c.redirect("/channels?removed=yes#result", 303);
});

type Again = (result: FormResult) => FormProblem["page"];

/**
 * Makes a change. What refuses it is said in the form that asked for it; a change that is not in force is only answered
 * as made when it holds a secret, which would be lost.
 */
async function made(
  c: Context<AppEnv>,
  kind: ShownChannel["kind"],
  change: () => Promise<ChangedChannel>,
  again: Again,
): Promise<ChangedChannel> {
  const changed = await orFormAgain(c, change, ({ message, details: { errors } }) =>
    again(
      errors === undefined
        ? { kind: "failed", detail: message }
        : { kind: "faulty", faults: channelFaults(kind, errors) },
    ),
  );
  if (changed.in_force || changed.secret !== null) return changed;
  throw new Problem(
    "publish-pending",
    "The change is on record and comes into force as soon as the database can be written. Do not repeat it.",
    { headers: { "retry-after": "10" } },
  );
}

function invalid(kind: ShownChannel["kind"], errors: readonly Fault[], again: Again): FormProblem {
  const faults = channelFaults(kind, errors);
  return new FormProblem("invalid-request", "Nothing was saved.", again({ kind: "faulty", faults }), {
    errors,
  });
}

/** The secret is in this one answer and nowhere else. */
async function secretPage(c: Context<AppEnv>, made: ChangedChannel, isRotation: boolean) {
  const { channel, secret, in_force } = made;
  return sendPage(
    c,
    <SecretPage
      frame={await frameOf(c)}
      channel={channel}
      secret={secret ?? ""}
      isRotation={isRotation}
      pending={!in_force}
    />,
    201,
  );
}

async function channelProps(c: Context<AppEnv>, id: string): Promise<ChannelPageProps> {
  const caller = memberCaller(c);
  const [frame, channel] = await Promise.all([frameOf(c), channelInSight(c, id)]);
  return {
    frame,
    channel,
    now: Date.now(),
    maySet: maySet(caller, channel.member),
    mayRemove: mayRemove(caller, channel.member),
  };
}

/** @throws {Problem} `not-found` for a kind that no form sets up */
function kindOf(text: string): (typeof FORM_KINDS)[number] {
  const kind = FORM_KINDS.find((one) => one === text);
  if (kind === undefined) throw new Problem("not-found", "There is no such kind of channel.");
  return kind;
}

/** What the address says was just done, as far as the list bears it out. */
function saidBy(c: Context<AppEnv>, channels: readonly ShownChannel[]): { said?: Said } {
  const added = channels.find(({ channel }) => channel === c.req.query("added"));
  if (added !== undefined)
    return { said: { title: "Added", text: "Send a test from its page to see whether it gets there." } };
  return c.req.query("removed") === "yes" ? { said: { title: "Removed" } } : {};
}

function saidOf(result: FormResult): Said {
  const text = result.kind === "failed" ? result.detail : "Something is wrong with what was sent.";
  return { title: "Nothing was changed", text, isFailure: true };
}
