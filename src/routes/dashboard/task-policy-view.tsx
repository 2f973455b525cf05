/** A task policy for people: what the words allow and forbid, each beside the words, and what was not taken from them. */
import type { Child } from "hono/jsx";
import {
  type Dropped,
  type Permission,
  type Prohibition,
  type Said,
  spentOf,
  type Target,
  type TaskPolicy,
  type Use,
} from "../../policy/fence/index.ts";
import { Word } from "./code.tsx";
import { Cause } from "./command-steps.tsx";
import {
  compilerWords,
  draftingWords,
  droppedWords,
  limitWords,
  spentWords,
  targetWords,
  verdictWords,
} from "./policy-words.ts";
import { RISK_WORDS } from "./reading-words.ts";
import { Recorded } from "./recorded.tsx";

/** Targets of one sentence that are shown; a person's sentence names a handful. */
const LISTED_TARGETS = 50;

/** How the last drafting of a turn went, as the record has it. */
export interface Drafting {
  readonly model: string | null;
  readonly requests: number;
  /** Why there is no draft; `null` where there is one. */
  readonly cause: string | null;
}

export interface TaskPolicyViewProps {
  readonly policy: TaskPolicy;
  readonly use: Use;
  readonly drafting: Drafting | null;
}

export function TaskPolicyView({ policy, use, drafting }: TaskPolicyViewProps) {
  const { compiler, permissions, prohibitions, delegated, dropped, turns } = policy;
  return (
    <div class="stack">
      <p class="soft">
        {compilerWords(policy)}
        {drafting === null ? null : <Drafted {...drafting} />}
        {turns === 0 ? null : ` ${turns} ${turns === 1 ? "turn" : "turns"} so far.`} One policy and one set of
        budgets hold for the whole family. Reading needs no permission.
      </p>
      {turns === 0 ? null : (
        <>
          <Part
            title="What the words allow"
            items={permissions}
            none={
              compiler === "fallback"
                ? "Nothing: what they ask for could not be read."
                : "They ask for no effect."
            }
          >
            {(permission) => <Allowed permission={permission} spent={spentOf(use, permission.id)} />}
          </Part>
          <Part title="What the words forbid" items={prohibitions} none="They forbid nothing.">
            {(prohibition) => <Forbidden prohibition={prohibition} />}
          </Part>
        </>
      )}
      {delegated.length === 0 ? null : (
        <Part title="What the words leave to something else" items={delegated} none="">
          {(said) => <Quote said={said} />}
        </Part>
      )}
      {dropped.length === 0 ? null : <NotTaken dropped={dropped} />}
    </div>
  );
}

function Drafted({ model, requests, cause }: Drafting) {
  return (
    <>
      {" "}
      {model === null ? "A model" : <Word text={model} />} was asked{" "}
      {requests === 1 ? "once" : `${requests} times`} about the last turn of this session
      {cause === null ? null : <>: {draftingWords(cause)}</>}.
    </>
  );
}

function Part<T>({
  title,
  items,
  none,
  children,
}: {
  title: string;
  items: readonly T[];
  none: string;
  children: (item: T) => Child;
}) {
  return (
    <section class="stack-tight">
      <h3>{title}</h3>
      {items.length === 0 ? (
        <p class="card pad soft">{none}</p>
      ) : (
        <ul class="said card">
          {items.map((item) => (
            <li>{children(item)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The words, verbatim, where they stand, and what they were taken to mean. */
function Quote({ said: { quote, span, rationale } }: { said: Said }) {
  return (
    <>
      <blockquote>
        <Recorded text={quote} block />
      </blockquote>
      <p class="soft small">
        Turn {span.turn + 1}. <Recorded text={rationale} />
      </p>
    </>
  );
}

function Allowed({ permission, spent }: { permission: Permission; spent: number }) {
  const { risk, verbs, object, targets, limit } = permission;
  // Whoever or whatever an effect reaches has a budget of its own.
  const counted = targets.filter(({ kind }) => kind === "recipient" || kind === "item").length;
  return (
    <>
      <Quote said={permission} />
      <dl class="facts">
        <dt>Allows</dt>
        <dd>
          <code>{risk}</code> {RISK_WORDS[risk]}
        </dd>
        <Acts verbs={verbs} object={object} />
        <dt>Names</dt>
        <dd>{targets.length === 0 ? "nothing and nobody" : <Targets targets={targets} />}</dd>
        <dt>Good for</dt>
        <dd>{limitWords(limit, counted)}</dd>
        <dt>Used</dt>
        <dd>{spentWords(spent)}</dd>
      </dl>
    </>
  );
}

function Forbidden({ prohibition }: { prohibition: Prohibition }) {
  const { risks, verbs, object, targets, except, verdict } = prohibition;
  return (
    <>
      <Quote said={prohibition} />
      <dl class="facts">
        <dt>Forbids</dt>
        <dd>
          {risks === "all" ? (
            "every effect"
          ) : (
            <ul class="bare">
              {risks.map((risk) => (
                <li>
                  <code>{risk}</code> {RISK_WORDS[risk]}
                </li>
              ))}
            </ul>
          )}
        </dd>
        <Acts verbs={verbs} object={object} />
        <dt>{except ? "All but" : "Of"}</dt>
        <dd>{targets.length === 0 ? except ? "nothing" : "everything" : <Targets targets={targets} />}</dd>
        <dt>Such a call is</dt>
        <dd>{verdictWords(verdict)}</dd>
      </dl>
    </>
  );
}

/** The words that an act is compared with, where the sentence has any. */
function Acts({ verbs, object }: Pick<Permission, "verbs" | "object">) {
  if (verbs.length === 0 && object.length === 0) return null;
  return (
    <>
      <dt>Doing</dt>
      <dd>
        <Recorded text={verbs.join(" / ")} />
        {object.length === 0 ? null : (
          <>
            {" "}
            <Word text={object.join(" ")} />
          </>
        )}
      </dd>
    </>
  );
}

function Targets({ targets }: { targets: readonly Target[] }) {
  return (
    <ul class="bare">
      {targets.slice(0, LISTED_TARGETS).map((target) => {
        const [before, after] = targetWords(target);
        return (
          <li>
            {before} <Word text={target.text} /> {after}
            {target.within === undefined ? null : (
              <>
                in <Word text={target.within} />
              </>
            )}
          </li>
        );
      })}
      {targets.length > LISTED_TARGETS ? (
        <li class="soft">and {targets.length - LISTED_TARGETS} more</li>
      ) : null}
    </ul>
  );
}

function NotTaken({ dropped }: { dropped: readonly Dropped[] }) {
  return (
    <section class="stack-tight">
      <h3>What was not taken from them</h3>
      <div class="card">
        <table class="things things-tall">
          <thead>
            <tr>
              <th scope="col">Words</th>
              <th scope="col">Why not</th>
            </tr>
          </thead>
          <tbody>
            {dropped.map(({ quote, span, cause }) => (
              <tr>
                <td>
                  <blockquote>
                    <Recorded text={quote} block />
                  </blockquote>
                  {span === null ? null : <p class="soft small">Turn {span.turn + 1}</p>}
                </td>
                <td data-label="Why not">
                  {droppedWords(cause)} <Cause text={cause} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
