import type { Row } from "../table.ts";

/** German: how a part of a sentence is meant, and what joins parts. */
export const MOODS: readonly Row[] = [
  {
    tag: "filler",
    words:
      "bitte|bitte mal|mal|ok|okay|hallo|hi|hey|moin|guten tag|guten morgen|guten abend|danke|danke dir|vielen dank|gut|prima|super|perfekt|klar|so|also|jetzt|nun|dann|danach|anschließend|zuletzt|zuerst|erst|als erstes|als nächstes|außerdem|auch|noch|kurz|schnell|gleich|sofort|einfach|ja|na gut|übrigens|liebe grüße|für mich|für uns|heute|morgen|später|wenn möglich|wenn du kannst|wenn du zeit hast|sobald du kannst|sieht gut aus|passt|tatsächlich|eigentlich|doch|eben|halt|gerne|ach|hm|assistent|hermes|claude",
  },
  {
    tag: "ask",
    words:
      "dass du|dass sie|kannst du|könntest du|würdest du|kannst du bitte|könntest du bitte|würdest du bitte|kannst du mal|könntest du mal|kannst du mir|könntest du mir|kannst du mir bitte|kannst du uns|können sie|könnten sie|würden sie|können sie bitte|könnten sie bitte|ich möchte dass du|ich will dass du|ich hätte gern dass du|ich hätte gerne dass du|ich brauche dich um|ich bitte dich|ich erlaube dir|du darfst|du darfst gern|du darfst gerne|du kannst|du kannst gern|du kannst gerne|du sollst|du solltest|du musst|sie können|sie dürfen|sie sollen|sei so gut und|sei so nett und|sei so lieb und|tu mir den gefallen und|hilf mir|hilf mir dabei|hilf uns|lass uns|geh und|stell sicher dass|achte darauf dass|sorge dafür dass|sorg dafür dass|denk daran|denk dran|denke daran|deine aufgabe ist es|deine aufgabe ist|wärst du so nett|wäre es möglich dass du|es wäre toll wenn du|es wäre schön wenn du|wäre toll wenn du|wäre nett wenn du|magst du|magst du bitte|willst du|willst du bitte|gern kannst du|bei bedarf kannst du",
  },
  {
    tag: "idiom",
    words:
      "vergiss nicht|vergiss bitte nicht|bitte vergiss nicht|nicht vergessen|zögere nicht|zöger nicht|scheu dich nicht|warum schickst du nicht|warum sendest du nicht|warum löschst du nicht|wieso schickst du nicht|warum nicht|versäume nicht",
  },
  {
    tag: "weak",
    words:
      "ich muss|ich möchte|ich will|ich wollte|ich sollte|wir müssen|wir sollten|wir wollen|wir möchten|ich würde gern|ich würde gerne|man müsste|man sollte|es wäre zeit",
  },
  {
    tag: "inform",
    words:
      "wie|wieso|warum|weshalb|was|welche|welcher|welches|welchen|wer|wem|wen|wessen|wo|woher|wohin|wann|ist|sind|war|waren|hat|haben|hast du|habe ich|soll ich|sollte ich|sollen wir|sollten wir|kann ich|könnte ich|können wir|darf ich|dürfen wir|muss ich|müssen wir|kann man|darf man|muss man|gibt es|gibt's|erklär|erkläre|erklär mir|erkläre mir|erklären sie|beschreib|beschreibe|beschreib mir|sag mir wie|sag mir ob|sag mir was|sag mir warum|zeig mir wie|zeige mir wie|was passiert wenn|was wäre wenn|ob|wozu|wofür|womit|wie kann ich|wie lösche ich|wie schicke ich|wie sende ich|wie geht|was bedeutet|was heißt|ich frage mich|ich wüsste gern|würdest du empfehlen|empfiehlst du|meinst du|denkst du|findest du|lohnt es sich|ist es sinnvoll|bist du|kennst du|weißt du|rätst du",
  },
  {
    tag: "if",
    words: "wenn|falls|sofern|sobald|solange|während|obwohl|damit|um|angenommen|immer wenn|je nachdem",
  },
  { tag: "until", words: "bis|bevor|ehe|außer wenn|es sei denn|bis ich|bevor ich|bevor du" },
  { tag: "after", words: "nachdem|erst wenn|erst nachdem|erst nach|erst sobald|nur wenn|nur nach|nur mit" },
  { tag: "because", words: "weil|da|denn|sonst|deshalb|deswegen" },
  { tag: "relative", words: "dass|welcher|welche|welches|ob|wo" },
  { tag: "subject", words: "ich|du|er|wir|ihr|man|jemand|niemand sonst|sie|es|mein chef|meine chefin" },
  { tag: "modal", value: "oblige", words: "muss|müssen|soll|sollen|sollte|sollten|gehört|gehören" },
  { tag: "modal", value: "may", words: "darf|dürfen|kann|können|könnte|könnten" },
  { tag: "modal", words: "wird|werden|will|wollen|würde|möchte|mag|hat|haben|hatte" },
  { tag: "be", words: "ist|sind|war|waren|wird|werden|wurde|wurden|worden|sein|bleiben|bleibt" },

  // Joining
  { tag: "and", words: "und|sowie|und dann|und auch" },
  { tag: "or", words: "oder|noch|beziehungsweise" },
  { tag: "but", words: "aber|jedoch|sondern|allerdings|doch" },
  { tag: "then", words: "dann|danach|anschließend" },
  { tag: "to", words: "an|nach|zu|zum|zur|ins|in den|in die|in das|auf|ans" },
  { tag: "in", words: "in|im|unter|auf|innerhalb|bei" },
  { tag: "from", words: "von|vom|aus|durch" },
  { tag: "with", words: "mit|zwischen" },
  { tag: "as", words: "als|namens|mit dem namen" },
  { tag: "called", words: "namens|mit dem titel|genannt|mit dem namen|heißt" },
  { tag: "for", words: "für" },
  { tag: "about", words: "über|bezüglich|betreffend|wegen|mit betreff|laut|zum thema" },
  {
    tag: "det",
    words:
      "der|die|das|den|dem|des|ein|eine|einen|einem|einer|mein|meine|meinen|meinem|meiner|unser|unsere|unseren|dein|deine|diese|dieser|dieses|diesen|jede|jeden|jedes|alle|alten|alte|neue|neuen|letzte|letzten|ganzen|ganze",
  },
  {
    tag: "person",
    words:
      "mir|mich|uns|ihm|ihr|ihnen|chef|chefin|kollege|kollegin|kollegen|team|kunde|kundin|kunden|mama|papa|freund|freundin|vermieter|frau|herr|alle",
  },
  { tag: "say", words: "sag|sage|dass|bedanke|bedank|erwähne|und sag|und bedanke" },
  { tag: "number", value: "1", words: "ein einziges|einmal|eins|genau ein|genau eine" },
  { tag: "number", value: "2", words: "zwei|beide|beiden|zweimal|ein paar" },
  { tag: "number", value: "3", words: "drei|dreimal" },
  { tag: "number", value: "4", words: "vier" },
  { tag: "number", value: "5", words: "fünf" },
  { tag: "each", words: "jede|jeden|jedes|jedem|alle|allen|mehrere|einige|jeweils|pro" },
  {
    tag: "again",
    words:
      "nochmal|noch einmal|erneut|wieder|derselbe kanal|gleicher kanal|gleicher empfänger|selber kanal|auch",
  },
  { tag: "currency", value: "EUR", words: "euro|eur" },
  { tag: "currency", value: "USD", words: "dollar|usd" },
  { tag: "currency", value: "GBP", words: "pfund|gbp" },
  { tag: "currency", value: "CHF", words: "franken|chf" },
  {
    tag: "ceiling",
    words: "höchstens|maximal|bis zu|nicht mehr als|max|unter|weniger als|nicht über|budget",
  },
  { tag: "floor", words: "mehr als|mindestens" },
  {
    tag: "regularly",
    words:
      "jeden tag|jeden morgen|jeden abend|täglich|wöchentlich|jede woche|jeden montag|jeden dienstag|jeden mittwoch|jeden donnerstag|jeden freitag|jede stunde|stündlich|monatlich|jeden monat|ab jetzt immer",
  },
];
