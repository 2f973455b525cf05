/** What may be set of the engines, as requests say it: for an organization, for one agent, or to try. */
import * as z from "zod";
import { JUDGED_CLASSES } from "../policy/fence/index.ts";
import { MODES } from "../policy/modes.ts";
import { VERDICTS } from "../policy/types.ts";

export const EngineModes = z.strictObject({
  oath: z.enum(MODES).optional(),
  fence: z.enum(MODES).optional(),
  provenance: z.enum(MODES).optional(),
});
const Unauthorized = z
  .strictObject(
    Object.fromEntries(
      JUDGED_CLASSES.map((risk) => [
        risk,
        z.enum(risk === "UNKNOWN" ? ["ask", "block"] : VERDICTS).optional(),
      ]),
    ),
  )
  .optional();

export const FenceSettings = z
  .strictObject({
    unauthorized: z.strictObject({ reading: Unauthorized, acting: Unauthorized }).optional().meta({
      description:
        "What an effect that nobody asked for is answered with, by class: in a task that only asks to read, and in one that asks for effects. What is not set is as by default.",
    }),
    strict: z.boolean().optional().meta({
      description: "Where nobody can answer (`answerer` is `auto` or `none`), an ask is a block.",
    }),
    loop_limit: z.int().min(0).max(1000).optional().meta({
      description: "The same call this often within one turn is asked about; 0 for never. Default 5.",
    }),
  })
  .meta({ id: "FenceSettings" });
