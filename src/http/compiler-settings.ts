/** Who compiles an organization's task policies: read, and changed with every check, for the API and for the pages. */
import type { Context } from "hono";
import * as z from "zod";
import { readAddress } from "../addresses.ts";
import {
  type CompilerSettings,
  compilerSettings,
  isApiKey,
  keyPlace,
  PROVIDERS,
  readCompilerSettings,
  shownSettings,
} from "../compiler/index.ts";
import { readOrganization } from "../db/governance.ts";
import { type Fault, Problem } from "../errors.ts";
import { seal } from "../sealing.ts";
import { memberCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { reachOf } from "./drafting.ts";
import { govern } from "./governing.ts";

export const CompilerRequest = z
  .strictObject({
    compiler: z.enum(["rules", "model"]),
    provider: z.enum(PROVIDERS).optional(),
    base_url: z.string().max(2_048).nullable().optional().meta({
      description: "Of an OpenAI-compatible endpoint, https.",
    }),
    model: z.string().max(200).nullable().optional(),
    timeout_ms: z.int().min(1_000).max(20_000).optional(),
    key: z.string().max(4_096).nullable().optional().meta({
      description:
        "Kept encrypted for this provider and origin alone. Left out: the one that is kept stays, unless provider or origin change. `null` removes it.",
    }),
  })
  .meta({ id: "CompilerRequest" });
export type CompilerRequest = z.infer<typeof CompilerRequest>;

export type ShownCompiler = ReturnType<typeof shownSettings>;

/** @throws {Problem} `not-found` */
export async function compilerInForce(c: Context<AppEnv>): Promise<CompilerSettings> {
  const row = await readOrganization(c.env.DB, memberCaller(c).organization);
  if (row === null) throw new Problem("not-found", "There is no such organization.");
  return compilerSettings((JSON.parse(row.settings) as { compiler?: unknown }).compiler);
}

/**
 * Puts another compiler in force. A key is kept sealed for its provider and origin, and goes when they change.
 * @returns what is in force then, and may be shown
 * @throws {Problem} `invalid-request` with a fault for each place, and whatever `govern` refuses by
 */
export async function changeCompiler(
  c: Context<AppEnv>,
  { key, ...body }: CompilerRequest,
): Promise<ShownCompiler> {
  const caller = memberCaller(c);
  const before = await compilerInForce(c);
  const { settings, faults } = readCompilerSettings(body);
  const errors: Fault[] = faults.map(({ pointer, cause }) => ({
    pointer,
    detail: "This cannot be taken.",
    code: cause,
  }));
  if (settings.base_url !== null) {
    const address = readAddress(settings.base_url, reachOf(c));
    if (!address.ok)
      errors.push({
        pointer: "/base_url",
        detail:
          "This address may not be asked: it must be https, public, without a credential, and not this deployment.",
        code: address.cause,
      });
  }
  if (typeof key === "string" && !isApiKey(key))
    errors.push({
      pointer: "/key",
      detail: "A key is 1 to 4096 printable ASCII characters.",
      code: "not-a-key",
    });
  if (errors.length > 0)
    throw new Problem("invalid-request", "The compiler stays as it is. See errors for each place.", {
      errors,
    });
  const place = keyPlace(caller.organization, settings);
  const sealed =
    typeof key === "string"
      ? await seal(key, place, c.get("config").settingsKeys)
      : key === undefined && keyPlace(caller.organization, before).field === place.field
        ? before.key
        : null;
  const after: CompilerSettings = { ...settings, key: sealed };
  const shown = shownSettings(after);
  await govern(
    c,
    caller.organization,
    { kind: "change_compiler", compiler: { ...after }, shown: { ...shown } },
    caller.member,
  );
  return shown;
}
