/** Tokens that nobody has signed, about an approval that there is: they must not fill its record for ever. */
import { afterEach, beforeEach, it, vi } from "vitest";
import { pass, stopClock } from "../approvals/support.ts";
import { send } from "../support/api.ts";
import { asked, linkOf, refusalsOf } from "./support.ts";

beforeEach(stopClock);
afterEach(() => {
  vi.useRealTimers();
});

it("leave a row while there could be a link, and none once every link is over", async ({ expect }) => {
  const one = await asked();
  const ours = await linkOf(one);
  const forged = `${ours.slice(0, ours.lastIndexOf("."))}.AAAA`;
  expect((await send(forged)).status).toBe(404);
  expect((await refusalsOf(one)).map(({ code }) => code)).toEqual(["link-forged"]);
  pass(3 * 60 * 60_000);
  for (let i = 0; i < 3; i += 1)
    expect((await send(forged, { method: i === 0 ? "POST" : "GET" })).status).toBe(404);
  expect(await refusalsOf(one)).toHaveLength(1);
  // One that we signed is somebody's: it is on record whenever it comes.
  expect((await send(ours)).status).toBe(404);
  expect((await refusalsOf(one)).map(({ code, member }) => [code, member])).toEqual([
    ["link-forged", null],
    ["link-expired", one.tenant.owner],
  ]);
});
