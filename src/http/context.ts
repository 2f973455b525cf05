/** What every request carries through the middleware. */
import type { Config } from "../env.ts";
import type { Scope } from "../roles.ts";
import type { Caller, Suspect } from "./access.ts";
import type { Doubt } from "./strict-json.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    config: Config;
    /** Who asks. */
    caller: Caller;
    scopes: readonly Scope[] | undefined;
    /** When the caller's rights were read, epoch milliseconds. */
    authorisedAt: number;
    /** Whose refusal it would be; unset while no organization is proven. */
    suspect: Suspect | undefined;
    /** The operation that the route names, for the refusal's row. */
    operation: string | undefined;
    /** A dry run writes nothing, not even a row for what is wrong with it. */
    dryRun: boolean | undefined;
    /** The session that the path names: if it is the caller's, its chain gets the refusal. */
    sessionId: string | undefined;
    /** Changes to what governs that this request has asked for. */
    changes: number | undefined;
    /** Places in the body that two readers could read differently, for routes that judge them themselves. */
    doubts: readonly Doubt[];
    /** The body as it came, kept for routes that judge doubts. */
    bodyText: string;
  };
}
