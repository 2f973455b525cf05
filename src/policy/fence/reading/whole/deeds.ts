/**
 * Stems of what may be done, for sentences that forbid without a verb in a form of the tables: `verschickt wird nichts`,
 * `que no se borre`, `el correo lo mando yo`. Only sentences that are known to forbid are read with them.
 */
import type { Language } from "../lexicon.ts";

type Stems = readonly (readonly [string, RegExp])[];

const DE: Stems = [
  [
    "send",
    /(?:schick|versend|versand|gesand|gesend|send(?:e|en|est|et|ung)|mail|raus|hinaus|weiterleit|antwort|nachricht|anschreib|kontaktier|benachrichtig|informier)/,
  ],
  ["delete", /(?:losch|loesch|entfern|weggeworf|wegwerf|wegschmeis)/],
  ["push", /push/],
  ["overwrite", /uberschr|ueberschr/],
  [
    "update",
    /(?:geander|gaendert|aender|ander(?:n|t|st|ung|ungen)$|^ander[en]?$|veran?der|angefas|anfas|angeruhr|anruhr|beruhr|bearbeit|modifizier)/,
  ],
  ["pay", /(?:zahl|uberweis|uberwies|ueberweis)/],
  ["buy", /(?:kauf|bestell|gebucht|buchen|buchung|ausgegeben|ausgeben)/],
  ["share", /(?:geteilt|^teil(?:e|en|st)$|freigegeb|freigeb|freigabe)/],
  ["write", /(?:geschrieb|^schreib|gespeicher|speicher|angeleg)/],
  ["publish", /(?:veroffentlich|veroeffentlich|publizier|gepostet|^posten$)/],
  ["deploy", /(?:deploy|ausgeroll|ausroll|ausgeliefert)/],
  ["commit", /commit/],
  ["install", /installier/],
  ["run", /(?:ausgefuhr|ausfuhr|gestartet|^starten$)/],
];

const ES: Stems = [
  [
    "send",
    /^(?:envi|mand[aoe]|mande|correo|sal(?:ga|gan|e|en|ir)$|recib|responda|conteste|reenvi|avise|escrib[ae]le|mensaje|email|mail)/,
  ],
  ["delete", /^(?:borr|elimin|suprim)/],
  ["push", /^(?:push|pushe|empuj)/],
  ["overwrite", /^sobr?escrib|^sobreescrib/],
  ["update", /^(?:toca|toque|cambi|modific|alter|edit)/],
  ["pay", /^(?:pag[aou]|pague|transfier|transferir)/],
  ["buy", /^(?:compr[aoe]|gast[aoe]|pid[ao]s?$|reserv)/],
  ["share", /^compart/],
  ["upload", /^(?:sub[aioe]|suba)/],
  ["write", /^(?:escrib|guard[aoe])/],
  ["publish", /^public/],
  ["deploy", /^(?:despl|deploy)/],
  ["commit", /^commit/],
  ["run", /^(?:ejecut|corra)/],
  ["install", /^instal/],
];

const ZH: Stems = [
  ["send", /发|寄|邮件|短信|消息|通知|回复|转/],
  ["delete", /删|清空/],
  ["push", /推/],
  ["pay", /付|汇款|转账/],
  ["buy", /买|下单/],
  ["share", /分享|共享/],
  ["write", /写|保存/],
  ["update", /改|动/],
  ["publish", /发布/],
  ["deploy", /部署|上线/],
  ["run", /运行|执行/],
];

const EN: Stems = [
  ["pay", /^(?:spend|spent)$/],
  ["delete", /^(?:lose|loses|lost|throw|throws|thrown|throwing|chuck|toss)$/],
  ["publish", /^online$/],
  ["send", /^(?:sending|mailing|emailing|contacting|outbox)$/],
];

export const DEEDS: Readonly<Record<Language, Stems>> = { en: EN, de: DE, es: ES, zh: ZH };
