/**
 * A Telegram bot. Sent without a `parse_mode`, so that no character means anything; names are marked as code by their
 * position instead, and nothing in them becomes a mention or a link.
 */
import * as z from "zod";
import { dispatch, isRefusal } from "../dispatch.ts";
import type { Message } from "../message.ts";
import type { Text } from "../names.ts";
import { type Kind, masked } from "./kind.ts";

const API = "https://api.telegram.org";
/** Telegram's bound is 4,096; a message of ours is far below. */
const MAX_CHARACTERS = 4_000;

const Target = z.strictObject({
  token: z
    .string()
    .regex(/^\d{3,20}:[\w-]{20,100}$/)
    .meta({ description: "Of the bot, as BotFather gave it." }),
  chat_id: z
    .string()
    .regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/)
    .meta({
      description:
        "Who is written to. A member's own channel carries their links: name a private chat, not a group.",
    }),
});

interface Entity {
  readonly type: "code";
  /** UTF-16 code units, as in JavaScript. */
  readonly offset: number;
  readonly length: number;
}

export function telegramBody(chat: string, message: Message): string {
  let text = "";
  const entities: Entity[] = [];
  const add = (line: Text): void => {
    for (const part of line) {
      if (typeof part !== "string")
        entities.push({ type: "code", offset: text.length, length: part.name.length });
      text += typeof part === "string" ? part : part.name;
    }
    text += "\n";
  };
  for (const line of [message.title, [""], ...message.lines, [""]]) add(line);
  // A link can be long, and must be whole.
  const link = `${message.action}:\n${message.url}`;
  return JSON.stringify({
    chat_id: chat,
    text: text.slice(0, Math.max(0, MAX_CHARACTERS - link.length)) + link,
    entities,
    link_preview_options: { is_disabled: true },
    protect_content: true,
    disable_notification: !message.urgent,
  });
}

export const telegram: Kind<z.infer<typeof Target>> = {
  target: Target,
  kept: Target,
  faults: () => [],
  // What stands before the colon is the bot's public number.
  shown: ({ token, chat_id }) => ({
    bot: token.split(":")[0] ?? "",
    chat: chat_id.startsWith("@") ? chat_id : masked(chat_id, 3),
  }),
  send: ({ token, chat_id }, message, ways) =>
    dispatch(
      {
        url: `${API}/bot${token}/sendMessage`,
        headers: { "content-type": "application/json" },
        body: telegramBody(chat_id, message),
      },
      ways,
      isRefusal,
    ),
};
