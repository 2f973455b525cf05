/** What an organization may set of provenance; whatever is not set, or not known, is as by default. Pure, total. */

import type { JsonValue } from "../types.ts";
import { DEFAULT_WRITE_TOOLS, type WriteTools, writeToolsOf } from "./tools.ts";
import { buildLexicon, DEFAULT_LEXICON, type Lexicon } from "./words/index.ts";

/** Where a quote may come from: this session and those it continues, or all sessions of the agent besides. */
export const SEARCHES = ["session", "profile"] as const;
export type Search = (typeof SEARCHES)[number];

/** What has to be backed: decisions, or what somebody likes and prefers as well. */
export const SCOPES = ["decisions", "decisions+preferences"] as const;
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_RETENTION_DAYS = 30;

export interface ProvenanceConfiguration {
  readonly search: Search;
  readonly lexicon: Lexicon;
  readonly tools: WriteTools;
  /** Days that typed text and evidence count, and are kept. */
  readonly retention_days: number;
}

/** Names that stand for the user, and files that agents read at every start. */
const MAX_NAMES = 64;

export const DEFAULT_PROVENANCE: ProvenanceConfiguration = {
  search: "session",
  lexicon: DEFAULT_LEXICON,
  tools: DEFAULT_WRITE_TOOLS,
  retention_days: DEFAULT_RETENTION_DAYS,
};

/** @param settings `{search, scope, retention_days, names, files, tools}`, each of which may be absent */
export function readProvenance(settings: unknown): ProvenanceConfiguration {
  if (typeof settings !== "object" || settings === null) return DEFAULT_PROVENANCE;
  const own = (name: string): unknown =>
    Object.hasOwn(settings, name) ? (settings as Record<string, unknown>)[name] : undefined;
  const names = textsOf(own("names"));
  const preferences = own("scope") === "decisions+preferences";
  const files = textsOf(own("files")).map((file) => file.replaceAll("\\", "/").toLowerCase());
  const days = own("retention_days");
  return {
    search: own("search") === "profile" ? "profile" : "session",
    lexicon: names.length === 0 && !preferences ? DEFAULT_LEXICON : buildLexicon({ names, preferences }),
    tools: writeToolsOf(own("tools") as JsonValue | undefined, {
      ...DEFAULT_WRITE_TOOLS,
      files: [...DEFAULT_WRITE_TOOLS.files, ...files],
    }),
    retention_days: typeof days === "number" && days >= 0 ? days : DEFAULT_RETENTION_DAYS,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string" && one !== "").slice(0, MAX_NAMES)
    : [];
}
