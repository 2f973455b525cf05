import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Effects, JsonObject } from "../../../src/policy/types.ts";
import { shell, tool } from "./support.ts";

/**
 * What calls say, as data: whom they address, what sums and things they name, what they keep, which spellings deceive, and
 * in which words they are told. One row a call; what a row leaves out is empty.
 */
interface Row {
  readonly tool?: string;
  readonly args?: JsonObject;
  readonly command?: string;
  /** `CLASS verbs | object | service` */
  readonly acts?: readonly string[];
  /** `role address` */
  readonly recipients?: readonly string[];
  /** `value currency`, and `minor` where it may be in cents */
  readonly amounts?: readonly string[];
  /** `name: value` */
  readonly items?: readonly string[];
  readonly stored?: readonly string[];
  /** `cause: text` */
  readonly deceptions?: readonly string[];
}

const rows = JSON.parse(readFileSync(`${import.meta.dirname}/cases/said.json`, "utf8")) as Row[];

function said(effects: Effects): Required<Omit<Row, "tool" | "args" | "command">> {
  return {
    acts: effects.acts.map(({ risk, verbs, object, service }) =>
      `${risk} ${verbs.join(" ")} | ${object.join(" ")} | ${service ?? ""}`.trim(),
    ),
    recipients: effects.recipients.map(({ role, address }) => `${role} ${address}`),
    amounts: effects.amounts.map(
      ({ value, currency, minor }) => `${value} ${currency ?? "?"}${minor ? " minor" : ""}`,
    ),
    items: effects.items.map(({ name, value }) => `${name}: ${value}`),
    stored: effects.stored.map(({ text }) => text),
    deceptions: effects.deceptions.map(({ cause, text }) => `${cause}: ${text}`),
  };
}

const EMPTY = { acts: [], recipients: [], amounts: [], items: [], stored: [], deceptions: [] };

describe("what a call says", () => {
  it.each(rows)("$tool $args $command", ({ tool: name, args, command, ...expected }) => {
    const effects = command === undefined ? tool(name ?? "", args ?? {}) : shell(command);
    expect(said(effects)).toEqual({ ...EMPTY, ...expected });
  });
});
