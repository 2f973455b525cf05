import { scriptFrom } from "./generate.ts";
import type { Jail } from "./jail.ts";
import { missesOf, readingOf } from "./judge.ts";
import { Random } from "./random.ts";

export interface Unsound {
  readonly script: string;
  /** The shortest form found that still does something unsaid. */
  readonly minimal: string;
  readonly misses: readonly string[];
}

export interface Campaign {
  readonly seed: number;
  readonly scripts: number;
  /** How many were read as fully known. */
  readonly clear: number;
  /** How many changed a file or started a program. */
  readonly active: number;
  readonly unsound: readonly Unsound[];
  /** How often each cause made a script opaque. */
  readonly causes: ReadonlyMap<string, number>;
}

export interface Plan {
  readonly seed: number;
  readonly scripts: number;
  readonly progress?: (done: number, unsound: Unsound | null) => void;
}

/** As many scripts as wait for the jail at once. */
const AHEAD = 8;

/** Writes, reads and runs `scripts` scripts. The seed alone decides which. */
export async function campaign(jail: Jail, { seed, scripts, progress }: Plan): Promise<Campaign> {
  const unsound: Unsound[] = [];
  const causes = new Map<string, number>();
  let clear = 0;
  let active = 0;
  for (let from = 0; from < scripts; from += AHEAD) {
    const batch = Array.from({ length: Math.min(AHEAD, scripts - from) }, (_, at) =>
      scriptFrom(new Random(Math.imul(seed, 0x9e3779b1) + from + at)),
    );
    // What bash cannot be given cannot be compared.
    const given = batch.map((script) => script.replaceAll("\0", ""));
    const running = given.map((script) => jail.run(script));
    const readings = given.map(readingOf);
    for (const [at, observed] of (await Promise.all(running)).entries()) {
      const effects = readings[at];
      const script = given[at];
      if (effects === undefined || script === undefined) continue;
      if (effects.opaque === null) clear++;
      for (const cause of effects.opaque?.causes ?? []) causes.set(cause, (causes.get(cause) ?? 0) + 1);
      if (observed.changes.length || observed.started.length) active++;
      const misses = missesOf(effects, observed);
      if (misses.length === 0) continue;
      const minimal = await shortest(jail, script);
      const found = { script, minimal, misses: missesOf(readingOf(minimal), await jail.run(minimal)) };
      unsound.push(found);
      progress?.(from + at, found);
    }
    progress?.(from + batch.length, null);
  }
  return { seed, scripts, clear, active, unsound, causes };
}

/** Takes away what is not needed: first large pieces, then single characters, while the miss stays. */
async function shortest(jail: Jail, script: string): Promise<string> {
  let text = script;
  for (let size = Math.ceil(text.length / 2), tries = 0; size >= 1 && tries < 400; ) {
    let shrunk = false;
    for (let at = 0; at < text.length && tries < 400; at += size) {
      const shorter = text.slice(0, at) + text.slice(at + size);
      const effects = readingOf(shorter);
      if (effects.opaque !== null) continue;
      tries++;
      if (missesOf(effects, await jail.run(shorter)).length === 0) continue;
      text = shorter;
      shrunk = true;
      at -= size;
    }
    if (!shrunk) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return text;
}
