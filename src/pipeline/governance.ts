import type { VirtualKey } from "../api/governance.ts";
import { GatewayError } from "../errors.ts";
import type { KeyRecords } from "../policy/access.ts";
import {
  findUsedUp,
  isLimited,
  type KeyLimits,
  type LimitStanding,
  limitsOfKey,
  listCounters,
  standLimits,
} from "../policy/standing.ts";
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
  const limitsOf = createLimitsBook();
  return {
    ...createRegistry({ ...registry, records: store.records }),
    usage: {
      query: (question) => ledger.query(question),
      entries: (question) => ledger.entries(question),
      prune: (question) => ledger.prune(question),
      standing: (keyId) => standingOf(ports, keyId),
      limited: (keys) => limitedOf(ports, keys.map(limitsOf)),
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

type LimitsOf = (records: KeyRecords) => KeyLimits;

/** Limits of keys, made once as long as neither the key nor what stands above it changes. */
function createLimitsBook(): LimitsOf {
  const made = new WeakMap<VirtualKey, KeyRecords & { readonly limits: KeyLimits }>();
  return ({ key, project, customer }) => {
    const known = made.get(key);
    if (known && known.project === project && known.customer === customer) return known.limits;
    const limits = limitsOfKey({ key, project, customer });
    made.set(key, { key, project, customer, limits });
    return limits;
  };
}

async function limitedOf({ books, clock }: Ports, keys: readonly KeyLimits[]): Promise<ReadonlySet<string>> {
  await books.recovered;
  const counters = listCounters(keys);
  if (counters.size === 0) return new Set();
  const usedUp = findUsedUp(counters, await books.counters.read([...counters.keys()], clock.now()));
  if (usedUp.size === 0) return usedUp;
  return new Set(keys.filter((key) => isLimited(key, usedUp)).map(({ keyId }) => keyId));
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
