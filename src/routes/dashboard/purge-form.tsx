/** Removing private text: what goes, what stays, and the form that asks twice. */
import type { Purged } from "../../db/purged.ts";
import { type PurgeStanding, type PurgeState, STEPS } from "../../http/purging.ts";
import { Recorded, When } from "./recorded.tsx";
import { described } from "./settings-fields.tsx";

export interface PurgeDraft {
  readonly days: string;
  readonly confirmed: boolean;
}

export type PurgeResult =
  | { readonly kind: "purged"; readonly state: PurgeState }
  | { readonly kind: "faulty"; readonly field: "older_than_days" | "confirm"; readonly message: string }
  | { readonly kind: "failed"; readonly detail: string };

export interface PurgeFormProps {
  readonly standing: PurgeStanding;
  /** Names of members, by their ids. */
  readonly members: ReadonlyMap<string, string>;
  readonly draft?: PurgeDraft;
  readonly result?: PurgeResult;
}

const REMOVED: Readonly<Record<Purged, readonly [one: string, more: string]>> = {
  said: ["message that a user typed", "messages that users typed"],
  evidence: ["claim with its evidence", "claims with their evidence"],
  skill_writes: ["write to a skill", "writes to skills"],
  approvals: ["approval's action digest", "approvals' action digests"],
  records: ["ledger entry's private text", "ledger entries' private texts"],
};

/** What a purge is at, as it is told. */
const DOING: Readonly<Record<(typeof STEPS)[number], string>> = {
  said: "what users typed",
  evidence: "claims and their evidence",
  skill_writes: "the histories of skills",
  approvals: "what approvals were about",
  records: "the private texts of ledger entries",
  said_search: "the index of what users typed, which is written anew",
  evidence_search: "the index of evidence, which is written anew",
  sessions: "what the sessions keep themselves",
  agents: "fingerprints of files",
};

export function PurgeForm({ standing, members, draft, result }: PurgeFormProps) {
  const faults = result?.kind === "faulty" ? [{ id: result.field, label: "", message: result.message }] : [];
  return (
    <section class="stack" aria-labelledby="purge">
      <div class="stack-tight">
        <h2 id="purge">Remove private text</h2>
        <p class="soft short">
          It goes for good, in the whole organization: nobody can bring it back.
          {standing.state !== "done" ? null : (
            <>
              {" "}
              What is older than <When at={standing.before} /> was removed already.
              <Asked standing={standing} members={members} />
            </>
          )}
        </p>
      </div>
      {result === undefined ? null : <Result result={result} />}
      {result?.kind === "purged" ? null : <Standing standing={standing} members={members} />}
      <form class="card danger pad stack" method="post" action="/settings/purge#purge">
        <div class="choices">
          <div class="stack-tight">
            <h3>What goes</h3>
            <ul class="plain">
              <li>what users typed, and the names of who typed it</li>
              <li>claims, quotes and their evidence; the histories of skills</li>
              <li>the arguments of calls, and the texts and paths in the ledger's private part</li>
              <li>what sessions that are idle since keep: their task policy, backups and where they run</li>
            </ul>
          </div>
          <div class="stack-tight">
            <h3>What stays</h3>
            <ul class="plain">
              <li>the ledger: every verdict, rule, time and hash. Every chain verifies as before</li>
              <li>oaths, settings, agents, members, the tool table</li>
              <li>
                what is still in use: approvals that wait, and a task policy that newer words are part of
              </li>
            </ul>
          </div>
        </div>
        <div class="field short">
          <label for="older_than_days">Older than, in days</label>
          <input
            id="older_than_days"
            type="text"
            name="older_than_days"
            value={draft?.days ?? "30"}
            inputmode="numeric"
            autocomplete="off"
            {...described("older_than_days", faults, true)}
          />
          <p id="older_than_days-hint" class="hint">
            0 removes everything up to now. Then no quote of what was typed before can back a claim any more.
          </p>
        </div>
        <label class="check" for="confirm">
          <input
            id="confirm"
            type="checkbox"
            name="confirm"
            value="yes"
            checked={draft?.confirmed ?? false}
            {...described("confirm", faults, false)}
          />
          <span>I want this removed for good. The purge itself goes on the organization's ledger.</span>
        </label>
        <p>
          <button class="button button-main" type="submit">
            Remove it for good
          </button>
        </p>
      </form>
    </section>
  );
}

/** Whose wish it was, and when it came on record. */
function Asked({ standing: { begun }, members }: Pick<PurgeFormProps, "standing" | "members">) {
  if (begun === null) return null;
  return (
    <>
      {" "}
      {begun.by === null ? (
        "The retention settings asked for it"
      ) : (
        <>
          <Recorded text={members.get(begun.by) ?? begun.by} /> asked for it
        </>
      )}
      , <When at={begun.at} />.
    </>
  );
}

/** How far a purge has got that is not done: what it is at, since when, and what to do if it gets no further. */
function Standing({ standing, members }: Pick<PurgeFormProps, "standing" | "members">) {
  const { state, before, at } = standing;
  if (state === "none" || state === "done") return null;
  return (
    <div class="note note-strong" role={state === "stuck" ? "alert" : "status"} id="standing">
      <p class="note-title">{state === "stuck" ? "A purge gets no further" : "A purge is under way"}</p>
      <p>
        What is older than <When at={before} /> is being removed; lists, searches and exports leave it out
        already.
        <Asked standing={standing} members={members} />
      </p>
      <p>
        {at === null ? (
          "Nothing is removed yet."
        ) : (
          <>
            Step {STEPS.indexOf(at.step) + 1} of {STEPS.length}: {DOING[at.step]}. It got there{" "}
            <When at={at.since} />.
          </>
        )}{" "}
        {state === "stuck" ? (
          <>
            It should go on by itself every minute. See whether the deployment's cron trigger runs, and what
            its log says of <code>retention-failed</code>; or go on with it here.
          </>
        ) : (
          "It goes on by itself, every minute."
        )}
      </p>
      <GoOn />
    </div>
  );
}

function GoOn() {
  return (
    <form method="post" action="/settings/purge#purge">
      <input type="hidden" name="rest" value="yes" />
      <button class="button" type="submit">
        Go on
      </button>
    </form>
  );
}

function Result({ result }: { result: PurgeResult }) {
  if (result.kind === "faulty")
    return (
      <div class="note note-strong" role="alert" id="result">
        <p class="note-title">Nothing was removed</p>
        <p>
          <a href={`#${result.field}`}>{result.field === "confirm" ? "Confirmation" : "Older than"}</a>:{" "}
          {result.message}
        </p>
      </div>
    );
  if (result.kind === "failed")
    return (
      <div class="note note-strong" role="alert" id="result">
        <p class="note-title">It may not have been removed whole</p>
        <p>{result.detail} Send it once more in a while: what was begun goes on.</p>
      </div>
    );
  const { before, removed, done } = result.state;
  const counts = Object.entries(REMOVED).flatMap(([what, [one, more]]) => {
    const n = removed[what as Purged];
    return n === 0 ? [] : [`${n.toLocaleString("en-GB")} ${n === 1 ? one : more}`];
  });
  return (
    <div class="note note-strong" role="status" id="result">
      <p class="note-title">
        {!done
          ? "Not all of it is removed yet"
          : counts.length === 0
            ? "There was nothing to remove"
            : "Removed"}
      </p>
      <p>
        {counts.length === 0 ? (done ? "Nothing is left" : "Nothing was removed so far") : counts.join(", ")}{" "}
        from before <When at={before} />.
      </p>
      {done ? null : <GoOn />}
    </div>
  );
}
