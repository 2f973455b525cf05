/** What is said of an anchor's state, and of why nothing came of the last try. */
import type { ShownAnchor } from "../../http/anchors.ts";

/** How far it is: never further than what was checked. */
export function stateWords({ state, block, attestations }: ShownAnchor): string {
  if (block !== null) return `in block ${block.height}`;
  if (state === "attested") {
    const heights = attestations.flatMap(({ kind, height }) => (kind === "bitcoin" ? (height ?? []) : []));
    return `its proof names block ${[...new Set(heights)].join(", ")}, whose header is not here`;
  }
  return state === "pending" ? "pending: no block yet" : "unsubmitted: no calendar has taken it";
}

const FAILURES: Readonly<Record<string, string>> = {
  "no-calendars": "no calendar is set",
  "address-refused": "an address may not be asked from here",
  timeout: "no answer came in time",
  unreachable: "nobody could be reached",
  redirect: "the answer sent us elsewhere, and is not followed",
  "too-large": "the answer was too large",
  "not-yet": "there is no block yet",
  malformed: "the answer could not be read",
  "nothing-promised": "the answer promised nothing",
  "merkle-root": "the header that was found is another block's",
  "block-too-old": "the block that was found is older than the anchor",
  "height-too-early": "the block that is named is too early to show anything",
  "header-time": "the header that was found has a time that its height cannot have",
  "header-target": "the header that was found is too easy for its height",
  "header-work": "the header that was found was not mined",
};

/** Why nothing came of the last try. @param failure a stable word, as anchors keep it */
export function failureWords(failure: string): string {
  const status = /^status-(\d{3})$/.exec(failure)?.[1];
  return status === undefined ? (FAILURES[failure] ?? failure) : `the answer was an error (${status})`;
}

/** Epoch milliseconds of a date and time in UTC as forms send it; `null` for none, `undefined` for what is none. */
export function momentOf(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === "") return null;
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(typed)) return undefined;
  const at = Date.parse(`${typed.replace(" ", "T")}Z`);
  return Number.isNaN(at) || at < 0 ? undefined : at;
}

/** The same the other way, to the second. */
export function typedMoment(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}
