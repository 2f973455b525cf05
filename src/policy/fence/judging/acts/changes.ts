/**
 * Tools that change anything of a thing: `update_issue`, `modify_message`, `update_event`. What such a call does is in its
 * arguments. `Close issue 12` is done by setting its state, `archive the newsletters` by taking a label away: it is what
 * was asked for where it changes that, to a value that fits, and nothing besides.
 */
import type { Act } from "../../../types.ts";
import { compareKinds, kindsOfNouns } from "../../objects.ts";
import { plainVerb } from "../../verbs.ts";
import type { Call, Ready } from "./match.ts";
import { tokensOf } from "./names.ts";

const CHANGES = new Set("update modify edit patch set change transition move batch add remove".split(" "));

/** What says which thing is meant, or how it is to be told, and changes nothing. */
const CONTEXT =
  /(?:^|_)(?:ids?|key|number|owner|repo|repository|org|organization|project|workspace|team|calendar|board|mailbox|user|account|etag|send_updates|send_notifications|notify|time_?zone|return\w*|fields|format)$/;
const LABELS =
  /^(?:add|remove|new|set)?_?(?:labels?|tags?|label_ids?|label_names?|categories|category)(?:_to_(?:add|remove))?$|^(?:add|remove)$/;
const STATE =
  /^(?:new_)?(?:state|status|state_reason|resolution|transition|transition_id|completed|complete|done|closed|is_completed|checked|stage|column|list|lane|section)$/;
const TIME =
  /^(?:start|end|start_time|end_time|start_date|end_date|date|time|date_time|due|due_date|due_on|when|starts_at|ends_at|new_start|new_end|new_time|new_date|duration|begin)$/;
const NAME = /^(?:new_)?(?:name|title|summary|subject|label)$/;
const PLACE =
  /^(?:parent|parents|parent_id|folder|folder_id|folders|new_parent|new_parent_id|destination|destination_folder|add_parents|remove_parents|list|list_id|column|column_id|section|position|pos|board|board_id|to|target)$/;
const PEOPLE = /^(?:assignees?|assignee_ids?|assigned_to|owner|responsible|reviewers?)$/;
const FLAG =
  /^(?:starred|star|flagged|flag|important|is_important|pinned|pin|archived|archive|is_archived|read|is_read|unread|is_unread|seen|locked|priority)$/;

interface Change {
  /** First words of requests, in the vocabulary of verbs or as typed. */
  readonly verbs: RegExp;
  readonly arguments: readonly RegExp[];
  /** Whether the value fits what was said; anything does where it is left out. */
  readonly fits?: (value: string, name: string, said: ReadonlySet<string>) => boolean;
}

const isTyped = (value: string, said: ReadonlySet<string>): boolean => {
  const words = tokensOf(value);
  return words.length > 0 && words.every((word) => said.has(word));
};
const isOn = (value: string): boolean => !/^(?:false|0|no|none|off|)$/i.test(value.trim());

/** Labels that services keep for themselves. What they put away is never what another word asks for. */
const labelled =
  (removed: RegExp, added: RegExp) =>
  (value: string, name: string, said: ReadonlySet<string>): boolean => {
    const isRemoval = /remove/.test(name);
    if (isRemoval) return removed.test(value);
    return (
      added.test(value) ||
      (!LABELS.test(name) && /^(?:true|1|yes|on)$/i.test(value.trim())) ||
      (!/^(?:trash|spam)$/i.test(value) && isTyped(value, said))
    );
  };

const NOTHING = /^(?!)/;

