import { GatewayError } from "../errors.ts";
import type { KeyRecords } from "../policy/access.ts";
import { isLimited, type LimitStanding, limitsOfKey, standLimits } from "../policy/standing.ts";
import type { EntriesPage, EntriesQuestion, UsageQuestion, UsageRow } from "../ports/ledger.ts";
import type { Store } from "../ports/store.ts";
import type { Ports } from "./ports.ts";
import { createRegistry, type Registry, type RegistryPorts } from "./registry.ts";

/** What was used and what it cost. */
export interface UsageBook {
  /** Sums by group. Money in nano-dollars. */
  query(question: UsageQuestion): Promise<readonly UsageRow[]>;
  /** Single requests with their line items, newest first, to explain a bill. */
  entries(question: EntriesQuestion): Promise<EntriesPage>;
  /** Forgets entries older than `before` (milliseconds since the epoch) and resolves to how many; the sums stay unless `sums` is true. */
  prune(question: { readonly before: number; readonly sums?: boolean | undefined }): Promise<number>;
  /** How every limit of a key stands, those of its entries, project and customer among them. */
  standing(keyId: string): Promise<readonly LimitStanding[]>;
  /** The ids of those keys that can ask nobody: a limit of the key, its project or its customer is used up, or one of each entry. */
  limited(keys: readonly KeyRecords[]): Promise<ReadonlySet<string>>;
}

/** Keys, projects, customers and usage as functions. */
export interface Governance extends Registry {
  readonly usage: UsageBook;
}

/** The governance of an engine with a store; without one, asking for it throws `invalid_configuration`. */
export function createGovernance(
  ports: Ports,
  store: Store | undefined,
  registry: Omit<RegistryPorts, "records">,
): Governance {
  if (!store) return withoutStore();
  const { ledger } = store;
  return {
    ...createRegistry({ ...registry, records: store.records }),
    usage: {
      query: (question) => ledger.query(question),
      entries: (question) => ledger.entries(question),
      prune: (question) => ledger.prune(question),
      standing: (keyId) => standingOf(ports, keyId),
      limited: (keys) => limitedOf(ports, keys),
    },
  };
}

async function standingOf({ books, clock }: Ports, keyId: string): Promise<readonly LimitStanding[]> {
  const access = await books.access?.ofKey(keyId);
  if (!access) throw new GatewayError("not_found", `There is no virtual key \`${keyId}\`.`, { param: "id" });
  await books.recovered;
  const seen = new Map(
    [...access.entries.flatMap(({ limits }) => limits), ...access.limits].map((limit) => [limit.counter, limit]),
  );
  const limits = [...seen.values()];
  const now = clock.now();
  return standLimits(limits, await books.counters.read([...seen.keys()], now), now);
}

async function limitedOf({ books, clock }: Ports, keys: readonly KeyRecords[]): Promise<ReadonlySet<string>> {
  await books.recovered;
  const limited = keys.map(limitsOfKey);
  const limits = new Map(
    limited.flatMap(({ above, entries }) => [...above, ...entries.flat()].map((limit) => [limit.counter, limit])),
  );
  if (limits.size === 0) return new Set();
  const counters = [...limits.keys()];
  const now = clock.now();
  const standings = standLimits([...limits.values()], await books.counters.read(counters, now), now);
  const usedUp = new Set(counters.filter((_counter, position) => standings[position]?.isUsedUp));
  return new Set(limited.filter((key) => isLimited(key, usedUp)).map(({ keyId }) => keyId));
}

function withoutStore(): Governance {
  const refuse = (): never => {
    const message = '`store`: virtual keys and the ledger need one, e.g. `sqliteStore("tollgate.db")`.';
    throw new GatewayError("invalid_configuration", message, { param: "store" });
  };
  return Object.defineProperties({} as Governance, {
    keys: { get: refuse },
    projects: { get: refuse },
    customers: { get: refuse },
    usage: { get: refuse },
  });
}
