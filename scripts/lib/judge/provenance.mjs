/** The kinds of `npm run judge` that are about what the user decided: `detect`, `evidence`, `capture`. */
import { detectClaims } from "../../../src/policy/provenance/claims.ts";

export const KINDS = {
  /** `id, text`: whether the text claims a decision of the user, and by which words. */
  detect({ text }) {
    if (typeof text !== "string") throw new TypeError("text is a text");
    const matches = detectClaims(text).map(({ pattern, span }) => ({ pattern, span: [span.start, span.end] }));
    return { claim: matches.length > 0, matches };
  },
};
