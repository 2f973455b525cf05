/**
 * The least that a recorded decision could cost on this platform: one D1 point read and one Durable Object append of a
 * chained row and its outbox row. No reading, no judging, no validation.
 */
import { DurableObject } from "cloudflare:workers";
import { createHash } from "node:crypto";

export class Bare extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS chain (seq INTEGER PRIMARY KEY, hash TEXT, entry TEXT); CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, row TEXT)",
    );
    this.head = ctx.storage.sql
      .exec("SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1")
      .toArray()[0] ?? {
      seq: 0,
      hash: "",
    };
  }

  append(text) {
    return this.ctx.storage.transactionSync(() => {
      const seq = this.head.seq + 1;
      const hash = createHash("sha256").update(this.head.hash).update(text).digest("hex");
      this.ctx.storage.sql.exec("INSERT INTO chain (seq, hash, entry) VALUES (?, ?, ?)", seq, hash, text);
      this.ctx.storage.sql.exec("INSERT INTO outbox (seq, row) VALUES (?, ?)", seq, text);
      this.head = { seq, hash };
      return this.head;
    });
  }
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname === "/setup") {
      await env.DB.exec("CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, org TEXT)");
      await env.DB.prepare("INSERT OR IGNORE INTO keys (id, org) VALUES ('k', 'o')").run();
      return new Response("ok");
    }
    const body = await request.text();
    if (url.pathname === "/append")
      return Response.json(await env.BARE.getByName(url.searchParams.get("s") ?? "0").append(body));
    const row = await env.DB.prepare("SELECT org FROM keys WHERE id = ?").bind("k").first();
    if (row === null) return new Response("no", { status: 401 });
    const head = await env.BARE.getByName(url.searchParams.get("s") ?? "0").append(body);
    return Response.json(head);
  },
};
