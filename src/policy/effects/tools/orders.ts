import type { JsonObject, JsonValue } from "../../types.ts";
import { hostOfUrl } from "../hosts.ts";
import { looksLikeAddress } from "../people.ts";
import { isSql, type SqlEffect, sqlEffect } from "../sql.ts";
import { pointer, stringsIn, type ToolReading, valuesAt } from "./arguments.ts";
import { isVerb, KIND_OF, type Kind, kindOfWord, wordsOf } from "./vocabulary.ts";

/**
 * What the arguments of a tool order that its name does not say. A tool that is called `get` and is given `method: "DELETE"`,
 * a statement that drops a table or somebody to deliver to does as it is told.
 */

/** Arguments that say what a tool does that does several things. */
const ACTIONS =
  "action actions operation operations op method command commands mode verb subcommand sub_command op_type operation_type operationType request_type";

/** Objects that a call packs its own arguments into. */
const PACKED =
  "init options request params input args arguments payload config fetch_options request_options";

/** Names that services join of a verb and what it is done to. */
const JOINED: ReadonlyMap<string, Kind> = new Map(
  (
    [
      [
        "delete",
        "flushall flushdb unlink hdel lrem srem zrem getdel dropdatabase dropcollection deletemany deleteone deleteall findanddelete removeall",
      ],
      [
        "write",
        "setex setnx mset hset hmset lpush rpush sadd zadd expire persist getset incr decr append insertmany insertone updatemany updateone replaceone bulkwrite patch apply scale cordon drain annotate taint replace",
      ],
      ["execute", "evalsha script fcall"],
    ] as const
  ).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

/** Every value of an argument that says what to do, text by text. */
function textsAt(args: JsonObject, names: string): { readonly name: string; readonly text: string }[] {
  return valuesAt(args, names).flatMap(({ name, value }) =>
    (Array.isArray(value) ? value.slice(0, 64) : [value]).flatMap((one) =>
      typeof one === "string" ? [{ name, text: one }] : [],
    ),
  );
}

const isPlain = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The arguments, and those that stand packed in one of them. */
function levelsOf(args: JsonObject): readonly JsonObject[] {
  const packed = valuesAt(args, PACKED).flatMap(({ value }) => (isPlain(value) ? [value] : []));
  return packed.length ? [args, ...packed] : [args];
}

/** What the arguments that say what to do say. */
export function kindsOfAction(args: JsonObject): Kind[] {
  return levelsOf(args).flatMap((level) =>
    textsAt(level, ACTIONS).flatMap(({ name, text }): Kind[] => {
      // To a web service the verb of a request says what it does, not whom it reaches.
      const method = /method|verb|request_type/i.test(name) ? ofMethod(text) : undefined;
      if (method !== undefined) return method === null ? [] : [method];
      // A command line begins with what it does.
      const start = text.length > 64 ? text.slice(0, 64).split(/\s+/).slice(0, 2).join(" ") : text;
      return wordsOf(start).flatMap((word) => KIND_OF.get(word) ?? JOINED.get(word) ?? []);
    }),
  );
}

/** The action that an argument names, in words; none when there is no such argument. */
export function actionWords(args: JsonObject): string[] {
  for (const { text } of levelsOf(args).flatMap((level) => textsAt(level, ACTIONS))) {
    if (text.length > 64 || /\s/.test(text.trim())) continue;
    const words = wordsOf(text);
    if (words.some((word) => isVerb(word) || kindOfWord(word) !== undefined)) return words;
  }
  return [];
}

/** Everything that an argument of that kind says, as it is spelled. */
export function actionsNamed(args: JsonObject): string[] {
  return levelsOf(args).flatMap((level) => textsAt(level, ACTIONS).map(({ text }) => text));
}

/** What a request over HTTP does by its method; `null` only looks, `undefined` is none. */
function ofMethod(text: string): Kind | null | undefined {
  const method = text.trim().toUpperCase();
  if (/^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND|REPORT)$/.test(method)) return null;
  if (method === "DELETE") return "delete";
  return /^(?:POST|PUT|PATCH|MKCOL|MOVE|COPY|LOCK|PROPPATCH|CONNECT)$/.test(method) ? "write" : undefined;
}

/** Tools that ask something of the web. */
const REQUESTS = /^(?:fetch|http|https|request|url|web|webpage|webfetch|curl|api|rest|page|ajax|scrape)$/;
const METHODS = "method http_method httpMethod verb http_verb request_method requestMethod";
const BODIES =
  "body json json_body form form_data formData data payload post_data postData request_body files";

