/** The oath as a page: what is in force, who swore it, and the form by which an owner changes it. */
import type { Diagnostic, OathLine } from "../../policy/oath/index.ts";
import { type Frame, Page } from "./layout.tsx";
import { ModeNote } from "./mode-note.tsx";
import { linesOf, OathLines } from "./oath-lines.tsx";
import { Recorded, When } from "./recorded.tsx";
import { TextFaults } from "./text-faults.tsx";

export interface OathVersion {
  readonly version: number;
  readonly text: string;
  readonly sworn_by: string;
  readonly sworn_at: number;
}

/** What an owner has typed, and which version they read before. */
export interface OathDraft {
  readonly agent: string | null;
  readonly text: string;
  readonly expected: number;
}

/** What became of the last thing that was asked. */
export type OathResult =
  | { readonly kind: "sworn" }
  | { readonly kind: "valid"; readonly lines: readonly OathLine[] }
  | { readonly kind: "faulty"; readonly diagnostics: readonly Diagnostic[]; readonly swearing: boolean }
  | { readonly kind: "empty" }
  | { readonly kind: "conflict"; readonly read: number; readonly current: number }
  | { readonly kind: "failed"; readonly detail: string };

export interface OathPageProps {
  readonly frame: Frame;
  /** Whose oath, besides the organization's. */
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly inForce: OathVersion | null;
  /** The version that is shown: the one in force unless another was asked for. */
  readonly shown: OathVersion | null;
  readonly history: readonly Omit<OathVersion, "text">[];
  readonly names: ReadonlyMap<string, string>;
  readonly mode: string;
  readonly mayEdit: boolean;
  readonly draft?: OathDraft;
  readonly result?: OathResult;
}

export function OathPage(props: OathPageProps) {
  const { frame, agent, inForce, shown, mayEdit, mode } = props;
  const old = shown !== null && shown.version !== inForce?.version;
  return (
    <Page
      title={agent === null ? "Oath" : `Oath of ${agent.name}`}
      frame={frame}
      place={agent === null ? "/oath" : "/agents"}
    >
      {agent === null ? null : (
        <a class="crumb" href={`/agents/${encodeURIComponent(agent.id)}`}>
          ← <Recorded text={agent.name} />
        </a>
      )}
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>
            {agent === null ? (
              "Oath"
            ) : (
              <>
                Oath of <Recorded text={agent.name} />
              </>
            )}
          </h1>
          <p class="lead">
            {agent === null
              ? "The plain lines that bind every agent of this organization. A call that breaks one is blocked, whatever the agent was told."
              : "It binds this one agent, besides the organization's oath."}
          </p>
        </div>
        {isNews(props.result) ? <Result {...props} /> : null}
        <section class="stack" aria-labelledby="in-force">
          <div class="stack-tight">
            <h2 id="in-force">
              {shown === null
                ? "Nothing is sworn"
                : old
                  ? `Version ${shown.version}, not in force`
                  : "In force"}
            </h2>
            {shown === null ? null : <SwornBy {...props} shown={shown} />}
          </div>
          {inForce === null ? null : <ModeNote mode={mode} />}
          {shown === null ? (
            <p class="soft">
              {agent === null
                ? "No oath stands in the way of any call."
                : "Only the organization's oath binds this agent."}
            </p>
          ) : (
            <OathLines text={shown.text} />
          )}
          <History {...props} />
        </section>
        {old ? null : mayEdit ? (
          <OathForm {...props} />
        ) : (
          <p class="soft">Only an owner can swear an oath. You can read every version.</p>
        )}
      </div>
    </Page>
  );
}

function SwornBy({ shown, inForce, names, agent }: OathPageProps & { shown: OathVersion }) {
  return (
    <p class="soft">
      Version {shown.version}, sworn by <Recorded text={names.get(shown.sworn_by) ?? shown.sworn_by} /> on{" "}
      <When at={shown.sworn_at} />.
      {inForce !== null && shown.version !== inForce.version ? (
        <>
          {" "}
          <a href={oathUrl(agent?.id ?? null)}>Version {inForce.version} is in force</a>
        </>
      ) : null}
    </p>
  );
}

