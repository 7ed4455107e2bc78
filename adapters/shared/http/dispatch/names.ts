import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";

/** One address of a name; `family` is 4 or 6. */
export interface NameAddress {
  readonly address: string;
  readonly family: number;
}

/** How names are resolved. */
export interface NameSystem {
  /** All addresses of a name, best first; rejects where it has none. */
  resolve(host: string): Promise<readonly NameAddress[]>;
  /** The seconds that a name server lets its answer live, if that answer has all of these addresses; `undefined` where none says so. */
  lifetime(host: string, addresses: readonly NameAddress[]): Promise<number | undefined>;
}

/** How long the addresses of a name are used for further calls, in seconds. */
export interface NameLifetimes {
  /** Least and most of what a name server states. */
  readonly least: number;
  readonly most: number;
  /** Where no name server states one: names of the hosts file, of this machine, of other systems than DNS. */
  readonly usual: number;
}

/** Least time keeps a server that states 0 from being asked for every call. */
export const usualLifetimes: NameLifetimes = { least: 5, most: 300, usual: 60 };

/**
 * The system's resolver says where a name is, so that its hosts file and its search domains count; a name server says for how
 * long. Where both disagree, the server's answer is not the one that is used, and its lifetime does not count.
 */
export const systemNames: NameSystem = {
  resolve: (host) => lookup(host, { all: true }),
  async lifetime(host, addresses) {
    if (!isPublic(host)) return undefined;
    const resolver = new Resolver({ timeout: 2_000, tries: 1 });
    const families = [...new Set(addresses.map(({ family }) => family))];
    const answers = await Promise.all(
      families.map((family) =>
        family === 6 ? resolver.resolve6(host, { ttl: true }) : resolver.resolve4(host, { ttl: true }),
      ),
    ).catch(() => []);
    const records = answers.flat();
    const known = new Set(records.map(({ address }) => address));
    if (records.length === 0 || !addresses.every(({ address }) => known.has(address))) return undefined;
    return Math.min(...records.map(({ ttl }) => ttl));
  },
};

/** HostNames without a dot, and those that are this machine's or its network's, are in no name server. */
function isPublic(host: string): boolean {
  return /\.[^.]/.test(host) && !/(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)\.?$/i.test(host);
}

/** The addresses of a name as they were resolved last. */
export interface KnownName {
  readonly addresses: readonly NameAddress[];
  /** Counts up with each resolution. */
  readonly version: number;
  /** On the clock of the names. */
  readonly expiresAt: number;
}

/** The names that one transport uses. */
export interface HostNames {
  /** For `net.connect`: the addresses of a name while they live, those that accepted no connection last. */
  readonly lookup: LookupFunction;
  /** What is known of a name; `undefined` before its first connection. */
  known(host: string): KnownName | undefined;
  now(): number;
  /** Resolves a name anew, once for all who wait. Never rejects: where it fails, what is known lives on for the least time. */
  renew(host: string): Promise<void>;
  /** An address accepted no connection: others are tried before it until the name is resolved anew. */
  demote(host: string, address: string): void;
  /** No address accepted a connection: the next connection resolves the name anew. */
  forget(host: string): void;
}

interface NameEntry extends KnownName {
  readonly dead: Set<string>;
  expiresAt: number;
}

/** What names are made of. */
export interface NamesOptions {
  readonly system: NameSystem;
  readonly lifetimes: NameLifetimes;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
}

/** What was resolved, and what resolves it. */
interface Resolutions {
  readonly entries: ReadonlyMap<string, NameEntry>;
  /** Resolves a name, once for all who wait. */
  resolve(host: string): Promise<NameEntry>;
}

function createResolutions({ system, lifetimes, now }: NamesOptions): Resolutions {
  const entries = new Map<string, NameEntry>();
  const coming = new Map<string, Promise<NameEntry>>();
  const { least, most, usual } = lifetimes;

  async function resolve(host: string): Promise<NameEntry> {
    const askedAt = now();
    const addresses = await system.resolve(host);
    const version = (entries.get(host)?.version ?? 0) + 1;
    const entry = { addresses, version, expiresAt: askedAt + usual * 1_000, dead: new Set<string>() };
    entries.set(host, entry);
    system.lifetime(host, addresses).then(
      (seconds) => {
        if (seconds !== undefined) entry.expiresAt = askedAt + Math.min(Math.max(seconds, least), most) * 1_000;
      },
      () => {}, // the usual lifetime stands
    );
    return entry;
  }

  return {
    entries,
    resolve(host) {
      const known = coming.get(host);
      if (known) return known;
      const started = resolve(host).finally(() => coming.delete(host));
      coming.set(host, started);
      return started;
    },
  };
}

/** HostNames that follow the time to live of their addresses. */
export function createNames(options: NamesOptions): HostNames {
  const { entries, resolve } = createResolutions(options);
  const { now, lifetimes } = options;

  async function current(host: string): Promise<NameEntry> {
    const entry = entries.get(host);
    return entry && now() < entry.expiresAt ? entry : resolve(host);
  }

  return {
    now,
    lookup(host, { family, all }, callback) {
      current(host).then(
        (entry) => {
          const addresses = inOrder(entry).filter((each) => !family || family === each.family);
          const [first] = addresses;
          if (first === undefined) callback(noAddress(host), "");
          else if (all) callback(null, addresses);
          else callback(null, first.address, first.family);
        },
        (thrown: NodeJS.ErrnoException) => callback(thrown, ""),
      );
    },
    known: (host) => entries.get(host),
    async renew(host) {
      await resolve(host).catch(() => {
        const entry = entries.get(host);
        if (entry) entry.expiresAt = now() + lifetimes.least * 1_000;
      });
    },
    demote: (host, address) => void entries.get(host)?.dead.add(plainAddress(address)),
    forget(host) {
      const entry = entries.get(host);
      if (entry) entry.expiresAt = 0;
    },
  };
}

/** Those that accepted no connection last. */
function inOrder({ addresses, dead }: NameEntry): NameAddress[] {
  const isDead = ({ address }: NameAddress) => dead.has(address);
  return [...addresses.filter((each) => !isDead(each)), ...addresses.filter(isDead)];
}

function noAddress(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address of ${host} is of that family`), { code: "ENOTFOUND" });
}

/** An address as resolvers write it, without the form that IPv4 has inside of IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** True for what is no name but an address. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}
