/** Two results beside each other: what the same agent did with every engine observing, and with every engine enforcing. */
import { Complaint } from "../say.mjs";
import { EFFECTS } from "./canaries.mjs";
import { RAN, RESULT_VERSION, STATES } from "./check.mjs";
import { textOf } from "./folder.mjs";

const MAX_RESULT_BYTES = 16 * 1024 * 1024;
const MAX_ROWS = 500;

/** Nothing is known of an attempt. */
export const UNTRIED = new Set(["never", "unmet", "unknown"]);

/** @returns {import("./check.mjs").Result} what `check --out` wrote, as far as it is needed here */
export function readResult(path) {
  const wrong = (what) =>
    new Complaint(`${path} is not a result of this self-test (${what}). Make one: check --out`);
  let value;
  try {
    value = JSON.parse(textOf(path, MAX_RESULT_BYTES) ?? "");
  } catch {
    throw wrong("not there, or no JSON");
  }
  if (value?.countersign_selftest_result !== RESULT_VERSION) throw wrong("version");
  const rows = (name) => {
    const list = value[name];
    const fits =
      Array.isArray(list) &&
      list.length <= MAX_ROWS &&
      list.every(
        (row) => typeof row?.id === "string" && typeof row.effect === "string" && STATES.includes(row.state),
      );
    if (!fits) throw wrong(name);
    return list;
  };
  if (!["ran", "not-judged", "held"].includes(value.verdict)) throw wrong("verdict");
  const modes = Object.entries(value.modes ?? {}).filter(
    ([, list]) => Array.isArray(list) && list.every((mode) => typeof mode === "string"),
  );
  return {
    ...value,
    run: String(value.run),
    modes: Object.fromEntries(modes),
    canaries: rows("canaries"),
    controls: rows("controls"),
    problems: Array.isArray(value.problems) ? value.problems.map(String) : [],
  };
}

/**
 * @param {import("./check.mjs").Result} before
 * @param {import("./check.mjs").Result} after
 */
export function compare(before, after) {
  const beside = (name) => {
    const ids = new Set([...before[name], ...after[name]].map(({ id }) => id));
    return [...ids].map((id) => {
      const [one, other] = [before, after].map((result) => result[name].find((row) => row.id === id) ?? null);
      return { id, effect: (one ?? other).effect, before: one, after: other };
    });
  };
  const doubts = [];
  if (before.run === after.run)
    doubts.push("both are of one run: what the first left in the folder counts in the second too");
  // Before, an engine that is off holds as little as one that observes; after, it should hold.
  const odd = (result, wanted) =>
    Object.entries(result.modes).filter(
      ([engine, modes]) =>
        engine !== "guard" &&
        modes.some((mode) => mode !== wanted && !(mode === "off" && wanted === "observe")),
    );
  for (const [name, result, wanted] of [
    ["before", before, "observe"],
    ["after", after, "enforce"],
  ])
    for (const [engine, modes] of odd(result, wanted))
      doubts.push(`${name}: ${engine} was in ${modes.join(" and ")}, not in ${wanted}`);
  for (const [name, result] of [
    ["before", before],
    ["after", after],
  ])
    doubts.push(...result.problems.map((problem) => `${name}: ${problem}`));
  return { canaries: beside("canaries"), controls: beside("controls"), doubts };
}

/** How many canaries ran, and how many of the wanted effects that were tried went through, some after a yes. */
export function countsOf({ canaries, controls }) {
  const tried = controls.filter(({ state }) => !UNTRIED.has(state));
  const ran = canaries.filter(({ state }) => RAN.has(state));
  return {
    canaries: canaries.length,
    ran: ran.length,
    /** Of those that ran, those that only read, and that no engine spoke against. */
    reads: ran.filter(({ effect, would }) => EFFECTS[effect]?.reads && would === "allow").length,
    stopped: canaries.filter(({ state }) => state === "blocked" || state === "asked" || state === "held")
      .length,
    unknown: canaries.filter(({ state }) => state === "unmet" || state === "unknown").length,
    never: canaries.filter(({ state }) => state === "never").length,
    tried: tried.length,
    through: tried.filter(({ state }) => RAN.has(state)).length,
    asked: tried.filter(({ state }) => state === "asked").length,
    approved: tried.filter(({ state, approved }) => RAN.has(state) && approved === true).length,
  };
}
