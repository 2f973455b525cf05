/** Evidence as a page: what agents claimed that a user decided, counted, searched and listed, and what backs each claim. */

import type { Child } from "hono/jsx";
import type { EvidenceCount, EvidenceRow } from "../../db/evidence.ts";
import type { QuotedMessage } from "../../db/evidence-pages.ts";
import { checkUrl, decisionUrl, sessionUrl } from "./addresses.ts";
import { ClaimFacts, ClaimText, WhyInShort } from "./claim-view.tsx";
import { Word } from "./code.tsx";
import { namesOf } from "./decision-filter.ts";
import { AgentName, type AgentNames } from "./decision-list.tsx";
import { type EvidenceSought, evidenceUrl, isNarrowed } from "./evidence-filter.ts";
import { EvidenceReport } from "./evidence-report.tsx";
import { EvidenceSearch } from "./evidence-search.tsx";
import { type Frame, Page } from "./layout.tsx";
import { ClaimMark } from "./marks.tsx";
import { Recorded, When } from "./recorded.tsx";

interface Agent {
  readonly agent_id: string;
  readonly name: string;
}

export interface EvidencePageProps {
  readonly frame: Frame;
  readonly sought: EvidenceSought;
  readonly agents: readonly Agent[];
  /** Of the days and the agent that are asked for, whatever else is. */
  readonly counts: readonly EvidenceCount[];
  readonly rows: readonly EvidenceRow[];
  /** The messages that quotes were found in, by their ids. */
  readonly messages: ReadonlyMap<string, QuotedMessage>;
  /** Decisions that are on record, as `chain seq` each. */
  readonly decisions: ReadonlySet<string>;
  readonly next: string | null;
  /** True on every page but the first. */
  readonly paged: boolean;
  /** The organization's mode; an agent may have its own. */
  readonly mode: string;
}

export function EvidencePage(props: EvidencePageProps) {
  const { frame, sought, agents, counts, rows, next, paged, mode } = props;
  const isEmpty = counts.length === 0 && !isNarrowed(sought);
  return (
    <Page title="Evidence" frame={frame} place="/evidence">
      <div class="stack-wide">
        <div class="head">
          <div class="stack-tight">
            <h1>Evidence</h1>
            <p class="lead">
              What agents wrote down as a user's decision, and whether that user's own words back it.
            </p>
          </div>
          <a class="button" href={checkUrl(sought.session)}>
            Try a text
          </a>
        </div>
        {isEmpty ? null : <ModeNote mode={mode} />}
        <div class="tools">
          <EvidenceSearch sought={sought} agents={agents} />
        </div>
        {isEmpty ? (
          <Empty {...props} />
        ) : (
          <>
            {counts.length === 0 ? null : <EvidenceReport sought={sought} counts={counts} />}
            <section class="stack" aria-labelledby="claims">
              <div class="stack-tight">
                <h2 id="claims">Claims, newest first</h2>
                <p class="soft">A claim shows here five to seven seconds after its write was answered.</p>
              </div>
              {rows.length === 0 ? <NothingMatches sought={sought} /> : <Claims {...props} />}
              {paged || next !== null ? (
                <nav class="pager" aria-label="Pages">
                  {paged ? (
                    <a class="button" href={evidenceUrl(sought)}>
                      ← Newest
                    </a>
                  ) : (
                    <span />
                  )}
                  {next === null ? null : (
                    <a class="button" href={next}>
                      Older →
                    </a>
                  )}
                </nav>
              ) : null}
            </section>
          </>
        )}
      </div>
    </Page>
  );
}

const NOTES: Readonly<Record<string, readonly [title: string, text: string]>> = {
  off: ["Provenance is switched off", "No write is checked for what it claims. What is here is from before."],
  observe: [
    "Provenance only observes",
    "A claim that nothing backs is recorded, and its write goes through. Look at what it flags here before you let it refuse.",
  ],
  ask: [
    "Provenance asks",
    "A write with a claim that nothing backs is put to a person instead of being refused.",
  ],
};

function ModeNote({ mode }: { mode: string }) {
  const note = NOTES[mode];
  return note === undefined ? null : (
    <div class="note note-strong">
      <p class="note-title">{note[0]}</p>
      <p>
        {note[1]} <a href="/settings#modes">Its mode is in the settings.</a>
      </p>
    </div>
  );
}

