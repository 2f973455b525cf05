import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Effects, JsonObject, JsonValue } from "../../../src/policy/types.ts";
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

describe("any call", () => {
  const names = fc.constantFrom(
    ...[
      "terminal",
      "mcp__mail__send_message",
      "memory",
      "patch",
      "write_file",
      "discord",
      "send_message",
      "cronjob",
    ],
    ...[
      "ha_call_service",
      "mcp__bank__pay",
      "mcp__x__manage",
      "tool_call",
      "skill_manage",
      "constructor",
      "mcp____",
    ],
  );
  const keys = fc.constantFrom(
    ...[
      "to",
      "cc",
      "raw",
      "amount",
      "currency",
      "quantity",
      "unit_price",
      "path",
      "command",
      "action",
      "content",
    ],
    ...[
      "target",
      "url",
      "channel",
      "attendees",
      "headers",
      "name",
      "value",
      "type",
      "public",
      "email",
      "deliver",
    ],
    ...["operations", "edits", "forward_to", "service", "entity_id", "message", "toString", "constructor"],
  );
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...[
        "a@x.example",
        "<",
        '"',
        "Ana <a@x>",
        "mailto:",
        "xn--",
        "https://a@b",
        "=?utf-8?b?x?=",
        "1,450.00",
      ],
      ...[
        "send",
        "delete",
        "../a/../b",
        "~/.ssh/id",
        "$TOKEN",
        "CLAUDE.md",
        '["a@x"]',
        '{"to":1}',
        "\ud800",
        "\u202e",
      ],
    ),
  );
  const value = fc.letrec<{ any: JsonValue }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(keys, tie("any"), { maxKeys: 5, noNullPrototype: true }),
    ) as fc.Arbitrary<JsonValue>,
  })).any;

  it("is read without an error, the same twice, with every class in words and no other", () => {
    fc.assert(
      fc.property(
        fc.oneof(names, text),
        fc.dictionary(fc.oneof(keys, text), value, { maxKeys: 7, noNullPrototype: true }),
        (name, args) => {
          const effects = tool(name, args as JsonObject);
          expect(effects.opaque?.causes ?? []).not.toContain("unread");
          expect(tool(name, args as JsonObject)).toEqual(effects);
          const told = new Set(effects.acts.map((act) => act.risk));
          for (const risk of told) expect(effects.risks).toContain(risk);
          for (const risk of effects.risks)
            if (risk !== "READ" && risk !== "NETWORK" && risk !== "GOVERNANCE")
              expect([...told]).toContain(risk);
          for (const { value: sum } of effects.amounts) expect(sum).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
