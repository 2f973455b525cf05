/** "Try a text" as a page: the form, and each claim of the text with its place in it, its wording, and what backs it. */
import type { Judged } from "../../policy/provenance/index.ts";
import { Word } from "./code.tsx";
import { KIND_WORDS, matchedWords, reasonName, reasonSentence, remarksOn } from "./evidence-words.ts";
import { type Frame, Page } from "./layout.tsx";
import { ClaimMark } from "./marks.tsx";
import { Recorded, shortened } from "./recorded.tsx";

export interface CheckDraft {
  readonly text: string;
  /** The text that it takes the place of; empty for none. */
  readonly stored: string;
  /** Whose words its quotes are looked up in; empty for nobody's. */
  readonly session: string;
}

export type CheckResult =
  | { readonly kind: "judged"; readonly judged: Judged }
  | { readonly kind: "faulty"; readonly field: keyof CheckDraft; readonly message: string }
  | { readonly kind: "failed"; readonly detail: string };

export interface CheckPageProps {
  readonly frame: Frame;
  readonly draft: CheckDraft;
  readonly result?: CheckResult;
}

/** Characters of the text that are shown around a wording, and of a message around a quote. */
const SHOWN_BEFORE = 160;
const SHOWN_AFTER = 240;

export function CheckPage(props: CheckPageProps) {
  const { frame, result } = props;
  return (
    <Page title="Try a text" frame={frame} place="/evidence">
      <a class="crumb" href="/evidence">
        ← Evidence
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Try a text</h1>
          <p class="lead">
            What does a text claim that the user decided, and what backs it? Nothing of it is recorded.
          </p>
        </div>
        <CheckForm {...props} />
        {result === undefined ? null : <Result {...props} result={result} />}
      </div>
    </Page>
  );
}

function CheckForm({ draft, result }: CheckPageProps) {
  const wrong = (field: keyof CheckDraft) =>
    result?.kind === "faulty" && result.field === field ? { "aria-invalid": "true" as const } : {};
  const by = (field: keyof CheckDraft) =>
    result?.kind === "faulty" && result.field === field ? `result ${field}-hint` : `${field}-hint`;
  const area = (field: "text" | "stored", rows: number) => (
    <textarea
      id={field}
      name={field}
      rows={Math.min(20, Math.max(rows, draft[field].split("\n").length + 1))}
      spellcheck={false}
      autocapitalize="off"
      autocomplete="off"
      aria-describedby={by(field)}
      {...wrong(field)}
    >
      {/* A reader of HTML drops the first line feed, so that one is put there to be dropped. */}
      {`\n${draft[field]}`}
    </textarea>
  );
  return (
    <form class="card pad stack" method="post" action="/evidence/check#result">
      <div class="field">
        <label for="text">Text</label>
        {area("text", 5)}
        <p id="text-hint" class="hint">
          As an agent would write it to its memory, e.g.{" "}
          <code>User decided to ship on Friday ("we ship on Friday").</code>
        </p>
      </div>
      <div class="field short">
        <label for="session">Session</label>
        <input
          id="session"
          type="text"
          name="session"
          value={draft.session}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby={by("session")}
          {...wrong("session")}
        />
        <p id="session-hint" class="hint">
          Its id, as the harness gave it: quotes are looked up in what was typed there. Empty: nobody has
          typed anything, so no quote is found.
        </p>
      </div>
      <details class="tell" open={draft.stored !== ""}>
        <summary>The text that it replaces</summary>
        <div class="field">
          <label for="stored">Stored text</label>
          {area("stored", 3)}
          <p id="stored-hint" class="hint">
            What stands there already is not checked again, and its quotes count.
          </p>
        </div>
      </details>
      <p>
        <button class="button button-main" type="submit">
          Try it
        </button>
      </p>
    </form>
  );
}

