/**
 * What a spelling looks like: two texts with one skeleton can be taken for each other by a person who reads a prompt.
 * A small table of the letters that are used for it (UTS #39 has them all); flags, never rewrites.
 */
import { SILENT } from "./fold.ts";

const LOOKS: Readonly<Record<string, string>> = {
  a: "аɑαａ@4",
  b: "ЬƄｂ6",
  c: "сϲⅽ",
  d: "ԁⅾ",
  e: "еҽ℮ｅ3",
  g: "ɡցｇ9",
  h: "һհ",
  j: "јϳ",
  k: "κк",
  // A capital I is drawn like an l, and once a name is folded nobody knows which i was one.
  l: "1|ӏⅼІΙІℓ!iіıɩι¡ⅰ",
  m: "ⅿм",
  n: "ո",
  o: "0оοσօ",
  p: "рρ",
  q: "ԛ",
  r: "гⲅ",
  s: "ѕꜱ5$",
  t: "тτ7",
  u: "υսᴜ",
  v: "ѵνⅴ",
  w: "ԝաѡ",
  x: "хχⅹ",
  y: "уγү",
  z: "ᴢ2",
};

const LETTER: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS).flatMap(([letter, twins]) => [...twins].map((twin) => [twin, letter] as const)),
);

/** At most this much of a name is compared. */
const MOST = 512;

/** Total, linear. `Jоhn` and `john`, `examp1e` and `example`, `rnicro` and `micro` share one. */
export function skeletonOf(text: string): string {
  let out = "";
  for (const character of text.slice(0, MOST).toLowerCase()) {
    const twin = LETTER.get(character);
    if (twin !== undefined) {
      out += twin;
      continue;
    }
    for (const part of character.normalize("NFKD").toLowerCase()) {
      if (/\p{M}|\p{Cf}/u.test(part) || part === SILENT) continue;
      out += LETTER.get(part) ?? part;
    }
  }
  // Two letters that can be taken for one: always written as the two.
  return out.replaceAll("m", "rn").replaceAll("w", "vv").replaceAll("d", "cl");
}
