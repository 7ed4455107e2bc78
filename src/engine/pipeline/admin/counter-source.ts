import { type NamedCounter, readCounterName } from "../../policy/counter-name.ts";
import { testModels } from "../../policy/model-pattern.ts";
import type { CounterValue, RebuildSource, Window } from "../../ports/counters.ts";
import type { Ledger, UsageFilters, UsageRow } from "../../ports/ledger.ts";
import type { Identify } from "../../routing/model-identity.ts";
import { splitModelName } from "../../routing/model-name.ts";

/** Steps in which the first use of a window is looked for: to a four-thousandth of its length. */
const steps = 12;

/** What is read of a ledger. */
type ReadLedger = Pick<Ledger, "query" | "entries">;

interface SourceContext {
  readonly ledger: ReadLedger;
  readonly identify: Identify;
}

/**
 * What counters hold by the ledger, for a shared store that was lost. A window of the calendar holds what was used since it began. A
 * rolling one began with its first use, which is looked for within its length before the present: what was used since then is never
 * less than what the lost counter held, so that no limit is passed.
 */
export function createCounterSource(ledger: ReadLedger, identify: Identify): RebuildSource {
  const context = { ledger, identify };
  return {
    valuesOf: (counters) => Promise.all(counters.map(({ counter, opens }) => valueBy(context, counter, opens))),
    hasEntries: async () => (await ledger.entries({ limit: 1 })).entries.length > 0,
  };
}

async function valueBy(context: SourceContext, counter: string, opens: Window): Promise<CounterValue> {
  const name = readCounterName(counter);
  const span = opens.end - opens.start;
  const isFixed = name.isCalendar || name.duration === "never";
  const from = Math.max(isFixed ? opens.start : opens.start - span, name.since ?? 0);
  const sum = (start: number, end: number) => usedBetween(context, name, { start, end });
  const used = await sum(from, Number.MAX_SAFE_INTEGER);
  if (isFixed || used === 0) return { counter, ...opens, used };
  let [before, after] = [from, opens.start];
  for (let step = 0; step < steps; step++) {
    const middle = Math.floor((before + after) / 2);
    if ((await sum(from, middle)) === 0) before = middle;
    else after = middle;
  }
  return { counter, start: before, end: Math.max(before + span, opens.start + 1), used };
}

async function usedBetween(
  { ledger, identify }: SourceContext,
  name: NamedCounter,
  { start, end }: Window,
): Promise<number> {
  const { models } = name;
  const group_by = models ? (["provider", "model"] as const) : (["provider"] as const);
  const rows = await ledger.query({ from: start, to: end, group_by, filters: filtersOf(name) });
  const own = name.level === "entry" ? name.owner.slice(name.owner.indexOf("/") + 1) : "*";
  const isMeant = models && testModels(models, [], identify);
  const counted = rows.filter(
    ({ group }) =>
      (own === "*" || group.provider === own) &&
      (!isMeant || (typeof group.model === "string" && isMeant(splitModelName(group.model)))),
  );
  return counted.reduce((total, row) => total + amountOf(row, name.unit), 0);
}

function filtersOf({ level, owner, user }: NamedCounter): UsageFilters {
  const ofUser = user === undefined ? {} : { user: user === "" ? null : user };
  if (level === "project") return { project_id: owner, ...ofUser };
  if (level === "customer") return { customer_id: owner, ...ofUser };
  return { key_id: level === "entry" ? owner.slice(0, owner.indexOf("/")) : owner, ...ofUser };
}

function amountOf({ cost, prompt_tokens, completion_tokens, requests }: UsageRow, unit: string): number {
  if (unit === "cost") return cost;
  return unit === "tokens" ? prompt_tokens + completion_tokens : requests;
}
