import { boundCovers, escapeBound } from "../../../paths/index.ts";
import type { PathBound } from "../../../types.ts";
import { listOf } from "../../columns.ts";
import { hostOfTarget } from "../../hosts.ts";
import { stripTree, UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { type Field, has, joinBound, lastSegment, leading, literal, textField } from "../field.ts";
import { isGiven, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import {
  asTree,
  endsAsDirectory,
  hasExtension,
  keepReplaced,
  placeCopies,
  requestOf,
} from "./destination.ts";
import type { Reading, Row } from "./row.ts";

/** Commands that copy or move files, here or between machines; four of the five that can be a backup. */
export const COPY_ROWS: readonly Row[] = [
  {
    names: ["cp", "gcp"],
    values: "-t --target-directory -S --suffix --sparse --no-preserve",
    attached: "--backup --preserve --reflink --update --context",
    flags:
      "--archive --recursive --no-clobber --link --symbolic-link --attributes-only --no-target-directory --one-file-system --parents --remove-destination --force --interactive --verbose --dereference --no-dereference --strip-trailing-slashes",
    also: copy,
  },
  {
    names: ["mv", "gmv"],
    values: "-t --target-directory -S --suffix",
    attached: "--backup --update --context",
    flags:
      "--no-clobber --no-target-directory --force --interactive --verbose --strip-trailing-slashes --exchange",
    also: move,
  },
  {
    names: ["rsync"],
    values:
      "-e --rsh -f --filter -B --block-size -T --temp-dir -M --remote-option --suffix --backup-dir --chmod --chown --usermap --groupmap --exclude --exclude-from --include --include-from --files-from --max-delete --max-size --min-size --max-alloc --partial-dir --timeout --contimeout --modify-window --compare-dest --copy-dest --link-dest --bwlimit --outbuf --port --sockopts --password-file --early-input --protocol --iconv --checksum-seed --address --out-format --log-file-format --rsync-path --read-batch --compress-level --compress-choice --checksum-choice --info --debug --skip-compress --stop-after --stop-at",
    writes: "--log-file --write-batch --only-write-batch",
    executes: "-M --remote-option",
    flags:
      "--archive --recursive --dry-run --delete --delete-before --delete-during --delete-after --delete-delay --delete-excluded --remove-source-files --existing --ignore-existing --update --cvs-exclude --one-file-system --list-only --relative --dirs",
    also: synchronise,
  },
  {
    names: ["scp"],
    values: "-P -i -o -F -l -c -S -J -X -D",
    executes: "-S -D",
    risks: ["NETWORK"],
    also: secureCopy,
  },
];

/** Options that leave a copy whole; with any other it proves nothing. */
const WHOLE_COPY =
  "-r -R -a --recursive --archive -p --preserve -f --force -v --verbose -L --dereference -P --no-dereference -d -H -t --target-directory -T --no-target-directory -b --backup -S --suffix --reflink --sparse --no-preserve --remove-destination --strip-trailing-slashes --debug";

function copy(call: Reading): undefined {
  const { read, report } = call;
  const request = requestOf(
    call,
    isGiven(read, "-r -R -a --recursive --archive"),
    isGiven(read, "-T --no-target-directory"),
  );
  if (request === null) return;
  const begun = report.mark;
  const linked = isGiven(read, "-l --link -s --symbolic-link");
  const places = placeCopies(request);
  // With `--parents` the whole path of a source is made again below the destination.
  if (isGiven(read, "--parents"))
    for (const file of filesOf(request.dest, call.shell, report)) report.write(asTree(file));
  for (const place of places) {
    keepReplaced(call, place.to);
    if (isGiven(read, "-n --no-clobber")) report.act("create", place.to);
    else report.write(place.to);
    if (linked && place.to !== UNKNOWN_PATH) report.link(stripTree(place.to), stripTree(place.from));
  }
  if (read.loose) report.opaque("unknown-arguments");
  if (!call.place.proven || !isOnly(read, WHOLE_COPY) || read.loose || !isCertain(call)) return;
  for (const place of places) {
    if (!place.primary || !(request.recursive || hasExtension(lastSegment(place.from)))) continue;
    proveCopy(
      call,
      place.source,
      request.recursive ? asTree(place.from) : place.from,
      stripTree(place.to),
      begun,
    );
  }
}

/** `cp --parents a/b dir` and `rsync -R` keep the folders that are spelled: the copy is `dir/a/b`. */
function writeWithParents(call: Reading, sources: readonly Field[], dest: Field): void {
  const { shell, report } = call;
  for (const to of filesOf(dest, shell, report)) {
    for (const source of sources) {
      const text = literal(source)?.replace(/^.*\/\.\//, "") ?? null;
      if (to === UNKNOWN_PATH || text === null || /(?:^|\/)\.\.(?:\/|$)/.test(text)) report.write(asTree(to));
      else report.write(asTree(joinBound(to, escapeBound(text.replace(/^\/+/, "")))));
    }
  }
}

function move(call: Reading): undefined {
  const { read, report } = call;
  const request = requestOf(call, true, isGiven(read, "-T --no-target-directory"));
  if (request === null) return;
  // What is moved onto a device is nowhere any more.
  if (/^\/dev\/./.test(leading(request.dest)))
    for (const source of request.sources)
      for (const file of filesOf(source, call.shell, report)) report.act("delete", asTree(file));
  for (const place of placeCopies(request)) {
    report.act("delete", asTree(place.from));
    keepReplaced(call, place.to);
    if (isGiven(read, "-n --no-clobber")) report.act("create", place.to);
    else report.write(place.to);
  }
  if (read.loose) report.opaque("unknown-arguments");
}

/** True when nothing is given but these options. */
export function isOnly(read: Reading["read"], names: string): boolean {
  const allowed = new Set(listOf(names));
  return read.given.every((one) => allowed.has(one.name));
}

/** A copy counts only where there is one reading of it: one directory, no wildcard. */
function isCertain(call: Reading): boolean {
  return call.shell.directories.length === 1 && call.read.operands.every((one) => literal(one) !== null);
}

/**
 * Records that a copy of `src` would exist at `dest`. The source must be spelled so that it does not depend on the
 * directory that the session declared: a shell may have moved since, and then another file was copied.
 */
export function proveCopy(
  call: Reading,
  source: Field,
  src: PathBound,
  dest: string,
  begun: number,
  shell = call.shell,
): void {
  if (call.shell.ended || (!leading(source).startsWith("/") && !shell.anchored)) return;
  if (src === UNKNOWN_PATH || dest === UNKNOWN_PATH || /^\/(?:dev|proc|sys)\//.test(src)) return;
  const plain = stripTree(src);
  // A copy onto itself or into its own source is lost with it.
  if (plain === dest || boundCovers(asTree(plain), dest)) return;
  call.report.backup(src, dest, begun);
}

const WHOLE_SECURE = "-r -p -q -C -v -3 -4 -6 -A -B -O -s -T -P -i -o -F -l -c -J";

const WHOLE_SYNC =
  "-a --archive -r --recursive -v --verbose -z --compress -h --human-readable -P --progress --partial --partial-dir -q --quiet -p --perms -t --times -g --group -o --owner -l --links -L --copy-links -H --hard-links -A --acls -X --xattrs -E --executability -D --devices --specials -S --sparse -W --whole-file -c --checksum -i --itemize-changes --stats --info --debug --delete --delete-before --delete-during --delete-after --delete-delay --delete-excluded -e --rsh --rsync-path --numeric-ids --log-file -b --backup --backup-dir --suffix --inplace --fsync --mkpath --bwlimit --timeout --contimeout --port --out-format -s -4 -6 --protect-args -T --temp-dir --compress-level --compress-choice -O -J --omit-dir-times --omit-link-times --chmod --chown --no-perms --no-owner --no-group --no-times --no-p --no-o --no-g --no-t -U --atimes";

function synchronise(call: Reading): undefined {
  const { read, shell, report } = call;
  const dest = read.operands[read.operands.length - 1];
  const sources = read.operands.slice(0, dest !== undefined && has(dest, "glob") ? undefined : -1);
  const remotes = read.operands.filter(isRemote);
  noteRemotes(call, remotes);
  const helpers = valuesOf(read, "-e --rsh --rsync-path");
  if (
    !helpers.every((one) =>
      /^(?:ssh(?: -(?:[46AaCqTtx]+|[pil] [\w./~-]+))*|rsync|\/usr\/bin\/(?:ssh|rsync)|sudo rsync)$/.test(
        literal(one) ?? "",
      ),
    )
  ) {
    report.execute("helper-program");
    giveUp([textField("rsync"), ...call.args], shell, call.place, call.walker);
    if (remotes.length && dest !== undefined && isRemote(dest)) report.risk("EXTERNAL_WRITE");
    return;
  }
  if (isGiven(read, "-n --dry-run --list-only") || dest === undefined || sources.length === 0) return;
  if (remotes.length && isRemote(dest)) report.risk("EXTERNAL_WRITE");
  if (read.loose) report.opaque("unknown-arguments");
  const recursive = isGiven(read, "-a -r --archive --recursive");
  const removes = isGiven(read, "--remove-source-files --remove-sent-files");
  const certain = call.place.proven && isCertain(call) && isOnly(read, WHOLE_SYNC) && !removes;
  const begun = report.mark;
  for (const aside of valuesOf(read, "--backup-dir --partial-dir -T --temp-dir")) {
    if (!isRemote(dest)) for (const place of filesOf(aside, shell, report)) report.write(asTree(place));
  }
  const deletes = read.given.some((one) => one.name.startsWith("--del"));
  if (deletes && isRemote(dest)) report.risk("DELETE");
  const copies: { readonly source: Field; readonly src: PathBound; readonly dest: string }[] = [];
  const into = isRemote(dest) ? [literal(dest) ?? UNKNOWN_PATH] : filesOf(dest, shell, report);
  // Listed files keep their folders too.
  const listed = isGiven(read, "--files-from");
  if (!isRemote(dest) && listed) for (const to of filesOf(dest, shell, report)) report.write(asTree(to));
  else if (!isRemote(dest) && isGiven(read, "-R --relative")) writeWithParents(call, sources, dest);
  for (const source of sources) {
    const contents = /\/$|(?:^|\/)\.$/.test(literal(source) ?? "");
    const froms = isRemote(source) ? [null] : filesOf(source, shell, report);
    for (const from of froms) {
      const name = from === null ? remoteName(source) : from === UNKNOWN_PATH ? null : lastSegment(from);
      const file = name !== null && hasExtension(name) && !contents;
      for (const to of into) {
        if (!isRemote(dest)) {
          const inner =
            to === UNKNOWN_PATH
              ? to
              : contents || name === null
                ? asTree(to)
                : `${to === "/" ? "" : to}/${name}`;
          const direct = file && !endsAsDirectory(dest) && sources.length === 1;
          if (direct) report.write(to);
          if (!direct || !hasExtension(lastSegment(to)))
            report.write(recursive && !file ? asTree(inner) : inner);
          if (deletes) report.act("delete", asTree(to));
        }
        if (certain && from !== null && (recursive || file))
          copies.push({ source, src: recursive ? asTree(from) : from, dest: stripSlash(to) });
      }
      if (from !== null && removes) report.act("delete", recursive ? asTree(from) : from);
    }
  }
  for (const one of copies) proveCopy(call, one.source, one.src, one.dest, begun);
}

function secureCopy(call: Reading): undefined {
  const { read, shell, report } = call;
  if (
    valuesOf(read, "-o").some((one) => /command|localcommand|include|proxy/i.test(literal(one) ?? "command"))
  ) {
    report.execute("helper-program");
    giveUp([textField("scp"), ...call.args], shell, call.place, call.walker);
    return;
  }
  const dest = read.operands[read.operands.length - 1];
  const sources = read.operands.slice(0, -1);
  noteRemotes(call, read.operands.filter(isRemote));
  if (dest === undefined || sources.length === 0) return;
  const begun = report.mark;
  const recursive = isGiven(read, "-r");
  if (isRemote(dest)) report.risk("EXTERNAL_WRITE");
  else {
    const into = filesOf(dest, shell, report);
    for (const source of sources) {
      const name = isRemote(source) ? remoteName(source) : null;
      for (const to of into) {
        const inner = to === UNKNOWN_PATH ? to : name === null ? asTree(to) : `${to}/${name}`;
        const inside = endsAsDirectory(dest) || sources.length > 1;
        if (!inside) report.write(recursive ? asTree(to) : to);
        if (inside || !hasExtension(lastSegment(to))) report.write(recursive ? asTree(inner) : inner);
      }
    }
  }
  if (read.loose) report.opaque("unknown-arguments");
  if (!call.place.proven || !isCertain(call) || read.loose || !isOnly(read, WHOLE_SECURE)) return;
  const to = isRemote(dest)
    ? (literal(dest) ?? UNKNOWN_PATH)
    : (filesOf(dest, shell, report)[0] ?? UNKNOWN_PATH);
  for (const source of sources) {
    if (isRemote(source)) continue;
    for (const from of filesOf(source, shell, report)) {
      if (!recursive && !hasExtension(lastSegment(from))) continue;
      proveCopy(call, source, recursive ? asTree(from) : from, stripSlash(to), begun);
    }
  }
}

/** `host:path`, `user@host:path`, `scheme://…`; a slash before the colon makes it a local file. */
export function isRemote(field: Field): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:[^@\s/:]+@)?(?:\[[^\]]+\]|[^\s/:]+):)/i.test(leading(field));
}

function remoteName(source: Field): string | null {
  const text = literal(source);
  if (text === null || text.endsWith("/")) return null;
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf(":")) + 1);
  return name === "" || name === "." || name === ".." || /[*?[\]\\]/.test(name) ? null : name;
}

function noteRemotes(call: Reading, remotes: readonly Field[]): void {
  if (!remotes.length) return;
  call.report.risk("NETWORK");
  for (const remote of remotes) {
    const host = hostOfTarget(leading(remote));
    if (host !== null) call.report.host(host);
  }
}

function stripSlash(text: string): string {
  return text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text;
}
