/** Which thing a call means, by the arguments that identify it, beside the ids and names that were typed. */

import type { Item } from "../../../types.ts";
import { kindsOfNoun } from "../../objects.ts";
import type { Call, Ready } from "./match.ts";

/** Arguments by which a call says which thing it means. */
const IDENTIFIES =
  /(?:^|_)(?:id|ids|number|key|code|ref|pnr|slug|sku|owner|repo|repository|org|organization|branch|head|order|invoice|ticket|issue|pr|project|board|database|entity_id|account|delivery|booking|reservation|thread|page|card|component|monitor|feature|feature_flag|flag_key|segment|folder|bucket|calendar|list|workspace|tag|label_id|name|charge|charge_id|payment|payment_intent|transaction|subscription|sheet|spreadsheet|table)$/;
/** Which of them name a place that holds other things, where people use names and not ids. */
const CONTAINERS =
  /^(?:owner|repo|repository|org|organization|project|board|database|list|folder|bucket|calendar|workspace|sheet|spreadsheet|component|monitor|feature|feature_flag|flag_key|segment)$/;
const FREE =
  /^(?:title|summary|subject|description|body|text|message|content|query|start|end|time|date|status|state|label|labels|color|priority|type|kind|action|domain|service|data|plan|schedule|stars|rating|ref|head|base|head_branch|base_branch|name|display_name|message_id|thread_id|request_id|idempotency_key|file|url|command|role|permission)$/;

/**
 * `named`: every id that the call gives was typed. `open`: none was typed that it could be held to, so that it was looked
 * up. `other`: ids were typed, and this is another one.
 */
export function idsNamed(ready: Ready, items: readonly Item[]): "named" | "open" | "other" {
  const slug = slugOf(items);
  // What was typed for one argument is no measure for another.
  const used = new Set(items.map(({ value }) => value.toLowerCase()));
  let seen = 0;
  /** Of one argument's list: some typed and some not is more than was named. */
  const lists = new Map<string, { typed: boolean; other: boolean }>();
  for (const { name, value, pointer } of items) {
    const isBranch = BRANCH.test(name);
    if ((!isBranch && (FREE.test(name) || !IDENTIFIES.test(name))) || value.length > 200) continue;
    if (slug !== null && /^(?:owner|repo|repository)$/.test(name)) continue;
    const isOne = isTyped(ready, value);
    const list = /^(.*)\/\d+$/.exec(pointer)?.[1];
    if (list !== undefined) {
      const known = lists.get(list) ?? { typed: false, other: false };
      lists.set(list, { typed: known.typed || isOne, other: known.other || !isOne });
    }
    if (isOne) {
      seen += 1;
      continue;
    }
    // A branch that was typed, and the call goes for another.
    if (isBranch && isUnused(ready, items)) return "other";
    if (CONTAINERS.test(name)) {
      if (looksOpaque(value)) continue;
      // Where the words speak of such a place, it is the one they call by name.
      const spoken = ready.kinds.size > 0 && kindsOfNoun(name).some((kind) => ready.kinds.has(kind));
      if (spoken || ready.names.some((one) => !looksOpaque(one))) return "other";
      continue;
    }
    // An id that was looked up is none of those that were typed only when one like it was typed.
    if (ready.names.some((one) => alike(one, value) && !used.has(one))) return "other";
  }
  if ([...lists.values()].some(({ typed, other }) => typed && other)) return "other";
  if (slug !== null) {
    // What another argument is, a branch with a slash in it, is no repository.
    const slugs = ready.names.filter((one) => /^[\w.-]+\/[\w.-]+$/.test(one) && !used.has(one));
    if (slugs.includes(slug)) seen += 1;
    else if (slugs.length > 0) return "other";
  }
  return seen > 0 ? "named" : "open";
}

/** Whether the call's ids are what another clause of the same turn names: `close PR 17 and leave a comment`. */
export function idsBesides(
  ready: Ready,
  { effects: { items }, permissions }: Call,
): "named" | "open" | "other" {
  if (ready.names.some((name) => /^\S*\d\S*$/.test(name))) return "open";
  const { span } = ready.permission;
  const others = permissions.filter(
    (one) => one.permission.span.turn === span.turn && one.permission.span.start !== span.start,
  );
  const used = new Set(items.map(({ value }) => value.toLowerCase().replace(/^#/, "")));
  const given = items.filter(
    ({ name, value }) => IDENTIFIES.test(name) && !FREE.test(name) && /\d/.test(value) && value.length <= 200,
  );
  if (given.length === 0) return "open";
  if (given.every(({ value }) => others.some((one) => isTyped(one, value)))) return "named";
  const isTwin = others.some(({ names }) =>
    names.some((name) => !used.has(name.replace(/^#/, "")) && given.some(({ value }) => alike(name, value))),
  );
  return isTwin ? "other" : "open";
}

const BRANCH =
  /^(?:(?:head|source|from|new|feature)_)?branch(?:es|_name|_names)?$|^head$|^tags?$|^tag_names?$/;

/** True where the words name something like a branch that no argument of the call is. */
function isUnused(ready: Ready, items: readonly Item[]): boolean {
  const slug = slugOf(items);
  const given = new Set(
    items.flatMap(({ value }) => [value.toLowerCase(), ...value.toLowerCase().split(":")]),
  );
  return ready.names.some((one) => /^[\w.]+(?:[/-][\w.-]+)+$/.test(one) && one !== slug && !given.has(one));
}

function slugOf(items: readonly Item[]): string | null {
  const owner = items.find(({ name }) => name === "owner")?.value;
  const repo = items.find(({ name }) => name === "repo" || name === "repository")?.value;
  return owner !== undefined && repo !== undefined ? `${owner}/${repo}`.toLowerCase() : null;
}

function isTyped(ready: Ready, value: string): boolean {
  const folded = value.toLowerCase();
  if (ready.names.includes(folded) || ready.names.includes(`#${folded}`)) return true;
  const words = folded.split(/[\s_.-]+/).filter((word) => word.length > 2);
  return words.length > 0 && words.every((word) => ready.words.has(word) || ready.words.has(`${word}s`));
}

const looksOpaque = (value: string): boolean =>
  /\d/.test(value) || /^[A-Za-z]{1,3}_/.test(value) || value.length > 24;

/** `1235` is like `1234`, `INV-78` like `INV-77`; `abc_9x` is like neither. */
function alike(typed: string, value: string): boolean {
  const shape = (text: string): string =>
    text
      .replace(/^#/, "")
      .replace(/\d+/g, "9")
      .replace(/[a-z]+/gi, "a");
  return /\d/.test(typed) && shape(typed) === shape(value);
}

/** What stands behind the last slash, folded. */
export const baseName = (text: string): string => text.slice(text.lastIndexOf("/") + 1).toLowerCase();
