/** How the sentences of one turn bear on each other: a list on its heading, a sending on its draft, a ban on its request. */
import type { Permission } from "../types.ts";
import type { Ban } from "./bans/index.ts";
import type { Clause } from "./clause.ts";
import type { Heading } from "./headings.ts";
import type { Request } from "./requests.ts";
import type { SentenceReading } from "./sentence.ts";
import { has, type Unit } from "./units.ts";

/** A line of a list as its heading has it read; of the heading itself (`null`) only what it forbids is heard. */
export function under(reading: SentenceReading, heading: Heading | null): SentenceReading {
  const bans =
    heading === "ask"
      ? reading.bans.map((ban): Ban => ({ ...ban, asks: true }))
      : heading === "idle" || heading === "data"
        ? []
        : reading.bans;
  return { ...reading, clauses: [], delegated: [], bans, assents: false, withdraws: false };
}

/** Says nothing by which its list is read otherwise. */
export const isPlain = (heading: Heading | undefined): boolean =>
  heading === undefined || heading === "task" || heading === "unsure";

/** A title within a list is read as the list is. */
export const inherited = (above: Heading | undefined): Heading | undefined =>
  above === "task" || above === "unsure" ? undefined : above;

export function listedUnder(heading: Heading | null, above: Heading | undefined): Heading | undefined {
  if (heading === null) return above;
  return above === "task" || (above === "unsure" && heading === "task") ? above : heading;
}

/** `write an email to a@… and send it`: to whom it is written it is sent. */
export function sentOf(
  request: Request | null,
  last: Request | null,
  { objects }: Clause,
  units: readonly Unit[],
): Request | null {
  if (request === null || last === null || !last.verbs.includes("draft")) return request;
  const isIt = objects.some(({ from, to }) =>
    units.slice(from, to).some(({ text }) => /^(?:it|them)$/.test(text)),
  );
  const sends = request.risks.length === 1 && request.risks[0] === "COMMUNICATION";
  if (!isIt || !sends || request.targets.length > 0) return request;
  return { ...request, targets: last.targets.filter(({ kind }) => kind === "recipient") };
}

/** What is asked for is forbidden in words that say which one of it is not meant. */
export function isQualified(
  ban: Ban,
  asked: readonly Pick<Permission, "verbs" | "object">[],
  units: readonly Unit[],
): boolean {
  const same = asked.filter(({ verbs }) => verbs.includes(ban.verbs[0] ?? ""));
  const known = new Set(same.flatMap(({ object }) => object));
  return (
    same.length > 0 &&
    ban.objects
      .flatMap(({ from, to }) => units.slice(from, to))
      .some(
        (unit) =>
          unit.token.kind === "word" &&
          !["any", "det", "filler", "me", "until", "not"].some((tag) => has(unit, tag as "any")) &&
          !known.has(unit.text),
      )
  );
}
