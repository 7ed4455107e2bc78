import type { AnswerOf, InputOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { type QueryState, useQuery } from "../../api/query.ts";
import { useTenantSearch } from "../../app/tenant-select.tsx";
import type { TimeRange } from "../../app/time-range.tsx";

type UsageInput = InputOf<Areas["ai"]["usage"]>;

/** Sums of one group and one interval. */
export type UsageRow = AnswerOf<Areas["ai"]["usage"]>[number];

/** What usage is grouped by. */
export type Dimension = NonNullable<UsageInput["group_by"]>[number];

/** The intervals of a chart. */
export type Interval = NonNullable<UsageInput["interval"]>;

interface UsageQuestion {
  readonly range: TimeRange;
  /** As the address of the list of requests has them. */
  readonly filters?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly groupBy?: readonly Dimension[];
  readonly interval?: Interval;
  readonly limit?: number;
  readonly order?: NonNullable<UsageInput["order"]>;
}

/** Reads sums of the gateway's ledger; the page adds nothing up that the gateway can. */
export function useUsage({
  range,
  filters,
  groupBy,
  interval,
  limit,
  order,
}: UsageQuestion): QueryState<readonly UsageRow[]> {
  const { from, to, zone } = range;
  const { customer_id } = useTenantSearch();
  const input: UsageInput = {
    ...(customer_id === undefined ? {} : { customer_id: [customer_id] }),
    ...(filters as Partial<UsageInput>), // seam: the gateway checks what an address holds
    ...{ from, to, timezone: zone },
    ...(groupBy === undefined ? {} : { group_by: [...groupBy] }),
    ...(interval === undefined ? {} : { interval }),
    ...(limit === undefined ? {} : { limit }),
    ...(order === undefined ? {} : { order }),
  };
  return useQuery({ key: ["ai.usage", input], read: (signal) => api.ai.usage(input, signal) });
}

/** The interval that shows a span in some two dozen bars. */
export function intervalOf({ from, to }: Pick<TimeRange, "from" | "to">): Interval {
  const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000;
  return hours <= 49 ? "hour" : hours <= 24 * 95 ? "day" : "month";
}

/** The value of a row's group, as a text. */
export function groupOf(row: UsageRow, dimension: string): string | undefined {
  const value = row.group[dimension];
  return value === null || value === undefined ? undefined : String(value);
}
