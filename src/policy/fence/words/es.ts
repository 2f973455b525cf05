import type { WordTable } from "./table.ts";
export const ES: WordTable = {
  language: "es",
  grammar: { verbLast: false, negationAfter: false },
  marks: "el la los y",
  rows: [],
  compounds: {},
};
