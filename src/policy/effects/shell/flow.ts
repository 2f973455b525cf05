/** How commands follow from each other: lists of conditions, pipelines, branches and loops. */
import { forEachChild, type Redirection, type SyntaxNode } from "unbash";
import { setVariable } from "./command.ts";
import { expandSingle } from "./expand.ts";
import { Feed } from "./fed.ts";
import { has } from "./field.ts";
import { deeper, evaluateVariables } from "./parameters.ts";
import { join, type Shell, sameShell } from "./state.ts";
import { directoryText, type Input, type Outcome, type Place, unchanged, type Walker } from "./walker.ts";

/** A loop over more known words than this is read once, with an unknown value. */
const MOST_TURNS = 48;

/** Reads what has commands inside it and is none itself; an unknown kind is code that nobody has seen. */
export function readCompound(node: SyntaxNode, shell: Shell, place: Place, walker: Walker): Outcome {
  switch (node.type) {
    case "If": {
      const clause = walker.node(node.clause, shell, place);
      let after = settle(walker.node(node.then, clause.ok, place));
      let unmet = clause.fail;
      for (const branch of node.elif) {
        const next = walker.node(branch.clause, unmet, place);
        after = join(after, settle(walker.node(branch.then, next.ok, place)));
        unmet = next.fail;
      }
      return unchanged(join(after, node.else ? settle(walker.node(node.else, unmet, place)) : unmet));
    }
    case "For":
    case "Select":
      return readFor(node, shell, place, walker);
    case "While":
      return unchanged(
        repeat(shell, (now) => {
          const clause = walker.node(node.clause, now, place);
          return join(settle(walker.node(node.body, clause.ok, place)), settle(clause));
        }),
      );
    case "ArithmeticFor":
      readArithmetic([node.initialize, node.test, node.update], shell, place, walker);
      return unchanged(repeat(shell, (now) => settle(walker.node(node.body, now, place))));
    case "ArithmeticCommand":
      readArithmetic([node.expression], shell, place, walker);
      return unchanged(shell);
    case "Case": {
      expandSingle(node.word, { walker, shell, place: deeper(place) });
      let after = shell;
      // What falls through is in the state that the item before left.
      let falls = false;
      for (const item of node.items) {
        walker.expand(item.pattern, shell, place);
        after = join(after, settle(walker.node(item.body, falls ? join(shell, after) : shell, place)));
        falls = item.terminator === ";&" || item.terminator === ";;&";
      }
      return unchanged(after);
    }
    case "TestCommand":
      readTest(node, shell, place, walker);
      return unchanged(shell);
    default:
      walker.report.execute("unread-syntax", place.source, directoryText(shell));
      return unchanged(shell);
  }
}

export function readAndOr(
  node: Extract<SyntaxNode, { type: "AndOr" }>,
  shell: Shell,
  place: Place,
  walker: Walker,
): Outcome {
  // After `||` success no longer says which side succeeded.
  const proven = place.proven && !node.operators.includes("||");
  let outcome = unchanged(shell);
  for (const [at, command] of node.commands.entries()) {
    const operator = at === 0 ? "&&" : node.operators[at - 1];
    const next = walker.node(command, operator === "&&" ? outcome.ok : outcome.fail, { ...place, proven });
    if (at === 0) outcome = next;
    else if (operator === "&&") outcome = { ok: next.ok, fail: join(outcome.fail, next.fail) };
    else outcome = { ok: join(outcome.ok, next.ok), fail: next.fail };
  }
  return outcome;
}

export function readPipeline(
  node: Extract<SyntaxNode, { type: "Pipeline" }>,
  shell: Shell,
  place: Place,
  walker: Walker,
): Outcome {
  const negated = node.prefixes.some((prefix) => prefix.type === "Negation");
  const [only] = node.commands;
  if (node.commands.length === 1 && only) {
    const outcome = walker.node(only, shell, { ...place, proven: place.proven && !negated });
    return negated ? { ok: outcome.fail, fail: outcome.ok } : outcome;
  }
  let feed: Feed | null = null;
  for (const command of node.commands) {
    const input: Input = feed === null ? place.input : { kind: "pipe", feed };
    walker.node(command, shell, { ...place, input, proven: false });
    feed = new Feed(handedDown(command, place.source), feed);
  }
  return unchanged(shell);
}

