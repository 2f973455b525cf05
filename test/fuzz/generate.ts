// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts.
import type { Random } from "./random.ts";
import { Writer } from "./writer.ts";

/**
 * One script. Most are what an agent would write; the rest are such scripts with damage done to them, as a person who
 * looks for a gap between two readers of the same text would do it.
 */
export function scriptFrom(random: Random): string {
  const writer = new Writer(random);
  const plain = writer.script();
  if (random.chance(0.66)) return plain;
  let text = random.chance(0.2) ? splice(plain, new Writer(random).script(), random) : plain;
  const wounds = 1 + random.below(3);
  for (let at = 0; at < wounds; at++) text = mutate(text, random);
  return text.slice(0, 4_000);
}

/** What makes two readers of shell text disagree. */
const MARKS =
  "' \" \\ $ ` \n ; & | ( ) { } < > # ! * ? [ ] ~ = : , \\\n $( ) $(( )) ${ <( >( $' $\" << <<< >| &> && || ;; ~+ {a,b} {1..3} '' \"\" " +
  "\t\r %s -- -f -r $@ $* $# $? $0 $IFS ${IFS} $'\\x72' $'\\n' <<E";

const INSERTS = [
  ...MARKS.split(" "),
  " ",
  "  ",
  "\n#",
  " #",
  ")#",
  "$\\\n",
  "\\\n",
  "${x:-",
  "$(rm b.txt)",
  "`rm b.txt`",
  '"$(rm b.txt)"',
  "<(rm b.txt)",
  "\nrm b.txt\n",
  ";rm b.txt;",
  "|rm b.txt",
  "&&frob it",
  "<<E\nrm a.txt\nE\n",
  "<<'E'\n$(rm a.txt)\nE\n",
  "<<E\n$(rm a.txt)\nE\n",
  "eval ",
  "exec ",
  "command ",
  "builtin ",
  "env ",
  "time ",
  "! ",
  "if true; then ",
  "; fi",
  "for i in a b; do ",
  "; done",
  "case x in x) ",
  ";; esac",
  "f() { ",
  "; }",
  "[[ -n ",
  " ]]",
  "(( ",
  " ))",
  "cd src;",
  "cd /tmp;",
  "x=",
  "x=b.txt ",
  "IFS=/ ",
  "set -- b.txt;",
  "> b.txt",
  " >b.txt",
  "alias ls=rm;",
  "shopt -s extglob;",
  "shopt -s nullglob dotglob;",
  "set -f;",
  "!(a)",
  "@(a|b).txt",
  "'\"'",
  '"\'"',
];

function mutate(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random.below(6));
    case 2: {
      const end = Math.min(text.length, at + 1 + random.below(12));
      return text.slice(0, end) + text.slice(at, end) + text.slice(end);
    }
    case 3: {
      const words = text.split(" ");
      const [one, other] = [random.below(words.length), random.below(words.length)];
      [words[one], words[other]] = [words[other] ?? "", words[one] ?? ""];
      return words.join(" ");
    }
    default:
      return text.slice(0, at) + random.pick(INSERTS) + text.slice(at);
  }
}

function splice(one: string, other: string, random: Random): string {
  return one.slice(0, random.below(one.length + 1)) + other.slice(random.below(other.length + 1));
}
