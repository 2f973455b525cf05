import { describe, expect, it } from "vitest";
import { campaign } from "../../fuzz/campaign.ts";
import { canJail, Jail } from "../../fuzz/jail.ts";

/**
 * Bash itself is the judge: random scripts really run, in a jail, and nothing that they change or start may be missing
 * from a reading that is not opaque. `npm run fuzz` runs as many as one likes; a miss found there becomes a case.
 */
describe.runIf(canJail())("what bash really does", () => {
  it("is said by every reading that claims to know", async () => {
    const jail = new Jail();
    const { unsound, clear, active, scripts } = await campaign(jail, { seed: 20, scripts: 300 });
    await jail.close();
    expect(unsound.map(({ minimal, misses }) => ({ minimal, misses }))).toEqual([]);
    expect(clear / scripts).toBeGreaterThan(0.4);
    expect(active / scripts).toBeGreaterThan(0.4);
  }, 120_000);
});
