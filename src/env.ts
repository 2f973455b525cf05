/**
 * Bindings, variables and secrets, checked once per isolate before any request is answered. Whatever is wrong is named
 * in the log, never with its value.
 */
import * as z from "zod";

/** What a deployment sets besides its bindings. */
const Settings = z.object({
  /** Creates organizations; whoever holds it is the operator. */
  OPERATOR_TOKEN: z.string().min(32),
  /**
   * Encrypts what organizations keep here (`sealing.ts`): one secret, or two with a comma between them while
   * the first takes over from the second. Not derived from the operator's token: that one travels with requests, is
   * held by people, and must be replaceable at once without losing what is encrypted.
   */
  SETTINGS_KEY: z
    .string()
    .refine(
      (text) => /^[^\s,]{32,512}(?:,[^\s,]{32,512})?$/.test(text),
      "one secret of at least 32 characters, or two with a comma between them",
    ),
  PUBLIC_ORIGIN: z
    .string()
    .refine(
      (text) => text === "" || (URL.canParse(text) && new URL(text).origin === text),
      "an origin, without a path",
    ),
});

export interface Config {
  readonly operatorToken: string;
  /** Newest first; everything is sealed under the first. */
  readonly settingsKeys: readonly string[];
  /** The origin that links are built with; `null` for that of the request. */
  readonly publicOrigin: string | null;
}

export type EnvCheck =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: string[] };

const checked = new WeakMap<Env, EnvCheck>();

/** Faults name a variable and what is wrong with it, never its value. */
export function checkEnv(env: Env): EnvCheck {
  const known = checked.get(env);
  if (known !== undefined) return known;
  const parsed = Settings.safeParse(env);
  const check: EnvCheck = parsed.success
    ? {
        ok: true,
        config: {
          operatorToken: parsed.data.OPERATOR_TOKEN,
          settingsKeys: parsed.data.SETTINGS_KEY.split(","),
          publicOrigin: parsed.data.PUBLIC_ORIGIN === "" ? null : parsed.data.PUBLIC_ORIGIN,
        },
      }
    : { ok: false, faults: parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) };
  checked.set(env, check);
  return check;
}
