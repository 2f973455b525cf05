/** One of every kind of private text that is ever taken, with words that stand nowhere else in the test. */
import { createHash } from "node:crypto";
import { ask, must, report, send, type Tenant } from "../../support/api.ts";

export interface Private {
  readonly text: string;
  readonly marks: readonly string[];
}

/** The names of the kinds; `old` and `new` sets of one session have the same. */
export type Kinds = Readonly<Record<string, Private>>;

const CONSONANTS = "bcdfghjklmnprstvwz";
const VOWELS = "aeiou";

function newMark(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return [...random]
    .map((byte, at) => (at % 2 === 0 ? CONSONANTS[byte % CONSONANTS.length] : VOWELS[byte % VOWELS.length]))
    .join("");
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Texts of a session, its arguments and answers. @param home as it was opened */
export function newKinds(): Kinds {
  const marks = new Map<string, string>();
  const m = (name: string): string => {
    const mark = marks.get(name) ?? newMark();
    marks.set(name, mark);
    return mark;
  };
  const home = `/home/${m("user")}`;
  const quote = `I decided we ship the ${m("thing")} on Friday`;
  const texts: Record<string, string> = {
    home,
    cwd: `${home}/${m("folder")}`,
    "variable's name": `PLACE_${m("variable")}`,
    "variable's value": `/srv/${m("value")}`,
    "typed text": `Please mail the ${m("ledger")} to ${m("who")}@orchid.example, ${quote}`,
    "typed text, not in its plain form": `Ｔhe ﬁle of ${m("full")} is “done”, isn’t it?`,
    "a part of a message": `And here is the ${m("part")} of it`,
    "a harness's turn": `The goal is to find the ${m("goal")}`,
    sender: `sender-${m("sender")}`,
    quote,
    claim: `User decided to ship the ${m("thing")} on Friday.`,
    "a claim that nothing backs": `User decided to sell the ${m("unbacked")} in May.`,
    skill: `ship-the-${m("skill")}`,
    "a skill's file": `notes/${m("file")}.md`,
    "a skill's content": `Use the ${m("content")} first.`,
    recipient: `${m("who")}@orchid.example`,
    subject: `About the ${m("subject")}`,
    amount: `48${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}.37`,
    command: `cp ${home}/${m("folder")}/${m("source")}.md /tmp/${m("source")}-${m("copy")}.md`,
    "a path that is backed up": `${home}/${m("folder")}/${m("source")}.md`,
    "a backup's path": `/tmp/${m("source")}-${m("copy")}.md`,
    "a path that is written": `${home}/${m("folder")}/${m("written")}.txt`,
    "a directory of a call": `${home}/${m("elsewhere")}`,
    "an argument's name": `the_${m("argument")}`,
    "an argument deep inside": `deep ${m("deep")} inside`,
    "what is stored": `what the ${m("stored")} wrote before`,
    "a refused argument": `rm -rf ${m("refused")}`,
    "an argument that cannot be read": `not an object: ${m("unreadable")}`,
    "an argument under a used id": `ls ${m("reused")}`,
    "a member that no request has": `unexpected_${m("unexpected")}`,
    "tool output": `the ${m("output")} could not be reached`,
    "an approver's words": `because the ${m("reason")} said so`,
    "an action that was denied": `git push origin ${m("denied")}`,
    "an action that was edited": `git push origin ${m("edited")}`,
    "an action as it was edited": `git push origin the-${m("edit")}-branch`,
    "an action that was approved": `git push origin ${m("approved")}`,
    "a sworn file": `${home}/keep/${m("sworn")}.md`,
    "a sworn file's hash": sha256(m("sworn")),
    "a file that came since": `${home}/keep/${m("came")}.md`,
  };
  const all = [...marks.values()];
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const own = all.filter((mark) => text.includes(mark));
      return [name, { text, marks: own }];
    }),
  );
}

export const OATH =
  "always require backup before modify: ~/*/*.md\nnever delete: ~/keep/**\nnever delete: ~/gone/**\n";

const pathOf = (session: string): string => `/v1/sessions/${encodeURIComponent(session)}`;

/** What was answered, for retries. */
export interface Played {
  readonly said: Readonly<Record<string, unknown>>;
  readonly copy: Readonly<Record<string, unknown>>;
  /** Digests of actions: what stands for the arguments. */
  readonly digests: readonly string[];
  readonly decisions: number;
}

