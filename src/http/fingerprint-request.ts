/** What a client is asked to fingerprint, and how: the API cannot see files (DESIGN §4, Oath). */
import * as z from "zod";
import { type BoundOath, surfacesOf } from "../policy/oath/index.ts";

export const FingerprintRequestSchema = z
  .object({
    surfaces: z.array(
      z.object({
        pattern: z.string().meta({ description: "As sworn." }),
        bound: z.string().meta({ description: "The same, absolute in this session; a tree ends in `/**`." }),
      }),
    ),
    hash_limit_bytes: z
      .int()
      .meta({ description: "Hash files up to this size; report larger ones by size and mtime." }),
  })
  .meta({ id: "FingerprintRequest" });

export function fingerprintRequest(
  bound: readonly BoundOath[],
  hashLimitBytes: number,
): z.infer<typeof FingerprintRequestSchema> {
  return {
    surfaces: surfacesOf(bound).map((surface) => ({ pattern: surface.pattern, bound: surface.bound })),
    hash_limit_bytes: hashLimitBytes,
  };
}
