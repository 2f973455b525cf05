/** A ban in a sentence -> which classes, verbs, things and targets it binds (CONVENTIONS §5). */

import { isPart } from "../judging/places.ts";
import { kindsOfNouns } from "../objects.ts";
import type { FencedClass, Prohibition, Target } from "../types.ts";
import { verbRow } from "../verbs.ts";
import type { Ban } from "./bans/index.ts";
import type { Clause } from "./clause.ts";
import type { Language } from "./lexicon.ts";
import { requestOf } from "./requests.ts";
import { namedIn, targetsOf } from "./targets.ts";
import type { Unit } from "./units.ts";

export type Forbidden = Pick<
  Prohibition,
  "risks" | "verbs" | "object" | "targets" | "except" | "verdict" | "rationale"
> & {
  readonly first: number;
  readonly last: number;
};

/** Places that go by one word: branches that are built upon, and what runs for real. */
const MAINLINE = /^(?:main|master|trunk|develop|prod|production|produktion|produktiv|produccion|生产)$/;
const AROUND =
  /^(?:branch|branches|server|servers|environment|env|database|db|cluster|zweig|rama|分支|环境)$/;
const REAL = ["prod", "production", "live"];
const synonymsOf = (noun: string): readonly string[] =>
  /^(?:prod|live|生产)/.test(noun) ? [...new Set([noun, ...REAL])] : [noun];

const EVERYTHING_CHANGED = /^(?:update|edit|change|modify|alter|adjust|touch|fix|amend|tamper|apply)$/;

export function forbiddenBy(
  ban: Ban,
  clauses: readonly Clause[],
  units: readonly Unit[],
  text: string,
  language: Language,
): Forbidden[] {
  const base = {
    first: ban.first,
    last: ban.last,
    verdict: ban.asks ? ("ask" as const) : ("block" as const),
    except: false,
  };
  const named = namedIn(
    { text, units, language, loose: true, people: true },
    -1,
    ban.exceptFrom === null
      ? ban.objects
      : ban.objects.map((range) => ({
          from: range.from,
          to: Math.min(range.to, ban.exceptFrom ?? range.to),
        })),
  );
  const excepted =
    ban.exceptFrom === null
      ? []
      : targetsOf(
          namedIn(
            { text, units, language, loose: true, people: true },
            -1,
            ban.objects.map((range) => ({ from: Math.max(range.from, ban.exceptFrom ?? 0), to: range.to })),
          ),
        );
  const bound = targetsOf(named).filter(({ kind }) => kind !== "amount" && kind !== "command");
  const mainline = named.nouns.every((noun) => MAINLINE.test(noun) || AROUND.test(noun))
    ? named.nouns.filter((noun) => MAINLINE.test(noun))
    : [];
  const targets =
    bound.length > 0 || mainline.length === 0
      ? bound
      : mainline.flatMap((noun) => synonymsOf(noun).map((text): Target => ({ kind: "item", text })));
  const object = named.universal ? [] : [...new Set(named.nouns)].slice(0, 16);
  const rule = (
    risks: readonly FencedClass[] | "all",
    verbs: readonly string[],
    more: Partial<Forbidden> = {},
  ): Forbidden => ({
    ...base,
    risks,
    verbs,
    object: excepted.length > 0 ? [] : object,
    targets: excepted.length > 0 ? excepted : targets,
    ...(excepted.length > 0 ? { except: true } : {}),
    rationale: ban.asks ? "You want to be asked first." : "Your words forbid it.",
    ...more,
  });
  if (ban.targets !== undefined) return [rule("all", [], { targets: ban.targets, object: [] })];
  switch (ban.kind) {
    case "service":
      return [
        ...ban.verbs.flatMap((verb) => byVerb(verb, [], [], rule)),
        // Whatever lies in a repository is kept by the service.
        rule(["EXTERNAL_WRITE", "COMMUNICATION", "SHARE"], [], { targets: [], object: ["repository"] }),
      ];
    case "all":
      return [rule("all", [], ban.soft || targets.length > 0 ? { object: [] } : {})];
    case "delete":
      return [rule(["DELETE"], [])];
    case "egress":
      return [rule(["COMMUNICATION", "SHARE"], []), rule(["EXTERNAL_WRITE"], UPLOADS)];
    case "draft":
      return [
        rule(["COMMUNICATION"], [], { object: [], targets: [] }),
        rule(["FINANCIAL", "EXTERNAL_WRITE"], ["send", "publish", "post", "finalize"], {
          object: [],
          targets: [],
        }),
      ];
    case "exclusive":
      return exclusive(ban, clauses, units, text, language, targets, rule);
    case "verbs": {
      const shares = clauses.some(({ verb, looks }) => verb === "share" && !looks);
      const isForced = units.slice(ban.first, ban.last).some((unit) => /^force push/.test(unit.text));
      if (isForced && ban.verbs.length === 1 && ban.verbs[0] === "push")
        return [rule(["EXTERNAL_WRITE", "EXECUTE", "DELETE"], FORCED, { object: [] })];
      const isPublic =
        shares && units.slice(ban.first, ban.last).some((unit) => /^public links?$/.test(unit.text));
      return ban.verbs.flatMap((verb) => byVerb(verb, targets, object, rule, isPublic));
    }
    default:
      return ban.kind satisfies never;
  }
}

