/** `/tools`: the tool table in force, and for admins the form that checks and saves another. */
import type { Context } from "hono";
import type { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import { BODY_LIMIT_BYTES } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { govern } from "../../http/governing.ts";
import { newRouter } from "../../http/router.ts";
import { tableInForce } from "../../http/tool-table.ts";
import { changesOf } from "../../policy/effects/index.ts";
import { orFormAgain, page, readForm, typedText, versionField } from "./access.tsx";
import { FormProblem } from "./form-problem.ts";
import { signedOutWith } from "./kept-text.tsx";
import { frameOf, sendPage } from "./layout.tsx";
import { readTypedTable } from "./table-text.ts";
import { type TableDraft, ToolsPage, type ToolsPageProps } from "./tools-page.tsx";

/** A table of the largest size, set out and in a form's encoding, takes half of it; so too long a text still comes back. */
const TABLE_FORM_BYTES = BODY_LIMIT_BYTES;

export const toolPages = newRouter();

toolPages.get("/tools", page({ operation: "viewToolTable" }), async (c) => {
  const props = await tableOf(c);
  const saved = props.version > 0 && c.req.query("saved") === String(props.version);
  return sendPage(c, <ToolsPage {...props} {...(saved ? { result: { kind: "saved" } } : {})} />);
});

toolPages.post(
  "/tools",
  page({ operation: "changeToolTable", role: "admin", act: "change the tool table", signedOut: keepText }),
  async (c) => {
    const draft = draftOf(await readForm(c, TABLE_FORM_BYTES));
    const props = await tableOf(c);
    const typed = readTypedTable(draft.text);
    if (!typed.ok) {
      const faulty = (
        <ToolsPage
          {...props}
          draft={draft}
          result={{ kind: "faulty", faults: typed.faults, saving: !draft.checking }}
        />
      );
      if (draft.checking) return sendPage(c, faulty);
      throw new FormProblem(typed.code, "The tool table has errors and was not saved.", faulty);
    }
    if (draft.checking) {
      const changes = changesOf(props.table, typed.table);
      return sendPage(c, <ToolsPage {...props} draft={draft} result={{ kind: "valid", changes }} />);
    }
    const caller = memberCaller(c);
    const changed = await orFormAgain(
      c,
      () =>
        govern(
          c,
          caller.organization,
          { kind: "change_tools", expected: draft.expected, table: typed.stored },
          caller.member,
        ),
      async (problem) => {
        if (problem.code !== "version-mismatch")
          return <ToolsPage {...props} draft={draft} result={{ kind: "failed", detail: problem.message }} />;
        const now = await tableOf(c);
        return (
          <ToolsPage
            {...now}
            draft={{ ...draft, expected: now.version }}
            result={{ kind: "conflict", read: draft.expected, current: now.version }}
          />
        );
      },
    );
    return c.redirect(`/tools?saved=${changed.version}`, 303);
  },
);

function draftOf(form: URLSearchParams): TableDraft & { readonly checking: boolean } {
  return {
    text: typedText(form, "text"),
    expected: versionField(form, "expected"),
    checking: form.get("do") !== "save",
  };
}

async function tableOf(c: Context<AppEnv>): Promise<ToolsPageProps> {
  const [frame, inForce] = await Promise.all([frameOf(c), tableInForce(c)]);
  return { frame, ...inForce, mayEdit: hasRole(memberCaller(c).role, "admin") };
}

/** The session ended while somebody wrote: their text comes back to them, and nothing else is shown. */
async function keepText(c: Context<AppEnv>): Promise<Problem> {
  return signedOutWith(draftOf(await readForm(c, TABLE_FORM_BYTES)).text);
}
