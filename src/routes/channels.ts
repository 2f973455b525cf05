/** `/v1/channels`: who is told of asks, and where; `/v1/push/key`: what a browser needs to be told. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { memberCaller } from "../http/access.ts";
import {
  addChannel,
  ChannelChange,
  changeChannel,
  channelsInSight,
  NewChannel,
  pushKey,
  removeChannel,
  type ShownChannel,
  testChannel,
} from "../http/channels.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { ChannelId } from "../http/schemas.ts";
import { CHANNEL_EVENTS, CHANNEL_KINDS, failureWords } from "../notify/index.ts";

/** Targets are a few addresses and tokens. */
const LIMIT_BYTES = 32 * 1024;

const Health = z
  .object({
    state: z.enum(["unused", "working", "failing"]).meta({
      description: "`unused`: nothing was sent yet. `failing`: the last message did not get there.",
    }),
    last_sent_at: z.int().nullable(),
    last_failed_at: z.int().nullable(),
    failures: z.int().meta({ description: "In a row; 0 after a success." }),
    last_failure: z.string().nullable().meta({ description: "A stable word, e.g. `timeout`, `status-500`." }),
  })
  .meta({ id: "ChannelHealth" });

const Channel = z
  .object({
    channel: z.string(),
    kind: z.enum(CHANNEL_KINDS),
    name: z.string(),
    events: z.array(z.enum(CHANNEL_EVENTS)),
    own: z.boolean().meta({ description: "True for one of the caller's own." }),
    member: z.string().nullable().meta({
      description:
        "Whose own it is: it carries their links. `null` for the organization's, which carries none.",
    }),
    shown: z.record(z.string(), z.unknown()).meta({
      description: "What may be shown of the target: never a secret, a token or a whole address.",
    }),
    created_at: z.int(),
    health: Health,
  })
  .meta({ id: "Channel" });

const Changed = Channel.extend({
  secret: z.string().optional().meta({
    description:
      "Of a webhook whose secret was just made: `whsec_…`, for the `webhook-signature` header. Shown this once.",
  }),
  in_force: z.boolean().meta({
    description: "False while the database cannot be written: it comes into force once it can.",
  }),
}).meta({ id: "ChangedChannel" });

const ChannelParams = z.object({ channel_id: ChannelId });

const list = createRoute({
  method: "get",
  path: "/v1/channels",
  ...operation({
    operationId: "listChannels",
    summary: "List channels and how they fare",
    description: "Your own and the organization's; an admin sees everybody's.",
    tag: "Channels",
    access: { member: "approver" },
  }),
  responses: {
    200: jsonContent(z.object({ channels: z.array(Channel) }).meta({ id: "ChannelList" }), "The channels"),
    ...refusals(false),
  },
});

const add = createRoute({
  method: "post",
  path: "/v1/channels",
  ...operation({
    operationId: "addChannel",
    summary: "Set up a channel",
    description:
      "A channel of your own is sent your own links, by which you answer an ask; nobody else can set one up for you. A message holds who asks, which tool, why and how long, never an argument of the call.",
    tag: "Channels",
    access: { member: "approver" },
    limit: LIMIT_BYTES,
  }),
  request: { body: jsonRequest(NewChannel) },
  responses: { 201: jsonContent(Changed, "The channel"), ...refusals(true, "conflict") },
});

const change = createRoute({
  method: "patch",
  path: "/v1/channels/{channel_id}",
  ...operation({
    operationId: "changeChannel",
    summary: "Change a channel, or rotate a webhook's secret",
    tag: "Channels",
    access: { member: "approver" },
    limit: LIMIT_BYTES,
  }),
  request: { params: ChannelParams, body: jsonRequest(ChannelChange) },
  responses: { 200: jsonContent(Changed, "The channel"), ...refusals(true, "conflict") },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/channels/{channel_id}",
  ...operation({
    operationId: "removeChannel",
    summary: "Remove a channel",
    description: "Yours; an admin also removes the organization's and everybody else's.",
    tag: "Channels",
    access: { member: "approver" },
  }),
  request: { params: ChannelParams },
  responses: { 204: { description: "Removed" }, ...refusals(false, "publish-pending") },
});

const test = createRoute({
  method: "post",
  path: "/v1/channels/{channel_id}/test",
  ...operation({
    operationId: "testChannel",
    summary: "Send a test message now",
    description:
      "A harmless message, once, without retries; to a webhook, the event `test`. It says what happened, also when it failed.",
    tag: "Channels",
    access: { member: "approver" },
  }),
  request: { params: ChannelParams },
  responses: {
    200: jsonContent(
      z
        .object({
          sent: z.boolean(),
          failure: z.string().optional().meta({
            description:
              "Why it was not sent: a stable word, e.g. `timeout`, `redirect`, `gone`, `name-not-found`, `status-500`.",
          }),
          detail: z.string().optional().meta({ description: "The same in words, and what to do about it." }),
        })
        .meta({ id: "ChannelTest" }),
      "What happened",
    ),
    ...refusals(false),
  },
});

const key = createRoute({
  method: "get",
  path: "/v1/push/key",
  ...operation({
    operationId: "readPushKey",
    summary: "Read the key that browsers subscribe with",
    description:
      "The `applicationServerKey` for `PushManager.subscribe` (RFC 8292): an uncompressed P-256 point, base64url. A subscription made with it is the target of a channel of kind `push`.",
    tag: "Channels",
    access: { member: "approver" },
  }),
  responses: {
    200: jsonContent(z.object({ key: z.string() }).meta({ id: "PushKey" }), "The key"),
    ...refusals(false),
  },
});

export const channels = newRouter();

channels.openapi(list, async (c) => {
  const { member } = memberCaller(c);
  const found = await channelsInSight(c);
  return c.json({ channels: found.map((one) => channelOf(one, member)) }, 200);
});

channels.openapi(add, async (c) => {
  const { channel, secret, in_force } = await addChannel(c, c.req.valid("json"));
  const shown = channelOf(channel, memberCaller(c).member);
  return c.json({ ...shown, ...(secret === null ? {} : { secret }), in_force }, 201);
});

channels.openapi(change, async (c) => {
  const { channel_id: id } = c.req.valid("param");
  const { channel, secret, in_force } = await changeChannel(c, id, c.req.valid("json"));
  const shown = channelOf(channel, memberCaller(c).member);
  return c.json({ ...shown, ...(secret === null ? {} : { secret }), in_force }, 200);
});

channels.openapi(remove, async (c) => {
  await removeChannel(c, c.req.valid("param").channel_id);
  return c.body(null, 204);
});

channels.openapi(test, async (c) => {
  const result = await testChannel(c, c.req.valid("param").channel_id);
  if (result.sent) return c.json(result, 200);
  const { what, todo } = failureWords(result.failure);
  return c.json(
    { ...result, detail: `It did not get there: ${what}.${todo === null ? "" : ` ${todo}`}` },
    200,
  );
});

channels.openapi(key, async (c) => c.json({ key: await pushKey(c) }, 200));

function channelOf(channel: ShownChannel, member: string): z.infer<typeof Channel> {
  const { member_name: _name, events, shown, ...rest } = channel;
  return { ...rest, events: [...events], own: channel.member === member, shown: { ...shown } };
}
