import { resolve } from "node:path";

/**
 * Arrows point one way (DESIGN §2). A room may import itself, the rooms listed, and the packages listed; files that
 * stand in `src` itself are listed by name.
 */
export const ROOMS: Record<string, { rooms: string[]; packages: string[] }> = {
  policy: { rooms: [], packages: ["unbash"] },
  ledger: { rooms: [], packages: ["node:crypto", "canonicalize"] },
  db: { rooms: ["ledger", "roles", "within"], packages: ["drizzle-orm"] },
  compiler: { rooms: ["policy", "addresses", "sealing", "within"], packages: [] },
  anchoring: { rooms: ["ledger", "addresses"], packages: [] },
  notify: {
    rooms: ["policy", "db", "addresses", "log", "roles", "sealing", "within"],
    packages: ["node:crypto", "jose", "zod", "standardwebhooks", "@block65/webcrypto-web-push"],
  },
  durable: {
    rooms: ["policy", "ledger", "db:publish", "notify", "env", "log", "roles", "within"],
    packages: ["cloudflare:workers"],
  },
  http: {
    rooms: [
      "policy",
      "compiler",
      "ledger",
      "anchoring",
      "db",
      "durable",
      "notify",
      "addresses",
      "errors",
      "env",
      "ids",
      "log",
      "roles",
      "sealing",
      "within",
    ],
    packages: [
      "hono",
      "zod",
      "@hono/zod-openapi",
      "@simplewebauthn/server",
      "jose",
      "node:crypto",
      "cloudflare:workers",
    ],
  },
  routes: {
    rooms: [
      "http",
      "policy",
      "compiler",
      "ledger",
      "db",
      "durable",
      "notify",
      "errors",
      "ids",
      "log",
      "roles",
    ],
    packages: ["hono", "zod", "@hono/zod-openapi"],
  },
};

export const PROJECT = resolve(import.meta.dirname, "../..");
