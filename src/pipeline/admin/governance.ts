import type { VirtualKey } from "../../api/governance.ts";
import { EntriesQuery, PruneQuery, UsageQuery } from "../../api/usage-question.ts";
import { GatewayError } from "../../errors.ts";
import type { KeyRecords } from "../../policy/access.ts";
import { type Limit, type LimitedOwner, listLimits } from "../../policy/limit.ts";
import {
  findUsedUp,
  isLimited,
  type KeyLimits,
  type LimitUsage,
  limitsOfKey,
  listCounters,
  usageOfLimits,
} from "../../policy/limit-usage.ts";
import type { EntriesPage, EntriesQuestion, UsageQuestion, UsageRow } from "../../ports/ledger.ts";
import type { Store } from "../../ports/store.ts";
import { parserOf } from "../call/parse.ts";
import { callPort, type GuardedRecords, guardRecords } from "../runtime/port-call.ts";
import type { Accounting, Ports } from "../runtime/ports.ts";
import { createRegistry, nameKind, type Registry, type RegistryPorts } from "./registry.ts";

/** The owners of keys, which have limits of their own. */
type OwnerKind = "project" | "customer";

/** What was used and what it cost. An invalid question is refused with `invalid_request`. */
export interface UsageReports {
  /** Sums by group. Money in nano-dollars. */
  query(question: UsageQuestion): Promise<readonly UsageRow[]>;
  /** Single requests with their line items, newest first, to explain a bill. */
  entries(question: EntriesQuestion): Promise<EntriesPage>;
  /** Forgets entries older than `before` (milliseconds since the epoch) and resolves to how many; the sums stay unless `sums` is true. */
  prune(question: { readonly before: number; readonly sums?: boolean | undefined }): Promise<number>;
  /** How every limit of a key stands, those of its entries, project and customer among them; or those of a project or a customer. */
  limits(id: string, kind?: "key" | OwnerKind): Promise<readonly LimitUsage[]>;
  /** The ids of the exhausted keys: a limit of the key, its project or its customer is used up, or one of each entry. */
  limited(keys: readonly KeyRecords[]): Promise<ReadonlySet<string>>;
}

/** Keys, projects, customers and usage as functions. */
export interface Governance extends Registry {
  readonly usage: UsageReports;
}

/** The governance of an engine with a store; without one, asking for it throws `invalid_configuration`. */
export function createGovernance(
  ports: Ports,
  store: Store | undefined,
  registry: Omit<RegistryPorts, "records">,
): Governance {
  if (!store) return withoutStore();
  const { ledger } = store;
  const limitsOf = createLimitUsage();
  const records = guardRecords(store.records, ports.accounting.timeouts.long);
  return {
    ...createRegistry({ ...registry, records }),
    usage: {
      query: (question) => callPort("store", () => ledger.query(readQuery(question) as UsageQuestion)),
      entries: (question) => callPort("store", () => ledger.entries(readEntries(question) as EntriesQuestion)),
      prune: (question) => callPort("store", () => ledger.prune(readPrune(question))),
      limits: (id, kind = "key") => readLimits(ports, records, { id, kind }),
      limited: (keys) => limitedOf(ports, keys.map(limitsOf)),
    },
  };
}

// A parsed question has the ledger's own type: its dimensions are the ledger's to know.
const readQuery = parserOf(UsageQuery);
const readEntries = parserOf(EntriesQuery);
const readPrune = parserOf(PruneQuery);

/** The owner of the limits in question. */
interface LimitOwner {
  readonly id: string;
  readonly kind: "key" | OwnerKind;
}

async function readLimits(
  { accounting, clock }: Ports,
  records: GuardedRecords,
  { id, kind }: LimitOwner,
): Promise<readonly LimitUsage[]> {
  const limits = await (kind === "key" ? limitsOfAccess(accounting, id) : limitsOfGroup(records, { id, kind }));
  if (!limits) throw new GatewayError("not_found", `There is no ${nameKind(kind)} \`${id}\`.`, { param: "id" });
  await untilRecovered(accounting);
  const now = clock.now();
  const counters = limits.map(({ counter }) => counter);
  return usageOfLimits(limits, await readCounters(accounting, counters, now), now);
}

/** Waits until the counters hold what they held before the last stop. */
function untilRecovered({ recovered, timeouts }: Accounting): Promise<void> {
  return callPort("counters", () => recovered?.(), timeouts.long);
}

function readCounters({ counters, timeouts }: Accounting, names: readonly string[], now: number) {
  return callPort("counters", () => counters.read(names, now), timeouts.long);
}

async function limitsOfAccess(
  { keys: cache, timeouts }: Accounting,
  id: string,
): Promise<readonly Limit[] | undefined> {
  const access = await callPort("store", () => cache?.ofKey(id), timeouts.long);
  if (!access) return undefined;
  const all = [...access.entries.flatMap(({ limits }) => limits), ...access.limits];
  return [...new Map(all.map((limit) => [limit.counter, limit])).values()];
}

async function limitsOfGroup(
  records: GuardedRecords,
  { id, kind }: { readonly id: string; readonly kind: OwnerKind },
): Promise<readonly Limit[] | undefined> {
  const found = await records.get(kind, id);
  return found && listLimits([{ level: kind, owner: id, ...limitedBy(found.record) }]);
}

function limitedBy({ budgets, rate_limits }: Pick<LimitedOwner, "budgets" | "rate_limits">) {
  return { budgets, rate_limits };
}

type LimitsOf = (records: KeyRecords) => KeyLimits;

/** Limits of keys, made once as long as neither the key nor its owners change. */
function createLimitUsage(): LimitsOf {
  const made = new WeakMap<VirtualKey, KeyRecords & { readonly limits: KeyLimits }>();
  return ({ key, project, customer }) => {
    const known = made.get(key);
    if (known && known.project === project && known.customer === customer) return known.limits;
    const limits = limitsOfKey({ key, project, customer });
    made.set(key, { key, project, customer, limits });
    return limits;
  };
}

async function limitedOf({ accounting, clock }: Ports, keys: readonly KeyLimits[]): Promise<ReadonlySet<string>> {
  await untilRecovered(accounting);
  const counters = listCounters(keys);
  if (counters.size === 0) return new Set();
  const usedUp = findUsedUp(counters, await readCounters(accounting, [...counters.keys()], clock.now()));
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
