/** Who reads a person's words: the rules, or a model whose draft is held to the words. A key goes in and never out. */
import { PROVIDERS } from "../../compiler/index.ts";
import type { ShownCompiler } from "../../http/compiler-settings.ts";
import { Word } from "./code.tsx";
import { type CompilerDraft, missingParts, OWN_MODELS, PROVIDER_NAMES } from "./compiler-values.ts";
import {
  Check,
  Choice,
  described,
  type FormResult,
  faultsIn,
  Refused,
  TextField,
} from "./settings-fields.tsx";

export interface CompilerFormProps {
  readonly inForce: ShownCompiler;
  readonly draft: CompilerDraft;
  readonly tag: string;
  readonly result?: FormResult;
}

export function CompilerForm(props: CompilerFormProps & { readonly mayEdit: boolean }) {
  const { inForce, tag, result, mayEdit } = props;
  const missing = missingParts(inForce);
  return (
    <section class="stack" aria-labelledby="compiler-title">
      <div class="stack-tight">
        <h2 id="compiler-title">Who reads the words</h2>
        <p class="soft short">
          What a person asks for becomes the task policy. The rules read it offline. A model only drafts: what
          the person's own words do not support is taken from its draft.
        </p>
      </div>
      {missing.length === 0 ? null : (
        <div class="note note-strong">
          <p class="note-title">The model cannot be asked yet: {missing.join(" and ")} is missing</p>
          <p>Until then everything consequential is asked about.</p>
        </div>
      )}
      {mayEdit ? (
        <form class="card pad stack" method="post" action="/settings/compiler#result">
          <input type="hidden" name="expected" value={tag} />
          {result === undefined ? null : <Refused result={result} />}
          <Parts {...props} />
          <Key {...props} />
          <p>
            <button class="button button-main" type="submit">
              Save who reads
            </button>
          </p>
        </form>
      ) : (
        <div class="card pad stack-tight">
          <Parts {...props} />
          <p>{inForce.key_set ? "A key is set. It is never shown." : "No key is set."}</p>
        </div>
      )}
    </section>
  );
}

function Parts({ draft, result, mayEdit }: CompilerFormProps & { readonly mayEdit: boolean }) {
  const common = { mayEdit, faults: faultsIn(result) };
  const asksModel = draft.compiler === "model";
  const who = (value: string, words: string, checked: boolean) => (
    <label class="check" for={`compiler-${value}`}>
      <input id={`compiler-${value}`} type="radio" name="compiler" value={value} checked={checked} />
      <span>{words}</span>
    </label>
  );
  return (
    <>
      {mayEdit ? (
        <fieldset id="compiler">
          <legend>Who reads</legend>
          {who("rules", "The rules", !asksModel)}
          {who("model", "A model, and then the rules", asksModel)}
        </fieldset>
      ) : (
        <p>{asksModel ? "A model, and then the rules." : "The rules."}</p>
      )}
      {mayEdit || asksModel ? (
        <>
          <Choice
            {...common}
            id="provider"
            label="Provider"
            value={draft.provider}
            options={PROVIDERS.map((provider) => [provider, PROVIDER_NAMES[provider]] as const)}
          />
          <TextField {...common} id="base_url" label="Base URL" value={draft.base_url}>
            Of an OpenAI-compatible endpoint, as in <code>https://api.example.com/v1</code>. Empty for the
            others.
          </TextField>
          <TextField {...common} id="model" label="Model" value={draft.model}>
            Empty:{" "}
            {OWN_MODELS.map(([provider, model], i) => (
              <>
                {i === 0 ? "" : "; "}
                <code>{model}</code> at {provider}
              </>
            ))}
            .
          </TextField>
          <TextField
            {...common}
            id="timeout_ms"
            label="Timeout, in milliseconds"
            value={draft.timeout_ms}
            numeric
          >
            For all of it: requests, retries, pauses. 1000 to 20000; empty: 8000.
          </TextField>
        </>
      ) : null}
    </>
  );
}

function Key({ inForce, draft, result }: CompilerFormProps) {
  const refused = result !== undefined;
  return (
    <>
      <div class="field">
        <label for="key">Key</label>
        <input
          id="key"
          type="password"
          name="key"
          maxlength={4096}
          autocomplete="new-password"
          autocapitalize="off"
          spellcheck={false}
          {...described("key", faultsIn(result), true)}
        />
        <p id="key-hint" class="hint">
          {inForce.key_set ? (
            <>
              <strong>A key is set</strong> for {PROVIDER_NAMES[inForce.provider]}
              <At url={inForce.base_url} />. Left empty, it stays, unless the provider or the address changes.
            </>
          ) : (
            "No key is set."
          )}{" "}
          It is kept encrypted and never shown.
          {refused ? " A key that you have typed was not kept: type it again." : null}
        </p>
      </div>
      {inForce.key_set ? (
        <Check id="remove_key" label="Remove the key that is set" checked={draft.remove_key} mayEdit />
      ) : null}
    </>
  );
}

/** Where a key is sent, and nowhere else. */
function At({ url }: { readonly url: string | null }) {
  return url === null || !URL.canParse(url) ? null : (
    <>
      {" "}
      at <Word text={new URL(url).origin} />
    </>
  );
}
