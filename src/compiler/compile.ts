/**
 * Has a model draft a task policy: at most three requests, one deadline over everything, and no way to fail but with a
 * cause. The draft authorises nothing by itself (`policy/fence`); when there is none, the fallback is the caller's.
 *
 * Nothing is logged here, and no outcome carries a word of what an endpoint said, of a key or of the prompt.
 */

import type { Reach } from "../addresses.ts";
import type { Draft, DraftDropped } from "../policy/fence/draft.ts";
import { within } from "../within.ts";
import { draftIn, type EndCause, type Outcome } from "./answer.ts";
import { promptFor } from "./prompt.ts";
import { type AiBinding, type Ask, askerFor, FORMATS, type Format, type Unable } from "./providers.ts";
import { type CompilerSettings, MAX_TIMEOUT_MS } from "./settings.ts";
import { onlyTheirWords } from "./sieve.ts";

/** Of all kinds together: formats, retries, everything. */
export const MAX_REQUESTS = 3;
/** After the first and the second busy answer that don't say when to come back. */
const PAUSES_MS = [250, 750];
/** A retry that cannot be answered any more is not sent. */
const LEAST_LEFT_MS = 100;

export interface CompileInput {
  readonly settings: CompilerSettings;
  /** The key in the clear, as `open` gave it; `null` where there is none. */
  readonly key: string | null;
  readonly reach: Reach;
  /** The words of the person who began the task, oldest first; what stands in data positions already removed. */
  readonly turns: readonly { readonly text: string }[];
}

export interface CompileDeps {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The Workers AI binding, where the deployment has one. */
  readonly ai?: AiBinding | undefined;
}

export type CompileCause =
  /** No model, key, address or binding; `why` says which. */
  | "not-configured"
  /** The address may not be asked; `why` is an `AddressCause`. */
  | "address-refused"
  /** The deadline passed. */
  | "timeout"
  /** 429 or 5xx to the end, or for longer than the deadline leaves. */
  | "busy"
  /** Prose, other JSON, keys that stand twice; `why` says what was last seen. */
  | "bad-answer"
  | EndCause;

interface Spent {
  readonly requests: number;
  readonly ms: number;
}

export type Compiled = Spent &
  (
    | {
        readonly ok: true;
        readonly draft: Draft;
        /** What of the answer was left out, and why. */
        readonly dropped: readonly DraftDropped[];
        /** As configured. */
        readonly model: string;
        readonly format: Format | null;
        /** Whether the model was not shown all of the words. */
        readonly truncated: boolean;
      }
    | {
        readonly ok: false;
        readonly cause: CompileCause;
        /** Stable kebab-case, ours alone; `null` where the cause says everything. */
        readonly why: string | null;
        /** The last HTTP status, where there was one. */
        readonly status: number | null;
      }
  );

type Failure = Omit<Extract<Compiled, { ok: false }>, keyof Spent>;
type Drafted = {
  readonly ok: true;
  readonly draft: Draft;
  readonly dropped: readonly DraftDropped[];
  readonly format: Format;
};

const failure = (cause: CompileCause, why: string | null = null, status: number | null = null): Failure => ({
  ok: false,
  cause,
  why,
  status,
});

/** Total: it answers within the settings' `timeout_ms` of being called, whatever happens. */
export async function compileWithModel(input: CompileInput, deps: CompileDeps): Promise<Compiled> {
  const started = deps.now();
  const count = { requests: 0 };
  const spent = (): Spent => ({ requests: count.requests, ms: Math.max(0, deps.now() - started) });
  const stop = new AbortController();
  const prompt = promptFor(input.turns);
  const asker = askerFor(input, prompt.messages, deps, stop.signal);
  if (!asker.ok) return { ...failureOf(asker), ...spent() };
  const rest = { model: asker.model, truncated: prompt.truncated };
  // There is nothing to read: whoever reads nothing invents.
  if (prompt.shown.length === 0)
    return {
      ok: true,
      draft: { permissions: [], prohibitions: [] },
      dropped: [],
      format: null,
      ...rest,
      ...spent(),
    };
  const timeout = Math.min(input.settings.timeout_ms, MAX_TIMEOUT_MS);
  const left = (): number => timeout - (deps.now() - started);
  try {
    const drafted = await within(timeout, attempts(asker.ask, count, left, deps.now, stop.signal));
    if (!drafted.ok) return { ...drafted, ...spent() };
    const sieved = onlyTheirWords(drafted.draft, prompt.shown);
    return {
      ok: true,
      draft: sieved.draft,
      dropped: [...drafted.dropped, ...sieved.dropped],
      format: drafted.format,
      ...rest,
      ...spent(),
    };
  } catch {
    // `attempts` never throws; what is left is the deadline.
    return { ...failure("timeout"), ...spent() };
  } finally {
    // Whatever is still on its way is not waited for, and nothing more is sent.
    stop.abort();
  }
}

function failureOf({ cause, why }: Unable): Failure {
  return failure(cause, why);
}

async function attempts(
  ask: Ask,
  count: { requests: number },
  left: () => number,
  now: () => number,
  signal: AbortSignal,
): Promise<Drafted | Failure> {
  let format = 0;
  let bare = false;
  let last = failure("timeout");
  while (count.requests < MAX_REQUESTS && !signal.aborted) {
    const name = FORMATS[format] ?? "text";
    count.requests += 1;
    const outcome = await ask(name, bare).catch((): Outcome => UNEXPECTED);
    const simplest = format === FORMATS.length - 1;
    switch (outcome.is) {
      case "said": {
        const read = draftIn(outcome.content);
        if (read.ok) return { ...read, format: name };
        last = failure("bad-answer", read.why);
        // The same question may have the same answer; one that asks less of the endpoint may have a better one.
        if (!simplest) format += 1;
        break;
      }
      case "bad":
        last = failure("bad-answer", outcome.why);
        if (!simplest) format += 1;
        break;
      case "unfit":
        last = failure("refused", null, outcome.status);
        if (outcome.parameter && !bare) bare = true;
        else if (simplest) return last;
        else format += 1;
        break;
      case "busy": {
        last = failure("busy", null, outcome.status);
        if (count.requests === MAX_REQUESTS) return last;
        const wait = pauseFor(outcome.retryAfter, count.requests, now());
        if (wait > left() - LEAST_LEFT_MS) return last;
        await pause(wait, signal);
        break;
      }
      case "ended":
        return failure(outcome.cause, outcome.why, outcome.status);
    }
  }
  return last;
}

const UNEXPECTED: Outcome = { is: "ended", cause: "unreachable", why: null, status: null };

/** RFC 9110, 10.2.3: seconds, or a date. What is neither says nothing. */
function pauseFor(retryAfter: string | null, requests: number, now: number): number {
  const usual = PAUSES_MS[requests - 1] ?? 0;
  if (retryAfter === null) return usual;
  if (/^\d+$/.test(retryAfter)) return Math.max(usual, Number(retryAfter) * 1_000);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? usual : Math.max(usual, at - now);
}

/** Ends early when nobody waits any more. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
