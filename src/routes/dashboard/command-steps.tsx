/** The command lines of a call with each step marked where it stands, and under each what was found there. */
import type { Child } from "hono/jsx";
import type { Explanation, Fact, Step } from "../../policy/effects/index.ts";
import type { FileVerb } from "../../policy/types.ts";
import { Word } from "./code.tsx";
import { causeWords, verbWords } from "./reading-words.ts";
import { Recorded } from "./recorded.tsx";

interface Numbered extends Step {
  readonly number: number;
}

export function CommandSteps({ explanation }: { explanation: Explanation }) {
  const { texts, steps, truncated } = explanation;
  const whole = steps.filter((step) => step.text === null);
  const within = texts.map((_, text) =>
    steps.filter((step) => step.text === text).sort((a, b) => a.start - b.start || b.end - a.end),
  );
  // Numbered as they are met by whoever reads down the page.
  let count = 0;
  const numbered = within.map((some) => some.map((step): Numbered => ({ ...step, number: ++count })));
  return (
    <>
      {texts.map((text, at) => (
        <section class="stack-tight">
          <h3 class="part">{at === 0 ? "Command line, step by step" : `Text ${at + 1}, found inside`}</h3>
          <pre class="steps-text">{marked(text, numbered[at] ?? [], 0, text.length)}</pre>
          {numbered[at]?.length === 0 ? (
            <p class="soft">No step of it was found to do anything but look.</p>
          ) : (
            <ol class="steps">
              {numbered[at]?.map((step) => (
                <li id={`step-${step.number}`}>
                  <span class="step-number" aria-hidden="true">
                    {step.number}
                  </span>
                  <div class="stack-tight">
                    <code>
                      <span class="unheard">Step {step.number}: </span>
                      <Recorded text={step.quote} />
                    </code>
                    <Found facts={step.found} />
                  </div>
                </li>
              ))}
            </ol>
          )}
        </section>
      ))}
      {whole.map((step) => (
        <section class="stack-tight">
          <h3 class="part">
            {step.pointer === "" ? (
              "The call as a whole"
            ) : (
              <>
                All of <Pointer text={step.pointer} />
              </>
            )}
          </h3>
          <Found facts={step.found} />
        </section>
      ))}
      {truncated ? <p class="soft">There is more in this call than is told here.</p> : null}
    </>
  );
}

/** Part of a text, with the steps that stand in it marked; a step inside another one is marked inside its mark. */
function marked(text: string, steps: readonly Numbered[], from: number, to: number): Child[] {
  const parts: Child[] = [];
  let at = from;
  for (let i = 0; i < steps.length; ) {
    const step = steps[i];
    if (step === undefined) break;
    const end = Math.min(step.end, to);
    let next = i + 1;
    while ((steps[next]?.start ?? to) < end) next += 1;
    if (step.start >= at && end > step.start) {
      if (step.start > at) parts.push(<Recorded text={text.slice(at, step.start)} block />);
      parts.push(
        <mark class="step">
          <a class="step-number" href={`#step-${step.number}`} aria-label={`Step ${step.number}`}>
            {step.number}
          </a>
          {marked(text, steps.slice(i + 1, next), step.start, end)}
        </mark>,
      );
      at = end;
      i = next;
    } else i += 1;
  }
  if (to > at) parts.push(<Recorded text={text.slice(at, to)} block />);
  return parts;
}

/** What was found in one place; a file is told once, with all that happens to it. */
export function Found({ facts }: { facts: readonly Fact[] }) {
  const risks = facts.flatMap((one) => (one.fact === "carries" ? [one.risk] : []));
  const files = new Map<string, FileVerb[]>();
  for (const one of facts)
    if (one.fact === "acts") files.set(one.path, [...(files.get(one.path) ?? []), one.verb]);
  return (
    <ul class="bare found">
      {risks.length === 0 ? null : <li>{risks.join(", ")}</li>}
      {[...files].map(([path, verbs]) => (
        <li>
          {verbWords(verbs)} <Path text={path} />
        </li>
      ))}
      {facts.map((one) => (
        <OtherFact fact={one} />
      ))}
    </ul>
  );
}

function OtherFact({ fact }: { fact: Fact }) {
  switch (fact.fact) {
    case "acts":
    case "carries":
      return null;
    case "hides":
      return (
        <li>
          hidden: {causeWords(fact.cause)} <Cause text={fact.cause} />
        </li>
      );
    case "reaches":
      return (
        <li>
          reaches <Word text={fact.host} />
        </li>
      );
    case "copies":
      return (
        <li>
          copies <Path text={fact.src} /> to <Path text={fact.dest} />
        </li>
      );
    case "governs":
      return (
        <li>
          reaches for Countersign itself: {causeWords(fact.what)} <Cause text={fact.what} />
        </li>
      );
  }
}

/** A path, or some path that cannot be known. */
export function Path({ text }: { text: string }) {
  return text === "?" ? <>a path that cannot be known beforehand</> : <Word text={text} />;
}

/** The stable name of a cause, beside its words: what decisions and the API call it. */
export function Cause({ text }: { text: string }) {
  return <code class="soft">{text}</code>;
}

/** Where in the arguments something stands. */
export function Pointer({ text }: { text: string }) {
  return text === "" ? <>the arguments</> : <Word text={text} />;
}
