import { add, type NanoDollars, toDollars } from "../../../engine/metering/money.ts";
import { findPercent, raise, type Uplift } from "../../../engine/metering/uplift.ts";
import type { Ledger, UsageFilters, UsageRow } from "../../../engine/ports/ledger.ts";
import type { AiKeyCost } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { Period } from "./period.ts";

/** The usage of one model. Money is in US dollars, to the nano-dollar; `price` is the cost with the uplift. */
export interface ModelUsage {
  readonly requests: number;
  readonly refused: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost: number;
  readonly price: number;
}

/** The cost of a key or a project in a period. */
export type Spending = Omit<AiKeyCost, "key_price"> & { readonly usage: Readonly<Record<string, ModelUsage>> };

/** The period, the owner and its uplifts. */
export interface SpentQuestion {
  readonly period: Period;
  readonly filters: UsageFilters;
  readonly uplifts: readonly Uplift[];
}

/**
 * Returns the spending by model. The price is rounded for each key and model separately, so that the prices of models add up to the
 * total, and those of a project's keys to the project's, to the nano-dollar. Omits requests that reached no provider: they cost nothing.
 */
export async function readSpent(ledger: Ledger, { period, filters, uplifts }: SpentQuestion): Promise<Spending> {
  const rows = await ledger.query({ ...period, group_by: ["key_id", "provider", "model"], filters });
  const models = new Map<string, ModelSums>();
  for (const row of rows) {
    const { model, provider } = row.group;
    if (typeof model === "string") addRow(models, model, { row, percent: findPercent(uplifts, String(provider)) });
  }
  const all = [...models.values()];
  const sum = (field: keyof ModelSums) => all.reduce((total, sums) => add(total, sums[field]), 0);
  return {
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    price: toDollars(sum("price")),
    tokens: sum("prompt_tokens") + sum("completion_tokens"),
    usage: Object.fromEntries([...models].map(([model, sums]) => [model, show(sums)])),
  };
}

/** Sums of one model in nano-dollars. */
interface ModelSums {
  readonly requests: number;
  readonly refused: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost: NanoDollars;
  readonly price: NanoDollars;
}

const nothing: ModelSums = { requests: 0, refused: 0, prompt_tokens: 0, completion_tokens: 0, cost: 0, price: 0 };

interface Priced {
  readonly row: UsageRow;
  readonly percent: number;
}

function addRow(models: Map<string, ModelSums>, model: string, { row, percent }: Priced): void {
  const before = models.get(model) ?? nothing;
  models.set(model, {
    requests: before.requests + row.requests,
    refused: before.refused + refusedOf(row),
    prompt_tokens: before.prompt_tokens + row.prompt_tokens,
    completion_tokens: before.completion_tokens + row.completion_tokens,
    cost: add(before.cost, row.cost),
    price: add(before.price, raise(row.cost, percent)),
  });
}

/** Returns how many requests of a row that is grouped by provider were refused: under no provider are those for which none was asked. */
export function refusedOf({ group, failures }: UsageRow): number {
  return group.provider === null ? failures : 0;
}

function show({ cost, price, ...counts }: ModelSums): ModelUsage {
  return { ...counts, cost: toDollars(cost), price: toDollars(price) };
}

/** The usage of a key or a project as lists show it; cost in US dollars. */
export interface TokensUsage {
  readonly requests: number;
  readonly refused: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cost: number;
}

const unused: TokensUsage = {
  requests: 0,
  refused: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cost: 0,
};

/** With more owners than this, one query reads the sums of all owners instead of naming each one. */
const mostNamed = 500;

/** Returns the usage of each key or project in a period; zeros for one without usage. */
export async function readUsage(
  ledger: Ledger,
  {
    dimension,
    ids,
    period,
  }: { readonly dimension: "key_id" | "project_id"; readonly ids: readonly string[]; readonly period: Period },
): Promise<(id: string) => TokensUsage> {
  const filters = ids.length > mostNamed ? {} : { [dimension]: ids };
  const rows = ids.length === 0 ? [] : await ledger.query({ ...period, group_by: [dimension, "provider"], filters });
  const used = new Map<unknown, TokensUsage>();
  for (const row of rows) used.set(row.group[dimension], addUsage(used.get(row.group[dimension]) ?? unused, row));
  return (id) => {
    const sums = used.get(id);
    return sums ? { ...sums, cost: toDollars(sums.cost) } : unused;
  };
}

/** Adds a row of the ledger; the cost is in nano-dollars as long as it is added to. */
function addUsage(before: TokensUsage, row: UsageRow): TokensUsage {
  const prompt_tokens = before.prompt_tokens + row.prompt_tokens;
  const completion_tokens = before.completion_tokens + row.completion_tokens;
  return {
    requests: before.requests + row.requests,
    refused: before.refused + refusedOf(row),
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    cost: add(before.cost, row.cost),
  };
}
