/** Where people and programs keep what opens things: keys, tokens, passwords. Looking at it is CREDENTIAL, whatever the task. */
import type { PathBound } from "../types.ts";

/** Folders in which everything is secret, as lower-case segments from anywhere on. */
const FOLDERS = [
  ".ssh",
  ".gnupg",
  ".aws/sso",
  ".aws/cli",
  ".azure",
  ".config/gcloud",
  ".config/op",
  ".config/rclone",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  "library/keychains",
  ".electrum",
  ".bitcoin/wallets",
  "run/secrets",
  "etc/ssl/private",
];

/** What lies in those folders and is no secret. */
const OPEN =
  /\.pub$|(?:^|\/)(?:known_hosts(?:\.old)?|authorized_keys2?|config(?:\.d(?:\/[^/]*)?)?|readme(?:\.\w+)?)$/;

/** Files that hold secrets, by the end of their path in lower case. */
const FILES: readonly RegExp[] = [
  // Private keys
  /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /(?:^|\/)[^/]*(?:private|priv)[-_.]?key[^/]*\.(?:pem|key|der|txt)$|(?:^|\/)(?:[^/]*[-_.])?(?:priv(?:ate|key)?|server|client|tls|ssl|ca|host)(?:[-_.]?key)?\.key$|(?:^|\/)[^/]*[-_.]?key\.pem$|(?:^|\/)privkey[^/]*\.pem$/,
  /\.(?:p12|pfx|jks|keystore|ppk|kdbx?|agekey)$/,
  /(?:^|\/)ssh_host_\w+_key$/,
  // Logins of programs
  /(?:^|\/)\.aws\/credentials$/,
  /(?:^|\/)\.kube\/config$/,
  /(?:^|\/)\.docker\/config\.json$/,
  /(?:^|\/)[._]netrc$/,
  /(?:^|\/)\.(?:pgpass|my\.cnf|pypirc|git-credentials|vault-token|terraformrc|dockercfg|s3cfg|boto|htpasswd)$/,
  /^(?:\/home\/[^/]+|\/users\/[^/]+|\/root)\/\.npmrc$/,
  /(?:^|\/)\.config\/(?:gh|hub|glab-cli|git|github-copilot)\/(?:hosts\.yml|hub|config\.yml|credentials|hosts\.json|apps\.json)$/,
  /(?:^|\/)\.terraform\.d\/credentials\.tfrc\.json$/,
  /(?:^|\/)\.cargo\/credentials(?:\.toml)?$/,
  // Agents' own
  /(?:^|\/)\.hermes\/(?:auth\.json|\.env|[^/]*oauth[^/]*\.json)$/,
  /(?:^|\/)\.claude\/\.credentials\.json$|(?:^|\/)\.codex\/auth\.json$|(?:^|\/)\.gemini\/(?:oauth_creds|google_accounts)\.json$|(?:^|\/)opencode\/auth\.json$/,
  // Browsers and wallets
  /(?:^|\/)(?:cookies(?:\.sqlite)?|login data|web data|local state|logins\.json|key4\.db|cookies\.binarycookies)$/,
  /(?:^|\/)wallet\.dat$|\.keychain(?:-db)?$/,
  // A project's
  /(?:^|\/)\.env(?:\.(?!example$|sample$|template$|dist$|defaults?$|schema$)[^/]*)?$|(?:^|\/)\.env\*$|(?:^|\/)\.dev\.vars$/,
  /(?:^|\/)(?:secrets?|credentials?)\.(?:ya?ml|json|toml|ini|env|txt)$/,
  /(?:^|\/)(?:client[-_]secrets?|service[-_]account)[^/]*\.json$/,
  // What was typed, passwords among it
  /(?:^|\/)(?:\.(?:\w{1,32}_)?history|\.zhistory|\.histfile|fish_history|consolehost_history\.txt)$/,
  // The system's
  /^\/etc\/(?:shadow|gshadow|master\.passwd|sudoers)-?$/,
];

