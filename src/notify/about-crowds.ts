/** What people are told of asks that are too many to be told one by one. */
import type { LiveChannel } from "../db/channel-health.ts";
import { mayAnswer } from "./about-approvals.ts";
import type { Matter, Notice, NoticeBox } from "./box.ts";
import { crowdMessage } from "./message.ts";

/** `null` for one that is not known. */
export function crowdMatterOf(box: NoticeBox, { subject }: Notice): Matter | null {
  const crowd = box.crowd(subject);
  if (crowd === null) return null;
  return {
    origin: crowd.origin,
    // A program has heard of each by itself.
    isFor: (channel: LiveChannel) => channel.kind !== "webhook" && mayAnswer(channel),
    readiness: () => Promise.resolve("all"),
    message: () => Promise.resolve(crowdMessage(crowd, `${crowd.origin}/approvals`)),
  };
}
