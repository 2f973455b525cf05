/** `If-Match` on what has versions: a change names the version that it was made from (RFC 9110 §13.1.1). */
import * as z from "zod";
import { Problem } from "../errors.ts";

// Optional to the validator: what is wrong with it, or that it is missing, has codes of its own.
export const IfMatch = z.object({
  "If-Match": z
    .string()
    .optional()
    .meta({
      description: 'The version that you changed, in quotes, e.g. `"3"`; `"0"` for the first.',
      param: { required: true },
    }),
});

/** The header that answers with the version. */
export const VersionTag = z.object({
  ETag: z.string().meta({ description: "The version in quotes, for If-Match.", example: '"3"' }),
});

/**
 * The version that a request says it changed: one strong entity tag. `*` would change whatever is there, which is what
 * the header is here to prevent.
 * @param ifMatch the header's value
 * @param what for the reader, e.g. `oath`
 * @throws {Problem} `precondition-required`
 */
export function expectedVersion(ifMatch: string | undefined, what: string): number {
  const version = /^"(0|[1-9][0-9]{0,8})"$/.exec(ifMatch ?? "")?.[1];
  if (version !== undefined) return Number(version);
  throw new Problem(
    "precondition-required",
    `Send If-Match with the version that you changed, in quotes: If-Match: "3"; "0" for the first ${what}.`,
  );
}
