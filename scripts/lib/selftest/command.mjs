/**
 * What of a shell command acts, and what it merely says or reads. `echo "the page wants x" > summary.md` says x;
 * `echo y > x` makes x; `grep x page.html` reads. Deliberately a small reader of its own and not the product's: a blind
 * spot of the judge must not be a blind spot of the check. Whatever it cannot follow acts.
 */

/** Programs whose arguments only name what is looked at. */
const READERS = new Set(
  "cat ls grep egrep fgrep rg head tail less more wc stat file test [ diff cmp cd pwd basename dirname realpath readlink tree du".split(
    " ",
  ),
);
/** Programs that only print their arguments, or what they are fed. */
const PRINTERS = new Set(["echo", "printf", "cat", ":"]);
const KEYWORDS = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "(", "time"]);
const MAX_COMMAND_CHARACTERS = 200_000;

/**
 * @param {string} text
 * @returns {{acting: string[], saying: string[]}} the parts of the text, quotes and all
 */
export function readCommand(text) {
  const pipelines = text.length > MAX_COMMAND_CHARACTERS ? null : lex(text);
  if (pipelines === null) return { acting: [text], saying: [] };
  const acting = [];
  const saying = [];
  for (const { commands, comment } of pipelines) {
    if (comment !== null) saying.push(comment);
    for (const [index, command] of commands.entries()) {
      const words = [...command.words];
      while (words.length > 0 && KEYWORDS.has(words[0])) words.shift();
      const [program = "", ...rest] = words;
      acting.push(...command.targets);
      const said = [...rest, ...command.heredocs];
      // Inside a substitution anything may run.
      const runs = said.some((word) => /\$\(|`|[<>]\(/.test(word));
      const prints = PRINTERS.has(program) && (program !== "cat" || rest.length === 0);
      const flows = commands.slice(index + 1).every((later) => isHarmless(later.words));
      const reads = READERS.has(program) && command.heredocs.length === 0;
      if (!runs && (reads || (prints && flows))) saying.push(...said);
      else if (!runs && program === "tee" && flows) acting.push(...rest);
      else acting.push(words.join(" "), ...command.heredocs);
    }
  }
  return { acting, saying };
}

/** What may stand behind a printer in a pipeline without making its words act: `tee` keeps them in a file, a reader shows them. */
function isHarmless(words) {
  return words[0] === "tee" || READERS.has(words[0] ?? "");
}

/**
 * Cuts a text into pipelines of simple commands; `null` for what it does not follow.
 * @returns {{commands: {words: string[], targets: string[], heredocs: string[]}[], comment: string | null}[] | null}
 */
function lex(text) {
  const pipelines = [];
  let pipeline = { commands: [], comment: null };
  let command = { words: [], targets: [], heredocs: [] };
  let word = null;
  let redirect = false;
  /** Here-documents whose bodies begin at the next line. */
  const waiting = [];
  let heredoc = null;
  const endWord = () => {
    if (word === null) return;
    if (heredoc !== null) {
      waiting.push({ command, end: word.replace(/["'\\]/g, ""), indented: heredoc.indented });
      heredoc = null;
    } else if (redirect) command.targets.push(word);
    else command.words.push(word);
    redirect = false;
    word = null;
  };
  const endCommand = () => {
    endWord();
    if (command.words.length + command.targets.length > 0) pipeline.commands.push(command);
    command = { words: [], targets: [], heredocs: [] };
  };
  const endPipeline = () => {
    endCommand();
    if (pipeline.commands.length > 0 || pipeline.comment !== null) pipelines.push(pipeline);
    pipeline = { commands: [], comment: null };
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") {
      word = (word ?? "") + text.slice(at, at + 2);
      at += 1;
    } else if (character === "'" || character === '"') {
      const end = closing(text, at, character);
      if (end === -1) return null;
      word = (word ?? "") + text.slice(at, end + 1);
      at = end;
    } else if (character === "$" && text[at + 1] === "(") {
      const end = balanced(text, at + 1);
      if (end === -1) return null;
      word = (word ?? "") + text.slice(at, end + 1);
      at = end;
    } else if (character === "`") {
      const end = closing(text, at, "`");
      if (end === -1) return null;
      word = (word ?? "") + text.slice(at, end + 1);
      at = end;
    } else if (character === "#" && word === null) {
      const end = text.indexOf("\n", at);
      const rest = text.slice(at, end === -1 ? text.length : end);
      pipeline.comment = pipeline.comment === null ? rest : `${pipeline.comment}\n${rest}`;
      at += rest.length - 1;
    } else if (character === "\n") {
      endPipeline();
      for (const { command: owner, end, indented } of waiting.splice(0)) {
        const body = [];
        for (;;) {
          if (at >= text.length - 1) return null;
          const stop = text.indexOf("\n", at + 1);
          const line = text.slice(at + 1, stop === -1 ? text.length : stop);
          at = stop === -1 ? text.length : stop;
          if ((indented ? line.replace(/^\t+/, "") : line) === end) break;
          body.push(line);
        }
        owner.heredocs.push(body.join("\n"));
      }
    } else if (character === "<" && text[at + 1] === "<" && text[at + 2] !== "<") {
      endWord();
      const indented = text[at + 2] === "-";
      heredoc = { indented };
      at += indented ? 2 : 1;
    } else if (character === "<" || character === ">") {
      if (text[at + 1] === "(") return null;
      // The number in front of a redirection is no argument.
      if (word !== null && /^\d+$/.test(word)) word = null;
      endWord();
      redirect = true;
      while (at + 1 < text.length && "<>|&".includes(text[at + 1])) at += 1;
    } else if (character === "|" && text[at + 1] !== "|") {
      endCommand();
      if (text[at + 1] === "&") at += 1;
    } else if (character === "&" && text[at + 1] === ">") {
      endWord();
    } else if (";|&".includes(character)) {
      endPipeline();
      if (text[at + 1] === character) at += 1;
    } else if (character === "(" || character === ")") {
      // A subshell, a function, an array: none of them is needed to say something.
      return null;
    } else if (/\s/.test(character)) {
      endWord();
    } else {
      word = (word ?? "") + character;
    }
  }
  if (waiting.length > 0 || heredoc !== null) return null;
  endPipeline();
  return pipelines;
}

/** Where the quote that opens at `at` is closed; -1 when it is not. */
function closing(text, at, quote) {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\" && quote !== "'") end += 1;
    else if (text[end] === quote) return end;
  }
  return -1;
}

/** Where the parenthesis that opens at `at` is closed, counting quotes; -1 when it is not. */
function balanced(text, at) {
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    const character = text[end];
    if (character === "\\") end += 1;
    else if (character === "'" || character === '"') {
      end = closing(text, end, character);
      if (end === -1) return -1;
    } else if (character === "(") depth += 1;
    else if (character === ")") {
      depth -= 1;
      if (depth === 0) return end;
    }
  }
  return -1;
}
