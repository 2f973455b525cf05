/**
 * The host of a URL as the WHATWG parser gives it: lower case, punycode, with the port when it is not the scheme's own.
 * `null` for what is no URL with a host. Never throws.
 */
export function hostOfUrl(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > 8192 || !/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) || /^file:/i.test(trimmed))
    return null;
  try {
    // Ports and punycode are only normalised for the special schemes, so every other one is read as if it were http.
    const scheme = trimmed.slice(0, trimmed.indexOf(":")).toLowerCase();
    const special =
      scheme === "http" || scheme === "https" || scheme === "ftp" || scheme === "ws" || scheme === "wss";
    const { host } = new URL(special ? trimmed : `http${trimmed.slice(scheme.length)}`);
    return host === "" ? null : withoutFinalDot(host);
  } catch {
    return null;
  }
}

/** The host of what a network tool accepts: a URL, `host/path`, `host:port`, or `user@host:path` of ssh and git. */
export function hostOfTarget(text: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return hostOfUrl(text);
  const remote = /^(?:[^@\s/:]+@)?(\[[0-9a-f:.]+\]|[^@\s/:]+):(?!\d+(?:\/|$))/i.exec(text.slice(0, 512));
  return hostOfUrl(`http://${remote?.[1] ?? text}`);
}

/** Every host in `http(s)://…` inside a longer text, at most 64. Linear. */
export function hostsInText(text: string): string[] {
  const hosts = new Set<string>();
  for (const match of text.matchAll(/\b(?:https?|wss?|ftp):\/\/[^\s"'`<>\\)]{1,512}/gi)) {
    const host = hostOfUrl(match[0]);
    if (host !== null) hosts.add(host);
    if (hosts.size >= 64) break;
  }
  return [...hosts];
}

function withoutFinalDot(host: string): string {
  return host.replace(/\.(?=:\d+$|$)/, "");
}

/** True for every spelling that reaches the machine itself. `host` as `hostOfUrl` gives it. */
function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, "");
  return (
    /^(?:.+\.)?localhost$|^127(?:\.\d+){3}$|^0\.0\.0\.0$/.test(name) ||
    /^\[::(?:1|ffff:(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)|7f[0-9a-f]{2}:[0-9a-f]{1,4})?\]$/.test(name)
  );
}

function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? "";
}

/** True when `host` is one of `own`, or another spelling of the same port of this machine. */
export function isOwnHost(host: string, own: readonly string[]): boolean {
  if (own.includes(host)) return true;
  return isLoopback(host) && own.some((one) => isLoopback(one) && portOf(one) === portOf(host));
}

/** Words of a text that stand before one of our ports: `127.1:8787`, `nc localhost 8787`. At most 64; linear. */
export function localHostsInText(text: string, own: readonly string[]): string[] {
  const ports = new Set(own.filter(isLoopback).map(portOf));
  if (![...ports].some((port) => port !== "" && text.includes(port))) return [];
  const found: string[] = [];
  for (const match of text.matchAll(
    /(\[[0-9a-f:.]{2,45}\]|[\w.-]{1,255})(?::|["'\s,]{1,8})(\d{1,5})(?!\d)/gi,
  )) {
    if (!ports.has(match[2] ?? "")) continue;
    const host = hostOfUrl(`http://${match[1] ?? ""}:${match[2] ?? ""}`);
    if (host !== null) found.push(host);
    if (found.length >= 64) break;
  }
  return found;
}
