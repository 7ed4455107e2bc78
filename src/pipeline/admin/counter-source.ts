import type { ResetDuration } from "../../api/governance.ts";
import type { CounterValue, RebuildSource, Window } from "../../ports/counters.ts";
import type { Ledger, UsageFilters, UsageRow } from "../../ports/ledger.ts";

/** What a counter's name says of it (`nameCounter` of `limit.ts`): `entry/vk_1/openai/cost/1M/calendar`. */
interface NamedCounter {
  readonly level: string;
  readonly owner: string;
  readonly unit: string;
  readonly duration: ResetDuration;
  readonly isCalendar: boolean;
}

function readName(counter: string): NamedCounter {
  const parts = counter.split("/");
  const isCalendar = parts.at(-1) === "calendar";
  const [level = "", ...rest] = isCalendar ? parts.slice(0, -1) : parts;
  const [unit = "", duration = "1d"] = rest.slice(-2);
  return { level, owner: rest.slice(0, -2).join("/"), unit, duration: duration as ResetDuration, isCalendar };
}

/** Steps in which the first use of a window is looked for: to a four-thousandth of its length. */
const steps = 12;

/**
 * What counters hold by the ledger, for a shared store that was lost. A window of the calendar holds what was used since it began. A
 * rolling one began with its first use, which is looked for within its length before the present: what was used since then is never
 * less than what the lost counter held, so that no limit is passed.
 */
export function createCounterSource(ledger: Pick<Ledger, "query">): RebuildSource {
  return (counters) => Promise.all(counters.map(({ counter, opens }) => valueBy(ledger, counter, opens)));
}

async function valueBy(ledger: Pick<Ledger, "query">, counter: string, opens: Window): Promise<CounterValue> {
  const name = readName(counter);
  const span = opens.end - opens.start;
  const from = name.isCalendar ? opens.start : opens.start - span;
  const sum = (start: number, end: number) => usedBetween(ledger, name, { start, end });
  const used = await sum(from, Number.MAX_SAFE_INTEGER);
  if (name.isCalendar || used === 0) return { counter, ...opens, used };
  let [before, after] = [from, opens.start];
  for (let step = 0; step < steps; step++) {
    const middle = Math.floor((before + after) / 2);
    if ((await sum(from, middle)) === 0) before = middle;
    else after = middle;
  }
  return { counter, start: before, end: Math.max(before + span, opens.start + 1), used };
}

async function usedBetween(ledger: Pick<Ledger, "query">, name: NamedCounter, { start, end }: Window): Promise<number> {
  const rows = await ledger.query({ from: start, to: end, group_by: ["provider"], filters: filtersOf(name) });
  const own = name.level === "entry" ? name.owner.slice(name.owner.indexOf("/") + 1) : "*";
  const counted = own === "*" ? rows : rows.filter(({ group }) => group.provider === own);
  return counted.reduce((total, row) => total + amountOf(row, name.unit), 0);
}

function filtersOf({ level, owner }: NamedCounter): UsageFilters {
  if (level === "project") return { project_id: owner };
  if (level === "customer") return { customer_id: owner };
  return { key_id: level === "entry" ? owner.slice(0, owner.indexOf("/")) : owner };
}

function amountOf({ cost, prompt_tokens, completion_tokens, requests }: UsageRow, unit: string): number {
  if (unit === "cost") return cost;
  return unit === "tokens" ? prompt_tokens + completion_tokens : requests;
}
