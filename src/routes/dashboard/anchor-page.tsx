/** One timestamp: what is established by it and what is not, its proof, and the header of its block. */
import type { ShownAnchor } from "../../http/anchors.ts";
import { failureWords, stateWords, typedMoment } from "./anchor-words.ts";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, When } from "./recorded.tsx";

export interface AnchorPageProps {
  readonly frame: Frame;
  readonly anchor: ShownAnchor;
  /** The time of publishing that was asked about, instead of the one that was said first. */
  readonly asked: number | undefined;
  readonly done?: keyof typeof DONE;
  readonly typed?: { readonly height: string; readonly header: string };
  readonly refused?: string;
}

const DONE = {
  made: ["It is on the ledger", "What the calendars say of it is shown below as it comes."],
  known: ["This is here already", "The same bytes stand under this name already, with their first time."],
  header: ["The header is taken", "It was checked by its own hash, and leads to what was stamped."],
} as const;

export function AnchorPage(props: AnchorPageProps) {
  const { frame, anchor, done, refused, asked } = props;
  const { block, published_at: published } = anchor;
  return (
    <Page title={anchor.reference} frame={frame} place="/settings">
      <a class="crumb" href="/anchors">
        ← Timestamps
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1 class="wrap">
            <Recorded text={anchor.reference} />
          </h1>
          <p class="lead">{stateWords(anchor)}</p>
        </div>
        {done === undefined || refused !== undefined ? null : (
          <div class="note note-strong" role="status" id="result">
            <p class="note-title">{DONE[done][0]}</p>
            <p>{DONE[done][1]}</p>
          </div>
        )}
        {refused === undefined ? null : (
          <div class="note note-strong" role="alert" id="result">
            <p class="note-title">Nothing was changed</p>
            <p>{refused}</p>
          </div>
        )}
        <section class="card pad stack" aria-labelledby="shown">
          <h2 id="shown">What is established</h2>
          <dl class="facts">
            <dt>Integrity</dt>
            <dd>
              <strong>{anchor.integrity}</strong>: that the bytes are the stamped ones
            </dd>
            <dt>Priority</dt>
            <dd>
              <strong>{anchor.priority}</strong>: that they were there before they were published
            </dd>
            <dt>Block</dt>
            <dd>
              {block === null ? (
                "none yet"
              ) : (
                <>
                  {block.height}, of <When at={block.time} />
                  <br />
                  <code>{block.hash}</code>
                </>
              )}
            </dd>
            <dt>Published</dt>
            <dd>
              {published === null ? "not said" : <When at={published} />}
              {asked === undefined ? null : " (as you ask now; nothing was changed)"}
            </dd>
          </dl>
          <ul class="plain">
            <li>{anchor.covers}</li>
            {anchor.not_proven.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
          <Published anchor={anchor} />
        </section>
        <Proof anchor={anchor} />
        <Header {...props} />
      </div>
    </Page>
  );
}

function Published({ anchor: { anchor, published_at: at } }: { anchor: ShownAnchor }) {
  return (
    <form class="form-line" method="get" action={`/anchors/${anchor}#shown`}>
      <div class="field">
        <label for="published">Hold it against another time of publishing, in UTC</label>
        <input
          id="published"
          type="text"
          name="published"
          autocomplete="off"
          maxlength={30}
          value={at === null ? "" : typedMoment(at)}
          aria-describedby="published-hint"
        />
        <p id="published-hint" class="hint">
          As 2026-01-31 14:00.
        </p>
      </div>
      <button class="button" type="submit">
        Compare
      </button>
    </form>
  );
}

function Proof({ anchor }: { anchor: ShownAnchor }) {
  const { attestations, last_failure: failure, next_at: next } = anchor;
  return (
    <section class="card pad stack" aria-labelledby="proof">
      <h2 id="proof">The proof</h2>
      <dl class="facts">
        <dt>SHA-256</dt>
        <dd>
          <code>{anchor.digest}</code>
        </dd>
        <dt>Taken down</dt>
        <dd>
          <When at={anchor.created_at} />, entry {anchor.ledger_seq} of the organization's ledger
        </dd>
        {attestations.map(({ kind, calendar, height, state }) => (
          <>
            <dt>{kind === "pending" ? "Calendar" : `Block (${kind})`}</dt>
            <dd>
              {kind === "pending" ? (
                <Recorded text={calendar ?? ""} />
              ) : (
                `${height ?? ""} ${STATES[state] ?? ""}`
              )}
            </dd>
          </>
        ))}
        {failure === null ? null : (
          <>
            <dt>Last try</dt>
            <dd>{failureWords(failure)}</dd>
          </>
        )}
        <dt>Next try</dt>
        <dd>{next === null ? "none: nothing more comes of itself" : <When at={next} />}</dd>
      </dl>
      {anchor.state === "unsubmitted" ? (
        <p class="soft">There is no proof yet: no calendar has taken the digest.</p>
      ) : (
        <div class="stack-tight">
          <p>
            <a class="button button-main" href={`/anchors/${anchor.anchor}/proof.ots`}>
              Save the proof (.ots)
            </a>
          </p>
          <p class="soft">
            Keep it beside your file, under the file's name with <code>.ots</code> behind it.{" "}
            <a href="/verify">Check a file</a> reads the two together, and so does every OpenTimestamps
            client.
          </p>
        </div>
      )}
    </section>
  );
}

const STATES: Readonly<Record<string, string>> = {
  confirmed: "confirmed by its header",
  "header-missing": "header not here",
  "header-refused": "header refused",
  refuted: "another block: this does not lead there",
  "not-checked": "not checked here",
  "too-early": "too early: shows nothing",
};

function Header({ anchor, typed }: AnchorPageProps) {
  const missing = anchor.attestations.find(({ state }) => state === "header-missing");
  if (anchor.block !== null || missing === undefined) return null;
  return (
    <section class="card pad stack" aria-labelledby="header-title">
      <div class="stack-tight">
        <h2 id="header-title">Bring the block's header</h2>
        <p class="soft">
          80 bytes, from any Bitcoin node or block explorer. It is checked by its own hash, and nobody has to
          be trusted for it.
        </p>
      </div>
      <form class="stack form" method="post" action={`/anchors/${anchor.anchor}/headers#result`}>
        <div class="field">
          <label for="height">Height</label>
          <input
            id="height"
            type="text"
            name="height"
            inputmode="numeric"
            autocomplete="off"
            value={typed?.height ?? String(missing.height ?? "")}
            required
          />
        </div>
        <div class="field">
          <label for="header">Header, 160 hex digits</label>
          <textarea id="header" name="header" rows={3} spellcheck={false} required>
            {`\n${typed?.header ?? ""}`}
          </textarea>
        </div>
        <p>
          <button class="button button-main" type="submit">
            Check it
          </button>
        </p>
      </form>
    </section>
  );
}
