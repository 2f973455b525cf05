/** Fields of the settings' page: each is a control for whoever may change it, and a text for whoever may not. */
import type { Child } from "hono/jsx";
import { Word } from "./code.tsx";
import type { Difference, FieldFault } from "./settings-values.ts";

export interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly mayEdit: boolean;
  readonly faults: readonly FieldFault[];
}

/** Attributes of a control that something is wrong with, and of one that a hint stands under. */
export function described(id: string, faults: readonly FieldFault[], hint: boolean) {
  const isFaulty = faults.some((fault) => fault.id === id);
  const by = [...(isFaulty ? ["result"] : []), ...(hint ? [`${id}-hint`] : [])];
  return {
    ...(isFaulty ? { "aria-invalid": "true" as const } : {}),
    ...(by.length === 0 ? {} : { "aria-describedby": by.join(" ") }),
  };
}

export type Options = readonly (readonly [value: string, words: string])[];

/** A select; `bare` for one whose label stands elsewhere, as in a table. */
export function Choice({
  id,
  label,
  value,
  options,
  mayEdit,
  faults,
  bare = false,
  children,
}: FieldProps & { readonly options: Options; readonly bare?: boolean; readonly children?: Child }) {
  const words = options.find(([one]) => one === value)?.[1] ?? value;
  if (bare && !mayEdit) return <>{words}</>;
  if (!mayEdit) return <Shown label={label}>{words}</Shown>;
  const select = (
    <select
      id={id}
      name={id}
      {...(bare ? { "aria-label": label } : {})}
      {...described(id, faults, children !== undefined)}
    >
      {options.map(([one, text]) => (
        <option value={one} selected={one === value}>
          {text}
        </option>
      ))}
    </select>
  );
  if (bare) return select;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {select}
      <Hint id={id}>{children}</Hint>
    </div>
  );
}

export function TextField({
  id,
  label,
  value,
  mayEdit,
  faults,
  numeric = false,
  children,
}: FieldProps & { readonly numeric?: boolean; readonly children?: Child }) {
  if (!mayEdit) return <Shown label={label}>{value === "" ? "as by default" : <Word text={value} />}</Shown>;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        name={id}
        value={value}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        {...(numeric ? { inputmode: "numeric" as const } : {})}
        {...described(id, faults, children !== undefined)}
      />
      <Hint id={id}>{children}</Hint>
    </div>
  );
}

/** A list, one value on each line. */
export function ListField({
  id,
  label,
  value,
  mayEdit,
  faults,
  children,
}: FieldProps & { readonly children: Child }) {
  const values = value === "" ? [] : value.split("\n");
  if (!mayEdit)
    return (
      <Shown label={label}>
        {values.length === 0
          ? "none"
          : values.map((one, i) => (
              <>
                {i === 0 ? "" : ", "}
                <Word text={one} />
              </>
            ))}
      </Shown>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={id}
        rows={Math.min(12, Math.max(2, values.length + 1))}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        {...described(id, faults, true)}
      >
        {/* A reader of HTML drops the first line feed, so that one is put there to be dropped. */}
        {`\n${value}`}
      </textarea>
      <Hint id={id}>{children}</Hint>
    </div>
  );
}

/** Several of a few words; the value holds those chosen, one a line. */
export function SetField({
  id,
  label,
  value,
  options,
  mayEdit,
  faults,
}: FieldProps & { readonly options: Options }) {
  const chosen = value === "" ? [] : value.split("\n");
  if (!mayEdit) return <Shown label={label}>{chosen.length === 0 ? "none" : chosen.join(", ")}</Shown>;
  return (
    <fieldset id={id} {...described(id, faults, false)}>
      <legend>{label}</legend>
      <div class="reasons">
        {options.map(([one, words]) => (
          <label class="check">
            <input type="checkbox" name={id} value={one} checked={chosen.includes(one)} />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Check({
  id,
  label,
  checked,
  mayEdit,
}: {
  readonly id: string;
  readonly label: string;
  readonly checked: boolean;
  readonly mayEdit: boolean;
}) {
  if (!mayEdit) return <Shown label={label}>{checked ? "yes" : "no"}</Shown>;
  return (
    <label class="check" for={id}>
      <input id={id} type="checkbox" name={id} value="yes" checked={checked} />
      <span>{label}</span>
    </label>
  );
}

function Hint({ id, children }: { readonly id: string; readonly children?: Child }) {
  return children === undefined ? null : (
    <p id={`${id}-hint`} class="hint">
      {children}
    </p>
  );
}

function Shown({ label, children }: { readonly label: string; readonly children: Child }) {
  return (
    <p>
      <span class="soft">{label}:</span> {children}
    </p>
  );
}

/** What became of a form that was not saved. */
export type FormResult =
  | { readonly kind: "faulty"; readonly faults: readonly FieldFault[] }
  | { readonly kind: "conflict"; readonly differences: readonly Difference[] }
  | { readonly kind: "failed"; readonly detail: string };

export function faultsIn(result: FormResult | undefined): readonly FieldFault[] {
  return result?.kind === "faulty" ? result.faults : [];
}

export function Refused({ result }: { readonly result: FormResult }) {
  return (
    <div class="note note-strong" role="alert" id="result">
      {result.kind === "faulty" ? (
        <>
          <p class="note-title">Nothing was saved</p>
          {result.faults.map(({ id, label, message }) => (
            <p>
              <a href={`#${id}`}>{label}</a>: {message}
            </p>
          ))}
        </>
      ) : result.kind === "failed" ? (
        <>
          <p class="note-title">Nothing was saved</p>
          <p>{result.detail} What you chose is below.</p>
        </>
      ) : (
        <>
          <p class="note-title">Somebody else saved in the meantime. Yours was not saved.</p>
          {result.differences.length === 0 ? (
            <p>What is in force now is what you chose.</p>
          ) : (
            <>
              <p>What you chose is below. Of it, this is otherwise in force now:</p>
              <ul class="bare">
                {result.differences.map(({ label, inForce }) => (
                  <li>
                    {label}: {inForce === "" ? "as by default" : <Word text={inForce} />}
                  </li>
                ))}
              </ul>
              <p>Take over what should stay, and save again.</p>
            </>
          )}
        </>
      )}
    </div>
  );
}
