import type { Row } from "../table.ts";

/** Spanish: how a part of a sentence is meant, and what joins parts. */
export const MOODS: readonly Row[] = [
  {
    tag: "filler",
    words:
      "por favor|porfa|porfavor|ok|vale|hola|buenas|buenos días|buenas tardes|gracias|muchas gracias|bien|perfecto|genial|claro|ahora|luego|después|entonces|también|primero|por último|finalmente|además|solo|sólo|sí|si puedes|cuando puedas|rápido|enseguida|de paso|por cierto|para mí|hoy|mañana|más tarde|en realidad|bueno|venga|oye|asistente|hermes|claude|de nuevo",
  },
  {
    tag: "ask",
    words:
      "hay que|puedes|podrías|puede|podría|puedes por favor|podrías por favor|me puedes|me podrías|nos puedes|quieres|quiero que|necesito que|quisiera que|me gustaría que|te pido que|hazme el favor de|haz el favor de|ayúdame a|ayuda a|vamos a|asegúrate de|asegúrate de que|procura|intenta|trata de|debes|deberías|tienes que|tiene que|has de|adelante y|siéntete libre de|te autorizo a|te permito|tienes permiso para|puedes ir a|ve y|sería genial si pudieras|podrías por favor|te importaría|le importaría|tu tarea es|acuérdate de|recuerda",
  },
  {
    tag: "idiom",
    words:
      "no olvides|no te olvides de|no olvide|no dudes en|no dude en|por qué no|no tengas miedo de|no dejes de",
  },
  {
    tag: "weak",
    words:
      "quiero|necesito|tengo que|debo|debería|quisiera|me gustaría|tenemos que|debemos|deberíamos|queremos|habría que|toca",
  },
  {
    tag: "inform",
    words:
      "cómo|qué|cuál|cuáles|quién|quiénes|dónde|cuándo|cuánto|cuánta|cuántos|cuántas|por qué|para qué|es|son|está|están|hay|tiene|ha|han|debo|debería|deberíamos|puedo|podemos|podría yo|tengo que|explica|explícame|describe|dime cómo|dime qué|dime si|dime cuál|dime por qué|dime quién|dime dónde|dime cuándo|dime cuánto|muéstrame cómo|enséñame a|enséñame cómo|sabes|crees que|piensas que|recomiendas|me recomiendas|es seguro|es buena idea|conviene|me pregunto|qué pasa si|qué significa|acaso|fue|era|cuál es|lista los comandos",
  },
  {
    tag: "if",
    words:
      "si|cuando|en cuanto|siempre que|mientras|aunque|en caso de que|para que|con tal de que|tan pronto como|según",
  },
  { tag: "until", words: "hasta|hasta que|antes de|antes de que|a menos que|a no ser que|salvo que" },
  {
    tag: "after",
    words:
      "después de|después de que|solo después de|sólo después de|solo cuando|una vez que|solo si|sólo si|solo con|tras",
  },
  { tag: "because", words: "porque|ya que|pues|puesto que|debido a" },
  { tag: "relative", words: "que|quien|donde|cual|diciendo|preguntando|avisando" },
  { tag: "subject", words: "yo|él|ella|nosotros|ellos|ellas|alguien|nadie más|mi jefe|mi jefa|el cliente" },
  {
    tag: "modal",
    value: "oblige",
    words: "debe|deben|tiene que|tienen que|hay que|ha de|debería|deberían|necesita|necesitan",
  },
  { tag: "modal", value: "may", words: "puede|pueden|podría|podrían" },
  { tag: "modal", words: "va a|van a|quiere|quieren|quería|ha|han|había" },
  { tag: "be", words: "es|son|está|están|sea|sean|ser|fue|fueron|era|se|estar|estén" },

  // Joining
  { tag: "and", words: "y|e|y también|así como|y luego|y después" },
  { tag: "or", words: "o|u|ni" },
  { tag: "but", words: "pero|sino|sin embargo|aunque" },
  { tag: "then", words: "luego|después|entonces" },
  { tag: "to", words: "a|al|hacia|para" },
  { tag: "in", words: "en|dentro de|bajo|sobre" },
  { tag: "from", words: "de|del|desde|por" },
  { tag: "with", words: "con|entre" },
  { tag: "as", words: "como|llamado|llamada" },
  { tag: "called", words: "llamado|llamada|titulado|titulada|con el título|con el nombre|con asunto" },
  { tag: "for", words: "para" },
  { tag: "about", words: "sobre|acerca de|respecto a|con asunto|según|basado en" },
  {
    tag: "det",
    words:
      "el|la|los|las|un|una|unos|unas|mi|mis|tu|tus|su|sus|este|esta|estos|estas|ese|esa|cada|todo el|toda la|todos los|todas las|último|última|nuevo|nueva|viejo|vieja",
  },
  {
    tag: "person",
    words:
      "me|le|les|nos|jefe|jefa|equipo|cliente|clientes|mamá|papá|amigo|amiga|casero|todos|ellos|ella|él|gente|compañeros",
  },
  { tag: "say", words: "dile|diles|diciendo|pregúntale|agradécele|menciona|di|dándole las gracias" },
  { tag: "number", value: "1", words: "uno solo|una sola|una vez|solo uno|solo una" },
  { tag: "number", value: "2", words: "dos|ambos|ambas|un par de" },
  { tag: "number", value: "3", words: "tres" },
  { tag: "number", value: "4", words: "cuatro" },
  { tag: "number", value: "5", words: "cinco" },
  { tag: "each", words: "cada|todos|todas|varios|varias|cada uno|cualquier" },
  {
    tag: "again",
    words: "otra vez|de nuevo|nuevamente|el mismo canal|mismo canal|la misma persona|también",
  },
  { tag: "currency", value: "EUR", words: "euros|euro|eur" },
  { tag: "currency", value: "USD", words: "dólares|dólar|usd" },
  { tag: "currency", value: "MXN", words: "pesos|mxn" },
  { tag: "currency", value: "GBP", words: "libras|gbp" },
  {
    tag: "ceiling",
    words: "hasta|como máximo|máximo|no más de|menos de|como mucho|tope de|límite de|presupuesto de",
  },
  { tag: "floor", words: "más de|al menos|como mínimo" },
  {
    tag: "regularly",
    words:
      "cada día|todos los días|cada mañana|cada semana|todas las semanas|cada lunes|cada martes|cada miércoles|cada jueves|cada viernes|cada hora|diariamente|semanalmente|mensualmente|cada mes|todas las mañanas|todas las noches|los lunes",
  },
];
