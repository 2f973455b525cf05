/** What a reading says of a call, for people: the same facts that every judge sees. */
import type { Child } from "hono/jsx";
import type { Explanation } from "../../policy/effects/index.ts";
import type { Amount, Effects, FileVerb, Recipient } from "../../policy/types.ts";
import { Word } from "./code.tsx";
import { Cause, CommandSteps, Path, Pointer } from "./command-steps.tsx";
import { causeWords, RISK_WORDS, ROLE_WORDS, verbWords } from "./reading-words.ts";
import { Recorded, shortened } from "./recorded.tsx";

export type Reading = Effects & Explanation;

/** Entries of one list that are shown; the API gives all of them. */
const LISTED = 200;
/** Names that are shown at once. */
const FOLDED = 12;
/** Characters of a text that is only named here. */
const SHOWN_TEXT = 2_000;
/** Characters of what was given, where no command line was found in it to be shown instead. */
const MOST_GIVEN = 64 * 1024;

export interface ReadingViewProps {
  readonly reading: Reading;
  /** The tool's name and what it was given, as they were typed. */
  readonly tool: string;
  readonly given: string;
}

export function ReadingView({ reading, tool, given }: ReadingViewProps) {
  const { risks, opaque, unreadable, governance, deceptions } = reading;
  return (
    <div class="card pad">
      <div class="detail">
        <Part title="What it can do">
          <p class="soft">
            <Word text={tool} />
            {reading.tool === tool ? null : (
              <>
                , read as <Word text={reading.tool} />
              </>
            )}
          </p>
          <dl class="facts">
            {risks.map((risk) => (
              <>
                <dt>
                  <code>{risk}</code>
                </dt>
                <dd>{RISK_WORDS[risk]}</dd>
              </>
            ))}
          </dl>
        </Part>
        {reading.texts.length > 0 ? null : (
          <Part title="What was read">
            <pre>
              <Recorded text={shortened(given, MOST_GIVEN)} block />
            </pre>
          </Part>
        )}
        {reading.texts.length === 0 && reading.steps.length < 2 ? null : (
          <CommandSteps explanation={reading} />
        )}
        <List
          title="What cannot be read"
          items={unreadable}
          show={({ pointer, cause }) => (
            <>
              <Pointer text={pointer} />: {causeWords(cause)} <Cause text={cause} />
            </>
          )}
        />
        <List
          title="What of Countersign itself it reaches for"
          items={governance}
          show={(what) => (
            <>
              {causeWords(what)} <Cause text={what} />
            </>
          )}
        />
        {opaque === null ? null : <Hidden opaque={opaque} />}
        <List
          title="Spelled to be taken for something else"
          items={deceptions}
          show={({ cause, text, pointer }) => (
            <>
              <Word text={text} /> in <Pointer text={pointer} />: {causeWords(cause)} <Cause text={cause} />
            </>
          )}
        />
        <Files reading={reading} />
        <List
          title="Whom it reaches"
          items={reading.recipients}
          show={(recipient) => <Reached {...recipient} />}
        />
        <List title="Sums" items={reading.amounts} show={(amount) => <Sum {...amount} />} />
        <List title="Hosts" items={reading.hosts} show={(host) => <Word text={host} />} />
        <List
          title="Text that it keeps for later sessions"
          items={reading.stored}
          show={({ text, pointer }) => (
            <>
              <Word text={shortened(text, SHOWN_TEXT)} /> in <Pointer text={pointer} />
            </>
          )}
        />
        <List
          title="What it does, in the words that a request is compared with"
          items={reading.acts}
          show={({ risk, verbs, object, service }) => (
            <>
              {risk}: <Recorded text={verbs.join(" / ")} />
              {object.length === 0 ? null : (
                <>
                  {" "}
                  <Word text={object.join(" ")} />
                </>
              )}
              {service === null ? null : (
                <>
                  , by <Word text={service} />
                </>
              )}
            </>
          )}
        />
        {reading.items.length === 0 ? null : (
          <details class="tell">
            <summary>What else it names ({reading.items.length})</summary>
            <ul class="bare">
              {reading.items.slice(0, LISTED).map(({ name, value, pointer }) => (
                <li>
                  <Recorded text={name} /> <Word text={shortened(value, SHOWN_TEXT)} /> in{" "}
                  <Pointer text={pointer} />
                </li>
              ))}
              <More all={reading.items.length} />
            </ul>
          </details>
        )}
      </div>
    </div>
  );
}

