/** The settings as a page: how the engines count, what each of them is told, who reads the words, and what is kept. */
import { hasRole } from "../../http/access.ts";
import type { Means } from "../../policy/approval/index.ts";
import {
  DEFAULT_CONFIGURATION,
  JUDGED_CLASSES,
  type JudgedClass,
  TASK_KINDS,
} from "../../policy/fence/index.ts";
import { MODED_ENGINES, MODES, resolveModes } from "../../policy/modes.ts";
import { DEFAULT_RETENTION_DAYS, SCOPES, SEARCHES } from "../../policy/provenance/index.ts";
import { ApprovalSettings } from "./approval-settings.tsx";
import { CompilerForm, type CompilerFormProps } from "./compiler-form.tsx";
import { SCOPE_WORDS, SEARCH_WORDS } from "./evidence-words.ts";
import { type Frame, Page } from "./layout.tsx";
import { engineName, MODE_WORDS } from "./policy-words.ts";
import { PurgeForm, type PurgeFormProps } from "./purge-form.tsx";
import { RISK_WORDS } from "./reading-words.ts";
import { Recorded } from "./recorded.tsx";
import {
  Check,
  Choice,
  type FormResult,
  faultsIn,
  ListField,
  Refused,
  TextField,
} from "./settings-fields.tsx";
import { type Fields, mapId } from "./settings-values.ts";

export interface SettingsPageProps {
  readonly frame: Frame;
  readonly fields: Fields;
  /** Names what is in force, so that a form made from something older is not saved over it. */
  readonly tag: string;
  readonly result?: FormResult;
  readonly compiler: CompilerFormProps;
  readonly purge: PurgeFormProps;
  readonly mayEdit: boolean;
  readonly isOwner: boolean;
  readonly means: Means;
  /** Files up to this size are hashed where nothing is set. */
  readonly defaultHashLimit: number;
  /** Agents with modes of their own, which win over these. */
  readonly ownModes: readonly { readonly agent_id: string; readonly name: string }[];
  readonly saved?: boolean;
}

export function SettingsPage(props: SettingsPageProps) {
  const { frame, compiler, purge, mayEdit, saved = false } = props;
  return (
    <Page title="Settings" frame={frame} place="/settings">
      <div class="stack-wide">
        <div class="stack-tight">
          <h1>Settings</h1>
          <p class="lead">
            How the answers of the engines count in this organization. What stands here holds for every agent
            without settings of its own.
          </p>
          <ul class="jumps">
            <li>
              <a href="/passkeys">Your passkeys</a>
            </li>
            {hasRole(frame.member.role, "approver") ? (
              <li>
                <a href="/channels">Channels, by which people hear of asks</a>
              </li>
            ) : null}
            <li>
              <a href="/record">The record: checkpoints, and the keys that sign them</a>
            </li>
            <li>
              <a href="/anchors">Timestamps: what was stamped, and the calendars for it</a>
            </li>
          </ul>
        </div>
        {saved ? (
          <div class="note note-strong" role="status" id="result">
            <p class="note-title">Saved</p>
            <p>It holds from the next call on, in every session.</p>
          </div>
        ) : null}
        {mayEdit ? null : <p class="soft">Only an admin or an owner can change them.</p>}
        <SettingsForm {...props} />
        <CompilerForm {...compiler} mayEdit={mayEdit} />
        {mayEdit ? <PurgeForm {...purge} /> : null}
      </div>
    </Page>
  );
}

function SettingsForm(props: SettingsPageProps) {
  const { tag, result, mayEdit } = props;
  const parts = (
    <>
      <Modes {...props} />
      <Fence {...props} />
      <Provenance {...props} />
      <ApprovalSettings {...props} />
      <Retention {...props} />
      <Hashing {...props} />
    </>
  );
  if (!mayEdit) return <div class="stack-wide">{parts}</div>;
  return (
    <form class="stack-wide" method="post" action="/settings#result">
      <input type="hidden" name="expected" value={tag} />
      {result === undefined ? null : <Refused result={result} />}
      {parts}
      <p>
        <button class="button button-main" type="submit">
          Save the settings
        </button>
      </p>
    </form>
  );
}

