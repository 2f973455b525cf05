/** Removing private text: what goes, what stays, and the form that asks twice. */
import type { Purged } from "../../db/purged.ts";
import type { PurgeState } from "../../http/purging.ts";
import { When } from "./recorded.tsx";
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
  /** Since when private text is kept, in epoch milliseconds; 0 where nothing was purged yet. */
  readonly purgedBefore: number;
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

export function PurgeForm({ purgedBefore, draft, result }: PurgeFormProps) {
  const faults = result?.kind === "faulty" ? [{ id: result.field, label: "", message: result.message }] : [];
  return (
    <section class="stack" aria-labelledby="purge">
      <div class="stack-tight">
        <h2 id="purge">Remove private text</h2>
        <p class="soft short">
          It goes for good, in the whole organization: nobody can bring it back.
          {purgedBefore === 0 ? null : (
            <>
              {" "}
              What is older than <When at={purgedBefore} /> was removed already.
            </>
          )}
        </p>
      </div>
      {result === undefined ? null : <Result result={result} />}
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
      {done ? null : (
        <form method="post" action="/settings/purge#purge">
          <input type="hidden" name="rest" value="yes" />
          <button class="button" type="submit">
            Go on
          </button>
        </form>
      )}
    </div>
  );
}