/** Folders of browsers: one file of them may be a bookmark, all of them are the logins as well. */
const PROFILES =
  /(?:^|\/)(?:\.mozilla(?:\/firefox)?|\.config\/(?:google-chrome|chromium|microsoft-edge|bravesoftware|vivaldi|opera)|application support\/(?:google(?:\/chrome)?|firefox|chromium|bravesoftware)|google\/chrome\/user data)(?:\/(?:default|profile \d{1,3}|profiles|brave-browser|[\w-]{1,64}\.default[\w-]{0,32}))?$/;

/** Text that cannot belong to any of them, so that most paths are let go after one look. */
const HINT =
  /ssh|gnupg|\.aws|azure|gcloud|\/op|rclone|password|keyring|kwallet|keychain|electrum|wallet|secret|ssl|id_|priv|key|\.p12|pfx|jks|ppk|kdb|host|credential|kube|docker|netrc|pgpass|my\.cnf|pypirc|vault|terraform|s3cfg|boto|htpasswd|npmrc|\.config|cargo|auth|oauth|accounts|cookies|login|web data|\.env|vars|service|client|shadow|passwd|sudoers|server|tls|\bca\b|history|histfile|local state|firefox|chrom|brave|vivaldi/i;

/** False for text that can stand in no path that `isSecret` knows, if nothing else of the path is more than that. */
export function hintsAtSecret(text: string): boolean {
  return HINT.test(text);
}

/**
 * True when a path is, or is below, what holds secrets; a tree far above one is not.
 * @param whole true for a folder that is taken with all that is in it, not just made or listed.
 */
export function isSecret(bound: PathBound, whole: boolean): boolean {
  if (!HINT.test(bound) || bound.length > 4096) return false;
  const tree = bound.endsWith("/**");
  const path = (tree ? bound.slice(0, -3) : bound).replace(/\\([\s\S])/g, "$1").toLowerCase();
  for (const folder of FOLDERS) {
    const at = path.lastIndexOf(`/${folder}`);
    if (at < 0) continue;
    const rest = path.slice(at + folder.length + 1);
    if (rest === "" ? tree || whole : rest.startsWith("/") && !OPEN.test(rest)) return true;
  }
  if ((tree || whole) && PROFILES.test(path)) return true;
  return FILES.some((file) => file.test(path));
}

/** Variables whose value opens something: keys by their names, and addresses that people put a password into. */
const SECRET_NAME =
  /(?:^|_)(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|APIKEY|CREDENTIALS?|PAT)(?:_|$)|(?:^|_)KEY$|_KEY_|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|(?:^|_)(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|CELERY_BROKER)_(?:URL|URI|DSN|CONNECTION_STRING)$/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !/PUBLIC|PUB_KEY|KEY_?(?:PATH|FILE|DIR|BINDINGS?)$/i.test(name);
}

/** Keys by the prefix that their makers give them. */
const KEY_SHAPES =
  /(?:^|[^A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{4}|github_pat_\w{4}|glpat-[\w-]{4}|sk-(?:(?:ant|proj|or|svcacct|live|test)-\w|[A-Za-z0-9_-]{16})|sk_(?:live|test)_\w{4}|rk_(?:live|test)_\w{4}|xox[abposr]-[\w-]{4}|AKIA[A-Z0-9-]{4}|ASIA[A-Z0-9]{12}|AIza[\w-]{10}|ya29\.|npm_[A-Za-z0-9]{8}|hf_[A-Za-z0-9]{8}|pypi-[\w-]{8}|SG\.[\w-]{8}|dop_v1_\w{8}|cs_live_\w{4}|eyJ[\w-]{10,}\.eyJ|-----BEGIN [A-Z ]{0,24}PRIVATE KEY)/;
/** Names under which a URL would carry one. */
const KEY_QUERY =
  /[?&#;](?:[\w.-]{0,40}[_.-])?(?:api_?key|access_?key|secret|client_secret|password|passwd|pwd|private_?key|session_?id|cookie|credentials?)=[^&#\s]{4}/i;

/** True for a URL that carries away what looks like a key or a password. */
export function carriesSecret(url: string): boolean {
  const start = url.search(/[?#]/);
  const path = url.slice(0, 8192);
  return KEY_SHAPES.test(path) || (start >= 0 && KEY_QUERY.test(path.slice(start)));
}
