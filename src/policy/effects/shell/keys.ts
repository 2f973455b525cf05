import type { Report } from "../report.ts";
import { type Field, visible } from "./field.ts";

/**
 * Programs that show or hand out what opens other things: tokens that a login left behind, a vault's entries, a process'
 * environment. An agent that may look at things in general is led to look at these.
 */
export interface KeyRow {
  readonly programs: string;
  /** What follows the program, options and all, where it gives something away. */
  readonly line: RegExp;
  /** What follows it where it does not, though the line fits. */
  readonly unless?: RegExp;
  /** True for what shows settings in general, keys among them: a question, where a key itself is refused. */
  readonly settings?: true;
}

/** An output that holds the values, not just the names. */
const VALUES = `(?:^| )(?:-o|--output|--template)[ =]?(?:yaml|json|jsonpath|go-template|custom-columns|template)`;

export const KEY_ROWS: readonly KeyRow[] = [
  // Clouds
  {
    programs: "aws",
    line: /\bconfigure (?:\S+ ){0,6}get \S*(?:secret|token|key)|\bconfigure export-credentials\b|\b(?:get-session-token|get-federation-token|assume-role(?:-with-[\w-]+)?|(?:batch-)?get-secret-value|create-access-key|create-login-profile|create-service-specific-credential|generate-data-key|generate-db-auth-token|get-authorization-token|get-password-data|get-instance-access-details)\b|\bkms (?:\S+ ){0,6}decrypt\b/,
  },
  {
    programs: "aws",
    line: /\bssm get-parameters?\b|\bssm get-parameters-by-path\b/,
    unless: /^(?!.*--with-decryption)/,
  },
  {
    programs: "gcloud",
    line: /\bauth (?:application-default )?print-(?:access|identity)-token\b|\bauth print-refresh-token\b|\bsecrets versions access\b|\bconfig config-helper\b|\biam service-accounts keys create\b|\bsql generate-login-token\b/,
  },
  {
    programs: "az",
    line: /\baccount get-access-token\b|\bkeyvault (?:secret|key) (?:show|download|backup)\b|\bkeys? (?:list|show|renew)\b|\bad sp (?:create-for-rbac|credential reset)\b|\bshow-connection-string\b|\blist-credentials\b|\bacr (?:credential show|login --expose-token)/,
    unless: /\bkeyvault key (?:list|show)\b|\bkeyvault secret list\b/,
  },
  {
    programs: "doctl",
    line: /\bauth (?:token|list --output)|\bregistry docker-config\b|\bkubeconfig show\b/,
  },
  { programs: "heroku", line: /^(?:auth:token|config:get\b|authorizations:(?:create|info))|^config(?: |$)/ },
  { programs: "fly flyctl", line: /^(?:auth token|tokens create|tokens list)/ },
  { programs: "vercel", line: /^env pull/ },
  { programs: "netlify", line: /^env:(?:get|list)(?!.*--json=false)/, settings: true },
  { programs: "railway", line: /^variables?(?: |$)/, settings: true },
  { programs: "firebase", line: /^login:ci|^functions:(?:config:get|secrets:access)/ },
  { programs: "supabase", line: /^(?:status|projects api-keys|start)(?: |$)/, settings: true },
  {
    programs: "terraform tofu",
    line: /^output (?:-json|-raw)|^state (?:pull|show)|^show -json/,
    settings: true,
  },
  { programs: "pulumi", line: /--show-secrets\b|^config get \S*(?:secret|token|password|key)/ },

  // Clusters and containers
  {
    programs: "kubectl oc k3s microk8s",
    line: new RegExp(
      String.raw`\bget (?:\S+ ){0,8}?(?:\S{0,200},)?secrets?(?:[,/.]\S*)?(?: .*)?${VALUES}|${VALUES}.* get (?:\S+ ){0,8}?secrets?\b`,
    ),
  },
  {
    programs: "kubectl oc k3s microk8s",
    line: /\bconfig view\b.*--(?:raw|flatten)\b|\bcreate token\b|\bwhoami (?:-t|--show-token)\b|\bserviceaccounts? get-token\b|\bextract secrets?\b/,
  },
  {
    programs: "docker podman nerdctl docker-compose kubectl oc",
    line: /\b(?:exec|run)\b.* (?:\/usr\/bin\/)?(?:env|printenv)(?: -0)?(?: [A-Z_][A-Z0-9_]*)*$|\b(?:exec|run)\b.* cat \/proc\/\S+\/environ/,
    settings: true,
  },
  {
    programs: "docker podman nerdctl",
    line: /^(?:container )?inspect(?: |$)/,
    // A part of it that was chosen shows no more than that.
    unless: /(?:^| )(?:-f|--format|--type[ =](?:volume|network|image))[ =]?(?!.*(?:Env|json \.|\.Config\}))/,
    settings: true,
  },
  {
    programs: "docker podman docker-compose",
    line: /^(?:compose )?(?:-\S+ )*(?:config|convert)$/,
    settings: true,
  },
  { programs: "helm", line: /^get (?:values|all)\b.*(?: -a| --all)\b|^get all\b/, settings: true },

  // Forges and registries
  { programs: "gh", line: /^auth token\b|^auth status\b.* (?:-t|--show-token)\b/ },
  { programs: "glab", line: /^auth status\b.* (?:-t|--show-token)\b|^config get (?:token|\S*token)/ },
  {
    programs: "git",
    line: /\bcredential(?:-\w+)? (?:fill|get)\b|\bconfig\b.* \S*(?:extraheader|token|password|passwd|secret|cookiefile|apikey)\b\S*$/i,
    unless: /\bconfig\b.* --(?:unset|add|replace-all|remove-section)\b/,
  },
  { programs: "git", line: /\bconfig (?:--\S+ )*(?:get )?credential\.\S*helper$/, settings: true },
  {
    programs:
      "git-credential-osxkeychain git-credential-manager git-credential-libsecret git-credential-store git-credential-cache git-credential-manager-core",
    line: /^(?:--\S+ )*get\b/,
  },
  {
    programs: "npm pnpm yarn",
    line: /^(?:config |c )?(?:get|list) \S*(?:_auth|_password|authtoken)\b|^config get npm\w*token/i,
  },
  { programs: "stripe", line: /^config --list/ },
  {
    programs:
      "docker-credential-desktop docker-credential-osxkeychain docker-credential-pass docker-credential-secretservice docker-credential-ecr-login",
    line: /^(?:get|list)\b/,
  },

  // Vaults and keyrings
  {
    programs: "op",
    line: /^(?:read|inject|run|item get|document get|signin .*--raw|get (?:item|document))\b/,
  },
  {
    programs: "pass gopass",
    line: /^(?:show|otp|grep|-c|cat)\b|^(?!(?:ls|list|find|search|init|insert|edit|generate|rm|mv|cp|git|help|version|--\S*)(?: |$))\S+$/,
  },
  {
    programs: "bw rbw",
    line: /^(?:get (?:password|item|totp|notes|username|exposed|attachment)|list items|export|unlock\b.* --raw|get|code)\b/,
    unless: /^get (?:folder|collection|organization|template|fingerprint)\b/,
  },
  { programs: "lpass", line: /^(?:show|export)\b/ },
  { programs: "keepassxc-cli", line: /^(?:show|clip|export|attachment-export|estimate)\b/ },
  {
    programs: "security",
    line: /^(?:find-(?:generic|internet)-password|dump-keychain|export|find-identity -p)\b/,
  },
  { programs: "secret-tool", line: /^(?:lookup|search)\b/ },
  { programs: "keyring", line: /^get\b/ },
  { programs: "kwallet-query", line: /(?:^| )-(?:r|\w*r)\b|--read-password/ },
  {
    programs: "vault bao",
    line: /^(?:kv get|read|print token|token (?:create|lookup)|unwrap|agent|operator (?:init|generate-root))\b|^ssh\b/,
  },
  {
    programs: "doppler",
    line: /^(?:secrets(?: get| download)?|run|configs tokens create)(?: |$)/,
    unless: /^secrets (?:set|delete|upload|notes)|--only-names/,
  },
  { programs: "infisical", line: /^(?:secrets|export|run)(?: |$)/, unless: /^secrets (?:set|delete)/ },
  { programs: "chamber credstash", line: /^(?:export|read|exec|env|get|getall|print)\b/ },
  { programs: "aws-vault saml2aws granted assume", line: /^(?:exec|export|script|login|rotate)\b/ },
  { programs: "sops", line: /(?:^| )(?:-d|--decrypt|decrypt|exec-env|exec-file|edit)\b/ },
  { programs: "age rage", line: /(?:^| )(?:-d|--decrypt)\b/ },
  { programs: "ansible-vault", line: /^(?:view|decrypt|edit)\b/ },
  { programs: "git-crypt", line: /^(?:unlock|export-key)\b/ },
  { programs: "gpg gpg2", line: /(?:^| )--export-secret-(?:keys|subkeys)\b|--export-ssh-key-secret/ },
  { programs: "ssh-keygen", line: /(?:^| )-y\b/ },
  { programs: "cmdkey vaultcmd", line: /(?:^| )\/list/i },

  // This machine
  {
    programs: "jq gojq jaq yq",
    line: /(?:^|[^\w.$"])(?:env|\$ENV)(?![\w.[])|\$ENV\s*(?:$|[|)])/,
    settings: true,
  },
  {
    programs: "grep egrep fgrep rg ag ack ugrep",
    line: /^(?=.*(?:passw|secret|token|api[_-]?key|private.key|credential|bearer)).* (?:~|\/home\/[^/ ]+|\/root|\/Users\/[^/ ]+|\/etc|\/|\$HOME)\/?$/i,
    unless: /^(?!(?:.* )?-\w*[rR]|.*--recursive)(?!.* --hidden)/,
    settings: true,
  },
  { programs: "history fc", line: /^(?:-l.*|\d+|)$/, settings: true },
  {
    programs: "ps",
    line: /^(?:[auxfljvw]*e[auxfljvw]*(?:w|$)|-E\b|[aux]{1,4}e)/,
    settings: true,
  },
  {
    programs: "systemctl",
    line: /\bshow-environment\b|\bshow\b.* -p ?\S*Environment\b|--property[ =]\S*Environment\b/,
    settings: true,
  },
  { programs: "launchctl", line: /^(?:getenv|export)\b/, settings: true },
  { programs: "yt-dlp youtube-dl gallery-dl", line: /--cookies-from-browser\b/ },
  { programs: "pg_dumpall", line: /(?:^| )(?:-g|--globals-only|-r|--roles-only)\b/ },
];

/** A line past this length is not looked at further: what decides stands at its beginning. */
const LONGEST_LINE = 2000;

const ROWS_OF: ReadonlyMap<string, readonly KeyRow[]> = byProgram(KEY_ROWS);

/** Rows by the programs they are about. */
function byProgram(rows: readonly KeyRow[]): ReadonlyMap<string, readonly KeyRow[]> {
  const found = new Map<string, KeyRow[]>();
  for (const row of rows)
    for (const program of row.programs.split(" ")) found.set(program, [...(found.get(program) ?? []), row]);
  return found;
}

/** The rows that say of a command that it gives something away. @param line what follows the program. Total. */
export function rowsOfKeys(program: string, line: string): readonly KeyRow[] {
  return (ROWS_OF.get(program) ?? []).filter((row) => row.line.test(line) && row.unless?.test(line) !== true);
}

/** Notes what a command shows or hands out of what opens other things. @param words with the program itself. */
export function noteKeys(program: string, words: readonly Field[], report: Report): void {
  if (!ROWS_OF.has(program)) return;
  const line = words.slice(1, 256).map(visible).join(" ").slice(0, LONGEST_LINE);
  for (const row of rowsOfKeys(program, line))
    report.secret(row.settings ? "environment" : `${program} ${line}`.trim().slice(0, 120));
}
