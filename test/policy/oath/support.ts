import { type BoundOath, bindOath, compileOath, parseOath } from "../../../src/policy/oath/index.ts";
import type { Effects, Environment, Opacity } from "../../../src/policy/types.ts";

export const ENVIRONMENT: Environment = { home: "/home/u", cwd: "/home/u/work", variables: {}, os: "linux" };

export function effects(parts: Partial<Effects> = {}): Effects {
  const nothing = {
    risks: [],
    actions: [],
    opaque: null,
    backups: [],
    hosts: [],
    acts: [],
    recipients: [],
    amounts: [],
    items: [],
    stored: [],
    deceptions: [],
    governance: [],
    unreadable: [],
  };
  return { tool: "shell", ...nothing, ...parts };
}

export function opaque(parts: Partial<Opacity> = {}): Opacity {
  return { causes: ["unknown-program"], unparsed: false, names: [], ...parts };
}

/** The oath bound to an environment; fails the test when it does not parse. */
export function sworn(
  text: string | readonly string[],
  environment: Partial<Environment> = {},
  source: "organization" | "agent" = "organization",
  version = 1,
): BoundOath {
  const parsed = parseOath(typeof text === "string" ? text : text.join("\n"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return bindOath(compileOath(parsed.oath, source, version), { ...ENVIRONMENT, ...environment });
}
