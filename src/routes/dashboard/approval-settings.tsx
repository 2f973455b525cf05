/** The section of the settings about approvals: their time, what they demand, and when nobody is woken. */
import {
  DEFAULT_APPROVALS,
  MAX_PEOPLE,
  type Means,
  type Shortage,
  shortageOf,
} from "../../policy/approval/index.ts";
import { RISK_CLASSES, type RiskClass } from "../../policy/types.ts";
import { DEMANDS_ID, howId, peopleId } from "./approval-settings-values.ts";
import { approversWords, holdersWords } from "./approval-words.ts";
import { RISK_WORDS } from "./reading-words.ts";
import { Choice, type FormResult, faultsIn, SetField, TextField } from "./settings-fields.tsx";
import type { Fields } from "./settings-values.ts";

export interface ApprovalSettingsProps {
  readonly fields: Fields;
  readonly mayEdit: boolean;
  readonly means: Means;
  readonly result?: FormResult;
}

const SECOND_MS = 1_000;
const COLUMNS = { people: "People", how: "How" } as const;
const PEOPLE = [
  ["", "one"],
  ...Array.from({ length: MAX_PEOPLE - 1 }, (_, i) => [String(i + 2), String(i + 2)] as const),
] as const;
const HOW = [
  ["", "a link is enough"],
  ["signed_in", "signed in"],
  ["passkey", "with a passkey"],
] as const;

export function ApprovalSettings({ fields, mayEdit, means, result }: ApprovalSettingsProps) {
  const common = { mayEdit, faults: faultsIn(result) };
  const field = (id: string, label: string) => ({ ...common, id, label, value: fields[id] ?? "" });
  return (
    <section class="stack" aria-labelledby="approvals">
      <div class="stack-tight">
        <h2 id="approvals">Approvals</h2>
        <p class="soft short">
          What an agent may only do once a person has said yes is under <a href="/approvals">Approvals</a>.
        </p>
      </div>
      <div class="card pad choices">
        <TextField {...field("approvals-expires_after_seconds", "Time to answer, in seconds")} numeric>
          Then it expires, which means no. Empty: {DEFAULT_APPROVALS.expires_after / SECOND_MS}.
        </TextField>
        <TextField {...field("approvals-grant_lasts_seconds", "Time to run it, in seconds")} numeric>
          How long the agent may come for what was approved. Empty:{" "}
          {DEFAULT_APPROVALS.grant_lasts / SECOND_MS}.
        </TextField>
      </div>
      <Unmeetable fields={fields} means={means} />
      <div class="card" id={DEMANDS_ID}>
        <table class="things verdicts">
          <caption class="unheard">What it takes to approve an action, by what it can do</caption>
          <thead>
            <tr>
              <th scope="col">An action that…</th>
              <th scope="col">{COLUMNS.people}</th>
              <th scope="col">{COLUMNS.how}</th>
            </tr>
          </thead>
          <tbody>
            {RISK_CLASSES.map((risk) => (
              <tr>
                <th scope="row">
                  <code>{risk}</code> <span class="soft">{RISK_WORDS[risk]}</span>
                </th>
                <td data-label={COLUMNS.people}>
                  <Choice
                    {...field(peopleId(risk), `${risk}: people who have to approve`)}
                    bare
                    options={PEOPLE}
                  />
                </td>
                <td data-label={COLUMNS.how}>
                  <Choice {...field(howId(risk), `${risk}: how it is approved`)} bare options={HOW} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint short">
        An action that can do several of these takes the most that any of them takes. The first who denies
        decides alone.
      </p>
      <div class="card pad stack">
        <div class="stack-tight">
          <h3>Quiet hours</h3>
          <p class="soft short">Hours in which nobody is woken. Left empty, there are none.</p>
        </div>
        <div class="choices">
          <TextField {...field("approvals-quiet_hours-from", "From")}>
            As in <code>22:00</code>.
          </TextField>
          <TextField {...field("approvals-quiet_hours-to", "Until")}>
            As in <code>07:00</code>.
          </TextField>
          <TextField {...field("approvals-quiet_hours-time_zone", "Time zone")}>
            As in <code>Europe/Berlin</code>.
          </TextField>
          <Choice
            {...field("approvals-quiet_hours-asks", "What is asked then")}
            options={[
              ["", "not set (hold)"],
              ["hold", "hold: people hear of it when the hours end"],
              ["block", "block: nothing is asked, it is blocked"],
            ]}
          />
        </div>
        <SetField
          {...field("approvals-quiet_hours-except", "For these people are told at once all the same")}
          options={RISK_CLASSES.map((risk) => [risk, risk] as const)}
        />
      </div>
    </section>
  );
}

/**
 * Demands that nobody can meet are saved all the same: members and passkeys may be added after. What they come to is
 * said.
 */
function Unmeetable({ fields, means }: Pick<ApprovalSettingsProps, "fields" | "means">) {
  const lacking = (lacks: Shortage["lacks"]) =>
    RISK_CLASSES.filter((risk) => {
      const people = Number(fields[peopleId(risk)] || "1");
      const demand = { people, signed_in: false, passkey: fields[howId(risk)] === "passkey" };
      return shortageOf(demand, means)?.lacks === lacks;
    });
  const [people, passkeys] = [lacking("people"), lacking("passkeys")];
  return (
    <>
      {people.length === 0 ? null : (
        <div class="note note-strong">
          <p class="note-title">{approversWords(means.approvers)}: some of these demands cannot be met</p>
          <p>
            Nobody can get an action approved that takes more people than that. Demand fewer, or{" "}
            <a href="/members">let more members approve</a>. It concerns <Classes of={people} />.
          </p>
        </div>
      )}
      {passkeys.length === 0 ? null : (
        <div class="note note-strong">
          <p class="note-title">{holdersWords(means.with_passkey)}: some of these demands cannot be met</p>
          <p>
            Nobody can get an action approved that takes more passkeys than that. Each approver adds one under{" "}
            <a href="/passkeys">Passkeys</a>. It concerns <Classes of={passkeys} />.
          </p>
        </div>
      )}
    </>
  );
}

function Classes({ of }: { of: readonly RiskClass[] }) {
  return (
    <>
      {of.map((risk, i) => (
        <>
          {i === 0 ? "" : ", "}
          <code>{risk}</code>
        </>
      ))}
    </>
  );
}
