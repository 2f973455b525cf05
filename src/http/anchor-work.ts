/**
 * What is done about an anchor, by a request or by the clock: have calendars take it, ask them what has become of it,
 * look for the header of the block that they name. Whoever is asked is trusted for nothing; what is kept was checked.
 */
import { type Reach, reachFrom, readAddress } from "../addresses.ts";
import { askAgain, askHeader, submit, type Ways } from "../anchoring/calendar.ts";
import {
  type AnchorProgress,
  type AnchorRow,
  keepAnchor,
  listDueAnchors,
  organizationsWithDueAnchors,
  readAnchorByReference,
} from "../db/anchors.ts";
import { readOrganization } from "../db/governance.ts";
import { publishEntries } from "../db/publish.ts";
import { checkEnv } from "../env.ts";
import { newId, randomText } from "../ids.ts";
import { bytesOfHex } from "../ledger/index.ts";
import {
  apply,
  attestationsOf,
  chainOf,
  type Headers,
  hashWith,
  type JudgedProof,
  judge,
  merge,
  type Operation,
  type Proof,
  parseProof,
  serializeProof,
  type Timestamp,
  upgrade,
} from "../ledger/ots/index.ts";
import { log } from "../log.ts";
import {
  anchoringOf,
  confirmedProof,
  headerFault,
  headersOf,
  headersText,
  MAX_HEADERS,
  proofOf,
  stateOf,
} from "./anchor-state.ts";
import { callObject, organizationStub } from "./sessions.ts";
import type { AnchoringSettings } from "./settings.ts";

const NONCE_BYTES = 16;
/** Promises that are asked about in one go: of every calendar as many as it may make. */
const MAX_ASKED = 24;
/** The platform opens six connections at once; a seventh would wait for one of them while its own time runs. */
const ASKED_AT_ONCE = 6;
/** One calendar promises once; whoever promises without end would crowd out the others. */
const MAX_PROMISES = 4;
/** Real proofs have some thousands. A calendar that answers something else each time gets no further than this. */
const MAX_KEPT_BYTES = 32_768;
/** Blocks whose headers are looked for at once. */
const MAX_HEADERS_ASKED = 4;

const FIRST_WAIT_MS = 10 * 60 * 1000;
const LONGEST_WAIT_MS = 12 * 60 * 60 * 1000;

/** Of one run by the clock; the next one goes on with what is still due. */
const ANCHORS_AT_ONCE = 50;
const ORGANIZATIONS_AT_ONCE = 50;
const WORKS_FOR_MS = 20_000;
/** Of one organization in it: more than it takes to find that a calendar does not answer. */
const SHARE_MS = 8_000;

/**
 * Takes an anchor as far as it goes now, and keeps that.
 * @returns the row as it is then; as it was when somebody else was quicker
 */
export async function workOn(
  db: D1Database,
  organization: string,
  row: AnchorRow,
  settings: AnchoringSettings,
  ways: Ways,
  now: number,
): Promise<AnchorRow> {
  const before = proofOf(row);
  const failures: string[] = [];
  const proof =
    before === null
      ? await submitted(row, settings, ways, failures)
      : await upgraded(before, row, ways, failures);
  const headers = proof === null ? headersOf(row) : await withHeaders(proof, row, settings, ways, failures);
  const judged = proof === null ? null : judge(proof, { digest: row.digest }, headers, row.created_at);
  const kept = {
    state: stateOf(judged),
    proof: judged === null ? row.proof : confirmedProof(judged),
    headers: headersText(headers),
  };
  const isNew = kept.proof !== row.proof || kept.headers !== row.headers;
  const attempts = isNew ? 0 : row.attempts + 1;
  const progress: AnchorProgress = {
    ...kept,
    attempts,
    next_at: isThereMore(judged, settings) ? now + waitAfter(attempts) : null,
    last_failure: isNew ? null : (failures[0] ?? row.last_failure),
  };
  const written = await keepAnchor(db, organization, row, progress);
  return written ? { ...row, ...progress, revision: row.revision + 1 } : row;
}

/** Whether time alone, or whoever is asked, can bring it further. */
function isThereMore(judged: JudgedProof | null, settings: AnchoringSettings): boolean {
  if (judged === null) return (settings.calendars ?? []).length > 0;
  if (judged.confirmed !== null) return false;
  return judged.attestations.some(
    ({ state }) => state === "pending" || (state === "header-missing" && settings.headers !== undefined),
  );
}

function waitAfter(attempts: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts, 16), LONGEST_WAIT_MS);
}

