import { BlockList, isIP } from "node:net";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { memo } from "../../../../src/engine/runtime/memo.ts";

/** The HTTP proxies of outgoing calls, as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name them. */
export interface ProxyOptions {
  /** URL of the proxy for `https:` addresses: `http://` or `https://`, with user name and password where it wants them. */
  readonly https?: string | undefined;
  /** The same for `http:` addresses. */
  readonly http?: string | undefined;
  /**
   * Hosts that are asked without a proxy: names, which cover their subdomains, with or without a leading dot or `*.`; with a port;
   * IP addresses and CIDR blocks; `*` for all. As a list, or as one text with commas or spaces.
   */
  readonly except?: string | readonly string[] | undefined;
}

/** The proxies that variables name, in small letters or capitals; `undefined` where none is named. */
export function proxiesOf(variables: Readonly<Record<string, string | undefined>>): ProxyOptions | undefined {
  const read = (name: string) => variables[name.toLowerCase()]?.trim() || variables[name]?.trim() || undefined;
  const [https, http] = [read("HTTPS_PROXY"), read("HTTP_PROXY")];
  return https === undefined && http === undefined ? undefined : { https, http, except: read("NO_PROXY") };
}

/** Finds the proxy of an origin; `undefined` for one that is asked directly. */
export type FindProxy = (origin: string) => URL | undefined;

/**
 * Reads proxy settings; throws `invalid_configuration` naming `proxy.http`, `proxy.https` or `proxy.except`. Addresses of this machine
 * are never asked through a proxy.
 */
export function proxyFinder({ http, https, except = [] }: ProxyOptions): FindProxy {
  const proxies = { "http:": proxyUrl(http, "proxy.http"), "https:": proxyUrl(https, "proxy.https") };
  const isExcepted = exceptions(typeof except === "string" ? except.split(/[\s,]+/) : except);
  return memo((origin: string) => {
    const url = new URL(origin);
    const proxy = proxies[url.protocol as keyof typeof proxies];
    return proxy === undefined || isLoopback(url) || isExcepted(url) ? undefined : proxy;
  });
}

function proxyUrl(text: string | undefined, param: string): URL | undefined {
  if (text === undefined || text === "") return undefined;
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "") return url;
  throw new GatewayError("invalid_configuration", `\`${param}\` must be the http or https URL of a proxy.`, { param });
}

/** The host without brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function portOf({ port, protocol }: URL): string {
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}

function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  return /^(?:.*\.)?localhost$|^127\.|^::1$/.test(host);
}

function exceptions(entries: readonly string[]): (url: URL) => boolean {
  const names: { readonly host: string; readonly port: string | undefined }[] = [];
  const addresses = new BlockList();
  for (const entry of entries.map((each) => each.trim().toLowerCase()).filter(Boolean)) {
    if (addAddress(addresses, entry)) continue;
    const [, host = "", port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
    names.push({ host: host.replace(/^\*?\.(?=.)/, ""), port });
  }
  return (url) => {
    const host = hostOf(url);
    const family = isIP(host);
    if (family !== 0 && addresses.check(host, family === 4 ? "ipv4" : "ipv6")) return true;
    return names.some(
      (one) =>
        (one.host === "*" || host === one.host || (family === 0 && host.endsWith(`.${one.host}`))) &&
        (one.port === undefined || one.port === portOf(url)),
    );
  };
}

/** Adds an IP address or a block of them; false for what is neither. Throws for a block that is none. */
function addAddress(list: BlockList, entry: string): boolean {
  const [address = "", prefix] = entry.split("/");
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  if (prefix === undefined) list.addAddress(address, type);
  else if (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)) {
    list.addSubnet(address, Number(prefix), type);
  } else {
    const message = "`proxy.except` holds a block of addresses whose prefix is not a possible one.";
    throw new GatewayError("invalid_configuration", message, { param: "proxy.except" });
  }
  return true;
}