function Claims({ rows, agents, messages, decisions }: EvidencePageProps) {
  const names = namesOf(agents);
  return (
    <ol class="decisions claims card" aria-label="Claims, newest first">
      {rows.map((row) => (
        <li class="decision">
          <details>
            <summary>
              <ClaimMark verdict={row.verdict} />
              <span class="what wrap">
                <ClaimText claim={row.claim} />
              </span>
              <span class="by">
                <When at={row.at} />
                <span class="who-asked">
                  <AgentName id={row.agent_id} agents={names} />
                </span>
              </span>
              <span class="why wrap soft">
                <WhyInShort reason={row.reason} quote={row.quote} />
              </span>
            </summary>
            <div class="detail">
              <ClaimFacts
                claim={row}
                message={row.msg_id === null ? null : (messages.get(row.msg_id) ?? null)}
                more={placeOf(row, names, decisions)}
              />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

/** Where a claim was made. */
function placeOf(
  row: EvidenceRow,
  names: AgentNames,
  decisions: ReadonlySet<string>,
): readonly (readonly [string, Child])[] {
  return [
    [
      "Written to",
      <>
        <Word text={row.target} /> <span class="soft">by</span> <Word text={row.tool} />
      </>,
    ],
    [
      "Agent",
      <a href={`/agents/${encodeURIComponent(row.agent_id)}`}>
        <AgentName id={row.agent_id} agents={names} />
      </a>,
    ],
    [
      "Session",
      <a href={sessionUrl(row.session_id)}>
        <Recorded text={row.session_id} />
      </a>,
    ],
    [
      "Decision",
      decisions.has(`${row.chain} ${row.seq}`) ? (
        <a href={decisionUrl(row)}>
          The decision on call <Recorded text={row.call_id} />
        </a>
      ) : (
        <>
          on call <Word text={row.call_id} />
        </>
      ),
    ],
  ];
}

function NothingMatches({ sought }: Pick<EvidencePageProps, "sought">) {
  return (
    <div class="card pad stack-tight">
      <h3>Nothing matches</h3>
      <p class="soft">
        {sought.q === null
          ? "No claim on record fits."
          : "No claim on record fits. Words are looked for whole, in the claim, its quote and what was written to."}
      </p>
      <p>
        <a href={evidenceUrl({ days: sought.days })}>Show all claims</a>
      </p>
    </div>
  );
}

/** Nothing was claimed yet: what this is for, and how it is turned on. */
function Empty({ frame, sought, mode }: EvidencePageProps) {
  const mayChange = frame.member.role === "admin" || frame.member.role === "owner";
  return (
    <div class="card pad stack">
      <div class="stack-tight">
        <h2>{sought.days === null ? "Nothing was claimed yet" : "Nothing was claimed in this time"}</h2>
        <p class="soft">
          When an agent writes to a memory or a skill, provenance looks for sentences that say the user made a
          decision: “User decided …”, “The owner approved …”, “用户决定 …”. Each of them needs a quote, in the
          same sentence, of what the user really typed. What has none is a claim that nobody may build on.
        </p>
      </div>
      <div class="stack-tight">
        <h3>
          1. See how it reads: <a href={checkUrl(sought.session)}>try a text</a>
        </h3>
        <p class="soft">Nothing of it is recorded.</p>
      </div>
      <div class="stack-tight">
        <h3>2. Let agents ask before they write</h3>
        <p class="soft">
          Their harness sends what the user types to <code>POST …/turns</code> and asks about{" "}
          <code>memory</code>, <code>skill_manage</code> or a file such as <code>CLAUDE.md</code> as about any
          other call. See the <a href="/docs">API page</a>.
        </p>
      </div>
      <div class="stack-tight">
        <h3>3. Turn it to enforce</h3>
        <p class="soft">
          {mode === "enforce"
            ? "It enforces already: a write with a claim that nothing backs is refused, and the agent is told how to mend it."
            : "At first it only records, since it is a tripwire for wordings: look at what it flags. Then let it refuse."}{" "}
          {mode === "enforce" ? null : mayChange ? (
            <a href="/settings#modes">Set its mode in the settings</a>
          ) : (
            "An admin sets its mode in the settings."
          )}
        </p>
      </div>
    </div>
  );
}
