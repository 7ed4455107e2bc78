import type { Standing } from "../ports/counters.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import { type Access, entryFor } from "./access.ts";
import type { Limit } from "./limit.ts";
import { countTarget, isCounted, type RealAmounts } from "./reservation.ts";
import { openWindow } from "./window.ts";

/** What counters held, and what was billed since. */
export interface ReplayQuestion {
  readonly standings: readonly Standing[];
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[];
  /** What a key gives access to; of a key that is gone the limits above it; `undefined` where no limit waits for its bills. */
  readonly accessOf: (keyId: string) => Access | undefined;
}

/**
 * What counters hold after a restart: the standings that were written last, and what the ledger holds beyond them, charged as it
 * was when it happened: each attempt into the window that was open when it was reserved, windows opened by first use.
 */
export function replayStandings({ standings, entries, accessOf }: ReplayQuestion): readonly Standing[] {
  const counts = new Map(standings.map((standing) => [standing.counter, standing]));
  for (const entry of entries) {
    const access = entry.key_id === undefined ? undefined : accessOf(entry.key_id);
    if (access) replayEntry(counts, access, entry);
  }
  return [...counts.values()];
}

function replayEntry(counts: Map<string, Standing>, access: Access, { at, attempts, cache }: LedgerEntry): void {
  const asked: string[] = [];
  for (const { at, provider, cost, prompt_tokens, completion_tokens } of attempts) {
    const amounts = { requests: 1, tokens: prompt_tokens + completion_tokens, cost };
    const counting = countTarget(provider, asked);
    for (const limit of entryFor(access, provider)?.limits ?? access.limits) {
      if (isCounted(limit, counting)) charge(counts, limit, { at, amounts });
    }
    asked.push(provider);
  }
  if (cache === undefined || asked.length > 0) return;
  for (const limit of access.limits) charge(counts, limit, { at, amounts: { requests: 1, tokens: 0, cost: 0 } });
}

/** An amount per unit and when it was reserved. */
interface Charge {
  readonly at: number;
  readonly amounts: RealAmounts;
}

function charge(counts: Map<string, Standing>, limit: Limit, { at, amounts }: Charge): void {
  const { counter, unit, duration, isCalendar } = limit;
  const amount = amounts[unit];
  const count = counts.get(counter);
  if (count && at < count.start) return; // its window is over
  if (count && at < count.end) counts.set(counter, { ...count, used: count.used + amount });
  else counts.set(counter, { counter, used: amount, ...openWindow(at, duration, isCalendar) });
}
