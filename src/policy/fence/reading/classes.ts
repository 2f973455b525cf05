/** The verb of a request and the nouns beside it -> the classes of effect that it asks for. */

import { kindsOfNouns } from "../objects.ts";
import type { FencedClass } from "../types.ts";
import { CODING_VERBS, verbRow } from "../verbs.ts";
import type { Clause } from "./clause.ts";
import type { Named } from "./named.ts";
import { has, type Unit } from "./units.ts";

/** Parts of a text: what is taken out of a file is no file (CONVENTIONS §6a). */
const TEXT_PART =
  /^(?:word|words|line|lines|sentence|sentences|paragraph|paragraphs|section|sections|typo|typos|import|imports|function|functions|method|methods|variable|variables|comma|commas|space|spaces|whitespace|heading|headings|header|headers|footer|bullet|column|columns|character|characters|semicolon|semicolons|class|parameter|argument|flag|dependency|entry|link|links|paragraphs|reference|references|mention|mentions|duplicate word|newline|newlines|indentation|quote|quotes|bracket|brackets|emoji|emojis|adjective|block|branches in|log statement|statements|statement|console|warning|warnings|wort|worter|zeile|zeilen|satz|satze|absatz|tippfehler|palabra|palabras|linea|lineas|frase|frases|parrafo|字|词|行|句|段)$/;
const PUBLIC = /^(?:public|publicly|private|visible|shared|accessible|offentlich|publico|publica|公开)$/;
const RIGHTS =
  /^(?:access|rights|right|permission|permissions|role|admin|editor|viewer|ownership|collaborator|member|membership|zugriff|rechte|zugang|acceso|permiso|permisos|权限)$/;
const CIRCLE =
  /^(?:channel|channels|group|team|repo|repository|workspace|organization|org|room|doc|document|folder|file|board|project|sheet|spreadsheet|drive|slack|kanal|gruppe|canal|grupo|群|频道)$/;
const VENUE = /^(?:table|appointment|slot|desk|meeting|call|checkup|visit|termin|tisch|cita|mesa|reunion)$/;
const TALK =
  /^(?:call|meeting|event|lunch|dinner|standup|coffee|chat|review|party|interview|session|termin|besprechung|reunion|llamada|会议|通话)$/;
const PROGRAM =
  /^(?:script|program|function|query|code|command|macro|test|tests|app|bot|tool|cli|module|class|api|endpoint|component|page|website|regex|workflow|dockerfile|makefile|readme|docs|documentation|config|skript|programm|script|脚本|程序)$/;
const WRITING =
  /^(?:email|emails|mail|reply|replies|response|answer|letter|post|tweet|note|message|announcement|newsletter|apology|invitation|text|comment|statement|blog|speech|brief|antwort|nachricht|brief|respuesta|correo|carta|mensaje|邮件|回复|信)$/;
const MONEY_NOUN =
  /^(?:money|amount|payment|payments|funds|deposit|fee|rent|invoice|bill|balance|geld|miete|rechnung|dinero|alquiler|factura|钱|款)$/;
const MEMORY = /^(?:memory|memories|gedachtnis|memoria|记忆)$/;

/** The classes of effect that a clause asks for, and the verbs of tools that bring them about. */
export interface Draft {
  risks: FencedClass[];
  verbs: string[];
  sure: boolean;
  /** Classes for which the words can also be read otherwise. */
  unsure?: readonly FencedClass[];
}

const DRAFTED: Draft = { risks: ["EXTERNAL_WRITE", "WRITE"], verbs: ["draft", "write"], sure: true };
const PREPARES = /^(?:prepare|put together|come up with|get|bereite|prepara|准备)(?: |$)/;

