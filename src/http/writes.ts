/**
 * A write to a memory or a skill, judged by what the user typed (DESIGN §3.3): what it claims is read here, its quotes are
 * looked up, and the session's object records what was found. A write without quotes costs no look-up.
 */

import { chainName } from "../db/publish.ts";
import { findSaid, type SaidFound, type SaidMessage, type Sought } from "../db/said.ts";
import type { SessionContext, SkillChange, TypedMessage, WriteInput } from "../durable/protocol.ts";
import { log } from "../log.ts";
import { engineError } from "../policy/guards.ts";
import type { Mode } from "../policy/modes.ts";
import {
  type Answers,
  type Candidate,
  evidenceOf,
  failedEvidence,
  findingsOf,
  inquire,
  type Judged,
  judgeProvenance,
  keptBy,
  MOST_RECENT,
  type ProvenanceConfiguration,
  pairQuery,
  rowsOf,
  searchable,
  skillWriteOf,
} from "../policy/provenance/index.ts";
import type { Effects, JsonObject, ToolCall } from "../policy/types.ts";
import { callObject, type SessionStub } from "./sessions.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whose words a quote may come from. */
export interface Speakers {
  readonly db: D1Database;
  readonly organization: string;
  readonly context: SessionContext;
  readonly stub: () => SessionStub;
}

/**
 * What a call would keep, and what of it the user's words do not back; `null` for a call that keeps nothing. Total: what
 * cannot be checked is a finding, which the engine's mode makes of what it makes of any.
 * @param stored the text now stored where the call edits it; `null` when the client does not say
 */
export async function judgeWrite(
  call: { readonly tool: string; readonly args: unknown },
  effects: Effects,
  stored: string | null,
  mode: Mode,
  configuration: ProvenanceConfiguration,
  speakers: Speakers,
): Promise<WriteInput | null> {
  if (mode === "off") return null;
  try {
    const asked: ToolCall = { tool: call.tool, args: call.args as JsonObject };
    const write = keptBy(asked, effects, stored, configuration);
    const skill = await skillChange(asked, stored);
    if (write.kind === "none")
      return skill === null
        ? null
        : {
            target: `${call.tool}:${skill.skill}`,
            claims: 0,
            partial: false,
            findings: [],
            evidence: [],
            skill,
          };
    const judged = write.kind === "unreadable" ? null : await judge(write, configuration, speakers);
    return {
      target: write.target,
      claims: judged?.claims.length ?? 0,
      partial: write.kind === "write" && write.isPartial,
      findings: findingsOf(write, judged, 0),
      evidence: evidenceOf(rowsOf(write, judged), mode),
      skill,
    };
  } catch (error) {
    log.error("engine-failed", error, { engine: "provenance" });
    return {
      target: call.tool,
      claims: 0,
      partial: true,
      findings: [engineError("provenance")],
      evidence: [failedEvidence(call.tool, mode)],
      skill: null,
    };
  }
}

/** The claims of a text and what backs each of them. */
export async function judge(
  texts: { readonly pieces: readonly string[]; readonly base: readonly string[] },
  { search, lexicon, retention_days }: ProvenanceConfiguration,
  speakers: Speakers,
): Promise<Judged> {
  const inquiry = inquire(texts, lexicon);
  if (inquiry.needles.length === 0) return judgeProvenance(inquiry, []);
  const since = Date.now() - retention_days * DAY_MS;
  return judgeProvenance(inquiry, await answersTo(inquiry.needles, search === "profile", since, speakers));
}

/**
 * Who typed what is quoted. The object is asked before D1: whatever it has already given away by then is in D1.
 * A database that cannot be read counts as nothing typed.
 */
async function answersTo(
  needles: readonly string[],
  profile: boolean,
  since: number,
  { db, organization, context, stub }: Speakers,
): Promise<Answers> {
  const undelivered = await callObject(stub, (object) => object.typed());
  const chain = chainName({ org: organization, session: context.root });
  const sought: Sought[] = [];
  const places = needles.map((needle) => {
    const match = pairQuery(needle);
    if (match === null || needle.includes("\0")) return null;
    return sought.push({ match, needle }) - 1;
  });
  const found = await findSaid(db, organization, {
    agent: context.agent,
    chain,
    profile,
    since,
    sought,
  }).catch((error: unknown): SaidFound => {
    log.error("read-failed", error, { what: "said" });
    return { found: sought.map(() => []), last: [], purged_before: 0 };
  });
  const waiting = undelivered.filter(({ at }) => at >= Math.max(since, found.purged_before));
  const known = new Set(waiting.map(({ seq }) => seq));
  const last = [...waiting, ...found.last.filter(({ seq }) => !known.has(seq))]
    .sort((a, b) => b.seq - a.seq)
    .slice(0, MOST_RECENT);
  const recent = new Map(last.map(({ seq }, rank) => [seq, rank]));
  const forms = waiting.map((message) => ({ message, form: searchable(message.text) }));
  const candidate = (message: TypedMessage | SaidMessage, own: boolean): Candidate => ({
    id: message.message_id,
    text: message.text,
    where: own ? "this-session" : "profile",
    recent: own ? (recent.get(message.seq) ?? null) : null,
    ...(message.sender_id === null ? {} : { sender_id: message.sender_id }),
  });
  const recentlyKept = found.last
    .filter(({ seq }) => !known.has(seq))
    .map((message) => ({ message, form: searchable(message.text) }));
  return needles.map((needle, index): Candidate[] | null => {
    const at = places[index] ?? null;
    const kept = at === null ? [] : (found.found[at] ?? []);
    const own = kept.filter((message) => message.chain === chain && !known.has(message.seq));
    const candidates = [
      ...forms.filter(({ form }) => form.includes(needle)).map(({ message }) => candidate(message, true)),
      // A quote of a word or two has no pairs to be found by, and counts among the last messages alone.
      ...recentlyKept
        .filter(({ message, form }) => form.includes(needle) && !own.some(({ seq }) => seq === message.seq))
        .map(({ message }) => candidate(message, true)),
      ...own.map((message) => candidate(message, true)),
      ...kept.filter((message) => message.chain !== chain).map((message) => candidate(message, false)),
    ];
    return at === null && candidates.length === 0 ? null : candidates;
  });
}

async function skillChange(call: ToolCall, stored: string | null): Promise<SkillChange | null> {
  const change = skillWriteOf(call, stored);
  if (change === null) return null;
  const { skill, file, action, before, after } = change;
  return {
    skill,
    file,
    action,
    before_sha256: before === null ? null : await sha256(before),
    after_sha256: after === null ? null : await sha256(after),
  };
}

/** Of the text's UTF-8, in lower-case hex: what `sha256sum` says of the file. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
