import { toDollars } from "../../../engine/metering/money.ts";
import { present } from "../../../engine/policy/drafts.ts";
import type { Clock } from "../../../engine/ports/clock.ts";
import type { Ledger, LedgerEntry } from "../../../engine/ports/ledger.ts";
import { type BoundedCache, createBoundedCache } from "../../../engine/runtime/bounded-cache.ts";

/** Milliseconds from the end of one look at the ledger to the next. */
const lookEveryMs = 1_000;

/** Entries of one page, pages of one look, and entries that are remembered as seen. */
const [pageSize, mostPages, mostSeen] = [100, 3, 5_000];

/** What is followed, and for whom. */
interface LedgerTail {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** True for a request of this process: it is known from the engine's own events. */
  isOwn(eventId: string): boolean;
  /** Receives the requests that other processes over the same ledger have settled, oldest first. */
  onSettled(entry: LedgerEntry): void;
}

/**
 * Follows the ledger from now on until the returned function is called; of more than 300 requests in one look, the newest. An entry is
 * passed on at the second look that finds it: by then this process knows its own. A look that fails is made again.
 */
export function followLedger({ ledger, clock, isOwn, onSettled }: LedgerTail): () => void {
  const seen = createBoundedCache<true>(mostSeen);
  let waiting: readonly LedgerEntry[] | undefined; // undefined until the first look: what it finds is not new
  let isEnded = false;
  let cancel = () => {};
  const look = async () => {
    const fresh = await readNewest(ledger, waiting === undefined ? undefined : seen);
    if (isEnded) return;
    for (const { id } of fresh) seen.set(id, true);
    for (const entry of waiting ?? []) if (!isOwn(entry.id)) onSettled(entry);
    waiting = waiting === undefined ? [] : fresh;
  };
  const tick = () => {
    look()
      .catch(() => {}) // the store is away: the next look may find it
      .finally(() => {
        if (!isEnded) cancel = clock.after(lookEveryMs, tick);
      });
  };
  tick();
  return () => {
    isEnded = true;
    cancel();
  };
}

/** Returns the newest entries that were not seen, oldest first; one page of them where nothing was seen yet. */
async function readNewest(ledger: Ledger, seen: BoundedCache<true> | undefined): Promise<LedgerEntry[]> {
  const fresh: LedgerEntry[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await ledger.entries({ limit: pageSize, ...present({ after }) });
    const unseen = page.entries.filter(({ id }) => seen?.has(id) !== true);
    fresh.push(...unseen);
    after = page.next;
    if (after === undefined || seen === undefined || unseen.length < page.entries.length) break;
  }
  return fresh.reverse();
}

/** Returns the fields of the event `settled` that an entry of the ledger has. */
export function toSettled(entry: LedgerEntry): object {
  const { id, request_type, model_requested, status, reason, latency, time_to_first_token, key_id, cache } = entry;
  const target = status < 400 && cache === undefined ? entry.attempts.at(-1)?.model : undefined;
  const cost = entry.attempts.reduce((sum, attempt) => sum + attempt.cost, 0);
  return {
    ...{ event_id: id, request_type, model_requested, status, reason, latency },
    ...present({ target, time_to_first_token, key_id, cache }),
    ...(cost === 0 ? {} : { cost: toDollars(cost) }),
  };
}
