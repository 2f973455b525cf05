import type { PathBound } from "../../types.ts";
import type { Report } from "../report.ts";
import { hintsAtSecret, isSecret, isSecretName } from "../secrets.ts";
import { type Field, literal, locate, textField, visible } from "./field.ts";
import { noteKeys } from "./keys.ts";
import type { Shell } from "./state.ts";

/** Programs that say of a file that it is there, not what is in it; and those that use a key without showing it. */
const OUTSIDE = new Set(
  (
    "ls dir ll stat test [ file find fd fdfind tree du df chmod chown chgrp realpath readlink basename dirname cd pushd mkdir touch type which " +
    "exa eza lsd echo printf true : alias export declare local set unset ssh-add ssh-copy-id ssh-keygen rm unlink mv git-ignore locate"
  ).split(" "),
);
/** Programs whose first operand is a pattern or a program of their own. */
const PATTERN_FIRST = new Set(
  "grep egrep fgrep zgrep ggrep rg ag ack ugrep sed gsed awk gawk mawk jq yq".split(" "),
);
/** Options that hand a key to a program that uses it. */
const USES = /^--(?:identity|identity-file|key|cert|cacert|private-key|kubeconfig|ssl-key)$/;
/** The same in short, to programs where it means that: `grep -i` and `cat -E` show what they are given. */
const USES_SHORT: ReadonlyMap<string, string> = new Map([
  ...["ssh", "scp", "sftp", "mosh", "ssh-copy-id", "ansible", "ansible-playbook"].map(
    (one) => [one, "-i"] as const,
  ),
  ...["curl", "wget2"].map((one) => [one, "-E"] as const),
]);
const GIVES_FILE =
  /^--?[\w-]*(?:file|env|data|form|upload|config|input|source|path|body|import|secret|credential|from)[\w-]*=/i;
const GIVES_PATTERN = /^(?:-e|-f|--regexp|--file|--expression|-\w*[ef])$/;

/** Notes the secrets that a command is given to read. */
export function noteSecrets(program: string, words: readonly Field[], shell: Shell, report: Report): void {
  noteKeys(program, words, report);
  if (OUTSIDE.has(program)) {
    if (program === "echo" || program === "printf")
      for (const word of words) noteSecretVariable(word, report);
    return;
  }
  // What a shell calls the file of what was typed.
  if (words.some((word) => word.some((one) => one.kind === "unknown" && one.name === "HISTFILE")))
    report.secret("$HISTFILE");
  const texts = words.map(visible);
  let pattern = PATTERN_FIRST.has(program) && !texts.some((text) => GIVES_PATTERN.test(text));
  for (const [at, word] of words.entries()) {
    if (at === 0) continue;
    const text = texts[at] ?? "";
    const option = texts[at - 1] ?? "";
    if (USES.test(option) || (option !== "" && USES_SHORT.get(program) === option)) {
      for (const place of placesOf(word, shell)) report.uses(place);
      continue;
    }
    if (pattern && !text.startsWith("-")) {
      pattern = false;
      continue;
    }
    noteSecretPath(word, shell, report);
  }
}

/** Notes a file that is read, should it hold secrets: the word itself, or what follows `@`, `=` or `:` in it. */
export function noteSecretPath(word: Field, shell: Shell, report: Report): void {
  const text = literal(word);
  // What gives a secret away stands in one segment: in the word, or in the directory.
  if (text !== null && !hintsAtSecret(text) && !shell.directories.some((one) => one && hintsAtSecret(one)))
    return;
  const candidates: Field[] = [word];
  const parted = text !== null && text.length < 4096 && /[=@:,]/.test(text);
  // `--env-file=.env` is read; `--grep=.env` is looked for.
  if (parted && (!/^--?[\w-]+=/.test(text) || GIVES_FILE.test(text)))
    for (const part of text.split(/[=@:,]/, 16).slice(1)) if (part !== "") candidates.push(textField(part));
  for (const candidate of candidates)
    for (const place of placesOf(candidate, shell)) if (isSecret(place, true)) report.secret(place);
}

function placesOf(word: Field, shell: Shell): PathBound[] {
  return shell.directories.flatMap((directory) => {
    const place = locate(word, directory);
    return place.ok ? [place.bound] : [];
  });
}

/** Notes a variable whose value opens something, where it is shown or sent. */
export function noteSecretVariable(word: Field, report: Report): void {
  for (const piece of word)
    if (piece.kind === "unknown" && piece.name !== undefined && isSecretName(piece.name))
      report.secret(`$${piece.name}`);
}
