/** `npm run demo`: the oath and the fence at work, told as a story against a Worker of its own. Fails if any step ends otherwise. */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Mismatch } from "./demo/stage.mjs";
import { tellStory } from "./demo/story.mjs";
import { client } from "./lib/client.mjs";
import { SECRETS } from "./lib/dev-vars.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { aborted, bold, Complaint, dim, green, run, Stopped, say, stopSignal } from "./lib/say.mjs";
import { migrate, startWorker } from "./lib/worker.mjs";

await run(async () => {
  const stopped = stopSignal();
  await ensureInstalled(stopped);
  const folder = mkdtempSync(join(tmpdir(), "countersign-demo-"));
  let worker;
  try {
    say(
      `\n  ${bold("Countersign")} ${dim("with a Worker, a database and a home folder that live as long as this story")}`,
    );
    const secrets = Object.fromEntries(Object.entries(SECRETS).map(([name, { fresh }]) => [name, fresh()]));
    const envFile = join(folder, `${randomBytes(4).toString("hex")}.env`);
    const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(envFile, lines.join(""), { mode: 0o600 });
    const home = join(folder, "home");
    const persistTo = join(folder, "state");
    for (const path of [home, persistTo]) mkdirSync(path);

    await migrate(persistTo, stopped);
    worker = await startWorker({ port: 0, persistTo, envFile, stopped });
    const story = tellStory({
      send: client(worker.origin),
      origin: worker.origin,
      operator: secrets.OPERATOR_TOKEN,
      home,
    });
    await Promise.race([story, aborted(stopped).then(() => Promise.reject(new Stopped()))]);
    say(`\n  ${green("✓")} ${bold("Everything went as sworn, and as asked.")}\n`);
  } catch (error) {
    if (error instanceof Mismatch) throw new Complaint(`Not as expected: ${error.message}`);
    throw error;
  } finally {
    await worker?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
