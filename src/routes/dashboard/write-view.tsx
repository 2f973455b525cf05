/** What a decision found in a write to a memory or a skill: what it claims of the user, and what backs each claim. */
import type { QuotedMessage } from "../../db/evidence-pages.ts";
import { decisionUrl, skillUrl } from "./addresses.ts";
import { ClaimFacts, ClaimText } from "./claim-view.tsx";
import { Word } from "./code.tsx";
import type { DecisionView, ShownWrite } from "./decision-view.ts";
import { ClaimMark } from "./marks.tsx";

/** Claims in a list; the decision's own page shows all. */
const LISTED_CLAIMS = 5;

export interface WriteViewProps {
  readonly view: Pick<DecisionView, "chain" | "seq" | "agent">;
  readonly write: ShownWrite;
  readonly whole: boolean;
  /** The messages that quotes were found in, where they were looked up. */
  readonly messages?: ReadonlyMap<string, QuotedMessage>;
}

export function WriteView({ view, write, whole, messages }: WriteViewProps) {
  const { target, claims, unbacked, partial, evidence, change } = write;
  const shown = whole ? evidence : evidence?.slice(0, LISTED_CLAIMS);
  return (
    <section class="stack-tight">
      <h2 class="part">What it writes down</h2>
      <p>
        {target === null ? "It" : <Word text={target} />} {claimed(claims, unbacked)}
        {partial ? (
          <>
            {" "}
            <strong>Only the replacement was checked:</strong> what is stored was not sent along, or what is
            replaced was not found in it.
          </>
        ) : null}
      </p>
      {change === null || view.agent === null ? null : (
        <p>
          A write to the skill{" "}
          <a class="wrap" href={skillUrl(view.agent, change.skill)}>
            <Word text={change.skill} />
          </a>
          : {change.action} <Word text={change.file} />
        </p>
      )}
      {evidence === null && claims + unbacked > 0 ? (
        <p class="soft">What it claims was removed by a purge. The chain still verifies.</p>
      ) : null}
      {shown === null || shown === undefined || shown.length === 0 ? null : (
        <ol class="said claimed">
          {shown.map((claim) => (
            <li>
              <p class="wrap">
                <ClaimMark verdict={claim.verdict} /> <ClaimText claim={claim.claim} />
              </p>
              <ClaimFacts
                claim={claim}
                {...(messages === undefined || claim.msg_id === null
                  ? {}
                  : { message: messages.get(claim.msg_id) ?? null })}
              />
            </li>
          ))}
        </ol>
      )}
      {evidence === null ||
      shown === undefined ||
      shown === null ||
      shown.length === evidence.length ? null : (
        <p>
          <a href={decisionUrl(view)}>Show all {evidence.length} claims</a>
        </p>
      )}
    </section>
  );
}

function claimed(claims: number, unbacked: number): string {
  if (claims === 0)
    return unbacked === 0 ? "claims nothing of what the user decided." : "could not be checked for claims.";
  const many =
    claims === 1
      ? "makes 1 claim of what the user decided"
      : `makes ${claims} claims of what the user decided`;
  if (unbacked === 0) return `${many}, ${claims === 1 ? "and it is backed" : "all of them backed"}.`;
  return `${many}, ${claims === 1 ? "and nothing backs it" : `${unbacked} of them not backed`}.`;
}
