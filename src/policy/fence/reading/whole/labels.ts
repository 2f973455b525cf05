/** A thing and what is said of it: `Emails: no`, `Deploys - never`, `Push: ask me`, `Mail: me`. */
import type { Ban } from "../bans/index.ts";
import { banOf, deedsIn, type Said } from "./said.ts";

const REFUSED =
  "(?:please )?(?:no|none|never|nope|no way|off|not allowed|not permitted|forbidden|prohibited|banned|disabled|denied|not ok|not okay|out|out of bounds|off limits|taboo|zero|skip|nothing|don't|do not|dont|not|no please|not at all|absolutely not|not today|not now|not yet|later|tomorrow|no thanks|hands off|avoid|no go|x|nein|nie|niemals|nicht|keine?|keinesfalls|auf keinen fall|nicht erlaubt|verboten|untersagt|tabu|noch nicht|spater|nunca|jamas|ninguno|ninguna|nada|prohibido|prohibida|prohibidos|prohibidas|todavia no|aun no|ahora no|不|否|禁止|不行|不允许|不许|不准|没有|别|不要|不发|不可以|不能|不用|暂不|先不)";
const ASKED =
  "(?:please )?(?:ask(?: me)?(?: first)?|check with me(?: first)?|(?:only )?(?:with|after|on) my \\w+(?: \\w+)?|needs? (?:my )?(?:approval|ok|okay|sign off)|my (?:approval|ok|okay|call)|approval (?:needed|required)|on request|wait|on hold|pending|nur (?:mit|nach) .{1,40}|erst (?:mit|nach) .{1,40}|fragen|ruckfrage|solo con mi .{1,30}|preguntar|preguntame|问我|先问我|需要?我?(?:确认|同意|批准))";
const MINE =
  "(?:me|i do(?: that| it| this)?|i'll do (?:that|it|this)|i handle (?:that|it|this)|i will|i'll do it|mine|myself|by me|my job|ich|mache ich|selbst|yo|lo hago yo|我|我来|我自己)";

const form = (said: string): RegExp =>
  new RegExp(`^(?:and |no |- )?(.{2,48}?) ?(?:[:=?]|-|->)+ ?(${said})$`, "u");
const REFUSAL = form(REFUSED);
const QUESTION = form(ASKED);
const OWN = form(MINE);

const MOST_LABEL = 5;

export function labelOf(said: Said): Ban | null {
  const { marked, units, lexicon } = said;
  if (marked.length > 100) return null;
  const refused = REFUSAL.test(marked);
  const asked = !refused && (QUESTION.test(marked) || OWN.test(marked));
  if (!refused && !asked) return null;
  // A bullet before the label is none of its marks.
  const from = units.findIndex(({ token }) => token.kind !== "punct" && token.kind !== "break");
  const at = units.findIndex(
    ({ token, text }, index) => index > from && token.kind === "punct" && /[:=?-]/.test(text),
  );
  if (from < 0 || at < 1 || at - from > MOST_LABEL) return null;
  const label = units.slice(from, at);
  const verbs = deedsIn(label, lexicon, true);
  // `Note: not now` labels nothing that could be done.
  const objects = [{ from, to: at }];
  if (verbs.length > 0) return banOf({ kind: "verbs", verbs, asks: asked }, units);
  const names = label.some(({ token }) => /^(?:path|file|host|url|email|channel|handle)$/.test(token.kind));
  return names ? banOf({ kind: "all", objects, asks: asked }, units) : null;
}
