import type { VirtualKey } from "../api/governance.ts";
import { EntriesQuery, PruneQuery, UsageQuery } from "../api/usage-question.ts";
import { GatewayError } from "../errors.ts";
import type { KeyRecords } from "../policy/access.ts";
import { type Limit, type LimitedOwner, listLimits } from "../policy/limit.ts";
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
import { type HeededRecords, heed, heedRecords } from "./heed.ts";
import { parserOf } from "./parse.ts";
import type { Books, Ports } from "./ports.ts";
import { createRegistry, nameKind, type Registry, type RegistryPorts } from "./registry.ts";

/** What keys belong to, and has limits of its own. */
type Group = "project" | "customer";

/** What was used and what it cost. A question that is none is refused with `invalid_request`. */
export interface UsageBook {
  /** Sums by group. Money in nano-dollars. */
  query(question: UsageQuestion): Promise<readonly UsageRow[]>;
  /** Single requests with their line items, newest first, to explain a bill. */
  entries(question: EntriesQuestion): Promise<EntriesPage>;
  /** Forgets entries older than `before` (milliseconds since the epoch) and resolves to how many; the sums stay unless `sums` is true. */
  prune(question: { readonly before: number; readonly sums?: boolean | undefined }): Promise<number>;
  /** How every limit of a key stands, those of its entries, project and customer among them; or those of a project or a customer. */
  standing(id: string, kind?: "key" | Group): Promise<readonly LimitStanding[]>;
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
  const records = heedRecords(store.records, ports.books.patience.long);
  return {
    ...createRegistry({ ...registry, records }),
    usage: {
      query: (question) => heed("store", () => ledger.query(readQuery(question) as UsageQuestion)),
      entries: (question) => heed("store", () => ledger.entries(readEntries(question) as EntriesQuestion)),
      prune: (question) => heed("store", () => ledger.prune(readPrune(question))),
      standing: (id, kind = "key") => standingOf(ports, records, { id, kind }),
      limited: (keys) => limitedOf(ports, keys.map(limitsOf)),
    },
  };
}

// What is asked is the ledger's own type once it was read: its dimensions are the ledger's to know.
const readQuery = parserOf(UsageQuery);
const readEntries = parserOf(EntriesQuery);
const readPrune = parserOf(PruneQuery);

/** Whose limits are asked for. */
interface Owner {
  readonly id: string;
  readonly kind: "key" | Group;
}

async function standingOf(
  { books, clock }: Ports,
  records: HeededRecords,
  { id, kind }: Owner,
): Promise<readonly LimitStanding[]> {
  const limits = await (kind === "key" ? limitsOfAccess(books, id) : limitsOfGroup(records, { id, kind }));
  if (!limits) throw new GatewayError("not_found", `There is no ${nameKind(kind)} \`${id}\`.`, { param: "id" });
  await untilRecovered(books);
  const now = clock.now();
  const counters = limits.map(({ counter }) => counter);
  return standLimits(limits, await readCounters(books, counters, now), now);
}

/** Until the counters hold what they held before the last stop. */
function untilRecovered({ recovered, patience }: Books): Promise<void> {
  return heed("counters", () => recovered?.(), patience.long);
}

function readCounters({ counters, patience }: Books, names: readonly string[], now: number) {
  return heed("counters", () => counters.read(names, now), patience.long);
}

async function limitsOfAccess({ access: book, patience }: Books, id: string): Promise<readonly Limit[] | undefined> {
  const access = await heed("store", () => book?.ofKey(id), patience.long);
  if (!access) return undefined;
  const all = [...access.entries.flatMap(({ limits }) => limits), ...access.limits];
  return [...new Map(all.map((limit) => [limit.counter, limit])).values()];
}

async function limitsOfGroup(
  records: HeededRecords,
  { id, kind }: { readonly id: string; readonly kind: Group },
): Promise<readonly Limit[] | undefined> {
  const found = await records.get(kind, id);
  return found && listLimits([{ level: kind, owner: id, ...limitedBy(found.record) }]);
}

function limitedBy({ budgets, rate_limits }: Pick<LimitedOwner, "budgets" | "rate_limits">) {
  return { budgets, rate_limits };
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
  await untilRecovered(books);
  const counters = listCounters(keys);
  if (counters.size === 0) return new Set();
  const usedUp = findUsedUp(counters, await readCounters(books, [...counters.keys()], clock.now()));
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