function readFor(
  node: Extract<SyntaxNode, { type: "For" | "Select" }>,
  shell: Shell,
  place: Place,
  walker: Walker,
): Outcome {
  const words = node.wordlist ? walker.expand(node.wordlist, shell, place) : shell.positional;
  const name = node.name.value;
  const known = words !== null && words.length <= MOST_TURNS && node.type === "For";
  if (known && words.every((word) => !has(word, "unknown"))) {
    let now = shell;
    walker.report.commandsLeft -= words.length;
    for (const word of words)
      now = settle(walker.node(node.body, setVariable(name, word, now, place, walker), place));
    return unchanged(now);
  }
  return unchanged(
    repeat(shell, (now) =>
      settle(walker.node(node.body, setVariable(name, null, now, place, walker), place)),
    ),
  );
}

/** Reads a body until another turn would change nothing; what still moves then cannot be known. */
function repeat(shell: Shell, turn: (now: Shell) => Shell): Shell {
  const once = join(shell, turn(shell));
  if (sameShell(once, shell)) return once;
  const twice = join(once, turn(once));
  if (sameShell(twice, once)) return twice;
  const lost: Shell = { ...twice, directories: sameDirectories(twice, once) ? twice.directories : [null] };
  return join(lost, turn(lost));
}

function readArithmetic(
  expressions: readonly (SyntaxNode | undefined)[],
  shell: Shell,
  place: Place,
  walker: Walker,
): void {
  for (const expression of expressions) {
    if (!expression) continue;
    walker.report.works(expression.end - expression.pos);
    readInside(expression, shell, place, walker);
  }
  evaluateVariables({ walker, shell, place });
}

function readTest(
  node: Extract<SyntaxNode, { type: "TestCommand" }>,
  shell: Shell,
  place: Place,
  walker: Walker,
): void {
  readInside(node.expression, shell, place, walker);
  const text = place.source.slice(node.pos, node.end);
  // Every word of it is looked at, and most are a letter or two.
  walker.report.works(4 * text.length);
  if (/\s-(?:eq|ne|lt|le|gt|ge|v)\s/.test(text)) {
    evaluateVariables({ walker, shell, place });
    if (/\[[^\]]*(?:\$\(|`)/.test(text)) {
      walker.report.opaque("evaluated-text");
      walker.expandable(text, shell, deeper(place));
    }
  }
}

/** Reads the scripts and expands the words inside a node that runs no command by itself. */
function readInside(node: SyntaxNode, shell: Shell, place: Place, walker: Walker): void {
  if (node.type === "Word") {
    expandSingle(node, { walker, shell, place: deeper(place) });
    return;
  }
  if (node.type === "Script") {
    walker.script(node, shell, { ...deeper(place), input: { kind: "none" }, proven: false });
    return;
  }
  forEachChild(node, (child) => readInside(child, shell, place, walker));
}

export function settle(outcome: Outcome): Shell {
  return join(outcome.ok, outcome.fail);
}

function sameDirectories(a: Shell, b: Shell): boolean {
  return (
    a.directories.length === b.directories.length && a.directories.every((one) => b.directories.includes(one))
  );
}

/** What a command may hand to the next one in a pipeline: its own text and its here-documents. */
function handedDown(node: SyntaxNode, source: string): string {
  const texts = [source.slice(node.pos, node.end)];
  const redirects: readonly Redirection[] =
    node.type === "Command" || node.type === "Redirected" ? node.redirects : [];
  for (const redirect of redirects) if (redirect.type === "HereDoc") texts.push(redirect.body.text);
  return texts.join("\n");
}