/** Has every kind of text of a session taken. The session is opened here, or where it runs said anew. */
export async function play(
  tenant: Tenant,
  session: string,
  kinds: Kinds,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Played> {
  const of = (name: string): string => {
    const kind = kinds[name];
    if (kind === undefined) throw new Error(`there is no ${name}`);
    return kind.text;
  };
  const path = pathOf(session);
  // A host of its own: what a host has reported stays until it has reported nothing since.
  const host = `host-${of("home").slice("/home/".length)}`;
  await must(path, {
    method: "PUT",
    key: tenant.key,
    json: {
      home: of("home"),
      cwd: of("cwd"),
      variables: { [of("variable's name")]: of("variable's value") },
      ...more,
    },
  });
  const id = (name: string): string => `${session} ${name} ${kinds["home"]?.marks[0]}`.slice(0, 200);
  const say = (json: object) => must(`${path}/turns`, { key: tenant.key, json });
  const said = { text: of("typed text"), sender_id: of("sender"), turn_id: id("turn") };
  await say(said);
  await say({ text: of("typed text, not in its plain form"), mid_run: true });
  await say({ text: [{ type: "text", text: of("a part of a message") }], mid_run: true });
  await say({ text: of("a harness's turn"), source: "system" });

  const digests: string[] = [];
  let decisions = 0;
  const call = async (json: Record<string, unknown> & { tool: string }) => {
    const answer = await ask(tenant, session, { ask_through: "harness", ...json });
    if (answer.status !== 200) throw new Error(answer.text);
    if (answer.json.action_digest !== null) digests.push(answer.json.action_digest);
    decisions += 1;
    return answer.json;
  };
  const shell = (command: string, json: object = {}) =>
    call({ tool: "terminal", args: { command }, ...json });
  const fingerprints = async (rows: readonly object[]) =>
    must(`${path}/fingerprints`, { method: "PUT", key: tenant.key, json: { host, rows } });

  const copy = { call_id: id("copy"), tool: "terminal", args: { command: of("command") } };
  await call(copy);
  const sworn = of("a sworn file");
  await fingerprints([{ path: sworn, sha256: "0".repeat(64) }]);
  await report(tenant, session, {
    call_id: copy.call_id,
    answered_by: "harness",
    host,
    fingerprints: [{ path: of("a file that came since"), size: 1, mtime: 2 }],
  });
  const skill = { action: "create", name: of("skill"), content: `${of("claim")} "${of("quote")}"` };
  const kept = await call({ tool: "skill_manage", args: skill, stored: of("what is stored") });
  await report(tenant, session, { call_id: kept.call_id, outcome: "error", error: of("tool output") });
  await call({
    tool: "skill_manage",
    args: {
      action: "write_file",
      name: of("skill"),
      file_path: of("a skill's file"),
      file_content: of("a skill's content"),
    },
  });
  await call({
    tool: "memory",
    args: { action: "add", target: "memory", content: of("a claim that nothing backs") },
  });
  await call({
    tool: "send_email",
    args: { to: of("recipient"), subject: of("subject"), body: of("a part of a message") },
  });
  await call({ tool: "transfer_funds", args: { amount: of("amount"), to: of("recipient") } });
  await call({
    tool: "write_file",
    args: { path: of("a path that is written"), content: of("a skill's content") },
  });
  await call({
    tool: "mcp__somewhere__something",
    args: { [of("an argument's name")]: [{ deep: of("an argument deep inside") }] },
    cwd: of("a directory of a call"),
  });
  await shell(of("a refused argument"));
  await call({ tool: "terminal", args: of("an argument that cannot be read") });
  const refusals = [
    { call_id: copy.call_id, tool: "terminal", args: { command: of("an argument under a used id") } },
    { call_id: id("unexpected"), tool: "terminal", args: {}, [of("a member that no request has")]: 1 },
  ];
  for (const json of refusals) {
    const { status } = await send(`${path}/decisions`, { key: tenant.key, json });
    if (status < 400) throw new Error("that was to be refused");
  }
  await fingerprints([{ path: sworn, sha256: of("a sworn file's hash") }]);

  const asked = async (name: string) => {
    const answer = await shell(of(name), { ask_through: "approvals" });
    if (answer.approval === null) throw new Error(`${name}: nobody is asked: ${JSON.stringify(answer)}`);
    const decide = (json: object) =>
      must(`/v1/approvals/${answer.approval.id}/decision`, {
        cookie: tenant.cookie,
        json: { action_digest: answer.action_digest, ...json },
      });
    return { answer, decide };
  };
  const denied = await asked("an action that was denied");
  await denied.decide({ decision: "deny", reason: { preset: "not-now", text: of("an approver's words") } });
  const edited = await asked("an action that was edited");
  const { json } = await edited.decide({
    decision: "approve",
    args: { command: of("an action as it was edited") },
  });
  digests.push(json.approval.action_digest);
  const again = await shell(of("an action as it was edited"), { ask_through: "approvals" });
  if (again.verdict !== "allow") throw new Error(`an edit is not run: ${JSON.stringify(again)}`);
  const approved = await asked("an action that was approved");
  await approved.decide({ decision: "approve" });
  const run = {
    call_id: approved.answer.call_id,
    tool: "terminal",
    args: { command: of("an action that was approved") },
  };
  const ran = await ask(tenant, session, run);
  if (ran.json.verdict !== "allow") throw new Error(`a grant is not spent: ${ran.text}`);
  await report(tenant, session, { call_id: run.call_id });
  return { said, copy, digests, decisions };
}
