import type { WordTable } from "./table.ts";
export const ZH: WordTable = {
  language: "zh",
  grammar: { verbLast: true, negationAfter: false },
  marks: "der die das und",
  rows: [],
  compounds: {},
};
