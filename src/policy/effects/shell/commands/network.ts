import { readStrictJson } from "../../../text/strict-json.ts";
import type { JsonObject, JsonValue, RiskClass } from "../../../types.ts";
import { hostOfTarget, hostOfUrl } from "../../hosts.ts";
import { type Report, UNKNOWN_PATH } from "../../report.ts";
import { carriesSecret } from "../../secrets.ts";
import { isObject } from "../../tools/hermes.ts";
import { byName, tellArguments } from "../../tools/roles.ts";
import { tellStrangers } from "../../tools/strangers.ts";
import { giveUp } from "../command.ts";
import { type Field, holdsOutput, joinBound, leading, literal, textField, visible } from "../field.ts";
import { type Arguments, isGiven, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { noteSecretVariable } from "../secrets.ts";
import { asTree } from "./destination.ts";
import type { Reading, Row } from "./row.ts";

const CURL_VALUES =
  "-A --user-agent -b --cookie -C --continue-at -d --data --data-ascii --data-binary --data-raw --data-urlencode -e --referer -E --cert -F --form --form-string -H --header -K --config -m --max-time -P --ftp-port -Q --quote -r --range -t --telnet-option -T --upload-file -u --user -U --proxy-user -w --write-out -x --proxy --preproxy -X --request -y --speed-time -Y --speed-limit -z --time-cond --json --url --url-query --retry --retry-delay --retry-max-time --connect-timeout --connect-to --resolve --cacert --capath --ciphers --key --key-type --cert-type --limit-rate --max-redirs --interface --local-port --dns-servers --doh-url --socks4 --socks5 --socks5-hostname --unix-socket --abstract-unix-socket --output-dir --noproxy --oauth2-bearer --aws-sigv4 --tls-max --tlsv1.3 --proto --proto-default --proto-redir --rate --max-filesize --mail-from --mail-rcpt --mail-auth --pass --pinnedpubkey --netrc-file --engine --keepalive-time --expect100-timeout --happy-eyeballs-timeout-ms --request-target --create-file-mode --variable --expand-url";

const SEND_VALUES =
  "-d --data --data-ascii --data-binary --data-raw --data-urlencode -F --form --form-string -T --upload-file --json";

/** Commands that reach other machines. */
export const NETWORK_ROWS: readonly Row[] = [
  {
    names: ["curl"],
    values: CURL_VALUES,
    writes:
      "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc --ssl-sessions",
    flags:
      "--remote-name --remote-name-all --remote-header-name --get --head --location --fail --silent --show-error --insecure --create-dirs --compressed --verbose --include",
    risks: ["NETWORK"],
    also: curl,
  },
  {
    names: ["wget", "wget2"],
    values:
      "-a -B --base -t --tries -P --directory-prefix -U --user-agent -T --timeout -w --wait -Q --quota -e --execute -O --output-document -i --input-file -A --accept -R --reject -D --domains -I -X -l --level --header --post-data --post-file --body-data --body-file --method --referer --user --password --limit-rate --load-cookies --cut-dirs --default-page --dns-timeout --connect-timeout --read-timeout --waitretry --bind-address --certificate --private-key --ca-certificate --use-askpass --config --secure-protocol --http-user --http-password --exclude-domains --max-redirect --progress --compression",
    writes:
      "-o --output-file -a --append-output --save-cookies --rejected-log --warc-file --hsts-file --warc-tempdir --warc-dedup",
    executes: "-e --execute --use-askpass --config",
    flags:
      "--quiet --continue --no-clobber --timestamping --recursive --mirror --spider --no-check-certificate --page-requisites --content-disposition --delete-after --no-verbose",
    risks: ["NETWORK"],
    also: wget,
  },
  {
    names: ["ssh", "mosh", "autossh", "telnet", "rsh", "rlogin"],
    values: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
    stops: true,
    risks: ["NETWORK", "EXTERNAL_WRITE"],
    also: remoteShell,
  },
  {
    names: ["sftp", "ftp", "lftp", "ncftp"],
    values: "-b -B -c -D -F -i -J -l -o -P -R -S -s -X",
    risks: ["NETWORK", "EXTERNAL_WRITE"],
    opaque: "transfer-session",
  },
  {
    names: ["nc", "ncat", "netcat"],
    values: "-e -c -i -I -O -p -s -T -V -w -x -X --exec --sh-exec --lua-exec",
    executes: "-e -c --exec --sh-exec --lua-exec",
    risks: ["NETWORK", "EXTERNAL_WRITE"],
    also: connect,
  },
  {
    names: [
      "dig",
      "host",
      "nslookup",
      "whois",
      "ping",
      "ping6",
      "traceroute",
      "tracepath",
      "mtr",
      "nmap",
      "drill",
      "kdig",
      "arping",
      "speedtest",
      "iperf3",
    ],
    risks: ["NETWORK"],
    values: "-c -i -w -W -p -t -s -oN -oX",
    writes: "-oN -oX -oG",
    also: lookUp,
  },
  {
    names: ["http", "https", "xh", "xhs"],
    values:
      "-a --auth -A --auth-type -s --style -p --print -v --session -o --output --timeout --proxy --verify",
    writes: "-o --output",
    risks: ["NETWORK"],
    also: httpie,
  },
  { names: ["yt-dlp", "youtube-dl", "aria2c", "axel"], risks: ["NETWORK"], opaque: "downloader" },
];

/** Hosts where a request that sends something moves money or reaches people. */
const HOST_RISKS: readonly { readonly risk: RiskClass; readonly hosts: RegExp }[] = [
  {
    risk: "FINANCIAL",
    hosts:
      /(?:^|\.)(?:api\.stripe\.com|api(?:-m)?(?:\.sandbox)?\.paypal\.com|connect\.squareup\.com|api\.squareup\.com|api\.mollie\.com|api\.adyen\.com|api\.razorpay\.com|api\.coinbase\.com|api\.binance\.com|api\.kraken\.com|api\.(?:transfer)?wise\.com|api\.plaid\.com|api\.gocardless\.com|api\.braintreegateway\.com|api\.paddle\.com|api\.lemonsqueezy\.com)$/,
  },
  {
    risk: "COMMUNICATION",
    hosts:
      /^hooks\.slack\.com$|^slack\.com$|^api\.telegram\.org$|^discord(?:app)?\.com$|^api\.(?:sendgrid|mailgun|postmarkapp|twilio|resend|mailchimp|pushover|pagerduty|opsgenie)\.(?:com|net)$|^api\.twitter\.com$|^api\.x\.com$|^graph\.facebook\.com$|^ntfy\.sh$|\.webhook\.office\.com$|^api\.line\.me$|^chat\.googleapis\.com$|^events\.pagerduty\.com$|^open\.feishu\.cn$|^oapi\.dingtalk\.com$|^qyapi\.weixin\.qq\.com$/,
  },
];

/** A file whose content leaves with a request. */
function noteSent(value: Field, read: Arguments, report: Report): void {
  const text = visible(value);
  const at = /^(?:[^=]{0,256}=)?[@<](.+)$/s.exec(text)?.[1];
  const whole = valuesOf(read, "-T --upload-file").includes(value) ? text : undefined;
  const file = whole ?? at?.replace(/;(?:type|filename)=.*$/s, "");
  if (file !== undefined && file !== "-" && file !== ".") report.said.item("file", file);
}

/** Services that take sums in the currency's smallest unit. */
const MINOR_UNITS = /stripe|adyen|squareup|braintree|mollie|razorpay/;

/** Whom and what the body of a request names, where its host says that it moves money or reaches people. */
function tellBody(call: Reading, bodies: readonly Field[], urls: readonly Field[]): void {
  const hosts = urls.map((url) => hostOfTarget(visible(url)) ?? "");
  const risks = hosts.flatMap(risksOfHost);
  if (risks.length === 0) return;
  const { report } = call;
  const at = report.said.at;
  const args = Object.assign({}, ...bodies.map((body) => formOf(visible(body)) ?? {})) as JsonObject;
  const reading = { tool: call.name, args, report, context: report.context, base: at, depth: 0 };
  const manner = {
    communicates: risks.includes("COMMUNICATION"),
    shares: false,
    pays: risks.includes("FINANCIAL"),
  };
  tellStrangers(reading, manner, at);
  tellArguments(reading, byName(report.tables.roles), {
    ...manner,
    reads: false,
    keeps: false,
    minor: hosts.some((host) => MINOR_UNITS.test(host)),
    words: [],
    paths: new Set(),
    within: at,
  });
}

/** `a=1&b=2`, or a JSON object. */
function formOf(text: string): JsonObject | null {
  if (/^\s*\{/.test(text)) {
    const read = readStrictJson(text.slice(0, 65_536));
    return read.ok && isObject(read.value as JsonValue) ? (read.value as JsonObject) : null;
  }
  const pairs = text.slice(0, 65_536).split("&", 200);
  const form: JsonObject = {};
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals > 0) form[pair.slice(0, equals)] = unescaped(pair.slice(equals + 1));
  }
  return Object.keys(form).length ? form : null;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function risksOfHost(host: string): RiskClass[] {
  return HOST_RISKS.filter((one) => one.hosts.test(host.replace(/:\d+$/, ""))).map((one) => one.risk);
}

function reach(call: Reading, urls: readonly Field[], sends: boolean): void {
  for (const url of urls) {
    const known = literal(url) ?? leading(url);
    // What the shell takes for a pattern the program takes as it is spelled, unless a file has that name.
    const spelled = visible(url);
    call.report.said.url(spelled);
    if (carriesSecret(spelled)) call.report.secret(spelled);
    noteSecretVariable(url, call.report);
    if (spelled !== "") call.report.said.item("url", spelled);
    const host = hostOfTarget(/^[a-z][a-z0-9+.-]*:\/\//i.test(known) ? known : `http://${known}`);
    if (host === null) {
      if (literal(url) === null) call.report.opaque("unknown-host");
      continue;
    }
    // A host is only settled by what follows it: `http://a$X` may be any machine.
    if (literal(url) === null && !/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(known))
      call.report.opaque("unknown-host");
    else call.report.host(host);
    if (sends) call.report.risk(...risksOfHost(host));
  }
}

function curl(call: Reading): undefined {
  const { read, report, shell } = call;
  const urls = [...read.operands, ...valuesOf(read, "--url")];
  const method = (
    valuesOf(read, "-X --request")
      .map((one) => literal(one))
      .pop() ?? ""
  ).toUpperCase();
  const body = isGiven(read, SEND_VALUES);
  const asGet = isGiven(read, "-G --get") && !isGiven(read, "-F --form -T --upload-file");
  const changes = method !== "" ? !/^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/.test(method) : false;
  // What a command printed, or a file's content, leaves with the request wherever it stands in it.
  const leaks =
    call.args.some(holdsOutput) ||
    valuesOf(read, SEND_VALUES).some((one) => asGet && /(?:^|=|@)@/.test(visible(one)));
  const carried = carriedFiles(read);
  for (const file of carried) report.said.item("file", file);
  const sends =
    changes ||
    carried.length > 0 ||
    (body && !asGet && method !== "GET" && method !== "HEAD") ||
    leaks ||
    (body && !asGet);
  if (sends) report.risk("EXTERNAL_WRITE");
  if (method === "DELETE") report.risk("DELETE");
  if (isGiven(read, "-Q --quote --mail-rcpt"))
    report.risk("EXTERNAL_WRITE", ...(isGiven(read, "--mail-rcpt") ? (["COMMUNICATION"] as const) : []));
  for (const one of valuesOf(read, "--mail-rcpt")) report.said.people("to", visible(one));
  for (const one of valuesOf(read, SEND_VALUES)) noteSent(one, read, report);
  if (isGiven(read, "-K --config --engine") || read.loose) {
    if (isGiven(read, "-K --config --engine")) report.execute("option-file");
    else if (read.given.length === 0 || urls.length > 1) report.opaque("unknown-arguments");
  }
  reach(call, urls, sends);
  if (sends) tellBody(call, valuesOf(read, SEND_VALUES), urls);
  for (const url of urls)
    if (/^file:\/\//i.test(leading(url)) && isProcess(leading(url))) report.govern("own-key-variable");
  const named = valuesOf(read, "-o --output");
  const into = valuesOf(read, "--output-dir")[0];
  for (const file of into ? named : named.filter((one) => /#\d/.test(visible(one))))
    placeOutput(call, into, file);
  if (!isGiven(read, "-O --remote-name --remote-name-all -J --remote-header-name")) return;
  const folder = valuesOf(read, "--output-dir")[0] ?? textField(".");
  for (const url of urls) {
    const name = isGiven(read, "-J --remote-header-name") ? "*" : nameFromUrl(url);
    for (const place of filesOf(folder, shell, report)) {
      if (name === null) report.opaque("unknown-path");
      report.write(place === UNKNOWN_PATH || name === null ? UNKNOWN_PATH : joinBound(place, name));
    }
  }
}

/** Files that go out with a request though nothing is posted: cookies, headers and variables read from them. */
function carriedFiles(read: Arguments): string[] {
  const cookies = valuesOf(read, "-b --cookie")
    .map(visible)
    // A pair is a cookie; an empty name and a dash are no files.
    .filter((one) => !/[=;]/.test(one) && !/^(?:|-|\/dev\/null)$/.test(one));
  const others = [...valuesOf(read, "-H --header --proxy-header"), ...valuesOf(read, "--variable")].flatMap(
    (one) => /^(?:%?\w*)@(.+)$/s.exec(visible(one))?.[1] ?? [],
  );
  return [...cookies, ...others].filter((one) => one !== "-");
}

/** `--output-dir` moves what `-o` names, and `#1` in it stands for a part of the URL. */
function placeOutput(call: Reading, into: Field | undefined, file: Field): void {
  const text = literal(file);
  const pattern = text?.replace(/[*?[\]\\]/g, "\\$&").replace(/#\d+/g, "*");
  for (const place of filesOf(into ?? textField("."), call.shell, call.report)) {
    const known = place !== UNKNOWN_PATH && pattern !== undefined;
    if (!known) call.report.opaque("unknown-path");
    call.report.write(known ? joinBound(pattern.startsWith("/") ? "/" : place, pattern) : UNKNOWN_PATH);
  }
}

function isProcess(url: string): boolean {
  return /\/proc\/[^/]+\/environ/.test(url);
}

function wget(call: Reading): undefined {
  const { read, report, shell } = call;
  const method = (literal(valuesOf(read, "--method")[0] ?? []) ?? "").toUpperCase();
  const cookies = valuesOf(read, "--load-cookies").map(visible);
  for (const file of cookies) report.said.item("file", file);
  const sends =
    cookies.length > 0 ||
    isGiven(read, "--post-data --post-file --body-data --body-file") ||
    /^(?:POST|PUT|PATCH|DELETE)$/.test(method) ||
    call.args.some(holdsOutput);
  if (sends) report.risk("EXTERNAL_WRITE");
  if (method === "DELETE") report.risk("DELETE");
  reach(call, read.operands, sends);
  if (isGiven(read, "--spider --delete-after")) return;
  const out = valuesOf(read, "-O --output-document")[0];
  if (out) {
    if (literal(out) !== "-") for (const file of filesOf(out, shell, report)) report.write(file);
    return;
  }
  const folder = valuesOf(read, "-P --directory-prefix")[0] ?? textField(".");
  const whole = isGiven(
    read,
    "-r --recursive -m --mirror -p --page-requisites -i --input-file -x --force-directories --content-disposition",
  );
  for (const place of filesOf(folder, shell, report)) {
    if (whole) report.write(asTree(place));
    for (const url of whole ? [] : read.operands) {
      const name = nameFromUrl(url) ?? (literal(url) === null ? "*" : "index.html");
      // Here the query belongs to the name.
      const queried = /[?]/.test(literal(url) ?? "") ? `${name}*` : name;
      const file = place === UNKNOWN_PATH ? place : joinBound(place, queried);
      if (isGiven(read, "-c --continue -N --timestamping")) report.write(file);
      else report.act("create", file);
    }
  }
}

/** The last segment of a URL's path, as `curl -O` and `wget` name the file. */
function nameFromUrl(url: Field): string | null {
  const text = literal(url);
  if (text === null) return null;
  const path = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/[?#].*$/s, "");
  const name = path.includes("/") ? path.slice(path.lastIndexOf("/") + 1) : "";
  return name === "" || name === "." || name === ".." ? null : name.replace(/[*?[\]\\]/g, "\\$&");
}

function remoteShell(call: Reading): undefined {
  const target = call.read.operands[0];
  if (call.args.length === 1 && /^-[VQ]/.test(leading(call.args[0] ?? []))) return;
  if (target) {
    const host = hostOfUrl(leading(target)) ?? hostOfTarget(leading(target).replace(/^[^@]*@/, ""));
    if (host !== null) call.report.host(host);
  }
  // The other machine may be this one.
  call.report.execute("remote-command");
  giveUp([textField(call.name), ...call.args], call.shell, call.place, call.walker);
  for (const operand of call.read.operands.slice(1))
    call.report.opaque("remote-command", visible(operand), null);
}

function connect(call: Reading): undefined {
  const [host, port] = call.read.operands;
  if (host && !/^\d+$/.test(leading(host))) {
    const found = hostOfTarget(`${leading(host)}${port ? `:${leading(port)}` : ""}`);
    if (found !== null) call.report.host(found);
  }
  if (isGiven(call.read, "-l --listen")) call.report.execute("listener");
}

function lookUp(call: Reading): undefined {
  for (const operand of call.read.operands) {
    const text = leading(operand).replace(/^@/, "");
    const host = /^[a-z0-9.-]+\.[a-z]{2,}$/i.test(text) ? hostOfTarget(text) : null;
    if (host !== null) call.report.host(host);
  }
  if (call.args.some(holdsOutput)) call.report.risk("EXTERNAL_WRITE");
  if (call.name === "nmap" && call.args.some((one) => leading(one).startsWith("--script")))
    call.report.execute("helper-program");
}

function httpie(call: Reading): undefined {
  const { read, report } = call;
  const [first, ...rest] = read.operands;
  const method = /^[A-Z]{3,7}$/.test(literal(first ?? []) ?? "") ? literal(first ?? []) : null;
  const url = method === null ? first : rest[0];
  const items = method === null ? rest : rest.slice(1);
  const body = items.some((one) => /^[^:=@]+(?::?=|@)/.test(leading(one)) && !/^[^=]+==/.test(leading(one)));
  const sends =
    body ||
    (method !== null && !/^(?:GET|HEAD|OPTIONS)$/.test(method)) ||
    call.args.some(holdsOutput) ||
    call.place.input.kind === "pipe";
  if (sends) report.risk("EXTERNAL_WRITE");
  if (method === "DELETE") report.risk("DELETE");
  if (url) reach(call, [url], sends);
}
