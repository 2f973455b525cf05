/** The kinds of `npm run judge` that are about what the user decided: `detect`, `evidence`, `capture`. */
import {
  captureTurn,
  detectClaims,
  findingsOf,
  inquire,
  judgeProvenance,
  needleOf,
  readWrite,
  rowsOf,
  searchable,
} from "../../../src/policy/provenance/index.ts";

/** How long typed text is kept by default. */
const RETENTION_MINUTES = 30 * 24 * 60;
/** What a failure becomes in each mode. */
const REFUSALS = { observe: "would_block", ask: "ask", block: "blocked" };
/** As many messages as are shown for one needle. */
const MOST_CANDIDATES = 8;

export const KINDS = {
  /** `id, text`: whether the text claims a decision of the user, and by which words. */
  detect({ text }) {
    if (typeof text !== "string") throw new TypeError("text is a text");
    const matches = detectClaims(text).map(({ pattern, span }) => ({
      pattern,
      span: [span.start, span.end],
    }));
    return { claim: matches.length > 0, matches };
  },

  /** `id, messages, session, session_parents?, search, write:{tool, args, stored?}, mode`: whether the write's claims are backed. */
  evidence({ messages, session, session_parents, search, write, mode }) {
    if (
      !Array.isArray(messages) ||
      typeof session !== "string" ||
      write === null ||
      typeof write !== "object"
    )
      throw new TypeError("messages is a list, session a text, write an object");
    const refusal = REFUSALS[mode];
    if (refusal === undefined) throw new TypeError("mode is observe, ask or block");
    const read = readWrite({ tool: write.tool, args: write.args }, write.stored ?? null);
    const inquiry = read.kind === "write" ? inquire(read) : null;
    const judged =
      inquiry &&
      judgeProvenance(inquiry, lookUp(inquiry.needles, messages, session, session_parents, search));
    const reasons = findingsOf(read, judged, 0).map(({ reason }) => wire(reason.rule_key));
    const [row] = rowsOf(read, judged);
    const verdict = reasons.length ? refusal : row === undefined ? "no_claim" : "pass";
    if (row === undefined || row.claim === null) return { verdict, reasons };
    const { quote, matched_in, role, condition } = row;
    return { verdict, reasons, quote, matched_in, role, condition };
  },

  /** `id, harness, platform, raw, source?`: what a person typed of a turn. */
  capture({ harness, platform, raw, source }) {
    const turn = captureTurn({ harness, platform, raw, source });
    return { captured: turn === null ? null : turn.text };
  },
};

const wire = (ruleKey) => ruleKey.slice(ruleKey.indexOf(":") + 1).replaceAll("-", "_");

/** What a database would answer: messages of the session and of those that it continues first, the newest first. */
function lookUp(needles, messages, session, parents = {}, search = "session") {
  const chain = new Set([session]);
  for (const one of chain) for (const parent of parents[one] ?? []) chain.add(parent);
  const kept = messages.filter(({ minutes_ago = 0 }) => minutes_ago <= RETENTION_MINUTES).reverse();
  const own = kept.filter((message) => chain.has(message.session));
  const others = search === "profile" ? kept.filter((message) => !chain.has(message.session)) : [];
  const candidates = [
    ...own.map((message, recent) => candidateOf(message, "this-session", recent)),
    ...others.map((message) => candidateOf(message, "profile", null)),
  ];
  return needles.map((needle) =>
    candidates.filter(({ text }) => searchable(text).includes(needleOf(needle))).slice(0, MOST_CANDIDATES),
  );
}

const candidateOf = ({ id, text, sender_id }, where, recent) => ({
  id,
  text,
  where,
  recent,
  ...(sender_id === undefined ? {} : { sender_id }),
});
