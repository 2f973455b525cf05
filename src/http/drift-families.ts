/**
 * Session families that the organization's object knows and the database does not: all that was delivered of one can be
 * deleted there, and then nothing in the database says that it ever was.
 */
import { readHead, readHeadsOf } from "../db/heads.ts";
import type { Finding } from "./alerts.ts";
import { callObject, organizationStub, sessionStub } from "./sessions.ts";

/** Looks at every family after `from`, by the ids' bytes. @returns where to go on; `null` at the end */
export async function checkFamilies(
  env: Env,
  organization: string,
  from: string,
  isLate: () => boolean,
): Promise<{ readonly findings: Finding[]; readonly next: string | null }> {
  const findings: Finding[] = [];
  let after = from;
  do {
    const { roots, next } = await familiesOf(env, organization, after);
    const chains = roots.map((root) => `session:${root}`);
    const heads = await readHeadsOf(env.DB, organization, chains);
    for (const root of roots.filter((one) => !heads.has(`session:${one}`))) {
      const chain = `session:${root}`;
      const position = await callObject(
        () => sessionStub(env, organization, root),
        (stub) => stub.position(),
      );
      // It made itself known when it had something to deliver.
      if (position === null) findings.push({ code: "missing-ledger", place: "ledger", chain, seq: 1 });
      // What was delivered before is there, or was taken away.
      else if (position.delivered > 0 && (await readHead(env.DB, organization, chain)) === null)
        findings.push({ code: "missing-head", place: "database", chain, seq: position.delivered });
    }
    if (next === null) return { findings, next: null };
    after = next;
  } while (!isLate());
  return { findings, next: after };
}

/** A page of the families that the organization's object knows. */
export async function familiesOf(
  env: Env,
  organization: string,
  after: string,
): Promise<{ readonly roots: readonly string[]; readonly next: string | null }> {
  return callObject(
    () => organizationStub(env, organization),
    (stub) => stub.families([], after),
  );
}

/** Makes families known that were begun before they made themselves known. */
export async function knowFamilies(env: Env, organization: string, roots: readonly string[]): Promise<void> {
  if (roots.length === 0) return;
  await callObject(
    () => organizationStub(env, organization),
    (stub) => stub.families(roots, null),
  );
}
