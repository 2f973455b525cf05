/** "How a call is read" as a page: the form that a call is typed into, and what the reading says of it. */
import { type Frame, Page } from "./layout.tsx";
import { type Reading, ReadingView } from "./reading-view.tsx";
import { When } from "./recorded.tsx";
import { type TextFault, TextFaults } from "./text-faults.tsx";

/** A call as it was typed. */
export interface CallDraft {
  readonly tool: string;
  /** What the text is: a shell's command line, or a tool's arguments. */
  readonly form: "command" | "json";
  readonly text: string;
  readonly home: string;
  readonly cwd: string;
  readonly os: string;
  /** `NAME=value`, one a line. */
  readonly variables: string;
}

export type CallField = "tool" | "home" | "cwd" | "variables";

export type ReadingResult =
  | { readonly kind: "read"; readonly reading: Reading }
  | {
      readonly kind: "faulty";
      readonly fields: readonly { readonly field: CallField; readonly message: string }[];
      /** Where the arguments stop being JSON. */
      readonly text: TextFault | null;
    };

export interface ReadingPageProps {
  readonly frame: Frame;
  readonly draft: CallDraft;
  readonly result?: ReadingResult;
  /** The decision whose call it is. */
  readonly decision?: { readonly url: string; readonly at: number };
}

export function ReadingPage(props: ReadingPageProps) {
  const { frame, result } = props;
  return (
    <Page title="How a call is read" frame={frame} place="/tools">
      <a class="crumb" href="/tools">
        ← Tools
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>How a call is read</h1>
          <p class="lead">
            Before anything is judged, a call is read: what it would do, to which files, to whom. Try one
            here. It is not recorded, and nothing runs.
          </p>
        </div>
        <CallForm {...props} />
        {result === undefined ? null : (
          <section class="stack" id="result" aria-labelledby="reading">
            <h2 id="reading">{result.kind === "read" ? "The reading" : "It could not be read"}</h2>
            <Result {...props} result={result} />
          </section>
        )}
      </div>
    </Page>
  );
}

function Result({ result, draft, decision }: ReadingPageProps & { result: ReadingResult }) {
  if (result.kind === "faulty")
    return (
      <>
        {result.fields.length === 0 ? null : (
          <div class="note note-strong" role="alert">
            {result.fields.map(({ field, message }) => (
              <p>
                <a href={`#${field}`}>{LABELS[field]}</a>: {message}
              </p>
            ))}
          </div>
        )}
        {result.text === null ? null : (
          <TextFaults id="text-faults" faults={[result.text]} lines={draft.text.split("\n")} consequence="" />
        )}
      </>
    );
  return (
    <>
      {decision === undefined ? null : (
        <div class="note">
          <p>
            This is the call of <a href={decision.url}>the decision</a> of <When at={decision.at} />, read
            again under the tool table that is in force now. What the tool's server said of it is not kept,
            and so is left out.
          </p>
        </div>
      )}
      <ReadingView reading={result.reading} tool={draft.tool} given={draft.text} />
    </>
  );
}

const LABELS: Readonly<Record<CallField, string>> = {
  tool: "Tool",
  home: "Home directory",
  cwd: "Working directory",
  variables: "Variables",
};

const SYSTEMS = [
  ["linux", "Linux"],
  ["darwin", "macOS"],
  ["windows", "Windows"],
] as const;

function CallForm({ draft, result }: ReadingPageProps) {
  const wrong = new Set(result?.kind === "faulty" ? result.fields.map(({ field }) => field) : []);
  const faulty = result?.kind === "faulty" && result.text !== null;
  const invalid = (is: boolean) => (is ? { "aria-invalid": "true", "aria-describedby": "result" } : {});
  const placed = draft.home !== "" || draft.cwd !== "" || draft.variables !== "" || draft.os !== "linux";
  const field = (name: "home" | "cwd", hint: string) => (
    <div class="field">
      <label for={name}>{LABELS[name]}</label>
      <input
        id={name}
        type="text"
        name={name}
        value={draft[name]}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        {...invalid(wrong.has(name))}
      />
      <p class="hint">{hint}</p>
    </div>
  );
  return (
    <form class="card pad stack" method="post" action="/tools/reading#result">
      <div class="field short">
        <label for="tool">{LABELS.tool}</label>
        <input
          id="tool"
          type="text"
          name="tool"
          value={draft.tool}
          maxlength={256}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
          aria-describedby="tool-hint"
          {...(wrong.has("tool") ? { "aria-invalid": "true" } : {})}
        />
        <p id="tool-hint" class="hint">
          As its harness names it, e.g. <code>terminal</code>, <code>Bash</code>,{" "}
          <code>mcp__github__merge_pull_request</code>.
        </p>
      </div>
      <fieldset>
        <legend>What it is given</legend>
        <label class="check" for="form-command">
          <input
            id="form-command"
            type="radio"
            name="form"
            value="command"
            checked={draft.form === "command"}
          />
          <span>A command line, for a shell</span>
        </label>
        <label class="check" for="form-json">
          <input id="form-json" type="radio" name="form" value="json" checked={draft.form === "json"} />
          <span>Its arguments, as a JSON object</span>
        </label>
      </fieldset>
      <div class="field">
        <label for="text">Command line or arguments</label>
        <textarea
          id="text"
          name="text"
          rows={Math.min(20, Math.max(4, draft.text.split("\n").length + 1))}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          {...invalid(faulty)}
        >
          {/* A reader of HTML drops the first line feed, so that one is put there to be dropped. */}
          {`\n${draft.text}`}
        </textarea>
      </div>
      <details class="tell" open={placed}>
        <summary>Where it would run</summary>
        <div class="stack short">
          {field("home", "What ~ means. Absolute, e.g. /home/me.")}
          {field("cwd", "What relative paths stand on.")}
          <div class="field">
            <label for="os">System</label>
            <select id="os" name="os">
              {SYSTEMS.map(([value, name]) => (
                <option value={value} selected={value === draft.os}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="variables">{LABELS.variables}</label>
            <textarea
              id="variables"
              name="variables"
              rows={3}
              spellcheck={false}
              autocapitalize="off"
              autocomplete="off"
              aria-describedby="variables-hint"
              {...(wrong.has("variables") ? { "aria-invalid": "true" } : {})}
            >
              {`\n${draft.variables}`}
            </textarea>
            <p id="variables-hint" class="hint">
              Those that paths are written with, one a line, as <code>NAME=value</code>.
            </p>
          </div>
        </div>
      </details>
      <p>
        <button class="button button-main" type="submit">
          Read it
        </button>
      </p>
    </form>
  );
}

/**
 * Sends a recorded call to be read again: by its place in the record, since arguments never stand in an address. The
 * place is encoded as in an address, since a session's id is any text.
 */
export function ReadAgain({ chain, seq }: { chain: string; seq: number }) {
  const place = new URLSearchParams({ chain, seq: String(seq) });
  return (
    <form method="post" action="/tools/reading#result">
      <input type="hidden" name="decision" value={place.toString()} />
      <button class="button button-quiet" type="submit">
        How was this read?
      </button>
    </form>
  );
}
