/**
 * The Worker on workerd with its state on disk, in a process of its own, so that killing both leaves nothing of either.
 * Told what to serve by its first message; goes when whoever started it goes.
 */
import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";
import { migrate, ourWorker } from "../../../bench/serve.mjs";

process.on("disconnect", () => process.exit(1));
process.once("message", async ({ bundle, state, port, variables, fresh }) => {
  try {
    const { name, env, object } = ourWorker("countersign", "");
    const texts = Object.entries(variables).map(([key, value]) => [key, { type: "text", value }]);
    const mf = new Miniflare({
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      resourcePersistencePath: state,
      workers: [
        {
          config: {
            name,
            compatibilityDate: "2026-08-04",
            manifest: {
              mainModule: "index.mjs",
              modules: { "index.mjs": { type: "esm", contents: readFileSync(bundle, "utf8") } },
            },
            env: { ...env, ...Object.fromEntries(texts) },
            exports: { [object]: { type: "durable-object", storage: "sqlite" } },
          },
          dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port }] },
        },
      ],
    });
    await mf.ready;
    if (fresh) await migrate(await mf.getD1Database("DB", name));
    process.send({ ready: true });
  } catch (error) {
    process.send({ ready: false, why: String(error?.stack ?? error) });
  }
});
