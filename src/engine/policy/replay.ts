import type { CounterValue } from "../ports/counters.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import { parseModelName, splitModelName } from "../routing/model-name.ts";
import { entryFor, entryName, type KeyPermissions } from "./access.ts";
import { type Limit, openLimitWindow } from "./limit.ts";
import { selectLimits } from "./limit-scope.ts";
import { countTarget, isCounted } from "./limits-reservation.ts";

/** What counters held, and what was billed since. */
export interface ReplayQuestion {
  readonly counterValues: readonly CounterValue[];
  /** In any order. */
  readonly entries: readonly LedgerEntry[];
  /** What an entry was charged to: the limits of its key and of whom that belonged to then; `undefined` where no limit waits for its bills. */
  readonly accessOf: (entry: LedgerEntry) => KeyPermissions | undefined;
}

/**
 * What counters hold after a restart: the standings that were written last, and what the ledger holds beyond them, charged as it
 * was when it happened: each attempt into the window that was open when it was reserved, windows opened by first use. Entries come
 * in the order in which requests ended; windows were opened in the order in which attempts were reserved, so it goes by that.
 */
export function replayCounterValues({ counterValues, entries, accessOf }: ReplayQuestion): readonly CounterValue[] {
  const counts = new Map(counterValues.map((counterValue) => [counterValue.counter, counterValue]));
  const charges: ReplayedCharge[] = [];
  for (const entry of entries) {
    const access = accessOf(entry);
    if (access) charges.push(...chargesOf(access, entry));
  }
  charges.sort((one, other) => one.at - other.at);
  for (const each of charges) charge(counts, each);
  return [...counts.values()];
}

/** What one limit was charged, and when it was reserved. */
interface ReplayedCharge {
  readonly limit: Limit;
  readonly at: number;
  readonly amount: number;
}

/**
 * A hit counts as a request to whom the caller asked for: no line of the entry names the target whose answer it was. Where a rule or a
 * refusal chose another, its entry is missed; a model without a provider counts above the entries only, unless one is for all.
 */
function chargesOf(
  access: KeyPermissions,
  { at, attempts, cache, model_requested, user }: LedgerEntry,
): readonly ReplayedCharge[] {
  const charges: ReplayedCharge[] = [];
  const requested: string[] = [];
  const reserved = attempts.toSorted((one, other) => one.at - other.at); // of two asked at once the second may have ended first
  for (const { at, provider, model, cost, prompt_tokens, completion_tokens } of reserved) {
    const amounts = { requests: 1, tokens: prompt_tokens + completion_tokens, cost };
    const entry = entryName(access, provider);
    const counting = countTarget(entry, requested);
    const limits = entryFor(access, provider)?.limits ?? access.limits;
    for (const limit of selectLimits(limits, { model: splitModelName(model), user })) {
      if (isCounted(limit, counting)) charges.push({ limit, at, amount: amounts[limit.unit] });
    }
    requested.push(entry);
  }
  if (cache === undefined) return charges;
  const provider = parseModelName(model_requested)?.provider ?? "";
  const counting = countTarget(entryName(access, provider), requested);
  const limits = entryFor(access, provider)?.limits ?? access.limits;
  for (const limit of selectLimits(limits, { model: splitModelName(model_requested), user })) {
    if (isCounted(limit, counting)) charges.push({ limit, at, amount: limit.unit === "requests" ? 1 : 0 });
  }
  return charges;
}

/**
 * A charge from before a window that was written is taken for one of the window before, which is over: its call outlasted that
 * window and the writing. Had the clock been set back, it would be of this one; nothing that is written tells the two apart.
 */
function charge(counts: Map<string, CounterValue>, { limit, at, amount }: ReplayedCharge): void {
  const { counter, since = 0 } = limit;
  if (at < since) return;
  const count = counts.get(counter);
  if (count && at < count.start) return;
  if (count && at < count.end) counts.set(counter, { ...count, used: count.used + amount });
  else counts.set(counter, { counter, used: amount, ...openLimitWindow(limit, at) });
}
