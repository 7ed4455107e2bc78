import type { NanoDollars } from "../../../engine/metering/money.ts";
import { findPercent, raise, type Uplift } from "../../../engine/metering/uplift.ts";
import { addSums, noSums, type Sums } from "../../../engine/metering/usage/sums.ts";
import { isIdOf } from "../../../engine/policy/ids.ts";
import type {
  Dimension,
  Ledger,
  UsageFilters,
  UsageQuestion,
  UsageRow,
  UsageSums,
} from "../../../engine/ports/ledger.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { upliftsOf } from "../../tariff/tariff.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { refusedOf } from "../costs/spending.ts";
import type { VisibleRequests } from "../requests/visible.ts";

/** What the ledger sums, and what follows from it: `price` is the cost with the uplifts in nano-dollars, `refused` counts the failed requests for which no provider was asked. */
export interface PricedSums extends UsageSums {
  readonly price: number;
  readonly refused: number;
}

/** One group of usage and its sums. */
export interface PricedRow extends PricedSums {
  readonly group: UsageRow["group"];
}

/** Returns the uplifts on what a key costs. */
type UpliftsOfKey = (keyId: string) => readonly Uplift[];

/** Answers questions of usage with prices, restricted to what a caller sees. */
export type PricedUsage = (question: UsageQuestion) => Promise<readonly PricedRow[]>;

/** Opens the usage of one call. Where uplifts differ between keys, the keys that have some are read once. */
export async function openPricedUsage(
  deps: PortalDeps,
  call: PortalCall,
  visible: VisibleRequests,
): Promise<PricedUsage> {
  const { ledger, tariff } = deps;
  const { reseller } = call.caller.scope;
  const ofAll = reseller === undefined ? undefined : upliftsOf(tariff, { reseller });
  const byKey = ofAll ? () => ofAll : await readUplifts(deps);
  const hasUplifts = ofAll ? ofAll.length > 0 : tariff.uplift.size > 0;
  return async ({ group_by = [], ...question }) => {
    const { keyIds } = visible;
    const hidden = keyIds && question.filters?.key_id === undefined ? keyIds : undefined;
    const needsKey = hidden !== undefined || (ofAll === undefined && hasUplifts);
    const dimensions = needsKey ? withDimension(group_by, "key_id") : group_by;
    const isByOwner = !hasUplifts && areOwners([...dimensions, ...filteredDimensions(question.filters)]);
    const asked = isByOwner ? dimensions : withDimension(dimensions, "provider");
    const refused = isByOwner ? await countRefused(ledger, { ...question, group_by: asked }) : refusedOf;
    const rows = await ledger.query({ ...question, group_by: asked });
    const own = hidden ? rows.filter(({ group }) => hidden.has(String(group.key_id))) : rows;
    const priced = own.map((row) => ({ ...row, price: priceOf(row, byKey), refused: refused(row) }));
    return withoutDimensions(
      priced,
      asked.filter((dimension) => !group_by.includes(dimension)),
    );
  };
}

function withDimension(dimensions: readonly Dimension[], added: Dimension): readonly Dimension[] {
  return dimensions.includes(added) ? dimensions : [...dimensions, added];
}

function filteredDimensions(filters: UsageFilters = {}): readonly Dimension[] {
  const names = Object.entries(filters).filter(([, values]) => values !== undefined);
  return names.map(([name]) => name as Dimension);
}

const ownerDimensions: ReadonlySet<Dimension> = new Set(["key_id", "project_id", "customer_id", "day", "month"]);

/** True for dimensions that stores have small sums of, which know no providers. */
function areOwners(dimensions: readonly Dimension[]): boolean {
  return dimensions.every((dimension) => ownerDimensions.has(dimension));
}

/**
 * Counts the refused requests of each group by a question of its own, which reads only the sums of requests without a provider. It is asked
 * before the sums of all, so that these include whatever it counted.
 */
async function countRefused(ledger: Ledger, question: UsageQuestion): Promise<(row: UsageRow) => number> {
  const rows = await ledger.query({ ...question, filters: { ...question.filters, provider: null } });
  const byGroup = new Map(rows.map(({ group, failures }) => [JSON.stringify(group), failures]));
  return ({ group }) => byGroup.get(JSON.stringify(group)) ?? 0;
}

/** Reads the keys of the resellers that have uplifts, deleted ones too. */
async function readUplifts({ tariff, records }: PortalDeps): Promise<UpliftsOfKey> {
  const resellers = new Map<string, string>();
  for (const reseller of tariff.uplift.keys()) {
    const keys = await readAll(records, "key", { reseller });
    const deleted = (await readAll(records, "deleted_name", { reseller })).filter(({ id }) => isIdOf("key", id));
    for (const { id } of [...keys, ...deleted]) resellers.set(id, reseller);
  }
  return (keyId) => upliftsOf(tariff, { reseller: resellers.get(keyId) });
}

function priceOf({ group, cost }: UsageRow, upliftsOfKey: UpliftsOfKey): NanoDollars {
  const { provider, key_id } = group;
  return typeof provider === "string" ? raise(cost, findPercent(upliftsOfKey(String(key_id ?? "")), provider)) : cost;
}

/** Returns the rows without some dimensions, those that are then of one group added up. */
function withoutDimensions(rows: readonly PricedRow[], dimensions: readonly Dimension[]): readonly PricedRow[] {
  const merged = new Map<string, { readonly group: UsageRow["group"]; readonly sums: MutablePricedSums }>();
  for (const { group: full, ...sums } of rows) {
    const group = Object.fromEntries(Object.entries(full).filter(([name]) => !dimensions.includes(name as Dimension)));
    const name = JSON.stringify(group);
    const present = merged.get(name) ?? { group, sums: noPricedSums() };
    addPricedSums(present.sums, sums);
    merged.set(name, present);
  }
  return [...merged.values()].map(({ group, sums }) => ({ group, ...sums }));
}

type MutablePricedSums = Sums & { -readonly [Name in "price" | "refused"]: number };

function noPricedSums(): MutablePricedSums {
  return { ...noSums(), price: 0, refused: 0 };
}

function addPricedSums(sums: MutablePricedSums, more: PricedSums): void {
  addSums(sums, more);
  sums.price += more.price;
  sums.refused += more.refused;
}

/** Returns the sums of all rows. */
export function sumOf(rows: readonly PricedSums[]): MutablePricedSums {
  const sums = noPricedSums();
  for (const row of rows) addPricedSums(sums, row);
  return sums;
}
