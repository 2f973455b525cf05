/** What a torture knows: who there is, what was asked, and every answer that it was given. */
import { randomBytes } from "node:crypto";
import { signIn } from "../client.mjs";

/** An ask nobody answers expires while the torture runs, and so does a grant nobody fetches. */
export const EXPIRES_SECONDS = 30;
export const PEOPLE_TO_DELETE = 2;

const APPROVALS = {
  expires_after_seconds: EXPIRES_SECONDS,
  grant_lasts_seconds: EXPIRES_SECONDS,
  demands: [{ risks: ["DELETE"], people: PEOPLE_TO_DELETE }],
};

/** What the organization's settings are set to: what the oath forbids is asked about, or is blocked. */
export const settingsOf = (mode) => ({ engines: { fence: "off", oath: mode }, approvals: APPROVALS });

/** Oaths that are sworn in turn. The second asks for a reason that whoever approved under the first was not shown. */
export const OATHS = [
  "never modify: ~/keep/**\nnever delete: ~/keep/**\n",
  "never modify: ~/keep/**\nnever delete: ~/keep/**\nalways require backup before delete: ~/keep/**\nalways require backup before modify: ~/keep/**\n",
];

export class World {
  operator = `operator-${randomBytes(24).toString("hex")}`;
  settingsKey = randomBytes(32).toString("hex");
  /** By the names they have here: member and cookie. */
  people = {};
  key = "";
  /** Families that work goes on in; those of before stay on record and are looked at again at the end. */
  active = [];
  retired = [];
  /** By session and call id: what was asked, and what was last heard of it. */
  calls = new Map();
  /** By id: what people need to answer. */
  approvals = new Map();
  /** Requests that died unanswered, to be made again. */
  unanswered = [];
  oathVersion = 0;
  /** Of the newest change that was acknowledged: nothing may be decided by an older one from then on. */
  policyVersion = 0;
  /** Acknowledged, and so to be found on the ledgers. */
  answers = { decisions: [], taps: [], outcomes: [], extensions: [], changes: [], watched: [] };
  /** Calls that were let run on the grant of an approval. */
  runs = new Map();
  /** Approvals of which the agent was told what they were edited into. */
  editsHeard = new Set();
  counts = { answered: 0, died: 0, failed: 0, refused: 0 };
  #families = 0;
  #calls = 0;

  get variables() {
    return { OPERATOR_TOKEN: this.operator, SETTINGS_KEY: this.settingsKey };
  }

  /** An organization with two approvers, an administrator and a viewer, and an agent. */
  async settle(client) {
    const json = { name: "Torture", owner_name: "Owner", settings: settingsOf("ask") };
    const made = (await client.must("POST", "/v1/organizations", { key: this.operator, json })).json;
    const send = async (...request) => {
      const answer = await client.send(...request);
      return { ...answer, headers: { get: (name) => String(answer.headers[name] ?? "") } };
    };
    const owner = { member: made.owner, cookie: await signIn(send, made.sign_in.url), role: "owner" };
    this.organization = made.organization;
    this.people = { owner };
    const { cookie } = owner;
    for (const [name, role] of [
      ["one", "approver"],
      ["two", "approver"],
      ["admin", "admin"],
      ["viewer", "viewer"],
    ]) {
      const added = (await client.must("POST", "/v1/members", { cookie, json: { name, role } })).json;
      this.people[name] = { member: added.member, cookie: await signIn(send, added.sign_in.url), role };
    }
    const { agent } = (await client.must("POST", "/v1/agents", { cookie, json: { name: "agent" } })).json;
    const key = await client.must("POST", `/v1/agents/${agent}/keys`, { cookie, json: { name: "key" } });
    this.key = key.json.key;
    await client.must("PUT", "/v1/oath", {
      cookie,
      headers: { "if-match": '"0"' },
      json: { text: OATHS[0] },
    });
    this.oathVersion = 1;
  }

  /** Members whose yes counts. */
  get mayApprove() {
    const may = Object.values(this.people).filter(({ role }) => role !== "viewer");
    return new Set(may.map(({ member }) => member));
  }

  /** A family of two sessions, the second of which goes on with the first's conversation. */
  async newFamily(client) {
    this.#families += 1;
    const root = `torture ${this.#families}`;
    const sessions = [root, `${root}, on`];
    for (const [i, id] of sessions.entries())
      await client.must("PUT", `/v1/sessions/${encodeURIComponent(id)}`, {
        key: this.key,
        json: { home: "/home/u", cwd: "/home/u/work", ...(i === 0 ? {} : { continues: root }) },
      });
    this.active.push({ root, sessions });
  }

  newCallId() {
    this.#calls += 1;
    return `call ${this.#calls}`;
  }
}
