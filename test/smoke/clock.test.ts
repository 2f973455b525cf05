/** On a laptop, too, the clock rings: what was recorded is sealed with nobody asking. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { client, signIn } from "../../scripts/lib/client.mjs";
import { startClock } from "../../scripts/lib/clock.mjs";
import { migrate, startWorker } from "../../scripts/lib/worker.mjs";

const OPERATOR = "operator-token-of-the-smoke-test-only";
const folder = mkdtempSync(join(tmpdir(), "countersign-clock-"));
let worker: Awaited<ReturnType<typeof startWorker>>;

beforeAll(async () => {
  const persistTo = join(folder, "state");
  const envFile = join(folder, "secrets.env");
  mkdirSync(persistTo);
  writeFileSync(envFile, `OPERATOR_TOKEN=${OPERATOR}\nSETTINGS_KEY=settings-key-of-the-smoke-test-only\n`);
  await migrate(persistTo);
  worker = await startWorker({ port: 0, persistTo, envFile });
});

afterAll(async () => {
  await worker?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

describe("the clock of a laptop", () => {
  it("has what was recorded sealed", async ({ expect }) => {
    const send = client(worker.origin);
    const made = await send("POST", "/v1/organizations", {
      key: OPERATOR,
      json: { name: "Clock", owner_name: "Olivia" },
    });
    expect(made.status).toBe(201);
    const stop = startClock(worker.origin, 200);
    try {
      const cookie = await signIn(send, made.json.sign_in.url);
      let checkpoints: unknown[] = [];
      for (let i = 0; i < 50 && checkpoints.length === 0; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        ({ checkpoints } = (await send("GET", "/v1/checkpoints", { cookie })).json);
      }
      expect(checkpoints).toEqual([expect.objectContaining({ number: 1 })]);
    } finally {
      stop();
    }
  });
});
