/** The record: what was signed, by which keys, and what was found to be wrong. */
import type { AlertRow } from "../../db/alerts.ts";
import type { CheckpointRow } from "../../db/checkpoints.ts";
import type { SigningKeyRow } from "../../db/signing-keys.ts";
import { FINDINGS, type Finding, type FindingCode } from "../../http/alerts.ts";
import type { DriftReport } from "../../http/drift.ts";
import type { Restored } from "../../http/restoring.ts";
import { CHECKPOINT_NOT_PROVEN } from "../../ledger/index.ts";
import { type Frame, Page } from "./layout.tsx";
import { Recorded, When } from "./recorded.tsx";

export interface RecordPageProps {
  readonly frame: Frame;
  readonly checkpoints: readonly CheckpointRow[];
  readonly keys: readonly SigningKeyRow[];
  readonly alerts: readonly AlertRow[];
  /** Where a stranger reads the public keys. */
  readonly keysAddress: string;
  readonly isAdmin: boolean;
  readonly isOwner: boolean;
  readonly now: number;
  readonly done?: keyof typeof DONE;
  readonly compared?: DriftReport & { readonly since: number };
  readonly restored?: Restored & { readonly next_cursor: string | null };
  /** Why nothing was done. */
  readonly refused?: string;
}

const DONE = {
  sealed: ["A checkpoint was made", "It covers everything that had reached the database."],
  unmoved: ["Nothing has moved", "The last checkpoint covers everything that had reached the database."],
  rotated: ["A new key signs from now on", "Tell those who check your record."],
  seen: ["Noted", "That you have seen them is on the organization's ledger."],
} as const;

/** Digits of a root that are shown: enough to tell two apart. */
const ROOT_DIGITS = 16;