/** Summarise, translate, export … into a file: the file is to be written. */
export function produced(
  clause: Clause,
  named: Named,
  units: readonly Unit[],
  regular: boolean,
): Draft | null {
  // `get the lamp for 35 euros` is no look.
  if (
    /^(?:get|fetch|bring me|find me|hol|besorg|consigue|买)\b/.test(units[clause.head]?.text ?? "") &&
    named.amounts.some(({ currency }) => typeof currency === "string")
  )
    return {
      risks: ["FINANCIAL", "EXTERNAL_WRITE"],
      verbs: ["buy", "purchase", "order", "add", "checkout"],
      sure: true,
    };
  // `prepare a reply`, `get an answer ready`: written, and nothing sent.
  if (
    PREPARES.test(units[clause.head]?.text ?? "") &&
    named.nouns.some((noun) => WRITING.test(noun) || /^drafts?$/.test(noun)) &&
    (!/^get/.test(units[clause.head]?.text ?? "") || named.nouns.includes("ready"))
  )
    return { risks: ["EXTERNAL_WRITE", "WRITE"], verbs: ["draft", "write"], sure: true };

  if (
    /^(?:get|bring)\b/.test(units[clause.head]?.text ?? "") &&
    named.recipients.some(({ text }) => /@|^\+\d|^#/.test(text))
  )
    return { risks: ["COMMUNICATION"], verbs: ["send"], sure: true };
  if (regular) return { risks: ["PERSISTENT"], verbs: ["schedule", "create", "add"], sure: true };
  for (const { from, to } of clause.objects)
    for (let at = from; at + 1 < to; at++)
      if (
        /^(?:into|in|to|as|nach|als|en|a|como|到|成)$/.test(units[at]?.text ?? "") &&
        /^(?:file|path|quoted)$/.test(units[at + 1]?.token.kind ?? "")
      ) {
        const makes =
          /^(?:into|as|als|como|成)$/.test(units[at]?.text ?? "") ||
          /translat|export|convert|extract|render|dump|transcri|ubersetz|traduc|exporta/.test(
            units[clause.head]?.text ?? "",
          );
        const path = named.paths.find(({ text }) => text.toLowerCase() === units[at + 1]?.text);
        if (!makes || path === undefined) continue;
        named.paths.length = 0;
        named.paths.push(path);
        return { risks: ["WRITE"], verbs: ["write"], sure: true };
      }
  return null;
}

export function draftOf(
  clause: Clause,
  named: Named,
  units: readonly Unit[],
  regular: boolean,
): Draft | null {
  const verb = clause.verb;
  const row = verbRow(verb);
  const nouns = new Set(named.nouns);
  const hasNoun = (pattern: RegExp): boolean => named.nouns.some((noun) => pattern.test(noun));
  const address = named.recipients.some(({ text }) => /^[^\s]*@|^\+\d|^#/.test(text));
  const money = named.amounts.some(({ currency }) => currency !== null && currency !== undefined);
  const of = (risks: FencedClass[], verbs: string[] = [verb], sure = true): Draft => ({ risks, verbs, sure });
  if (regular && verb !== "remember") {
    const inner = row?.risks ?? [];
    return of(
      ["PERSISTENT", ...(inner.includes("EXTERNAL_WRITE") ? (["EXTERNAL_WRITE"] as const) : [])],
      ["schedule", "create", "add", verb],
    );
  }
  if (row === null) return null;
  switch (row.family) {
    case "message":
      // `schreib es in a.txt`: written to a file, it reaches nobody.
      if (
        (verb === "message" || verb === "send") &&
        named.paths.length > 0 &&
        !address &&
        !named.persons &&
        /^(?:schreib|escrib|write)/.test(units[clause.head]?.text ?? "")
      )
        return of(["WRITE"], ["write", "save"]);
      return message(
        verb,
        units[clause.head]?.text ?? "",
        named,
        { address, money, of, hasNoun },
        units.some((unit) => has(unit, "draftonly")),
      );
    case "share":
      return share(verb, units[clause.head]?.text ?? "", named, { address, of, hasNoun });
    case "delete": {
      if (address && hasNoun(/^(?:line|note|message|word|hint)$/)) return of(["COMMUNICATION"], ["send"]);
      if (hasNoun(TEXT_PART) && (verb === "delete" || verb === "clean" || verb === "clear"))
        return of(["WRITE"], ["edit", "update", verb]);
      const globs = named.paths.some(({ text }) => /[*?]/.test(text));
      if (verb === "clean" && (globs || hasNoun(/^(?:files|logs|caches?|artifacts|leftovers|downloads)$/)))
        return of(["DELETE"], [verb, "delete", "remove", "purge"]);
      if (verb === "clean" && (hasNoun(PROGRAM) || named.paths.some(({ text }) => /\.\w{1,5}$/.test(text))))
        return of(["WRITE"], ["update", "edit", "fix"]);
      // What is cleaned or emptied stays.
      if (verb === "clean" || verb === "clear")
        for (const [at, path] of named.paths.entries())
          if (!/\.\w{1,5}$/.test(path.text)) named.paths[at] = { ...path, below: true };
      if (named.recipients.length > 0 && (hasNoun(CIRCLE) || address))
        return of(["SHARE", "DELETE"], [verb, "revoke"]);
      if (hasNoun(MEMORY)) return of(["DELETE", "PERSISTENT"], [verb, "forget"]);
      return of(["DELETE"], [verb]);
    }
    case "cancel":
      return of([...row.risks], [verb, "cancel"]);
    case "pay":
      // `转成 PDF`: without a sum it is turned into something.
      if (units[clause.head]?.text === "转" && !money) return of(["WRITE"], ["update", "write"]);
      if (verb === "transfer" && hasNoun(/^(?:ownership|file|files|folder|photos|data|repo)$/))
        return hasNoun(/^ownership$/) ? of(["SHARE"]) : of(["WRITE", "EXTERNAL_WRITE"], ["move", "transfer"]);
      if (verb === "charge" && hasNoun(/^(?:phone|battery|car|laptop)$/)) return null;
      return of(["FINANCIAL"]);
    case "buy":
      if (verb === "subscribe" && address) return of(["SHARE", "COMMUNICATION", "EXTERNAL_WRITE"], [verb]);
      if (verb === "book" && hasNoun(VENUE) && !money)
        return of(["EXTERNAL_WRITE", "COMMUNICATION"], [verb, "create", "schedule", "reserve"]);
      if (
        verb === "upgrade" &&
        (hasNoun(
          /^(?:package|packages|dependencies|dependency|version|node|python|library|libraries|code)$/,
        ) ||
          named.paths.length > 0)
      )
        return of(["WRITE", "EXECUTE"], ["update", "upgrade_code", "install"]);
      return of(
        ["FINANCIAL", "EXTERNAL_WRITE"],
        verb === "buy" || verb === "order" ? [verb, "purchase", "order", "add", "checkout"] : [verb],
      );
    case "draft":
      return of(["EXTERNAL_WRITE", "WRITE"], ["draft", verb]);
    case "create":
    case "copy":
      return create(clause, named, units, { address, money, of, hasNoun, nouns });
    case "update":
    case "move":
      if (verb === "extract") {
        onlyDestinations(clause, named, units);
        return of(["WRITE", "EXECUTE"], [verb, "unzip", "run", "write"]);
      }
      return change(verb, named, { of, hasNoun });
    case "state":
    case "switch":
    case "play":
    case "form":
      return of(
        verb === "submit" ? ["EXTERNAL_WRITE"] : ["EXTERNAL_WRITE"],
        verb === "submit" ? ["submit", "fill", "click", "type", "press", "select"] : [verb],
      );
    case "push":
      return of(
        ["EXTERNAL_WRITE"],
        verb === "push" ? ["push"] : verb === "upload" ? ["upload", "copy", "put", "post"] : [verb],
      );
    case "run":
      return run(verb, { of, hasNoun });
    case "commit":
      return of(["WRITE", "EXECUTE"], [verb, "commit"]);
    case "remember":
      return of(verb === "forget" ? ["PERSISTENT", "DELETE"] : ["PERSISTENT"], [verb, "add", "save"]);
    case "schedule":
      if (hasNoun(/^(?:payment|payments|transaction|transactions|transfer|transfers|standing)$/))
        return of(["FINANCIAL", "EXTERNAL_WRITE"], [verb, "create", "pay", "transfer", "schedule"]);
      if (verb === "remind" && address && !named.me)
        return of(["COMMUNICATION", "PERSISTENT", "EXTERNAL_WRITE"], [verb, "send"]);
      return of(
        verb === "remind"
          ? ["EXTERNAL_WRITE", "PERSISTENT"]
          : address
            ? ["EXTERNAL_WRITE", "COMMUNICATION", "PERSISTENT"]
            : ["EXTERNAL_WRITE", "PERSISTENT"],
        [verb, "create", "schedule", "add"],
      );
    default:
      return row.family satisfies never;
  }
}

interface Facts {
  readonly address: boolean;
  readonly money: boolean;
  readonly of: (risks: FencedClass[], verbs?: string[], sure?: boolean) => Draft;
  readonly hasNoun: (pattern: RegExp) => boolean;
  readonly nouns: ReadonlySet<string>;
}

function message(
  verb: string,
  head: string,
  named: Named,
  { address, money, of, hasNoun }: Pick<Facts, "address" | "money" | "of" | "hasNoun">,
  isDraft: boolean,
): Draft | null {
  if (verb === "send" && (money || hasNoun(/^(?:money|difference)$/)))
    return of(["FINANCIAL"], ["send", "pay", "transfer"]);
  if (/^(?:pass|hand)$/.test(head) && !address) return null;
  // `tell me`, `answer the question`: only somebody else who is addressed makes it a message.
  if ((verb === "notify" || verb === "say") && !named.persons && named.recipients.length === 0) return null;
  if (verb === "reply" && hasNoun(/^(?:question|questions)$/) && !address) return isDraft ? DRAFTED : null;
  // `add a comment above it`: in a file it reaches nobody.
  if (verb === "comment" && !address && named.paths.some(({ text }) => !isSlug(text)))
    return of(["WRITE"], ["edit", "update", "add", "write"]);
  if (
    named.hosts.length > 0 &&
    !address &&
    (verb === "post" || verb === "publish" || verb === "send" || verb === "deliver")
  )
    return of(["EXTERNAL_WRITE", "COMMUNICATION"], [verb, "post", "upload", "put", "send"]);
  if (verb === "publish" || verb === "post") return of(["COMMUNICATION", "EXTERNAL_WRITE"], [verb]);
  if (verb === "call" && hasNoun(/^(?:api|endpoint|function|tool|method)$/)) return null;
  if (verb === "comment") return of(["COMMUNICATION", "EXTERNAL_WRITE"], ["comment"]);
  return of(["COMMUNICATION"], [verb]);
}

function share(
  verb: string,
  head: string,
  named: Named,
  { address, of, hasNoun }: Pick<Facts, "address" | "of" | "hasNoun">,
): Draft | null {
  if (verb === "grant" && head === "let") return address ? of(["SHARE"], ["share", "grant", "add"]) : null;
  if (verb === "grant" && !hasNoun(RIGHTS)) return address ? of(["COMMUNICATION"], ["send", "notify"]) : null;
  if (verb === "revoke" && hasNoun(/^(?:hour|hours|minutes|time|slot|morning|afternoon|evening|calendar)$/))
    return of(["EXTERNAL_WRITE", "PERSISTENT"], ["schedule", "create", "add"]);
  if (verb === "invite") {
    if (hasNoun(TALK))
      return of(["COMMUNICATION", "EXTERNAL_WRITE"], ["invite", "create", "add", "schedule"]);
    return of(["SHARE", "COMMUNICATION"], ["invite", "add", "share"]);
  }
  if (verb === "share")
    return of(
      [
        "SHARE",
        ...(named.recipients.some(({ text }) => text.startsWith("#")) ? (["COMMUNICATION"] as const) : []),
      ],
      ["share", "add", "grant", "invite"],
    );
  return of(["SHARE"], [verb, ...(verb === "grant" ? ["share", "add", "invite", "update"] : [])]);
}

function create(clause: Clause, named: Named, units: readonly Unit[], facts: Facts): Draft | null {
  const verb = clause.verb === "make" ? "create" : clause.verb;
  const { address, money, of, hasNoun, nouns } = facts;
  const called =
    units.some((unit) => has(unit, "called")) &&
    hasNoun(/^(?:playlist|channel|board|list|repo|repository|group)$/);
  if (verb === "create" && hasNoun(PUBLIC) && named.paths.length === 0 && !called)
    return of(["SHARE", "EXTERNAL_WRITE"], ["share", "update", "publish"]);
  // `make it friendlier`: nothing of that name comes to be.
  const it = units[clause.head + 1]?.text ?? "";
  if (
    clause.verb === "make" &&
    /^(?:it|them|this|that|these|es|lo|la)$/.test(it) &&
    named.paths.length === 0 &&
    !address
  ) {
    named.nouns.length = 0;
    return of(["WRITE", "EXTERNAL_WRITE"], ["update", "edit", "improve"]);
  }
  if (verb === "create" && hasNoun(/^(?:executable)$/)) return of(["WRITE"], ["chmod"]);
  if (
    verb === "create" &&
    hasNoun(/^(?:payment|purchase|transfer|deposit|invoice|transaction|transactions|standing|order)$/)
  )
    return of(["FINANCIAL", "EXTERNAL_WRITE"], ["create", "pay", "transfer", "invoice"]);
  // `Add a LICENSE file (MIT) to the repo`: nobody is added.
  const thing = hasNoun(
    /^(?:rows?|line|lines|entry|entries|record|column|cards?|tasks?|items?|notes?|section|page|slide|event)$/,
  );
  const somebody = address || (named.recipients.length > 0 && named.paths.length === 0 && !thing);
  if (verb === "add" && somebody && hasNoun(CIRCLE)) return of(["SHARE"], ["add", "invite", "share"]);
  if (verb === "add" && address && !hasNoun(/^(?:contact|contacts|crm|row|list|kontakte|contactos)$/))
    return of(["SHARE", "COMMUNICATION", "EXTERNAL_WRITE"], ["add", "invite"]);
  if (verb === "create" && address && hasNoun(RIGHTS))
    return of(["SHARE"], ["share", "add", "grant", "update", "invite"]);
  if (verb === "write" && address && !hasNoun(WRITING) && named.paths.length === 0)
    return of(["COMMUNICATION"], ["send", "write"]);
  if ((verb === "write" || verb === "create") && hasNoun(WRITING) && named.paths.length === 0) {
    const reaches = address || named.persons || named.recipients.length > 0;
    if (hasNoun(/^(?:message|dm|text|comment)$/) && (reaches || hasNoun(/channel/)))
      return of(["COMMUNICATION"], ["send", "message", "write"]);
    if (verb === "write" && reaches && !hasNoun(/^(?:note|blog|speech|statement)$/))
      return {
        risks: ["COMMUNICATION", "EXTERNAL_WRITE"],
        verbs: ["draft", "write", "send"],
        sure: true,
        unsure: ["COMMUNICATION"],
      };
    return of(["EXTERNAL_WRITE", "WRITE"], ["draft", "write"]);
  }
  if (verb === "save" && hasNoun(MEMORY)) return of(["PERSISTENT"], ["remember", "add", "save"]);
  const kinds = kindsOfNouns([...nouns]);
  const hasEvent = kinds.has("event") || kinds.has("reminder");
  if (address && hasEvent)
    return of(["EXTERNAL_WRITE", "COMMUNICATION"], [verb, "create", "add", "schedule"]);
  if (hasNoun(/^(?:cron|cronjob|job|schedule)$/))
    return of(["PERSISTENT", "EXTERNAL_WRITE"], [verb, "create", "schedule", "add"]);
  if (hasNoun(/^skills?$/)) return of(["PERSISTENT"], [verb, "create", "write", "add"]);
  if (money && verb === "buy") return of(["FINANCIAL"]);
  const code = CODING_VERBS.has(verb) || hasNoun(PROGRAM);
  const isLocal =
    named.paths.some(({ text }) => !isSlug(text)) ||
    code ||
    (kinds.has("file") && kinds.size === 1) ||
    verb === "download";
  const isRemote =
    ([...kinds].some((kind) => REMOTE.has(kind)) && !kinds.has("file")) || named.hosts.length > 0;
  const verbs = [
    verb,
    ...(code ? ["implement"] : []),
    ...(verb === "file" || verb === "open" || verb === "raise" ? ["create"] : []),
  ];
  if (isLocal && !isRemote) {
    if (verb === "copy") onlyDestinations(clause, named, units);
    return of(["WRITE"], [...verbs, "write", "create"]);
  }
  if (isRemote && !isLocal) return of(["EXTERNAL_WRITE"], verbs);
  if (verb === "copy" || verb === "download" || verb === "save") onlyDestinations(clause, named, units);
  return of(["WRITE", "EXTERNAL_WRITE"], [...verbs, "write"]);
}

/** `acme/core` may be a repository; a path that says where it begins, or a file's ending, is none. */
function isSlug(text: string): boolean {
  return /^[\w.-]+\/[\w.-]+$/.test(text) && !/^\.|\.[a-z]{1,5}$/.test(text);
}

/** Of a copy, what it is made of is only read. */
function onlyDestinations(clause: Clause, named: Named, units: readonly Unit[]): void {
  const destinations = named.paths.filter(({ text }) =>
    clause.objects.some(({ from, to }) =>
      units.slice(from, to).some((unit, index, all) => {
        const before = all.slice(Math.max(0, index - 4), index);
        return (
          unit.token.text === text.toLowerCase() &&
          before.some((one) => has(one, "to") || has(one, "as") || has(one, "in"))
        );
      }),
    ),
  );
  // Where no word points at it, the last of several is where it goes.
  const last = named.paths.length > 1 ? named.paths.slice(-1) : [];
  const kept = destinations.length > 0 ? destinations : last;
  named.paths.length = 0;
  named.paths.push(...kept.map(({ kind, text }) => ({ kind, text })));
}

const REMOTE = new Set(
  "issue pull event reminder page comment card task list label contact activity mail channel board repo release media device subscription order booking post filter access row".split(
    " ",
  ),
);

function change(verb: string, named: Named, { of, hasNoun }: Pick<Facts, "of" | "hasNoun">): Draft {
  if (verb === "set" && hasNoun(/^(?:reminders?|alarms?|timers?|erinnerung(?:en)?|recordatorios?)$/))
    return of(["EXTERNAL_WRITE", "PERSISTENT"], ["schedule", "create", "add", "set", "remind"]);
  if (hasNoun(/^skills?$/) || hasNoun(MEMORY))
    return of(["PERSISTENT"], [verb, "update", "edit", "patch", "add", "replace"]);
  if (hasNoun(/^passwords?$/)) return of(["EXTERNAL_WRITE"], [verb, "update", "change", "set"]);
  // `Put the amount in log.csv`, `Set EDITOR in .zshrc`: the file is what changes.
  const isFile = named.paths.some(({ text }) => !isSlug(text)) && named.recipients.length === 0;
  if (isFile && !hasNoun(PUBLIC) && !CODING_VERBS.has(verb) && (hasNoun(MONEY_NOUN) || hasNoun(RIGHTS)))
    return of(["WRITE"], [verb, "update", "edit", "write", "add"]);
  if (hasNoun(MONEY_NOUN) || hasNoun(/^(?:standing|transaction|subscription)$/))
    return of(["FINANCIAL", "EXTERNAL_WRITE"], [verb, "update", "change"]);
  if (hasNoun(PUBLIC) || hasNoun(RIGHTS))
    return of(["SHARE", "EXTERNAL_WRITE"], [verb, "update", "set", "share"]);
  if (verb === "merge")
    return hasNoun(/^(?:pr|pull|mr|request)$/)
      ? of(["EXTERNAL_WRITE"])
      : of(["WRITE", "EXECUTE", "EXTERNAL_WRITE"]);
  if (CODING_VERBS.has(verb)) return of(["WRITE", "EXECUTE"], [verb, "update", "edit"]);
  const kinds = kindsOfNouns(named.nouns);
  const isRemote = [...kinds].some((kind) => REMOTE.has(kind)) && !kinds.has("file");
  if (named.paths.length > 0 && !isRemote)
    return of(
      ["WRITE"],
      [
        verb,
        "update",
        "edit",
        "write",
        // `sort the photos in photos/ into folders`
        ...(hasNoun(/^(?:folders?|directory|directories|subfolders?|ordner|carpetas?|文件夹)$/)
          ? ["move", "create", "rename"]
          : []),
      ],
    );
  const also = GENERIC_CHANGE.has(verb) ? ["update", "edit"] : [];
  if (isRemote && !named.paths.some(({ text }) => !isSlug(text)))
    return of(["EXTERNAL_WRITE"], [verb, ...also]);
  return of(["WRITE", "EXTERNAL_WRITE"], [verb, ...also]);
}

/** Changes of any kind, for which a tool's `update` stands as well. */
const GENERIC_CHANGE = new Set(
  "update edit change modify fix set adjust rename correct replace improve".split(" "),
);

function run(verb: string, { of, hasNoun }: Pick<Facts, "of" | "hasNoun">): Draft {
  if (verb === "start" && hasNoun(/^(?:timer|vacuum|car|music|playlist|oven|washing|heater|heating|robot)$/))
    return of(["EXTERNAL_WRITE"], ["start", "turn_on"]);
  if (verb === "stop" && hasNoun(/^(?:music|timer|alarm|vacuum|heater|heating)$/))
    return of(["EXTERNAL_WRITE"], ["stop", "turn_off", "pause"]);
  if (verb === "revert") return of(["EXECUTE", "WRITE"], ["revert", "undo", "run"]);
  if (verb === "rebase" || verb === "bisect")
    return of(["EXECUTE", "WRITE"], [verb, "pull", "checkout", "merge", "run"]);
  if (verb === "build") return of(["EXECUTE", "WRITE"], ["build", "run", "implement", "create", "write"]);
  if (verb === "install") return of(["EXECUTE", "WRITE"], [verb, "run"]);
  return of(["EXECUTE"], [verb, "run"]);
}
