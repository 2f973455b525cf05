import { isGuardPackage } from "../../governance.ts";
import { hostOfTarget } from "../../hosts.ts";
import { giveUp } from "../command.ts";
import { type Field, has, leading, literal, textField, visible } from "../field.ts";
import { isGiven } from "../options.ts";
import { filesOf } from "../paths.ts";
import { database, localDatabase } from "./databases.ts";
import { endsAsDirectory, hasExtension } from "./destination.ts";
import type { Reading, Row } from "./row.ts";

/** What the first words of a tool's command line say. The first pattern that matches decides. */
interface Verbs {
  readonly looks: RegExp;
  /** Looking goes over the network. */
  readonly remote: boolean;
  readonly changes?: RegExp;
  readonly removes?: RegExp;
  /** Installs or runs code; everything else too when nothing matches. */
  readonly runs?: RegExp;
}

/** Package managers, clouds, containers, clusters, databases and forges. */
export const SERVICE_ROWS: readonly Row[] = [
  {
    names: ["npm", "pnpm", "yarn", "npx", "bunx", "pnpx"],
    also: byVerb(
      {
        looks: /^(?:ls|list|ll|la|why|explain|root|prefix|bin|--version|-v|help|config (?:get|list))(?: |$)/,
        remote: false,
        runs: /./,
      },
      /^(?:view|info|show|v|search|outdated|audit(?!.* fix)|ping|whoami|owner ls|dist-tag ls|fund|docs)(?: |$)/,
      /^(?:i|install|ci|add|update|upgrade|up|publish|audit|dlx|create|init|exec|login|unpublish|deprecate)(?: |$)|^$/,
    ),
  },
  {
    names: ["pip", "pip3", "uv", "poetry", "pipx", "conda", "mamba", "gem", "bundle", "composer"],
    also: byVerb(
      {
        looks:
          /^(?:list|show|freeze|check|config list|env list|pip list|pip show|pip freeze|info|inspect|debug|help|--version|-V)(?: |$)/,
        remote: false,
        runs: /./,
      },
      /^(?:search|index|outdated|audit)(?: |$)/,
      /^(?:install|download|add|update|upgrade|sync|lock|pip install|publish|push)(?: |$)/,
    ),
  },
  {
    names: [
      "apt",
      "apt-get",
      "apt-cache",
      "dpkg",
      "brew",
      "yum",
      "dnf",
      "pacman",
      "apk",
      "zypper",
      "snap",
      "flatpak",
      "port",
      "nix",
      "nix-env",
      "choco",
      "winget",
      "scoop",
      "rpm",
      "dpkg-query",
      "nix-shell",
    ],
    also: byVerb(
      {
        looks:
          /^(?:list|show|search|policy|depends|rdepends|info|-l|-L|-s|-S|-W|--list|--listfiles|--get-selections|-q\w*|-Q\w*|deps|leaves|which|--version|madison|changelog)(?: |$)/,
        remote: false,
        runs: /./,
      },
      /^(?!)/,
      /^(?:update|install|upgrade|full-upgrade|dist-upgrade|add|-S\w*|refresh|tap|download|fetch|sync)(?: |$)/,
    ),
  },
  {
    names: ["docker", "podman", "nerdctl", "docker-compose"],
    also: byVerb(
      {
        looks:
          /^(?:(?:container |image |volume |network |compose )?(?:ps|ls|list|images|inspect|logs|version|info|stats|top|port|diff|history|config)|context ls|system df|events|--version)(?: |$)/,
        remote: false,
        removes:
          /^(?:(?:container |image |volume |network |system |builder |compose )?(?:rm|rmi|prune|kill|down))(?: |$)/,
        runs: /./,
      },
      /^search(?: |$)/,
      /^(?:(?:image |compose )?(?:pull|push)|login|build)(?: |$)/,
    ),
  },
  {
    names: [
      "kubectl",
      "oc",
      "helm",
      "k9s",
      "terraform",
      "tofu",
      "pulumi",
      "ansible",
      "ansible-playbook",
      "vagrant",
      "fly",
      "flyctl",
      "heroku",
      "vercel",
      "netlify",
      "wrangler",
      "railway",
      "doctl",
      "az",
      "gcloud",
      "gsutil",
    ],
    also: byVerb(
      {
        looks:
          /^(?:--version|version|help|completion|fmt -check|validate|show|output|config view|config list)(?: |$)/,
        remote: false,
        removes:
          /^(?:delete|destroy|uninstall|drain|rm|(?:\S+ )+(?:delete|destroy|rm|remove|purge)|apps:destroy)(?: |$)/,
        changes:
          /^(?:apply|create|patch|replace|scale|rollout|label|annotate|taint|cordon|uncordon|set|edit|expose|autoscale|install|upgrade|rollback|deploy|up|publish|secrets?|import|cp|rsync|mv)(?: |$)/,
        runs: /./,
      },
      /^(?:get|describe|logs|top|api-resources|api-versions|cluster-info|explain|diff|auth can-i|wait|events|list|ls|status|history|search|repo list|plan|tail|(?:\S+ )+(?:list|describe|show|ls|get))(?: |$)/,
      /^(?:apply|create|install|upgrade|init|login|deploy|delete|destroy|exec|run|up|port-forward)(?: |$)/,
    ),
  },
  { names: ["gh", "glab", "hub", "jira", "linear"], also: forge },
  { names: ["aws"], also: amazon },
  {
    names: [
      "psql",
      "mysql",
      "mariadb",
      "mongosh",
      "mongo",
      "redis-cli",
      "clickhouse-client",
      "sqlcmd",
      "bq",
      "cqlsh",
      "influx",
    ],
    values:
      "-h --host -p --port -U -u --user -d --dbname -c --command -e --execute -f --file -v -o --output -n -D --database --eval -a -q --query -Q -execute",
    writes: "-o --output",
    also: database,
  },
  { names: ["dropdb", "dropuser"], risks: ["NETWORK", "EXTERNAL_WRITE", "DELETE"] },
  { names: ["createdb", "createuser"], risks: ["NETWORK", "EXTERNAL_WRITE"] },
  { names: ["stripe"], also: payments },
  { names: ["hermes", "agentsfence"], also: agent },
  { names: ["sqlite3", "duckdb"], values: "-cmd -init -separator -nullvalue -newline", also: localDatabase },
  {
    names: ["pg_dump", "pg_dumpall", "mysqldump", "mongodump"],
    values: "-h -p -U -u -d -f --file -F -n -t -o --out --host --port --user --username -r --result-file",
    writes: "-f --file -r --result-file -o --out",
    risks: ["NETWORK"],
  },
  {
    names: [
      "make",
      "gmake",
      "ninja",
      "cmake",
      "meson",
      "bazel",
      "gradle",
      "mvn",
      "ant",
      "rake",
      "just",
      "task",
      "tox",
      "nox",
      "pytest",
      "jest",
      "vitest",
      "mocha",
      "eslint",
      "prettier",
      "biome",
      "ruff",
      "black",
      "mypy",
      "pre-commit",
      "husky",
      "direnv",
      "mise",
      "asdf",
      "nvm",
      "pyenv",
      "rbenv",
    ],
    also: buildTool,
  },
];

