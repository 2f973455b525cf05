/** The tool table as a page: what is in force, and the form by which an admin changes it. */
import type { StoredToolTable } from "../../http/tool-table.ts";
import type { ToolChange, ToolTable } from "../../policy/effects/index.ts";
import { RISK_CLASSES } from "../../policy/types.ts";
import { type Frame, Page } from "./layout.tsx";
import { RISK_WORDS } from "./reading-words.ts";
import { Recorded } from "./recorded.tsx";
import { setOut } from "./table-text.ts";
import { type TextFault, TextFaults } from "./text-faults.tsx";
import { ToolChanges } from "./tool-changes.tsx";
import { HOLDS, HOLDS_FILES, ToolRows } from "./tool-rows.tsx";

/** What an admin has typed, and which version they read before. */
export interface TableDraft {
  readonly text: string;
  readonly expected: number;
}

/** What became of the last thing that was asked. */
export type TableResult =
  | { readonly kind: "saved" }
  | { readonly kind: "valid"; readonly changes: readonly ToolChange[] }
  | { readonly kind: "faulty"; readonly faults: readonly TextFault[]; readonly saving: boolean }
  | { readonly kind: "conflict"; readonly read: number; readonly current: number }
  | { readonly kind: "failed"; readonly detail: string };

export interface ToolsPageProps {
  readonly frame: Frame;
  /** 0 before the first. */
  readonly version: number;
  readonly stored: StoredToolTable;
  readonly table: ToolTable;
  readonly mayEdit: boolean;
  readonly draft?: TableDraft;
  readonly result?: TableResult;
}

export function ToolsPage(props: ToolsPageProps) {
  const { frame, version, table, stored, mayEdit, result } = props;
  return (
    <Page title="Tools" frame={frame} place="/tools">
      <div class="stack-wide">
        <div class="head">
          <div class="stack-tight">
            <h1>Tools</h1>
            <p class="lead">
              What a tool does is read from its name and its arguments. A row here says it of a tool that
              nothing here knows, or that you know better.
            </p>
          </div>
          <a class="button" href="/tools/reading">
            How a call is read
          </a>
        </div>
        {isNews(result) ? <Result {...props} /> : null}
        <section class="stack" aria-labelledby="in-force">
          <div class="stack-tight">
            <h2 id="in-force">{version === 0 ? "No table of your own" : "In force"}</h2>
            {version === 0 ? null : (
              <p class="soft">
                Version {version}, {table.tools.length} {table.tools.length === 1 ? "row" : "rows"}.
              </p>
            )}
          </div>
          {table.tools.length === 0 ? (
            <p class="soft">Every tool is read by the table of known tools, or by its name and arguments.</p>
          ) : (
            <>
              <ToolRows rows={table.tools} />
              <details class="tell">
                <summary>The same as JSON</summary>
                <pre>
                  <Recorded text={setOut(stored)} block />
                </pre>
              </details>
            </>
          )}
        </section>
        {mayEdit ? (
          <TableForm {...props} />
        ) : (
          <p class="soft">Only an admin or an owner can change the table.</p>
        )}
      </div>
    </Page>
  );
}

/** True for what is about the table in force and so stands above it; the rest is about the text and stands by the form. */
function isNews(result: TableResult | undefined): boolean {
  return result?.kind === "saved" || result?.kind === "conflict";
}

function Result({ result, draft, version }: ToolsPageProps) {
  if (result === undefined) return null;
  switch (result.kind) {
    case "saved":
      return (
        <div class="note note-strong" role="status" id="result">
          <p class="note-title">Saved. Version {version} is in force.</p>
          <p>It holds from the next call on, in every session.</p>
        </div>
      );
    case "valid":
      return <ToolChanges changes={result.changes} />;
    case "faulty":
      return (
        <TextFaults
          faults={result.faults}
          lines={(draft?.text ?? "").split("\n")}
          consequence={result.saving ? "Nothing was saved, and what was in force still is." : ""}
        />
      );
    case "conflict":
      return (
        <div class="note note-strong" role="alert" id="result">
          <p class="note-title">Somebody else saved in the meantime. Your text was not saved.</p>
          <p>
            You began from {result.read <= 0 ? "no table" : `version ${result.read}`}; version{" "}
            {result.current} is in force now. Read it below, take into your text what should stay, and save
            again: your text then takes the place of version {result.current}.
          </p>
        </div>
      );
    case "failed":
      return (
        <div class="note note-strong" role="alert" id="result">
          <p class="note-title">Nothing was saved</p>
          <p>{result.detail} Your text is below.</p>
        </div>
      );
  }
}

