/** The Worker: requests, and the one Durable Object class. */
import { newApp } from "./app.ts";

export { SessionObject } from "./durable/session.ts";

const app = newApp();

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>;
