/**
 * `/settings`: modes and what each engine is told; `/settings/compiler`: who reads the words; `/settings/purge`: private
 * text is removed. Viewers read, admins change.
 */
import type { Context } from "hono";
import { shownSettings } from "../../compiler/index.ts";
import { listAgents, listMemberNames, readOrganization } from "../../db/governance.ts";
import { type Fault, Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import { meansOf } from "../../http/approving.ts";
import {
  CompilerRequest,
  changeCompiler,
  compilerInForce,
  type ShownCompiler,
} from "../../http/compiler-settings.ts";
import { contentTag } from "../../http/content-tag.ts";
import type { AppEnv } from "../../http/context.ts";
import { faultsOf } from "../../http/faults.ts";
import { govern } from "../../http/governing.ts";
import { DEFAULT_HASH_LIMIT_BYTES } from "../../http/policy.ts";
import { purgeAsAsked, purgeStanding } from "../../http/purging.ts";
import { newRouter } from "../../http/router.ts";
import { OrganizationSettings } from "../organizations.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import {
  compilerDifferences,
  compilerDraft,
  compilerFaults,
  compilerRequest,
  typedCompiler,
} from "./compiler-values.ts";
import { FormProblem } from "./form-problem.ts";
import { frameOf, sendPage } from "./layout.tsx";
import type { PurgeDraft, PurgeResult } from "./purge-form.tsx";
import type { FormResult } from "./settings-fields.tsx";
import { SettingsPage, type SettingsPageProps } from "./settings-page.tsx";
import {
  differences,
  fieldFaults,
  fieldsOf,
  type Stored,
  settingsFrom,
  typedFields,
} from "./settings-values.ts";

/**
 * Two lists of 64 values with 64 characters each, a URL and a key of the largest size, nine characters to one in a form's
 * encoding, and as much again, so that too much comes back.
 */
const FORM_BYTES = 192 * 1024;
const ACT = "change the settings";
const MAX_DAYS = 36_500;

export const settingsPages = newRouter();

settingsPages.get("/settings", page({ operation: "viewSettings" }), async (c) => {
  const { props, version } = await settingsOf(c);
  return sendPage(c, <SettingsPage {...props} saved={c.req.query("saved") === String(version)} />);
});

settingsPages.post("/settings", page({ operation: "changeSettings", role: "admin", act: ACT }), async (c) => {
  const form = await readForm(c, FORM_BYTES);
  const { props, stored } = await settingsOf(c);
  const fields = typedFields(form);
  const again = (result: FormResult) => <SettingsPage {...props} fields={fields} result={result} />;
  if (form.get("expected") !== props.tag)
    throw changedMeanwhile(again({ kind: "conflict", differences: differences(fields, props.fields) }));
  const settings = OrganizationSettings.safeParse(settingsFrom(fields, stored));
  if (!settings.success) {
    const errors = faultsOf("json", settings.error);
    throw invalid(errors, again({ kind: "faulty", faults: fieldFaults(errors) }));
  }
  const caller = memberCaller(c);
  const changed = await orFormAgain(
    c,
    () => govern(c, caller.organization, { kind: "change_settings", settings: settings.data }, caller.member),
    (problem) => again({ kind: "failed", detail: problem.message }),
  );
  return c.redirect(`/settings?saved=${changed.policy_version}`, 303);
});

settingsPages.post(
  "/settings/compiler",
  page({ operation: "changeCompiler", role: "admin", act: ACT }),
  async (c) => {
    const form = await readForm(c, FORM_BYTES);
    const { props } = await settingsOf(c);
    const draft = typedCompiler(form);
    const key = (form.get("key") ?? "").trim();
    const again = (result: FormResult) => (
      <SettingsPage {...props} compiler={{ ...props.compiler, draft, result }} />
    );
    const faulty = (errors: readonly Fault[]) => again({ kind: "faulty", faults: compilerFaults(errors) });
    if (form.get("expected") !== props.compiler.tag)
      throw changedMeanwhile(
        again({ kind: "conflict", differences: compilerDifferences(draft, props.compiler.draft) }),
      );
    if (key !== "" && draft.remove_key) {
      const detail = "Either write a new key or remove the one that is kept.";
      const errors = [{ pointer: "/key", detail, code: "two-wills" }];
      throw invalid(errors, faulty(errors));
    }
    const request = CompilerRequest.safeParse(compilerRequest(draft, key));
    if (!request.success) {
      const errors = faultsOf("json", request.error);
      throw invalid(errors, faulty(errors));
    }
    await orFormAgain(
      c,
      () => changeCompiler(c, request.data),
      (problem) =>
        problem.details.errors === undefined
          ? again({ kind: "failed", detail: problem.message })
          : faulty(problem.details.errors),
    );
    const row = await readOrganization(c.env.DB, memberCaller(c).organization);
    return c.redirect(`/settings?saved=${row?.policy_version ?? 0}`, 303);
  },
);

