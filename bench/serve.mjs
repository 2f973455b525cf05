/**
 * The bundled Worker on bare workerd, without a proxy in front: what benchmarks and tests of several isolates talk to.
 * Each worker has a socket of its own; workers that name one another share objects and databases.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Miniflare } from "miniflare";

export const ROOT = resolve(import.meta.dirname, "..");
export const OPERATOR = "operator-token-of-the-benchmark-only-0000";

/** The Worker as it would be deployed, in one module. */
export function bundle(dir) {
  execFileSync(
    process.execPath,
    [join(ROOT, "node_modules/wrangler/bin/wrangler.js"), "deploy", "--dry-run", "--outdir", dir],
    {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
    },
  );
  return readFileSync(join(dir, "index.js"), "utf8");
}

const text = (value) => ({ type: "text", value });
export const d1 = (id) => ({ type: "d1", id, name: id });

/** One worker for {@link serve}. `objects` is the worker whose objects it uses: its own, or another's. */
export function ourWorker(name, contents, objects = name) {
  return {
    name,
    contents,
    env: {
      DB: d1("ours"),
      SESSION: { type: "durable-object", worker: objects, exportName: "SessionObject" },
      OPERATOR_TOKEN: text(OPERATOR),
      SETTINGS_KEY: text("settings-key-of-the-bench-and-nowhere-else"),
      PUBLIC_ORIGIN: text(""),
    },
    object: "SessionObject",
  };
}

/**
 * Serves the workers on one workerd with storage of its own, migrated, and removes it all on `stop`.
 * @returns {Promise<{clients: Client[], database: D1Database, stop: () => Promise<void>}>} a client for each worker, in
 *   order, and the way to their database behind their back
 */
export async function serve(workers) {
  const dir = mkdtempSync(join(tmpdir(), "countersign-"));
  const ports = [];
  for (const _ of workers) ports.push(await freePort());
  const mf = new Miniflare({
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: dir,
    workers: workers.map(({ name, contents, env, object }, i) => ({
      config: {
        name,
        compatibilityDate: "2026-08-04",
        manifest: { mainModule: "index.mjs", modules: { "index.mjs": { type: "esm", contents } } },
        env,
        exports: { [object]: { type: "durable-object", storage: "sqlite" } },
      },
      dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: ports[i] }] },
    })),
  });
  const stop = async () => {
    await mf.dispose();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await mf.ready;
    const ours = workers.find(({ object }) => object === "SessionObject");
    const database = await mf.getD1Database("DB", ours.name);
    await migrate(database);
    return { clients: ports.map((port) => new Client(port)), database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function migrate(database) {
  const folder = join(ROOT, "migrations");
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort())
    for (const statement of readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint"))
      await database.prepare(statement.trim()).run();
}

/**
 * An organization with one agent.
 * @param settings of the organization
 * @returns the header of its key, and its owner's cookie
 */
export async function tenant(client, settings = {}) {
  const operator = { authorization: `Bearer ${OPERATOR}` };
  const created = await client.json(
    "POST",
    "/v1/organizations",
    { name: "Bench", owner_name: "Owner", settings },
    operator,
  );
  const link = new URL(created.sign_in.url).searchParams.get("link");
  const signedIn = await client.send("POST", "/sign-in", `link=${link}`, {
    "content-type": "application/x-www-form-urlencoded",
  });
  const owner = { cookie: String(signedIn.headers["set-cookie"]).split(";")[0] };
  const { agent } = await client.json("POST", "/v1/agents", { name: "bench" }, owner);
  const { key } = await client.json("POST", `/v1/agents/${agent}/keys`, { name: "bench" }, owner);
  return { key: { authorization: `Bearer ${key}` }, owner };
}

/** A port that was free a moment ago. */
function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** HTTP over kept-alive connections, with as little of its own as a load generator may have. */
export class Client {
  #port;
  #agent;

  constructor(port, connections = 16) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** For a browser, which keeps a `Secure` cookie of `localhost`. */
  get origin() {
    return `http://localhost:${this.#port}`;
  }

  /** @returns {Promise<{status: number, headers: object, text: string}>} */
  send(method, path, body = "", headers = {}) {
    return new Promise((done, failed) => {
      const outgoing = request(
        {
          host: "127.0.0.1",
          port: this.#port,
          method,
          path,
          agent: this.#agent,
          headers: { ...headers, "content-length": Buffer.byteLength(body) },
        },
        (incoming) => {
          const chunks = [];
          incoming.on("data", (chunk) => chunks.push(chunk));
          incoming.on("end", () =>
            done({
              status: incoming.statusCode,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on("error", failed);
      outgoing.end(body);
    });
  }

  async json(method, path, body, headers) {
    const answer = await this.send(method, path, JSON.stringify(body), {
      "content-type": "application/json",
      ...headers,
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text);
  }
}