function History({ history, shown, agent }: OathPageProps) {
  if (history.length < 2) return null;
  return (
    <nav class="stack-tight" aria-label="Versions">
      <h3>Versions</h3>
      <ul class="history">
        {history.map(({ version }, i) => (
          <li>
            <a
              href={oathUrl(agent?.id ?? null, i === 0 ? {} : { version: String(version) })}
              {...(version === shown?.version ? { "aria-current": "true" } : {})}
            >
              <span class="unheard">Version </span>
              {version}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** True for what is about the oath in force and so stands above it; the rest is about the text and stands by the form. */
function isNews(result: OathResult | undefined): boolean {
  return result?.kind === "sworn" || result?.kind === "conflict";
}

function Result(props: OathPageProps) {
  const { result, draft, inForce, names } = props;
  if (result === undefined) return null;
  switch (result.kind) {
    case "sworn":
      return (
        <div class="note note-strong" role="status" id="result">
          <p class="note-title">Sworn. Version {inForce?.version ?? 0} is in force.</p>
          <p>It holds from the next call on, in every session.</p>
        </div>
      );
    case "valid":
      return (
        <div class="note" role="status" id="result">
          <p class="note-title">No errors</p>
          <p>{summary(result.lines)} It is not sworn yet.</p>
        </div>
      );
    case "faulty":
      return (
        <TextFaults
          faults={result.diagnostics}
          lines={linesOf(draft?.text ?? "")}
          consequence={result.swearing ? "Nothing was sworn, and what was in force still is." : ""}
        />
      );
    case "empty":
      return (
        <div class="note note-strong" role="alert" id="result">
          <p class="note-title">This text swears nothing</p>
          <p>
            It would take the place of version {inForce?.version ?? 0}, and no oath would stand in the way of
            any call. Nothing was changed yet.
          </p>
        </div>
      );
    case "conflict":
      return (
        <div class="note note-strong" role="alert" id="result">
          <p class="note-title">Somebody else swore in the meantime. Your text was not sworn.</p>
          <p>
            You began from {result.read <= 0 ? "no oath" : `version ${result.read}`}; version {result.current}{" "}
            is in force now
            {inForce === null ? null : (
              <>
                , sworn by <Recorded text={names.get(inForce.sworn_by) ?? inForce.sworn_by} />
              </>
            )}
            . Read it below, take into your text what should stay, and swear again: your text then takes the
            place of version {result.current}.
          </p>
        </div>
      );
    case "failed":
      return (
        <div class="note note-strong" role="alert" id="result">
          <p class="note-title">Nothing was sworn</p>
          <p>{result.detail} Your text is below.</p>
        </div>
      );
  }
}

function summary(lines: readonly OathLine[]): string {
  const missions = lines.filter((line) => line.kind === "mission").length;
  const rules = lines.length - missions;
  const count = (n: number, one: string): string => `${n === 0 ? "no" : n} ${one}${n === 1 ? "" : "s"}`;
  return `It has ${count(rules, "rule")} and ${count(missions, "standing mission")}.`;
}

const EXAMPLE = `# one line, one promise
standing mission: keep my work moving without being asked twice
never delete: ~/notes/**
always require backup before modify: ~/.config/**`;

function OathForm(props: OathPageProps) {
  const { agent, inForce, draft, result } = props;
  const text = draft?.text ?? inForce?.text ?? "";
  const expected = draft?.expected ?? inForce?.version ?? 0;
  const next = (inForce?.version ?? 0) + 1;
  const faulty = result?.kind === "faulty";
  return (
    <section class="stack" aria-labelledby="change">
      <h2 id="change">{inForce === null ? "Write it" : "Change it"}</h2>
      {isNews(result) ? null : <Result {...props} />}
      <details class="tell">
        <summary>How a line is written</summary>
        <div class="stack-tight">
          <p class="soft">
            Three kinds of line; <code>#</code> begins a comment. The verbs are delete, modify, create and
            any. In a path, <code>~</code> is the home directory, <code>*</code> stays inside one folder,{" "}
            <code>**</code> crosses them.
          </p>
          <pre>{EXAMPLE}</pre>
        </div>
      </details>
      <form class="stack" method="post" action="/oath#result">
        {agent === null ? null : <input type="hidden" name="agent" value={agent.id} />}
        <input type="hidden" name="expected" value={String(expected)} />
        <div class="field">
          <label for="text">The oath, one line each</label>
          <textarea
            id="text"
            name="text"
            rows={Math.min(28, Math.max(8, text.split("\n").length + 2))}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            {...(faulty ? { "aria-invalid": "true", "aria-describedby": "result" } : {})}
          >
            {/* A reader of HTML drops the first line feed, so that one is put there to be dropped. */}
            {`\n${text}`}
          </textarea>
        </div>
        {result?.kind === "empty" ? (
          <label class="check" for="empty">
            <input id="empty" type="checkbox" name="empty" value="yes" />
            <span>Yes, swear an oath without a single line.</span>
          </label>
        ) : null}
        <div class="row">
          <button class="button" type="submit" name="do" value="check">
            Check
          </button>
          <button class="button button-main" type="submit" name="do" value="swear">
            Swear version {next}
          </button>
        </div>
        <p class="hint">
          Checking changes nothing. Swearing makes a new version that holds at once; earlier ones stay
          readable.
        </p>
      </form>
    </section>
  );
}

/** The address of an oath: the organization's, or an agent's own. */
export function oathUrl(agent: string | null, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...(agent === null ? {} : { agent }), ...more }).toString();
  return query === "" ? "/oath" : `/oath?${query}`;
}
