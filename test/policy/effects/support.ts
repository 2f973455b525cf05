import { effectsOf } from "../../../src/policy/effects/index.ts";
import type { Effects, Environment, JsonObject, ReadingContext } from "../../../src/policy/types.ts";

/** A session of Hermes on Linux, as its harness would declare it. */
export function context(environment: Partial<Environment> = {}): ReadingContext {
  return {
    environment: { home: "/home/u", cwd: "/home/u/work", variables: {}, os: "linux", ...environment },
    self: { hosts: ["api.countersign.example", "localhost:8787"], variables: ["COUNTERSIGN_KEY"] },
  };
}

export function shell(command: string, environment: Partial<Environment> = {}): Effects {
  return effectsOf({ tool: "terminal", args: { command } }, context(environment));
}

export function tool(name: string, args: JsonObject, environment: Partial<Environment> = {}): Effects {
  return effectsOf({ tool: name, args }, context(environment));
}

/** `delete /a`, for lists that people read. */
export function acts(effects: Effects): string[] {
  return effects.actions.map((action) => `${action.verb} ${action.path}`);
}
