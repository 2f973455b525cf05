/** `/oath`: the oath in force and its history; for owners the form that checks and swears. `?agent=` for an agent's own. */
import type { Context } from "hono";
import {
  listMemberNames,
  listOathVersions,
  readAgent,
  readOath,
  readOrganization,
} from "../../db/governance.ts";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import { privateText } from "../../http/commitment.ts";
import type { AppEnv } from "../../http/context.ts";
import { govern } from "../../http/governing.ts";
import { newRouter } from "../../http/router.ts";
import { type ModeSettings, resolveModes } from "../../policy/modes.ts";
import { MAX_OATH_BYTES, parseOath } from "../../policy/oath/index.ts";
import { orFormAgain, page, readForm, typedText, versionField } from "./access.tsx";
import { FormProblem } from "./form-problem.ts";
import { signedOutWith } from "./kept-text.tsx";
import { frameOf, sendPage } from "./layout.tsx";
import { type OathDraft, OathPage, type OathPageProps, oathUrl } from "./oath-page.tsx";

/** An oath of the largest size in a form's encoding, three characters a byte, and as much again so that too long a text comes back. */
const OATH_FORM_BYTES = MAX_OATH_BYTES * 6;
const LISTED_VERSIONS = 50;

export const oathPages = newRouter();

oathPages.get("/oath", page({ operation: "viewOath" }), async (c) => {
  const asked = c.req.query("version");
  const version = asked === undefined ? undefined : /^[1-9][0-9]{0,8}$/.test(asked) ? Number(asked) : 0;
  const { props, inForce } = await oathOf(c, c.req.query("agent") || null, version);
  const sworn = inForce !== null && version === undefined && c.req.query("sworn") === String(inForce.version);
  return sendPage(c, <OathPage {...props} {...(sworn ? { result: { kind: "sworn" } } : {})} />);
});

oathPages.post(
  "/oath",
  page({ operation: "swearOath", role: "owner", act: "swear an oath", signedOut: keepText }),
  async (c) => {
    const form = await readForm(c, OATH_FORM_BYTES);
    const draft = draftOf(form);
    const { props, inForce } = await oathOf(c, draft.agent);
    const parsed = parseOath(draft.text);
    const faulty = (
      <OathPage
        {...props}
        draft={draft}
        result={{
          kind: "faulty",
          diagnostics: parsed.ok ? [] : parsed.diagnostics,
          swearing: !draft.checking,
        }}
      />
    );
    if (draft.checking) {
      if (!parsed.ok) return sendPage(c, faulty);
      return sendPage(
        c,
        <OathPage {...props} draft={draft} result={{ kind: "valid", lines: parsed.oath.lines }} />,
      );
    }
    if (!parsed.ok) throw new FormProblem("invalid-oath", "The oath has errors and was not sworn.", faulty);
    const { lines } = parsed.oath;
    // Nothing typed is a slip more often than a will, and it would let everything pass.
    if (lines.length === 0 && (inForce?.version ?? 0) > 0 && form.get("empty") !== "yes")
      return sendPage(c, <OathPage {...props} draft={draft} result={{ kind: "empty" }} />);
    const caller = memberCaller(c);
    const changed = await orFormAgain(
      c,
      () =>
        govern(
          c,
          caller.organization,
          {
            kind: "swear",
            oath: draft.agent ?? "organization",
            expected: draft.expected,
            text: draft.text,
            private: privateText({ text: draft.text }),
          },
          caller.member,
        ),
      async (problem) => {
        if (problem.code !== "version-mismatch")
          return <OathPage {...props} draft={draft} result={{ kind: "failed", detail: problem.message }} />;
        const now = await oathOf(c, draft.agent);
        const expected = now.inForce?.version ?? 0;
        return (
          <OathPage
            {...now.props}
            draft={{ ...draft, expected }}
            result={{ kind: "conflict", read: draft.expected, current: expected }}
          />
        );
      },
    );
    return c.redirect(oathUrl(draft.agent, { sworn: String(changed.version) }), 303);
  },
);

function draftOf(form: URLSearchParams): OathDraft & { readonly checking: boolean } {
  return {
    agent: form.get("agent") || null,
    text: typedText(form, "text"),
    expected: versionField(form, "expected"),
    checking: form.get("do") !== "swear",
  };
}

/** Everything that the page says of one oath. 404 for an agent or a version that this organization does not have. */
async function oathOf(
  c: Context<AppEnv>,
  agent: string | null,
  version?: number,
): Promise<{ props: OathPageProps; inForce: Awaited<ReturnType<typeof readOath>> }> {
  const caller = memberCaller(c);
  const { organization } = caller;
  const which = agent ?? "organization";
  const [frame, row, names, history, inForce, settings] = await Promise.all([
    frameOf(c),
    agent === null ? null : readAgent(c.env.DB, organization, agent),
    listMemberNames(c.env.DB, organization),
    listOathVersions(c.env.DB, organization, which, LISTED_VERSIONS),
    readOath(c.env.DB, organization, which),
    readOrganization(c.env.DB, organization),
  ]);
  if (agent !== null && row === null) throw new Problem("not-found", "There is no such agent.");
  const shown = version === undefined ? inForce : await readOath(c.env.DB, organization, which, version);
  if (version !== undefined && shown === null) throw new Problem("not-found", "There is no such version.");
  const modes = resolveModes(settingsOf(settings?.settings), settingsOf(row?.settings));
  return {
    inForce,
    props: {
      frame,
      agent: row === null ? null : { id: row.agent_id, name: row.name },
      inForce,
      shown,
      history,
      names: new Map(names.map(({ member_id, name }) => [member_id, name])),
      mode: modes.oath,
      mayEdit: hasRole(caller.role, "owner"),
    },
  };
}

function settingsOf(text: string | undefined): ModeSettings {
  return text === undefined ? {} : (JSON.parse(text) as ModeSettings);
}

/** The session ended while the owner wrote: their text comes back to them, and nothing else is shown. */
async function keepText(c: Context<AppEnv>): Promise<Problem> {
  return signedOutWith(draftOf(await readForm(c, OATH_FORM_BYTES)).text);
}
