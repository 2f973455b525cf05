import type { WordTable } from "../table.ts";
import { BANS } from "./bans.ts";
import { MOODS } from "./moods.ts";
import { VERBS } from "./verbs.ts";

/** Spanish. Accents are folded. Orders come as imperatives (tú, usted, vos), requests as infinitives. */
export const ES: WordTable = {
  language: "es",
  grammar: { verbLast: false, negationAfter: false },
  marks:
    "el la los las un una unos unas de del al y o pero no que qué como cómo para por con sin en es son está están mi mis tu tus su sus me te se lo le les por favor puedes podrías archivo carpeta correo este esta esto ese esa todo todos nada nunca ni si cuando cuándo donde dónde quién cuál hay hoy mañana ya muy más yo él ella nosotros ellos borra envía manda solo sólo mejor",
  rows: [...MOODS, ...BANS, ...VERBS],
  compounds: {
    copia: "de",
    nota: "de",
    lista: "de",
    reserva: "de natural",
    compra: "de",
    pago: "de",
    envio: "de",
    llama: "do",
  },
};
