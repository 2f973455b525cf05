import type { PathBound } from "../../../types.ts";
import { UNKNOWN_PATH } from "../../report.ts";
import { giveUp } from "../command.ts";
import { type Field, leading, literal, type Piece, textField, unknownField, visible } from "../field.ts";
import { isGiven, isUnfinished, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { inherited } from "../state.ts";
import { directoryText, unchanged } from "../walker.ts";
import { asTree } from "./destination.ts";
import type { Reading, Row } from "./row.ts";

/** Commands that find names and run other commands on them. */
export const SEARCH_ROWS: readonly Row[] = [
  { names: ["find", "gfind", "bfs"], also: find },
  { names: ["fd", "fdfind"], also: fd },
  {
    names: ["xargs", "gxargs"],
    stops: true,
    values:
      "-a --arg-file -d --delimiter -E -I --replace -L -n --max-args -P --max-procs -s --max-chars --max-lines --process-slot-var",
    attached: "-i -l -e --eof",
    flags: "--null --no-run-if-empty --verbose --exit --show-limits --open-tty --interactive",
    also: xargs,
  },
  { names: ["parallel"], also: parallel },
];

/** Places that one `find` acts on, counted again for each command it runs on them; past that many it may be anywhere. */
const MOST_FOUND = 4096;

/** Stands for a name that comes from input. */
const FROM_INPUT: Piece = { kind: "unknown", source: "input", segment: false };

function find(call: Reading): undefined {
  const { args, report, shell, place, walker } = call;
  const starts: Field[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const text = leading(args[at] ?? []);
    if (/^-(?:[HLP]+|O\d)$/.test(text)) continue;
    if (text === "-D") at++;
    else if (/^[-(!,)]/.test(text)) break;
    else starts.push(args[at] ?? []);
  }
  if (starts.length === 0) starts.push(textField("."));
  let bounds: PathBound[] | null = null;
  let left = MOST_FOUND;
  const found = (): PathBound[] => {
    bounds ??= [...new Set(starts.flatMap((one) => filesOf(one, shell, report)))];
    left -= bounds.length;
    if (left >= 0 || bounds.length <= 1) return bounds;
    report.opaque("too-many-places");
    return [UNKNOWN_PATH];
  };
  let texts: readonly string[] | null | undefined;
  const spelled = (): readonly string[] | null => {
    if (texts === undefined) texts = spellings(starts);
    return texts;
  };
  for (; at < args.length; at++) {
    const word = literal(args[at] ?? []);
    if (word === null) {
      const unsure = isUnfinished(args[at] ?? []) && /^(?:$|-)/.test(leading(args[at] ?? []));
      if (unsure) report.opaque("unknown-arguments");
      continue;
    }
    if (word === "-delete") for (const bound of found()) report.act("delete", asTree(bound));
    else if (/^-f(?:print0?|ls)$/.test(word))
      for (const file of filesOf(args[++at] ?? [], shell, report)) report.write(file);
    else if (word === "-fprintf") {
      for (const file of filesOf(args[++at] ?? [], shell, report)) report.write(file);
      at++;
    } else if (/^-(?:exec|execdir|ok|okdir)$/.test(word)) {
      const end = endOfExec(args, at + 1);
      const piece: Piece = {
        kind: "below",
        bounds: found(),
        spelled: /dir$/.test(word) ? null : spelled(),
      };
      const words = args.slice(at + 1, end).map((one) => substitute(one, "{}", piece));
      // `-execdir` starts in the directory of what was found, so relative names could lie anywhere below.
      const inside = /dir$/.test(word) ? { ...shell, directories: [null] } : shell;
      walker.words(words, inherited(inside), {
        ...place,
        proven: false,
        depth: place.depth + 1,
        input: { kind: "none" },
      });
      at = end;
    } else if (
      /^-(?:i?name|i?path|i?wholename|i?regex|regextype|type|xtype|newer.*|anewer|cnewer|mtime|atime|ctime|mmin|amin|cmin|size|user|group|uid|gid|perm|maxdepth|mindepth|printf|samefile|inum|links|fstype|used|lname|ilname|context|files0-from)$/.test(
        word,
      )
    )
      at++;
  }
}

function spellings(starts: readonly Field[]): string[] | null {
  const texts = [...new Set(starts.map((one) => literal(one)))];
  return texts.every((one) => one !== null) ? texts : null;
}

/** `;`, or `+` right after `{}`. */
function endOfExec(args: readonly Field[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const word = literal(args[at] ?? []);
    if (word === ";" || (word === "+" && literal(args[at - 1] ?? []) === "{}")) return at;
  }
  return args.length;
}

/** Puts a piece wherever the text of a known argument holds a mark. */
function substitute(field: Field, mark: string, piece: Piece): Field {
  if (mark === "") return field;
  return field.flatMap((one): Piece[] => {
    if (one.kind !== "text" || !one.text.includes(mark)) return [one];
    return one.text.split(mark).flatMap((text, at): Piece[] => {
      const kept: Piece[] = text === "" ? [] : [{ ...one, text }];
      return at === 0 ? kept : [piece, ...kept];
    });
  });
}

function fd(call: Reading): undefined {
  const { args, report, shell, place, walker } = call;
  const at = args.findIndex((one) => /^(?:-[xX]|--exec|--exec-batch)(?:=|$)/.test(leading(one)));
  if (at < 0) return;
  const before = args.slice(0, at).filter((one) => !leading(one).startsWith("-"));
  const starts = before.slice(1).flatMap((one) => filesOf(one, shell, report));
  const bounds = starts.length ? starts : filesOf(textField("."), shell, report);
  const piece: Piece = { kind: "below", bounds, spelled: null };
  const words = args
    .slice(at + 1)
    .map((one) => substitute(substitute(substitute(one, "{}", piece), "{/}", FROM_INPUT), "{//}", piece));
  const placed = words.some((one) => one.some((part) => part.kind !== "text")) ? words : [...words, [piece]];
  walker.words(placed, inherited(shell), { ...place, proven: false, depth: place.depth + 1 });
}

function xargs(call: Reading): ReturnType<typeof unchanged> {
  const { read, report, shell, place, walker } = call;
  const words = [...read.operands];
  if (read.loose) report.opaque("unknown-arguments");
  if (words.length === 0) return unchanged(shell);
  const mark = valuesOf(read, "-I --replace")[0];
  const short = read.given.find((one) => one.name === "-i");
  const text = mark ? literal(mark) : short ? (short.value ? literal(short.value) : "{}") : null;
  const filled = text ? words.map((one) => substitute(one, text, FROM_INPUT)) : [...words, [FROM_INPUT]];
  const input = isGiven(read, "-a --arg-file") ? { kind: "none" as const } : place.input;
  const before = report.doubts;
  walker.words(filled, inherited(shell), {
    ...place,
    input: { kind: "none" },
    proven: false,
    depth: place.depth + 1,
  });
  if (report.doubts > before && input.kind === "pipe") input.feed.mention(report, directoryText(shell), true);
  return unchanged(shell);
}

function parallel(call: Reading): undefined {
  const { args, report, shell, place, walker } = call;
  report.opaque("parallel");
  const mark = args.findIndex((one) => /^:::+\+?$/.test(literal(one) ?? ""));
  const command = args.slice(0, mark < 0 ? args.length : mark);
  while (command.length && leading(command[0] ?? []).startsWith("-")) {
    const [option] = command.splice(0, 1);
    if (
      /^-[jnNPSIaCdEs]$|^--(?:jobs|max-args|arg-file|colsep|delimiter|joblog|results|tmpdir|workdir|retries|timeout|sshlogin|delay)$/.test(
        leading(option ?? []),
      )
    )
      command.splice(0, 1);
  }
  const given = mark < 0 ? [] : args.slice(mark + 1).filter((one) => !/^:::/.test(literal(one) ?? ""));
  const inside = { ...place, proven: false, depth: place.depth + 1, input: { kind: "none" as const } };
  if (command.length === 0) {
    if (given.length === 0) giveUp([textField("parallel"), unknownField("input")], shell, place, walker);
    if (place.input.kind === "pipe") {
      report.execute("parallel");
      place.input.feed.mention(report, directoryText(shell), false);
    } else report.execute("parallel", given.map(visible).join("\n"), directoryText(shell));
    return;
  }
  const inputs: Field[] = given.length ? given.slice(0, 64) : [[FROM_INPUT]];
  for (const one of inputs) {
    const text = literal(one);
    const piece: Piece = text === null ? FROM_INPUT : { kind: "text", text, quoted: true };
    const words = command.map((word) => substitute(word, "{}", piece));
    const filled = command.some((word) => visible(word).includes("{}")) ? words : [...words, one];
    const only = filled.length === 2 && /\s/.test(literal(filled[0] ?? []) ?? "");
    if (only) {
      report.execute("parallel", filled.map(visible).join(" "), directoryText(shell));
      walker.text(filled.map(visible).join(" "), inherited(shell), inside);
    } else walker.words(filled, inherited(shell), inside);
  }
  if (given.length > 64) giveUp(given, shell, place, walker);
}
