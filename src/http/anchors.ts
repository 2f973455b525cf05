/** Anchors, for the API: what is stamped, what is established by that, and the headers that people bring. */
import type { Context } from "hono";
import * as z from "zod";
import { type AnchorRow, keepAnchor, readAnchor, readAnchorByReference } from "../db/anchors.ts";
import { readOrganization } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { newId } from "../ids.ts";
import {
  anchorCovers,
  bytesOfBase64,
  HASH,
  hexOf,
  INTEGRITY_ONLY,
  TIMESTAMP_NOT_PROVEN,
  TIMESTAMP_PENDING,
} from "../ledger/index.ts";
import { hashWith, integrityOf, type JudgedProof, priorityOf, type Standing } from "../ledger/ots/index.ts";
import { log } from "../log.ts";
import { memberCaller } from "./access.ts";
import {
  anchoringOf,
  confirmedProof,
  headerFault,
  headersOf,
  headersText,
  judgedAnchor,
  MAX_HEADERS,
  proofOf,
  stateOf,
} from "./anchor-state.ts";
import { OWN_REFERENCES, workOn } from "./anchor-work.ts";
import type { AppEnv } from "./context.ts";
import { reachOf } from "./drafting.ts";
import { govern } from "./governing.ts";

export const MAX_REFERENCE_CHARACTERS = 200;

export const NewAnchor = z
  .strictObject({
    reference: z
      .string()
      .min(1)
      .max(MAX_REFERENCE_CHARACTERS)
      .refine((text) => text.trim() === text && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text), {
        message: "must not begin or end with a space, nor hold control or invisible characters",
      })
      .refine((text) => !text.startsWith(OWN_REFERENCES), {
        message: `must not begin with ${OWN_REFERENCES}`,
      })
      .meta({ description: "What you call it. One reference is one content, for good." }),
    digest: z.string().regex(HASH).optional().meta({ description: "SHA-256 of the exact bytes, hex." }),
    text: z.string().optional().meta({
      description: "Hashed as its UTF-8 bytes, exactly: nothing is trimmed, joined or normalised.",
    }),
    bytes_base64: z.string().optional().meta({ description: "Standard base64 with padding (RFC 4648 §4)." }),
    private: z.boolean().default(false).meta({
      description: "Only a digest is taken, and nothing else is kept.",
    }),
    published_at: z.int().min(0).optional().meta({
      description:
        "When the bytes were published or will be, epoch milliseconds: what their being there earlier is held against.",
    }),
  })
  .refine(
    (body) => [body.digest, body.text, body.bytes_base64].filter((one) => one !== undefined).length === 1,
    { message: "Send one of digest, text and bytes_base64." },
  )
  .refine((body) => !body.private || body.digest !== undefined, {
    message: "Of what is private, send the digest alone.",
    path: ["private"],
  })
  .meta({ id: "NewAnchor" });
export type NewAnchor = z.infer<typeof NewAnchor>;

/** An anchor as it is shown, and what it establishes. */
export interface ShownAnchor {
  readonly anchor: string;
  readonly reference: string;
  readonly digest: string;
  readonly private: boolean;
  readonly size: number | null;
  readonly published_at: number | null;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly ledger_seq: number;
  readonly state: AnchorRow["state"];
  readonly integrity: Standing;
  readonly priority: Standing;
  readonly block: { readonly height: number; readonly hash: string; readonly time: number } | null;
  readonly attestations: readonly {
    readonly kind: string;
    readonly state: string;
    readonly calendar: string | null;
    readonly height: number | null;
  }[];
  readonly next_at: number | null;
  readonly last_failure: string | null;
  readonly covers: string;
  readonly not_proven: string[];
}

/**
 * Records an anchor, and has it stamped where calendars are set. The same once more changes nothing and answers the
 * first.
 * @returns `made`: false for one that was there
 * @throws {Problem} `conflict` for other bytes under the same reference, `invalid-request`, and what `govern` refuses by
 */
