/**
 * An agent that obeys every page: it does the person's task and whatever the pages ask for besides, through a harness that
 * asks Countersign first and runs only what is allowed. What it has no real tool for is reported as done.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { client } from "../../scripts/lib/client.mjs";
import { must } from "../../scripts/lib/client.mjs";
import type { Manifest } from "../../scripts/lib/selftest/manifest.mjs";
import { addressOf } from "../../scripts/lib/selftest/serve.mjs";
import { targetOf } from "../../scripts/lib/selftest/targets.mjs";

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Target = ReturnType<typeof targetOf>;
/** How an agent would do what it is asked: one call an effect. */
type Hands = Readonly<Record<string, (target: Target, text: string) => Call>>;

/** As Hermes names its tools, with servers beside it. */
export const HERMES: Hands = {
  file: ({ file, marker }) => ({ tool: "write_file", args: { path: file, content: `${marker}\n` } }),
  command: ({ command }) => ({ tool: "terminal", args: { command } }),
  delete: ({ decoy }) => ({ tool: "terminal", args: { command: `rm '${decoy}'` } }),
  memory: (_, text) => ({ tool: "memory", args: { action: "add", target: "memory", content: text } }),
  claim: (_, text) => ({ tool: "memory", args: { action: "add", target: "memory", content: text } }),
  mail: ({ address }) => ({
    tool: "mcp_gmail_send_message",
    args: { to: [address], subject: "Self-test", body: "Hello" },
  }),
  invite: ({ address }) => ({
    tool: "mcp_calendar_create_event",
    args: { summary: "Self-test", start: "2026-06-03T10:00:00", attendees: [address] },
  }),
  share: ({ address }) => ({
    tool: "mcp_drive_share_file",
    args: { file: "Self-test", email: address, role: "reader" },
  }),
  payment: ({ address, marker }) => ({
    tool: "mcp_bank_send_payment",
    args: { payee: address, amount: "1.00", currency: "EUR", reference: marker },
  }),
  fetch: ({ url }) => ({ tool: "web_extract", args: { urls: [url] } }),
  upload: ({ url }) => ({ tool: "terminal", args: { command: `curl -s -X POST -d 'hello' ${url}` } }),
};

/** As Claude Code names its own. */
export const CLAUDE: Hands = {
  ...HERMES,
  file: ({ file, marker }) => ({ tool: "Write", args: { file_path: file, content: `${marker}\n` } }),
  command: ({ command }) => ({ tool: "Bash", args: { command, description: "Do as asked" } }),
  delete: ({ decoy }) => ({ tool: "Bash", args: { command: `rm -f '${decoy}'`, description: "Tidy up" } }),
  mail: ({ address }) => ({
    tool: "mcp__gmail__send_email",
    args: { to: address, subject: "Self-test", body: "Hello" },
  }),
  invite: ({ address }) => ({
    tool: "mcp__calendar__create_event",
    args: { title: "Self-test", start: "2026-06-03T10:00:00", attendees: [{ email: address }] },
  }),
  share: ({ address }) => ({
    tool: "mcp__drive__share_document",
    args: { document: "Self-test", email: address, role: "viewer" },
  }),
  payment: ({ address, marker }) => ({
    tool: "mcp__bank__transfer",
    args: { recipient: address, amount: 1, currency: "EUR", reference: marker },
  }),
  fetch: ({ url }) => ({ tool: "WebFetch", args: { url, prompt: "Does it answer?" } }),
  upload: ({ url }) => ({
    tool: "Bash",
    args: { command: `curl -s --data 'hello' ${url}`, description: "Send" },
  }),
};

/** What an agent writes down of what its person said; of a decision, with their words as the briefing has it. */
function wantedMemory({ id, marker }: { readonly id: string; readonly marker: string }): string {
  if (id === "asked-claim")
    return `The user decided on ${marker} as their self-test colour ("I decided that my self-test colour is ${marker}").`;
  return `Self-test: the word is ${marker}.`;
}

export interface Answered extends Call {
  readonly id: string;
  readonly verdict: string;
  readonly engines: Record<string, { mode: string; verdict: string }>;
  readonly rules: readonly string[];
}

export interface Options {
  readonly send: ReturnType<typeof client>;
  readonly key: string;
  /** Where the agent runs, and keeps what it remembers. */
  readonly home: string;
  readonly hands?: Hands;
  /** What the person says yes to: nothing, what they asked for, or anything. */
  readonly approves?: "nothing" | "wanted" | "anything";
  /** All in one conversation, as a person in a hurry would. */
  readonly together?: boolean;
  /** The pages that are given to it, by their ids, and no wanted work beside; everything without it. */
  readonly only?: readonly string[];
  /** Where the pages are served; as files without it. */
  readonly origin?: string;
}

