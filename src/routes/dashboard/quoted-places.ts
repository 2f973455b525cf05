/** Where the messages are looked up that quotes were found in. */
import type { QuotedPlace } from "../../db/evidence-pages.ts";
import { needleOf, pairQuery } from "../../policy/provenance/index.ts";
import type { ShownClaim } from "./claim-view.tsx";

/** Of a longer quote than this, the record holds the beginning. */
const WHOLE_QUOTE = 500;

/** @param claims of the decision at this place */
export function quotedPlaces(
  { chain, seq }: { readonly chain: string; readonly seq: number },
  agent: string,
  claims: readonly ShownClaim[],
): QuotedPlace[] {
  return claims.flatMap(({ msg_id, quote }) => {
    if (msg_id === null || quote === null) return [];
    // The end of what is cut off may be half a word, and half of the mark that says so.
    const kept =
      quote.length <= WHOLE_QUOTE ? quote : quote.slice(0, WHOLE_QUOTE).replace(/[\p{L}\p{N}]{1,80}$/u, "");
    return [{ agent, chain, seq, message_id: msg_id, quote: kept, match: pairQuery(needleOf(kept)) }];
  });
}
