/**
 * What a recorded decision says, read for people. Pure and total: a record that is not what it should be shows less,
 * it never fails a page.
 */
import * as z from "zod";
import type { RecordRow } from "../../db/records.ts";
import { shortened } from "./recorded.tsx";

/** Characters of a call that its closed row shows. */
const PREVIEW_CHARACTERS = 200;

/** What provenance read of a write, in plain: how much it claims, not what. */
const Write = z.object({
  claims: z.number(),
  unbacked: z.number(),
  partial: z.boolean(),
  skill: z.boolean().catch(false),
});

const Body = z.object({
  id: z.string().nullish().catch(null),
  key: z.string().nullish().catch(null),
  call_id: z.string().nullish().catch(null),
  enforcement: z.enum(["enforced", "observed"]).nullish().catch(null),
  rule_keys: z.array(z.string()).catch([]),
  engines: z
    .record(
      z.string(),
      z.object({
        mode: z.string(),
        verdict: z.string(),
        enforcement: z.string(),
        rule_keys: z.array(z.string()),
      }),
    )
    .catch({}),
  risks: z.array(z.string()).catch([]),
  opaque: z.array(z.string()).catch([]),
  write: Write.nullish().catch(null),
  policy_version: z.number().nullish().catch(null),
  stale_policy: z.boolean().catch(false),
  answerer: z.string().nullish().catch(null),
  host: z.string().nullish().catch(null),
  approval: z
    .object({ id: z.string(), did: z.string().catch("") })
    .nullish()
    .catch(null),
});

const Cite = z.object({
  oath: z.enum(["organization", "agent"]),
  version: z.number(),
  line: z.number(),
  text: z.string(),
});
const Found = z.object({ rule_key: z.string(), message: z.string(), cite: Cite.optional() });
const text = z.string().nullable().catch(null);
const Claim = z.object({
  target: z.string(),
  claim: text,
  quote: text,
  msg_id: text,
  matched_in: text,
  sender_id: text,
  role: z.string().catch("unknown"),
  condition: z.string().catch("unknown"),
  verdict: z.string(),
  reason: text,
});
const Skill = z.object({ skill: z.string(), file: z.string(), action: z.string() });
const Private = z.object({
  digest: z.string().nullish().catch(null),
  cwd: z.string().nullish().catch(null),
  args: z.unknown(),
  actions: z.array(z.object({ verb: z.string(), path: z.string() })).catch([]),
  found: z.array(Found).catch([]),
  evidence: z.array(Claim).catch([]),
  skill: Skill.nullish().catch(null),
});

export interface ShownReason {
  readonly rule_key: string;
  /** `null` once retention has removed it. */
  readonly message: string | null;
  readonly cite: z.infer<typeof Cite> | null;
}

/** Reasons that one engine gave, or all that counted. `unsure`: evidence cleared some of these, and the record does not say which. */
export interface ReasonGroup {
  readonly reasons: readonly ShownReason[];
  readonly unsure: boolean;
}

export interface ObservedEngine extends ReasonGroup {
  readonly engine: string;
  readonly verdict: string;
}

export interface ShownWrite extends z.infer<typeof Write> {
  /** `null` once retention has removed it, and where nothing was claimed. */
  readonly target: string | null;
  /** `null` once retention has removed them. */
  readonly evidence: readonly z.infer<typeof Claim>[] | null;
  readonly change: z.infer<typeof Skill> | null;
}

export interface DecisionView {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
  readonly at: number;
  readonly session: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly verdict: string | null;
  readonly body: z.infer<typeof Body>;
  /** `null` once retention has removed it. */
  readonly call: {
    readonly digest: string | null;
    readonly cwd: string | null;
    readonly args: string;
    /** The arguments themselves; `null` when they could not be read, or were too large to be kept. */
    readonly object: Readonly<Record<string, unknown>> | null;
    readonly actions: readonly { readonly verb: string; readonly path: string }[];
  } | null;
  /** What a call that writes to a memory or a skill claims; `null` for any other. */
  readonly write: ShownWrite | null;
  readonly preview: string;
  /** What counted. */
  readonly counted: ReasonGroup;
  /** What an engine found and its mode kept from counting. */
  readonly observed: readonly ObservedEngine[];
}

export function decisionView(row: RecordRow): DecisionView {
  const body = Body.safeParse(parsed(row.body)).data ?? Body.parse({});
  const kept = row.private === null ? null : (Private.safeParse(parsed(row.private)).data ?? null);
  const found = kept?.found ?? [];
  return {
    chain: row.chain,
    seq: row.seq,
    hash: row.hash,
    at: row.at,
    session: row.session_id,
    agent: row.agent_id,
    tool: row.tool,
    verdict: row.outcome,
    body,
    call:
      kept === null
        ? null
        : {
            digest: kept.digest ?? null,
            cwd: kept.cwd ?? null,
            args: argumentsText(kept.args),
            object: argumentsObject(kept.args),
            actions: kept.actions,
          },
    write:
      body.write === null || body.write === undefined
        ? null
        : {
            ...body.write,
            target: kept?.evidence[0]?.target ?? null,
            evidence: kept === null ? null : kept.evidence,
            change: kept?.skill ?? null,
          },
    preview: kept === null ? "" : argumentsPreview(kept.args),
    counted: reasonsOf(body.rule_keys, found),
    observed: Object.entries(body.engines)
      .filter(([, engine]) => engine.enforcement === "observed" && engine.rule_keys.length > 0)
      .map(([name, engine]) => ({
        engine: name,
        verdict: engine.verdict,
        ...reasonsOf(engine.rule_keys, found),
      })),
  };
}

/** The record names what counted by its rule; the words stand in the private text, of which evidence may have cleared some. */
function reasonsOf(keys: readonly string[], found: readonly z.infer<typeof Found>[]): ReasonGroup {
  const reasons: ShownReason[] = [];
  let unsure = false;
  for (const key of new Set(keys)) {
    const named = found.filter((one) => one.rule_key === key);
    unsure ||= named.length > keys.filter((other) => other === key).length;
    if (named.length === 0) reasons.push({ rule_key: key, message: null, cite: null });
    for (const { message, cite } of named) reasons.push({ rule_key: key, message, cite: cite ?? null });
  }
  return { reasons, unsure };
}

/** The arguments as they were recorded, set out to be read. */
function argumentsText(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args, null, 2) ?? "");
}

/** Arguments that were too large are recorded as `{omitted}`; those that could not be read, as the text that was sent. */
function argumentsObject(args: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof args !== "object" || args === null || Array.isArray(args) || "omitted" in args) return null;
  return { ...args };
}

/** What a person looks for first: the command, the path, the address; else the arguments in one line. */
export function argumentsPreview(args: unknown): string {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) {
    const named = args as Record<string, unknown>;
    for (const name of ["command", "file_path", "path", "url", "notebook_path"]) {
      const value = named[name];
      if (typeof value === "string" && value !== "") return shortened(value, PREVIEW_CHARACTERS);
    }
    if (Object.keys(named).length === 0) return "";
  }
  return shortened(typeof args === "string" ? args : (JSON.stringify(args) ?? ""), PREVIEW_CHARACTERS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
