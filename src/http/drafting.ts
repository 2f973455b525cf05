/** Has a model draft what a turn's words ask for, where the organization wants one. The draft authorises nothing yet. */
import type { Context } from "hono";
import type { Reach } from "../addresses.ts";
import {
  type AiBinding,
  type Compiled,
  type CompilerSettings,
  compileWithModel,
  keyPlace,
} from "../compiler/index.ts";
import { log } from "../log.ts";
import { harden, ownWords, type TaskPolicy, type TurnReading, undrafted } from "../policy/fence/index.ts";
import { open } from "../sealing.ts";
import type { AppEnv } from "./context.ts";
import type { Policy } from "./policy.ts";
import { isLoopbackHost, selfOf } from "./reading.ts";

/** Where this deployment may ask a model: never itself, and this machine only from this machine. */
export function reachOf(c: Context<AppEnv>): Reach {
  const own = selfOf(c).hosts;
  return { own, loopback: isLoopbackHost(new URL(c.req.url).hostname) };
}

export interface Spoken {
  readonly reading: TurnReading;
  readonly compiler: TaskPolicy["compiler"];
  /** For the record: which model, how often it was asked, and why there is no draft. */
  readonly drafting: Readonly<Record<string, string | number | boolean | null>> | null;
}

/**
 * Reads a turn by whoever the organization has chosen. A model's draft goes through the hardening; without one, nothing
 * that the words ask for is taken for granted, and what they forbid holds.
 * @param plain what the offline reader says of the same text
 */
export async function readSpoken(
  c: Context<AppEnv>,
  organization: string,
  { compiler, modes }: Policy,
  text: string,
  plain: TurnReading,
): Promise<Spoken> {
  const words = ownWords(text).trim();
  if (compiler.compiler === "rules" || modes.fence === "off" || words === "")
    return { reading: plain, compiler: "rules", drafting: null };
  const compiled = await draftOf(c, organization, compiler, words);
  const { requests, ms } = compiled;
  if (!compiled.ok)
    return {
      reading: undrafted(plain),
      compiler: "fallback",
      drafting: { model: compiler.model, requests, ms, cause: compiled.cause, why: compiled.why },
    };
  const { draft, dropped, model, format, truncated } = compiled;
  return {
    reading: harden(draft, dropped, text, plain),
    compiler: "model",
    drafting: { model, requests, ms, format, truncated },
  };
}

/**
 * One draft, within the settings' own deadline. Never throws: what fails is a cause, and the log says no more of it than
 * that: no word of the person, the endpoint or the key.
 * @param words the person's own, with everything that is only shown already taken out
 */
async function draftOf(
  c: Context<AppEnv>,
  organization: string,
  settings: CompilerSettings,
  words: string,
): Promise<Compiled> {
  const key =
    settings.key === null
      ? null
      : await open(settings.key, keyPlace(organization, settings), c.get("config").settingsKeys);
  const compiled = await compileWithModel(
    {
      settings,
      key: key?.ok === true ? key.text : null,
      reach: reachOf(c),
      turns: [{ text: words }],
    },
    { fetch: (...request) => fetch(...request), now: Date.now, ai: (c.env as { AI?: AiBinding }).AI },
  );
  if (!compiled.ok)
    log.error("draft-failed", compiled.why ?? compiled.cause, {
      organization,
      cause: compiled.cause,
      requests: compiled.requests,
    });
  return compiled;
}
