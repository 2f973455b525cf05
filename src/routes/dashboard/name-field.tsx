/** A field for a name, with what was wrong with the one typed before. */
export interface NameFieldProps {
  readonly typed: string;
  readonly fault: string | undefined;
  readonly label: string;
  readonly hint: string;
}

export function NameField({ typed, fault, label, hint }: NameFieldProps) {
  return (
    <div class="field">
      <label for="name">{label}</label>
      <input
        id="name"
        type="text"
        name="name"
        value={typed}
        maxlength={100}
        autocomplete="off"
        required
        aria-describedby={fault === undefined ? "name-hint" : "name-fault name-hint"}
        {...(fault === undefined ? {} : { "aria-invalid": "true" })}
      />
      {fault === undefined ? null : (
        <p id="name-fault" role="alert">
          <strong>{fault}</strong>
        </p>
      )}
      <p id="name-hint" class="hint">
        {hint}
      </p>
    </div>
  );
}
