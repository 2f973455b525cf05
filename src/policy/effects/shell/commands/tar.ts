import type { PathBound } from "../../../types.ts";
import { listOf } from "../../columns.ts";
import { UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { dropLeading, type Field, joinBound, lastSegment, leading, literal, textField } from "../field.ts";
import { isUnfinished, longName } from "../options.ts";
import { filesOf } from "../paths.ts";
import { enter, type Shell } from "../state.ts";
import { isRemote, proveCopy } from "./copies.ts";
import { asTree, hasExtension } from "./destination.ts";
import type { Reading } from "./row.ts";

/** tar's options that take the next argument when spelled as one letter. */
const TAR_VALUES = "fCbgFIKLNTVX";
const TAR_LONG_VALUES = listOf(
  "--file --directory --blocking-factor --listed-incremental --info-script --new-volume-script --use-compress-program --starting-file --tape-length --newer --after-date --files-from --label --exclude --exclude-from --transform --xform --to-command --checkpoint-action --owner --group --mode --mtime --strip-components --rmt-command --rsh-command --suffix --format --index-file --volno-file --add-file --record-size --sort --pax-option --warning --level --newer-mtime --exclude-ignore --exclude-tag",
);
/** Long options that matter here; each may be shortened as long as only one begins so. */
const TAR_LONG = [
  ...TAR_LONG_VALUES,
  ...listOf(
    "--create --extract --get --list --append --update --catenate --concatenate --delete --diff --compare --absolute-names --to-stdout --remove-files --recursive-unlink --no-recursion --one-file-system --ignore-failed-read --exclude-vcs --exclude-caches --exclude-backups --one-top-level",
  ),
];
const COMPRESSORS =
  /^(?:gzip|pigz|bzip2|pbzip2|lbzip2|xz|pixz|zstd|pzstd|lz4|lzop|lzip|brotli)(?: -[\dTk]+)*$/;

/** Options that leave an archive whole; with any other it proves nothing. */
const WHOLE =
  /^-[zjJZavpSbhWRB]$|^--(?:gzip|bzip2|xz|zstd|lzip|lzma|lzop|compress|auto-compress|verbose|preserve-permissions|same-permissions|same-owner|numeric-owner|dereference|hard-dereference|acls|xattrs|selinux|sparse|format|posix|owner|group|mode|mtime|sort|totals|blocking-factor|record-size|verify|label|checkpoint|checkpoint-action|recursion)$/;

interface TarRequest {
  mode: string;
  archive: Field | null;
  directory: Shell;
  readonly members: { readonly field: Field; readonly shell: Shell }[];
  absolute: boolean;
  toOutput: boolean;
  removes: boolean;
  partial: boolean;
  runs: boolean;
  loose: boolean;
  readonly written: Field[];
}

/** `tar`, whose options have three spellings and whose `-C` moves between members. */
export function tar(call: Reading): undefined {
  const { report, shell } = call;
  const request = readTar(call);
  if (request.runs) {
    report.execute("helper-program");
    giveUp([textField("tar"), ...call.args], shell, call.place, call.walker);
    return;
  }
  if (request.loose) report.opaque("unknown-arguments");
  for (const file of request.written) for (const path of filesOf(file, shell, report)) report.write(path);
  if (request.mode === "x" && !request.toOutput) {
    if (request.absolute) {
      report.opaque("absolute-members");
      report.write(UNKNOWN_PATH);
    } else
      for (const place of filesOf(textField("."), request.directory, report)) report.write(asTree(place));
  }
  if (!/[cruAD]/.test(request.mode)) return;
  if (request.archive !== null && isRemote(request.archive)) {
    // GNU tar takes `host:file` as another machine and starts a remote shell.
    report.risk("NETWORK", "EXTERNAL_WRITE");
    report.execute("remote-archive");
    return;
  }
  const begun = report.mark;
  const name = request.archive === null ? "-" : literal(request.archive);
  const archives: PathBound[] =
    name === "-" || request.archive === null ? [] : filesOf(request.archive, shell, report);
  for (const archive of archives) report.write(archive);
  for (const member of request.members) {
    for (const file of filesOf(member.field, member.shell, report)) {
      if (request.removes) report.act("delete", asTree(file));
      const certain =
        member.shell.directories.length === 1 && literal(member.field) !== null && archives.length === 1;
      const proven =
        call.place.proven &&
        request.mode === "c" &&
        !request.partial &&
        !request.removes &&
        certain &&
        !request.loose;
      if (proven)
        proveCopy(
          call,
          member.field,
          hasExtension(lastSegment(file)) ? file : asTree(file),
          archives[0] ?? UNKNOWN_PATH,
          begun,
          member.shell,
        );
    }
  }
  if (request.removes && request.partial) {
    report.opaque("unknown-path");
    report.act("delete", UNKNOWN_PATH);
  }
}

function readTar(call: Reading): TarRequest {
  const request: TarRequest = {
    mode: "",
    archive: null,
    directory: call.shell,
    members: [],
    absolute: false,
    toOutput: false,
    removes: false,
    partial: false,
    runs: false,
    loose: false,
    written: [],
  };
  const args = [...call.args];
  const first = leading(args[0] ?? []);
  // The old style: letters without a dash, whose values follow in order.
  const bundle = first !== "" && !first.startsWith("-") && literal(args[0] ?? []) !== null ? first : "";
  if (bundle !== "") args.shift();
  else if (isUnfinished(args[0] ?? [])) request.loose = true;
  for (const letter of bundle)
    tarOption(request, `-${letter}`, TAR_VALUES.includes(letter) ? (args.shift() ?? []) : null);
  for (let at = 0; at < args.length; at++) {
    const field = args[at] ?? [];
    const text = leading(field);
    if (field[0]?.kind === "unknown" || (text.startsWith("-") && isUnfinished(field))) request.loose = true;
    if (text.startsWith("--") && text !== "--") {
      const equals = text.indexOf("=");
      const name = longName(equals < 0 ? text : text.slice(0, equals), TAR_LONG);
      const value =
        equals >= 0
          ? dropLeading(field, equals + 1)
          : TAR_LONG_VALUES.includes(name)
            ? (args[++at] ?? [])
            : null;
      tarOption(request, name, value);
    } else if (text.startsWith("-") && text !== "-" && text !== "--") {
      for (let place = 1; place < text.length; place++) {
        const letter = text[place] ?? "";
        if (!TAR_VALUES.includes(letter)) tarOption(request, `-${letter}`, null);
        else {
          const rest = dropLeading(field, place + 1);
          tarOption(request, `-${letter}`, rest.length ? rest : (args[++at] ?? []));
          break;
        }
      }
    } else if (text !== "--") request.members.push({ field, shell: request.directory });
  }
  return request;
}

function tarOption(request: TarRequest, name: string, value: Field | null): void {
  const text = value === null ? null : literal(value);
  if (/^-[cxtruAd]$/.test(name)) request.mode = name === "-d" ? "" : name.slice(1);
  else if (
    /^--(?:create|extract|get|list|append|update|catenate|concatenate|delete|diff|compare)$/.test(name)
  ) {
    request.mode =
      {
        create: "c",
        extract: "x",
        get: "x",
        append: "r",
        update: "u",
        catenate: "A",
        concatenate: "A",
        delete: "D",
      }[name.slice(2)] ?? "";
  } else if (name === "-f" || name === "--file") request.archive = value;
  else if ((name === "-C" || name === "--directory") && value !== null) {
    const base = request.directory;
    const moved = base.directories.flatMap((one) => directoryAfter(value, one));
    request.directory = enter(base, moved, leading(value).startsWith("/"));
  } else if (name === "--one-top-level" && value !== null && literal(value) !== null) {
    const base = request.directory;
    request.directory = enter(
      base,
      base.directories.flatMap((one) => directoryAfter(value, one)),
    );
  } else if (name === "-P" || name === "--absolute-names") request.absolute = true;
  else if (name === "-O" || name === "--to-stdout") request.toOutput = true;
  else if (name === "--remove-files" || name === "--recursive-unlink")
    request.removes = name === "--remove-files";
  else if (
    /^-[TXgN]$|^--(?:files-from|exclude|exclude-.*|newer|newer-mtime|after-date|listed-incremental|no-recursion|one-file-system|ignore-failed-read)$/.test(
      name,
    )
  ) {
    request.partial = true;
    if ((name === "-g" || name === "--listed-incremental") && value !== null) request.written.push(value);
  } else if ((name === "-I" || name === "--use-compress-program") && text !== null && COMPRESSORS.test(text))
    return;
  else if (
    /^-[IF]$|^--(?:use-compress-program|to-command|checkpoint-action|info-script|new-volume-script|rmt-command|rsh-command)$/.test(
      name,
    )
  ) {
    request.runs ||=
      name !== "--checkpoint-action" || !/^(?:dot|bell|echo|sleep|ttyout|totals)/.test(text ?? "");
  } else if (name === "--index-file" && value !== null) {
    request.written.push(value);
  } else if (!WHOLE.test(name)) request.partial = true;
}

function directoryAfter(field: Field, directory: PathBound | null): (PathBound | null)[] {
  const text = literal(field);
  if (text === null) return [null];
  return text.startsWith("/")
    ? [joinBound("/", text)]
    : [directory === null ? null : joinBound(directory, text.replace(/[*?[\]\\]/g, "\\$&"))];
}