function Modes({ fields, mayEdit, isOwner, ownModes, result }: SettingsPageProps) {
  const common = { mayEdit, faults: faultsIn(result) };
  const unset = resolveModes({ guard_mode: fields["guard_mode"] }, {});
  return (
    <section class="stack" aria-labelledby="modes">
      <div class="stack-tight">
        <h2 id="modes">Engines</h2>
        <p class="soft short">
          What Countersign itself protects, its own state, keys and passwords, is always held and has no mode.
        </p>
      </div>
      <div class="card pad stack">
        <div class="choices">
          {MODED_ENGINES.map((engine) => {
            const id = `engines-${engine}`;
            const value = fields[id] ?? "";
            // What an admin cannot set they keep: the value goes along as it is.
            if (value === "off" && !isOwner && mayEdit)
              return (
                <div class="stack-tight">
                  <p>
                    <strong>{engineName(engine)}</strong> is off
                  </p>
                  <p class="hint">Only an owner can switch it on again.</p>
                  <input type="hidden" name={id} value="off" />
                </div>
              );
            const modes = MODES.filter((mode) => mode !== "off" || isOwner || !mayEdit);
            return (
              <Choice
                {...common}
                id={id}
                label={engineName(engine)}
                value={value}
                options={[
                  ["", `not set (${unset[engine]})`],
                  ...modes.map((mode) => [mode, MODE_WORDS[mode]] as const).toReversed(),
                ]}
              />
            );
          })}
          <Choice
            {...common}
            id="guard_mode"
            label="All engines"
            value={fields["guard_mode"] ?? ""}
            options={[
              ["", "not set"],
              ["act", "act: they enforce"],
              ["observe", "observe: they record, and let pass"],
            ]}
          >
            Counts for an engine that is not set by itself. As <code>guard_mode</code> in the API.
          </Choice>
        </div>
        {isOwner || !mayEdit ? null : <p class="hint">Only an owner can switch an engine off.</p>}
        {ownModes.length === 0 ? null : (
          <p class="hint">
            An agent's own settings win over these. {ownModes.length === 1 ? "One has" : "These have"} some:{" "}
            {ownModes.map(({ agent_id, name }, i) => (
              <>
                {i === 0 ? "" : ", "}
                <a href={`/agents/${encodeURIComponent(agent_id)}`}>
                  <Recorded text={name} />
                </a>
              </>
            ))}
            .
          </p>
        )}
      </div>
    </section>
  );
}

