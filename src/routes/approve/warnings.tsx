/** What in an action is made to be read as something else, before anybody reads it. */
import type { ShownAction } from "../../durable/approval-protocol.ts";
import { spellingCauses } from "../../policy/effects/spelling.ts";
import { Word } from "../dashboard/code.tsx";
import { Pointer } from "../dashboard/command-steps.tsx";
import { causeWords } from "../dashboard/reading-words.ts";
import { unseenIn } from "../dashboard/recorded.tsx";

/** Entries of one warning that are shown; one is reason enough to look twice. */
const LISTED = 20;

export function Warnings({ shown }: { shown: ShownAction }) {
  const texts = [shown.tool, shown.cwd ?? "", shown.host ?? "", ...textsOf(shown.args)];
  const unseen = [...new Set(texts.flatMap(unseenIn))];
  const { deceptions } = shown.effects;
  const spelled = new Map<string, { text: string; pointer: string; causes: string[] }>();
  for (const { cause, text, pointer } of deceptions) {
    const one = spelled.get(`${pointer} ${text}`) ?? { text, pointer, causes: [] };
    spelled.set(`${pointer} ${text}`, { ...one, causes: [...one.causes, causeWords(cause)] });
  }
  const mixed = [...new Set(texts.flatMap(mixedWords))].filter(
    (word) => !deceptions.some(({ text }) => text.includes(word)),
  );
  if (deceptions.length === 0 && unseen.length === 0 && mixed.length === 0) return null;
  return (
    <section class="note note-strong stack-tight" aria-labelledby="warnings">
      <h2 id="warnings" class="note-title">
        Look twice: not everything here is what it looks like
      </h2>
      <ul class="plain">
        {[...spelled.values()].slice(0, LISTED).map(({ causes, text, pointer }) => (
          <li class="wrap">
            <Spelled text={text} /> in <Pointer text={pointer} />: {causes.join("; ")}
          </li>
        ))}
        <More all={spelled.size} />
        {mixed.slice(0, LISTED).map((word) => (
          <li class="wrap">
            <Spelled text={word} />: {causeWords("mixed-script")}
          </li>
        ))}
        <More all={mixed.length} />
        {unseen.length === 0 ? null : (
          <li class="wrap">
            Characters that are not seen, or that turn the direction of writing, stand in it. They are named
            where they stand: <Word text={unseen.slice(0, LISTED).join(" ")} />
            {unseen.length > LISTED ? ` and ${unseen.length - LISTED} more` : ""}
          </li>
        )}
      </ul>
    </section>
  );
}

function More({ all }: { all: number }) {
  return all > LISTED ? <li>and {all - LISTED} more</li> : null;
}

/** A text with the number of every letter that is not plain ASCII beside it: how it is drawn is what misleads. */
function Spelled({ text }: { text: string }) {
  return (
    <code>
      <bdi dir="ltr">
        {[...text].map((char) =>
          /^[\x20-\x7e]$/.test(char) ? (
            char
          ) : (
            <span class="unseen">
              {unseenIn(char).length > 0 || /^[\n\t]$/.test(char) ? "" : `${char} `}
              U+{(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}
            </span>
          ),
        )}
      </bdi>
    </code>
  );
}

/** Words of letters of several alphabets, where some are drawn like Latin ones. */
function mixedWords(text: string): string[] {
  if (!/[^\0-\x7f]/.test(text)) return [];
  const found: string[] = [];
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu))
    if (word.length <= 200 && spellingCauses(word, false).includes("mixed-script")) found.push(word);
  return found;
}

/** Every text in a JSON value, names of members too. */
export function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string") texts.push(one);
    else if (Array.isArray(one)) for (const item of one) left.push(item);
    else if (typeof one === "object" && one !== null)
      for (const [name, item] of Object.entries(one)) {
        texts.push(name);
        left.push(item);
      }
  }
  return texts;
}
