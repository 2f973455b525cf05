/**
 * What a call's arguments say besides the ids, beside what the words say: whose report is approved, which workflow is run,
 * which field of a ticket is changed, to what number. A value that has to be looked up tells nothing; one that can be read,
 * and that the words contradict, is another thing than the one that was asked for.
 */
import type { Act, Item } from "../../../types.ts";
import { kindsOfNoun } from "../../objects.ts";
import { plainVerb, verbRow } from "../../verbs.ts";
import { asked, type Call, type Match, type Ready } from "./match.ts";
import { isSaid, tokensOf } from "./names.ts";

/** Arguments whose value is somebody's or something's own name. */
const WHO =
  /^(?:employee|employee_name|person|assignee|user|user_name|username|handle|screen_name|customer|customer_name|charity|event|event_name|show|workflow|workflow_id|workflow_name|job_name|pipeline|pipeline_name)$/;
const HANDLE = /^(?:user|user_name|username|handle|screen_name)$/;
const PLACE = /^(?:env|environment|target_env|deploy_env|stage)$/;
/** What people call the places that a thing runs in. */
const PLACES: readonly RegExp[] = [
  /^(?:prod|production|live)$/,
  /^(?:staging|stage|preprod)$/,
  /^(?:dev|development|sandbox)$/,
  /^(?:test|testing|qa)$/,
  /^(?:preview)$/,
];
const NUMBER =
  /^(?:temperature|target_temperature|replicas|replica_count|percentage|brightness_pct|volume|volume_level|duration_minutes)$/;
const EVERY =
  /\b(?:them|these|those|all|every\w*|each|whole|bulk|alle\w*|jede\w*|tod[oa]s|cada)\b|所有|全部|每/iu;
/** In the name of a tool. */
const EVERYTHING =
  /[_-](?:all|everything|everyone|everybody)(?:[_-]|$)|[a-z](?:All|Everything|Everyone)(?=[A-Z]|$)/;
const ENDINGS = /^(?:ya?ml|json|toml|js|ts|sh|py|md|the|and|for|von|der|die|das|del|los|las)$/;

/** What of a thing a call changes, and the words that speak of it. */
const FIELDS: readonly { readonly argument: RegExp; readonly words: RegExp }[] = [
  {
    argument: /^(?:new_)?(?:state|status|stage|resolution|transition|completed|closed|archived|is_archived)$/,
    words:
      /stat(?:e|us)|\bclos|\bdone\b|complet|resolv|finish|reopen|\bopen|cancel|archiv|stage|\bmove|progress|\bmark|triage|schlie|erledig|cerr|关|完成|状态/iu,
  },
  {
    argument: /^(?:assignees?|assigned_to|assignee_ids?|owner|responsible|reviewers?)$/,
    words: /assign|\bown|responsib|review|\bhand|\bgive|zuweis|zuständig|asign|分配|负责/iu,
  },
  { argument: /^(?:email|email_address)$/, words: /mail|contact|login|correo|邮/iu },
  { argument: /^(?:phone|phone_number|mobile)$/, words: /phone|mobile|number|contact|tel[eé]|nummer|电话/iu },
  { argument: /^(?:password|login)$/, words: /password|login|passwor|contraseñ|密码/iu },
  { argument: /^(?:iban|account_number)$/, words: /iban|account|bank|konto|cuenta|账/iu },
  { argument: /^address$/, words: /address|contact|adress|direcci|地址/iu },
  {
    argument: /^(?:price|rate|discount)$/,
    words: /pric|cost|\brate|discount|preis|rabatt|preci|descuent|价|折/iu,
  },
  { argument: /^(?:priority|severity)$/, words: /priorit|urgen|sever|dringend|wichtig|priorid|优先|紧急/iu },
];
/** Words that say of themselves what is to be changed, whatever the argument would be called. */
const TELLING =
  /\b(?:due|date|deadline|title|name|headline|description|subject|summary|label|tag|bio|photo|picture|titel|datum|fälligkeit|título|fecha)\b|标题|日期|截止/iu;
const CHANGES = /^(?:update|modify|edit|patch|set|change)$/;

