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
