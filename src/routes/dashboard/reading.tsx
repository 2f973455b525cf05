/** `/tools/reading`: how a call is read, typed or out of the record. A dry run: nothing of it is kept. */

import type { Context } from "hono";
import * as z from "zod";
import { listRecords, type RecordRow, readRecord } from "../../db/records.ts";
import { Problem } from "../../errors.ts";
import { memberCaller } from "../../http/access.ts";
import { BODY_LIMIT_BYTES } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { ENVIRONMENT, readEnvironment } from "../../http/environment.ts";
import { policyOf } from "../../http/policy.ts";
import { explain, selfOf, unreadableArguments } from "../../http/reading.ts";
import { newRouter } from "../../http/router.ts";
import { ToolName } from "../../http/schemas.ts";
import { type Doubt, readStrictJson } from "../../http/strict-json.ts";
import { page, readForm, typedText } from "./access.tsx";
import { decisionUrl } from "./addresses.ts";
import { decisionView } from "./decision-view.ts";
import { FormProblem } from "./form-problem.ts";
import { signedOutWith } from "./kept-text.tsx";
import { frameOf, sendPage } from "./layout.tsx";
import { type CallDraft, type CallField, ReadingPage, type ReadingPageProps } from "./reading-page.tsx";
import { jsonFault } from "./table-text.ts";

/** More than a person types or pastes; what is larger comes out of the record, by its place there. */
const CALL_FORM_BYTES = BODY_LIMIT_BYTES;

const EMPTY: CallDraft = {
  tool: "terminal",
  form: "command",
  text: "",
  home: "",
  cwd: "",
  os: "linux",
  variables: "",
};

export const readingPages = newRouter();

readingPages.get("/tools/reading", page({ operation: "viewReading" }), async (c) =>
  sendPage(c, <ReadingPage frame={await frameOf(c)} draft={EMPTY} />),
);

readingPages.post(
  "/tools/reading",
  page({ operation: "explainEffects", dryRun: true, signedOut: keepText }),
  async (c) => {
    const form = await readForm(c, CALL_FORM_BYTES);
    const decision = form.get("decision");
    const [frame, asked] = await Promise.all([
      frameOf(c),
      decision === null ? { draft: draftOf(form) } : recordedCall(c, new URLSearchParams(decision)),
    ]);
    const props: ReadingPageProps = { frame, ...asked };
    const call = readTyped(asked.draft);
    if (!call.ok)
      throw new FormProblem(call.code, call.detail, <ReadingPage {...props} result={call.result} />);
    const { tables } = await policyOf(c.env.DB, memberCaller(c));
    const { environment, args, doubts } = call;
    const reading = explain(
      { tool: asked.draft.tool, args, unreadable: unreadableArguments(args, doubts, "") },
      { environment, self: selfOf(c) },
      tables,
    );
    return sendPage(c, <ReadingPage {...props} result={{ kind: "read", reading }} />);
  },
);

function draftOf(form: URLSearchParams): CallDraft {
  const field = (name: string): string => (form.get(name) ?? "").trim();
  return {
    tool: field("tool"),
    form: form.get("form") === "json" ? "json" : "command",
    text: typedText(form, "text"),
    home: field("home"),
    cwd: field("cwd"),
    os: field("os"),
    variables: typedText(form, "variables"),
  };
}

const EnvironmentShape = z.object(ENVIRONMENT);

type Typed =
  | {
      readonly ok: true;
      readonly args: unknown;
      readonly doubts: readonly Doubt[];
      readonly environment: ReturnType<typeof readEnvironment>["environment"];
    }
  | {
      readonly ok: false;
      readonly code: "invalid-request" | "malformed-json" | "json-too-deep";
      readonly detail: string;
      readonly result: NonNullable<ReadingPageProps["result"]>;
    };

