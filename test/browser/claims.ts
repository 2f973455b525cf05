/** Writes to memories and skills of every kind that the pages about provenance show, and the words behind them. */
import type { Page } from "playwright-core";

const remember = (content: string) => ({
  tool: "memory",
  args: { action: "add", target: "memory", content },
});

export const TYPED =
  "I decided we ship on Friday. Never delete the prod database without asking me. Should we rename the billing service?";

const OLD = "# Deploy\nRun the tests.\n";
const NEW = "# Deploy\nRun the tests, then ship.\n";
export const SKILL = `release-${"notes-and-more-".repeat(6)}guide`;

const skill = (action: string, args: object) => ({
  tool: "skill_manage",
  args: { action, name: SKILL, ...args },
});

/** What an agent writes down: backed, not backed for each kind of reason, hostile, and too much at once. */
export const WRITES = [
  remember('User decided to ship on Friday ("I decided we ship on Friday").'),
  remember("User decided to ship on Friday."),
  remember('The user approved deleting the prod database ("delete the prod database").'),
  remember('The owner agreed to rename the billing service ("rename the billing service").'),
  remember('The user chose Postgres ("we go with Postgres for everything").'),
  remember(
    `The user approved <img src=x onerror=alert(1)> \u202eevil\u2066 ${"w".repeat(220)} ("</script><b>${"q".repeat(120)}")`,
  ),
  remember("The user approved it. ".repeat(101)),
  { tool: "memory", args: { operations: "[not json" } },
  { ...skill("create", { content: OLD }), stored: "" },
  { ...skill("edit", { content: NEW }), stored: OLD },
  { ...skill("edit", { content: `${NEW}more\n` }), stored: `${NEW}changed by somebody else\n` },
  skill("patch", { old_string: "ship", new_string: "User decided to ship" }),
];

/** Those that ran, by their place in the list: the writes to a skill. */
export const SKILL_CALLS = WRITES.flatMap(({ tool }, i) => (tool === "skill_manage" ? [i] : []));

/** A text to try: claims with and without quotes, a long word, and letters that turn. */
export const TRIED = `Notes of Monday
User decided to ship on Friday ("I decided we ship on Friday").
Then ${"x".repeat(300)} and the user approved the \u202edatabase move.
用户决定用 Postgres。
Ordinary text at the end.`;

/** Tries a text, finds a claim that an agent made, and opens the decision on it: by forms and links alone. */
export async function followAClaim(page: Page, origin: string, ask: () => Promise<void>): Promise<void> {
  await page.goto(`${origin}/evidence`);
  await page.getByText("Nothing was claimed in this time").waitFor();
  await page.getByRole("link", { name: "try a text", exact: true }).click();
  await page.getByLabel("Text", { exact: true }).fill("User decided to ship on Friday.");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("heading", { name: "1 claim, not backed" }).waitFor();
  if (page.url() !== `${origin}/evidence/check#result`) throw new Error(page.url());
  await ask();
  for (let i = 0; i < 10 && (await page.locator(".decision").count()) === 0; i += 1) {
    await page.waitForTimeout(1_000);
    await page.goto(`${origin}/evidence`);
  }
  await page.getByLabel("Why not backed").selectOption({ label: "Quote drops a negation" });
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator(".decision summary").click();
  await page.getByRole("link", { name: /^The decision on call/ }).click();
  await page
    .getByText("memory:memory makes 1 claim of what the user decided, and nothing backs it.")
    .waitFor();
}
