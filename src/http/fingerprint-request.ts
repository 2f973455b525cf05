/** What a client is asked to fingerprint, and how: the API cannot see files (DESIGN §4, Oath). */
import * as z from "zod";
import { type BoundOath, type Surface, surfacesOf } from "../policy/oath/index.ts";
import { utf8Bytes } from "../policy/paths/index.ts";

/** What the list may take of an answer, in UTF-8: an oath's patterns grow with what a session's variables hold. */
const MAX_LISTED_BYTES = 256 * 1024;

export const FingerprintRequestSchema = z
  .object({
    surfaces: z.array(
      z.object({
        pattern: z.string().meta({ description: "As sworn." }),
        bound: z.string().meta({ description: "The same, absolute in this session; a tree ends in `/**`." }),
      }),
    ),
    surfaces_more: z.int().meta({
      description: "Surfaces that the list has no room for. A complete report need not cover them.",
    }),
    hash_limit_bytes: z.int().meta({
      description:
        "Hash files up to this size; report larger ones by size and mtime. Send all three where you have them: then no file looks changed because this number did.",
    }),
  })
  .meta({ id: "FingerprintRequest" });

/** The surfaces that a client is asked for, of all that are sworn: those of which a report can be complete. */
export function listedSurfaces(bound: readonly BoundOath[]): { listed: Surface[]; more: number } {
  const all = surfacesOf(bound);
  const listed: Surface[] = [];
  let bytes = 0;
  for (const surface of all) {
    bytes += utf8Bytes(JSON.stringify({ pattern: surface.pattern, bound: surface.bound })) + 1;
    if (bytes > MAX_LISTED_BYTES) break;
    listed.push(surface);
  }
  return { listed, more: all.length - listed.length };
}

/** What the answers to turns and reports ask a client for. */
export function fingerprintRequest(
  bound: readonly BoundOath[],
  hashLimitBytes: number,
): z.infer<typeof FingerprintRequestSchema> {
  const { listed, more } = listedSurfaces(bound);
  return {
    surfaces: listed.map((surface) => ({ pattern: surface.pattern, bound: surface.bound })),
    surfaces_more: more,
    hash_limit_bytes: hashLimitBytes,
  };
}