/** The words of a command line without its options, as far as they are known. */
function verbsOf(args: readonly Field[]): string {
  return args
    .filter(
      (one) =>
        !/^-/.test(leading(one)) ||
        /^(?:--?version|-[vVlLqQsSW]\w*|--list\w*|--get-selections)$/.test(leading(one)),
    )
    .map((one) => visible(one))
    .join(" ")
    .slice(0, 2000);
}

function byVerb(verbs: Verbs, queries: RegExp, fetches: RegExp): (call: Reading) => undefined {
  return (call) => {
    const { args, report } = call;
    const line = verbsOf(args);
    const loose = args.some((one) => has(one, "unknown")) && line === "";
    if (
      !loose &&
      (verbs.looks.test(line) ||
        (args.length === 1 && /^--?(?:version|help|v)$/i.test(leading(args[0] ?? []))))
    ) {
      if (verbs.remote) report.risk("NETWORK");
      return;
    }
    if (!loose && queries.test(line)) {
      report.risk("NETWORK");
      return;
    }
    if (fetches.test(line)) report.risk("NETWORK");
    if (verbs.removes?.test(line)) report.risk("DELETE");
    if (verbs.changes?.test(line) || (verbs.changes && verbs.removes?.test(line)))
      report.risk("NETWORK", "EXTERNAL_WRITE");
    if (
      /(?:^| )(?:uninstall|remove|rm|un|r)(?: |$)/.test(line) &&
      args.some((one) => isGuardPackage(visible(one)))
    )
      report.govern("own-policy");
    if (/^(?:publish|push|compose push|image push|unpublish)(?: |$)/.test(line))
      report.risk("EXTERNAL_WRITE");
    report.execute("service-tool");
    giveUp([textField(call.name), ...args], call.shell, call.place, call.walker);
  };
}

