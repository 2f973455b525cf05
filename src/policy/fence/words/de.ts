import type { WordTable } from "./table.ts";
export const DE: WordTable = {
  language: "de",
  grammar: { verbLast: true, negationAfter: true },
  marks: "der die das und",
  rows: [],
  compounds: {},
};
