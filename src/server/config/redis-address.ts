import { readAddress } from "./address.ts";

/** A host and port. */
interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Where a Redis address leads: to one server, to the primary that sentinels name, or to a cluster. */
export interface RedisPlace {
  readonly kind: "server" | "sentinel" | "cluster";
  /** The nodes of a cluster, or the sentinels, that are asked first; the one server. */
  readonly nodes: readonly RedisNode[];
  /** The name by which sentinels know the primary; empty without sentinels. */
  readonly primary: string;
  readonly database: number;
  readonly isTls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The password of the sentinels themselves (`?sentinelPassword=`). */
  readonly sentinelPassword: string | undefined;
}

const form = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:[^@/?#]*@)?([^/?#]*)/i;

/** Returns the problem with a Redis address, as a phrase that follows the name of its setting, or `undefined`. */
export function problemOfRedis(address: string): string | undefined {
  const parts = form.exec(address);
  const [, , kind = "server"] = parts ?? [];
  if (!parts || !/^[^:]+:\/\/./.test(address))
    return "must be an address that begins with `redis://`, `redis+sentinel://` or `redis+cluster://`, or with `rediss` for TLS";
  let path: string;
  try {
    path = readAddress(address).url.pathname;
  } catch {
    return "is no address that can be read; in a password `@`, `:`, `/`, `#` and `%` are written as `%40`, `%3A`, `%2F`, `%23` and `%25`";
  }
  const nodes = readNodes(address);
  if (nodes.length > 1 && kind === "server")
    return "names several hosts; with sentinels it begins with `redis+sentinel://`, for a cluster with `redis+cluster://`";
  if (nodes.some(({ host, port }) => host === "" || !(port > 0 && port < 65_536)))
    return "has a host or a port that is none; hosts are separated by commas, as in `redis+cluster://one:6379,two:6379`";
  return problemOfPath(kind.toLowerCase(), path);
}

function problemOfPath(kind: string, path: string): string | undefined {
  if (kind === "sentinel" && !/^\/[^/]+(?:\/\d*)?$/.test(path))
    return "must end with the name that the sentinels know the primary by, as in `redis+sentinel://one,two,three/mymaster`";
  if (kind === "cluster" && !/^\/?0?$/.test(path)) return "names a database, of which a cluster has only 0";
  if (kind === "server" && !/^(?:\/\d*)?$/.test(path))
    return "must end with the number of a database, as in `redis://localhost/1`";
  return undefined;
}

/** Reads an address that {@link problemOfRedis} has nothing against. */
export function readRedisAddress(address: string): RedisPlace {
  const [, tls = "", kind = "server"] = form.exec(address) ?? [];
  const { url } = readAddress(address);
  const parts = url.pathname.split("/").slice(1).map(decodeURIComponent);
  const isSentinel = kind.toLowerCase() === "sentinel";
  return {
    kind: kind.toLowerCase() as RedisPlace["kind"], // the pattern has no others
    nodes: readNodes(address),
    primary: isSentinel ? (parts[0] ?? "") : "",
    database: Number((isSentinel ? parts[1] : parts[0]) || 0),
    isTls: tls !== "",
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    sentinelPassword: url.searchParams.get("sentinelPassword") ?? undefined,
  };
}

const usualPorts: Readonly<Record<string, number>> = { sentinel: 26_379 };

function readNodes(address: string): RedisNode[] {
  const [, , kind = "server", hosts = ""] = form.exec(address) ?? [];
  const usual = usualPorts[kind.toLowerCase()] ?? 6_379;
  return hosts.split(",").map((text) => {
    const [, host = text, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? [];
    return { host: host.replace(/^\[|\]$/g, ""), port: port === undefined ? usual : Number(port || "none") };
  });
}