const EXAMPLE = `{
  "tools": [
    {
      "name": "mcp__crm__upsert_contact",
      "risks": ["EXTERNAL_WRITE"],
      "capability": "crm.write",
      "arguments": { "items": ["contact_id"] }
    },
    {
      "names": ["mcp__bank__transfer", "mcp__bank__standing_order"],
      "risks": ["FINANCIAL"],
      "arguments": { "payees": ["iban"], "amounts": ["amount"], "currency": ["currency"] },
      "reads_only_actions": ["preview"]
    },
    {
      "name": "sync_folder",
      "risks": ["WRITE", "DELETE", "NETWORK"],
      "arguments": { "paths": { "writes": ["target"], "deletes": ["target"] } }
    }
  ]
}`;

function TableForm(props: ToolsPageProps) {
  const { version, stored, draft, result } = props;
  const text = draft?.text ?? setOut(stored);
  const expected = draft?.expected ?? version;
  const faulty = result?.kind === "faulty";
  return (
    <section class="stack" aria-labelledby="change">
      <h2 id="change">{version === 0 ? "Write it" : "Change it"}</h2>
      {isNews(result) ? null : <Result {...props} />}
      <details class="tell">
        <summary>How a row is written</summary>
        <div class="stack">
          <p class="soft">
            A row has a <code>name</code> or several <code>names</code>, and <code>risks</code>: what a call
            can do. <code>arguments</code> says which of its arguments hold what, by their names, wherever
            they stand. With an <code>action</code> of <code>reads_only_actions</code> it only reads. A row
            over a tool that is known here only adds to what is known.
          </p>
          <pre>{EXAMPLE}</pre>
          <h3>Risks</h3>
          <dl class="facts">
            {RISK_CLASSES.filter((risk) => risk !== "GOVERNANCE").map((risk) => (
              <>
                <dt>
                  <code>{risk}</code>
                </dt>
                <dd>{RISK_WORDS[risk]}</dd>
              </>
            ))}
          </dl>
          <h3>Arguments</h3>
          <dl class="facts">
            {Object.entries(HOLDS_FILES).map(([kind, words]) => (
              <>
                <dt>
                  <code>paths.{kind}</code>
                </dt>
                <dd>{words}</dd>
              </>
            ))}
            {Object.entries(HOLDS).map(([kind, words]) => (
              <>
                <dt>
                  <code>{kind}</code>
                </dt>
                <dd>{words}</dd>
              </>
            ))}
          </dl>
        </div>
      </details>
      <form class="stack" method="post" action="/tools#result">
        <input type="hidden" name="expected" value={String(expected)} />
        <div class="field">
          <label for="text">The table, as JSON</label>
          <textarea
            id="text"
            name="text"
            rows={Math.min(32, Math.max(10, text.split("\n").length + 2))}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            {...(faulty ? { "aria-invalid": "true", "aria-describedby": "result" } : {})}
          >
            {/* A reader of HTML drops the first line feed, so that one is put there to be dropped. */}
            {`\n${text}`}
          </textarea>
        </div>
        <div class="row">
          <button class="button" type="submit" name="do" value="check">
            Check
          </button>
          <button class="button button-main" type="submit" name="do" value="save">
            Save version {version + 1}
          </button>
        </div>
        <p class="hint">
          Checking changes nothing, and shows what would be read otherwise. A saved version holds at once.
        </p>
      </form>
    </section>
  );
}
