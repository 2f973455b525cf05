/** Where calls run, as a request says it: one schema and one reader for whoever takes it. */
import * as z from "zod";
import { resolvePath, utf8Bytes } from "../policy/paths/index.ts";
import type { Environment, Unreadable } from "../policy/types.ts";

const MAX_PATH_CHARACTERS = 4096;
const MAX_VARIABLES = 100;
/** Names and values of all variables together, in UTF-8: every reading of a call stands on them. */
const MAX_VARIABLES_BYTES = 64 * 1024;

const Path = z.string().min(1).max(MAX_PATH_CHARACTERS);

/** The members that an environment takes in a request's body. */
export const ENVIRONMENT = {
  os: z
    .enum(["linux", "darwin", "windows"])
    .optional()
    .meta({ description: "Decides whether letter case distinguishes paths. Default `linux`." }),
  home: Path.optional().meta({ description: "What `~` means, absolute." }),
  cwd: Path.optional().meta({ description: "What relative paths stand on, absolute." }),
  variables: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/), z.string().max(MAX_PATH_CHARACTERS))
    .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, {
      message: `at most ${MAX_VARIABLES} variables`,
    })
    .refine((variables) => utf8Bytes(Object.entries(variables).flat().join("")) <= MAX_VARIABLES_BYTES, {
      message: `at most ${MAX_VARIABLES_BYTES} bytes of names and values together`,
    })
    .optional()
    .meta({
      description: `Variables that paths are written with, e.g. \`HERMES_HOME\`. At most ${MAX_VARIABLES}, and ${MAX_VARIABLES_BYTES} bytes together.`,
    }),
} as const;

const EnvironmentShape = z.object(ENVIRONMENT);

/**
 * The environment that a body declares, and which of its paths cannot be read; such a path is `null` in it. Everything
 * is matched against these paths: whoever asks refuses the request, or judges the call as one that cannot be read.
 */
export function readEnvironment(body: z.infer<typeof EnvironmentShape>): {
  environment: Environment;
  unreadable: Unreadable[];
} {
  const unreadable: Unreadable[] = [];
  const bare: Environment = { home: null, cwd: null, variables: {}, os: body.os ?? "linux" };
  const absolute = (pointer: string, text: string | undefined, on: Environment): string | null => {
    if (text === undefined) return null;
    const resolved = resolvePath(text, on);
    if (resolved.ok) return resolved.path;
    unreadable.push({ pointer, cause: resolved.cause });
    return null;
  };
  const home = absolute("/home", body.home, bare);
  const cwd = absolute("/cwd", body.cwd, { ...bare, home });
  return { environment: { ...bare, home, cwd, variables: body.variables ?? {} }, unreadable };
}
