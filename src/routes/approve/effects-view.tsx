/** What was read of an action: what it would do, to what, to whom. Every entry that the approval holds is shown. */
import type { Child } from "hono/jsx";
import type { Effects, FileVerb } from "../../policy/types.ts";
import { Word } from "../dashboard/code.tsx";
import { Cause, Path, Pointer } from "../dashboard/command-steps.tsx";
import { causeWords, RISK_WORDS, ROLE_WORDS, verbWords } from "../dashboard/reading-words.ts";
import { Recorded } from "../dashboard/recorded.tsx";

export function EffectsView({ effects, shortened }: { effects: Effects; shortened: boolean }) {
  const { risks, opaque, actions, backups, recipients, amounts, hosts, governance } = effects;
  const files = new Map<string, FileVerb[]>();
  for (const { verb, path } of actions) files.set(path, [...(files.get(path) ?? []), verb]);
  return (
    <section class="stack" aria-labelledby="does">
      <h2 id="does">What it can do</h2>
      {shortened ? (
        <p class="note note-strong">
          It does more than can be listed: these lists are not all. The arguments are whole.
        </p>
      ) : null}
      <ul class="plain">
        {risks.map((risk) => (
          <li>
            {RISK_WORDS[risk]} <code class="soft">{risk}</code>
          </li>
        ))}
      </ul>
      {opaque === null ? null : (
        <div class="note note-strong stack-tight">
          <h3 class="note-title">Not all of it can be seen</h3>
          <ul class="plain">
            {opaque.causes.map((cause) => (
              <li>
                {causeWords(cause)} <Cause text={cause} />
              </li>
            ))}
          </ul>
          {opaque.unparsed ? <p>It could not be read at all, so it may do anything, to any file.</p> : null}
        </div>
      )}
      {opaque === null ? null : (
        <Listed
          title="Files that it names, and may do anything to"
          items={opaque.names.map((name) => <Path text={name} />)}
        />
      )}
      <Listed
        title="What happens to which files"
        items={[...files].map(([path, verbs]) => (
          <>
            {verbWords(verbs)} <Path text={path} />
            {path.endsWith("/**") ? " and all below it" : ""}
          </>
        ))}
      />
      <Listed
        title="Copies that it makes first"
        items={backups.map(({ src, dest }) => (
          <>
            <Path text={src} /> to <Path text={dest} />
          </>
        ))}
      />
      <Listed
        title="Whom it reaches"
        items={recipients.map(({ role, address, given }) => (
          <>
            {ROLE_WORDS[role]} {address === "*" ? null : <Word text={address} />}
            {given === address ? null : (
              <>
                , written <Word text={given} />
              </>
            )}
          </>
        ))}
      />
      <Listed
        title="Sums"
        items={amounts.map(({ value, currency, minor, pointer }) => (
          <>
            <strong>
              <Recorded text={value} />{" "}
              {currency === null ? "of no named currency" : <Recorded text={currency} />}
            </strong>
            {minor ? ", perhaps in cents," : ""} in <Pointer text={pointer} />
          </>
        ))}
      />
      <Listed title="Hosts" items={hosts.map((host) => <Word text={host} />)} />
      <Listed
        title="What of Countersign itself it reaches for"
        items={governance.map((what) => (
          <>
            {causeWords(what)} <Cause text={what} />
          </>
        ))}
      />
    </section>
  );
}

function Listed({ title, items }: { title: string; items: readonly Child[] }) {
  if (items.length === 0) return null;
  return (
    <div class="stack-tight">
      <h3>
        {title}
        {items.length > 1 ? <span class="soft"> ({items.length.toLocaleString("en-GB")})</span> : null}
      </h3>
      <ul class="bare wrap">
        {items.map((item) => (
          <li>{item}</li>
        ))}
      </ul>
    </div>
  );
}
