/** The form that searches evidence. */
import { EVIDENCE_VERDICTS } from "../../policy/provenance/index.ts";
import { sessionUrl } from "./addresses.ts";
import {
  DAYS,
  daysWords,
  type EvidenceSought,
  evidenceUrl,
  isNarrowed,
  MAX_WORDS,
} from "./evidence-filter.ts";
import { FAILURES, REASON_NAMES, VERDICT_OPTIONS } from "./evidence-words.ts";
import { Recorded, visible } from "./recorded.tsx";

export interface EvidenceSearchProps {
  readonly sought: EvidenceSought;
  readonly agents: readonly { readonly agent_id: string; readonly name: string }[];
}

export function EvidenceSearch({ sought, agents }: EvidenceSearchProps) {
  const option = (value: string, name: string, chosen: string | null) => (
    <option value={value} selected={value === (chosen ?? "")}>
      {visible(name)}
    </option>
  );
  const known = sought.agent === null || agents.some(({ agent_id }) => agent_id === sought.agent);
  const days = sought.days === null ? "all" : String(sought.days);
  const listed = sought.days === null || DAYS.some((one) => one === sought.days);
  return (
    <form class="filters" method="get" action="/evidence">
      <div class="field field-wide">
        <label for="q">Words</label>
        <input
          id="q"
          type="text"
          name="q"
          value={sought.q ?? ""}
          maxlength={MAX_WORDS}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
      </div>
      <div class="field">
        <label for="verdict">Verdict</label>
        <select id="verdict" name="verdict">
          {option("", "All", sought.verdict)}
          {EVIDENCE_VERDICTS.map((verdict) => option(verdict, VERDICT_OPTIONS[verdict], sought.verdict))}
        </select>
      </div>
      <div class="field">
        <label for="reason">Why not backed</label>
        <select id="reason" name="reason">
          {option("", "All", sought.reason)}
          {FAILURES.map((reason) => option(reason, REASON_NAMES[reason], sought.reason))}
        </select>
      </div>
      <div class="field">
        <label for="agent">Agent</label>
        <select id="agent" name="agent">
          {option("", "All", sought.agent)}
          {agents.map(({ agent_id, name }) => option(agent_id, name, sought.agent))}
          {known ? null : option(sought.agent ?? "", "Unknown agent", sought.agent)}
        </select>
      </div>
      <div class="field">
        <label for="days">Time</label>
        <select id="days" name="days">
          {DAYS.map((one) => option(String(one), daysWords(one), days))}
          {listed ? null : option(days, daysWords(sought.days), days)}
          {option("all", daysWords(null), days)}
        </select>
      </div>
      {sought.session === null ? null : (
        <p class="field">
          <span class="hint">Session</span>
          <a class="wrap" href={sessionUrl(sought.session)}>
            <Recorded text={sought.session} />
          </a>
          <input type="hidden" name="session" value={sought.session} />
        </p>
      )}
      <button class="button" type="submit">
        Show
      </button>
      {isNarrowed(sought) ? (
        <a class="button button-quiet" href={evidenceUrl({ days: sought.days })}>
          Clear
        </a>
      ) : null}
    </form>
  );
}
