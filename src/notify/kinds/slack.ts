/**
 * Slack's incoming webhooks, and what speaks their language. Everything that a stranger chose stands in `plain_text`,
 * where Slack reads no markup, no mention and no emoji; in the fallback, which it does read, it is escaped.
 */
import * as z from "zod";
import { readAddress } from "../../addresses.ts";
import { dispatch, isRefusal } from "../dispatch.ts";
import { type Message, titleText } from "../message.ts";
import { plainText } from "../names.ts";
import { addressFault, type Kind } from "./kind.ts";

/** Slack's own bounds: 150 for a header, 3,000 for a section with all of its link. */
const MAX_HEADER = 150;
const MAX_SECTION = 2_900;

const Target = z.strictObject({
  url: z.string().max(2_048).meta({ description: "Of an incoming webhook." }),
});

/** Slack's three escapes; the rest of its markup is kept from meaning anything. */
export function escapedForSlack(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[`*_~]/g, (mark) => `\u200b${mark}\u200b`);
}

export function slackBody(message: Message): string {
  const lines = message.lines.map(plainText).join("\n").slice(0, MAX_SECTION);
  // A line and no button: a button also calls back, and an incoming webhook has nobody who answers.
  const link = `<${message.url.replace(/[<>|\s]/g, "")}|${message.action}>`;
  const title = escapedForSlack(titleText(message));
  const quiet = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false };
  // The longest of sessions' names make a link that fits no block.
  if (link.length > MAX_SECTION)
    return JSON.stringify({ ...quiet, text: `${title}\n${escapedForSlack(lines)}\n${link}`, mrkdwn: true });
  return JSON.stringify({
    ...quiet,
    text: title,
    mrkdwn: false,
    blocks: [
      { type: "header", text: { ...literal, text: titleText(message).slice(0, MAX_HEADER) } },
      { type: "section", text: { ...literal, text: lines } },
      // With what Slack reads as markup, there is no word of a stranger.
      { type: "section", text: { type: "mrkdwn", text: link, verbatim: true } },
    ],
  });
}

const literal = { type: "plain_text", emoji: false } as const;

export const slack: Kind<z.infer<typeof Target>> = {
  target: Target,
  kept: Target,
  faults: ({ url }, reach) => {
    const read = readAddress(url, reach, "whole");
    return read.ok ? [] : [addressFault("/url", read.cause)];
  },
  shown: ({ url }) => ({ host: new URL(url).host }),
  send: (target, message, ways) =>
    dispatch(
      { url: target.url, headers: { "content-type": "application/json" }, body: slackBody(message) },
      ways,
      isRefusal,
    ),
};
