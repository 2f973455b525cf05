/** docs/ledger.md as a page. */
import { type Frame, Page } from "../dashboard/layout.tsx";
import { servedUrl } from "../verify/served.ts";
import { BlockView, blocksOf } from "./markdown.tsx";

export function LedgerPage({ text, frame }: { text: string; frame: Frame | null }) {
  const blocks = blocksOf(text);
  return (
    <Page title="The ledger" frame={frame} place="/docs" wide>
      <link rel="stylesheet" href={servedUrl("src/routes/verify/style.css")} />
      <div class="reference">
        <nav class="toc" aria-label="On this page">
          <ul>
            {blocks.map((block) =>
              block.kind === "heading" && block.level === 2 ? (
                <li>
                  <a href={`#${block.id}`}>{block.text}</a>
                </li>
              ) : null,
            )}
            <li>
              <a class="toc-tag" href="/verify">
                Check a file
              </a>
            </li>
          </ul>
        </nav>
        <div class="document stack">
          {blocks.map((block) => (
            <BlockView block={block} />
          ))}
        </div>
      </div>
    </Page>
  );
}
