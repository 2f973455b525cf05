import { describe, it } from "vitest";
import { shortageOf } from "../../../src/policy/approval/index.ts";

describe("a demand", () => {
  const demand = (people: number, passkey = false) => ({ people, signed_in: passkey, passkey });
  const rows = [
    [demand(1), 1, 0, null],
    [demand(1), 0, 0, { lacks: "people", needed: 1, there_are: 0 }],
    [demand(3), 2, 2, { lacks: "people", needed: 3, there_are: 2 }],
    [demand(3), 3, 0, null],
    [demand(1, true), 1, 1, null],
    [demand(1, true), 5, 0, { lacks: "passkeys", needed: 1, there_are: 0 }],
    [demand(2, true), 5, 1, { lacks: "passkeys", needed: 2, there_are: 1 }],
    [demand(2, true), 5, 2, null],
    [demand(2, true), 1, 1, { lacks: "people", needed: 2, there_are: 1 }],
  ] as const;

  for (const [what, approvers, with_passkey, shortage] of rows)
    it(`of ${JSON.stringify(what)} among ${approvers}, ${with_passkey} of them with a passkey, lacks ${JSON.stringify(shortage)}`, ({
      expect,
    }) => {
      expect(shortageOf(what, { approvers, with_passkey })).toEqual(shortage);
    });
});
