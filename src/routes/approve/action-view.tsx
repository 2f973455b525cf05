/**
 * The exact action that an approval is about, for whoever is to answer it. Every argument is shown whole, as the digest
 * covers it: what was read of them stands beside them and never in their place.
 */
import type { ApprovalRecord, ShownAction } from "../../durable/approval-protocol.ts";
import type { Said, TaskPolicy } from "../../policy/fence/index.ts";
import type { Reason } from "../../policy/types.ts";
import { Word } from "../dashboard/code.tsx";
import { Recorded } from "../dashboard/recorded.tsx";
import { changedArguments, changesIn } from "./diff.ts";
import { Changes } from "./diff-view.tsx";
import { EffectsView } from "./effects-view.tsx";
import { Warnings } from "./warnings.tsx";

export interface ActionViewProps {
  readonly shown: ShownAction;
  readonly record: ApprovalRecord;
  /** What the person's words came to, for the quotes that reasons stand on; `null` where it could not be read. */
  readonly policy?: TaskPolicy | null;
}

export function ActionView({ shown, record, policy = null }: ActionViewProps) {
  const changes = shown.args_omitted ? [] : changesIn(shown.args, shown.stored);
  return (
    <div class="stack-wide action">
      <Warnings shown={shown} />
      <section class="stack" aria-labelledby="action">
        <h2 id="action">What would run</h2>
        <dl class="facts">
          <dt>Tool</dt>
          <dd>
            <Word text={shown.tool} />
            {shown.effects.tool === shown.tool ? null : (
              <span class="soft">
                , read as <Word text={shown.effects.tool} />
              </span>
            )}
          </dd>
          <dt>Directory</dt>
          <dd>{shown.cwd === null ? "not known" : <Word text={shown.cwd} />}</dd>
          {shown.host ? (
            <>
              <dt>Machine</dt>
              <dd>
                <Word text={shown.host} />
              </dd>
            </>
          ) : null}
        </dl>
        <Arguments shown={shown} without={changedArguments(shown.args, changes)} />
      </section>
      {changes.length === 0 ? null : (
        <>
          <Changes changes={changes} />
          <section class="stack" aria-labelledby="arguments">
            <h2 id="arguments">Every argument, in full</h2>
            <Arguments shown={shown} />
          </section>
        </>
      )}
      <EffectsView effects={shown.effects} shortened={shown.effects_shortened} />
      <Reasons reasons={shown.reasons} />
      <Words reasons={shown.reasons} policy={policy} />
      <section class="stack-tight" aria-labelledby="digest">
        <h2 id="digest">Short digest</h2>
        <p>
          <ShortDigest digest={record.action_digest} />
        </p>
        <p class="soft small">
          It stands for this tool, these arguments, this directory and this session: change one letter, and it
          is another.
        </p>
      </section>
    </div>
  );
}

/** The first 12 digits of a digest in groups, as two people can read them to each other. */
export function ShortDigest({ digest }: { digest: string }) {
  return <code class="short-digest">{(digest.slice(0, 12).match(/.{1,4}/g) ?? []).join(" ")}</code>;
}

interface ArgumentsProps {
  readonly shown: ShownAction;
  /** Shown by what changes, which stands next: what else would run must not be buried under that. */
  readonly without?: ReadonlySet<string>;
}

function Arguments({ shown: { args, args_omitted }, without }: ArgumentsProps) {
  if (args_omitted) return <p class="note note-strong">The arguments are too large to be shown whole.</p>;
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return (
      <>
        <h3>The arguments, as they came</h3>
        <pre>
          <Recorded text={typeof args === "string" ? args : written(args)} block />
        </pre>
      </>
    );
  // What is short says what is meant; what is long would stand before it.
  const all = Object.entries(args)
    .filter(([name]) => without?.has(name) !== true)
    .sort(([, a], [, b]) => Number(isLong(a)) - Number(isLong(b)));
  if (all.length === 0) return without?.size ? null : <p>It has no arguments.</p>;
  return (
    <dl class="arguments">
      {all.map(([name, value]) => (
        <>
          <dt>
            <Word text={name} /> <span class="soft small">{kindOf(value)}</span>
          </dt>
          <dd>
            {value === "" ? (
              <span class="soft">empty</span>
            ) : (
              <pre>
                <Recorded text={typeof value === "string" ? value : written(value)} block />
              </pre>
            )}
          </dd>
        </>
      ))}
    </dl>
  );
}

function isLong(value: unknown): boolean {
  if (typeof value === "string") return value.length > 200 || value.includes("\n");
  return typeof value === "object" && value !== null;
}

/** JSON with a line for each value: nothing is left out, and what a text is can be told from what a number is. */
function written(value: unknown): string {
  return JSON.stringify(value, null, 1) ?? "";
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "list of 1" : `list of ${value.length}`;
  if (value === null) return "null";
  if (typeof value === "object") return "object";
  if (typeof value !== "string") return typeof value;
  const lines = value.split("\n").length;
  const long = value.length.toLocaleString("en-GB");
  return lines > 1
    ? `text, ${lines.toLocaleString("en-GB")} lines`
    : value.length > 200
      ? `text, ${long} characters`
      : "text";
}

function Reasons({ reasons }: { reasons: readonly Reason[] }) {
  return (
    <section class="stack-tight" aria-labelledby="why">
      <h2 id="why">Why you are asked</h2>
      {reasons.map(({ message, rule_key, cite }) => (
        <div class="reason">
          <p>
            <Recorded text={message} />
          </p>
          {cite === undefined ? null : (
            <>
              <p class="soft small">
                {cite.oath === "agent" ? "The agent's oath" : "The oath"}, version {cite.version}, line{" "}
                {cite.line}:
              </p>
              <blockquote>
                <Recorded text={cite.text} block />
              </blockquote>
            </>
          )}
          <p class="cite small soft">
            <code>{rule_key}</code>
          </p>
        </div>
      ))}
    </section>
  );
}

/** Quotes that are shown where no reason stands on one of its own. */
const MAX_QUOTES = 10;

/** What the person typed, as far as the policy stands on it: without it an approver would judge by the agent's word. */
function Words({ reasons, policy }: { reasons: readonly Reason[]; policy: TaskPolicy | null }) {
  const fenced = reasons.filter(({ engine }) => engine === "fence");
  if (policy === null || fenced.length === 0) return null;
  const all: readonly Said[] = [...policy.prohibitions, ...policy.permissions, ...policy.delegated];
  // The message carries the beginning of the words that it stands on (`policy/fence`).
  const meant = all.filter(({ quote }) =>
    fenced.some(({ message }) => message.includes(`They said: "${quote.slice(0, 160)}"`)),
  );
  const quotes = [...new Map((meant.length > 0 ? meant : all).map((said) => [said.quote, said])).values()];
  return (
    <section class="stack-tight" aria-labelledby="words">
      <h2 id="words">
        {meant.length > 0 ? "The user's words that it was held against" : "What the user asked for"}
      </h2>
      {quotes.length === 0 ? <p>Nothing is known that the user asked for in their own words.</p> : null}
      {quotes.slice(0, MAX_QUOTES).map(({ quote, span, rationale }) => (
        <div class="stack-tight">
          <blockquote>
            <Recorded text={quote} block />
          </blockquote>
          <p class="soft small">
            Turn {span.turn + 1}. <Recorded text={rationale} />
          </p>
        </div>
      ))}
      {quotes.length > MAX_QUOTES ? <p class="soft">and {quotes.length - MAX_QUOTES} more</p> : null}
    </section>
  );
}
