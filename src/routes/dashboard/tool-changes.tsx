/** What a tool table would change: how each tool is read now, and how it would be read then. */
import type { ToolChange, ToolReadAs } from "../../policy/effects/index.ts";
import { Word } from "./code.tsx";

/** Changes that are told one by one; a table of the largest size can make some thousands. */
const LISTED_CHANGES = 200;

export function ToolChanges({ changes }: { changes: readonly ToolChange[] }) {
  const n = changes.length;
  return (
    <div class="note" role="status" id="result">
      <p class="note-title">
        {n === 0
          ? "No errors, and nothing would be read otherwise"
          : `No errors. ${n === 1 ? "1 tool" : `${n} tools`} would be read otherwise`}
      </p>
      {n === 0 ? (
        <p>Every tool that the table names is read as it is now.</p>
      ) : (
        <>
          <p>Nothing is saved yet. A call with the arguments that the rows name is read so:</p>
          <table class="things things-tall things-inset">
            <thead>
              <tr>
                <th scope="col">Tool</th>
                <th scope="col">Now</th>
                <th scope="col">Then</th>
              </tr>
            </thead>
            <tbody>
              {changes.slice(0, LISTED_CHANGES).map((change) => (
                <tr>
                  <td>
                    <Word text={change.tool} />
                  </td>
                  <td data-label="Now">
                    <ReadAs read={change.before} tool={change.tool} />
                  </td>
                  <td data-label="Then">
                    <ReadAs read={change.after} tool={change.tool} />
                    <Difference {...change} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {n > LISTED_CHANGES ? <p class="soft">and {n - LISTED_CHANGES} more</p> : null}
        </>
      )}
    </div>
  );
}

const FROM: Readonly<Record<ToolReadAs["from"], string>> = {
  table: "from the table of known tools",
  inferred: "from its name and arguments",
  override: "from your row",
};

function ReadAs({ read, tool }: { read: ToolReadAs; tool: string }) {
  return (
    <>
      {read.risks.join(", ")}
      <p class="soft small">
        {FROM[read.from]}
        {read.canonical === tool ? null : (
          <>
            , called <Word text={read.canonical} />
          </>
        )}
      </p>
    </>
  );
}

/** What to look at first: a class that goes is a rule that no longer stops the tool. */
function Difference({ before, after }: ToolChange) {
  const gone = before.risks.filter((risk) => !after.risks.includes(risk));
  const fresh = after.risks.filter((risk) => !before.risks.includes(risk));
  const parts = [
    ...(gone.length > 0 ? [`no longer ${gone.join(", ")}`] : []),
    ...(fresh.length > 0 ? [`new: ${fresh.join(", ")}`] : []),
  ];
  return (
    <p class="small">
      <strong>{parts.length === 0 ? "the same classes, other particulars" : parts.join("; ")}</strong>
    </p>
  );
}
