/** Where things are, and how the tools of this project are run: always with the Node that the project brings. */
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const BIN = join(ROOT, "node_modules", ".bin");

/** The Node of `node_modules`: wrangler and vitest need a newer one than a machine may have. */
export const NODE = path("node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/** Labelled cases of the product's judgements, where somebody keeps them beside the project. */
export const CORPORA = process.env.CORPORA ?? join(ROOT, "..", "shared", "corpora");

export function path(...parts) {
  return join(ROOT, ...parts);
}

/**
 * The environment for the project's tools. They ask nothing, tell nobody, look nothing up on the network, and keep
 * their own logs with the project.
 */
export function toolEnvironment(more = {}) {
  const environment = { ...process.env };
  // Secrets come from a file that was checked. One left in the shell would win over it unseen.
  delete environment.OPERATOR_TOKEN;
  delete environment.SETTINGS_KEY;
  return {
    ...environment,
    PATH: [BIN, ...pathWithout(environment.PATH)].join(delimiter),
    CI: "1",
    // CI makes some tools colour what no terminal shows.
    ...(process.stdout.isTTY === true ? {} : { NO_COLOR: "1" }),
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_LOG_PATH: path(".wrangler", "logs"),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    ...more,
  };
}

/** The environment for npm itself, which must not run on the Node that it is about to replace. */
export function npmEnvironment() {
  return {
    ...process.env,
    PATH: pathWithout(process.env.PATH).join(delimiter),
    npm_config_loglevel: "error",
  };
}

function pathWithout(text) {
  return (text ?? "").split(delimiter).filter((folder) => folder !== "" && folder !== BIN);
}
