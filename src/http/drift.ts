/**
 * Drift: D1's copy, the objects' own chains and the signed log say the same, or somebody is told. Bounded, and taken up
 * where it was left; every chain has its turn.
 */
import { readLatestCheckpoint } from "../db/checkpoints.ts";
import {
  type DriftRound,
  type HeadRow,
  keepChecked,
  keepDriftRound,
  listToCheck,
  organizationsToCheck,
  readDriftRound,
} from "../db/heads.ts";
import { log } from "../log.ts";
import { type Finding, raiseAlert } from "./alerts.ts";
import { type ChainCheck, checkChain } from "./drift-chain.ts";
import { checkFamilies, knowFamilies } from "./drift-families.ts";
import {
  checkApprovals,
  checkGoverned,
  findingOf,
  GOVERNED_STEPS,
  type GovernedCheck,
  type GovernedCursor,
  stepAfter,
} from "./drift-governed.ts";
import { guarded, isOfData } from "./drift-guard.ts";
import { checkCheckpoints, checkLeaves, type LogCheck } from "./drift-log.ts";
import { takeUpLog } from "./log-copies.ts";
import { identityOf } from "./receipts.ts";
import { DAY_MS } from "./signing-keys.ts";

/** Findings that one run puts on record; those beyond are found again. */
const MAX_FINDINGS = 100;
const CHAINS_AT_ONCE = 50;
/** Of a chain's name that a finding tells: an id's as long as it may be, and what stands before it. */
const CHAIN_CHARACTERS = 250;
/** Pages of one chain in one run: a very long one must not keep the others from their turn. */
const PAGES_AT_ONCE = 50;
const ORGANIZATIONS_AT_ONCE = 25;
/** By the clock an organization is looked at once in so long, */
const LOOK_EVERY_MS = 60 * 60 * 1000;
/** and each of its chains once in so long. */
const CHAIN_EVERY_MS = DAY_MS;
/** One organization takes so much of a run at most. */
const LOOK_MS = 5_000;

export interface DriftReport {
  readonly chains: number;
  readonly entries: number;
  readonly leaves: number;
  readonly checkpoints: number;
  /** Of what governs, and of approvals. */
  readonly rows: number;
  /** Everything that was asked for was looked at. */
  readonly done: boolean;
  readonly findings: readonly Finding[];
}

const BEGINNING: DriftRound = { leaf_index: 0, checkpoint: 1, ran_at: 0, cursor: null };

/** Where the comparisons go on that are not of one chain. */
interface Cursor {
  readonly governed: GovernedCursor | null;
  readonly families: string;
}

/**
 * Compares an organization's copy with its objects and with its log; each finding is put on record, once.
 * @param since chains that were looked at since then, epoch milliseconds, are passed over
 * @param until when to break off, epoch milliseconds; the next check goes on
 */
