/** Text to be typed or sent as it stands. */
export function Code({ text }: { text: string }) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}