const FORGE_LOOKS =
  /^(?:\S+ )?(?:list|view|status|diff|checks|show|ls|search|browse|watch|verify)(?: |$)|^(?:status|search|browse|issues|auth status|api|version|help)(?: |$)/;

function forge(call: Reading): undefined {
  const { args, report } = call;
  const line = verbsOf(args);
  if (/^(?:--version|version|help|completion)(?: |$)/.test(line)) return;
  report.risk("NETWORK");
  if (/^api(?: |$)/.test(line)) {
    const method =
      args
        .map((one) => literal(one) ?? "")
        .find((one, at) => /^-(?:X|-method)$/.test(literal(args[at - 1] ?? []) ?? "") && one !== "") ??
      /(?:-X|--method=)(\w+)/.exec(args.map(visible).join(" "))?.[1] ??
      "";
    const fields = args.some((one) => /^-(?:f|F|-field|-raw-field|-input)/.test(leading(one)));
    if ((fields && !/^GET$/i.test(method)) || (method !== "" && !/^(?:GET|HEAD)$/i.test(method)))
      report.risk("EXTERNAL_WRITE");
    if (/^DELETE$/i.test(method)) report.risk("DELETE");
    return;
  }
  if (
    /^(?:extension|alias|codespace|cs|run download|release download|repo clone|pr checkout|attestation|auth (?:login|setup-git|refresh))(?: |$)/.test(
      line,
    )
  ) {
    report.execute("service-tool");
    giveUp([textField(call.name), ...args], call.shell, call.place, call.walker);
    return;
  }
  if (FORGE_LOOKS.test(line)) return;
  report.risk("EXTERNAL_WRITE");
  if (/^\S+ (?:delete|remove|archive|delete-asset)(?: |$)/.test(line)) report.risk("DELETE");
  const texts = args.map(visible);
  const opens = (one: string, at: number): boolean =>
    /^--(?:public|visibility=public)$/.test(one) || (one === "public" && texts[at - 1] === "--visibility");
  if (texts.some(opens)) {
    report.risk("SHARE");
    report.said.everybody("public");
  }
  if (
    call.args.some((one) => /^--body-file$|^-F$/.test(leading(one))) &&
    has(call.args[call.args.length - 1] ?? [], "unknown")
  )
    report.opaque("unknown-path");
}

function payments(call: Reading): undefined {
  const line = verbsOf(call.args);
  if (/^(?:--version|version|help|completion|login|logout|status|config)?(?: |$)/.test(line)) return;
  call.report.risk("NETWORK");
  if (!/(?:^| )(?:list|retrieve|get|search|logs|listen|resources)(?: |$)/.test(line))
    call.report.risk("EXTERNAL_WRITE", "FINANCIAL");
}

/** The agent's own command line: what starts, changes or ends what governs it is its owner's to run. */
function agent(call: Reading): undefined {
  const { args, report } = call;
  const line = verbsOf(args);
  const looks =
    /^(?:--version|version|status|doctor|help|audit|policy|insights|(?:plugins|skills|tools|sessions|hooks|cron|mcp|profile|memory|config|auth|model)(?: (?:list|ls|show|get|status|path|info|check|view))?)?$/;
  const plain = line.replace(/^((?:plugins|skills|config) (?:show|get|info|view)) .*$/, "$1");
  if (looks.test(plain) && !args.some((one) => /^--yolo/.test(leading(one)))) return;
  const governs =
    /^(?:plugins|hooks|approvals|config|mcp|setup|uninstall|fence|oath) ?/.test(line) ||
    args.some((one) =>
      /^--(?:yolo|accept-hooks|safe-mode|ignore-rules|ignore-user-config|no-plugins)/.test(leading(one)),
    );
  if (governs || call.name === "agentsfence") report.govern("own-policy");
  if (/^(?:cron|skills|memory) /.test(line)) report.risk("PERSISTENT");
  report.execute("agent-control");
  giveUp([textField(call.name), ...args], call.shell, call.place, call.walker);
}

