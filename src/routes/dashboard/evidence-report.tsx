/** How much was claimed, by verdict and reason. */
import type { EvidenceCount } from "../../db/evidence.ts";
import { EVIDENCE_VERDICTS } from "../../policy/provenance/index.ts";
import { daysWords, type EvidenceSought, evidenceUrl } from "./evidence-filter.ts";
import { FAILURES, reasonSentence } from "./evidence-words.ts";
import { ClaimMark } from "./marks.tsx";

export interface EvidenceReportProps {
  readonly sought: EvidenceSought;
  readonly counts: readonly EvidenceCount[];
}

/** Each count leads to the claims that it counts. */
export function EvidenceReport({ sought, counts }: EvidenceReportProps) {
  const all = sum(counts);
  const backed = sum(counts.filter(({ verdict }) => verdict === "pass"));
  const place = { agent: sought.agent, days: sought.days };
  return (
    <section class="stack" aria-labelledby="report">
      <div class="stack-tight">
        <h2 id="report">{daysWords(sought.days)}</h2>
        <p class="soft">
          {claims(all)}
          {sought.agent === null ? "" : " of this agent"}, {backedWords(all, backed)}.
        </p>
      </div>
      <div class="card">
        <table class="things counts">
          <caption class="unheard">Claims by verdict and reason</caption>
          <thead>
            <tr>
              <th scope="col">Verdict</th>
              <th scope="col">Why</th>
              <th scope="col" class="end">
                Claims
              </th>
            </tr>
          </thead>
          <tbody>
            {counts.map(({ verdict, reason, n }) => (
              <tr>
                <td>
                  <ClaimMark verdict={verdict} />
                </td>
                <td>
                  {reason === null ? "A quote of the user's own words backs it." : reasonSentence(reason)}
                </td>
                <td class="end">
                  <a
                    class="button button-quiet"
                    href={`${addressOfCount({ verdict, reason }, place)}#claims`}
                  >
                    <span class="unheard">Show </span>
                    {number(n)}
                    <span class="unheard"> {n === 1 ? "claim" : "claims"}</span>
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function addressOfCount(
  { verdict, reason }: Pick<EvidenceCount, "verdict" | "reason">,
  place: Pick<EvidenceSought, "agent" | "days">,
): string {
  return evidenceUrl({
    verdict: EVIDENCE_VERDICTS.find((known) => known === verdict) ?? null,
    reason: FAILURES.find((known) => known === reason) ?? null,
    ...place,
  });
}

function sum(counts: readonly EvidenceCount[]): number {
  return counts.reduce((total, { n }) => total + n, 0);
}

function number(n: number): string {
  return n.toLocaleString("en-GB");
}

function backedWords(all: number, backed: number): string {
  if (all === 1) return backed === 1 ? "backed" : "not backed";
  if (backed === all) return "all of them backed";
  return backed === 0 ? "none of them backed" : `${number(backed)} backed, ${number(all - backed)} not`;
}

function claims(n: number): string {
  return n === 1 ? "1 claim" : `${number(n)} claims`;
}
