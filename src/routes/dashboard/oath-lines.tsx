/** An oath's text, line by line. */
import { Recorded } from "./recorded.tsx";

/** The text, numbered as reasons cite it. */
export function OathLines({ text }: { text: string }) {
  if (text.trim() === "") return <p class="soft">This version is empty: it swears nothing.</p>;
  const lines = linesOf(text);
  return (
    <ol class="lines card">
      {lines.map((line, i) => (
        <li id={`line-${i + 1}`}>
          <span class="number" aria-hidden="true">
            {i + 1}
          </span>
          <code class={line.trim().startsWith("#") ? "comment" : ""}>
            {line.trim() === "" ? "\u00a0" : <Recorded text={line} block />}
          </code>
        </li>
      ))}
    </ol>
  );
}

/** Lines as the parser counts them. */
export function linesOf(text: string): string[] {
  const lines = (text.startsWith("\ufeff") ? text.slice(1) : text).split(/\r\n|\n|\r/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