export async function checkDrift(
  env: Env,
  organization: string,
  now: number,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<DriftReport> {
  const findings: Finding[] = [];
  // Each part has its share of the time that is left: the first ones must not keep the last from their turn.
  const isLateAt = (share: number) => (): boolean => Date.now() >= share;
  const shareOf = (parts: number): number => Date.now() + Math.max(until - Date.now(), 0) / parts;
  // Whoever asks anew is answered from the beginning: where the last look ended, the database could say anything.
  const round = since >= now ? BEGINNING : await readDriftRound(env.DB, organization);
  const cursor = cursorOf(round.cursor);
  // Before anything is looked at: one in which the look fails must not be first each time, and keep the others from it.
  await keepDriftRound(env.DB, organization, { ...round, ran_at: now });
  const { leaves, checkpoints, ...ofLog } = await checkLog(env, organization, round, isLateAt(shareOf(4)));
  findings.push(...ofLog.findings);
  const governed = await walkGoverned(env, organization, cursor.governed, now, isLateAt(shareOf(3)));
  findings.push(...governed.findings);
  const families = await guarded(
    findings,
    { place: "database", chain: null, table: "heads", id: "" },
    () => checkFamilies(env, organization, cursor.families, isLateAt(shareOf(2))),
    () => ({ findings: [], next: null }),
  );
  findings.push(...families.findings);
  await keepDriftRound(env.DB, organization, {
    ...ofLog.next,
    ran_at: now,
    cursor: JSON.stringify({ governed: governed.next, families: families.next ?? "" } satisfies Cursor),
  });
  const looked = await checkChains(env, organization, now, since, findings.length, isLateAt(until));
  findings.push(...looked.findings);
  for (const finding of findings) await raiseAlert(env, organization, finding);
  const done = ofLog.done && governed.next === null && families.next === null && looked.done;
  const { chains, entries } = looked;
  return { chains, entries, leaves, checkpoints, rows: governed.rows + looked.rows, done, findings };
}

function cursorOf(text: string | null): Cursor {
  try {
    const { governed = null, families = "" } = JSON.parse(text ?? "{}") as Partial<Cursor>;
    const known = governed === null || GOVERNED_STEPS.includes(governed.table);
    return { governed: known ? governed : null, families: String(families) };
  } catch {
    // Whoever wrote there has the comparison begin anew, and nothing else.
    return { governed: null, families: "" };
  }
}

/** What governs, and the approvals that the database has, from where the last look left them. */
async function walkGoverned(
  env: Env,
  organization: string,
  from: GovernedCursor | null,
  now: number,
  isLate: () => boolean,
): Promise<{ findings: Finding[]; rows: number; next: GovernedCursor | null }> {
  const findings: Finding[] = [];
  let rows = 0;
  let next = from;
  do {
    const from: GovernedCursor | null = next;
    const check: GovernedCheck = await guarded(
      findings,
      { place: "database", chain: "organization", table: from?.table ?? "", id: "" },
      () => checkGoverned(env, organization, from, now),
      () => ({ differences: [], rows: 0, next: stepAfter(from) }),
    );
    findings.push(...check.differences.map(findingOf));
    rows += check.rows;
    next = check.next;
  } while (next !== null && !isLate() && findings.length < MAX_FINDINGS);
  return { findings, rows, next };
}

/** The chains that are due, each with its family's approvals. */
async function checkChains(
  env: Env,
  organization: string,
  now: number,
  since: number,
  found: number,
  isLate: () => boolean,
) {
  const findings: Finding[] = [];
  let done = true;
  let chains = 0;
  let entries = 0;
  let rows = 0;
  const paused = new Set<string>();
  look: for (;;) {
    const listed = await listToCheck(env.DB, organization, since, now, CHAINS_AT_ONCE + paused.size);
    const heads = listed.filter(({ chain }) => !paused.has(chain));
    const begun: string[] = [];
    for (const head of heads) {
      if (isLate() || found + findings.length >= MAX_FINDINGS) {
        done = false;
        break look;
      }
      const identity = identityOf(organization, head.chain);
      if (identity === null) {
        const { chain, seq } = told(head);
        findings.push({ code: "altered-head", place: "database", chain, seq });
        // One whose chain is no text cannot be told from the next of them.
        if (head.chain !== "") await keepChecked(env.DB, organization, head.chain, { seq: 0, at: now });
        continue;
      }
      let pages = 0;
      const where = { place: "database", chain: told(head).chain } as const;
      const check: ChainCheck = await guarded(
        findings,
        where,
        () =>
          checkChain(env, identity, head, () => {
            pages += 1;
            return isLate() || pages >= PAGES_AT_ONCE;
          }),
        () => ({ findings: [], entries: 0, broken_off: null }),
      );
      findings.push(...check.findings);
      entries += check.entries;
      if (check.broken_off === null) chains += 1;
      else paused.add(head.chain);
      if (identity.session !== null && check.broken_off === null && !isLost(check.findings)) {
        begun.push(identity.session);
        const { session } = identity;
        const differences = await guarded(
          findings,
          { ...where, table: "approvals", id: "" },
          () => checkApprovals(env, organization, session, null, now),
          () => [],
        );
        findings.push(...differences.map(findingOf));
        rows += differences.length;
      }
      const checked =
        check.broken_off === null ? { seq: 0, at: now } : { seq: check.broken_off, at: head.checked_at };
      await keepChecked(env.DB, organization, head.chain, checked);
    }
    await knowFamilies(env, organization, begun);
    if (heads.length < CHAINS_AT_ONCE) break;
  }
  return { findings, done: done && paused.size === 0, chains, entries, rows };
}

/** A head as a finding names it: its columns may hold anything. */
function told({ chain, seq }: HeadRow): { readonly chain: string; readonly seq: number } {
  const name = [...chain].slice(0, CHAIN_CHARACTERS).join("").toWellFormed();
  return { chain: name, seq: Math.max(seq, 0) };
}

/** Nothing was ever recorded under this name: it is nobody's family. */
function isLost(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => code === "missing-ledger");
}

