import type { WordTable } from "./table.ts";

/** German. Letters are folded: ä is a, ß is s. The verb may stand last, its negation behind it. */
export const DE: WordTable = {
  language: "de",
  grammar: { verbLast: true, negationAfter: true },
  marks:
    "der die das den dem des ein eine einen einem einer und oder aber nicht nichts kein keine keinen ich du wir ihr sie er es mir mich dir bitte ist sind war hat habe haben mit von zu zum zur im in am an auf für bei nach aus über unter vor wenn dass ob wie was wer wo warum welche welcher welches mein meine meinen meinem meiner dein deine alle alles noch mal schon auch nur sehr kannst könntest würdest soll sollst muss musst heute morgen datei ordner schick lösche ohne",
  rows: [
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

    // Verbieten
    {
      tag: "not",
      words:
        "nicht|bitte nicht|niemals|nie|nimmer|auf keinen fall|auf gar keinen fall|keinesfalls|keineswegs|unter keinen umständen|du darfst nicht|du sollst nicht|du solltest nicht|du musst nicht|du brauchst nicht|sie dürfen nicht|sie sollen nicht|darf nicht|dürfen nicht|soll nicht|sollen nicht|sollte nicht|sollten nicht|kann nicht|lass das|ich will nicht dass|ich möchte nicht dass|ich möchte nicht dass du|ich will nicht dass du|nicht zu|noch nicht|verboten|untersagt|es ist verboten|bloß nicht|ja nicht|nur nicht|weder|noch",
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
        "vermeide|vermeiden|verzichte auf|verzichten sie auf|sieh ab von|lass das|warte mit|warten mit|finger weg von|unterlasse|unterlass|hör auf",
    },
    {
      tag: "any",
      words:
        "alles|alle|etwas|irgendetwas|irgendwas|irgendwem|irgendjemanden|jemanden|jemandem|es|sie|ihn|ihm|ihnen|das|dies|diese|davon|daran|dazu|ab|weg|raus|hoch|hinzu|noch|jetzt|erstmal|vorerst|im moment|momentan|bitte|mehr|mir|irgendwas davon|wirklich|gerade|vorher|zuvor|selbst",
    },
    { tag: "only", words: "nur|bloß|lediglich|ausschließlich|allein" },
    {
      tag: "else",
      words:
        "sonst nichts|sonst niemand|sonst niemanden|sonst niemandem|nichts anderes|nichts weiter|niemand sonst|niemanden sonst|niemand anderes|keine anderen|keine andere|sonst keinem|sonst keine",
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
      words:
        "vergiss es|lass es|lass es sein|doch nicht|stopp|stop|halt|warte mal nicht|egal|abbrechen|vergiss das|lieber nicht|noch nicht",
    },
    {
      tag: "readonly",
      words:
        "nur lesen|nur ansehen|nur anschauen|nur gucken|nur schauen|nur lesend|nur lesezugriff|schreibgeschützt|nur angucken|nur prüfen|bitte nur lesen|nur analysieren|anschauen ja ändern nein|nichts anfassen|nichts anrühren|nichts verändern|nichts ändern|ändere nichts|verändere nichts|fass nichts an|rühr nichts an|mach nichts|tu nichts|unternimm nichts|lass alles wie es ist|lass alles so wie es ist|trockenlauf",
    },
    {
      tag: "offlimits",
      words:
        "ist tabu|sind tabu|tabu|bleibt wie es ist|bleiben wie sie sind|bleibt unangetastet|bleiben unangetastet",
    },
    {
      tag: "draftonly",
      words:
        "nur als entwurf|als entwurf|nur entwerfen|nur ein entwurf|nur entwurf|im entwurf lassen|nur vorbereiten|nur schreiben nicht senden",
    },
    {
      tag: "local",
      words:
        "lokal|vertraulich|privat|intern|unter uns|für dich|auf diesem rechner|auf meinem rechner|geheim",
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

    // Verbinden
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
    {
      tag: "regularly",
      words:
        "jeden tag|jeden morgen|jeden abend|täglich|wöchentlich|jede woche|jeden montag|jeden dienstag|jeden mittwoch|jeden donnerstag|jeden freitag|jede stunde|stündlich|monatlich|jeden monat|ab jetzt immer",
    },

    // Schauen
    {
      tag: "read",
      form: "b",
      words:
        "fasse|fass|lies|lese|lesen sie|schau|schaue|schau dir|sieh|sieh dir|sieh nach|guck|prüfe|prüf|überprüfe|überprüf|check|checke|kontrolliere|finde|find|such|suche|zeig|zeige|zeig mir|zeige mir|liste|vergleiche|vergleich|analysiere|analysier|übersetze|übersetz|sag|sage|sag mir|sage mir|nenne|nenn|hol|hole|gib mir|gib|öffne|untersuche|untersuch|recherchiere|recherchier|berechne|rechne|plane|plan|bereite|ermittle|bewerte|schlag vor|durchsuche|geh durch|gehe durch|lass uns wissen|informier dich|wirf einen blick|warte|hilf|beantworte",
    },
    {
      tag: "read",
      form: "i",
      words:
        "zusammenfassen|lesen|anschauen|ansehen|durchsehen|prüfen|überprüfen|nachsehen|nachschauen|finden|suchen|zeigen|auflisten|vergleichen|analysieren|zählen|übersetzen|sagen|erklären|untersuchen|recherchieren|berechnen|planen|vorschlagen|durchgehen|durchlesen|heraussuchen|herausfinden|geben|vorlesen|beantworten|gucken",
    },

    // Tun
    {
      tag: "verb",
      value: "send",
      form: "b",
      words:
        "schick|schicke|schicken sie|sende|send|senden sie|verschick|verschicke|versende|übermittle|leite|leite weiter|gib weiter",
    },
    {
      tag: "verb",
      value: "send",
      form: "i",
      words:
        "schicken|senden|verschicken|versenden|zuschicken|zusenden|abschicken|absenden|rausschicken|übermitteln|zu schicken|zu senden|zu verschicken|losschicken|herausgeben|rausgehen|hinausgehen|weiterleiten|weitergeben|loszuschicken|abzuschicken",
    },
    {
      tag: "verb",
      value: "send",
      form: "p",
      words:
        "geschickt|gesendet|verschickt|versendet|abgeschickt|abgesendet|rausgeschickt|weitergeleitet|zugeschickt|übermittelt",
    },
    { tag: "verb", value: "email", form: "b", words: "maile|mail|mailen sie|emaile" },
    { tag: "verb", value: "email", form: "i", words: "mailen|emailen" },
    { tag: "verb", value: "message", form: "b", words: "schreib|schreibe|schreiben sie|texte|simse" },
    { tag: "verb", value: "message", form: "i", words: "anschreiben|texten|simsen" },
    { tag: "verb", value: "reply", form: "b", words: "antworte|antworten sie|beantworte" },
    { tag: "verb", value: "reply", form: "i", words: "antworten|beantworten|zurückschreiben|zu antworten" },
    {
      tag: "verb",
      value: "notify",
      form: "b",
      words: "sag|sage|informiere|informier|benachrichtige|benachrichtig|warne|gib bescheid",
    },
    {
      tag: "verb",
      value: "notify",
      form: "i",
      words: "informieren|benachrichtigen|bescheid geben|bescheid sagen|warnen",
    },
    { tag: "verb", value: "post", form: "b", words: "poste|post|twittere" },
    { tag: "verb", value: "post", form: "i", words: "posten|twittern|zu posten" },
    { tag: "verb", value: "publish", form: "b", words: "veröffentliche|publiziere" },
    { tag: "verb", value: "publish", form: "i", words: "veröffentlichen|publizieren|zu veröffentlichen" },
    { tag: "verb", value: "publish", form: "p", words: "veröffentlicht|publiziert|gepostet" },
    { tag: "verb", value: "call", form: "b", words: "ruf|rufe|ruf an" },
    { tag: "verb", value: "call", form: "i", words: "anrufen|telefonieren" },
    { tag: "verb", value: "comment", form: "b", words: "kommentiere|kommentier" },
    { tag: "verb", value: "comment", form: "i", words: "kommentieren" },
    { tag: "verb", value: "invite", form: "b", words: "lade ein|lad ein|lade|lad" },
    { tag: "verb", value: "invite", form: "i", words: "einladen|einzuladen" },
    { tag: "verb", value: "share", form: "b", words: "teile|teil|gib frei|geben sie frei|teilen sie" },
    { tag: "verb", value: "share", form: "i", words: "teilen|freigeben|freizugeben|zu teilen|freischalten" },
    { tag: "verb", value: "share", form: "p", words: "geteilt|freigegeben" },
    {
      tag: "verb",
      value: "delete",
      form: "b",
      words:
        "lösche|lösch|löschen sie|entferne|entfern|entfernen sie|wirf|wirf weg|schmeiß|schmeiß weg|vernichte|leere|leer|räum auf|räume auf|putz|tilge",
    },
    {
      tag: "verb",
      value: "delete",
      form: "i",
      words:
        "löschen|entfernen|wegwerfen|wegschmeißen|vernichten|leeren|zu löschen|zu entfernen|aufräumen|rauswerfen|beseitigen",
    },
    { tag: "verb", value: "delete", form: "p", words: "gelöscht|entfernt|weggeworfen|vernichtet|geleert" },
    { tag: "verb", value: "delete", form: "n", words: "löschung|löschungen|löschen" },
    { tag: "verb", value: "overwrite", form: "b", words: "überschreib|überschreibe" },
    { tag: "verb", value: "overwrite", form: "i", words: "überschreiben|zu überschreiben" },
    { tag: "verb", value: "overwrite", form: "p", words: "überschrieben" },
    {
      tag: "verb",
      value: "cancel",
      form: "b",
      words: "storniere|kündige|kündig|sag ab|sage ab|bestell ab|brich ab",
    },
    {
      tag: "verb",
      value: "cancel",
      form: "i",
      words: "stornieren|kündigen|absagen|abbestellen|abbrechen|zu kündigen|abzusagen",
    },
    { tag: "verb", value: "pay", form: "b", words: "bezahle|bezahl|zahle|zahl|begleiche|bezahlen sie" },
    { tag: "verb", value: "pay", form: "i", words: "bezahlen|zahlen|begleichen|zu zahlen|zu bezahlen" },
    { tag: "verb", value: "pay", form: "n", words: "zahlung|zahlungen|bezahlung" },
    { tag: "verb", value: "transfer", form: "b", words: "überweise|überweis|überweisen sie" },
    { tag: "verb", value: "transfer", form: "i", words: "überweisen|zu überweisen" },
    { tag: "verb", value: "transfer", form: "n", words: "überweisung|überweisungen" },
    {
      tag: "verb",
      value: "refund",
      form: "b",
      words: "erstatte|erstatte zurück|zahl zurück|zahle zurück|gib das geld zurück",
    },
    { tag: "verb", value: "refund", form: "i", words: "erstatten|zurückerstatten|zurückzahlen" },
    { tag: "verb", value: "donate", form: "b", words: "spende|spenden sie" },
    { tag: "verb", value: "donate", form: "i", words: "spenden" },
    { tag: "verb", value: "buy", form: "b", words: "kauf|kaufe|kaufen sie|besorge|besorg|erwirb" },
    {
      tag: "verb",
      value: "buy",
      form: "i",
      words: "kaufen|einkaufen|besorgen|erwerben|zu kaufen|nachkaufen",
    },
    {
      tag: "verb",
      value: "buy",
      form: "n",
      words: "käufe|kauf|einkauf|einkäufe|bestellung|bestellungen|buchung|buchungen|ausgaben|geld|abo|abos",
    },
    { tag: "verb", value: "order", form: "b", words: "bestell|bestelle|bestellen sie" },
    { tag: "verb", value: "order", form: "i", words: "bestellen|nachbestellen|zu bestellen" },
    { tag: "verb", value: "book", form: "b", words: "buche|buch|buchen sie|reserviere|reservier|miete" },
    { tag: "verb", value: "book", form: "i", words: "buchen|reservieren|zu buchen|mieten" },
    { tag: "verb", value: "subscribe", form: "b", words: "abonniere|abonnier" },
    { tag: "verb", value: "subscribe", form: "i", words: "abonnieren" },
    {
      tag: "verb",
      value: "create",
      form: "b",
      words:
        "erstelle|erstell|erstellen sie|lege|leg|lege an|leg an|mach|mache|generiere|erzeuge|richte ein|eröffne|baue|bau",
    },
    {
      tag: "verb",
      value: "create",
      form: "i",
      words: "erstellen|anlegen|erzeugen|generieren|einrichten|eröffnen|machen|zu erstellen|anzulegen|bauen",
    },
    {
      tag: "verb",
      value: "add",
      form: "b",
      words:
        "füge|füge hinzu|füg hinzu|trag|trage|trag ein|trage ein|ergänze|setze auf|setz auf|notiere|pack|packe|nimm auf",
    },
    {
      tag: "verb",
      value: "add",
      form: "i",
      words: "hinzufügen|eintragen|ergänzen|notieren|aufnehmen|hinzuzufügen",
    },
    {
      tag: "verb",
      value: "write",
      form: "b",
      words: "verfasse|verfass|schreib auf|schreibe auf|schreib in|schreibe in",
    },
    { tag: "verb", value: "write", form: "i", words: "schreiben|verfassen|aufschreiben|zu schreiben" },
    { tag: "verb", value: "draft", form: "b", words: "entwirf|entwerfe|formuliere|formulier|setz auf" },
    { tag: "verb", value: "draft", form: "i", words: "entwerfen|formulieren|aufsetzen" },
    {
      tag: "verb",
      value: "save",
      form: "b",
      words: "speichere|speicher|sichere|sicher|exportiere|leg ab|lege ab",
    },
    {
      tag: "verb",
      value: "save",
      form: "i",
      words: "speichern|abspeichern|sichern|ablegen|exportieren|zu speichern",
    },
    { tag: "verb", value: "copy", form: "b", words: "kopiere|kopier|dupliziere" },
    { tag: "verb", value: "copy", form: "i", words: "kopieren|duplizieren" },
    { tag: "verb", value: "download", form: "b", words: "lade herunter|lad herunter|lade runter" },
    { tag: "verb", value: "download", form: "i", words: "herunterladen|runterladen" },
    {
      tag: "verb",
      value: "update",
      form: "b",
      words:
        "aktualisiere|aktualisier|ändere|änder|bearbeite|bearbeit|passe|pass an|verändere|fass an|rühr an|modifiziere",
    },
    {
      tag: "verb",
      value: "update",
      form: "i",
      words:
        "aktualisieren|ändern|bearbeiten|anpassen|verändern|anfassen|anrühren|berühren|zu ändern|zu verändern|modifizieren",
    },
    {
      tag: "verb",
      value: "update",
      form: "p",
      words: "geändert|verändert|bearbeitet|angefasst|angerührt|aktualisiert|angepasst",
    },
    {
      tag: "verb",
      value: "update",
      form: "n",
      words: "änderung|änderungen|anpassung|anpassungen|bearbeitung",
    },
    {
      tag: "verb",
      value: "fix",
      form: "b",
      words: "behebe|repariere|reparier|korrigiere|korrigier|fixe|debugge",
    },
    { tag: "verb", value: "fix", form: "i", words: "beheben|reparieren|korrigieren|fixen|debuggen" },
    { tag: "verb", value: "implement", form: "b", words: "implementiere|programmiere|entwickle" },
    { tag: "verb", value: "implement", form: "i", words: "implementieren|programmieren|entwickeln" },
    { tag: "verb", value: "rename", form: "b", words: "benenne|benenn|benenne um|nenne um" },
    { tag: "verb", value: "rename", form: "i", words: "umbenennen|umzubenennen" },
    { tag: "verb", value: "move", form: "b", words: "verschiebe|verschieb|bewege|schiebe" },
    { tag: "verb", value: "move", form: "i", words: "verschieben|bewegen" },
    { tag: "verb", value: "move", form: "p", words: "verschoben|bewegt" },
    { tag: "verb", value: "archive", form: "b", words: "archiviere" },
    { tag: "verb", value: "archive", form: "i", words: "archivieren" },
    { tag: "verb", value: "close", form: "b", words: "schließe|schließ" },
    { tag: "verb", value: "close", form: "i", words: "schließen" },
    { tag: "verb", value: "mark", form: "b", words: "markiere|markier|kennzeichne" },
    { tag: "verb", value: "mark", form: "i", words: "markieren|kennzeichnen" },
    { tag: "verb", value: "merge", form: "b", words: "merge|führe zusammen" },
    { tag: "verb", value: "merge", form: "i", words: "mergen|zusammenführen" },
    { tag: "verb", value: "turn_on", form: "b", words: "schalte|schalt|mach an|mach aus|dimme|stell" },
    {
      tag: "verb",
      value: "turn_on",
      form: "i",
      words: "einschalten|ausschalten|anschalten|anmachen|ausmachen|dimmen|umschalten",
    },
    { tag: "verb", value: "play", form: "b", words: "spiel|spiele|spiel ab|pausiere" },
    { tag: "verb", value: "play", form: "i", words: "abspielen|spielen|pausieren" },
    { tag: "verb", value: "push", form: "b", words: "pushe|push" },
    { tag: "verb", value: "push", form: "i", words: "pushen|zu pushen" },
    { tag: "verb", value: "push", form: "p", words: "gepusht" },
    { tag: "verb", value: "commit", form: "b", words: "committe|commite|commit" },
    { tag: "verb", value: "commit", form: "i", words: "committen|commiten" },
    { tag: "verb", value: "upload", form: "b", words: "lade hoch|lad hoch" },
    { tag: "verb", value: "upload", form: "i", words: "hochladen|hochzuladen|uploaden" },
    { tag: "verb", value: "upload", form: "p", words: "hochgeladen" },
    { tag: "verb", value: "deploy", form: "b", words: "deploye|rolle aus" },
    { tag: "verb", value: "deploy", form: "i", words: "deployen|ausrollen|ausliefern" },
    {
      tag: "verb",
      value: "submit",
      form: "b",
      words: "fülle|füll|fülle aus|reiche ein|klicke|klick|drücke|melde an|melde dich an",
    },
    {
      tag: "verb",
      value: "submit",
      form: "i",
      words: "ausfüllen|einreichen|klicken|abzusenden|anmelden|drücken",
    },
    {
      tag: "verb",
      value: "run",
      form: "b",
      words: "führe|führ|führe aus|führ aus|starte|start|lass laufen|rufe auf",
    },
    {
      tag: "verb",
      value: "run",
      form: "i",
      words: "ausführen|laufen lassen|starten|auszuführen|aufrufen|zu starten",
    },
    { tag: "verb", value: "test", form: "b", words: "teste" },
    { tag: "verb", value: "test", form: "i", words: "testen" },
    { tag: "verb", value: "install", form: "b", words: "installiere|installier" },
    { tag: "verb", value: "install", form: "i", words: "installieren|zu installieren" },
    { tag: "verb", value: "restart", form: "b", words: "starte neu|start neu" },
    { tag: "verb", value: "restart", form: "i", words: "neustarten|neu starten" },
    { tag: "verb", value: "stop", form: "b", words: "stoppe|stopp|beende|halte an|halt an" },
    { tag: "verb", value: "stop", form: "i", words: "stoppen|beenden|anhalten" },
    { tag: "verb", value: "remember", form: "b", words: "merk dir|merke dir|merken sie sich" },
    { tag: "verb", value: "remember", form: "i", words: "merken|dir merken" },
    { tag: "verb", value: "remind", form: "b", words: "erinnere mich|erinner mich|erinnere uns" },
    { tag: "verb", value: "remind", form: "i", words: "erinnern" },
    { tag: "verb", value: "schedule", form: "b", words: "vereinbare|terminiere|setz an" },
    { tag: "verb", value: "schedule", form: "i", words: "vereinbaren|terminieren|ansetzen" },
    {
      tag: "verb",
      value: "send",
      form: "n",
      words:
        "mails|mail|e-mails|e-mail|email|emails|nachrichten|nachricht|antworten|antwort|versand|sms|kommunikation|einladungen",
    },
    { tag: "verb", value: "share", form: "n", words: "freigabe|freigaben" },
    { tag: "verb", value: "upload", form: "n", words: "uploads|upload" },
    { tag: "verb", value: "push", form: "n", words: "push|pushes" },
    { tag: "verb", value: "commit", form: "n", words: "commits|commit" },
    {
      tag: "verb",
      value: "egress",
      form: "i",
      words: "verlassen|diesen rechner verlassen|rausgehen|nach außen gehen",
    },
    { tag: "verb", value: "egress", form: "p", words: "verlässt" },
    { tag: "noun", value: "issue", words: "fehler|bug|bugs|störung" },
    {
      tag: "noun",
      value: "event",
      words: "termin|termine|kalender|kalendereintrag|besprechung|treffen|meeting",
    },
    { tag: "noun", value: "reminder", words: "erinnerung|erinnerungen|wecker" },
    { tag: "noun", value: "page", words: "seite|seiten" },
    { tag: "noun", value: "comment", words: "kommentar|kommentare" },
    { tag: "noun", value: "card", words: "karte|karten" },
    { tag: "noun", value: "task", words: "aufgabe|aufgaben" },
    { tag: "noun", value: "list", words: "liste|einkaufsliste|listen" },
    { tag: "noun", value: "label", words: "etikett|label|schlagwort" },
    { tag: "noun", value: "contact", words: "kontakt|kontakte" },
    { tag: "noun", value: "channel", words: "kanal" },
    {
      tag: "noun",
      value: "file",
      words: "datei|dateien|ordner|dokument|dokumente|foto|fotos|bild|bilder|tabelle|verzeichnis|bericht",
    },
    { tag: "noun", value: "mail", words: "posteingang|postfach|newsletter" },
    { tag: "noun", value: "draft", words: "entwurf|entwürfe" },
    { tag: "noun", value: "invoice", words: "rechnung|rechnungen" },
    { tag: "noun", value: "payment", words: "miete|betrag" },
    { tag: "noun", value: "booking", words: "zimmer|hotel|flug|flüge|zug|ticket|tickets|tisch" },
    { tag: "noun", value: "subscription", words: "abonnement|mitgliedschaft|vertrag" },
    { tag: "noun", value: "order", words: "warenkorb" },
    { tag: "noun", value: "device", words: "licht|lampe|heizung|thermostat|rollladen" },
    { tag: "noun", value: "access", words: "rechte|zugriff|berechtigung|berechtigungen" },
    { tag: "noun", value: "branch", words: "zweig|branch" },
    { tag: "noun", value: "code", words: "funktion|skript|code|test|tests|klasse" },
    { tag: "noun", value: "media", words: "lied|lieder|musik|playlist" },
    { tag: "noun", value: "service", words: "server|dienst|prozess" },
    { tag: "noun", value: "memory", words: "gedächtnis" },
    { tag: "noun", value: "repo", words: "repository|repo" },
    { tag: "noun", value: "post", words: "beitrag|beiträge" },
    { tag: "noun", value: "row", words: "zeile|zeilen|eintrag|einträge|datensatz" },
  ],
  compounds: { post: "amt", check: "liste", buch: "titel", start: "seite datum" },
};
