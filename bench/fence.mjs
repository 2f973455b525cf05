/**
 * Decisions of the fence per second, beside Cedar's: one task policy, made from a person's words, and the same policy in
 * Cedar's language, parsed beforehand; the same calls put to both, and checked to be answered alike before any is timed.
 */
import * as cedarWasm from "@cedar-policy/cedar-wasm/nodejs";
import { effectsOf } from "../src/policy/effects/index.ts";
import { compileRules, DEFAULT_CONFIGURATION, judgeFence, spend } from "../src/policy/fence/index.ts";
import { median, paired, rounds, table } from "./measure.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
/** Long enough that nobody pays for more than the garbage of their own. */
const ROUND_MS = 200;
/** What landing takes. */
const LEAST_RATIO = 5;

const WORDS = `Read docs/ and the open issues of acme/shop, and write a summary to docs/summary.md.
Fix the date parsing in src/ and run the tests.
Email the summary to anna@example.com and ben@example.org, and delete tmp/old-report.csv when you are done.
Never touch tests/ or src/vendor/. Don't push anything.`;

const ENVIRONMENT = { home: "/home/u", cwd: "/home/u/work", variables: {}, os: "linux" };
const CWD = ENVIRONMENT.cwd;

const terminal = (command) => ({ tool: "terminal", args: { command } });
const email = (args) => ({
  tool: "send_email",
  args: { subject: "Summary", body: "Here it is.\n".repeat(10), ...args },
});
const BOTH = email({ to: ["anna@example.com", "ben@example.org"] });

/** What an agent that was told so may ask, and what the words say to it. `after`: calls that have run before. */
const CALLS = [
  { says: "allow", call: { tool: "read_file", args: { path: "docs/plan.md", limit: 200 } } },
  { says: "allow", call: terminal("rg -n 'parseDate' src | head -20") },
  {
    says: "allow",
    call: { tool: "mcp__github__list_issues", args: { owner: "acme", repo: "shop", state: "open" } },
  },
  {
    says: "allow",
    call: { tool: "write_file", args: { path: "docs/summary.md", content: "a line\n".repeat(20) } },
  },
  {
    says: "allow",
    call: {
      tool: "patch",
      args: { mode: "replace", path: "src/dates.ts", old_string: "a = 1", new_string: "a = 2" },
    },
  },
  { says: "block", call: { tool: "write_file", args: { path: "tests/dates.test.ts", content: "" } } },
  {
    says: "block",
    call: {
      tool: "patch",
      args: { mode: "replace", path: "src/vendor/dates.ts", old_string: "a", new_string: "b" },
    },
  },
  { says: "allow", call: terminal("npm test") },
  { says: "allow", call: BOTH },
  { says: "ask", call: BOTH, after: [BOTH] },
  { says: "ask", call: email({ to: ["anna@example.com"], cc: ["mallory@example.net"] }) },
  { says: "allow", call: terminal("rm tmp/old-report.csv") },
  { says: "ask", call: terminal("rm tmp/new-report.csv") },
  { says: "block", call: terminal("rm -rf tests") },
  { says: "block", call: terminal("git push origin main") },
  {
    says: "block",
    call: { tool: "mcp__stripe__create_payment", args: { amount: 3500, currency: "usd", to: "acct_9" } },
  },
  { says: "ask", call: { tool: "frobnicate", args: { depth: 3 } } },
];

/**
 * The same policy for Cedar. Whatever no line permits is denied, so that unknown tools and payments need none.
 * @param at how a condition says that the call's path is this one or lies in it
 */
const cedarPolicies = (at) => `
permit (principal, action == Action::"READ", resource);
permit (principal, action == Action::"WRITE", resource) when { ${at("docs/summary.md")} };
permit (principal, action == Action::"WRITE", resource) when { ${at("src")} };
permit (principal, action == Action::"EXECUTE", resource) when { context.verbs.contains("test") };
permit (principal, action == Action::"COMMUNICATION", resource) when {
  ["anna@example.com", "ben@example.org"].containsAll(context.recipients)
    && !context.spent.containsAny(context.recipients)
};
permit (principal, action == Action::"DELETE", resource) when { ${at("tmp/old-report.csv")} };
forbid (principal, action, resource) when {
  ${at("tests")} || ${at("src/vendor")}
} unless { action == Action::"READ" };
forbid (
  principal,
  action in [Action::"EXTERNAL_WRITE", Action::"COMMUNICATION", Action::"SHARE", Action::"EXECUTE"],
  resource
) when { context.verbs.contains("push") };
`;

