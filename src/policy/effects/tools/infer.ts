import { treeBound } from "../../paths/index.ts";
import type { JsonObject, PathBound } from "../../types.ts";
import { hostOfUrl } from "../hosts.ts";
import { namesInText } from "../names.ts";
import { type Report, UNKNOWN_PATH } from "../report.ts";
import { noteReads, pathsOf, stringsIn, type ToolReading, valuesAt } from "./arguments.ts";
import { isUpload, tellAttachments } from "./attachments.ts";
import { KIND_OF, type Kind, kindsOf, RISKS, SECRETS, showsKeys, wordsOf } from "./kinds.ts";
import { isElsewhere, type PathArgument, pathArguments, ROOTED } from "./named-paths.ts";
import { kindsOfAction, tellDeliveries } from "./orders.ts";
import { sendsRequests } from "./requests.ts";
import { byName, type Reach, tellArguments } from "./roles.ts";
import { readShellTool } from "./shells.ts";
import { tellStrangers } from "./strangers.ts";

/**
 * Reads a tool that no table knows from its name and arguments. Every verb in a compound counts, the gravest decides.
 * @param name the tool's own name, without its server.
 * @param local false for a server's tool, whose bare names and ids are not files of this machine.
 */
export function inferTool(name: string, reading: ToolReading, local: boolean): void {
  const { report, args, context } = reading;
  readCommandLine(reading);
  const kinds = kindsOf(name, args, reading.server);
  if (kinds.size === 0) {
    report.risk("UNKNOWN");
    report.opaque("unknown-tool");
    const cwd = isElsewhere(reading) ? null : context.environment.cwd;
    for (const text of stringsIn(args, 200)) report.opaque("unknown-tool", text, cwd);
    const paths = pathArguments(reading, local);
    for (const { value, at } of paths) for (const path of pathsOf(value, at, reading)) report.name(path);
    tellArguments(
      reading,
      byName(report.tables.roles),
      reachOf(new Set(["communicate", "share", "financial"]), paths, name, reading),
    );
    tellStrangers(reading, { communicates: true, shares: true, pays: true });
    return;
  }
  const words = wordsOf(name);
  const paths = pathArguments(reading, local);
  const reach = reachOf(kinds, paths, name, reading);
  tellArguments(reading, byName(report.tables.roles), reach);
  if (reach.communicates || reach.shares || reach.pays) tellStrangers(reading, reach);
  const uploads = isUpload(words) && !kinds.has("read");
  if (reach.communicates || reach.shares || uploads) tellAttachments(reading, uploads);
  if (kinds.has("read") && kinds.has("communicate")) tellDeliveries(reading, words);
  for (const { value } of paths) noteReads({ ...reading, args: { path: value } }, "path");
  const before = report.mark;
  actOn(paths, words, kinds, reading);
  const unseen = report.mark === before && (!isPureRead(words, kinds) || orderedToDelete(args));
  if (unseen) nameArguments(paths, reading, local);
  if (uploads) report.risk("EXTERNAL_WRITE");
  if (kinds.size === 1 && kinds.has("read") && sendsRequests(words)) report.risk("NETWORK");
  const onlyLocal =
    paths.length > 0 &&
    local &&
    !uploads &&
    [...kinds].every((kind) => kind === "write" || kind === "read" || kind === "delete");
  if (
    kinds.has("share") &&
    !kinds.has("read") &&
    words.some((word) => /^(?:public|anyone|everyone)$/.test(word))
  )
    report.said.everybody(name);
  for (const kind of kinds) {
    if (kind === "read" && kinds.size > 1) continue;
    if (kind === "write" && onlyLocal) continue;
    report.risk(...RISKS[kind]);
  }
  if (!kinds.has("read") && wordsOf(name).some((word) => SECRETS.has(word))) report.risk("CREDENTIAL");
  if (kinds.has("read") && showsKeys(words, args, reading.server)) report.secret(name.slice(0, 120));
  for (const text of stringsIn(args, 200)) {
    const host = text.length < 4096 ? hostOfUrl(text) : null;
    if (host !== null) report.host(host);
  }
  if (kinds.has("execute"))
    for (const text of stringsIn(args, 200)) report.opaque("unknown-tool", text, context.environment.cwd);
}

/**
 * A tool that nobody knows may be a shell by another name. What looks like a command line is read as one besides; that it
 * is one stays a guess, so the call is opaque all the same.
 */
function readCommandLine(reading: ToolReading): void {
  const lines = valuesAt(reading.args, "command cmd command_line commandLine").filter(
    ({ value }) => typeof value === "string" && /\s/.test(value),
  );
  if (lines.length === 0) return;
  readShellTool(reading);
  reading.report.opaque("unknown-tool");
}

/** Words of reading tools that leave a file behind, or change the one they are given. */
const MAKES_FILES = new Set(
  "convert render format translate transcribe export dump save record snapshot backup cleanup clean tidy compact".split(
    " ",
  ),
);
/** Words that are no verbs of their own but take something away. */
const TIDIES = new Set("cleanup clean tidy sweep gc shred nuke scrub expunge vacuum reap".split(" "));

