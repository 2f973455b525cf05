/** The teller of the demo's story, and its strictness: every step says what it expects, and the first that differs ends it. */
import { bold, cyan, dim, green, red, say, yellow } from "../lib/say.mjs";

const NAME_WIDTH = 12;
const PAINT = { allow: green, block: red, ask: yellow };

/** What was expected is not what came. */
export class Mismatch extends Error {
  constructor(what, wanted, came) {
    super(`${what}\n    expected  ${shown(wanted)}\n    came      ${shown(came)}`);
  }
}

export function chapter(number, title) {
  say(`\n  ${bold(`${number}. ${title}`)}\n`);
}

/** One line of what somebody does or says. */
export function tells(who, text) {
  say(`    ${cyan(who.padEnd(NAME_WIDTH))} ${text}`);
}

/** What Countersign answers: the verdict or status, then why, then where it is on record. */
export function answers(verdict, why, ledger) {
  const at = ledger === undefined || ledger === null ? "" : dim(`  [ledger #${ledger.seq}]`);
  const paint = PAINT[verdict] ?? bold;
  tells("countersign", `${paint(bold(verdict))}  ${why}${at}`);
}

export function aside(text) {
  say(`    ${"".padEnd(NAME_WIDTH)} ${dim(text)}`);
}

/** Deep equality of plain values, or the end of the demo. */
export function expect(what, came, wanted) {
  if (shown(came) !== shown(wanted)) throw new Mismatch(what, wanted, came);
}

function shown(value) {
  return JSON.stringify(value) ?? "nothing";
}
