import type { Redirection } from "unbash";
import { expandParts, expandSingle } from "./expand.ts";
import { type Field, literal, textField, visible } from "./field.ts";
import { deeper } from "./parameters.ts";
import { filesOf, noteRead } from "./paths.ts";
import { noteSecretPath } from "./secrets.ts";
import type { Shell } from "./state.ts";
import { directoryText, type Input, type Place, type Walker } from "./walker.ts";

/**
 * Reports what redirections write, and tells what the command will read.
 * Streams are no files; `/dev/tcp/…` is a connection that carries data away.
 */
export function applyRedirects(
  redirects: readonly Redirection[],
  shell: Shell,
  place: Place,
  walker: Walker,
): Input {
  let input = place.input;
  for (const redirect of redirects) {
    const at = { walker, shell, place };
    if (redirect.type === "HereDoc") {
      const { body } = redirect;
      walker.report.works(body.text.length);
      const value = body.parts ? literal(expandParts(body.parts, at)) : body.text;
      walker.heard([textField(value ?? body.text)], shell);
      if (reads(redirect)) input = { kind: "text", value, text: body.text };
    } else if (redirect.type === "HereString") {
      const field = redirect.target ? expandSingle(redirect.target, at) : [];
      walker.heard([field], shell);
      if (reads(redirect)) input = { kind: "text", value: literal(field), text: visible(field) };
    } else if (redirect.target) {
      const target = expandSingle(redirect.target, { ...at, place: deeper(place) });
      const opened = open(redirect.operator, target, shell, walker);
      // A file in the place of an output can be written through the output's name.
      const output = redirect.descriptor?.type === "FileDescriptor" && redirect.descriptor.value > 0;
      if (output && redirect.descriptor.value < 3 && redirect.operator === "<")
        for (const file of filesOf(target, shell, walker.report)) walker.report.write(file);
      if (opened && reads(redirect)) input = { kind: "file" };
    }
  }
  return input;
}

function reads(redirect: Redirection): boolean {
  const { descriptor } = redirect;
  return descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
}

/** Returns true when the target is opened for reading. */
function open(operator: string, target: Field, shell: Shell, walker: Walker): boolean {
  const { report } = walker;
  const text = literal(target);
  const duplicates = operator === ">&" || operator === "<&";
  if (duplicates && text !== null && /^(?:\d+-?|-)$/.test(text)) return false;
  const socket = text === null ? null : /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)$/.exec(text);
  if (socket) {
    report.risk("NETWORK", "EXTERNAL_WRITE");
    report.host(`${socket[1]}:${socket[2]}`.toLowerCase());
    return operator === "<";
  }
  if (operator === "<" || operator === "<&") {
    noteRead(target, shell, report);
    noteSecretPath(target, shell, report);
    if (text !== null && operator === "<") report.said.item("input", text);
    return true;
  }
  for (const file of filesOf(target, shell, report)) {
    report.write(file);
    walker.heard([target], shell, true);
  }
  return operator === "<>";
}

/** Text and arguments that feed opaque code, searched for names. */
export function nameInput(input: Input, shell: Shell, walker: Walker, plainWords = false): void {
  if (input.kind === "text") walker.report.mention(input.text, directoryText(shell), plainWords);
  if (input.kind === "pipe") input.feed.mention(walker.report, directoryText(shell), plainWords);
}
