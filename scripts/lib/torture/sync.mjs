/**
 * That each acknowledged answer waited for the disk. A process that is killed loses nothing that it has written, synced or
 * not; a machine that loses power does. So workerd's own system calls are followed: between the arrival of a request and
 * the first byte of its answer, whatever was written to an object's database was synced.
 */
import { spawnSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bold, dim, green, red, Stopped, say, yellow } from "../say.mjs";
import { Client } from "./http.mjs";
import { Server } from "./server.mjs";
import { judge, Trace } from "./trace.mjs";
import { World } from "./world.mjs";

/** Each asks, is approved, runs and is reported: four answers. */
const ACTIONS = 75;
const NOT_CHECKED = 2;
/** Answers beside which an alarm may be seen at work, delivering rows to the search copy. */
const MOST_BETWEEN = 0.02;
const SETTLE_MS = 1_500;
const CALLS =
  "trace=read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg,pwrite64,pwritev,fsync,fdatasync,sync_file_range";

/** @returns the exit code: 2 where it could not be checked */
export async function traceSyncs({ folder, stopped }) {
  say(`\n  ${bold("Torture")} ${dim("does each answer wait for the disk?")}\n`);
  const why = whyNot();
  if (why !== null) {
    say(`  ${yellow("!")} Not checked: ${why}\n`);
    return NOT_CHECKED;
  }
  const file = join(folder, "trace");
  const world = new World();
  const under = ["strace", "-f", "-yy", "-ttt", "-s", "48", "-e", CALLS, "-o", file];
  const server = new Server(folder, world.variables, under);
  let sent;
  try {
    await server.prepare();
    await server.start();
    const first = server.client();
    await world.settle(first);
    await world.newFamily(first);
    first.close();
    // One connection, one request at a time: then what is written between a request and its answer belongs to it.
    const client = new Client(server.port, 1);
    sent = await drive(world, client, stopped);
    client.close();
    // What the tracer has yet to write down.
    await new Promise((later) => setTimeout(later, SETTLE_MS));
  } finally {
    await server.kill();
  }
  if (stopped.aborted) throw new Stopped();
  return told(await read(file, server.port), sent);
}

/** Why system calls cannot be followed here, or `null`. */
function whyNot() {
  if (process.platform !== "linux") return "system calls are followed with strace, which is for Linux.";
  const tried = spawnSync("strace", ["-f", "-e", "trace=fsync", "-o", "/dev/null", "true"], {
    encoding: "utf8",
  });
  if (tried.error?.code === "ENOENT") return "strace is not installed.";
  if (tried.status !== 0)
    return `strace may not follow processes here: ${tried.stderr.trim().split("\n")[0]}`;
  return null;
}

/** Makes requests that have to be recorded, one after another. @returns what each was */
async function drive(world, client, stopped) {
  const sent = [];
  const [{ root }] = world.active;
  const session = `/v1/sessions/${encodeURIComponent(root)}`;
  const must = async (what, path, options) => {
    const { json } = await client.must("POST", path, options);
    sent.push(what);
    return json;
  };
  for (let i = 0; i < ACTIONS && !stopped.aborted; i += 1) {
    const { key } = world;
    const call = {
      call_id: `sync ${i}`,
      tool: "write_file",
      args: { path: `/home/u/keep/${i}`, content: "new" },
    };
    const asked = await must("decision: ask", `${session}/decisions`, { key, json: call });
    await must("approval", `/v1/approvals/${asked.approval.id}/decision`, {
      cookie: world.people.admin.cookie,
      json: { decision: "approve", action_digest: asked.action_digest },
    });
    const runs = await must("decision: allow", `${session}/decisions`, { key, json: call });
    if (runs.verdict !== "allow") throw new Error(`an approved action was answered ${JSON.stringify(runs)}`);
    const outcome = { call_id: call.call_id, outcome: "success" };
    await must("outcome", `${session}/outcomes`, { key, json: outcome });
  }
  return sent;
}

async function read(file, port) {
  const trace = new Trace(port);
  for await (const line of createInterface({ input: createReadStream(file) })) trace.take(line);
  return trace;
}

function told(trace, sent) {
  const exchanges = trace.longest();
  if (exchanges.length !== sent.length) {
    say(
      `  ${yellow("!")} Not checked: ${sent.length} requests were made, and the trace shows ${exchanges.length} of them on one connection.\n`,
    );
    return NOT_CHECKED;
  }
  const judged = exchanges.map(judge);
  const faults = judged.flatMap(({ verdict, why }, i) =>
    verdict === "not" ? [`answer ${i + 1} (${sent[i]}): ${why}`] : [],
  );
  // A check that could not fail would show nothing: without its syncs, every exchange has to be found out.
  const blind = exchanges.filter(
    (events) => judge(events.filter(({ kind }) => kind !== "sync")).verdict !== "not",
  );
  if (blind.length > 0) faults.push(`${blind.length} answers would have passed without any sync`);
  const between = judged.filter(({ verdict }) => verdict === "between").length;
  if (between > sent.length * MOST_BETWEEN)
    faults.push(`${between} answers left while something else was written and not synced`);
  if (faults.length > 0) {
    for (const fault of faults.slice(0, 10)) process.stderr.write(`${red("✗")} ${fault}\n`);
    process.stderr.write(`${red("✗")} Not every one of ${sent.length} answers waited for the disk.\n`);
    return 1;
  }
  const syncs = exchanges.flat().filter(({ kind }) => kind === "sync").length;
  say(
    `  ${green("✓")} ${sent.length} answers (asks, approvals, grants that were spent, outcomes): what each wrote to an object's database was synced before its first byte left (${syncs} syncs).${between === 0 ? "" : ` Beside ${between} of them other work had begun to write.`}\n`,
  );
  return 0;
}
