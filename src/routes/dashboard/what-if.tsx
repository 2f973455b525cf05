/** "What would change?": the form that tries another configuration on a session, and what it would have answered. */

import type { Rejudged } from "../../http/replaying.ts";
import { MODED_ENGINES, MODES, type ModedEngine, type Modes } from "../../policy/modes.ts";
import type { Diagnostic } from "../../policy/oath/index.ts";
import type { Verdict } from "../../policy/types.ts";
import { sessionUrl } from "./addresses.ts";
import { argumentsPreview } from "./decision-view.ts";
import { VerdictMark } from "./marks.tsx";
import { linesOf } from "./oath-lines.tsx";
import { engineName, MODE_WORDS } from "./policy-words.ts";
import { Recorded, When } from "./recorded.tsx";
import { TextFaults } from "./text-faults.tsx";

/** Calls that are shown, of those that change and of those that do not; the API gives all of them. */
const LISTED_CALLS = 200;

/** What was chosen. An empty text is as it is in force. */
export interface Tried {
  readonly modes: Readonly<Record<ModedEngine, string>>;
  readonly strict: string;
  readonly oath: string;
}

export type WhatIfResult =
  | {
      readonly kind: "judged";
      readonly calls: readonly Rejudged[];
      readonly unkept: number;
      readonly truncated: boolean;
    }
  | { readonly kind: "faulty"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "failed"; readonly detail: string };

export interface InForce {
  readonly modes: Modes;
  readonly strict: boolean;
  /** The organization's oath; empty without one. */
  readonly oath: string;
  /** True when the session's agent is bound by an oath of its own besides. */
  readonly ownOath: boolean;
}

export interface WhatIfProps {
  readonly session: { readonly session: string };
  readonly inForce: InForce;
  readonly tried?: Tried;
  readonly result?: WhatIfResult;
}

export function WhatIf(props: WhatIfProps) {
  return (
    <section class="stack" aria-labelledby="what-if">
      <div class="stack-tight">
        <h2 id="what-if">What would change?</h2>
        <p class="soft short">
          The turns and calls of this family, judged once more under another configuration. Nothing is
          recorded, nothing runs and no model is asked.
        </p>
      </div>
      {props.result === undefined ? null : <Result {...props} result={props.result} />}
      <TryForm {...props} />
    </section>
  );
}

