import { listModelPrices, type ModelPriceFilter } from "../../portal/ai/costs/model-prices.ts";
import { pageOf } from "../../portal/run/paging.ts";
import { openOwnPrices } from "../../server/store/open.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";

/** Which models, in which order, and how many: as `GET /ai/prices/models` of the portal takes it. */
interface PriceListQuery extends ModelPriceFilter {
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly config: string | undefined;
  readonly isJson: boolean;
}

/** Prints one page of the models with their prices; resolves with the exit code. */
export async function listPrices({ config, isJson, ...query }: PriceListQuery, terminal: Terminal): Promise<number> {
  const prices = await openOwnPrices(terminal, config);
  const { search, sort, limit = 100, after, ...filter } = query;
  let next: string | undefined;
  const page = pageOf(listModelPrices(prices, filter, terminal.now()), { search, sort, limit, after }, (cursor) => {
    next = cursor;
  }) as ReturnType<typeof listModelPrices>;
  const rows = page.map(({ id, mode = "", input_cost_per_token, output_cost_per_token }) => {
    return [id, mode, perMillion(input_cost_per_token), perMillion(output_cost_per_token)];
  });
  const head = ["MODEL", "MODE", "INPUT $/1M", "OUTPUT $/1M"];
  const table = rows.length === 0 ? "No such model.\n" : alignColumns([head, ...rows]);
  terminal.out(isJson ? `${JSON.stringify(page, null, 2)}\n` : table);
  if (next !== undefined) terminal.err(`tollgate: There are more; go on with --after ${next}\n`);
  return 0;
}

/** A rate for a million tokens; `-` where the model is not sold so. */
function perMillion(rate: number | undefined): string {
  return rate === undefined ? "-" : String(Number((rate * 1_000_000).toFixed(6)));
}
