/**
 * What is copied to another machine over ssh: `sync site/ to deploy@web1:/var/www`. A machine and a folder on it are read
 * as a path; they are named where the whole of it was typed, and what goes there was named as well.
 */
import type { Act } from "../../../types.ts";
import { covers, isItself, placeOf } from "../places.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";
import { wants } from "./wants.ts";

const COPIES =
  /\b(?:sync\w*|cop(?:y|ies)|upload\w*|deploy\w*|push\w*|mirror\w*|send|transfer\w*|put|rsync|scp|back ?up)\b/i;
const REMOTE = /^(?:[\w.+-]+@)?[\w.-]+:(?!\/\/)\S*$/;
/** What more goes with a copy: another way in, or what is there before is gone after. */
const FURTHER = /^(?:-e|--rsh(?:=|$)|--remove-source-files|--rsync-path|-o|-F|-S|-J|-i|-P$)/;

/** `null` where the words name no such machine, or the call goes to none. */
export function matchRemoteCopy(ready: Ready, act: Act, { effects, environment }: Call): Match | null {
  if (act.risk !== "EXTERNAL_WRITE" || (act.service !== "rsync" && act.service !== "scp")) return null;
  const { permission, quote, places } = ready;
  if (!/^(?:WRITE|EXTERNAL_WRITE|EXECUTE)$/.test(permission.risk) || !COPIES.test(quote)) return null;
  const typed = new Set(
    permission.targets.map(({ text }) => plain(text)).filter((text) => REMOTE.test(text)),
  );
  if (typed.size === 0) return null;
  const commands = effects.items
    .filter(({ name, value }) => name === "command" && /^(?:rsync|scp) /.test(value))
    .map(({ value }) => value.split(/\s+/).slice(1));
  if (commands.length === 0) return null;
  for (const words of commands) {
    const operands = words.filter((word) => !word.startsWith("-"));
    const to = operands.pop();
    if (to === undefined || !typed.has(plain(to))) return asked("target-not-named");
    const isSaid = (word: string): boolean => {
      const place = placeOf({ kind: "path", text: word }, environment);
      return (
        place !== null &&
        places.some((known) => covers(known, place.root, environment) || isItself(known, place.root))
      );
    };
    if (operands.length === 0 || !operands.every(isSaid)) return asked("target-not-named");
    if (words.some((word) => FURTHER.test(word))) return asked("scope-wider");
    if (
      words.some((word) => word.startsWith("--del")) &&
      !wants(quote, /delet|mirror|exact|spiegel|espejo|镜像/)
    )
      return asked("scope-wider");
  }
  return named();
}

const plain = (text: string): string => text.toLowerCase().replace(/\/+$/, "");
