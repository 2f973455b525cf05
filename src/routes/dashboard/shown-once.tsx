/** A secret in the one answer that holds it: a field to select it from, and a button for those who run the script. */
export function ShownOnce({ label, secret }: { label: string; secret: string }) {
  return (
    <div class="field">
      <label for="secret">{label}</label>
      <input
        id="secret"
        class="secret"
        type="text"
        value={secret}
        readonly
        autocomplete="off"
        spellcheck={false}
      />
      <div class="row">
        <button class="button" type="button" data-copy="secret" data-said="said" hidden>
          Copy
        </button>
        <span id="said" role="status" class="soft" />
      </div>
    </div>
  );
}
