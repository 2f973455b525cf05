/** Whether a tool acts on the kind of thing that a clause is about: an issue is no pull request, a mail no channel. */
import type { Act } from "../../../types.ts";
import { compareKinds, kindsOfNouns } from "../../objects.ts";
import type { Ready } from "./match.ts";
import { tokensOf } from "./names.ts";

/** What holds things of other kinds: close to them in words, and far more than one of them. */
const HOLDERS = ["channel", "repo", "board"] as const;

/** What a service's tools are about where their names do not say. */
const OF_SERVICE: readonly (readonly [RegExp, string])[] = [
  [/mail|outlook|imap/, "mail"],
  [/calendar|gcal/, "event"],
  [/homeassistant|home_assistant|hue|smartthings/, "device"],
  [/spotify|music|sonos/, "song"],
];

/** Words of tools that say nothing of what they are about. */
const NEUTRAL =
  /^(?:item|items|thing|record|records|entry|data|object|resource|entity|status|state|value|property|properties|field|fields|setting|settings|info|details|content|batch|bulk|list|app|api|service|element|page|playback|playlist|all|multiple|many|new|my|me|user|by|id|to|in|on|of|the|as|for|with|from|and)$/;

/** As `compareKinds`; `stranger` where the tool names a thing of no known kind that the words do not speak of. */
export function compareThings(
  { kinds, quote }: Ready,
  { object, service }: Act,
): "same" | "near" | "other" | "unknown" | "stranger" {
  const words =
    object.length > 0
      ? object
      : OF_SERVICE.filter(([name]) => name.test(service ?? "")).map(([, noun]) => noun);
  const own = kindsOfNouns(words);
  const kind = compareKinds(kinds, own);
  if (kind === "near" && HOLDERS.some((one) => own.has(one) && !kinds.has(one))) return "other";
  if (kind !== "unknown" || own.size > 0) return kind;
  const telling = object.filter((word) => word.length > 2 && !/\d/.test(word) && !NEUTRAL.test(word));
  if (telling.length === 0 || kinds.size === 0) return "unknown";
  const said = tokensOf(quote);
  return telling.some((word) => said.some((one) => one.startsWith(word.slice(0, 5))))
    ? "unknown"
    : "stranger";
}
