/**
 * `.dev.vars`, the secrets of a local run. wrangler passes silently over what it cannot read there, so it is read here
 * first. Nothing in this file ever puts a value into a message.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { Complaint } from "./say.mjs";

const fresh = () => randomBytes(32).toString("base64url");

/** Every secret that the Worker requires, as in wrangler.toml and .dev.vars.example; a test holds the three together. */
export const SECRETS = {
  OPERATOR_TOKEN: { least: 32, fresh, what: "Creates organizations and sign-in links." },
  SETTINGS_KEY: {
    least: 32,
    fresh,
    what: "Encrypts what organizations keep here, such as the key of their model.",
  },
};

const OR_BEGIN_AGAIN = "or delete the file and have a fresh one written";

/**
 * @param {string} text
 * @returns {{ok: true, values: Record<string, string>} | {ok: false, fault: string}} the fault completes ".dev.vars …"
 */
export function parseDevVars(text) {
  const values = {};
  for (const [index, raw] of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .entries()) {
    const where = `line ${index + 1}`;
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    if (match === null) return fault(`${where} is not NAME=value`);
    const [, name, written] = match;
    if (Object.hasOwn(values, name)) return fault(`${where} sets ${name} a second time`);
    const value = unquoted(written);
    if (value === null) return fault(`${where} (${name}) opens a quotation mark that it does not close`);
    values[name] = value;
  }
  return { ok: true, values };
}

/** Finds what is missing or too short. @returns {string | null} the fault, completing ".dev.vars …" */
export function checkDevVars(values) {
  for (const [name, { least }] of Object.entries(SECRETS)) {
    const value = values[name];
    if (value === undefined) return `has no ${name}`;
    if (value === "") return `has an empty ${name}`;
    if (value.length < least)
      return `has only ${value.length} characters in ${name}; it takes at least ${least}`;
  }
  return null;
}

/**
 * The secrets of a local run; fresh ones are written when there are none, and a secret that the file has never heard of
 * is added to it, so that a newer version starts on an older file.
 */
export function readDevVars(file) {
  if (!existsSync(file)) writeFreshDevVars(file);
  if (!statSync(file).isFile())
    throw new Complaint(`.dev.vars is not a file. Move it away, and start again.`);
  const text = readFileSync(file, "utf8");
  let parsed = parseDevVars(text);
  const unheard = parsed.ok ? Object.keys(SECRETS).filter((name) => parsed.values[name] === undefined) : [];
  if (unheard.length > 0 && unheard.length < Object.keys(SECRETS).length) {
    appendFileSync(file, `${/[\r\n]$/.test(text) ? "" : "\n"}\n${unheard.map(freshLines).join("\n")}`);
    parsed = parseDevVars(readFileSync(file, "utf8"));
  }
  const found = parsed.ok ? checkDevVars(parsed.values) : parsed.fault;
  if (found !== null)
    throw new Complaint(
      `.dev.vars: ${found.replace(/^has /, "it has ")}. Mend it as .dev.vars.example shows, ${OR_BEGIN_AGAIN}.`,
    );
  return parsed.values;
}

/** Readable by its owner alone, from the first byte on. */
export function writeFreshDevVars(file) {
  writeFileSync(
    file,
    `# Secrets of this machine alone, written by npm start. Never commit them.\n\n${Object.keys(SECRETS).map(freshLines).join("\n")}`,
    {
      mode: 0o600,
      flag: "wx",
    },
  );
}

function freshLines(name) {
  const { what, fresh: make } = SECRETS[name];
  return `# ${what}\n${name}=${make()}\n`;
}

/** As dotenv reads it: quotation marks wrap, ` #` begins a comment. `null` for an open quotation mark. */
function unquoted(written) {
  const quote = written[0];
  if (quote !== '"' && quote !== "'" && quote !== "`")
    return written.replace(/\s+#.*$/, "").replace(/^#.*$/, "");
  const end = written.indexOf(quote, 1);
  return end === -1 ? null : written.slice(1, end);
}

function fault(text) {
  return { ok: false, fault: text };
}
