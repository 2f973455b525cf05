/**
 * What git pushes, throws away and goes to, by its names: branches, tags and remotes. Each is compared whole, and all of
 * a call's must be named: one branch that was named covers no other (CONVENTIONS §4).
 */
import type { Act, Effects, Item } from "../../../types.ts";
import { covers, isInWorkspace } from "../places.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";
import { wants } from "./wants.ts";

const REF = /^(?:refs?|refspecs?|branch|branches|branch_name|branch_names|tags?|tag_name|tag_names)$/;
const REMOTE = /^(?:remote|remote_name|remote_url)$/;
/** Where git is, not what it is told to move. */
const HERE = /^(?:head|@)(?:[~^]\d*)*$/;

/** Names of remotes that people use besides `origin`: whoever says one means no other. */
const KNOWN_REMOTES = ["upstream", "fork", "heroku", "dokku", "backup"];

/** Both sides of a refspec, as people call them: without force, `refs/heads/` and where git is anyway. */
export function refsOf({ items }: Effects): string[] {
  return items
    .filter(({ name }) => REF.test(name))
    .flatMap(({ value }) => value.toLowerCase().replace(/^\+/, "").split(":"))
    .map(plainRef)
    .filter((ref) => ref !== "" && !HERE.test(ref));
}

const plainRef = (ref: string): string => ref.replace(/^(?:refs\/)?(?:heads|tags|remotes)\//, "");

/** Every ref of the call is one that was typed; none at all is nothing to go by. */
function areNamed(ready: Ready, refs: readonly string[], remotes: readonly string[]): boolean {
  const said = typedRefs(ready);
  return refs.every((ref) => said.has(ref) || remotes.some((remote) => said.has(`${remote}/${ref}`)));
}

/** Whole tokens of the clause that it names something by: `login` of `fix-login` is none. */
function typedRefs({ quote, names, words, permission }: Ready): ReadonlySet<string> {
  const known = new Set([...names, ...words]);
  for (const { kind, text } of permission.targets) if (kind === "path") known.add(text.toLowerCase());
  const typed = new Set<string>();
  for (const token of tokensOf(quote)) if (known.has(token)) typed.add(plainRef(token));
  return typed;
}

const tokensOf = (quote: string): string[] =>
  quote
    .toLowerCase()
    .split(/[^\p{L}\p{N}._/@#+-]+/u)
    .map((token) => token.replace(/[.@#+-]+$/, "").replace(/'s$/, ""));

/** A remote that nobody named: another one than `origin`, or `origin` where the words say another. */
function isForeign({ quote, permission }: Ready, remotes: readonly string[]): boolean {
  const tokens = new Set(tokensOf(quote));
  const typed = new Set(permission.targets.map(({ text }) => plainUrl(text)));
  const other = KNOWN_REMOTES.filter((remote) => tokens.has(remote));
  return remotes.some((remote) => {
    if (remote === "origin") return other.length > 0 && !tokens.has("origin");
    return isAddress(remote) ? !typed.has(plainUrl(remote)) : !tokens.has(remote);
  });
}

const isAddress = (remote: string): boolean => /[:/\\]/.test(remote);
const plainUrl = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[a-z+]+:\/\/(?:[^/@]*@)?|^[\w.-]+@/, "")
    .replace(":", "/")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");

const remotesOf = (items: readonly Item[]): string[] =>
  items.filter(({ name }) => REMOTE.test(name)).map(({ value }) => value.toLowerCase());

/** Ways of pushing that go further than the branch that is pushed, and the words that ask for them. */
const FURTHER: readonly (readonly [RegExp, RegExp, RegExp])[] = [
  [
    /^(?:force|force_push|force_with_lease)$/,
    /\s(?:-\w*f\w*|--force\S*)(?:\s|$)|\s["']?\+[\w/*]/,
    /force|overwrite|erzwing|erzwung|forzad|fuerza|强制|强推/,
  ],
  [
    /^(?:all|branches|all_branches|push_all)$/,
    /\s(?:--all|--branches)(?:\s|$)/,
    /\b(?:all|every)\b.{0,20}\bbranch|\beverything\b|\balle\b.{0,20}\b(?:branch|zweig)|\btodas\b.{0,20}\brama|所有分支|全部分支/,
  ],
  [/^mirror$/, /\s--mirror(?:\s|$)/, /mirror|spiegel|espejo|镜像/],
  [/^(?:tag|tags|push_tags)$/, /\s--tags(?:\s|$)/, /\btags?\b|etiqueta|标签/],
  [/^(?:delete|prune)$/, /\s(?:-d|--delete|--prune)(?:\s|$)/, /delet|remov|prun|lösch|elimin|borra|删/],
];

function goesFurther({ quote }: Ready, act: Act, items: readonly Item[]): boolean {
  const commands = items.filter(({ name, value }) => name === "command" && /\bgit\b/.test(value));
  return FURTHER.some(
    ([name, option, words]) =>
      (act.verbs.some((verb) => name.test(verb)) ||
        items.some((item) => name.test(item.name) && /^(?:true|1|yes)$/i.test(item.value)) ||
        commands.some(({ value }) => option.test(value))) &&
      !wants(quote, words),
  );
}

/** `Push feature/x to origin`: that ref, there, and no more than it. */
export function pushed(ready: Ready, act: Act, { effects, permissions }: Call): Match | null {
  const { items } = effects;
  if (!ready.verbs.has("push") && !ready.verbs.has("deploy")) return null;
  if (goesFurther(ready, act, items)) return asked("scope-wider");
  const said = ready.quote.toLowerCase();
  for (const { name, value } of items)
    if (name === "command" && /\bgit\b/.test(value)) {
      const other = /\s(?:-C|--git-dir(?:=|\s)|--work-tree(?:=|\s))\s*(\S+)/.exec(value)?.[1];
      if (other !== undefined && other !== "." && !said.includes(other.toLowerCase()))
        return asked("target-not-named");
    }
  const [refs, remotes] = [refsOf(effects), remotesOf(items)];
  if (isForeign(ready, remotes)) return asked("target-not-named");
  if (refs.length > 0)
    return areNamed(ready, refs, remotes) || areJustMade(ready, refs, permissions)
      ? named()
      : asked("target-not-named");
  const rest = act.object.filter((word) => !HERE.test(word) && !remotes.some((one) => isOf(one, word)));
  const known = new Set([...ready.words, ...ready.names]);
  return rest.every((word) => known.has(word)) ? named([], rest.length > 0) : asked("target-not-named");
}

/** What a clause says of a ref without saying which: `push it`, `push the tag`. */
const POINTS = /^(?:it|this|that|them|the|tag|tags|branch|branches|my|new|changes?|commits?)$/;
const NAMES_REF = ["tag", "create", "merge", "rebase", "check_out", "cherry_pick", "commit", "rename"];

/** `Tag this v2.1.0 and push the tag`: the clause names no ref, and one before it, of the same turn, made or used this one. */
function areJustMade(ready: Ready, refs: readonly string[], permissions: readonly Ready[]): boolean {
  if (
    [...typedRefs(ready)].some((ref) => !POINTS.test(ref) && !KNOWN_REMOTES.includes(ref) && ref !== "origin")
  )
    return false;
  const { span } = ready.permission;
  const before = permissions.filter(
    (one) =>
      one.permission.span.turn === span.turn &&
      one.permission.span.start <= span.start &&
      NAMES_REF.some((verb) => one.verbs.has(verb)),
  );
  const said = new Set(before.flatMap((one) => [...typedRefs(one)]));
  return refs.every((ref) => said.has(ref));
}

/** An act's object is the last part of a name. */
const isOf = (name: string, word: string): boolean => name === word || name.endsWith(`/${word}`);

/** What git throws away: branches or tags, each of which was named. */
export function discarded(ready: Ready, act: Act, effects: Effects): Match | null {
  const isPush = act.verbs.includes("push");
  const isBranch = act.verbs.includes("branch");
  const isTag = act.verbs.includes("tag");
  const [refs, remotes] = [refsOf(effects), remotesOf(effects.items)];
  if (refs.length === 0 || !areNamed(ready, refs, remotes))
    return isPush || isBranch || isTag ? asked("target-not-named") : null;
  if (isForeign(ready, remotes)) return asked("target-not-named");
  // A tag may be called as the branch is.
  const about = [ready.words.has("branch"), ready.words.has("tag")];
  if ((isTag && about[0] && !about[1]) || (isBranch && about[1] && !about[0]))
    return asked("target-not-named");
  const isSaid = /remote|origin|server|github|gitlab|bitbucket|entfernt|remoto|远程/i.test(ready.quote);
  return isPush && !isSaid && !remotes.some((one) => one !== "origin") ? asked("scope-wider") : named();
}

/** Branches that people name as a plain word. */
const COMMON = /^(?:main|master|develop|dev|staging|trunk|production)$/;

/**
 * Where words name a branch, the one that git merges, makes, takes or goes to is that one; and where it takes it from is
 * `origin`, or was named.
 */
function isOtherRef(ready: Ready, { effects: { items }, permissions }: Call): boolean {
  const sources = items.filter(({ name }) => name === "source").map(({ value }) => value.toLowerCase());
  if (isForeign(ready, [...sources, ...remotesOf(items)])) return true;
  if (![...typedRefs(ready)].some((ref) => /[/\d-]/.test(ref) || COMMON.test(ref))) return false;
  // The steps of one turn are about the same branches: `switch to main and merge feature/x`.
  const typed = besides(ready, permissions).flatMap((one) => [...typedRefs(one)]);
  return items.some(({ name, value }) => {
    if (name !== "revision") return false;
    const ref = plainRef(value.toLowerCase());
    return (
      !HERE.test(ref) && !typed.includes(ref) && !typed.includes(ref.replace(/^(?:origin|upstream)\//, ""))
    );
  });
}

/** Requests of the same turn that may be about the same repository. */
const besides = ({ permission }: Ready, permissions: readonly Ready[]): readonly Ready[] =>
  permissions.filter(
    (one) => one.permission.span.turn === permission.span.turn && !one.families.has("delete"),
  );

/** What these are steps of. */
const GOALS = ["commit", "push", "pull", "rebase", "merge", "deploy", "cherry_pick"];
const STEPS = new Set("add stage commit stash fetch".split(" "));

/** Commands that make a branch or a tag, without moving one that is there. */
const MAKES = /^git (?:checkout -b|switch (?:-c|--create)|(branch|tag)(?: -a| -m \S+)*) [^\s-]\S*$/;

/** What git keeps in its own folder is written by commands that were asked for by their names. */
export function matchGitWrite(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const made = ready.families.has("create") && (ready.words.has("branch") || ready.words.has("tag"));
  const isAsked =
    isReplacing(ready, act) ||
    act.verbs.some(
      (verb) => ready.verbs.has(verb) || (STEPS.has(verb) && GOALS.some((goal) => ready.verbs.has(goal))),
    ) ||
    (made && commandsOf(effects).some((command) => MAKES.test(command)));
  if (!isAsked) return null;
  return isOtherRef(ready, call) ? asked("target-not-named") : named([], false);
}

const commandsOf = ({ items }: Effects): string[] =>
  items.filter(({ name }) => name === "command").map(({ value }) => value);

/** `Tag this commit v2.1.0`: a tag of that name, made where git is. */
export function matchTag(ready: Ready, act: Act, { effects }: Call): Match | null {
  if (act.service !== "git" || act.risk !== "WRITE" || !act.verbs.includes("tag") || !ready.verbs.has("tag"))
    return null;
  const tags = commandsOf(effects).filter((command) => /^git tag\b/.test(command));
  if (!tags.every((command) => MAKES.test(command))) return null;
  const said = typedRefs(ready);
  return act.object.length > 0 && act.object.every((name) => said.has(name))
    ? named()
    : asked("target-not-named");
}

const STASHES = /^git stash(?: push| save)?(?: -u| --include-untracked)?$/;
const GOES = /^git (?:switch|checkout) (-|[\w][\w/.-]*)$/;

/**
 * What git sets aside or replaces when it is asked, by the name of its own command, to stash, to pull or to go to
 * another branch: steps that keep what was committed. Every command of the call that does the same is such a step.
 */
export function matchGitStep(ready: Ready, act: Act, { effects, permissions }: Call): Match | null {
  if (act.service !== "git") return null;
  const verb = ["stash", "switch", "checkout"].find((one) => act.verbs.includes(one));
  if (verb === undefined) return null;
  const commands = commandsOf(effects).filter((command) => command.split(" ", 2)[1] === verb);
  if (commands.length === 0) return null;
  const said = ready.quote.toLowerCase();
  if (verb === "stash") {
    // What was set aside by the call itself may be brought back by it.
    const isStep =
      commands.some((command) => STASHES.test(command)) &&
      commands.every((command) => STASHES.test(command) || command === "git stash pop");
    return isStep && /\bstash\b/.test(said) ? named([], false, 0) : null;
  }
  const turn = besides(ready, permissions);
  const typed = new Set(turn.flatMap((one) => [...typedRefs(one)]));
  const words = said.split(/[^\w/.-]+/);
  // Whoever wants one branch brought into another goes to it first.
  const brings =
    bringsIn(ready) || (/\b(?:switch|check ?out|go)\b/.test(said) && turn.some((one) => bringsIn(one)));
  const names =
    /\b(?:switch|check ?out|go)\b/.test(said) && /\bbranch\b|\bto (?:main|master|develop)\b/.test(said);
  const isStep = (command: string): boolean => {
    const branch = GOES.exec(command)?.[1]?.toLowerCase();
    if (branch === undefined) return false;
    if (brings) return branch === "-" || typed.has(branch);
    return names && words.includes(branch);
  };
  return commands.every(isStep) ? named([], false, 0) : null;
}

const bringsIn = ({ verbs, quote }: Ready): boolean =>
  ["merge", "rebase", "cherry_pick"].some((verb) => verbs.has(verb)) || PICKS.test(quote);
const PICKS = /\bcherry.?pick/i;

/** A repository that was named, brought here: by its address, or as `owner/name`. */
export function matchClone(ready: Ready, { effects, writes, environment }: Call): Match | null {
  if (!["copy", "clone", "download", "check_out"].some((verb) => ready.verbs.has(verb))) return null;
  const typed = ready.permission.targets.map(({ text }) => plainUrl(text));
  const cloned = commandsOf(effects).flatMap((command) => {
    const words = /^git clone((?: \S+)+)$/.exec(command)?.[1]?.trim().split(" ") ?? [];
    return words.filter((word) => isAddress(word) && !word.startsWith("-")).slice(0, 1);
  });
  if (cloned.length === 0) return null;
  const isSaid = cloned.every((one) => {
    const url = plainUrl(one);
    return typed.some(
      (text) => text === url || (/^[\w.-]+\/[\w.-]+$/.test(text) && url === `github.com/${text}`),
    );
  });
  const isHere = writes.every(
    (path) =>
      isInWorkspace(path, environment) || ready.places.some((place) => covers(place, path, environment)),
  );
  return isSaid && isHere ? named() : asked("target-not-named");
}

const REPLACES = /^(?:rebase|bisect|pull|merge|checkout|switch|stash|revert|cherry|pick)$/;

/** What git replaces when it is asked to rebase, bisect or pull; `null` where it was not. */
export function matchReplaced(ready: Ready, act: Act, call: Call): Match | null {
  if (!isReplacing(ready, act)) return null;
  return isOtherRef(ready, call) ? asked("target-not-named") : named([], false, 0);
}

function isReplacing({ permission, verbs, quote }: Ready, act: Act): boolean {
  if (act.service !== "git" || (permission.risk !== "EXECUTE" && permission.risk !== "WRITE")) return false;
  return act.verbs.some(
    (verb) =>
      REPLACES.test(verb) &&
      (verbs.has(verb) ||
        (verb === "pull" && /\bpull\b/i.test(quote)) ||
        (verb === "cherry" && PICKS.test(quote))),
  );
}
