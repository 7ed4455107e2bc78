import type { VirtualKey } from "../../api/governance.ts";
import { GatewayError } from "../../errors.ts";
import type { KeyRecords } from "../../policy/access.ts";
import { type Limit, type LimitedOwner, listLimits } from "../../policy/limit.ts";
import { forUser } from "../../policy/limit-scope.ts";
import {
  findUsedUp,
  isLimited,
  type KeyLimits,
  type LimitUsage,
  limitsOfKey,
  listCounters,
  usageOfLimits,
} from "../../policy/limit-usage.ts";
import type { Store } from "../../ports/store.ts";
import { callPort, type GuardedRecords, guardRecords } from "../runtime/port-call.ts";
import type { Accounting, Ports } from "../runtime/ports.ts";
import { warnOfPatterns } from "./pattern-warnings.ts";
import { createRegistry, noRecord, type Registry, type RegistryPorts, readDeletedNames } from "./registry.ts";
import { ledgerReports, type UsageReports } from "./usage-reports.ts";

/** The owners of keys, which have limits of their own. */
type OwnerKind = "project" | "customer";

/** Keys, projects, customers and usage as functions. */
export interface Governance extends Registry {
  readonly usage: UsageReports;
}

/** The governance of an engine with a store; without one, asking for it throws `invalid_configuration`. */
export function createGovernance(
  ports: Ports,
  store: Store | undefined,
  { livePorts, ...registry }: Omit<RegistryPorts, "records" | "warnOf"> & { readonly livePorts: () => Ports },
): Governance {
  if (!store) return withoutStore();
  const limitsOf = createLimitUsage();
  const records = guardRecords(store.records, ports.accounting.timeouts.long);
  return {
    ...createRegistry({ ...registry, records, warnOf: (patterns) => warnOfPatterns(livePorts(), patterns) }),
    usage: {
      ...ledgerReports(store),
      deletedNames: () => readDeletedNames(records),
      limits: (id, kind = "key", user = "") => readLimits(ports, records, { id, kind, user }),
      limited: (keys) => limitedOf(ports, keys.map(limitsOf)),
    },
  };
}

/** The owner of the limits in question. */
interface LimitOwner {
  readonly id: string;
  readonly kind: "key" | OwnerKind;
  readonly user: string;
}

async function readLimits(
  { accounting, clock }: Ports,
  records: GuardedRecords,
  { id, kind, user }: LimitOwner,
): Promise<readonly LimitUsage[]> {
  const all = await (kind === "key" ? limitsOfAccess(accounting, id) : limitsOfGroup(records, { id, kind }));
  if (!all) throw noRecord(kind, id);
  const limits = all.map((limit) => (limit.user === "*" ? forUser(limit, user) : limit));
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
  const all = [...access.entries, ...access.tools, access].flatMap(({ limits }) => limits);
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