const TABLE: readonly Change[] = [
  {
    verbs: /^(?:close|resolve|complete|finish)$/,
    arguments: [STATE],
    fits: (value) => /clos|done|complet|resolv|finish|fixed|true|cancel|not_planned|\d/i.test(value),
  },
  { verbs: /^reopen$/, arguments: [STATE], fits: (value) => /open|todo|to do|false|backlog|\d/i.test(value) },
  { verbs: /^(?:label|tag)$/, arguments: [LABELS], fits: labelled(NOTHING, NOTHING) },
  {
    verbs: /^(?:unlabel|untag)$/,
    arguments: [LABELS],
    fits: (value, name, said) => /remove/.test(name) && isTyped(value, said),
  },
  { verbs: /^archive$/, arguments: [LABELS, FLAG, STATE], fits: labelled(/^inbox$/i, /^archived?$/i) },
  { verbs: /^star$/, arguments: [LABELS, FLAG], fits: labelled(NOTHING, /^starred$/i) },
  { verbs: /^flag$/, arguments: [LABELS, FLAG], fits: labelled(NOTHING, /^(?:starred|important|flagged)$/i) },
  {
    verbs: /^mark$/,
    arguments: [LABELS, FLAG, STATE],
    fits: (value, name, said) => {
      if (said.has("unread")) return labelled(NOTHING, /^unread$/i)(value, name, said);
      if (said.has("read") || said.has("gelesen") || said.has("leido"))
        return (
          labelled(/^unread$/i, /^(?:true|read|seen)$/i)(value, name, said) ||
          (/unread/.test(name) && !isOn(value))
        );
      return labelled(NOTHING, NOTHING)(value, name, said) || isTyped(value, said);
    },
  },
  { verbs: /^assign$/, arguments: [PEOPLE], fits: (value, _name, said) => isTyped(value, said) },
  { verbs: /^(?:reschedule|postpone|shift|move|schedule)$/, arguments: [TIME] },
  { verbs: /^move$/, arguments: [PLACE, STATE, NOTHING] },
  { verbs: /^(?:rename|retitle)$/, arguments: [NAME] },
  { verbs: /^(?:pin|lock|snooze|prioritize)$/, arguments: [FLAG, TIME] },
  {
    verbs: /^(?:update|change|set|edit)$/,
    arguments: [STATE, TIME, NAME, PEOPLE, FLAG],
    fits: (value, _name, said) => isTyped(value, said),
  },
];

const rowsOf = ({ verbs, quote }: Ready): readonly Change[] => {
  const head = tokensOf(quote.slice(0, 80)).slice(0, 4);
  return TABLE.filter((row) => [...verbs, ...head].some((verb) => row.verbs.test(verb)));
};

/** The clause itself, or one that names no other thing than it does: `assign it`. */
const isSameThing = (ready: Ready, other: Ready): boolean =>
  other === ready ||
  (other.permission.risk === ready.permission.risk &&
    other.names.every((name) => !/\d/.test(name) || ready.names.includes(name)));

/** True where all that the call changes is what the person's verb asks to change of such a thing. */
export function changesOnly(ready: Ready, act: Act, { effects: { items }, permissions }: Call): boolean {
  if (!CHANGES.has(plainVerb(act.verbs[0] ?? ""))) return false;
  const own = kindsOfNouns(act.object.filter((word) => word !== "batch"));
  const isMailLabel =
    act.object.some((word) => word === "label" || word === "labels") && ready.kinds.has("mail");
  // `The status of ENG-42` is about ENG-42, whatever it is.
  const isTypedId = items.some(
    ({ name, value }) => CONTEXT.test(name) && /\d/.test(value) && ready.names.includes(value.toLowerCase()),
  );
  if (compareKinds(ready.kinds, own) === "other" && !isMailLabel && !isTypedId) return false;
  if (rowsOf(ready).length === 0) return false;
  // `Move it to review and assign it to Priya` may be done by one call: what the clauses of one turn ask for, of one thing.
  const turn = permissions.filter(
    (one) => one.permission.span.turn === ready.permission.span.turn && isSameThing(ready, one),
  );
  const rows = turn.flatMap(rowsOf);
  const said = new Set(turn.flatMap(({ quote }) => tokensOf(quote)));
  let changed = 0;
  for (const { name, value } of items) {
    if (
      CONTEXT.test(name) &&
      !LABELS.test(name) &&
      !rows.some((row) => row.arguments.some((one) => one.test(name)))
    )
      continue;
    const isAsked = rows.some(
      (row) => row.arguments.some((one) => one.test(name)) && (row.fits?.(value, name, said) ?? true),
    );
    if (!isAsked) return false;
    changed += 1;
  }
  return changed > 0;
}