const PUBLICITY = /^(?:public|publicly|visible|offentlich|publico|publica|公开)$/;

/** A push that overwrites; any other stays allowed. */
const FORCED = ["force", "force_push", "force_with_lease"];
/** How tools call everybody. */
const ANYONE: readonly Target[] = ["anyone", "anyone_with_link", "public", "everyone", "link"].map(
  (text) => ({
    kind: "item",
    text,
  }),
);
/** What a package manager brings. */
const PARTS =
  /^(?:dependency|dependencies|packages?|library|libraries|abhangigkeit(?:en)?|pakete?|dependencias?|paquetes?|依赖)$/;
const BIN = /^(?:trash|bin|recycle|papierkorb|papelera|回收站|废纸篓)$/;
const EMPTIES = ["empty", "purge", "clear", "flush", "expunge", "wipe"];

/** To change a thing's state is called by the state. */
const STATUS = /^(?:status|state|states|statuses|zustand|estado|状态)$/;
const TRANSITIONS =
  "close reopen open resolve update change set edit archive mark transition move assign".split(" ");

/** What makes something public besides. */
const RELEASES = ["push", "release", "deploy", "upload", "promote"];

const publicity = (rule: Rule): Forbidden[] => [
  rule(["SHARE"], [], { object: [] }),
  rule(["EXTERNAL_WRITE"], ["publish", "post", ...RELEASES], { object: [] }),
];

const UPLOADS = ["upload", "push", "publish", "deploy", "sync", "post", "put", "copy", "submit"];

type Rule = (
  risks: readonly FencedClass[] | "all",
  verbs: readonly string[],
  more?: Partial<Forbidden>,
) => Forbidden;

