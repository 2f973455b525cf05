import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/**
 * Two projects: `pure` runs in plain Node, since what it tests has no platform to run on;
 * `workerd` runs everything else inside the real runtime with D1 and Durable Objects.
 */
const pure = [
  "test/policy/**/*.test.ts",
  "test/compiler/*.test.ts",
  "test/notify/*.test.ts",
  "test/ledger/**/*.test.ts",
  "test/anchoring/**/*.test.ts",
  "test/house/**/*.test.ts",
  "test/http/**/*.test.ts",
  "test/selftest/**/*.test.ts",
];

export default defineConfig(async () => ({
  test: {
    projects: [
      {
        test: {
          name: "smoke",
          include: ["test/smoke/**/*.test.ts"],
          environment: "node",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The pages in a real browser, against the Worker as wrangler serves it.
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: "pure", include: pure, environment: "node", testTimeout: 60_000 } },
      {
        plugins: [
          cloudflareTest({
            verbose: false,
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations("./migrations"),
                OPERATOR_TOKEN: "operator-token-of-the-test-suite-only",
                SETTINGS_KEY: "settings-key-of-the-test-suite-only",
              },
            },
          }),
        ],
        test: {
          name: "workerd",
          include: ["test/**/*.test.ts"],
          exclude: [...pure, "test/smoke/**", "test/browser/**", "node_modules/**"],
          setupFiles: ["./test/support/setup.ts"],
          globalSetup: ["./test/notify/workerd/receivers.setup.ts"],
          testTimeout: 30_000,
        },
      },
    ],
  },
}));