function Hidden({ opaque }: { opaque: NonNullable<Effects["opaque"]> }) {
  return (
    <Part title="What is hidden, and why">
      <ul class="bare">
        {opaque.causes.map((cause) => (
          <li>
            {causeWords(cause)} <Cause text={cause} />
          </li>
        ))}
      </ul>
      <Named opaque={opaque} />
      {opaque.causes.includes("unknown-tool") ? (
        <p>
          <a href="/tools">A row in the tool table</a> can say what it does.
        </p>
      ) : null}
    </Part>
  );
}

/** What may be touched by what is hidden; many names stand behind a fold, since nobody reads them first. */
function Named({ opaque: { unparsed, names } }: { opaque: NonNullable<Effects["opaque"]> }) {
  if (unparsed) return <p>It could not be read at all, so it may do anything, to any file.</p>;
  if (names.length === 0) return <p class="soft">It names no file.</p>;
  const list = (
    <ul class="bare">
      {names.slice(0, LISTED).map((name) => (
        <li>
          <Path text={name} />
        </li>
      ))}
      <More all={names.length} />
    </ul>
  );
  if (names.length > FOLDED)
    return (
      <details class="tell">
        <summary>It names {names.length} files, and may do anything to them</summary>
        {list}
      </details>
    );
  return (
    <>
      <p>It names these files, and may do anything to them:</p>
      {list}
    </>
  );
}

/** One line for each file, with everything that happens to it. */
function Files({ reading: { actions, backups } }: { reading: Reading }) {
  const files = new Map<string, FileVerb[]>();
  for (const { verb, path } of actions) files.set(path, [...(files.get(path) ?? []), verb]);
  const trees = [...files.keys()].some((path) => path.endsWith("/**"));
  return (
    <>
      <List
        title="What happens to which files"
        items={[...files]}
        show={([path, verbs]) => (
          <>
            {verbWords(verbs)} <Path text={path} />
          </>
        )}
      >
        {trees ? (
          <p class="soft small">
            <code>/**</code> at the end means that path and all below it.
          </p>
        ) : null}
      </List>
      <List
        title="Copies that count as a backup"
        items={backups}
        show={({ src, dest }) => (
          <>
            <Path text={src} /> to <Path text={dest} />
          </>
        )}
      />
    </>
  );
}

function Reached({ role, address, given, pointer }: Recipient) {
  return (
    <>
      {ROLE_WORDS[role]} {address === "*" ? null : <Word text={address} />}
      {given === address ? null : (
        <>
          , written <Word text={given} />,
        </>
      )}{" "}
      in <Pointer text={pointer} />
    </>
  );
}

function Sum({ value, currency, minor, pointer }: Amount) {
  return (
    <>
      <Recorded text={value} /> {currency === null ? "of no named currency" : <Recorded text={currency} />}
      {minor ? ", perhaps in cents," : ""} in <Pointer text={pointer} />
    </>
  );
}

function Part({ title, children }: { title: string; children?: Child }) {
  return (
    <section class="stack-tight">
      <h3 class="part">{title}</h3>
      {children}
    </section>
  );
}

/** A part with a list; nothing without entries. */
function List<T>({
  title,
  items,
  show,
  children,
}: {
  title: string;
  items: readonly T[];
  show: (item: T) => Child;
  children?: Child;
}) {
  if (items.length === 0) return null;
  return (
    <Part title={title}>
      <ul class="bare">
        {items.slice(0, LISTED).map((item) => (
          <li>{show(item)}</li>
        ))}
        <More all={items.length} />
      </ul>
      {children}
    </Part>
  );
}

function More({ all }: { all: number }) {
  return all > LISTED ? <li class="soft">and {all - LISTED} more</li> : null;
}
