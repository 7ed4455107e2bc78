import type { AiKeyCost } from "../../../operations/portal/resources/ai.ts";
import type { Ledger, UsageFilters, UsageRow } from "../../../ports/ledger.ts";
import { add, type NanoDollars, toDollars } from "../../../usage/money.ts";
import { findPercent, raise, type Uplift } from "../../../usage/uplift.ts";
import type { Period } from "./period.ts";

/** What somebody has used of one model: money in US dollars, to the nano-dollar; `price` is the cost with the uplift. */
interface ModelUsage {
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost: number;
  readonly price: number;
}

/** What a key or a project has cost in a period. */
export type Spent = Omit<AiKeyCost, "key_price"> & { readonly usage: Readonly<Record<string, ModelUsage>> };

/** Whose cost in which period. */
export interface SpentQuestion {
  readonly period: Period;
  readonly filters: UsageFilters;
  readonly uplifts: readonly Uplift[];
}

/**
 * What was spent, by model. The price is rounded for each key and model by itself, so that the prices of models add up to the total,
 * and those of a project's keys to the project's, to the nano-dollar. Requests that nobody was asked for cost nothing and are left out.
 */
export async function readSpent(ledger: Ledger, { period, filters, uplifts }: SpentQuestion): Promise<Spent> {
  const rows = await ledger.query({ ...period, group_by: ["key_id", "provider", "model"], filters });
  const models = new Map<string, Sums>();
  for (const row of rows) {
    const { model, provider } = row.group;
    if (typeof model === "string") addRow(models, model, { row, percent: findPercent(uplifts, String(provider)) });
  }
  const all = [...models.values()];
  const sum = (field: keyof Sums) => all.reduce((total, sums) => add(total, sums[field]), 0);
  return {
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    price: toDollars(sum("price")),
    tokens: sum("prompt_tokens") + sum("completion_tokens"),
    usage: Object.fromEntries([...models].map(([model, sums]) => [model, show(sums)])),
  };
}

/** Sums of one model in nano-dollars. */
interface Sums {
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost: NanoDollars;
  readonly price: NanoDollars;
}

const nothing: Sums = { requests: 0, prompt_tokens: 0, completion_tokens: 0, cost: 0, price: 0 };

interface Priced {
  readonly row: UsageRow;
  readonly percent: number;
}

function addRow(models: Map<string, Sums>, model: string, { row, percent }: Priced): void {
  const before = models.get(model) ?? nothing;
  models.set(model, {
    requests: before.requests + row.requests,
    prompt_tokens: before.prompt_tokens + row.prompt_tokens,
    completion_tokens: before.completion_tokens + row.completion_tokens,
    cost: add(before.cost, row.cost),
    price: add(before.price, raise(row.cost, percent)),
  });
}

function show({ cost, price, ...counts }: Sums): ModelUsage {
  return { ...counts, cost: toDollars(cost), price: toDollars(price) };
}

/** What lists say of the use of a key or a project; cost in US dollars. */
export interface TokensUsage {
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cost: number;
}

const unused: TokensUsage = { requests: 0, prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0 };

/** More owners than this are not named one by one to the ledger: everybody's sums are read, and theirs picked. */
const mostNamed = 500;

/** What each of some keys or projects has used in a period; one that used nothing has zeros. */
export async function readUsage(
  ledger: Ledger,
  {
    dimension,
    ids,
    period,
  }: { readonly dimension: "key_id" | "project_id"; readonly ids: readonly string[]; readonly period: Period },
): Promise<(id: string) => TokensUsage> {
  const filters = ids.length > mostNamed ? {} : { [dimension]: ids };
  const rows = ids.length === 0 ? [] : await ledger.query({ ...period, group_by: [dimension], filters });
  const used = new Map(rows.map((row) => [row.group[dimension], row]));
  return (id) => {
    const row = used.get(id);
    if (!row) return unused;
    const { requests, prompt_tokens, completion_tokens, cost } = row;
    const total_tokens = prompt_tokens + completion_tokens;
    return { requests, prompt_tokens, completion_tokens, total_tokens, cost: toDollars(cost) };
  };
}