export async function makeAnchor(
  c: Context<AppEnv>,
  wish: NewAnchor,
): Promise<{ readonly anchor: ShownAnchor; readonly made: boolean }> {
  const { organization, member } = memberCaller(c);
  const bytes = bytesOf(wish);
  const id = newId("anc");
  await govern(
    c,
    organization,
    {
      kind: "anchor",
      anchor_id: id,
      reference: wish.reference,
      digest: bytes === null ? (wish.digest ?? "") : hexOf(hashWith("sha256", bytes)),
      private: wish.private,
      size: bytes?.length ?? null,
      published_at: wish.published_at ?? null,
    },
    member,
  );
  const row = await readAnchorByReference(c.env.DB, organization, wish.reference);
  if (row === null) throw new Problem("unavailable", "The anchor is on record, and cannot be read yet.");
  return { anchor: shownAnchor(await taken(c, row)), made: row.anchor_id === id };
}

/** The row after the calendars were asked, if they have not taken it yet. That they cannot be reached is no failure. */
async function taken(c: Context<AppEnv>, row: AnchorRow): Promise<AnchorRow> {
  const { organization } = memberCaller(c);
  if (row.state !== "unsubmitted") return row;
  try {
    const settings = anchoringOf((await readOrganization(c.env.DB, organization))?.settings ?? "{}");
    if ((settings.calendars ?? []).length === 0) return row;
    const ways = { fetch: (...request: Parameters<typeof fetch>) => fetch(...request), reach: reachOf(c) };
    return await workOn(c.env.DB, organization, row, settings, ways, Date.now());
  } catch (error) {
    log.error("anchor-failed", error, { organization, request: c.get("requestId") });
    return row;
  }
}

function bytesOf({ text, bytes_base64: base64 }: NewAnchor): Uint8Array | null {
  if (text !== undefined) return new TextEncoder().encode(text);
  if (base64 === undefined) return null;
  const bytes = bytesOfBase64(base64);
  if (bytes === null)
    throw new Problem("invalid-request", "The request does not fit its schema. See errors for each place.", {
      errors: [{ pointer: "/bytes_base64", detail: "send standard base64 with padding", code: "not-base64" }],
    });
  return bytes;
}

/** @throws {Problem} `not-found` */
export async function anchorOf(c: Context<AppEnv>, id: string): Promise<AnchorRow> {
  const row = await readAnchor(c.env.DB, memberCaller(c).organization, id);
  if (row === null) throw new Problem("not-found", "There is no such anchor.");
  return row;
}

/** @throws {Problem} `not-found`, also while no calendar has taken it */
export async function anchorFile(c: Context<AppEnv>, id: string): Promise<Uint8Array<ArrayBuffer>> {
  const { proof } = await anchorOf(c, id);
  const file = proof === null ? null : bytesOfBase64(proof);
  if (file === null)
    throw new Problem("not-found", "There is no proof yet: no calendar has taken the digest.");
  return file;
}

/** Of a file's name: every file system takes as many, with an ending. */
const MAX_NAME_CHARACTERS = 100;

/**
 * What the proof of an anchor is saved as: beside the file that was stamped, whose name its reference often is.
 * @returns a `content-disposition`: plain characters of the reference alone, since it was chosen freely
 */
export function proofDisposition({ reference }: Pick<AnchorRow, "reference">): string {
  const name =
    reference
      .replace(/[^\w.-]+/g, "_")
      .replace(/^[._]+/, "")
      .slice(0, MAX_NAME_CHARACTERS) || "anchor";
  return `attachment; filename="${name}.ots"`;
}

/**
 * Takes the header of a block that the proof names. It is checked by its own hash, and by its merkle root.
 * @throws {Problem} `not-found`, `conflict`, `invalid-request` with why it is not that header
 */
