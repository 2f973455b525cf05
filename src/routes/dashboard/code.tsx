import { Recorded } from "./recorded.tsx";

/** Text to be typed or sent as it stands. */
export function Code({ text }: { text: string }) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

/** A recorded name or value inside a sentence. */
export function Word({ text }: { text: string }) {
  return (
    <code>
      <Recorded text={text} />
    </code>
  );
}
