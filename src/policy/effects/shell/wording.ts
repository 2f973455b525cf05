import type { Command } from "unbash";
import type { RiskClass } from "../../types.ts";
import { listOf } from "../columns.ts";
import { GENERIC_VERBS, type Wording } from "../said.ts";
import { isVerb, wordsOf } from "../tools/kinds.ts";
import { SUBCOMMANDS } from "./commands/words.ts";
import { type Field, visible } from "./field.ts";

/** Words of a command that are looked at. */
const MOST_WORDS = 64;
const MOST_OBJECTS = 12;

/** Options that are part of what a person would ask for, or would not. */
const MARKS: readonly (readonly [string, RegExp])[] = [
  ["force", /^--force(?:-with-lease(?:=.*)?|-if-includes)?$/],
  ["delete", /^--(?:delete|del|delete-\w+)$/],
  ["amend", /^--amend$/],
  ["discard", /^--hard$/],
  ["mirror", /^--mirror$/],
  ["all", /^--(?:all|branches)$/],
  ["prune", /^--prune$/],
  ["tag", /^--(?:tags|follow-tags)$/],
  ["install", /^--install$/],
];

/** Short options whose meaning the subcommand decides. */
const SHORT_MARKS = new Map<string, readonly (readonly [string, RegExp])[]>(
  Object.entries({
    push: [
      ["force", /^-\w*f\w*$/],
      ["delete", /^-\w*d\w*$/],
      // What is pushed from nothing is deleted, what stands behind a plus replaces what is there.
      ["force", /^\+/],
      ["delete", /^\+?:[^:]/],
    ],
    branch: [["delete", /^-\w*[dD]\w*$/]],
    tag: [["delete", /^-\w*d\w*$/]],
  }),
);

/** How programs shorten what people say in full. */
const SHORT_VERBS = new Map(
  Object.entries({
    cp: "copy",
    mv: "move",
    rm: "delete",
    rmi: "delete",
    ls: "list",
    i: "install",
    ci: "install",
    up: "start",
    down: "stop",
  }),
);
const SHORT_NOUNS = new Map(
  Object.entries({ pr: ["pull", "request"], mr: ["merge", "request"], repo: ["repository"] }),
);

/** How git's verbs that throw something away are asked for. */
const DISCARDS = new Map(
  Object.entries({
    reset: "discard reset",
    restore: "discard restore",
    checkout: "discard checkout",
    clean: "delete clean",
    stash: "stash",
  }),
);

/** The command as text, for people and for comparing it with what somebody asked to run. */
export function commandText(words: readonly Field[]): string {
  return words.slice(0, 256).map(visible).join(" ").slice(0, 2000);
}

/** A command as it is written, without its redirections and the variables set for it. */
export function spelledCommand({ name, args, pos, end }: Command, source: string): string {
  const words = name === undefined ? [] : [name, ...args];
  const text = words.length
    ? words
        .slice(0, 256)
        .map((one) => source.slice(one.pos, one.end))
        .join(" ")
    : source.slice(pos, end);
  return text.slice(0, 2000);
}

/**
 * How one command of a script is put in words: `git push --force origin main` is push and force, of origin and main, by git;
 * `rm x` is delete, remove and rm. What is run keeps its program and subcommand among the objects as well.
 */