/** The two ways to tell Cedar of a path: as a text in the context, or as an entity that lies in its folders. */
const FORMS = {
  "paths as text": {
    policies: cedarPolicies(
      (path) =>
        `(context has path && (context.path == "${CWD}/${path}" || context.path like "${CWD}/${path}/*"))`,
    ),
    told: (path) => ({ context: { path }, resource: NO_PATH, entities: [] }),
  },
  "paths as entities": {
    policies: cedarPolicies((path) => `resource in Path::"${CWD}/${path}"`),
    told: (path) => {
      const resource = { type: "Path", id: path };
      const parents = foldersOf(path).map((id) => ({ type: "Path", id }));
      return { context: {}, resource, entities: [{ uid: resource, attrs: {}, parents }] };
    },
  },
};
const NO_PATH = { type: "Call", id: "call" };
const TASK = { type: "Task", id: "task" };
const NOTHING = "nothing in force";
const CEDAR = `cedar-wasm ${cedarWasm.getCedarSDKVersion()}`;
/** Classes of which a policy looks at the verbs. */
const BY_VERB = new Set(["EXECUTE", "EXTERNAL_WRITE", "COMMUNICATION", "SHARE"]);

export function run() {
  const policy = compileRules([{ sender: "person", text: WORDS }]);
  const cases = CALLS.map((one) => caseOf(policy, one));
  const requests = requestsFor(cases);
  if (!alike(policy, cases, requests)) return false;

  const judge = ({ effects, use, situation }) => judgeFence(policy, effects, use, situation);
  const readAndJudge = ({ call, use, situation }) =>
    judgeFence(policy, read(call, situation.environment), use, situation);
  const each = (list, decide) => () => {
    for (const one of list) decide(one);
  };
  const runs = {
    countersign: each(cases, judge),
    "the same again": each(cases, judge),
    "countersign, reading the call too": each(cases, readAndJudge),
  };
  for (const form of Object.keys(requests)) runs[`${CEDAR}, ${form}`] = each(requests[form], decidedByCedar);

  const names = Object.keys(runs);
  const times = rounds(Object.values(runs), { count: ROUNDS, warm: 3, leastMs: ROUND_MS });
  const timesOf = (name) => times[names.indexOf(name)];
  const form = Object.keys(FORMS).reduce((a, b) =>
    median(timesOf(`${CEDAR}, ${b}`)) < median(timesOf(`${CEDAR}, ${a}`)) ? b : a,
  );
  const ratioOf = (name) => paired(timesOf(`${CEDAR}, ${form}`), timesOf(name));
  console.log(
    `${cases.length} calls, answered alike, under ${policy.permissions.length} permissions and ${policy.prohibitions.length} prohibitions; median of ${ROUNDS} rounds. "ratio" is how many times\n` +
      `as many decisions as ${CEDAR}, ${form}.\n`,
  );
  table([
    ["", "decisions per second", "µs per decision", "ratio"],
    ...names.map((name) => {
      const ms = median(timesOf(name)) / cases.length;
      const perSecond = Math.round(1000 / ms).toLocaleString("en");
      return [name, perSecond, (ms * 1000).toFixed(2), ratioOf(name).toFixed(2)];
    }),
  ]);
  const ratio = ratioOf("countersign");
  const enough = ratio >= LEAST_RATIO;
  const least = leastAhead(cases, judge, requests[form]);
  console.log(
    `\nOf single calls, we are least ahead with ${JSON.stringify(least.call)}: ${least.ratio.toFixed(1)} times.\n\n` +
      "Cedar is a language for any policy, and only allows or denies: what we ask about or block, it denies. It reads no calls,\n" +
      `so that its requests are made beforehand, out of our reading. "${NOTHING}" is the same requests under no policy:\n` +
      "what it costs to hand a request to WebAssembly and an answer back.\n" +
      `\n${enough ? "ok" : "too slow"}: ${ratio.toFixed(1)} times as many decisions as Cedar at its fastest, ${LEAST_RATIO} are asked for`,
  );
  return enough;
}

