/**
 * The Markdown that docs/ledger.md is written in, and no more: headings, paragraphs, fenced code, lists of one level,
 * tables, quotes, and `code` inside a line. There is no raw HTML: whatever is not one of these is text.
 */
import type { Child } from "hono/jsx";
import { prose } from "../reference/prose.tsx";

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: "paragraph" | "quote" | "code"; readonly text: string }
  | { readonly kind: "bullets" | "numbers"; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

const STARTS = /^(#{1,4} |```|> |- |\d+\. |\|)/;

/** Total: text that is none of the blocks is a paragraph. */
export function blocksOf(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  const used = new Set<string>();
  let at = 0;
  /** The lines from here on that fit. */
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? "")) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (line.trim() === "") at += 1;
    else if (heading !== null) {
      at += 1;
      const name = heading[2] ?? "";
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: name, id: idOf(name, used) });
    } else if (line.startsWith("```")) {
      at += 1;
      blocks.push({ kind: "code", text: takeWhile((one) => !one.startsWith("```")).join("\n") });
      at += 1;
    } else if (line.startsWith("> "))
      blocks.push({
        kind: "quote",
        text: takeWhile((one) => one.startsWith("> "))
          .map((one) => one.slice(2))
          .join(" "),
      });
    else if (line.startsWith("- "))
      blocks.push({
        kind: "bullets",
        items: takeWhile((one) => one.startsWith("- ")).map((one) => one.slice(2)),
      });
    else if (/^\d+\. /.test(line))
      blocks.push({
        kind: "numbers",
        items: takeWhile((one) => /^\d+\. /.test(one)).map((one) => one.replace(/^\d+\. /, "")),
      });
    else if (line.startsWith("|")) {
      const [head = [], , ...rows] = takeWhile((one) => one.startsWith("|")).map(cellsOf);
      blocks.push({ kind: "table", head, rows });
    } else {
      at += 1;
      const rest = takeWhile((one) => one.trim() !== "" && !STARTS.test(one));
      blocks.push({ kind: "paragraph", text: [line, ...rest].join(" ") });
    }
  }
  return blocks;
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, "")
    .replace(/\|\s*$/, "")
    .split("|")
    .map((cell) => cell.trim());

function idOf(text: string, used: Set<string>): string {
  const plain =
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "part";
  let id = plain;
  for (let n = 2; used.has(id) || id === "main"; n += 1) id = `${plain}-${n}`;
  used.add(id);
  return id;
}

export function BlockView({ block }: { block: Block }): Child {
  switch (block.kind) {
    case "heading":
      return <Heading {...block} />;
    case "paragraph":
      return <p>{prose(block.text)}</p>;
    case "quote":
      return (
        <blockquote>
          <p>{prose(block.text)}</p>
        </blockquote>
      );
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "bullets":
      return (
        <ul class="plain">
          {block.items.map((item) => (
            <li>{prose(item)}</li>
          ))}
        </ul>
      );
    case "numbers":
      return (
        <ol>
          {block.items.map((item) => (
            <li>{prose(item)}</li>
          ))}
        </ol>
      );
    case "table":
      return <TableView head={block.head} rows={block.rows} />;
  }
}

function Heading({ level, text, id }: { level: number; text: string; id: string }) {
  if (level === 1) return <h1 id={id}>{prose(text)}</h1>;
  if (level === 2)
    return (
      <h2 id={id} class="anchor">
        {prose(text)}
      </h2>
    );
  return (
    <h3 id={id} class="anchor">
      {prose(text)}
    </h3>
  );
}

/** A wide table is pushed sideways in its own frame, by the keyboard too. */
function TableView({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <section class="scroll" tabindex={0} aria-label={`Table: ${head[0] ?? ""}`}>
      <table>
        <thead>
          <tr>{head.map((cell) => (cell === "" ? <td /> : <th scope="col">{prose(cell)}</th>))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{prose(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
