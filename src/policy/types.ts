/**
 * The vocabulary that every judge shares: what a tool call is, what it would do, and why it is refused.
 * Types only. `effects/` produces `Effects`; `oath/`, `fence/` and `provenance/` turn it into findings;
 * `decide.ts` turns findings and a session's state into one verdict.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** `{tool, args}` that an agent wants to run. `args` has already been read strictly: no duplicate keys, no lone surrogates. */
export interface ToolCall {
  readonly tool: string;
  readonly args: JsonObject;
}

export type OperatingSystem = "linux" | "darwin" | "windows";

/**
 * Where a session runs, as its harness declared it. A missing member means that the harness did not say;
 * whatever depends on it is unknown, never guessed.
 */
export interface Environment {
  readonly home: string | null;
  readonly cwd: string | null;
  /** Declared variables by name, without `$`, e.g. `HERMES_HOME`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly os: OperatingSystem;
}

/** What this deployment and its client are called, so that a call that reaches for them can be seen. */
export interface Self {
  /** Hosts of this deployment's own origin, lower case, with the port when it is not the scheme's own, e.g. `localhost:8787`. */
  readonly hosts: readonly string[];
  /** Environment variables that hold the agent's key, e.g. `COUNTERSIGN_KEY`. */
  readonly variables: readonly string[];
}

/** What an MCP server says of a tool of its own. Hints: they may raise what is read, never lower it. */
export interface Annotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ReadingContext {
  readonly environment: Environment;
  readonly self: Self;
  readonly annotations?: Annotations | undefined;
}

/** What a call can do to the world. A call can carry several. See DESIGN §4. */
export const RISK_CLASSES = [
  "READ",
  "WRITE",
  "DELETE",
  "EXECUTE",
  "NETWORK",
  "COMMUNICATION",
  "SHARE",
  "EXTERNAL_WRITE",
  "FINANCIAL",
  "PERSISTENT",
  "CREDENTIAL",
  "GOVERNANCE",
  "UNKNOWN",
] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

/** What happens to a file. A write to a path that may or may not exist is both `modify` and `create`. */
export const FILE_VERBS = ["delete", "modify", "create"] as const;
export type FileVerb = (typeof FILE_VERBS)[number];

/**
 * A set of absolute paths, written as text: `/a/b` is that path alone; `/a/b/**` is `/a/b` and everything below it;
 * `*`, `?` and `[…]` inside a segment are globs; a backslash takes the next character literally;
 * a lone `?` is "some path that cannot be known". `/` is the only separator; segments `.` and `..` never occur.
 */
export type PathBound = string;

export interface FileAction {
  readonly verb: FileVerb;
  readonly path: PathBound;
}

/** A copy that would exist after the call succeeded: `src` is what is covered, `dest` where the copy would be. */
export interface Backup {
  readonly src: PathBound;
  readonly dest: PathBound;
}

/** Why the full effect of a call cannot be known, and what is known all the same. */
export interface Opacity {
  /** Stable kebab-case causes, e.g. `unknown-program`, `inline-code`, `parse-error`. */
  readonly causes: readonly string[];
  /** True when the text could not be parsed at all, so that not even the names in it can be trusted to be all. */
  readonly unparsed: boolean;
  /** Paths that the call names anywhere in its text or arguments, resolved; what opaque code may touch first. */
  readonly names: readonly PathBound[];
}

/** A value in the arguments that must not be judged, because two readers would read it differently or it is out of bounds. */
export interface Unreadable {
  /** JSON pointer into the arguments, e.g. `/path`; empty for the arguments as a whole. */
  readonly pointer: string;
  /** Stable kebab-case cause, e.g. `nul`, `bidi`, `too-long`, `missing`. */
  readonly cause: string;
}

/** How somebody or something is addressed by a call. `payee` is who gets money, `member` who gets access. */
export const RECIPIENT_ROLES = [
  "to",
  "copy",
  "blind-copy",
  "reply-to",
  "attendee",
  "member",
  "channel",
  "payee",
  "public",
] as const;
export type RecipientRole = (typeof RECIPIENT_ROLES)[number];

/** Somebody, or some place, that a call would reach with a message, an invitation, a right or money. */
export interface Recipient {
  readonly role: RecipientRole;
  /**
   * What two addresses are compared by: lower case, the address alone of `Name <address>` and `mailto:`, domain in
   * ASCII (IDNA), plus-tags and dots kept, `#channel` and `@handle` with their mark. `*` for the public at large.
   */
  readonly address: string;
  readonly given: string;
  /** JSON pointer into the arguments; `/command` for what a command line says. */
  readonly pointer: string;
}

/** A sum that a call would move or commit to. */
export interface Amount {
  /** Decimal text, no exponent, no leading zeros, at most 40 characters: `35`, `19.99`. */
  readonly value: string;
  /** ISO 4217 in capitals, or `null` when the call does not say. */
  readonly currency: string | null;
  /** True where the argument's name or the service says that the value may be in cents (Stripe's `amount: 3500`). */
  readonly minor: boolean;
  readonly pointer: string;
}

/** Something that a call names and that is neither a path, a host, a recipient nor a sum: an id, a title, a branch, a role. */
export interface Item {
  /** The argument's name in lower-case words joined by `_`, e.g. `issue_number`, `role`, `branch`. */
  readonly name: string;
  readonly value: string;
  readonly pointer: string;
}

/**
 * One thing that a call does, in words: what a request in a person's own words is compared with.
 * `mcp__github__merge_pull_request` is `{risk: EXTERNAL_WRITE, verbs: [merge], object: [pull, request], service: github}`;
 * `git push --force origin main` is `{risk: EXTERNAL_WRITE, verbs: [push, force], object: [origin, main], service: git}`.
 */
export interface Act {
  readonly risk: RiskClass;
  /** Base forms in lower case, the deciding one first. */
  readonly verbs: readonly string[];
  readonly object: readonly string[];
  /** The MCP server, program or product that does it; `null` for the harness' own tools. */
  readonly service: string | null;
  /** How often the call does it, where more than once: a loop, or several calls in one. */
  readonly times?: number;
}

/** Text that a call would keep where a later session reads it: a memory, a skill, a rules file. */
export interface Stored {
  readonly text: string;
  readonly pointer: string;
}

/** A spelling that is made to be taken for another, e.g. `mixed-script` in a host. Stable kebab-case causes. */
export interface Deception {
  readonly cause: string;
  readonly text: string;
  readonly pointer: string;
}

/** The one reading of a tool call that all judges see. Everything is sorted and free of duplicates. */
export interface Effects {
  /** The tool's canonical name, e.g. `shell` for Hermes `terminal` and Claude Code `Bash`; the given name when it is not known. */
  readonly tool: string;
  readonly risks: readonly RiskClass[];
  readonly actions: readonly FileAction[];
  /** `null` when everything that the call does is known. */
  readonly opaque: Opacity | null;
  readonly backups: readonly Backup[];
  /** Hosts that the call reaches, normalised, lower case. */
  readonly hosts: readonly string[];
  readonly acts: readonly Act[];
  readonly recipients: readonly Recipient[];
  readonly amounts: readonly Amount[];
  readonly items: readonly Item[];
  readonly stored: readonly Stored[];
  readonly deceptions: readonly Deception[];
  /** What of Countersign itself the call reaches for, as stable kebab-case names: `own-origin`, `own-key`, `own-key-variable`, `hook-configuration`, `oath-file`. */
  readonly governance: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

export const ENGINES = ["guard", "oath", "fence", "provenance"] as const;
export type Engine = (typeof ENGINES)[number];

export const VERDICTS = ["allow", "block", "ask"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Where in an oath a reason stands. `line` counts from 1. */
export interface OathCitation {
  readonly oath: "organization" | "agent";
  readonly version: number;
  readonly line: number;
  readonly text: string;
}

/** Why a call was not simply allowed. The message is for the agent and its people: it says what to do. */
export interface Reason {
  /** `<engine>:<kebab-reason>`, e.g. `oath:never`. */
  readonly rule_key: string;
  readonly engine: Engine;
  readonly message: string;
  readonly cite?: OathCitation;
  /** Who or what can clear it: nobody, the owner (by changing the oath), evidence (by recording it), or the caller (by sending the call differently). */
  readonly clearable_by: "nobody" | "owner" | "evidence" | "caller";
}

/** Something a judge holds against a call. With `unless`, it falls away when the session's evidence meets the condition. */
export interface Finding {
  readonly verdict: "block" | "ask";
  readonly reason: Reason;
  readonly unless?: EvidenceCondition;
}

/** Met when recorded evidence of this kind covers every one of the bounds. */
export interface EvidenceCondition {
  readonly evidence: "backup";
  readonly of: readonly PathBound[];
}
