/**
 * What D1 is given besides an entry and is made of the entry's own private text: what was typed, the evidence of a
 * write, the change to a skill. Made when it is delivered, so that no text stands in an object twice, and none is left
 * there afterwards.
 */
import type { DeliverableEntry } from "../db/publish.ts";
import { log } from "../log.ts";
import { type ClaimEvidence, pairsOf, searchable, typedIn, wordsOf } from "../policy/provenance/index.ts";
import type { SkillChange } from "./protocol.ts";

type Source = Pick<DeliverableEntry, "seq" | "hash" | "entry" | "body" | "private">;

interface EntryHead {
  readonly kind: string;
  readonly at: number;
  readonly session: string | null;
}

/** An id under which a message can be found on the ledger: the beginning of its entry's hash. */
const MESSAGE_ID_CHARACTERS = 16;

/** The typed message of a turn's entry; `null` for any other, and once its text is gone. */
export function typedTurn(row: Source): {
  seq: number;
  session: string;
  agent: string | null;
  message_id: string;
  sender_id: string | null;
  at: number;
  text: string;
} | null {
  const { kind, at, session } = JSON.parse(row.entry) as EntryHead;
  if (kind !== "turn" || row.private === null || session === null) return null;
  const body = JSON.parse(row.body) as { typed?: unknown; platform?: unknown; agent?: unknown };
  const kept = JSON.parse(row.private) as Record<string, unknown>;
  if (body.typed !== true || typeof kept["text"] !== "string") return null;
  const text = typedIn({
    text: kept["text"],
    harness: textOf(kept["harness"]),
    platform: textOf(body.platform),
    source: textOf(kept["source"]),
  });
  return text === null
    ? null
    : {
        seq: row.seq,
        session,
        agent: textOf(body.agent),
        message_id: row.hash.slice(0, MESSAGE_ID_CHARACTERS),
        sender_id: textOf(kept["sender_id"]),
        at,
        text,
      };
}

/**
 * The entry with the rows that are made of it. An entry that nothing can be made of goes without: it is on record, and
 * must not keep those after it from being.
 */
export function deliverable(row: DeliverableEntry): DeliverableEntry {
  try {
    return withMade(row);
  } catch (error) {
    log.error("not-searchable", error, { seq: row.seq });
    return row;
  }
}

function withMade(row: DeliverableEntry): DeliverableEntry {
  const { kind, at, session } = JSON.parse(row.entry) as EntryHead;
  if (row.private === null || session === null) return row;
  if (kind === "turn") {
    const typed = typedTurn(row);
    if (typed === null || typed.agent === null) return row;
    const form = searchable(typed.text).replaceAll("\0", " ");
    const { agent: agent_id, session: session_id, ...message } = typed;
    return {
      ...row,
      made: [{ op: "said", ...message, agent_id, session_id, searchable: form, pairs: pairsOf(form) }],
    };
  }
  if (kind !== "decision") return row;
  const body = JSON.parse(row.body) as Record<string, unknown>;
  if (body["write"] === undefined) return row;
  const kept = JSON.parse(row.private) as Record<string, unknown>;
  const common = {
    seq: row.seq,
    at,
    session_id: session,
    agent_id: textOf(body["agent"]) ?? "",
    call_id: textOf(body["call_id"]) ?? "",
  };
  const claims = Array.isArray(kept["evidence"]) ? (kept["evidence"] as ClaimEvidence[]) : [];
  const skill = kept["skill"] as SkillChange | null | undefined;
  return {
    ...row,
    made: [
      ...(claims.length === 0
        ? []
        : [
            {
              op: "evidence" as const,
              rows: claims.map((claim, n) => ({ ...common, ...claim, n, terms: termsOf(claim) })),
            },
          ]),
      ...(skill === null || typeof skill?.skill !== "string"
        ? []
        : [{ op: "skill" as const, ...common, ...skill, verdict: textOf(body["verdict"]) ?? "" }]),
    ],
  };
}

function termsOf({ claim, quote, target }: ClaimEvidence): string {
  return wordsOf(searchable([claim, quote, target].filter((one) => one !== null).join(" ")));
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