/**
 * Has the calendars take the digest, with random bytes behind it, so that none of them learns what is stamped, nor can
 * say of two stamps that they are of the same. One of them has to take it.
 */
async function submitted(
  { digest }: AnchorRow,
  { calendars = [] }: AnchoringSettings,
  ways: Ways,
  failures: string[],
): Promise<Proof | null> {
  const message = bytesOfHex(digest);
  if (message === null) return null;
  if (calendars.length === 0) failures.push("no-calendars");
  const nonce: Operation = {
    kind: "append",
    argument: crypto.getRandomValues(new Uint8Array(NONCE_BYTES)),
  };
  const salted = apply(nonce, message);
  if (salted === null) return null;
  const commitment = new Uint8Array(hashWith("sha256", salted));
  const answers = await Promise.all(
    calendars.map((url) => submit(url.replace(/\/+$/, ""), commitment, ways)),
  );
  let whole: Timestamp | null = null;
  for (const answer of answers) {
    if (!answer.ok) failures.push(answer.failure);
    else if (promisesOf(answer.value).length > MAX_PROMISES) failures.push("malformed");
    else whole = whole === null ? answer.value : (merge(whole, answer.value) ?? whole);
  }
  if (whole === null) return null;
  const { attestations, branches } = whole;
  const timestamp = chainOf(message, [nonce, { kind: "sha256" }], () => ({ attestations, branches }));
  if (timestamp === null) return null;
  // Each answer is within its bounds; all of them together have to be, too, or nobody reads the proof.
  const file = serializeProof({ hash: "sha256", timestamp });
  const read = parseProof(file);
  if (read.ok && file.length <= MAX_KEPT_BYTES) return read.proof;
  failures.push("malformed");
  return null;
}

/** Asks about every promise that is still open. Calendars are asked together, and each answer is taken by itself. */
async function upgraded(proof: Proof, row: AnchorRow, ways: Ways, failures: string[]): Promise<Proof> {
  if (judge(proof, { digest: row.digest }, headersOf(row), row.created_at).confirmed !== null) return proof;
  const open = promisesOf(proof.timestamp).slice(0, MAX_ASKED);
  const answers: { readonly uri: string; readonly answer: Awaited<ReturnType<typeof askAgain>> }[] = [];
  for (let i = 0; i < open.length; i += ASKED_AT_ONCE)
    answers.push(
      ...(await Promise.all(
        open.slice(i, i + ASKED_AT_ONCE).map(async ({ uri, message }) => ({
          uri,
          answer: await askAgain(uri.replace(/\/+$/, ""), message, ways),
        })),
      )),
    );
  let after = proof;
  for (const { uri, answer } of answers) {
    if (!answer.ok) {
      failures.push(answer.failure);
      continue;
    }
    // Another promise in place of the first is nothing new, and would lead to asking whomever it names.
    if (!attestationsOf(answer.value).some(({ attestation }) => attestation.kind === "bitcoin")) {
      failures.push("not-yet");
      continue;
    }
    const grown = upgrade(after, answer.value, uri);
    if (grown?.ok === true && serializeProof(grown.proof).length <= MAX_KEPT_BYTES) after = grown.proof;
    else failures.push("malformed");
  }
  return after;
}

function promisesOf(timestamp: Timestamp): { readonly uri: string; readonly message: Uint8Array }[] {
  return attestationsOf(timestamp).flatMap(({ attestation, message }) =>
    attestation.kind === "pending" ? [{ uri: attestation.uri, message }] : [],
  );
}

/** The headers that are kept, and those of the blocks that the proof names, where the source has the right ones. */
async function withHeaders(
  proof: Proof,
  row: AnchorRow,
  { headers: source }: AnchoringSettings,
  ways: Ways,
  failures: string[],
): Promise<Headers> {
  const kept = new Map(headersOf(row));
  if (source === undefined) return kept;
  const judged = judge(proof, { digest: row.digest }, kept, row.created_at);
  if (judged.confirmed !== null) return kept;
  const heights = new Set(
    judged.attestations.flatMap(({ attestation, state }) =>
      state === "header-missing" && "height" in attestation ? [attestation.height] : [],
    ),
  );
  const answers = await Promise.all(
    [...heights].slice(0, MAX_HEADERS_ASKED).map(async (height) => ({
      height,
      answer: await askHeader(source.replace(/\/+$/, ""), height, ways),
    })),
  );
  for (const { height, answer } of answers) {
    const fault = answer.ok ? headerFault(proof, height, answer.value, row.created_at) : answer.failure;
    if (fault !== null) failures.push(fault);
    else if (answer.ok && kept.size < MAX_HEADERS) kept.set(height, answer.value);
  }
  return kept;
}

