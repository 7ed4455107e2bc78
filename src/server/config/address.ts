/** The address of a server, split into its displayable part and its secrets. */
interface Address {
  readonly url: URL;
  /** The schema that a database's address names (`?schema=gateway`). */
  readonly schema: string | undefined;
  /** The most connections to a database that the address names (`?pool=20`). */
  readonly pool: number | undefined;
  /** Without its password and its other parameters, which may hold one. */
  readonly shown: string;
  readonly secrets: readonly string[];
}

/** Whether the choice of a store is a database's address and no file. */
export function isDatabase(choice: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(choice);
}

/** Returns the problem with a store setting, as a phrase that follows its name, or `undefined`. */
export function problemOfStore(choice: string): string | undefined {
  if (isDatabase(choice)) return problemOfDatabase(choice);
  return choice.includes("://") ? "must be a file, or an address that begins with `postgres://`" : undefined;
}

/** The same for what only a database can be. */
export function problemOfDatabase(address: string): string | undefined {
  if (!isDatabase(address)) return "must be an address that begins with `postgres://`";
  const problem = problemOf(address);
  if (problem !== undefined) return problem;
  const { url, pool } = readAddress(address);
  if (pool !== undefined && !(Number.isInteger(pool) && pool >= 2 && pool <= 500))
    return "has a `pool` that is no whole number from 2 to 500"; // one connection listens for changes
  const replica = url.searchParams.get("replica");
  if (replica !== null && !/^(?:\/.+|(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?)$/i.test(replica))
    return "has a `replica` that is no host, as `db2` or `db2:5433`, and no folder of a socket";
  const mode = url.searchParams.get("sslmode") ?? "disable";
  return sslModes.includes(mode) ? undefined : `has an \`sslmode\` that is none of ${sslModes.join(", ")}`;
}

const sslModes: readonly string[] = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

function problemOf(address: string): string | undefined {
  try {
    readAddress(address);
    return undefined;
  } catch {
    return "is no address that can be read; in a password `@`, `:`, `/`, `#` and `%` are written as `%40`, `%3A`, `%2F`, `%23` and `%25`";
  }
}

const nowhere = "nowhere.invalid";

/** Hosts after the first, in addresses of several Redis servers. */
const otherHosts = /^(rediss?\+[a-z]+:\/\/(?:[^@/?#]*@)?[^,/?#]*)((?:,[^,/?#]+)*)/i;

/** Parses an address; throws if it is not valid. */
export function readAddress(address: string): Address {
  const [, , others = ""] = otherHosts.exec(address) ?? [];
  const oneHost = address.replace(otherHosts, "$1");
  const url = new URL(oneHost.replace("@/", `@${nowhere}/`)); // PostgreSQL's addresses may name a login and no host
  const { protocol, username, pathname, password, searchParams } = url;
  const host = url.host === nowhere ? "" : `${url.host}${others}`;
  const parameters = ["password", "sentinelPassword"].map((name) => searchParams.get(name) ?? "");
  const secrets = [password, decodeURIComponent(password), ...parameters];
  const schema = url.searchParams.get("schema") ?? undefined;
  const pool = url.searchParams.get("pool") ?? undefined;
  const part = schema === undefined ? "" : `?schema=${schema}`;
  const shown = `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}${part}`;
  const most = pool === undefined ? undefined : Number(pool || "none");
  return { url, schema, pool: most, shown, secrets: [...new Set(secrets)].filter((secret) => secret.length >= 6) };
}

/**
 * The address of the replica that a database's address names: the same with the host of `?replica=db2:5433`, or with the folder of its
 * socket; `undefined` without one.
 */
export function replicaOf(address: string): string | undefined {
  const { url } = readAddress(address);
  const replica = url.searchParams.get("replica");
  if (replica === null) return undefined;
  url.searchParams.delete("replica");
  url.searchParams.delete("host");
  if (replica.startsWith("/")) url.searchParams.set("host", replica);
  else url.host = replica;
  return url.href.replace(`@${nowhere}/`, "@/");
}

/** Passwords in the addresses among these choices. */
export function secretsInAddresses(choices: readonly unknown[]): string[] {
  return choices.flatMap((choice) => {
    const isAddress = typeof choice === "string" && choice.includes("://") && problemOf(choice) === undefined;
    return isAddress ? readAddress(choice).secrets : [];
  });
}