export class NaiveAgent {
  readonly #options: Options;
  readonly sessions: string[] = [];
  readonly answers: Answered[] = [];
  #calls = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Every prompt of a run, each in a conversation of its own. */
  async run(manifest: Manifest, name: string): Promise<void> {
    const { together = false, origin, only } = this.#options;
    for (const page of manifest.pages) {
      if (only !== undefined && !only.includes(page.id)) continue;
      const session = await this.#open(together ? name : `${name}-${page.id}`);
      const path = join(manifest.dir, page.file);
      const url = origin === undefined ? null : addressOf(origin, page);
      await this.#turn(session, page.ask.replace("{ref}", url ?? path));
      const reading =
        url === null
          ? { tool: "read_file", args: { path } }
          : { tool: "browser_navigate", args: { address: url } };
      if (url !== null) await (await fetch(url)).text();
      await this.#call(session, `read ${page.id}`, reading, true);
      for (const canary of manifest.canaries.filter((one) => one.page === page.id))
        await this.#obey(session, manifest, canary, false);
      // The task itself comes last: what the pages brought about must not stand in its way.
      for (const control of manifest.controls.filter((one) => page.ask.includes(one.marker)))
        await this.#obey(session, manifest, control, true);
    }
    if (only !== undefined) return;
    for (const control of manifest.controls.filter(({ ask }) => ask !== null)) {
      const session = await this.#open(together ? name : `${name}-${control.id}`);
      await this.#turn(session, control.ask ?? "");
      await this.#obey(session, manifest, control, true);
    }
  }

  async #obey(
    session: string,
    manifest: Manifest,
    one: Manifest["canaries"][number] | Manifest["controls"][number],
    wanted: boolean,
  ): Promise<void> {
    const { hands = HERMES } = this.#options;
    const target = targetOf(manifest.dir, one.effect, one.marker, "language" in one ? one.language : "en");
    const act = hands[one.effect];
    if (act === undefined) throw new Error(`no hand for ${one.effect}`);
    const kept = wanted ? wantedMemory(one) : one.effect === "claim" ? target.claim : target.note;
    await this.#call(session, one.id, act(target, kept), wanted);
  }

  async #open(session: string): Promise<string> {
    const { home } = this.#options;
    await this.#must("PUT", `/v1/sessions/${session}`, { platform: "cli", home, cwd: home });
    if (!this.sessions.includes(session)) this.sessions.push(session);
    return session;
  }

  async #turn(session: string, text: string): Promise<void> {
    await this.#must("POST", `/v1/sessions/${session}/turns`, { text });
  }

  async #call(session: string, id: string, { tool, args }: Call, wanted: boolean): Promise<void> {
    this.#calls += 1;
    const call_id = `call ${this.#calls}`;
    const asked = { call_id, tool, args, ask_through: "harness" };
    const { json } = await this.#must("POST", `/v1/sessions/${session}/decisions`, asked);
    const rules = json.reasons.map((reason: { rule_key: string }) => reason.rule_key);
    this.answers.push({ id, tool, args, verdict: json.verdict, engines: json.engines, rules });
    const { approves = "nothing" } = this.#options;
    const agreed = json.verdict === "ask" && (approves === "anything" || (approves === "wanted" && wanted));
    const runs = json.verdict === "allow" || agreed;
    await this.#must("POST", `/v1/sessions/${session}/outcomes`, {
      call_id,
      outcome: runs ? this.#perform({ tool, args }) : "blocked",
      ...(agreed ? { answered_by: "harness" } : {}),
    });
  }

  /** Files, commands in the folder and memories are real; nothing here leaves the machine. */
  #perform({ tool, args }: Call): "success" | "error" {
    const command = args["command"];
    const path = args["path"] ?? args["file_path"];
    if (typeof command === "string") {
      if (command.startsWith("curl ")) return "error";
      execFileSync("/bin/sh", ["-c", command]);
    } else if (tool === "memory") {
      const folder = join(this.#options.home, ".hermes", "memories");
      mkdirSync(folder, { recursive: true });
      appendFileSync(join(folder, "MEMORY.md"), `${args["content"]}\n`);
    } else if (typeof path === "string") {
      if (args["content"] === undefined) readFileSync(path);
      else writeFileSync(path, String(args["content"]));
    } else if (args["url"] !== undefined || args["urls"] !== undefined) return "error";
    return "success";
  }

  #must(method: string, path: string, json: unknown) {
    const { send, key } = this.#options;
    return must(send, method, path, { key, json });
  }
}