function isPureRead(words: readonly string[], kinds: ReadonlySet<Kind>): boolean {
  if (kinds.size !== 1 || !kinds.has("read")) return false;
  return words.every((word) => {
    const kind = KIND_OF.get(word);
    return (kind === undefined || kind === "read") && !MAKES_FILES.has(word) && !TIDIES.has(word);
  });
}

/** `{action: "delete"}` weighs more than the tool's name. */
const orderedToDelete = (args: JsonObject): boolean => kindsOfAction(args).includes("delete");

/** What happens to the files among the arguments. Of a compound's verbs each counts. */
function actOn(
  paths: readonly PathArgument[],
  words: readonly string[],
  kinds: ReadonlySet<Kind>,
  reading: ToolReading,
): void {
  const { report } = reading;
  const has = (...some: readonly string[]): boolean => some.some((word) => words.includes(word));
  const compound = has("and", "then", "or");
  const moves = has("move", "rename");
  const copies = !moves && has("copy", "duplicate", "download", "clone");
  const sends = !moves && !copies && (has("send") || isUpload(words));
  const pure = [...kinds].every((kind) => kind === "read");
  const deletes =
    kinds.has("delete") || has(...TIDIES) || (!isPureRead(words, kinds) && orderedToDelete(reading.args));
  const writes =
    (kinds.has("write") && !sends) ||
    (compound &&
      words.some((word) => KIND_OF.get(word) === "write" && !/^(?:upload|attach|copy|clone)$/.test(word)));
  const targets: PathBound[] = [];
  const sources: PathBound[] = [];
  for (const { value, at, role } of paths) {
    for (const path of pathsOf(value, at, reading)) {
      const tree = path === UNKNOWN_PATH ? path : treeBound(path);
      const target = role === "target" || role === "output";
      if (role !== "source") targets.push(path);
      if (!target) sources.push(path);
      if (deletes || (moves && !target)) report.act("delete", tree);
      if (moves || copies ? role !== "source" : writes) report.write(path);
      else if (role === "output" || (target && has(...MAKES_FILES))) report.write(path);
      else if (pure && role === "any" && has("export", "dump", "save", "record", "format"))
        report.write(path);
    }
  }
  if (moves || copies) writeInside(sources, targets, report);
}

/** What is copied to a folder lands in it under its own name. Which paths are folders cannot be seen. */
export function writeInside(
  sources: readonly PathBound[],
  targets: readonly PathBound[],
  report: Report,
): void {
  for (const target of targets.slice(0, 50)) {
    for (const source of sources.slice(0, 50)) {
      const name = source.slice(source.lastIndexOf("/") + 1);
      if (source === target || target === UNKNOWN_PATH) continue;
      if (source === UNKNOWN_PATH) report.write(treeBound(target));
      else if (name !== "") report.write(treeBound(`${target === "/" ? "" : target}/${name}`));
    }
  }
}

/** A tool that changes something, but nothing that was seen: what its arguments name is what it may change. */
function nameArguments(paths: readonly PathArgument[], reading: ToolReading, local: boolean): void {
  const { report, context } = reading;
  const cwd = isElsewhere(reading) ? null : context.environment.cwd;
  const found = new Set<string>();
  for (const { value, at } of paths)
    for (const path of pathsOf(value, at, reading)) if (path !== UNKNOWN_PATH) found.add(path);
  const urls = new Set(
    valuesAt(reading.args, "url uri link website webpage href domain").map(({ value }) => value),
  );
  for (const text of stringsIn(reading.args, 500)) {
    if (urls.has(text)) continue;
    if (text.length > 4096 || hostOfUrl(text) !== null || /\n/.test(text)) continue;
    const rooted = ROOTED.test(text) || /(?:^|[\s"'=,;])(?:~|\.{1,2})?\/[\w.]/.test(text);
    if (rooted || (local && /[/\\]/.test(text) && !/\s/.test(text)))
      for (const name of namesInText(text, context.environment, cwd).names) found.add(name);
  }
  if (found.size === 0) return;
  report.opaque("unclear-effect");
  for (const name of found) report.name(name);
}

/** Services that take sums in the currency's smallest unit. */
const MINOR_UNITS = /stripe|adyen|square|braintree|mollie|checkout_?com/i;

function reachOf(
  kinds: ReadonlySet<Kind>,
  paths: readonly PathArgument[],
  name: string,
  { server }: ToolReading,
): Reach {
  const words = wordsOf(name);
  return {
    communicates: kinds.has("communicate"),
    shares: kinds.has("share"),
    pays: kinds.has("financial"),
    reads: [...kinds].every((kind) => kind === "read"),
    keeps: kinds.has("persist"),
    minor: MINOR_UNITS.test(server ?? name),
    words,
    paths: new Set(paths.map(({ at }) => at)),
  };
}