function byVerb(
  verb: string,
  targets: readonly Target[],
  object: readonly string[],
  rule: Rule,
  isPublic = false,
): Forbidden[] {
  if (verb === "egress")
    return [
      rule(["COMMUNICATION", "SHARE"], [], { object: [] }),
      rule(["EXTERNAL_WRITE"], UPLOADS, { object: [] }),
    ];
  const row = verbRow(verb);
  if (row === null) return [];
  const kinds = kindsOfNouns(object);
  switch (row.family) {
    case "message":
      // `don't post it publicly`: who is written to is not the public.
      if ((verb === "post" || verb === "publish") && object.some((noun) => PUBLICITY.test(noun)))
        return [
          rule(["COMMUNICATION", "EXTERNAL_WRITE"], ["post", "publish", "tweet", ...RELEASES], {
            object: [],
          }),
          rule(["SHARE"], [], { object: [] }),
        ];
      if (verb === "post" || verb === "publish")
        return [
          rule(["COMMUNICATION"], []),
          rule(["EXTERNAL_WRITE"], verb === "publish" ? [verb, "post", ...RELEASES] : [verb]),
        ];
      // Who is not to be called may be written to.
      if (verb === "call") return [rule(["COMMUNICATION"], ["call", "phone", "dial", "ring", "place"])];
      return [
        rule(["COMMUNICATION"], [], verb === "email" && targets.length === 0 ? { object: ["email"] } : {}),
      ];
    case "share":
      // `share it with a@…, no public link`
      if (isPublic) return [rule(["SHARE"], [], { object: [], targets: ANYONE })];
      return verb === "invite"
        ? [rule(["SHARE", "COMMUNICATION"], ["invite", "add", "create", "share"])]
        : [rule(["SHARE"], [])];
    case "delete":
      // What is emptied is the bin; what is put there is not forbidden.
      return [
        object.some((noun) => BIN.test(noun))
          ? rule(["DELETE"], EMPTIES, { object: [] })
          : rule(["DELETE"], []),
      ];
    case "cancel":
      return [rule(["DELETE", "FINANCIAL", "EXTERNAL_WRITE"], [verb, "cancel", "unsubscribe"])];
    case "pay":
    case "buy":
      return [
        rule(["FINANCIAL"], [], targets.length === 0 ? { object: [] } : {}),
        ...(verb === "buy" || verb === "pay" ? [] : [rule(["EXTERNAL_WRITE"], [verb])]),
      ];
    case "update":
      if (object.some((noun) => STATUS.test(noun)))
        return [rule(["EXTERNAL_WRITE", "WRITE"], [verb, ...TRANSITIONS], { object: [] })];
      if (EVERYTHING_CHANGED.test(verb)) {
        if (targets.length > 0) return [rule("all", [])];
        if (object.length === 0) return [rule("all", [])];
        if (kinds.size > 0 && [...kinds].every((kind) => kind === "file" || kind === "code"))
          return [rule(["WRITE", "DELETE"], [], object.some((word) => isPart(word)) ? {} : { object: [] })];
        return [rule(["WRITE", "EXTERNAL_WRITE", "DELETE", "SHARE"], [])];
      }
      // Whether a file is there already is not known when it is written.
      if (verb === "overwrite" && targets.length === 0)
        return [
          rule(["WRITE", "EXTERNAL_WRITE"], ["overwrite", "write", "save", "create"], {
            verdict: "ask",
            object: [],
          }),
        ];
      return [rule(["WRITE", "EXTERNAL_WRITE", "EXECUTE"], [verb])];
    case "create":
    case "draft":
    case "copy":
      if (object.includes("memory") && verb !== "copy") return [rule(["PERSISTENT"], [], { object: [] })];
      if (verb === "attach") return [rule(["EXTERNAL_WRITE", "COMMUNICATION"], ["attach", "upload"])];
      // `don't make it too long`, `don't write more than a page` are about what is said.
      if (
        (verb === "make" || verb === "write" || verb === "draft") &&
        targets.length === 0 &&
        kinds.size === 0 &&
        (object.length > 0 || verb === "make")
      )
        return object.some((noun) => PUBLICITY.test(noun)) ? publicity(rule) : [];
      if (object.some((noun) => PUBLICITY.test(noun))) return publicity(rule);
      if (object.some((noun) => PARTS.test(noun)))
        return [rule(["EXECUTE", "WRITE"], ["install", "add"], { object: [] })];
      if (verb === "write" || verb === "save")
        return [
          rule(
            ["WRITE", "EXTERNAL_WRITE"],
            targets.length > 0 || object.length === 0 ? [] : [verb, "create", "update"],
          ),
        ];
      if (verb === "implement") return [rule(["WRITE"], [])];
      return [
        rule(["WRITE", "EXTERNAL_WRITE"], [verb, "create", "add", "new", "insert", "open", "file", "write"]),
      ];
    case "run":
      if (verb === "run")
        return [rule(["EXECUTE"], [], object.length > 0 && targets.length === 0 ? {} : { object: [] })];
      return [rule(["EXECUTE", "EXTERNAL_WRITE"], [verb])];
    case "form":
      return [
        rule(
          ["EXTERNAL_WRITE", "FINANCIAL", "EXECUTE"],
          ["submit", "click", "press", "type", "fill", "select", verb],
          { object: [] },
        ),
      ];
    case "push":
      return [
        rule(
          ["EXTERNAL_WRITE", "COMMUNICATION", "SHARE", "EXECUTE"],
          verb === "push" ? ["push"] : verb === "upload" ? UPLOADS : [verb, "publish", "release", "promote"],
        ),
      ];
    case "remember":
    case "schedule":
      return [
        rule(["PERSISTENT"], []),
        ...(verb === "schedule"
          ? [rule(["EXTERNAL_WRITE", "COMMUNICATION"], ["schedule", "create", "add"])]
          : []),
      ];
    case "commit":
      return [rule(["WRITE", "EXECUTE", "EXTERNAL_WRITE"], [verb, "commit"])];
    case "move":
    case "state":
    case "switch":
    case "play":
      return [rule(["WRITE", "EXTERNAL_WRITE", "DELETE"], [verb])];
    default:
      return row.family satisfies never;
  }
}