export function commandWording(
  words: readonly Field[],
  verbsOf: ReadonlyMap<string, readonly string[]>,
): (risk: RiskClass) => Wording {
  const texts = words.slice(0, MOST_WORDS).map(visible);
  const program = baseOf(texts[0] ?? "").toLowerCase();
  const args = texts.slice(1);
  const row = SUBCOMMANDS.get(program);
  const values = listOf(row?.values);
  const given = args.filter(
    (one, at) => one !== "" && !one.startsWith("-") && !values.includes(args[at - 1] ?? ""),
  );
  const operands = program === "service" && given.length > 1 ? behindName(given) : given;
  const subs = operands.slice(0, row?.words ?? 0).filter((one) => /^[a-z][a-z0-9:_-]{0,40}$/i.test(one));
  const sub = subs.map((one) => one.toLowerCase());
  const options = args.filter((one) => one.startsWith("-"));
  const isMarked = ([, option]: readonly [string, RegExp]): boolean =>
    options.some((one) => option.test(one));
  const marks = options.length ? MARKS.filter(isMarked) : [];
  const short = (SHORT_MARKS.get(sub[0] ?? "") ?? []).filter(([, mark]) =>
    args.some((one) => mark.test(one)),
  );
  const own = verbsOf.get(program) ?? [];
  const { verbs: spoken, nouns } = spokenOf(sub);
  const object: string[] = [];
  for (const one of operands.slice(subs.length)) {
    const name = baseOf(one).toLowerCase();
    if (name !== "" && name.length <= 64 && /^[\p{L}\p{N}_@.:#+~*?^=-]+$/u.test(name)) object.push(name);
    if (object.length === MOST_OBJECTS) break;
  }
  return (risk) => {
    const marked = [...marks, ...short].map(([mark]) => mark);
    const sent = TRANSFERS.has(program)
      ? transferVerbs(args, risk)
      : isBucketSync(program, sub)
        ? ["copy"]
        : [];
    const lost = risk === "DELETE" && program === "git" ? (DISCARDS.get(sub[0] ?? "")?.split(" ") ?? []) : [];
    const asked = risk === "DELETE" ? [...marked, ...spoken] : [...spoken, ...marked];
    const verbs = [...lost, ...sent, ...asked, ...own];
    if (risk === "EXECUTE")
      return {
        verbs: [...verbs, "run", program],
        object: [program, ...sub, ...nouns, ...object],
        service: program,
      };
    // What a class is called by itself comes last, but where nothing else says it.
    return {
      verbs: verbs.length ? [...verbs, program] : [GENERIC_VERBS[risk], program],
      object: [...nouns, ...object],
      service: program,
    };
  };
}

/** `gh release create` creates a release; what holds no word that is known for a verb stands for one. */
function spokenOf(sub: readonly string[]): { readonly verbs: string[]; readonly nouns: string[] } {
  const nouns: string[] = [];
  const verbs: string[] = [];
  for (const word of sub.flatMap(wordsOf)) {
    const verb = SHORT_VERBS.get(word) ?? word;
    const noun = SHORT_NOUNS.get(word);
    if (noun !== undefined) nouns.push(...noun);
    else if (isVerb(verb)) verbs.push(verb);
    else nouns.push(verb);
  }
  return verbs.length ? { verbs, nouns } : { verbs: nouns, nouns: [] };
}

/** To bring a bucket up to date is to copy to it, as people say it. */
const isBucketSync = (program: string, [group, verb]: readonly string[]): boolean =>
  (program === "aws" && group === "s3" && verb === "sync") || (program === "gsutil" && group === "rsync");

/** `service nginx restart` says what is done behind whom it is done to. */
const behindName = ([name = "", verb = "", ...rest]: readonly string[]): string[] => [verb, name, ...rest];

const TRANSFERS = new Set(["curl", "wget", "wget2", "http", "https", "xh", "xhs"]);

/** What a request over HTTP is called by the one who asks for it. */
function transferVerbs(args: readonly string[], risk: RiskClass): string[] {
  if (risk === "WRITE") return ["download", "save"];
  if (risk === "NETWORK" || risk === "CREDENTIAL") return ["fetch", "download"];
  const sendsFile = args.some(
    (one, at) =>
      /^(?:-T|--upload-file|--post-file|--body-file)/.test(one) ||
      (/^(?:-F|--form)?[^=\s]*=?@./.test(one) &&
        /^(?:-[dF]|--(?:data|form|json)[\w-]*)/.test(args[at - 1] ?? one)) ||
      /^-d@|^--data[\w-]*=@/.test(one),
  );
  const at = args.findIndex((one) => /^(?:-X|--request|--method)$/.test(one));
  const method =
    (args[at + 1] && at >= 0
      ? args[at + 1]
      : /^(?:-X|--(?:request|method)=)(\w+)$/.exec(
          args.find((one) => /^(?:-X\w|--(?:request|method)=)/.test(one)) ?? "",
        )?.[1]) ?? "post";
  return sendsFile ? ["upload", "send", method.toLowerCase()] : [method.toLowerCase(), "send"];
}

function baseOf(text: string): string {
  const trimmed = text.replace(/\/+$/, "");
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}