/** What a call that would otherwise be covered is held for, or `null`. */
export function otherValue(ready: Ready, act: Act, call: Call): Match | null {
  if (act.risk === "WRITE" || act.risk === "DELETE" || act.risk === "PERSISTENT") return null;
  const said = call.permissions.map(({ quote }) => quote.toLowerCase()).join("\n");
  const { items, tool } = call.effects;
  if (EVERYTHING.test(tool) && !EVERY.test(said)) return asked("scope-wider");
  if (items.some((item) => isOtherName(ready, said, item) || isOtherPlace(said, item)))
    return asked("target-not-named");
  if (act.risk === "FINANCIAL" && items.some((item) => isOtherTwin(ready, said, item)))
    return asked("target-not-named");
  if (items.some((item) => isOtherNumber(said, item) || isOtherField(act, said, item)))
    return asked("scope-wider");
  return null;
}

const wordsIn = (value: string): string[] =>
  tokensOf(value).filter((token) => token.length > 2 && !/\d/.test(token) && !ENDINGS.test(token));

/** Words that tell which thing is meant, not what kind of thing it is. */
const tellingOf = ({ words }: Ready): string[] =>
  [...words].filter(
    (word) => word.length > 2 && kindsOfNoun(word).length === 0 && verbRow(word) === null && !/\d/.test(word),
  );

function isOtherName(ready: Ready, said: string, { name, value }: Item): boolean {
  if (!WHO.test(name) || value.length > 120) return false;
  if (HANDLE.test(name)) {
    const handles = [...ready.recipients, ...ready.names].filter((one) => one.includes("@"));
    const plain = (text: string): string => text.toLowerCase().replace(/^@/, "");
    if (handles.length > 0 && /\D/.test(value)) return !handles.some((one) => plain(one) === plain(value));
  }
  const words = wordsIn(value);
  // What is looked up is spelled by a machine; where the words name nothing, nothing contradicts them.
  if (words.length === 0 || /^[a-z]{1,4}[_-]?\w*\d/i.test(value)) return false;
  const named = tellingOf(ready).length + ready.names.length + ready.recipients.length;
  return named > 0 && !words.some((word) => isSaid(word, said));
}

function isOtherPlace(said: string, { name, value }: Item): boolean {
  if (!PLACE.test(name)) return false;
  const spoken = tokensOf(said);
  const own = PLACES.find((place) => place.test(value.toLowerCase()));
  if (own === undefined) return false;
  return (
    PLACES.some((place) => spoken.some((word) => place.test(word))) && !spoken.some((word) => own.test(word))
  );
}

/** `Red Crescent` for the Red Cross: some of the name, and not the rest of it. */
function isOtherTwin(ready: Ready, said: string, { name, value }: Item): boolean {
  if (!/^(?:charity|event|event_name|show)$/.test(name) || value.length > 120) return false;
  const given = wordsIn(value);
  const asks = tellingOf(ready);
  const isShort = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);
  const spoken = tokensOf(said);
  return (
    given.some((word) => !spoken.some((one) => one.length > 2 && isShort(one, word))) &&
    asks.some((word) => given.includes(word)) &&
    asks.some((word) => !given.some((one) => isShort(one, word)))
  );
}

function isOtherNumber(said: string, { name, value }: Item): boolean {
  if (!NUMBER.test(name) || !/^\d{1,6}(?:\.\d{1,4})?$/.test(value)) return false;
  const numbers = (said.match(/\d+(?:[.,]\d+)?/g) ?? [])
    .slice(0, 64)
    .map((one) => Number(one.replace(",", ".")));
  const given = Number(value);
  return numbers.length > 0 && !numbers.some((one) => one === given || one === Math.round(given * 100));
}

/** Another field of the thing than the one whose change was asked for. */
function isOtherField(act: Act, said: string, { name, value }: Item): boolean {
  if (!CHANGES.test(plainVerb(act.verbs[0] ?? ""))) return false;
  const field = FIELDS.find(({ argument }) => argument.test(name));
  if (field === undefined || field.words.test(said)) return false;
  const words = wordsIn(value);
  if (words.length > 0 && words.every((word) => isSaid(word, said))) return false;
  return TELLING.test(said) || FIELDS.some((other) => other !== field && other.words.test(said));
}
