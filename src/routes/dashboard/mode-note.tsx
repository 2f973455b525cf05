const NOTES: Readonly<Record<string, readonly [title: string, text: string]>> = {
  off: ["The oath is switched off", "No call is checked against it."],
  observe: ["The oath is only observed", "Calls that break it are recorded and let pass."],
  ask: ["The oath asks", "Calls that break it are put to a person instead of being blocked."],
};

/** Said wherever the oath is shown while it does not block: a sworn line that does not hold must not look as if it did. */
export function ModeNote({ mode }: { mode: string }) {
  const note = NOTES[mode];
  return note === undefined ? null : (
    <div class="note note-strong">
      <p class="note-title">{note[0]}</p>
      <p>{note[1]}</p>
    </div>
  );
}
