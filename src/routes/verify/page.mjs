/** The script of /verify: reads the files that a person drops or chooses, and shows what the command would print. */
import {
  exitCodeOf,
  hashedWhole,
  headersOf,
  judgeFile,
  judgeLoneProof,
  keysOf,
  MAX_PROOF_BYTES,
  newRun,
  Refused,
  visible,
} from "../../../scripts/lib/verify/judge.mjs";

const HEAD_BYTES = 65_536;
/** WebCrypto hashes in one piece. */
const MAX_HASHED_BYTES = 268_435_456;
const MARKS = { ok: "ok", pending: "..", fail: "FAIL", note: "" };
const SPOKEN = { ok: "holds: ", pending: "pending: ", fail: "failed: ", note: "" };

const byId = (id) => document.getElementById(id);
const drop = byId("drop");
const input = byId("files");
const shown = byId("shown");
const status = byId("status");
let chosen = [];
let round = 0;

drop.hidden = false;
byId("without").hidden = true;
input.addEventListener("change", () => {
  chosen = [...input.files];
  check();
});
byId("again").addEventListener("click", () => check());
for (const kind of ["dragenter", "dragover"])
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("is-over");
  });
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) drop.classList.remove("is-over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("is-over");
  chosen = [...event.dataTransfer.files];
  check();
});

/** Checks all that was chosen. A newer choice ends an older one's output. */
async function check() {
  round += 1;
  const own = round;
  shown.replaceChildren();
  if (chosen.length === 0) {
    status.textContent = "Choose a file first.";
    return;
  }
  status.textContent = "Checking…";
  let given;
  try {
    given = {
      keys: listed("keys", keysOf) ?? [],
      headers: listed("headers", headersOf) ?? {},
      heads: [],
      compared: true,
      run: newRun(),
    };
  } catch (error) {
    status.textContent = said(error);
    return;
  }
  const results = [];
  let unsealed = 0;
  for (const file of await inOrder(chosen)) {
    const judged = await judgedOf(file, given);
    if (own !== round) return;
    for (const head of judged.heads) given.heads.push(head);
    if (judged.heads.length > 0 && !judged.compared) given.compared = false;
    results.push(judged.result);
    if (judged.result === "holds" && !judged.sealed) unsealed += 1;
    shown.append(view(file.name, judged));
  }
  const open = unsealed === 1 ? "one of them is an export that" : `${unsealed} of them are exports that`;
  const all =
    unsealed === 0
      ? "all holds"
      : `every check passed, but ${results.length === 1 ? "it is an export that" : open} nothing seals yet: choose the checkpoints of its log with it`;
  const counted = results.length === 1 ? "1 file was checked" : `${results.length} files were checked`;
  status.textContent = `${counted}: ${[all, "something is broken", "something is pending", "something could not be read"][exitCodeOf(results)]}.`;
}

function listed(id, read) {
  const { value } = byId(id);
  if (value.trim() === "") return undefined;
  try {
    return read(value);
  } catch (error) {
    throw error instanceof Refused
      ? new Refused(`${id === "keys" ? "Keys" : "Headers"}: ${error.message}`)
      : error;
  }
}

const said = (error) =>
  error instanceof Refused ? `${error.message}.` : `This did not work: ${error.message}`;

/** Exports last: what other files seal is known by then. A proof goes with its bytes. */
async function inOrder(files) {
  const names = new Set(files.map(({ name }) => name));
  const exports = [];
  const others = [];
  for (const file of files) {
    if (file.name.endsWith(".ots") && names.has(file.name.slice(0, -4))) continue;
    const head = await file
      .slice(0, 9)
      .text()
      .catch(() => "");
    (['{"hash":"', '{"kind":"'].includes(head) ? exports : others).push(file);
  }
  return [...others, ...exports];
}

const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());

async function judgedOf(file, given) {
  try {
    if (file.name.endsWith(".ots"))
      return await judgeLoneProof(await bytesOf(file.slice(0, MAX_PROOF_BYTES + 1)), given.headers);
    const beside = chosen.find(({ name }) => name === `${file.name}.ots`);
    return await judgeFile(
      {
        name: file.name,
        size: file.size,
        head: await bytesOf(file.slice(0, HEAD_BYTES)),
        open: () => file,
        digest: (hash) => digestOf(file, hash),
        proof: beside === undefined ? null : await bytesOf(beside.slice(0, MAX_PROOF_BYTES + 1)),
      },
      given,
    );
  } catch (error) {
    return { lines: [], result: "unreadable", text: `unreadable \u2014 ${said(error)}`, heads: [] };
  }
}

const IN_BROWSERS = { sha1: "SHA-1", sha256: "SHA-256" };

async function digestOf(file, hash) {
  if (IN_BROWSERS[hash] === undefined) return hashedWhole(hash, file.size, () => bytesOf(file));
  if (file.size > MAX_HASHED_BYTES)
    throw new Refused("a browser cannot hash so large a file: use the command");
  const digest = await crypto.subtle.digest(IN_BROWSERS[hash], await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Text only, never markup: names and contents are a stranger's. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

function view(name, judged) {
  const lines = judged.lines.map(({ status: kind, text }) => {
    const mark = make("span", "mark", MARKS[kind]);
    mark.ariaHidden = "true";
    const spoken = make("span", "unheard", SPOKEN[kind]);
    return make("li", `is-${kind}`, mark, make("span", "", spoken, visible(text)));
  });
  const verdict = make("p", "note note-strong", make("strong", "", "RESULT"), `  ${visible(judged.text)}`);
  const section = make("section", "card pad stack", make("h2", "file-name", visible(name)));
  if (lines.length > 0) section.append(make("ul", "checks", ...lines));
  section.append(verdict);
  return section;
}
