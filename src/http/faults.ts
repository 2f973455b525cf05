/** A schema's complaints as JSON pointers. */
import type * as z from "zod";
import type { Fault } from "../errors.ts";

/** Faults that are named; one is enough to mend a request by. */
const MAX_FAULTS = 20;

/** @param target `json` for the body; `query`, `param`, `header` become `#/query/…` and so on */
export function faultsOf(target: string, error: z.ZodError): Fault[] {
  const base = target === "json" || target === "form" ? "" : `#/${target === "param" ? "path" : target}`;
  const faults: Fault[] = [];
  for (const issue of error.issues) {
    const at = base + pointerOf(issue.path);
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys)
        faults.push({
          pointer: at + pointerOf([key]),
          detail: "This member is not known here.",
          code: "unknown-member",
        });
    else faults.push({ pointer: at, detail: issue.message, code: issue.code });
  }
  return faults.slice(0, MAX_FAULTS);
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
