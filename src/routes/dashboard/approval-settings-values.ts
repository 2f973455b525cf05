/** The settings of approvals as fields of a form, and back. Pure. */
import { demandOf, readApprovals } from "../../policy/approval/index.ts";
import { RISK_CLASSES, type RiskClass } from "../../policy/types.ts";
import type { Field, Fields } from "./settings-values.ts";

export function peopleId(risk: RiskClass): string {
  return `approvals-demands-people-${risk}`;
}

export function howId(risk: RiskClass): string {
  return `approvals-demands-how-${risk}`;
}

/** Where faults in demands are named: their rows are made of many fields. */
export const DEMANDS_ID = "approvals-demands";

export const APPROVAL_FIELDS: readonly Field[] = [
  { id: "approvals-expires_after_seconds", kind: "number", label: "Seconds to answer" },
  { id: "approvals-grant_lasts_seconds", kind: "number", label: "Seconds to run it" },
  ...RISK_CLASSES.flatMap((risk): Field[] => [
    { id: peopleId(risk), kind: "demand", label: `People for ${risk}` },
    { id: howId(risk), kind: "demand", label: `How ${risk} is approved` },
  ]),
  { id: "approvals-quiet_hours-time_zone", kind: "word", label: "Time zone of the quiet hours" },
  { id: "approvals-quiet_hours-from", kind: "word", label: "Quiet from" },
  { id: "approvals-quiet_hours-to", kind: "word", label: "Quiet until" },
  { id: "approvals-quiet_hours-asks", kind: "word", label: "Asks in quiet hours" },
  { id: "approvals-quiet_hours-except", kind: "set", label: "Told at once all the same" },
];

/** The fields of demands as they are kept: for each class of action, what all rows for it demand together. */
export function demandFields(approvals: unknown): Fields {
  const configuration = readApprovals(approvals);
  return Object.fromEntries(
    RISK_CLASSES.flatMap((risk) => {
      const { people, signed_in, passkey } = demandOf(configuration, [risk]);
      return [
        [peopleId(risk), people === 1 ? "" : String(people)],
        [howId(risk), passkey ? "passkey" : signed_in ? "signed_in" : ""],
      ];
    }),
  );
}

/** The rows that the fields ask for, classes with the same demand in one; `undefined` for none. */
export function demandsFrom(fields: Fields): readonly object[] | undefined {
  const rows = new Map<string, { risks: RiskClass[]; people: string; how: string }>();
  for (const risk of RISK_CLASSES) {
    const [people, how] = [fields[peopleId(risk)] ?? "", fields[howId(risk)] ?? ""];
    if (people === "" && how === "") continue;
    const key = `${people} ${how}`;
    const row = rows.get(key) ?? { risks: [], people, how };
    row.risks.push(risk);
    rows.set(key, row);
  }
  if (rows.size === 0) return undefined;
  return [...rows.values()].map(({ risks, people, how }) => ({
    risks,
    // What is no number is for the schema to refuse.
    ...(people === "" ? {} : { people: /^[0-9]{1,3}$/.test(people) ? Number(people) : people }),
    ...(how === "" ? {} : { [how]: true }),
  }));
}