/** What a request does by its method, a header that stands for it, or what it sends along; `null` only looks. */
export function requestKind(args: JsonObject): Kind | null {
  let kind: Kind | null = null;
  for (const level of levelsOf(args)) {
    const overrides = valuesAt(level, "headers header").flatMap(({ value }) =>
      isPlain(value)
        ? Object.entries(value).flatMap(([key, one]) =>
            /^x-(?:http-)?method(?:-override)?$/i.test(key) && typeof one === "string" ? [one] : [],
          )
        : [],
    );
    const addressed = valuesAt(level, "url uri endpoint").length > 0;
    const methods = textsAt(level, addressed ? `${METHODS} type` : METHODS).map(({ text }) => text);
    for (const text of [...methods, ...overrides]) {
      const found = ofMethod(text);
      if (found === "delete") return found;
      kind = found ?? kind;
    }
    if (valuesAt(level, BODIES).some(({ value }) => holdsSomething(value))) kind ??= "write";
  }
  return kind;
}

function holdsSomething(value: JsonValue): boolean {
  if (typeof value === "string") return value.trim() !== "" && value.trim() !== "{}";
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Servers and names that keep their data where SQL asks for it. */
const DATABASES =
  /^(?:sql|mysql|postgres|postgresql|pg|sqlite|mssql|sqlserver|mariadb|db|database|databases|supabase|neon|bigquery|snowflake|redshift|duckdb|motherduck|clickhouse|oracle|databricks|trino|presto|athena|planetscale|cockroach|cockroachdb|singlestore|tidb|dbhub|warehouse|d1|turso|libsql)$/;

/** The statements among the arguments. A `query` is one where the tool is a database's, or where it reads as one. */
export function statementsIn(args: JsonObject, words: readonly string[], server: string): string[] {
  const owner = wordsOf(server);
  const database = [...words, ...owner].some((word) => DATABASES.test(word));
  const searches = !database && words.some((word) => /^(?:search|web|find|docs?|ask)$/.test(word));
  return levelsOf(args).flatMap((level) => [
    ...textsAt(level, "sql statement statements sql_query sqlQuery").map(({ text }) => text),
    ...textsAt(level, "query queries q").flatMap(({ text }) =>
      !isGraphql(text) && !/^\s*[[{]/.test(text) && (database || (!searches && isSql(text))) ? [text] : [],
    ),
  ]);
}

const OF_SQL: Readonly<Record<SqlEffect, Kind>> = {
  look: "read",
  change: "write",
  delete: "delete",
  run: "execute",
};

/** What the statements among the arguments do; none where there are no statements. */
export function statementKinds(args: JsonObject, words: readonly string[], server: string): Kind[] {
  return statementsIn(args, words, server).map((text) => OF_SQL[sqlEffect(text)]);
}

const isGraphql = (text: string): boolean =>
  /(?:^|[\s})])(?:query|mutation|subscription|fragment)\b[^{}"']{0,256}\{/.test(` ${text.slice(0, 65_536)}`);

/** A mutation of GraphQL, under whatever name it is given. */
function graphqlKind(args: JsonObject): Kind | null {
  for (const level of levelsOf(args))
    for (const { text } of textsAt(level, "query document graphql gql operation mutation body")) {
      const bare = text.slice(0, 65_536).replace(/#[^\n]*|"[^"\n]*"/g, " ");
      if (!/(?:^|[\s})])mutation\b[^{}]{0,512}\{/.test(bare)) continue;
      return /\b(?:delete|remove|destroy|purge|drop)\w*\s*[({]/i.test(bare) ? "delete" : "write";
    }
  return null;
}

const MONGO = /^(?:mongo|mongodb|mongosh|atlas|documentdb|cosmos|cosmosdb)$/;
const CYPHER = /^(?:neo4j|cypher|memgraph|neptune|kuzu|falkordb)$/;
const REDIS = /^(?:redis|valkey|keydb|dragonfly|upstash)$/;

/** How stores that do not speak SQL are told in text to throw away or to change: MongoDB's shell, Cypher, Redis. */
const STORE_ORDERS: readonly (readonly [RegExp, RegExp, Kind])[] = [
  [
    MONGO,
    /\bdb\b[\w.[\]"'() ]{0,128}\.\s?(?:drop\w{0,24}|delete\w{0,24}|remove|findOneAndDelete|findAndRemove)\s?\(/i,
    "delete",
  ],
  [
    MONGO,
    /\bdb\b[\w.[\]"'() ]{0,128}\.\s?(?:insert\w{0,24}|update\w{0,24}|replace\w{0,24}|bulkWrite|save|create\w{0,24}|rename\w{0,24}|findOneAnd(?:Update|Replace)|findAndModify)\s?\(/i,
    "write",
  ],
  [
    CYPHER,
    /\b(?:detach\s+delete\s+\w|delete\s+[a-z]\w{0,24}(?:\s*$|\s*[,;}])|remove\s+\w{1,24}[.:]|drop\s+(?:index|constraint|database)\b)/i,
    "delete",
  ],
  [
    CYPHER,
    /\)\s*(?:set\s+\w{1,24}[.:]|(?:create|merge)\s*\()|^\s*(?:create|merge)\s*\(|\bload\s+csv\b|\bcall\s+apoc\.(?!meta|help)/i,
    "write",
  ],
  [
    REDIS,
    /^\s*(?:flushall|flushdb|del|unlink|hdel|srem|zrem\w{0,16}|lrem|ltrim|getdel|xdel|shutdown)\b/i,
    "delete",
  ],
];

/** What the text among the arguments tells a store that does not speak SQL. */
function storeKinds(args: JsonObject, words: readonly string[], server: string): Kind[] {
  const names = [...words, ...wordsOf(server)];
  const orders = STORE_ORDERS.filter(([store]) => names.some((word) => store.test(word)));
  if (orders.length === 0) return [];
  return levelsOf(args).flatMap((level) => [
    ...textsAt(
      level,
      "query queries cypher statement command commands cmd code script expression operation",
    ).flatMap(({ text }) => {
      const bare = text.slice(0, 65_536).replace(/"[^"\n]{0,512}"|'[^'\n]{0,512}'/g, '""');
      return orders.flatMap(([, order, kind]) => (order.test(bare) ? [kind] : []));
    }),
    // `{command: {drop: "users"}}`: what it does is the name of its first member.
    ...valuesAt(level, "command cmd operation").flatMap(({ value }): Kind[] => {
      const [first] = isPlain(value) ? Object.keys(value) : [];
      const kind =
        first === undefined
          ? undefined
          : (JOINED.get(first.toLowerCase()) ?? kindOfWord(wordsOf(first)[0] ?? ""));
      return kind === undefined || kind === "read" ? [] : [kind];
    }),
  ]);
}

/** Formulas that a tool works out, and what no formula holds: a way out of it. */
const FORMULAS =
  "expression expressions formula formulas equation math expr function lambda predicate filter_expression source program";
const BREAKS_OUT =
  /__\w{1,32}__|\b(?:import|require|eval|exec|compile|globals|locals|getattr|setattr|open|system|popen|subprocess|child_process|spawn\w{0,8}|process|Function|constructor|os|sys|fetch|XMLHttpRequest|Deno|Bun|java|Runtime)\s{0,4}[.([]/;

/** Stages and operators of MongoDB that keep what they find, or run code. */
const STAGES: ReadonlyMap<string, Kind> = new Map([
  ["$out", "write"],
  ["$merge", "write"],
  ["$where", "execute"],
  ["$function", "execute"],
  ["$accumulator", "execute"],
]);

const CODE =
  "script javascript js javascript_code js_code python_code shell bash lua groovy ruby applescript";
const ABOUT_CODE = /^(?:code|script|scripts|snippet|lint|syntax|highlight|format|parse|source|language)$/;
const WORKS_OUT =
  /^(?:analy[sz]e|analysis|evaluate|calculate|compute|process|transform|simulate|plot|solve)$/;
const FLAGS: ReadonlySet<Kind> = new Set(["delete", "communicate", "share", "execute", "financial"]);
const CHANGING_FLAG = /^(?:fix|write|update|create|apply|commit|insert|upload|subscribe|autofix)$/;
const TELLING =
  /^(?:include|show|with|only|is|has|can|exclude|hide|filter|skip|no|not|ignore|allow|list|access|public|role|dry)/;

/** What a tool that looks by its name is told to do besides. Linear in the arguments, as far as they are looked at. */
export function ordersIn(args: JsonObject, words: readonly string[], server: string): Set<Kind> {
  const kinds = new Set<Kind>(statementKinds(args, words, server).filter((kind) => kind !== "read"));
  const add = (kind: Kind | null | undefined): void => {
    if (kind !== null && kind !== undefined && kind !== "read") kinds.add(kind);
  };
  add(graphqlKind(args));
  for (const kind of storeKinds(args, words, server)) add(kind);
  if (
    levelsOf(args).some((level) =>
      textsAt(level, FORMULAS).some(({ text }) => BREAKS_OUT.test(text.slice(0, 65_536))),
    )
  )
    kinds.add("execute");
  if ([...words, ...wordsOf(server)].some((word) => REQUESTS.test(word))) add(requestKind(args));
  if (!words.some((word) => ABOUT_CODE.test(word))) {
    const given = levelsOf(args).flatMap((level) => textsAt(level, CODE));
    // A code may be a country's or a currency's; what is worked out is a program.
    const works = words.some((word) => WORKS_OUT.test(word));
    const code = textsAt(args, "code").filter(
      ({ text }) => /[;(){}=\n]|\s-\w/.test(text) || (works && /[a-z]/.test(text)),
    );
    if ([...given, ...code].some(({ text }) => text.trim() !== "")) kinds.add("execute");
  }
  let left = 2000;
  const walk = (value: JsonValue, depth: number): void => {
    if (
      typeof value === "string" &&
      (/^\s*\[/.test(value) || /\baggregate\s?\(/.test(value)) &&
      value.length < 65_536
    ) {
      for (const [name] of value.matchAll(/\$(?:out|merge|where|function|accumulator)(?=["'\s:])/g))
        add(STAGES.get(name));
      return;
    }
    if (typeof value !== "object" || value === null || depth > 6) return;
    for (const [key, one] of Object.entries(value)) {
      if (left-- <= 0) return;
      add(STAGES.get(key));
      if (depth < 2 && isSet(one) && !Array.isArray(value)) add(flagKind(key));
      walk(one, depth + 1);
    }
  };
  walk(args, 0);
  if (deliveriesIn(args, words).length > 0) kinds.add("communicate");
  return kinds;
}

const isSet = (value: JsonValue): boolean =>
  value === true || (typeof value === "string" && /^(?:true|yes|1)$/i.test(value));

/** `delete_all: true`, `then_send: true`: a switch that orders more. */
function flagKind(key: string): Kind | null {
  const words = wordsOf(key);
  if (TELLING.test(words[0] ?? "")) return null;
  for (const word of words) {
    const kind = KIND_OF.get(word);
    if (kind !== undefined && FLAGS.has(kind)) return kind;
    if (CHANGING_FLAG.test(word)) return "write";
  }
  return null;
}

/** Arguments by which a tool is told to bring what it found to somebody. */
const DELIVERS =
  "deliver deliver_to deliverTo delivery_email email_to emailTo mail_to send_to sendTo send_copy_to share_with shareWith notify notify_email notify_emails notify_user notify_users notify_list notifyEmail notification_email notification_emails forward_to forwardTo copy_to report_to publish_to post_to output_email recipient_email recipient_emails";
/** The same, where a tool that looks through mail is told what to look for. */
const ADDRESSED = "recipient recipients to cc bcc";
const HOOKS =
  "webhook webhook_url webhookUrl callback callback_url callbackUrl notify_url notification_url hook_url";

export interface Delivery {
  readonly name: string;
  readonly value: JsonValue;
  /** True for a place on the web. */
  readonly hook: boolean;
}

/** Whom a tool that looks is told to deliver to. */
export function deliveriesIn(args: JsonObject, words: readonly string[]): Delivery[] {
  const filters = words.some((word) =>
    /^(?:search|find|list|query|filter|count|mail|mails|email|emails|message|messages|thread|threads|inbox|transactions?|payments?|transfers?)$/.test(
      word,
    ),
  );
  const given = (value: JsonValue): boolean => {
    if (typeof value === "string") return value.trim() !== "" && !/^(?:false|none|no|off|true)$/i.test(value);
    if (Array.isArray(value)) return value.length > 0;
    return typeof value === "object" && value !== null && Object.values(value).some((one) => given(one));
  };
  const addressed = (value: JsonValue): boolean =>
    typeof value === "string"
      ? looksLikeAddress(value)
      : Array.isArray(value) && value.slice(0, 64).some((one) => addressed(one));
  return levelsOf(args).flatMap((level) => [
    ...valuesAt(level, DELIVERS)
      .filter(({ value }) => given(value))
      .map((one) => ({ ...one, hook: false })),
    ...(filters ? [] : valuesAt(level, ADDRESSED))
      .filter(({ value }) => addressed(value))
      .map((one) => ({ ...one, hook: false })),
    ...valuesAt(level, HOOKS)
      .filter(({ value }) => typeof value === "string" && hostOfUrl(value) !== null)
      .map((one) => ({ ...one, hook: true })),
  ]);
}

/** Notes whom it is told to deliver to. */
export function tellDeliveries({ args, base, report }: ToolReading, words: readonly string[]): void {
  for (const { name, value, hook } of deliveriesIn(args, words)) {
    const at = pointer(base, name);
    for (const text of stringsIn(value, 200)) {
      const host = hostOfUrl(text);
      if (host !== null) report.host(host);
      if (!hook || host !== null)
        report.said.people(hook ? "channel" : "to", hook ? (host ?? text) : text, at);
    }
  }
}

/** Modes in which a file is opened to be changed. */
const OPENED = /^(?:[wax]b?\+?|[rwa]b?\+b?|write|overwrite|append|create)$/i;

/** True when what reads a file is told to write it. */
export function opensToWrite(args: JsonObject): boolean {
  return textsAt(args, "mode flags flag open_mode").some(({ text }) => OPENED.test(text.trim()));
}