function amazon(call: Reading): undefined {
  const { args, report, shell } = call;
  const words = args.filter((one) => !leading(one).startsWith("-"));
  const [service, verb] = [literal(words[0] ?? []) ?? "", literal(words[1] ?? []) ?? ""];
  if (args.some((one) => literal(one) === "--version") || service === "help") return;
  report.risk("NETWORK");
  const opened = args.some(
    (one, at) =>
      /^(?:--acl=)?public-read/.test(leading(one)) &&
      (leading(one).startsWith("--") || literal(args[at - 1] ?? []) === "--acl"),
  );
  if (opened) {
    report.risk("SHARE");
    report.said.everybody("--acl public-read");
  }
  if (/^put-.*-(?:acl|policy)$|^put-public-access-block$|^modify-.*-attribute$/.test(verb))
    report.risk("SHARE");
  if (service === "s3") {
    const operands = words.slice(2);
    // A bucket is as much where something goes as a host is.
    for (const field of operands.slice(0, 64)) {
      const bucket = /^s3:\/\//i.test(leading(field)) ? hostOfTarget(literal(field) ?? leading(field)) : null;
      if (bucket !== null) report.host(bucket);
    }
    const dry = args.some((one) => literal(one) === "--dryrun");
    if (verb === "ls" || verb === "presign" || dry) return;
    if (verb === "rm" || verb === "rb" || args.some((one) => literal(one) === "--delete"))
      report.risk("DELETE");
    const [from, to] = operands;
    const remote = (field: Field | undefined): boolean => /^s3:\/\//.test(leading(field ?? []));
    if (remote(to) || verb === "rm" || verb === "rb" || verb === "mb" || (verb === "mv" && remote(from)))
      report.risk("EXTERNAL_WRITE");
    if (!/^(?:cp|mv|sync)$/.test(verb) || from === undefined || to === undefined) return;
    const tree = verb === "sync" || args.some((one) => literal(one) === "--recursive");
    if (verb === "mv" && !remote(from))
      for (const file of filesOf(from, shell, report)) report.act("delete", tree ? `${file}/**` : file);
    if (!remote(to) && literal(to) !== "-") {
      const name = leading(from).replace(/^.*\//, "");
      for (const file of filesOf(to, shell, report)) {
        const inside = file === "?" ? file : `${file}/${name}`;
        if (tree) report.write(`${file}/**`);
        else if (endsAsDirectory(to)) report.write(inside);
        else {
          report.write(file);
          if (!hasExtension(file.slice(file.lastIndexOf("/") + 1))) report.write(inside);
        }
        if (args.some((one) => literal(one) === "--delete")) report.act("delete", `${file}/**`);
      }
    }
    return;
  }
  if (
    /^(?:describe|list|get|head|lookup|search|scan|query|batch-get|estimate|filter|tail|wait|view)(?:-|$)|^(?:ls|sts)$/.test(
      verb,
    ) ||
    service === "sts"
  )
    return;
  report.risk("EXTERNAL_WRITE");
  if (/^(?:delete|terminate|remove|deregister|purge|destroy)/.test(verb)) report.risk("DELETE");
  if (
    service === "configure" ||
    service === "lambda" ||
    service === "ssm" ||
    service === "ec2-instance-connect" ||
    service === "ecs"
  )
    report.opaque("service-tool");
  if (/^(?:send|publish|invoke)/.test(verb) && /^(?:ses|sesv2|sns|pinpoint|connect)$/.test(service))
    report.risk("COMMUNICATION");
}

function buildTool(call: Reading): undefined {
  if (call.args.length === 1 && /^--?(?:version|help|v|h)$/i.test(literal(call.args[0] ?? []) ?? "")) return;
  if (/make$/.test(call.name) && isGiven(call.read, "-v --version")) return;
  call.report.execute("project-code");
  giveUp([textField(call.name), ...call.args], call.shell, call.place, call.walker);
}
