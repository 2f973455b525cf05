/** A request to each operation as one types it. A test sends every one of these bodies to the API. */
import { type Document, type Endpoint, resolved, type Schema } from "./document.ts";

/** Bodies worth reading; whatever is not here is made from its schema. */
const BODIES: Readonly<Record<string, unknown>> = {
  createOrganization: { name: "Acme", owner_name: "Olivia" },
  changeSettings: { guard_mode: "act" },
  changeAgentSettings: { engines: { oath: "observe" } },
  addMember: { name: "Omar", role: "admin" },
  changeMember: { role: "approver" },
  createAgent: { name: "build helper" },
  createKey: { name: "laptop", scopes: ["ask", "report"] },
  swearOath: { text: "never delete: ~/.hermes/memories/**" },
  swearAgentOath: { text: "always require backup before modify: ~/site/**" },
  checkOath: {
    text: "never delete: ~/.hermes/memories/**",
    tool: "terminal",
    args: { command: "rm -rf ~/.hermes/memories" },
    home: "/home/me",
    cwd: "/home/me",
  },
  changeCompiler: { compiler: "rules" },
  changeToolTable: { tools: [{ name: "mcp__crm__sync_contact", risks: ["EXTERNAL_WRITE"] }] },
  checkToolTable: { tools: [{ name: "mcp__crm__sync_contact", risks: ["EXTERNAL_WRITE"] }] },
  explainEffects: {
    tool: "terminal",
    args: { command: "cp notes.md /tmp && rm notes.md" },
    home: "/home/me",
    cwd: "/home/me",
  },
  checkEvidence: { text: 'User decided to ship on Friday ("I decided we ship on Friday")', session: "first" },
  rotateSigningKey: { overlap_days: 7 },
  purge: { older_than_days: 30 },
  exportOrganization: {},
  beginPasskeyConfirmation: { act: "remove", credential_id: "$CREDENTIAL" },
  removePasskey: {},
  removeMemberPasskey: {},
  addPasskey: {
    name: "laptop",
    challenge: "$CHALLENGE",
    response: {
      id: "nJ1f0Q",
      rawId: "nJ1f0Q",
      type: "public-key",
      response: {
        clientDataJSON: "eyJ0eXBlIjoi",
        attestationObject: "o2NmbXRkbm9uZQ",
        transports: ["internal"],
      },
    },
  },
  addChannel: { kind: "email", name: "my mail", target: { address: "ada@example.com" } },
  changeChannel: { events: ["approval.opened", "approval.decided"] },
  makeAnchor: { reference: "post 1", text: "The bytes that go out.\n" },
  addAnchorHeader: {
    height: 800_352,
    header:
      "00e0fa2c6a3e49a364a2fbdc904dffc7ad35868e5edfaa2c8cdc00000000000000000000b9711364ed6f7e2cd6145207d8a37314d0908f048a71dc7c7f8a480b9a057e91b314c164026105177f872aed",
  },
  replay: {
    turns: [{ text: "Email the summary to john@example.com." }],
    calls: [
      { after_turn: 0, tool: "mcp_gmail_send_message", args: { to: "john@example.com", body: "…" } },
      { after_turn: 0, tool: "mcp_gmail_send_message", args: { to: "jane@example.com", body: "…" } },
    ],
  },
  openSession: { home: "/home/me", cwd: "/home/me/work", os: "linux" },
  recordTurn: { turn_id: "1", text: "Email the summary to john@example.com. Never delete anything." },
  decide: { call_id: "1", tool: "terminal", args: { command: "rm -rf ~/.hermes/memories" } },
  reportOutcome: { call_id: "1", outcome: "success" },
  decideApproval: { decision: "approve", action_digest: "$DIGEST" },
  denyApprovals: { approvals: ["$APPROVAL"], reason: { preset: "not-asked-for" } },
  reportFingerprints: {
    host: "laptop",
    rows: [{ path: "/home/me/notes/plan.md", size: 120, mtime: 1700000000000 }],
  },
};

const PATH_VALUES: Readonly<Record<string, string>> = {
  session_id: "first",
  agent_id: "$AGENT",
  approval_id: "$APPROVAL",
  key_id: "$KEY_ID",
  credential_id: "$CREDENTIAL",
  member_id: "$MEMBER",
  channel_id: "$CHANNEL",
  anchor_id: "$ANCHOR",
  organization_id: "$ORGANIZATION",
  skill: "brand-voice",
  decision_id: "$DECISION",
  number: "1",
};

/** The body that the example of an operation sends; `undefined` for one without a JSON body. */
export function exampleBody({ operation }: Endpoint, document: Document): unknown {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return undefined;
  return BODIES[operation.operationId] ?? sample(schema, document, 0);
}

/** The example as a command line. */
export function exampleCommand(endpoint: Endpoint, document: Document): string {
  const { method, path, operation } = endpoint;
  const url = `${document.servers[0]?.url ?? ""}${path.replace(/\{([^}]+)\}/g, (_, name: string) => PATH_VALUES[name] ?? name)}`;
  const body = exampleBody(endpoint, document);
  const lines = [method === "GET" ? `curl "${url}"` : `curl -X ${method} "${url}"`];
  const access = operation["x-access"];
  if (access?.agent !== undefined) lines.push('-H "authorization: Bearer $COUNTERSIGN_KEY"');
  else if (access?.member !== undefined) lines.push('-b "__Host-countersign=$COUNTERSIGN_SESSION"');
  else if (access?.operator === true) lines.push('-H "authorization: Bearer $OPERATOR_TOKEN"');
  if (operation.responses["428"] !== undefined) lines.push(`-H 'if-match: "0"'`);
  if (body !== undefined) {
    lines.push('-H "content-type: application/json"');
    lines.push(`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  } else {
    const [type] = Object.keys(operation.requestBody?.content ?? {});
    if (type !== undefined) lines.push(`-H "content-type: ${type}"`, "--data-binary @ledger.ndjson");
  }
  return lines.join(" \\\n  ");
}

/** A value that fits: required members only. */
function sample(schema: Schema, document: Document, depth: number): unknown {
  const one = resolved(schema, document);
  if (one.default !== undefined) return one.default;
  if (one.enum !== undefined) return one.enum[0];
  if (one.const !== undefined) return one.const;
  const option = (one.anyOf ?? one.oneOf)?.[0];
  if (option !== undefined) return sample(option, document, depth + 1);
  const type = typeof one.type === "string" ? one.type : one.type?.[0];
  switch (type) {
    case "object":
      return depth > 6
        ? {}
        : Object.fromEntries(
            Object.entries(one.properties ?? {})
              .filter(([name]) => one.required?.includes(name) === true)
              .map(([name, member]) => [name, sample(member, document, depth + 1)]),
          );
    case "array":
      return one.minItems === undefined || one.minItems === 0
        ? []
        : [sample(one.items ?? {}, document, depth + 1)];
    case "integer":
    case "number":
      return Math.max(1, one.minimum ?? 1);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return "text";
  }
}
