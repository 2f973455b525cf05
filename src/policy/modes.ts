/**
 * Which findings count. An engine has a mode; the first setting that is recognised wins: the agent's own for the
 * engine, the agent's `guard_mode`, the organization's own, the organization's `guard_mode`, the default (DESIGN §4).
 * Guards have no mode.
 */
import type { Engine } from "./types.ts";

/** `off`; `observe` (recorded, does not change the answer); `ask` (its blocks become asks); `enforce`. */
export const MODES = ["off", "observe", "ask", "enforce"] as const;
export type Mode = (typeof MODES)[number];

export type ModedEngine = Exclude<Engine, "guard">;
export const MODED_ENGINES = ["oath", "fence", "provenance"] as const satisfies readonly ModedEngine[];

/** Spellings of `guard_mode`; `block` is an older word for `act`. */
export const GUARD_MODES = ["observe", "act", "block"] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

export interface ModeSettings {
  readonly guard_mode?: unknown;
  readonly engines?: unknown;
}

export type Modes = Readonly<Record<Engine, Mode>>;

const DEFAULTS: Readonly<Record<ModedEngine, Mode>> = {
  oath: "enforce",
  fence: "enforce",
  provenance: "observe",
};

/** Total: a spelling that is not known is no opinion and falls through to the next setting. */
export function resolveModes(organization: ModeSettings, agent: ModeSettings): Modes {
  const modes: Record<Engine, Mode> = { guard: "enforce", ...DEFAULTS };
  for (const engine of MODED_ENGINES) {
    modes[engine] =
      engineMode(agent, engine) ??
      guardMode(agent) ??
      engineMode(organization, engine) ??
      guardMode(organization) ??
      DEFAULTS[engine];
  }
  return modes;
}

function engineMode(settings: ModeSettings, engine: ModedEngine): Mode | null {
  const { engines } = settings;
  if (typeof engines !== "object" || engines === null || !Object.hasOwn(engines, engine)) return null;
  const mode = (engines as Record<string, unknown>)[engine];
  return MODES.find((known) => known === mode) ?? null;
}

function guardMode(settings: ModeSettings): Mode | null {
  if (settings.guard_mode === "observe") return "observe";
  return settings.guard_mode === "act" || settings.guard_mode === "block" ? "enforce" : null;
}
