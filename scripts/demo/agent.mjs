/** An agent's harness in small: asks before each tool call, runs what is allowed on real files, and reports. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must } from "../lib/client.mjs";
import { answers, expect, tells } from "./stage.mjs";

const HOST = "laptop";

export class Agent {
  #send;
  #key;
  #home;
  #calls = 0;

  constructor(send, key, home) {
    this.#send = send;
    this.#key = key;
    this.#home = home;
  }

  async open(session) {
    const json = {
      platform: "cli",
      home: this.#home,
      cwd: this.#home,
      variables: { HERMES_HOME: join(this.#home, ".hermes") },
    };
    return (await this.#must("PUT", `/v1/sessions/${session}`, json)).json;
  }

  async turn(session, text) {
    return (await this.#must("POST", `/v1/sessions/${session}/turns`, { text })).json;
  }

  /** Asks about a call, tells the answer, and fails unless it is the expected one. */
  async ask(session, tool, args, verdict, more = {}) {
    this.#calls += 1;
    const call_id = `call ${this.#calls}`;
    tells("agent", tool === "terminal" ? `$ ${args.command}` : `${tool} ${args.path ?? toldArguments(args)}`);
    return { call_id, decision: await this.askAs(call_id, session, tool, args, verdict, more) };
  }

  /** The same for a call that has been asked about before. */
  async askAs(call_id, session, tool, args, verdict, more = {}, headers = {}) {
    const json = { call_id, tool, args, host: HOST, ...more };
    const decision = (await this.#must("POST", `/v1/sessions/${session}/decisions`, json, headers)).json;
    const [reason] = decision.reasons;
    const cited = reason?.cite === undefined ? "" : `the oath, line ${reason.cite.line}: ${reason.cite.text}`;
    answers(decision.verdict, cited || (reason?.rule_key ?? "nothing speaks against it"), decision.ledger);
    expect(
      `the verdict on ${tool} ${JSON.stringify(args)} (${reason?.message ?? "no reason"})`,
      decision.verdict,
      verdict,
    );
    return decision;
  }

  /** Runs an allowed call for real and reports what became of it. */
  async perform(session, call_id, tool, args) {
    const done =
      tool === "terminal" ? await shell(args.command, this.#home) : write(this.path(args.path), args.content);
    const touched =
      tool === "terminal" ? {} : { host: HOST, fingerprints: [this.#row(this.path(args.path))] };
    const json = { call_id, ...done, ...touched };
    return (await this.#must("POST", `/v1/sessions/${session}/outcomes`, json)).json;
  }

  /** Fingerprints every file of the surfaces that the API names, and reports them. */
  async fingerprint(session, { surfaces }) {
    const files = surfaces.flatMap(({ bound }) => filesUnder(bound.replace(/\/\*\*$/, "")));
    const rows = files.map((file) => this.#row(file));
    return (
      await this.#must("PUT", `/v1/sessions/${session}/fingerprints`, { host: HOST, rows, complete: true })
    ).json;
  }

  /** Reports what became of a call that was not run here. */
  async report(session, call_id, outcome) {
    return (await this.#must("POST", `/v1/sessions/${session}/outcomes`, { call_id, ...outcome })).json;
  }

  async policy(session) {
    return (await this.#must("GET", `/v1/sessions/${session}/policy`)).json;
  }

  async ledger(session) {
    return (await this.#must("GET", `/v1/sessions/${session}/ledger`)).text;
  }

  path(text) {
    return text.replace(/^~/, this.#home);
  }

  #row(file) {
    if (!existsSync(file)) return { path: file, absent: true };
    return { path: file, sha256: createHash("sha256").update(readFileSync(file)).digest("hex") };
  }

  #must(method, path, json, headers = {}) {
    return must(this.#send, method, path, { key: this.#key, json, headers });
  }
}

function toldArguments({ body: _body, ...args }) {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
}

function write(file, content) {
  writeFileSync(file, content);
  return { outcome: "success" };
}

/** The commands are the story's own, and `~` is its temporary folder. */
function shell(command, home) {
  return new Promise((resolve) => {
    execFile("/bin/sh", ["-c", command], { cwd: home, env: { HOME: home, PATH: "/usr/bin:/bin" } }, (error) =>
      resolve(
        error === null ? { outcome: "success", exit_code: 0 } : { outcome: "error", exit_code: error.code },
      ),
    );
  });
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    filesUnder(join(folder, entry.name)),
  );
}