/** The call that was typed. What two readers could read differently is left to the reading, as in a decision. */
function readTyped(draft: CallDraft): Typed {
  const faults: { field: CallField; message: string }[] = [];
  if (!ToolName.safeParse(draft.tool).success)
    faults.push({ field: "tool", message: "Write the tool's name, at most 256 characters." });
  const variables = variablesOf(draft.variables);
  if (variables === null)
    faults.push({ field: "variables", message: "Write one a line, each as NAME=value." });
  const declared = EnvironmentShape.safeParse({
    os: draft.os === "" ? undefined : draft.os,
    home: draft.home === "" ? undefined : draft.home,
    cwd: draft.cwd === "" ? undefined : draft.cwd,
    variables: variables ?? undefined,
  });
  for (const issue of declared.error?.issues ?? []) {
    const field = (["home", "cwd"] as const).find((name) => name === issue.path[0]) ?? "variables";
    faults.push({ field, message: issue.message });
  }
  const { environment, unreadable } = readEnvironment(declared.data ?? {});
  for (const { pointer } of unreadable)
    faults.push({
      field: pointer === "/home" ? "home" : "cwd",
      message: "Write an absolute path, or leave it empty.",
    });
  const read = draft.form === "command" ? null : readStrictJson(draft.text);
  const text = read === null || read.ok ? null : jsonFault(draft.text, read);
  const result = { kind: "faulty", fields: faults, text } as const;
  if (read?.ok === false)
    return { ok: false, code: read.code, detail: "The arguments are not JSON that can be read.", result };
  if (faults.length > 0)
    return { ok: false, code: "invalid-request", detail: "A field of the form cannot be read.", result };
  return read === null
    ? { ok: true, args: { command: draft.text }, doubts: [], environment }
    : { ok: true, args: read.value, doubts: read.doubts, environment };
}

/** `NAME=value` by name; `null` when a line is none. */
function variablesOf(text: string): Record<string, string> | null {
  const variables: [string, string][] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const [, name, value] = /^\s*(?:export\s+)?([^\s=]+)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    variables.push([name, value]);
  }
  return Object.fromEntries(variables);
}

/**
 * The call of a recorded decision, where its session ran at that moment.
 * @param place in the record, as in the decision's address
 */
async function recordedCall(
  c: Context<AppEnv>,
  place: URLSearchParams,
): Promise<Pick<ReadingPageProps, "draft" | "decision">> {
  const { organization } = memberCaller(c);
  const seq = Number(place.get("seq"));
  const row = Number.isSafeInteger(seq)
    ? await readRecord(c.env.DB, organization, "decision", place.get("chain") ?? "", seq)
    : null;
  const view = row === null ? null : decisionView(row);
  if (row === null || view === null || view.call === null || view.call.object === null)
    throw new Problem("not-found", "There is no such decision, or its arguments are not kept.");
  const where = await environmentAt(c, row);
  return {
    decision: { url: decisionUrl(view), at: view.at },
    draft: {
      tool: view.tool ?? "",
      ...textOf(view.call.object),
      home: where?.home ?? "",
      cwd: view.call.cwd ?? "",
      os: where?.os ?? "linux",
      variables: linesOf(where?.variables ?? {}),
    },
  };
}

const Opened = z.object({
  environment: z.object({
    home: z.string().nullable(),
    os: z.string(),
    variables: z.record(z.string(), z.string()),
  }),
});

/** Where the session said it ran, last before this record; `null` when that is no longer kept. */
async function environmentAt(c: Context<AppEnv>, row: RecordRow) {
  if (row.session_id === null) return null;
  const said = await Promise.all(
    ["session_opened", "session_changed"].map((kind) =>
      listRecords(c.env.DB, row.organization_id, {
        kind,
        session: row.session_id ?? "",
        before: row,
        limit: 1,
      }),
    ),
  );
  const [last] = said.flat().sort((a, b) => b.seq - a.seq);
  if (last === undefined || last.private === null) return null;
  return Opened.safeParse(JSON.parse(last.private)).data?.environment ?? null;
}

/** Characters that a browser's text area does not give back as they were. */
const UNTYPABLE = /[\u0000-\u0008\u000b-\u001f]/;

/** A lone command as it was written, all else as JSON. */
function textOf(args: Readonly<Record<string, unknown>>): Pick<CallDraft, "form" | "text"> {
  const { command, ...others } = args;
  return typeof command === "string" && Object.keys(others).length === 0 && !UNTYPABLE.test(command)
    ? { form: "command", text: command }
    : { form: "json", text: JSON.stringify(args, null, 2) };
}

/** A value of several lines has no place here; what is not said of a path is unknown, never guessed. */
function linesOf(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .filter(([, value]) => !/[\r\n]/.test(value))
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

/** The session ended while somebody wrote: their text comes back to them, and nothing else is shown. */
async function keepText(c: Context<AppEnv>): Promise<Problem> {
  const text = typedText(await readForm(c, CALL_FORM_BYTES), "text");
  return text === ""
    ? new Problem("unauthenticated", "You are not signed in, or not any more.")
    : signedOutWith(text);
}