/** By the clock, for so long: the organizations that were looked at longest ago. @returns how many were looked at */
export async function checkDrifts(env: Env, now: number, until: number): Promise<number> {
  let count = 0;
  const seen = new Set<string>();
  for (;;) {
    const listed = await organizationsToCheck(env.DB, now - LOOK_EVERY_MS, now, ORGANIZATIONS_AT_ONCE);
    const page = listed.filter((organization) => !seen.has(organization));
    for (const organization of page) {
      if (Date.now() >= until) return count;
      seen.add(organization);
      try {
        const bounds = { since: now - CHAIN_EVERY_MS, until: Math.min(until, Date.now() + LOOK_MS) };
        await checkDrift(env, organization, now, bounds);
      } catch (error) {
        log.error("drift-check-failed", error, { organization });
        if (isOfData(error))
          await raiseAlert(env, organization, { code: "unreadable", place: "database", chain: null, seq: 0 });
      }
      count += 1;
    }
    // Whatever is listed again could not even be marked as looked at.
    if (page.length < ORGANIZATIONS_AT_ONCE) return count;
  }
}

/** The log from where the last look left it, to its end if time allows. */
async function checkLog(
  env: Env,
  organization: string,
  round: DriftRound,
  isLate: () => boolean,
): Promise<{
  leaves: number;
  checkpoints: number;
  done: boolean;
  findings: Finding[];
  next: Pick<DriftRound, "leaf_index" | "checkpoint">;
}> {
  const findings: Finding[] = [];
  const walk = async (from: number, look: (from: number) => Promise<LogCheck>) => {
    let next = from;
    for (let checked = 0; ; ) {
      const check = await guarded<LogCheck>(
        findings,
        { place: "log", chain: null },
        () => look(next),
        () => ({ findings: [], checked: 0, next: 0, done: true }),
      );
      findings.push(...check.findings);
      checked += check.checked;
      next = check.next;
      if (check.done || isLate() || findings.length >= MAX_FINDINGS)
        return { checked, next, done: check.done };
    }
  };
  // The size first: a checkpoint comes with its leaves.
  const size = (await readLatestCheckpoint(env.DB, organization))?.tree_size ?? 0;
  const checkpoints = await walk(round.checkpoint, (from) => checkCheckpoints(env, organization, from));
  const leaves = await walk(round.leaf_index, (from) => checkLeaves(env, organization, from, size));
  if (findings.length === 0)
    await guarded(
      findings,
      { place: "log", chain: null },
      () => takeUpLog(env, organization, isLate),
      () => undefined,
    );
  return {
    leaves: leaves.checked,
    checkpoints: checkpoints.checked,
    done: leaves.done && checkpoints.done,
    findings,
    next: { leaf_index: leaves.next, checkpoint: checkpoints.next },
  };
}
