/** The rows of a tool table, for people: what each tool can do, and what its arguments hold. */
import type { ToolOverride } from "../../policy/effects/index.ts";
import { Word } from "./code.tsx";

export function ToolRows({ rows }: { rows: readonly ToolOverride[] }) {
  return (
    <div class="card">
      <table class="things things-tall">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">What a call of it can do</th>
            <th scope="col">What its arguments hold</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <td>
                <ul class="bare">
                  {row.names.map((name) => (
                    <li>
                      <Word text={name} />
                    </li>
                  ))}
                </ul>
                {row.capability === null ? null : (
                  <p class="soft small">
                    called <Word text={row.capability} />
                  </p>
                )}
              </td>
              <td data-label="Can do">
                {row.risks.join(", ")}
                {row.reads_only_actions.length === 0 ? null : (
                  <p class="soft small">
                    only READ when its action is <Names names={row.reads_only_actions} last="or" />
                  </p>
                )}
              </td>
              <td data-label="Arguments">
                <Arguments row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Arguments = ToolOverride["arguments"];
/** What each kind of argument holds: read after its names, and beside the kind where rows are explained. */
export const HOLDS: Readonly<Record<Exclude<keyof Arguments, "paths">, string>> = {
  recipients: "who it is sent to",
  copies: "who gets a copy (cc)",
  blind_copies: "who gets a blind copy (bcc)",
  replies: "where replies go",
  attendees: "who is invited",
  members: "who gets access",
  channels: "which channel it goes to",
  payees: "who gets money",
  amounts: "how much money",
  currency: "in which currency",
  items: "which things it names",
  stored: "text that it keeps for later sessions",
  urls: "addresses that it reaches",
  command: "a command line, read as a shell's",
  code: "code, which is not seen into",
};
export const HOLDS_FILES: Readonly<Record<keyof NonNullable<Arguments["paths"]>, string>> = {
  deletes: "files that it deletes",
  writes: "files that it writes",
  edits: "files that it edits",
  creates: "files that it creates",
  reads: "files that it reads",
};

function Arguments({ row }: { row: ToolOverride }) {
  const { paths = {}, ...others } = row.arguments;
  const held = [
    ...Object.entries(HOLDS_FILES).map(
      ([kind, words]) => [words, paths[kind as keyof typeof paths]] as const,
    ),
    ...Object.entries(HOLDS).map(([kind, words]) => [words, others[kind as keyof typeof others]] as const),
  ].filter(([, names]) => names !== undefined && names.length > 0);
  if (held.length === 0) return <span class="soft">not said</span>;
  return (
    <ul class="bare">
      {held.map(([words, names = []]) => (
        <li>
          {words}: <Names names={names} />
        </li>
      ))}
    </ul>
  );
}

function Names({ names, last }: { names: readonly string[]; last?: string }) {
  return (
    <>
      {names.map((name, i) => (
        <>
          {i === 0 ? "" : last !== undefined && i === names.length - 1 ? ` ${last} ` : ", "}
          <Word text={name} />
        </>
      ))}
    </>
  );
}
