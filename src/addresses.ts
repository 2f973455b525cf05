/**
 * Where a request may be sent that an organization has us send: to its model, to its channels. Its members write the
 * address, so it is as hostile as any other input: it must not lead a request that carries a key to this deployment
 * itself, to a private network or to a metadata service.
 *
 * Only the address as written is judged. A public name that resolves to a private address is for the network to refuse:
 * Cloudflare's has no private addresses, and a laptop's is its owner's own.
 */
import { hostOfUrl, isOwnHost } from "./policy/effects/hosts.ts";

/** What an address is judged against. */
export interface Reach {
  /** This deployment's own hosts, as `Self.hosts`. */
  readonly own: readonly string[];
  /** True on a developer's machine alone: then whoever is asked may listen on loopback, with or without TLS. */
  readonly loopback: boolean;
}

export type AddressCause =
  | "not-a-url"
  | "not-https"
  | "credentials-in-url"
  | "query-or-fragment"
  | "own-origin"
  | "loopback"
  | "private-address"
  | "local-name";

export type Address =
  | {
      readonly ok: true /** A base without its final slash. */;
      readonly url: string;
      readonly origin: string;
    }
  | { readonly ok: false; readonly cause: AddressCause };

export const MAX_URL_CHARACTERS = 2_048;

/** Names that only mean something inside a network: RFC 6761, 6762, 8375, and what is used as if it were one of them. */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|onion|test|invalid)$/;

/** What every deployment on this origin is judged against. @param origins of its own; the first says where it runs */
export function reachFrom(origins: readonly [string, ...string[]]): Reach {
  const urls = origins.map((origin) => new URL(origin));
  const name = urls[0]?.hostname ?? "";
  return { own: urls.map(({ host }) => host), loopback: isLoopback(name) || name === "0.0.0.0" };
}

/**
 * Total.
 * @param text a `base` URL such as `https://api.example.com/v1`, to which a path is added, or a `whole` one, which is
 *   asked as it stands and may have a query
 */
export function readAddress(text: string, reach: Reach, form: "base" | "whole" = "base"): Address {
  // The parser drops tabs and line feeds and trims; whoever reads the settings would not see the URL that is asked.
  if (text.length > MAX_URL_CHARACTERS || /[^\x21-\x7e]|\\/.test(text) || !URL.canParse(text))
    return no("not-a-url");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return no("not-https");
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?#]*@/i.test(text))
    return no("credentials-in-url");
  if ((form === "base" ? /[?#]/ : /#/).test(text)) return no("query-or-fragment");
  const host = hostOfUrl(url.href);
  if (host === null) return no("not-a-url");
  const name = host.replace(/:\d+$/, "");
  const loopback = isLoopback(name);
  // On loopback another port is another program; anywhere else every port of our name leads to us.
  const mine =
    isOwnHost(host, reach.own) || (!loopback && reach.own.some((one) => withoutPort(one) === name));
  if (mine) return no("own-origin");
  if (loopback) return reach.loopback ? yes(url, form) : no("loopback");
  const address = addressCause(name);
  if (address !== null) return no(address);
  if (url.protocol !== "https:") return no("not-https");
  return yes(url, form);
}

function yes(url: URL, form: "base" | "whole"): Address {
  return { ok: true, url: form === "whole" ? url.href : url.href.replace(/\/+$/, ""), origin: url.origin };
}

function no(cause: AddressCause): Address {
  return { ok: false, cause };
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, "");
}

/** The parser has already brought `0x7f.1`, `2130706433` and `[::0001]` into these forms. */
function isLoopback(name: string): boolean {
  return name === "localhost" || /^127(?:\.\d+){3}$/.test(name) || name === "[::1]";
}

function addressCause(name: string): AddressCause | null {
  if (name.startsWith("[")) return isPublicV6(name) ? null : "private-address";
  const v4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(name);
  if (v4 !== null) return isPublicV4(name, Number(v4[1]), Number(v4[2])) ? null : "private-address";
  // An empty label is no public name, and could hide the one that is looked for at the end.
  return LOCAL_NAME.test(name) || !name.includes(".") || /^\.|\.\.|\.$/.test(name) ? "local-name" : null;
}

/** Everything of the IANA special-purpose registry is refused. */
function isPublicV4(name: string, a: number, b: number): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100 && b >= 64 && b < 128) return false;
  if (a === 169 && b === 254) return false;
  if (a === 172 && b >= 16 && b < 32) return false;
  if (a === 192 && (b === 168 || /^192\.(?:0\.[02]|88\.99)\./.test(name))) return false;
  if (a === 198 && (b === 18 || b === 19)) return false;
  return !/^(?:198\.51\.100|203\.0\.113)\./.test(name);
}

/**
 * Global unicast (2000::/3) without what leads elsewhere: Teredo and the protocol block 2001::/23, documentation, and
 * 6to4, which hides an IPv4 address. Mapped and NAT64 addresses lie outside it. `name` is in brackets, compressed.
 */
function isPublicV6(name: string): boolean {
  const [first = "", second = ""] = name.slice(1, -1).split(":");
  if (!/^[23][0-9a-f]{3}$/.test(first)) return false;
  if (first === "2002" || first === "3fff") return false;
  if (first !== "2001") return true;
  const next = Number.parseInt(second === "" ? "0" : second, 16);
  return next >= 0x200 && next !== 0xdb8;
}