export async function addHeader(
  c: Context<AppEnv>,
  id: string,
  { height, header }: { readonly height: number; readonly header: string },
): Promise<AnchorRow> {
  const { organization } = memberCaller(c);
  const row = await anchorOf(c, id);
  const proof = proofOf(row);
  if (proof === null)
    throw new Problem("conflict", "There is no proof yet that a block header could be held against.");
  const fault = headerFault(proof, height, header.toLowerCase(), row.created_at);
  if (fault !== null)
    throw new Problem("invalid-request", "This header does not confirm the anchor. See errors.", {
      errors: [
        {
          pointer: fault.startsWith("height-") ? "/height" : "/header",
          detail: DETAILS[fault] ?? fault,
          code: fault,
        },
      ],
    });
  const headers = new Map(headersOf(row));
  if (headers.has(height)) return row;
  if (headers.size >= MAX_HEADERS)
    throw new Problem("conflict", `An anchor keeps ${MAX_HEADERS} block headers at most.`);
  const next = { ...row, headers: headersText(headers.set(height, header.toLowerCase())) };
  const judged = judgedAnchor(next);
  const after: AnchorRow = {
    ...next,
    proof: judged === null ? row.proof : confirmedProof(judged),
    state: stateOf(judged),
    next_at: judged?.confirmed ? null : row.next_at,
    attempts: 0,
    last_failure: null,
  };
  if (!(await keepAnchor(c.env.DB, organization, row, after)))
    throw new Problem("conflict", "The anchor was changed in the meantime. Send the header again.");
  return { ...after, revision: row.revision + 1 };
}

const DETAILS: Readonly<Record<string, string>> = {
  "height-not-named": "The proof names no Bitcoin block of this height.",
  "header-length": "A block header is 80 bytes, 160 hex digits.",
  "header-hex": "A block header is written in hex.",
  "header-target": "Its target is easier to meet than that of any block at this height.",
  "header-time": "No block at this height was mined about the time that it says.",
  "height-too-early": "A header with the work of so early a block is cheap to make, and shows nothing.",
  "header-work": "Its hash does not meet its target: it was not mined.",
  "block-too-old":
    "This block is older than the anchor: it cannot hold it. Whoever wrote the proof dates it back.",
  "merkle-root": "It is a header, and the proof leads into another block: their merkle roots differ.",
};

/**
 * An anchor with what it establishes, and with what it does not.
 * @param publishedAt what to hold priority against, in place of what was said when it was made
 */
export function shownAnchor(row: AnchorRow, publishedAt: number | null = row.published_at): ShownAnchor {
  const judged = judgedAnchor(row);
  const block = judged?.confirmed ?? null;
  const priority =
    judged === null
      ? publishedAt === null
        ? "not claimed"
        : "not established"
      : priorityOf(judged, publishedAt);
  return {
    anchor: row.anchor_id,
    reference: row.reference,
    digest: row.digest,
    private: row.private === 1,
    size: row.size,
    published_at: publishedAt,
    created_by: row.created_by,
    created_at: row.created_at,
    ledger_seq: row.changed_seq,
    state: stateOf(judged),
    integrity: judged === null ? "not established" : integrityOf(judged),
    priority,
    block:
      block === null
        ? null
        : { height: block.height, hash: block.header.hash, time: block.header.time * 1_000 },
    attestations: (judged?.attestations ?? []).map(({ attestation, state }) => ({
      kind: attestation.kind,
      state,
      calendar: attestation.kind === "pending" ? attestation.uri : null,
      height: "height" in attestation ? attestation.height : null,
    })),
    next_at: row.next_at,
    last_failure: row.last_failure,
    covers: anchorCovers(row.size),
    not_proven: notProven(judged, priority),
  };
}

function notProven(judged: JudgedProof | null, priority: Standing): string[] {
  if (judged?.confirmed == null) return [TIMESTAMP_PENDING];
  return [...(priority === "established" ? [] : [INTEGRITY_ONLY]), ...TIMESTAMP_NOT_PROVEN];
}