/** The call with which we are least ahead of Cedar, and how far. */
function leastAhead(cases, judge, requests) {
  const runs = [
    ...cases.map((one) => () => judge(one)),
    ...requests.map((request) => () => decidedByCedar(request)),
  ];
  const times = rounds(runs, { count: ROUNDS, leastMs: 10 });
  return cases
    .map(({ call }, at) => ({ call, ratio: paired(times[cases.length + at], times[at]) }))
    .reduce((a, b) => (b.ratio < a.ratio ? b : a));
}

/** A call as the judge gets it; its environment is an object of its own, as it is when a call comes from outside. */
function caseOf(policy, { says, call, after = [] }) {
  const situation = {
    environment: structuredClone(ENVIRONMENT),
    configuration: DEFAULT_CONFIGURATION,
    answerer: "human",
    repeats: after.length + 1,
    subagent: false,
  };
  const use = after.reduce(
    (before, ran) => spend(before, judgeFence(policy, read(ran, ENVIRONMENT), before, situation).permits),
    { spent: {} },
  );
  const sent = after.flatMap((ran) => read(ran, ENVIRONMENT).recipients.map(({ address }) => address));
  return { says, call, effects: read(call, ENVIRONMENT), use, sent, situation };
}

function read(call, environment) {
  return effectsOf(call, { environment, self: { hosts: [], variables: [] } });
}

/** Parses the policy sets, and makes the requests that are put to each, in the order of the cases. */
function requestsFor(cases) {
  const under = (name, policies, told) => {
    const answer = cedarWasm.preparsePolicySet(name, { staticPolicies: policies });
    if (answer.type !== "success") throw new Error(`${name}: ${JSON.stringify(answer.errors)}`);
    return cases.map((one) => ({ ...requestOf(one, told), preparsedPolicySetId: name }));
  };
  const forms = Object.entries(FORMS).map(([form, { policies, told }]) => [
    form,
    under(form, policies, told),
  ]);
  const [first] = Object.values(FORMS);
  return { ...Object.fromEntries(forms), [NOTHING]: under(NOTHING, "", first.told) };
}

function decidedByCedar(request) {
  return cedarWasm.statefulIsAuthorized(request);
}

/** From the same reading that our judge gets, no more of it than the policies look at. One request: one effect, one path. */
function requestOf({ effects, sent }, told) {
  const paths = new Set(effects.actions.map(({ path }) => path.replace(/\/\*\*$/, "")));
  const acts = effects.acts.filter(({ risk }) => risk !== "READ");
  if (paths.size > 1 || acts.length > 1) throw new Error(`${effects.tool} takes more than one request`);
  const [path] = paths;
  const [act] = acts;
  const { context, resource, entities } =
    path === undefined ? { context: {}, resource: NO_PATH, entities: [] } : told(path);
  const recipients = act?.risk === "COMMUNICATION" ? effects.recipients.map(({ address }) => address) : null;
  return {
    principal: TASK,
    action: { type: "Action", id: act?.risk ?? "READ" },
    resource,
    context: {
      ...context,
      ...(BY_VERB.has(act?.risk) ? { verbs: act.verbs } : {}),
      ...(recipients === null ? {} : { recipients, spent: sent }),
    },
    entities,
  };
}

function foldersOf(path) {
  const parts = path.slice(CWD.length + 1).split("/");
  return parts.slice(0, -1).map((_, at) => `${CWD}/${parts.slice(0, at + 1).join("/")}`);
}

/** Whether both answer every call as the words say: what the fence asks about or blocks, Cedar denies. Prints what is not so. */
function alike(policy, cases, requests) {
  const wrong = cases.flatMap(({ says, call, effects, use, situation }, at) => {
    const verdicts = judgeFence(policy, effects, use, situation).findings.map(({ verdict }) => verdict);
    const ours = ["block", "ask"].find((verdict) => verdicts.includes(verdict)) ?? "allow";
    const expected = says === "allow" ? "allow" : "deny";
    const others = Object.keys(FORMS).map((form) => {
      const { response } = decidedByCedar(requests[form][at]);
      return response === undefined || response.diagnostics.errors.length > 0 ? "error" : response.decision;
    });
    return ours === says && others.every((decision) => decision === expected)
      ? []
      : [`${JSON.stringify(call)}: ${says} expected; ours ${ours}, Cedar's ${others.join(" and ")}`];
  });
  if (wrong.length > 0) console.log(`not answered alike, so nothing is timed:\n${wrong.join("\n")}`);
  return wrong.length === 0;
}