/** Only this, nothing else, not to them: the rest of the class that the request before is about. */
function exclusive(
  ban: Ban,
  clauses: readonly Clause[],
  units: readonly Unit[],
  text: string,
  language: Language,
  targets: readonly Target[],
  rule: Rule,
): Forbidden[] {
  const isNot = ban.verbs[0] === "not";
  const near = ban.clause ?? clauses.at(-1) ?? null;
  // `Lösch a.zip, fass sonst nichts an`: what was asked for before stays so.
  const act =
    near?.looks === true && !isNot
      ? clauses.findLast(({ looks, last }) => !looks && last <= near.first)
      : null;
  const clause = act ?? near;
  if (clause === null) return [];
  if (clause.looks) return isNot ? [] : [rule("all", [], { object: [], targets: [] })];
  const request = requestOf(clause, units, text, language);
  if (request === null) return [];
  const risks = ban.verbs[0] === "all" || act !== null ? ("all" as const) : request.risks;
  // `all branches but main and dev`: names of one word each.
  if (isNot && ban.verbs[1] === "words") {
    const words = rule(risks, []).object.map((text): Target => ({ kind: "item", text }));
    const spared = [...targets, ...words];
    return spared.length === 0 ? [] : [rule(risks, [], { targets: spared, object: [] })];
  }
  // An address may stand in any argument: as the sender of a list that is left.
  const addresses = targets.filter(({ kind, text }) => kind === "recipient" && text.includes("@"));
  const spared = [
    ...targets,
    ...addresses.map(({ text }): Target => ({ kind: "item", text: text.toLowerCase() })),
  ];
  if (isNot) return targets.length === 0 ? [] : [rule(risks, [], { targets: spared, object: [] })];
  const kept = request.targets.filter(({ kind }) => kind !== "amount");
  // Where nothing is named, what stays allowed is told by its words.
  const words = kept.length > 0 ? { object: [] } : { object: request.object };
  return [rule(risks, kept.length > 0 ? [] : request.verbs, { targets: kept, except: true, ...words })];
}

/** A request for one thing only forbids the rest of its class. */
export function exclusiveOf(clause: Clause): Ban | null {
  if (!clause.exclusive || clause.looks) return null;
  return {
    kind: "exclusive",
    verbs: [],
    first: clause.first,
    last: clause.last,
    objects: [],
    clause,
    asks: false,
    soft: false,
    exceptFrom: null,
  };
}
