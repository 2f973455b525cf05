import type { WordTable } from "../table.ts";
import { BANS } from "./bans.ts";
import { MOODS } from "./moods.ts";
import { VERBS } from "./verbs.ts";

/** German. Letters are folded: ä is a, ß is s. The verb may stand last, its negation behind it. */
export const DE: WordTable = {
  language: "de",
  grammar: { verbLast: true, negationAfter: true },
  marks:
    "der die das den dem des ein eine einen einem einer und oder aber nicht nichts kein keine keinen ich du wir ihr sie er es mir mich dir bitte ist sind war hat habe haben mit von zu zum zur im in am an auf für bei nach aus über unter vor wenn dass ob wie was wer wo warum welche welcher welches mein meine meinen meinem meiner dein deine alle alles noch mal schon auch nur sehr kannst könntest würdest soll sollst muss musst heute morgen datei ordner schick lösche ohne",
  rows: [...MOODS, ...BANS, ...VERBS],
  compounds: { post: "amt", check: "liste", buch: "titel", start: "seite datum" },
};
