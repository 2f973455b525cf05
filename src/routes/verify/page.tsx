/** The page where a file is checked. Without a script it says how the command does it. */
import { Code } from "../dashboard/code.tsx";
import { Page } from "../dashboard/layout.tsx";
import { servedUrl } from "./served.ts";

export function VerifyPage({ origin }: { origin: string }) {
  return (
    <Page title="Check a file" frame={null}>
      <link rel="stylesheet" href={servedUrl("src/routes/verify/style.css")} />
      <script type="module" src={servedUrl("src/routes/verify/page.mjs")} />
      <div class="stack-wide">
        <div class="stack">
          <h1>Check a file</h1>
          <p class="lead">
            Exports, receipts and checkpoints, and bytes with the timestamp proof (<code>.ots</code>) of them.
            Your browser does the checking. Nothing is uploaded: this page loads its own files and then asks
            for nothing more.
          </p>
        </div>
        <section class="drop stack" id="drop" hidden aria-labelledby="drop-name">
          <h2 id="drop-name">Drop files here, or choose them</h2>
          <div class="field">
            <label for="files">Files</label>
            <input type="file" id="files" multiple />
            <p class="hint">
              Choose what belongs together: bytes and their proof, or an export and the checkpoints of its
              log. Files that contradict each other are found only when they are checked together.
            </p>
          </div>
          <details class="tell">
            <summary>Keys and block headers to check with</summary>
            <div class="stack">
              <div class="field">
                <label for="keys">Keys that you trust</label>
                <textarea id="keys" rows={4} spellcheck={false} aria-describedby="keys-hint" />
                <p class="hint" id="keys-hint">
                  One a line, or what <code>{origin}/.well-known/countersign/ORGANIZATION/keys</code> answers.
                  Get them from elsewhere than the file: a receipt can name any keys as its own.
                </p>
              </div>
              <div class="field">
                <label for="headers">Bitcoin block headers</label>
                <textarea id="headers" rows={3} spellcheck={false} aria-describedby="headers-hint" />
                <p class="hint" id="headers-hint">
                  <code>HEIGHT:HEX</code>, one a line; a header is 80 bytes, 160 hex digits.
                </p>
              </div>
            </div>
          </details>
          <p>
            <button type="button" class="button" id="again">
              Check again
            </button>
          </p>
          <p id="status" role="status" />
        </section>
        <div id="shown" class="stack" />
        <p class="note note-strong" id="without">
          This page needs a script to read a file. The command below checks the same, without a browser.
        </p>
        <section class="stack" aria-labelledby="command">
          <h2 id="command">With the command</h2>
          <Code
            text={`npm run -s verify -- FILE
npm run -s verify -- receipt.json --keys ${origin}/.well-known/countersign/ORGANIZATION/keys
npm run -s verify -- body.txt --header HEIGHT:HEX`}
          />
          <p>
            Run it in a copy of this project. It prints the same lines, offline, and takes exports of any
            size. Its exit code is 0 when everything holds, 1 when a check failed, 2 when something is
            pending, 3 when a file could not be read.
          </p>
        </section>
        <p>
          <a href="/docs/ledger">What is checked, byte for byte, and what it does not show</a>
        </p>
      </div>
    </Page>
  );
}