function Result({ draft, result }: CheckPageProps & { result: CheckResult }) {
  if (result.kind !== "judged")
    return (
      <div class="note note-strong" role="alert" id="result">
        <p class="note-title">Nothing was tried</p>
        <p>
          {result.kind === "failed" ? (
            <>{result.detail} What you wrote is above.</>
          ) : (
            <>
              <a href={`#${result.field}`}>{LABELS[result.field]}</a>: {result.message}
            </>
          )}
        </p>
      </div>
    );
  const { claims, reason } = result.judged;
  if (reason !== null)
    return (
      <div class="note note-strong" role="status" id="result">
        <p class="note-title">{reasonName(reason)}</p>
        <p>{reasonSentence(reason)} A write of this text is refused as a whole.</p>
      </div>
    );
  if (claims.length === 0)
    return (
      <div class="note note-strong" role="status" id="result">
        <p class="note-title">It claims nothing</p>
        <p>
          No sentence of it says that the user decided something
          {draft.session === "" ? "" : ", or what says so is what the user typed"}
          {draft.stored === "" ? "" : ", or it stands there already"}. A decision in words that are not known
          here is not seen.
        </p>
      </div>
    );
  const unbacked = claims.filter((claim) => claim.reason !== null).length;
  return (
    <section class="stack" id="result" aria-labelledby="found">
      <div class="stack-tight">
        <h2 id="found">
          {claims.length === 1 ? "1 claim" : `${claims.length} claims`}, {summary(claims.length, unbacked)}
        </h2>
        {unbacked === 0 ? null : (
          <p class="soft short">
            What is not backed can be mended by quoting the user's exact words in "…" in the same sentence, or
            by writing it as the agent's own suggestion or as an open question.
          </p>
        )}
      </div>
      <ol class="said card">
        {claims.map((outcome) => (
          <li>
            <Outcome outcome={outcome} text={draft.text} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const LABELS: Readonly<Record<keyof CheckDraft, string>> = {
  text: "Text",
  stored: "Stored text",
  session: "Session",
};

function summary(all: number, unbacked: number): string {
  if (unbacked === 0) return all === 1 ? "backed" : "all backed";
  return unbacked === all ? (all === 1 ? "not backed" : "none backed") : `${unbacked} not backed`;
}

function Outcome({ outcome, text }: { outcome: Judged["claims"][number]; text: string }) {
  const { claim, reason, quote, matched_in, message, role, condition } = outcome;
  const remarks = remarksOn(role, condition);
  return (
    <>
      <p>
        <ClaimMark verdict={reason === null ? "pass" : "would_block"} />
      </p>
      <p class="passage">
        <Passage text={text} {...claim.span} />
      </p>
      <dl class="facts">
        <dt>Wording</dt>
        <dd>
          <Word text={claim.pattern} /> <span class="soft">says that there was {KIND_WORDS[claim.kind]}</span>
        </dd>
        <dt>{reason === null ? "What backs it" : "What is missing"}</dt>
        <dd>
          {reason === null
            ? `Its quote ${matched_in === null ? "is the user's own" : matchedWords(matched_in)}.`
            : reasonSentence(reason)}
          {remarks.length === 0 ? null : ` ${remarks.join(" ")}`}
        </dd>
        {quote === null ? null : (
          <>
            <dt>Quote</dt>
            <dd>
              <blockquote>
                <Recorded text={shortened(quote, SHOWN_AFTER * 2)} block />
              </blockquote>
            </dd>
          </>
        )}
        {message === null ? null : (
          <>
            <dt>Message</dt>
            <dd>
              <blockquote>
                <Around text={message.text} quote={quote ?? ""} />
              </blockquote>
              <p class="soft">
                {message.sender_id === undefined || message.sender_id === "" ? null : (
                  <>
                    typed by <Word text={message.sender_id} /> ·{" "}
                  </>
                )}
                <Word text={message.id} />
              </p>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** A part of the text with the wording marked in it. */
function Passage({ text, start, end }: { text: string; start: number; end: number }) {
  const from = Math.max(0, start - SHOWN_BEFORE);
  const before = text.slice(from, start);
  const line = before.lastIndexOf("\n") + 1;
  const [behind = ""] = text.slice(end, end + SHOWN_AFTER + 1).split("\n", 1);
  return (
    <>
      {from > 0 && line === 0 ? "…" : null}
      <Recorded text={before.slice(line).toWellFormed()} block />
      <mark>
        <Recorded text={shortened(text.slice(start, end), SHOWN_AFTER)} block />
      </mark>
      <Recorded text={shortened(behind, SHOWN_AFTER)} block />
    </>
  );
}

/** A message, from somewhat before the quote where that stands in it as it is quoted. */
function Around({ text, quote }: { text: string; quote: string }) {
  const from = Math.max(0, text.indexOf(quote) - SHOWN_BEFORE);
  return (
    <>
      {from > 0 ? "…" : null}
      <Recorded text={shortened(text.slice(from).toWellFormed(), SHOWN_BEFORE * 4)} block />
    </>
  );
}