function TryForm({ session, inForce, tried, result }: WhatIfProps) {
  const { modes, strict, oath, ownOath } = inForce;
  const text = tried?.oath ?? oath;
  const faulty = result?.kind === "faulty";
  const choice = (
    name: string,
    label: string,
    now: string,
    options: readonly (readonly [string, string])[],
    chosen: string,
  ) => (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="" selected={chosen === ""}>
          as it is ({now})
        </option>
        {options.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <form class="card pad stack" method="post" action={`${sessionUrl(session.session)}#what-if`}>
      <div class="choices">
        {MODED_ENGINES.map((engine) =>
          choice(
            engine,
            engineName(engine),
            modes[engine],
            MODES.map((mode) => [mode, MODE_WORDS[mode]] as const).toReversed(),
            tried?.modes[engine] ?? "",
          ),
        )}
        {choice(
          "strict",
          "Where nobody can answer, an ask",
          strict ? "is a block" : "stays an ask",
          [
            ["yes", "is a block"],
            ["no", "stays an ask"],
          ],
          tried?.strict ?? "",
        )}
      </div>
      <div class="field">
        <label for="oath-text">The organization's oath</label>
        <textarea
          id="oath-text"
          name="oath_text"
          rows={Math.min(20, Math.max(5, text.split("\n").length + 1))}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-describedby={faulty ? "result oath-hint" : "oath-hint"}
          {...(faulty ? { "aria-invalid": "true" } : {})}
        >
          {/* A reader of HTML drops the first line feed, so that one is put there to be dropped. */}
          {`\n${text}`}
        </textarea>
        <p id="oath-hint" class="hint">
          {oath === ""
            ? "None is sworn yet."
            : "As it is in force. Lines of another text are cited as version 0."}
          {ownOath ? " The agent's own oath binds besides, as it is." : null}
        </p>
      </div>
      <p>
        <button class="button button-main" type="submit">
          Try it
        </button>
      </p>
    </form>
  );
}

function Result({ result, session, tried }: WhatIfProps & { result: WhatIfResult }) {
  if (result.kind === "faulty")
    return (
      <TextFaults
        faults={result.diagnostics}
        lines={linesOf(tried?.oath ?? "")}
        consequence="Nothing was tried."
      />
    );
  if (result.kind === "failed")
    return (
      <div class="note note-strong" role="alert" id="result">
        <p class="note-title">Nothing was tried</p>
        <p>{result.detail} What you chose is below.</p>
      </div>
    );
  const { calls, unkept, truncated } = result;
  const changed = calls.filter((call) => call.changed);
  const same = calls.filter((call) => !call.changed);
  return (
    <div class="stack" id="result">
      <div class="note note-strong" role="status">
        <p class="note-title">{summary(changed.length, calls.length)}</p>
        {turnsOf(changed).map(({ from, to, n }) => (
          <p>
            {n} that {n === 1 ? "was" : "were"} {past(from)} would be {past(to)}
          </p>
        ))}
        {unkept === 0 ? null : (
          <p>
            {unkept} {unkept === 1 ? "turn or call is" : "turns and calls are"} left out: what was said or
            asked is not kept any more, or was too large to be.
          </p>
        )}
        {truncated ? <p>The family has more on record than was judged; this is its beginning.</p> : null}
      </div>
      {changed.length === 0 ? null : (
        <Calls calls={changed} of={session.session} title="Answered otherwise" />
      )}
      {same.length === 0 ? null : (
        <details class="tell">
          <summary>
            {same.length} {same.length === 1 ? "call" : "calls"} answered as before
          </summary>
          <Calls calls={same} of={session.session} title="Answered as before" />
        </details>
      )}
      <p class="soft small">
        An allow is taken as run, and so is an ask that the harness's own user said yes to; anything else as
        not run. The record that this reads follows the ledger by a few seconds.
      </p>
    </div>
  );
}

function summary(changed: number, all: number): string {
  if (all === 0) return "There is no call on record to judge";
  const of = all === 1 ? "the 1 call" : `${all} calls`;
  return changed === 0
    ? `Nothing would be answered otherwise, of ${of}`
    : `${changed} of ${of} would be answered otherwise`;
}

/** How many calls go from which answer to which, the most first. */
function turnsOf(changed: readonly Rejudged[]): { from: string; to: Verdict; n: number }[] {
  const counts = new Map<string, { from: string; to: Verdict; n: number }>();
  for (const { recorded, verdict } of changed) {
    const from = recorded?.verdict ?? "";
    const known = counts.get(`${from} ${verdict}`) ?? { from, to: verdict, n: 0 };
    counts.set(`${from} ${verdict}`, { ...known, n: known.n + 1 });
  }
  return [...counts.values()].sort((a, b) => b.n - a.n);
}

function past(verdict: string): string {
  return verdict === "block" ? "blocked" : verdict === "ask" ? "asked about" : "allowed";
}

/** @param of the session whose page this is: a call of another one says so */
function Calls({ calls, of, title }: { calls: readonly Rejudged[]; of: string; title: string }) {
  return (
    <div class="card">
      <table class="things things-tall">
        <caption class="unheard">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Tool</th>
            <th scope="col">Then</th>
            <th scope="col">Under this</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {calls.slice(0, LISTED_CALLS).map((call) => (
            <Judged call={call} of={of} />
          ))}
        </tbody>
      </table>
      {calls.length > LISTED_CALLS ? <p class="pad soft">and {calls.length - LISTED_CALLS} more</p> : null}
    </div>
  );
}

function Judged({ call: { call, recorded, verdict, reasons }, of }: { call: Rejudged; of: string }) {
  const preview = argumentsPreview(call.args);
  return (
    <tr>
      <td class="wrap">
        <Recorded text={recorded?.call_id ?? ""} />
        {recorded === null ? null : (
          <p class="soft small">
            <When at={recorded.at} />
          </p>
        )}
        {recorded === null || recorded.session === of ? null : (
          <p class="soft small">
            in{" "}
            <a href={sessionUrl(recorded.session)}>
              <Recorded text={recorded.session} />
            </a>
          </p>
        )}
      </td>
      <td data-label="Tool" class="wrap">
        <strong>
          <Recorded text={call.tool} />
        </strong>
        {preview === "" ? null : (
          <code class="preview">
            <Recorded text={preview} />
          </code>
        )}
      </td>
      <td data-label="Then">
        <VerdictMark verdict={recorded?.verdict ?? null} />
      </td>
      <td data-label="Under this">
        <VerdictMark verdict={verdict} />
      </td>
      <td data-label="Why">
        {reasons.length === 0 ? (
          <span class="soft">No rule stands against it.</span>
        ) : (
          <ul class="bare">
            {reasons.map(({ message, rule_key }) => (
              <li>
                <Recorded text={message} /> <code class="soft">{rule_key}</code>
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  );
}