/**
 * Anchors a checkpoint, where the organization wants that. What is stamped is SHA-256 of the text that is signed; once
 * is enough, however often it is asked for. `upgradeAnchors` does the rest.
 */
export async function anchorCheckpoint(
  env: Env,
  organization: string,
  checkpoint: { readonly number: number; readonly digest: string },
): Promise<void> {
  const row = await readOrganization(env.DB, organization);
  if (row === null || anchoringOf(row.settings).checkpoints !== true) return;
  const reference = checkpointReference(checkpoint.number);
  if ((await readAnchorByReference(env.DB, organization, reference)) !== null) return;
  const changed = await callObject(
    () => organizationStub(env, organization),
    (stub) =>
      stub.change(
        {
          kind: "anchor",
          anchor_id: newId("anc"),
          reference,
          digest: checkpoint.digest,
          private: false,
          size: null,
          published_at: null,
        },
        null,
        `${reference} ${checkpoint.digest}`,
      ),
  );
  if (!changed.ok) throw new Error(`the anchor was refused: ${changed.code}`);
  // What is left over is the outbox's.
  if (changed.entries !== null)
    await publishEntries(env.DB, { org: organization, session: null }, changed.entries);
}

/** References of ours begin so, and nobody else's do. */
export const OWN_REFERENCES = "checkpoint:";

export function checkpointReference(number: number): string {
  return `${OWN_REFERENCES}${number}`;
}

/**
 * By the clock: takes up every anchor that is due, for so long as a run may last. Whatever goes wrong with one does not
 * stop the others, and nobody's dead calendar takes more of a run than its share.
 * @param now epoch milliseconds
 * @param until when to break off, epoch milliseconds
 * @param reach whom it may ask; by default what follows from the configuration
 */
export async function upgradeAnchors(
  env: Env,
  now: number,
  until: number = Date.now() + WORKS_FOR_MS,
  reach: Reach | null = null,
): Promise<{ readonly worked: number; readonly done: boolean }> {
  // Another beginning each time: whoever is last in one run is not in the next.
  const start = `org_${randomText(1)}`;
  let worked = 0;
  for (const [from, to] of [
    [start, null],
    ["", start],
  ] as const)
    for (let after: string = from; ; ) {
      const page = await organizationsWithDueAnchors(env.DB, now, after, ORGANIZATIONS_AT_ONCE);
      const organizations = to === null ? page : page.filter((id) => id <= to);
      for (const organization of organizations) {
        if (Date.now() > until) return { worked, done: false };
        worked += await workOnAll(env, organization, now, Math.min(until, Date.now() + SHARE_MS), reach);
        after = organization;
      }
      if (organizations.length < ORGANIZATIONS_AT_ONCE) break;
    }
  return { worked, done: true };
}

async function workOnAll(
  env: Env,
  organization: string,
  now: number,
  until: number,
  reach: Reach | null,
): Promise<number> {
  let worked = 0;
  try {
    const settings = anchoringOf((await readOrganization(env.DB, organization))?.settings ?? "{}");
    const ways: Ways = { fetch: patientOnce(), reach: reach ?? reachByClock(env, settings) };
    for (const row of await listDueAnchors(env.DB, organization, now, ANCHORS_AT_ONCE)) {
      if (Date.now() > until) break;
      await workOn(env.DB, organization, row, settings, ways, now);
      worked += 1;
    }
  } catch (error) {
    log.error("anchor-failed", error, { organization });
  }
  return worked;
}

/** Asks nobody twice who has let time run out: a dead calendar costs a run its patience once, not for every anchor. */
function patientOnce(): typeof globalThis.fetch {
  const silent = new Set<string>();
  return async (input, init) => {
    const { origin } = new URL(String(input));
    if (silent.has(origin)) throw new Error("it did not answer a moment ago");
    init?.signal?.addEventListener("abort", () => silent.add(origin));
    return fetch(input, init);
  };
}

/**
 * Without a request there is but the configuration to say where this runs. One that names no origin may be a laptop's:
 * there the settings may name loopback, which no other deployment lets them do.
 */
function reachByClock(env: Env, { calendars = [], headers }: AnchoringSettings): Reach {
  const check = checkEnv(env);
  const origin = check.ok ? check.config.publicOrigin : null;
  if (origin !== null) return reachFrom([origin]);
  const named = headers === undefined ? calendars : [...calendars, headers];
  const may = (url: string, loopback: boolean): boolean => readAddress(url, { own: [], loopback }).ok;
  return { own: [], loopback: named.some((url) => may(url, true) && !may(url, false)) };
}