function Fence({ fields, mayEdit, result }: SettingsPageProps) {
  const common = { mayEdit, faults: faultsIn(result) };
  const { unauthorized, loop_limit } = DEFAULT_CONFIGURATION;
  const verdicts = (risk: JudgedClass) => (risk === "UNKNOWN" ? ["ask", "block"] : ["allow", "ask", "block"]);
  const columns = { reading: "A task that only reads", acting: "A task that acts" } as const;
  return (
    <section class="stack" aria-labelledby="fence">
      <div class="stack-tight">
        <h2 id="fence">What nobody asked for</h2>
        <p class="soft short">
          How the fence answers an effect that the person's words do not ask for, in a task that only asks to
          read and in one that asks for effects. What they forbid is blocked whatever stands here.
        </p>
      </div>
      <div class="card">
        <table class="things verdicts">
          <thead>
            <tr>
              <th scope="col">Effect</th>
              {TASK_KINDS.map((kind) => (
                <th scope="col">{columns[kind]}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {JUDGED_CLASSES.map((risk) => (
              <tr>
                <th scope="row">
                  <code>{risk}</code> <span class="soft">{RISK_WORDS[risk]}</span>
                </th>
                {TASK_KINDS.map((kind) => (
                  <td data-label={columns[kind]}>
                    <Choice
                      {...common}
                      bare
                      id={mapId(kind, risk)}
                      label={`${risk}, ${columns[kind].toLowerCase()}`}
                      value={fields[mapId(kind, risk)] ?? ""}
                      options={[
                        ["", `not set (${unauthorized[kind][risk]})`],
                        ...verdicts(risk).map((verdict) => [verdict, verdict] as const),
                      ]}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="card pad stack">
        <Check
          id="fence-strict"
          label="Strict: where nobody can answer, an ask is a block"
          checked={fields["fence-strict"] === "yes"}
          mayEdit={mayEdit}
        />
        <div class="short">
          <TextField
            {...common}
            id="fence-loop_limit"
            label="Loop limit"
            value={fields["fence-loop_limit"] ?? ""}
            numeric
          >
            The same call this often within one turn is asked about; 0 for never. Empty: {loop_limit}.
          </TextField>
        </div>
      </div>
    </section>
  );
}

function Provenance({ fields, mayEdit, result }: SettingsPageProps) {
  const field = (id: string, label: string) => ({
    id,
    label,
    value: fields[id] ?? "",
    mayEdit,
    faults: faultsIn(result),
  });
  return (
    <section class="stack" aria-labelledby="provenance">
      <div class="stack-tight">
        <h2 id="provenance">What memories may claim</h2>
        <p class="soft short">
          A write to a memory or a skill that says the user decided something needs a quote of what the user
          typed. What it found is under <a href="/evidence">Evidence</a>.
        </p>
      </div>
      <div class="card pad stack">
        <div class="choices">
          <Choice
            {...field("provenance-search", "Where quotes may come from")}
            options={[
              ["", "not set (session)"],
              ...SEARCHES.map((search) => [search, SEARCH_WORDS[search]] as const),
            ]}
          />
          <Choice
            {...field("provenance-scope", "What has to be backed")}
            options={[
              ["", "not set (decisions)"],
              ...SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]] as const),
            ]}
          />
          <TextField {...field("provenance-retention_days", "Days that words count")} numeric>
            What was typed longer ago backs nothing. Empty: {DEFAULT_RETENTION_DAYS}.
          </TextField>
        </div>
        <div class="choices">
          <ListField {...field("provenance-names", "Names that stand for the user")}>
            One a line, e.g. <code>Dana</code>; beside <code>user</code>, <code>owner</code>, 用户, 主人 and
            老板.
          </ListField>
          <ListField {...field("provenance-files", "Files that agents read at every start")}>
            One a line: a name, the end of a path, or a folder with <code>/</code> at its end; beside{" "}
            <code>CLAUDE.md</code>, <code>AGENTS.md</code>, <code>MEMORY.md</code> and the like.
          </ListField>
        </div>
      </div>
    </section>
  );
}

function Retention({ fields, mayEdit, result }: SettingsPageProps) {
  const field = (id: string, label: string) => ({
    id,
    label,
    value: fields[id] ?? "",
    mayEdit,
    faults: faultsIn(result),
  });
  return (
    <section class="stack" aria-labelledby="retention">
      <div class="stack-tight">
        <h2 id="retention">What goes by itself</h2>
        <p class="soft short">
          The ledger stays, and every chain verifies as before. Each time something goes, that is on the
          organization's ledger.
        </p>
      </div>
      <div class="card pad">
        <div class="choices">
          <TextField {...field("retention-private_days", "Days that private text is kept")} numeric>
            What users typed, arguments, paths, quotes. Empty: until somebody removes it.
          </TextField>
          <TextField {...field("retention-ended_sessions_days", "Days that idle sessions are kept")} numeric>
            After so long without a call or a turn nothing more can happen in one; what it recorded stays to
            be read. Empty: for good.
          </TextField>
        </div>
      </div>
    </section>
  );
}

function Hashing({ fields, mayEdit, result, defaultHashLimit }: SettingsPageProps) {
  return (
    <section class="stack" aria-labelledby="hashing">
      <h2 id="hashing">Fingerprints</h2>
      <div class="card pad">
        <div class="short">
          <TextField
            mayEdit={mayEdit}
            faults={faultsIn(result)}
            id="hash_limit_bytes"
            label="Hash limit, in bytes"
            value={fields["hash_limit_bytes"] ?? ""}
            numeric
          >
            Clients hash sworn files up to this size, and know larger ones by size and time. Empty:{" "}
            {defaultHashLimit}.
          </TextField>
        </div>
      </div>
    </section>
  );
}
