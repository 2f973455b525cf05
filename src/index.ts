/** The Worker: requests, what is done by the clock, and the one Durable Object class. */
import { newApp } from "./app.ts";
import { runDuties } from "./scheduled.ts";

export { SessionObject } from "./durable/session.ts";

const app = newApp();

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
  scheduled: (controller, env) => runDuties(env, controller.scheduledTime),
} satisfies ExportedHandler<Env>;
