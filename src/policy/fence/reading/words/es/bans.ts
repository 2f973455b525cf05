import type { Row } from "../table.ts";

/** Spanish: what forbids. */
export const BANS: readonly Row[] = [
  // Forbidding
  {
    tag: "not",
    words:
      "ni se te ocurra|todavía no|aún no|no|nunca|jamás|ni|no debes|no deberías|no puedes|no tienes que|no hace falta|no hace falta que|no quiero que|no necesito que|no se te ocurra|bajo ningún concepto|de ninguna manera|en ningún caso|bajo ninguna circunstancia|prohibido|está prohibido|queda prohibido|tampoco|no vayas a|no debe|no deben|no puede|no pueden|no se debe|no se puede|procura no|intenta no|preferiría que no|mejor no",
  },
  { tag: "no", words: "nada de|ningún|ninguna|ningunos|sin ningún|sin ninguna|cero|ni un|ni una" },
  { tag: "nothing", words: "nada|nadie|ninguno|ninguna de|ninguno de" },
  { tag: "without", words: "sin|en vez de|en lugar de" },
  {
    tag: "avoid",
    words:
      "olvida|olvide|evita|evite|evitar|abstente de|deja de|para de|no sigas|ojo con|aléjate de|olvídate de",
  },
  {
    tag: "any",
    words:
      "nada|nadie|algo|alguien|todo|todos|todas|lo|la|los|las|le|les|esto|eso|ese|esa|estos|estas|ninguno|ninguna|todavía|aún|por ahora|ya|ahora|de momento|más|mismo|cosa|cosas|ello|ellos",
  },
  { tag: "only", words: "solo|sólo|solamente|únicamente|exclusivamente|nada más" },
  {
    tag: "else",
    words: "nada más|nadie más|a nadie más|ninguna otra cosa|ningún otro|ninguna otra|y ya está|y punto",
  },
  { tag: "except", words: "excepto|salvo|menos|a excepción de|aparte de" },
  { tag: "me", words: "me|mí|nos|conmigo|mi|mis|mío" },
  { tag: "myself", words: "yo mismo|yo misma|personalmente|a mano|por mi cuenta" },
  { tag: "first", words: "primero|antes|siempre|cada vez|previamente|de antemano" },
  {
    tag: "confirm",
    words:
      "pregúntame|pregunta|pregúntame antes|consúltame|consulta conmigo|consúltalo conmigo|confírmame|confirma conmigo|confírmalo conmigo|confirma|avísame|espera mi|espera a mi|espera a que|enséñame|muéstrame|enséñamelo|muéstramelo|pídeme|pide mi|revísalo conmigo|hasta que yo|antes de que yo|sin mi|sin preguntarme|sin consultarme|sin avisarme|déjame ver|déjame revisar|déjame confirmar",
  },
  {
    tag: "consent",
    words:
      "mi ok|mi aprobación|mi permiso|mi confirmación|mi visto bueno|mi autorización|mi consentimiento|preguntarme|consultarme|avisarme|preguntar|consultar|yo confirme|lo confirme|confirme|te lo confirme|lo apruebe|apruebe|yo lo apruebe|te diga|yo te diga|te avise|yo te avise|lo revise|lo haya revisado|haya revisado|lo vea|lo haya visto|haya visto|dé el ok|te dé el ok|dé mi aprobación|diga que sí",
  },
  { tag: "keep", words: "deja|dejar|deje|mantén|mantener|conserva|conservar|guarda intacto" },
  {
    tag: "asis",
    words:
      "como está|como están|tal cual|tal como está|tal como están|en paz|intacto|intacta|intactos|intactas|sin tocar|sin cambios|sin modificar|donde está|donde están|igual",
  },
  { tag: "readonly", value: "stop", words: "para|alto|espera no|todavía no|aún no|espera|un momento|pausa" },
  {
    tag: "readonly",
    value: "withdraw",
    words:
      "déjalo|olvídalo|olvida eso|olvida lo que dije|mejor no|cancela eso|no importa|da igual|déjalo estar|ya no hace falta|ya no es necesario|cambié de idea|he cambiado de idea|cambié de opinión|he cambiado de opinión|ignora eso|ignora mi mensaje anterior",
  },
  {
    tag: "readonly",
    words:
      "solo lectura|sólo lectura|solo leer|sólo leer|solo lee|sólo lee|solo mira|sólo mira|solo mirar|solo revisa|sin tocar nada|sin cambiar nada|sin modificar nada|no toques nada|no cambies nada|no modifiques nada|no hagas nada|mira pero no toques|deja todo como está|deja todo tal cual|déjalo todo como está|no toque nada|sin hacer cambios|no hagas cambios|no hagas ningún cambio",
  },
  {
    tag: "offlimits",
    words:
      "es intocable|son intocables|está prohibido tocar|fuera de límites|no se toca|no se tocan|no se debe tocar|ni tocarlo|ni tocarla",
  },
  {
    tag: "draftonly",
    words:
      "solo borrador|sólo borrador|solo un borrador|como borrador|en borrador|déjalo en borrador|déjalo como borrador|solo redacta|sólo redacta|solo prepara|solo escríbelo",
  },
  {
    tag: "local",
    words: "en local|local|confidencial|privado|entre nosotros|interno|en secreto|en este equipo",
  },
  {
    tag: "assent",
    words:
      "ok adelante|adelante|dale|hazlo|sí hazlo|sí|vale|ok|de acuerdo|está bien|procede|continúa|sigue|perfecto|aprobado|confirmado|venga|claro que sí|sí por favor|vale hazlo|bien adelante",
  },
  {
    tag: "delegate",
    words:
      "haz lo que dice|haz lo que diga|haz lo que pone|haz lo que pide|sigue las instrucciones|sigue los pasos|haz las tareas|haz todas las tareas|completa las tareas|encárgate|encárgate de todo|ocúpate|ocúpate de todo|cumple las instrucciones|haz todo lo que dice",
  },
];
