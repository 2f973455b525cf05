import type { Row } from "../table.ts";

/** German: what forbids. */
export const BANS: readonly Row[] = [
  // Forbidding
  {
    tag: "not",
    words:
      "darf noch nicht|dürfen noch nicht|soll noch nicht|sollen noch nicht|nicht|bitte nicht|niemals|nie|nimmer|auf keinen fall|auf gar keinen fall|keinesfalls|keineswegs|unter keinen umständen|du darfst nicht|du sollst nicht|du solltest nicht|du musst nicht|du brauchst nicht|sie dürfen nicht|sie sollen nicht|darf nicht|dürfen nicht|soll nicht|sollen nicht|sollte nicht|sollten nicht|kann nicht|lass das|ich will nicht dass|ich möchte nicht dass|ich möchte nicht dass du|ich will nicht dass du|nicht zu|noch nicht|verboten|untersagt|es ist verboten|bloß nicht|ja nicht|nur nicht|weder|noch",
  },
  { tag: "no", words: "kein|keine|keinen|keiner|keinem|keinerlei|null" },
  {
    tag: "nothing",
    words: "nichts|gar nichts|niemand|niemanden|niemandem|keiner|keines|keins|nichts davon|rein gar nichts",
  },
  { tag: "without", words: "ohne|anstatt|statt" },
  {
    tag: "avoid",
    words:
      "vergiss|vermeide|vermeiden|verzichte auf|verzichten sie auf|sieh ab von|lass das|nicht erlaubt|nicht gestattet|verboten|warte mit|warten mit|finger weg von|unterlasse|unterlass|hör auf",
  },
  { tag: "avoid", value: "touch", words: "finger weg von|hände weg von|lass die finger von" },
  {
    tag: "any",
    words:
      "alles|alle|etwas|irgendetwas|irgendwas|irgendwem|irgendjemanden|jemanden|jemandem|es|sie|ihn|ihm|ihnen|das|dies|diese|davon|daran|dazu|ab|weg|raus|hoch|hinzu|noch|jetzt|erstmal|vorerst|im moment|momentan|bitte|mehr|mir|irgendwas davon|wirklich|gerade|vorher|zuvor|selbst",
  },
  { tag: "only", words: "nur|bloß|lediglich|ausschließlich|allein" },
  {
    tag: "else",
    words:
      "sonst nichts|sonst an niemanden|an niemanden sonst|an niemand sonst|an sonst niemanden|sonst niemand|sonst niemanden|sonst niemandem|nichts anderes|nichts weiter|niemand sonst|niemanden sonst|niemand anderes|keine anderen|keine andere|sonst keinem|sonst keine",
  },
  { tag: "except", words: "außer|ausgenommen|bis auf|mit ausnahme von|abgesehen von" },
  { tag: "me", words: "mir|mich|uns|mein|meine|meinen|meinem|meiner" },
  { tag: "myself", words: "selbst|selber|persönlich|von hand|manuell" },
  { tag: "first", words: "zuerst|vorher|zuvor|erst|jedes mal|jedesmal|immer|vorab" },
  {
    tag: "confirm",
    words:
      "frag mich|frage mich|fragen sie mich|frag erst|frag vorher|frag nach|frag zuerst|hol dir mein|hol mein|hole mein|warte auf mein|warte auf meine|warte bis ich|zeig mir|zeige mir|zeig es mir|leg mir|lege mir|sprich das mit mir ab|sprich es mit mir ab|stimm das mit mir ab|kläre das mit mir|gib mir bescheid|sag mir bescheid|melde dich|bestätige mit mir|rückfrage|nachfragen|bis ich|bevor ich|erst wenn ich|ohne mein|ohne meine|ohne rückfrage|ohne zu fragen|ohne nachzufragen",
  },
  {
    tag: "consent",
    words:
      "mein ok|mein okay|meine zustimmung|meine freigabe|meine erlaubnis|meine bestätigung|meine genehmigung|mein einverständnis|zustimmung|freigabe|rückfrage|zu fragen|nachzufragen|ich bestätige|ich bestätigt habe|ich es bestätige|ich zustimme|ich zugestimmt habe|ich ok sage|ich okay sage|ich ja sage|ich es sage|ich freigebe|ich es freigebe|ich freigegeben habe|ich es gesehen habe|ich es geprüft habe|ich geprüft habe|ich draufgeschaut habe|ich den diff gesehen habe|ich bescheid sage|ich bescheid gebe|ich das okay gebe|ich das ok gebe|ich grünes licht gebe|ich dir bescheid|mich zu fragen|mich gefragt hast|du mich gefragt hast",
  },
  { tag: "keep", words: "lass|lasse|lassen|behalte|behalt|behalten|halte" },
  {
    tag: "asis",
    words:
      "wie es ist|wie sie sind|wie er ist|so wie es ist|so wie sie sind|in ruhe|unangetastet|unverändert|unberührt|wo es ist|wo sie sind|so|stehen|liegen|drin|bestehen|sein",
  },
  {
    tag: "readonly",
    value: "stop",
    words: "stopp|stop|halt|warte mal nicht|noch nicht|warte|moment|moment mal|warte noch|pause",
  },
  {
    tag: "readonly",
    value: "withdraw",
    words:
      "vergiss es|vergiss das|lass es|lass es sein|lass das|lass gut sein|doch nicht|doch lieber nicht|egal|abbrechen|lieber nicht|schon gut|hat sich erledigt|erledigt sich|ist nicht mehr nötig|nicht mehr nötig|brauche ich nicht mehr|ich habe es mir anders überlegt|ich hab's mir anders überlegt|ignorier das|ignoriere das|ignoriere meine letzte nachricht",
  },
  {
    tag: "readonly",
    words:
      "nur lesen|nur ansehen|nur anschauen|nur gucken|nur schauen|nur lesend|nur lesezugriff|schreibgeschützt|nur angucken|nur prüfen|bitte nur lesen|nur analysieren|anschauen ja ändern nein|nichts anfassen|nichts anrühren|nichts verändern|nichts ändern|ändere nichts|verändere nichts|fass nichts an|rühr nichts an|mach nichts|tu nichts|unternimm nichts|lass alles wie es ist|lass alles so wie es ist|trockenlauf",
  },
  {
    tag: "offlimits",
    words:
      "ist untersagt|sind untersagt|ist verboten|sind verboten|soll bleiben|sollen bleiben|bleibt wie sie ist|bleibt wie er ist|bleibt unverändert|ist tabu|sind tabu|tabu|bleibt wie es ist|bleiben wie sie sind|bleibt unangetastet|bleiben unangetastet",
  },
  {
    tag: "draftonly",
    words:
      "nur als entwurf|als entwurf|nur entwerfen|nur ein entwurf|nur entwurf|im entwurf lassen|nur vorbereiten|nur schreiben nicht senden",
  },
  {
    tag: "local",
    words: "lokal|vertraulich|privat|intern|unter uns|für dich|auf diesem rechner|auf meinem rechner|geheim",
  },
  {
    tag: "assent",
    words:
      "ok mach|ok mach das|mach das|mach es|mach's|mach weiter|ja mach|ja bitte|ja gerne|ja|ok|okay|in ordnung|einverstanden|passt|leg los|los|nur zu|weiter|genehmigt|freigegeben|geht klar|alles klar",
  },
  {
    tag: "delegate",
    words:
      "mach was da steht|mach was dort steht|mach das was da steht|tu was da steht|folge den anweisungen|befolge die anweisungen|befolge die anleitung|führe die aufgaben aus|erledige die aufgaben|erledige alles|erledige das|arbeite die liste ab|erledige alle aufgaben|kümmere dich darum|kümmer dich darum",
  },
];