settingsPages.post(
  "/settings/purge",
  page({ operation: "purge", role: "admin", act: "remove private text" }),
  async (c) => {
    const form = await readForm(c);
    const { props } = await settingsOf(c);
    const draft: PurgeDraft = {
      days: (form.get("older_than_days") ?? "").trim(),
      confirmed: form.get("confirm") === "yes",
    };
    const again = (result: PurgeResult) => (
      <SettingsPage {...props} purge={{ ...props.purge, draft, result }} />
    );
    const days = /^[0-9]{1,5}$/.test(draft.days) ? Number(draft.days) : -1;
    const isRest = form.get("rest") === "yes";
    const fault = isRest
      ? null
      : days < 0 || days > MAX_DAYS
        ? ({ field: "older_than_days", message: `Write a whole number from 0 to ${MAX_DAYS}.` } as const)
        : !draft.confirmed
          ? ({ field: "confirm", message: "Tick the box to say that you want this." } as const)
          : null;
    if (fault !== null)
      throw new FormProblem("invalid-request", fault.message, again({ kind: "faulty", ...fault }));
    const state = await orFormAgain(
      c,
      () => purgeAsAsked(c, isRest ? { kind: "rest" } : { kind: "older", days }),
      (problem) => again({ kind: "failed", detail: problem.message }),
    );
    const standing = await purgeStanding(c.env, memberCaller(c).organization, Date.now());
    // Not a redirect: how much was removed is said in this one answer.
    return sendPage(
      c,
      <SettingsPage {...props} purge={{ ...props.purge, standing, result: { kind: "purged", state } }} />,
    );
  },
);

function invalid(errors: readonly Fault[], again: FormProblem["page"]): FormProblem {
  return new FormProblem("invalid-request", "The settings have errors and were not saved.", again, {
    errors,
  });
}

function changedMeanwhile(again: FormProblem["page"]): FormProblem {
  return new FormProblem("version-mismatch", "The settings were changed in the meantime.", again);
}

/** Everything that the page says, the settings as they are kept, and the version of all that governs. */
async function settingsOf(
  c: Context<AppEnv>,
): Promise<{ props: SettingsPageProps; stored: Stored; version: number }> {
  const { organization, role } = memberCaller(c);
  const [frame, row, agents, inForce, standing, members, means] = await Promise.all([
    frameOf(c),
    readOrganization(c.env.DB, organization),
    listAgents(c.env.DB, organization),
    compilerInForce(c),
    purgeStanding(c.env, organization, Date.now()),
    listMemberNames(c.env.DB, organization),
    meansOf(c, organization),
  ]);
  if (row === null) throw new Problem("not-found", "There is no such organization.");
  const { compiler: _own, ...stored } = JSON.parse(row.settings) as Stored;
  const shown: ShownCompiler = shownSettings(inForce);
  return {
    stored,
    version: row.policy_version,
    props: {
      frame,
      fields: fieldsOf(stored),
      tag: contentTag(JSON.stringify(stored)),
      compiler: { inForce: shown, draft: compilerDraft(shown), tag: contentTag(JSON.stringify(shown)) },
      purge: { standing, members: new Map(members.map(({ member_id, name }) => [member_id, name])) },
      mayEdit: hasRole(role, "admin"),
      isOwner: hasRole(role, "owner"),
      means,
      defaultHashLimit: DEFAULT_HASH_LIMIT_BYTES,
      ownModes: agents.filter(({ settings }) => settings !== "{}"),
    },
  };
}