export function RecordPage(props: RecordPageProps) {
  const { frame, done, compared, restored, refused, alerts } = props;
  return (
    <Page title="The record" frame={frame} place="/settings">
      <a class="crumb" href="/settings">
        ← Settings
      </a>
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>The record</h1>
          <p class="lead">
            Everything that is decided here stands in ledgers. Checkpoints are signed over all of them, so
            that somebody else can check that nothing was cut off or rewritten since.
          </p>
        </div>
        {refused === undefined ? null : (
          <div class="note note-strong" role="alert" id="result">
            <p class="note-title">It was not done</p>
            <p>{refused}</p>
          </div>
        )}
        {done === undefined ? null : (
          <div class="note note-strong" role="status" id="result">
            <p class="note-title">{DONE[done][0]}</p>
            <p>{DONE[done][1]}</p>
          </div>
        )}
        {compared === undefined ? null : <Compared report={compared} />}
        {restored === undefined ? null : <PutBack restored={restored} />}
        {alerts.length === 0 ? null : <Alerts {...props} />}
        <Checkpoints {...props} />
        <Keys {...props} />
        <section class="stack" aria-labelledby="not-shown">
          <h2 id="not-shown">What a checkpoint does not show</h2>
          <ul class="plain">
            {CHECKPOINT_NOT_PROVEN.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}

function Compared({ report }: { report: DriftReport & { readonly since: number } }) {
  const { findings, done, chains, entries, checkpoints, since } = report;
  return (
    <div class="note note-strong" role={findings.length === 0 ? "status" : "alert"} id="result">
      <p class="note-title">{findings.length === 0 ? "Nothing has drifted" : "Something is wrong"}</p>
      <p>
        {counted(chains, "chain")} with {counted(entries, "entry", "entries")} and{" "}
        {counted(checkpoints, "checkpoint")} were looked at.
        {done ? null : " There was no time for the rest."}
      </p>
      {findings.length === 0 ? null : <p>Each finding is an alert below.</p>}
      {done ? null : (
        <form method="post" action="/record/check#result">
          <input type="hidden" name="since" value={String(since)} />
          <button class="button" type="submit">
            Go on with the rest
          </button>
        </form>
      )}
    </div>
  );
}

function PutBack({ restored }: { restored: Restored & { readonly next_cursor: string | null } }) {
  const { rows, checkpoints, entries, lost, next_cursor: cursor } = restored;
  return (
    <div class="note note-strong" role="status" id="result">
      <p class="note-title">{cursor === null ? "Put back" : "Some of it is put back"}</p>
      <p>
        {counted(rows, "row")} and {counted(checkpoints, "checkpoint")} are as they were on record.{" "}
        {counted(entries, "entry", "entries")} of ledgers will be in the database again within a minute.
        {lost === 0 ? null : ` ${counted(lost, "thing")} could not be put back: nobody holds it any more.`}
      </p>
      {cursor === null ? (
        <p>Compare with the ledgers then: what is still wrong is told again.</p>
      ) : (
        <form method="post" action="/record/restore#result">
          <input type="hidden" name="cursor" value={cursor} />
          <button class="button" type="submit">
            Go on with the rest
          </button>
        </form>
      )}
    </div>
  );
}

function Alerts({ alerts, isAdmin }: RecordPageProps) {
  const newest = Math.max(...alerts.map(({ seq }) => seq));
  return (
    <section class="stack" aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      <div class="card">
        <table class="things things-tall">
          <thead>
            <tr>
              <th scope="col">What was found</th>
              <th scope="col">Where</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {alerts.map(({ body, at }) => {
              const finding = JSON.parse(body) as Finding;
              return (
                <tr>
                  <td>
                    <strong class="bad">{FINDINGS[finding.code as FindingCode] ?? finding.code}</strong>
                    <p class="soft">
                      <code>{finding.code}</code>
                    </p>
                  </td>
                  <td data-label="Where" class="wrap">
                    <Where finding={finding} />
                  </td>
                  <td data-label="When" class="soft">
                    <When at={at} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="soft short">
        Keep what you have of the database before anything is repaired. The ledgers themselves, and every
        checkpoint that somebody has, say what stood there.
      </p>
      {isAdmin ? (
        <form method="post" action="/record/alerts">
          <input type="hidden" name="through" value={String(newest)} />
          <button class="button" type="submit">
            I have seen these
          </button>
        </form>
      ) : null}
    </section>
  );
}

/** Of which chain, and which of its entries; in the log, which leaf or checkpoint. */
function Where({ finding }: { finding: Finding }) {
  const { place, chain, seq, through = seq, column, table, id } = finding;
  const PLACES = { database: "Database", ledger: "Ledger", log: "Log of heads" } as const;
  if (table !== undefined && id !== undefined)
    return (
      <>
        {PLACES[place]}, table <code>{table}</code>
        {id === "" ? null : (
          <>
            ,{" "}
            <code>
              <Recorded text={id} />
            </code>
          </>
        )}
        {column == null ? null : (
          <>
            , column <code>{column}</code>
          </>
        )}
      </>
    );
  const number = through > seq ? `numbers ${seq} to ${through}` : `number ${seq}`;
  return (
    <>
      {PLACES[place]}
      {chain === null ? ", " : null}
      {chain === null ? null : (
        <>
          ,{" "}
          <code>
            <Recorded text={chain} />
          </code>
          ,{" "}
        </>
      )}
      {number}
      {column == null ? null : (
        <>
          , column <code>{column}</code>
        </>
      )}
    </>
  );
}

function Checkpoints({ checkpoints, isAdmin, isOwner }: RecordPageProps) {
  return (
    <section class="stack" aria-labelledby="checkpoints">
      <div class="stack-tight">
        <h2 id="checkpoints">Checkpoints</h2>
        <p class="soft short">
          Made by the clock whenever something has happened. Give one to somebody you do not share this server
          with: whoever has it can tell if the record is changed later.
        </p>
      </div>
      {checkpoints.length === 0 ? (
        <p class="card pad soft">There is none yet.</p>
      ) : (
        <div class="card">
          <table class="things">
            <thead>
              <tr>
                <th scope="col">Number</th>
                <th scope="col">Made</th>
                <th scope="col">Leaves</th>
                <th scope="col">Root</th>
                <th scope="col" class="end">
                  <span class="unheard">File</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {checkpoints.map(({ number, at, tree_size, root }) => (
                <tr>
                  <td>
                    <strong>{number}</strong>
                  </td>
                  <td data-label="Made" class="soft">
                    <When at={at} />
                  </td>
                  <td data-label="Leaves">{tree_size}</td>
                  <td data-label="Root">
                    <code>{root.slice(0, ROOT_DIGITS)}…</code>
                  </td>
                  <td class="end">
                    <a class="button button-quiet" href={`/record/checkpoint?number=${number}`}>
                      Save<span class="unheard"> checkpoint {number}</span>
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {checkpoints.length === 0 ? null : (
        <div class="stack-tight">
          <p>
            <a class="button" href="/record/checkpoints.json">
              Save them all in one file
            </a>
          </p>
          <p class="soft short">
            With it, somebody else can check every ledger on <a href="/verify">Check a file</a>: a session's
            is saved from its page, the{" "}
            <a href="/v1/ledger" download="ledger.ndjson">
              organization's own
            </a>{" "}
            here. Checkpoints can be put into Bitcoin blocks, too: see <a href="/anchors">Timestamps</a>.
          </p>
        </div>
      )}
      {isAdmin ? (
        <div class="row">
          <form method="post" action="/record/checkpoints">
            <button class="button button-main" type="submit">
              Make one now
            </button>
          </form>
          <form method="post" action="/record/check#result">
            <button class="button" type="submit">
              Compare with the ledgers
            </button>
          </form>
        </div>
      ) : null}
      {isOwner ? (
        <details class="tuck">
          <summary class="button">Put back what was lost…</summary>
          <form class="tuck-body card danger pad stack short" method="post" action="/record/restore#result">
            <p>
              After the database was set back to an earlier day, or somebody wrote to it. What governs and
              what was asked becomes what is on record, rows that nobody put on record go, the log becomes
              what was signed, and missing entries are delivered once more.
            </p>
            <p>
              Texts that only the database had do not come back. What was done to it is seen in it no more
              afterwards: keep a copy first.
            </p>
            <p>
              <button class="button button-main" type="submit">
                Put it back
              </button>
            </p>
          </form>
        </details>
      ) : null}
    </section>
  );
}

function Keys({ keys, keysAddress, isOwner, now }: RecordPageProps) {
  return (
    <section class="stack" aria-labelledby="keys">
      <div class="stack-tight">
        <h2 id="keys">Keys that sign them</h2>
        <p class="soft short">
          Anybody can read them, without signing in, at{" "}
          <a class="wrap" href={keysAddress}>
            {keysAddress}
          </a>
        </p>
      </div>
      {keys.length === 0 ? (
        <p class="card pad soft">The first one is made with the first checkpoint.</p>
      ) : (
        <div class="card">
          <table class="things things-tall">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Since</th>
                <th scope="col">Until</th>
              </tr>
            </thead>
            <tbody>
              {keys.toReversed().map(({ vkey, valid_from, valid_until }) => (
                <tr>
                  <td class="wrap">
                    <code>{vkey}</code>
                  </td>
                  <td data-label="Since" class="soft">
                    <When at={valid_from} />
                  </td>
                  <td data-label="Until" class="soft">
                    {valid_until === null ? (
                      "signs"
                    ) : (
                      <>
                        <When at={valid_until} />
                        {valid_until > now ? <p>signs until then</p> : null}
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isOwner && keys.length > 0 ? (
        <details class="tuck">
          <summary class="button">Make a new key…</summary>
          <form class="tuck-body card danger pad stack short" method="post" action="/record/keys">
            <p>
              The new key signs from now on. The old one signs beside it for a week, so that everybody who
              checks your record has time to take the new one.
            </p>
            <label class="check">
              <input type="checkbox" name="leaked" value="yes" />
              <span>The old one may have leaked: it signs nothing more from now on.</span>
            </label>
            <p>
              <button class="button button-main" type="submit">
                Make a new key
              </button>
            </p>
          </form>
        </details>
      ) : null}
    </section>
  );
}

function counted(n: number, one: string, more = `${one}s`): string {
  return `${n} ${n === 1 ? one : more}`;
}
