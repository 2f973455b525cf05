/** What was found of a claim: in a line, and whole, with the words that back it or what is missing. */

import type { Child } from "hono/jsx";
import type { EvidenceRow } from "../../db/evidence.ts";
import type { QuotedMessage } from "../../db/evidence-pages.ts";
import { sessionUrl } from "./addresses.ts";
import { Word } from "./code.tsx";
import { matchedWords, reasonName, reasonSentence, remarksOn, verdictSentence } from "./evidence-words.ts";
import { Recorded, shortened, When } from "./recorded.tsx";

/** One claim in one write, as it is recorded; no claim where the write could not be read, or held too many. */
export type ShownClaim = Pick<
  EvidenceRow,
  "claim" | "quote" | "msg_id" | "matched_in" | "sender_id" | "role" | "condition" | "verdict" | "reason"
>;

/** Characters of a quote in a closed row. */
const LISTED_QUOTE = 160;

export function ClaimText({ claim }: Pick<ShownClaim, "claim">) {
  return claim === null ? <span class="soft">The write as a whole</span> : <Recorded text={claim} />;
}

/** One line under a claim: the quote that backs it, or why none does. */
export function WhyInShort({ reason, quote }: Pick<ShownClaim, "reason" | "quote">) {
  if (reason !== null) return <>{reasonName(reason)}</>;
  return quote === null ? null : (
    <>
      “<Recorded text={shortened(quote, LISTED_QUOTE)} />”
    </>
  );
}

export interface ClaimFactsProps {
  readonly claim: ShownClaim;
  /** The message that holds the quote, where it is still kept and was looked up. */
  readonly message?: QuotedMessage | null;
  /** More of what is recorded, as names and values. */
  readonly more?: readonly (readonly [name: string, value: Child])[];
}

/** Everything that is known of a claim. */
export function ClaimFacts({ claim, message, more = [] }: ClaimFactsProps) {
  const { quote, reason, matched_in, verdict, role, condition } = claim;
  const facts: readonly (readonly [string, Child])[] = [
    [
      reason === null ? "Why backed" : "Why not backed",
      <>
        {reason === null ? (
          matched_in === null ? null : (
            <>Its quote {matchedWords(matched_in)}. </>
          )
        ) : (
          <>{reasonSentence(reason)} </>
        )}
        {remarksOn(role, condition).join(" ")}
        {reason === null ? null : (
          <p class="soft">
            {verdictSentence(verdict)} <RuleKey reason={reason} />
          </p>
        )}
      </>,
    ],
    [
      "Quote",
      quote === null ? null : (
        <blockquote>
          <Recorded text={quote} block />
        </blockquote>
      ),
    ],
    ["Message", claim.msg_id === null ? null : <Message id={claim.msg_id} message={message} />],
    ["Typed by", claim.msg_id === null ? null : <Sender id={claim.sender_id} />],
    ...more,
  ];
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

/** What an agent is told, as a stable name. */
function RuleKey({ reason }: { reason: string }) {
  const name = reason === "internal_error" ? "engine-error" : reason.replaceAll("_", "-");
  return <code>provenance:{name}</code>;
}

function Message({ id, message }: { id: string; message: QuotedMessage | null | undefined }) {
  if (message === undefined || message === null)
    return (
      <>
        <Word text={id} />
        {message === null ? <span class="soft"> · its text is not kept any more</span> : null}
      </>
    );
  const { text, at, session_id, cut_before, cut_after } = message;
  return (
    <div class="stack-tight">
      <blockquote>
        {cut_before ? "…" : null}
        <Recorded text={text} block />
        {cut_after ? "…" : null}
      </blockquote>
      <p class="soft">
        <When at={at} /> in{" "}
        <a href={sessionUrl(session_id)}>
          <Recorded text={session_id} />
        </a>{" "}
        · <Word text={id} />
      </p>
    </div>
  );
}

/** Who typed the message: the harness says so, or nobody does. */
function Sender({ id }: { id: string | null }) {
  return id === null || id === "" ? (
    <span class="soft">the user of the session; the harness gave no name</span>
  ) : (
    <Word text={id} />
  );
}
