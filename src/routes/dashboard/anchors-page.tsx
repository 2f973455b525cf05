/** What was stamped, the form that has a digest stamped, and the calendars that it is sent to. */
import type { ShownAnchor } from "../../http/anchors.ts";
import { INTEGRITY_ONLY, TIMESTAMP_NOT_PROVEN, TIMESTAMP_PENDING } from "../../ledger/index.ts";
import { failureWords, stateWords } from "./anchor-words.ts";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, visible, When } from "./recorded.tsx";

export interface CalendarsDraft {
  /** One a line. */
  readonly calendars: string;
  readonly headers: string;
  readonly checkpoints: boolean;
}

export interface AnchorsPageProps {
  readonly frame: Frame;
  readonly anchors: readonly ShownAnchor[];
  readonly isFirst: boolean;
  /** Cursor of the older ones; `null` when there are none. */
  readonly next: string | null;
  readonly calendars: {
    readonly draft: CalendarsDraft;
    /** Of the settings that the form was made of. */
    readonly tag: string;
    readonly refused?: string;
  };
  readonly mayEdit: boolean;
  readonly saved?: boolean;
  readonly typed?: { readonly reference: string; readonly digest: string; readonly published: string };
  /** Why nothing was stamped. */
  readonly refused?: string;
}

export function AnchorsPage(props: AnchorsPageProps) {
  const { frame, calendars, mayEdit } = props;
  return (
    <Page title="Timestamps" frame={frame} place="/settings" scripts={["/assets/digest.js"]}>
      <a class="crumb" href="/settings">
        ← Settings
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Timestamps</h1>
          <p class="lead">
            Have the hash of a file put into a Bitcoin block, by OpenTimestamps. The proof is a file of your
            own: whoever has it and the bytes can check it without us.
          </p>
        </div>
        {calendars.draft.calendars === "" ? <NoCalendar mayEdit={mayEdit} /> : null}
        {mayEdit ? <Stamp {...props} /> : null}
        <Stamped {...props} />
        {mayEdit ? <Calendars {...props} /> : null}
        <section class="stack" aria-labelledby="not-shown">
          <h2 id="not-shown">What a timestamp shows, and does not</h2>
          <dl class="facts">
            <dt>While there is no block</dt>
            <dd>{TIMESTAMP_PENDING}</dd>
            <dt>By a block that is no earlier than the publishing</dt>
            <dd>{INTEGRITY_ONLY}</dd>
            <dt>By any block</dt>
            <dd class="stack-tight">
              {TIMESTAMP_NOT_PROVEN.map((sentence) => (
                <p>{sentence}</p>
              ))}
            </dd>
          </dl>
        </section>
      </div>
    </Page>
  );
}

function NoCalendar({ mayEdit }: { mayEdit: boolean }) {
  return (
    <div class="note note-strong">
      <p class="note-title">No calendar is set</p>
      <p>
        Nothing is sent anywhere, and nothing gets into a block: what is stamped waits here.{" "}
        {mayEdit ? <a href="#calendars">Set one below.</a> : "An admin sets one on this page."}
      </p>
    </div>
  );
}

function Stamp({ typed, refused }: AnchorsPageProps) {
  const faulty = refused === undefined ? {} : { "aria-describedby": "result" };
  return (
    <section class="card pad stack" aria-labelledby="stamp">
      <h2 id="stamp">Stamp a file</h2>
      {refused === undefined ? null : (
        <div class="note note-strong" role="alert" id="result">
          <p class="note-title">Nothing was stamped</p>
          <p>{refused}</p>
        </div>
      )}
      <form class="stack form" method="post" action="/anchors#stamp">
        <div class="field" id="file-field" hidden>
          <label for="file">File</label>
          <input id="file" type="file" aria-describedby="file-hint file-said" />
          <p id="file-hint" class="hint">
            It is hashed in your browser. Only its SHA-256 is sent, and nothing else of it is kept.
          </p>
          <p id="file-said" class="hint" role="status" />
        </div>
        <div class="field">
          <label for="digest">SHA-256 of the exact bytes</label>
          <input
            id="digest"
            type="text"
            name="digest"
            value={typed?.digest ?? ""}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxlength={80}
            required
            {...faulty}
          />
          <p class="hint">
            64 hex digits. <code>sha256sum FILE</code> prints them.
          </p>
        </div>
        <div class="field">
          <label for="reference">What you call it</label>
          <input
            id="reference"
            type="text"
            name="reference"
            value={typed?.reference ?? ""}
            autocomplete="off"
            maxlength={200}
            required
            aria-describedby="reference-hint"
          />
          <p id="reference-hint" class="hint">
            One name is one content, for good. It stands on the organization's ledger.
          </p>
        </div>
        <div class="field">
          <label for="published">Published on, in UTC (if it was, or will be)</label>
          <input
            id="published"
            type="text"
            name="published"
            value={typed?.published ?? ""}
            autocomplete="off"
            maxlength={30}
            aria-describedby="published-hint"
          />
          <p id="published-hint" class="hint">
            As 2026-01-31 14:00. The block's time is held against it.
          </p>
        </div>
        <p>
          <button class="button button-main" type="submit">
            Stamp it
          </button>
        </p>
      </form>
    </section>
  );
}

