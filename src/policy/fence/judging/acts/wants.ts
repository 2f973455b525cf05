/** Whether words ask for something by name: that they hold the name is not enough where they say not to. */

/** What turns the next words round, in the languages that are read. */
const AGAINST =
  /(?:\b(?:no|not|never|without|don['’]?t|do not|avoid|nicht|kein\w*|ohne|nie|sin|nunca|jam[aá]s)|n['’]t|不要|不|别|勿|没有)\s*(?:[\p{L}-]+\s+){0,2}$/iu;
const MOST_MENTIONS = 16;
const LOOKBACK = 48;

/** True where some mention of what the pattern means stands without a denial before it. */
export function wants(quote: string, pattern: RegExp): boolean {
  const every = new RegExp(pattern.source, "giu");
  let mentions = 0;
  for (const { index } of quote.matchAll(every)) {
    mentions += 1;
    if (mentions > MOST_MENTIONS) return false;
    if (!AGAINST.test(quote.slice(Math.max(0, index - LOOKBACK), index))) return true;
  }
  return false;
}
