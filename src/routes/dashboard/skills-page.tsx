/** The skills that an agent wrote, and the history of one: what each write replaced and left, and whether it all hangs together. */
import type { SkillSummary, SkillWriteRow } from "../../db/skills.ts";
import type { LINKS } from "../../policy/provenance/index.ts";
import { decisionUrl, sessionUrl, skillsUrl, skillUrl } from "./addresses.ts";
import { linkWords, ranWords } from "./evidence-words.ts";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, When } from "./recorded.tsx";

interface Agent {
  readonly agent_id: string;
  readonly name: string;
}

export interface SkillsPageProps {
  readonly frame: Frame;
  readonly agent: Agent;
  readonly skills: readonly SkillSummary[];
  /** True when there are more than are shown. */
  readonly isCut: boolean;
}

export function SkillsPage({ frame, agent, skills, isCut }: SkillsPageProps) {
  return (
    <Page title={`Skills of ${agent.name}`} frame={frame} place="/agents">
      <AgentCrumb agent={agent} />
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Skills</h1>
          <p class="lead">
            Every write to a skill that{" "}
            <span class="wrap">
              <Recorded text={agent.name} />
            </span>{" "}
            asked about, with the hash of what it replaced and of what it left. A change that nobody asked
            about shows as a gap.
          </p>
        </div>
        {skills.length === 0 ? (
          <div class="card pad stack-tight">
            <h2>No skill was written yet</h2>
            <p class="soft">
              A write to a skill shows here when the agent asks about <code>skill_manage</code>, or about a
              file below a folder called <code>skills</code>. With <code>stored</code>, the text that is there
              now, its history can be verified.
            </p>
          </div>
        ) : (
          <div class="card">
            <table class="things">
              <caption class="unheard">Skills, the latest first</caption>
              <thead>
                <tr>
                  <th scope="col">Skill</th>
                  <th scope="col">Writes</th>
                  <th scope="col">Last write</th>
                </tr>
              </thead>
              <tbody>
                {skills.map(({ skill, writes, last_at }) => (
                  <tr>
                    <td class="wrap">
                      <a href={skillUrl(agent.agent_id, skill)}>
                        <Recorded text={skill} />
                      </a>
                    </td>
                    <td data-label="Writes">{writes.toLocaleString("en-GB")}</td>
                    <td data-label="Last" class="soft">
                      <When at={last_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {isCut ? (
              <p class="pad soft">The {skills.length} that were written last. There are more.</p>
            ) : null}
          </div>
        )}
      </div>
    </Page>
  );
}

export interface LinkedWrite extends SkillWriteRow {
  readonly link: (typeof LINKS)[number];
}

export interface SkillPageProps {
  readonly frame: Frame;
  readonly agent: Agent;
  readonly skill: string;
  /** All that were read, oldest first. */
  readonly writes: readonly LinkedWrite[];
  /** True when older ones were not read. */
  readonly isCut: boolean;
  /** From 1, the newest writes first. */
  readonly page: number;
}

export const WRITES_ON_A_PAGE = 50;

export function SkillPage(props: SkillPageProps) {
  const { frame, agent, skill, writes, page, isCut } = props;
  const newest = writes.toReversed();
  const shown = newest.slice((page - 1) * WRITES_ON_A_PAGE, page * WRITES_ON_A_PAGE);
  const isMore = newest.length > page * WRITES_ON_A_PAGE;
  return (
    <Page title={`Skill ${skill}`} frame={frame} place="/agents">
      <a class="crumb" href={skillsUrl(agent.agent_id)}>
        ← Skills
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1 class="wrap">
            Skill <Recorded text={skill} />
          </h1>
          <p class="soft wrap">
            Written by{" "}
            <a href={`/agents/${encodeURIComponent(agent.agent_id)}`}>
              <Recorded text={agent.name} />
            </a>
          </p>
        </div>
        <Verified writes={writes} isCut={isCut} />
        <section class="stack" aria-labelledby="writes">
          <h2 id="writes">Its history, newest first</h2>
          <div class="card">
            <table class="things things-tall">
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Write</th>
                  <th scope="col">What it replaced, and left</th>
                  <th scope="col">Link</th>
                  <th scope="col">Did it run?</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((write) => (
                  <Write write={write} />
                ))}
              </tbody>
            </table>
          </div>
          {page > 1 || isMore ? (
            <nav class="pager" aria-label="Pages">
              {page > 1 ? (
                <a class="button" href={skillUrl(agent.agent_id, skill, page - 1)}>
                  ← Newer
                </a>
              ) : (
                <span />
              )}
              {isMore ? (
                <a class="button" href={skillUrl(agent.agent_id, skill, page + 1)}>
                  Older →
                </a>
              ) : null}
            </nav>
          ) : null}
        </section>
      </div>
    </Page>
  );
}

/** Whether every write that ran begins where the one before it ended. */
function Verified({ writes, isCut }: Pick<SkillPageProps, "writes" | "isCut">) {
  const broken = writes.filter(({ link }) => link === "broken").length;
  const unknown = writes.filter(({ link }) => link === "unknown").length;
  const [title, text] = writes.every(({ link }) => link === "not-run")
    ? [
        "No write of it ran yet",
        "None that was asked about is known to have run, so nothing can be compared.",
      ]
    : broken > 0
      ? [
          "Its history does not verify",
          `${broken === 1 ? "One write" : `${broken} writes`} found another text than the write before had left: the file was changed in between, by something that was not asked about.`,
        ]
      : unknown > 0
        ? [
            "Its history cannot be verified whole",
            `No break is seen, but of ${unknown === 1 ? "one write" : `${unknown} writes`} a hash is missing: the client did not say what was stored, or what would result could not be told.`,
          ]
        : [
            "Its history verifies",
            "Each write that ran begins with the text that the one before it had left.",
          ];
  return (
    <div class="note note-strong">
      <p class="note-title">{title}</p>
      <p>{text}</p>
      {unknown > 0 && broken > 0 ? (
        <p>Of {unknown === 1 ? "one more" : `${unknown} more`} a hash is missing.</p>
      ) : null}
      <p class="soft">
        A write that was let through counts as run until something else is reported.
        {isCut ? ` Only its newest ${writes.length.toLocaleString("en-GB")} writes are compared.` : ""}
      </p>
    </div>
  );
}

function Write({ write }: { write: LinkedWrite }) {
  const { at, file, action, session_id, before_sha256, after_sha256, link, verdict, outcome } = write;
  const mayMatter = link === "broken" || link === "unknown";
  return (
    <tr>
      <td class="soft">
        <When at={at} />
      </td>
      <td data-label="Write" class="wrap">
        <p>
          {action} <Recorded text={file} />
        </p>
        <p class="soft small">
          in{" "}
          <a href={sessionUrl(session_id)}>
            <Recorded text={session_id} />
          </a>
        </p>
        <p class="small">
          <a href={decisionUrl(write)}>Its decision</a>
        </p>
      </td>
      <td data-label="Replaced, and left">
        <details class="tell hashes">
          <summary>
            <span>
              <Hash sha256={before_sha256} /> <span aria-hidden="true">→</span>
              <span class="unheard">to</span> <Hash sha256={after_sha256} deleted={action === "delete"} />
            </span>
          </summary>
          <dl class="facts">
            <dt>SHA-256 before</dt>
            <dd>{before_sha256 === null ? "not known" : <code>{before_sha256}</code>}</dd>
            <dt>SHA-256 after</dt>
            <dd>
              {after_sha256 !== null ? (
                <code>{after_sha256}</code>
              ) : action === "delete" ? (
                "deleted"
              ) : (
                "not known"
              )}
            </dd>
          </dl>
        </details>
      </td>
      <td data-label="Link">{mayMatter ? <strong>{linkWords(link)}</strong> : linkWords(link)}</td>
      <td data-label="Did it run?" class="wrap">
        {ranWords(verdict, outcome)}
      </td>
    </tr>
  );
}

const SHORT_HASH = 10;

function Hash({ sha256, deleted = false }: { sha256: string | null; deleted?: boolean }) {
  if (sha256 === null) return <span class="soft">{deleted ? "nothing" : "not known"}</span>;
  return <code title={sha256}>{sha256.slice(0, SHORT_HASH)}</code>;
}

function AgentCrumb({ agent }: { agent: Agent }) {
  return (
    <a class="crumb wrap" href={`/agents/${encodeURIComponent(agent.agent_id)}`}>
      <span>
        ← <Recorded text={agent.name} />
      </span>
    </a>
  );
}