function Stamped({ anchors, isFirst, next }: AnchorsPageProps) {
  return (
    <section class="stack" aria-labelledby="stamped">
      <h2 id="stamped">{isFirst ? "What was stamped" : "Older ones"}</h2>
      {anchors.length === 0 ? (
        <p class="card pad soft">{isFirst ? "Nothing yet." : "There are no more."}</p>
      ) : (
        <div class="card">
          <table class="things things-tall">
            <caption class="unheard">What was stamped, the latest first</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">State</th>
                <th scope="col">Taken down</th>
                <th scope="col">Published</th>
                <th scope="col" class="end">
                  <span class="unheard">Proof</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {anchors.map((anchor) => (
                <Row anchor={anchor} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next === null ? null : (
        <p>
          <a class="button" href={`/anchors?before=${next}#stamped`}>
            Older ones
          </a>
        </p>
      )}
    </section>
  );
}

function Row({ anchor }: { anchor: ShownAnchor }) {
  const { anchor: id, reference, created_at: at, published_at: published, last_failure: failure } = anchor;
  return (
    <tr>
      <td class="wrap">
        <a href={`/anchors/${id}`}>
          <Recorded text={reference} />
        </a>
      </td>
      <td data-label="State" class="wrap">
        {stateWords(anchor)}
        {failure === null || anchor.block !== null ? null : (
          <p class="small soft">Last try: {failureWords(failure)}</p>
        )}
      </td>
      <td data-label="Taken down" class="soft">
        <When at={at} />
      </td>
      <td data-label="Published" class="soft">
        {published === null ? "not said" : <When at={published} />}
      </td>
      <td class="end">
        {anchor.state === "unsubmitted" ? (
          <span class="soft">no proof yet</span>
        ) : (
          <a class="button button-quiet" href={`/anchors/${id}/proof.ots`}>
            Save<span class="unheard"> the proof of {visible(reference)}</span>
          </a>
        )}
      </td>
    </tr>
  );
}

function Calendars({ calendars: { draft, tag, refused }, saved = false }: AnchorsPageProps) {
  return (
    <section class="card pad stack" aria-labelledby="calendars">
      <div class="stack-tight">
        <h2 id="calendars">Calendars</h2>
        <p class="soft">
          They collect hashes and have them put into a block. They are told a hash with random bytes in it,
          and nothing else.
        </p>
      </div>
      {saved && refused === undefined ? (
        <div class="note note-strong" role="status">
          <p class="note-title">Saved</p>
          <p>The clock sends what waits within minutes.</p>
        </div>
      ) : null}
      {refused === undefined ? null : (
        <div class="note note-strong" role="alert" id="calendars-result">
          <p class="note-title">Nothing was changed</p>
          <p>{refused}</p>
        </div>
      )}
      <form class="stack form" method="post" action="/anchors/settings#calendars">
        <input type="hidden" name="expected" value={tag} />
        <div class="field">
          <label for="calendar-list">Addresses, one a line, six at most</label>
          <textarea
            id="calendar-list"
            name="calendars"
            rows={3}
            spellcheck={false}
            aria-describedby={refused === undefined ? "calendar-hint" : "calendars-result calendar-hint"}
          >
            {`\n${draft.calendars}`}
          </textarea>
          <p id="calendar-hint" class="hint">
            For example <code>https://a.pool.opentimestamps.org</code>. With none, nothing is sent.
          </p>
        </div>
        <div class="field">
          <label for="headers">Where block headers are asked for (may be empty)</label>
          <input
            id="headers"
            type="text"
            name="headers"
            value={draft.headers}
            autocomplete="off"
            spellcheck={false}
            aria-describedby="headers-hint"
          />
          <p id="headers-hint" class="hint">
            The base address of an Esplora-like API. Its answers are checked. With none, somebody brings the
            header by hand.
          </p>
        </div>
        <label class="check">
          <input type="checkbox" name="checkpoints" value="yes" checked={draft.checkpoints} />
          <span>Stamp every checkpoint of the record, too.</span>
        </label>
        <p>
          <button class="button button-main" type="submit">
            Save
          </button>
        </p>
      </form>
    </section>
  );
}
