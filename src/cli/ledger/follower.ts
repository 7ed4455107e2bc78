import type { UsageReportEntry } from "../../engine/metering/usage/report.ts";
import type { StoreFunctions } from "../../server/store/with-store.ts";

/** What was printed: ids of requests, and when each was, in milliseconds since the epoch; the newest last. */
export type Printed = ReadonlyMap<string, number>;

/** Reads the requests of a ledger that were not printed yet. */
export interface LedgerFollower {
  /** Those that are new, in the order in which they came into the ledger. */
  poll(now: number): Promise<readonly UsageReportEntry[]>;
  readonly printed: Printed;
}

/** Where a follower begins. */
interface FollowerStart {
  readonly usage: Pick<StoreFunctions["usage"], "entries">;
  /** What an earlier one printed; `undefined` begins with what comes from now on. */
  readonly printed?: Printed | undefined;
  /** Begins with the requests from this instant on, where nothing was printed. */
  readonly since?: number | undefined;
}

const pageSize = 1_000;
/** Requests that are remembered as printed. */
const mostPrinted = 50_000;
/**
 * Milliseconds for which the ledger is read past what was printed: processes write side by side, and a row may become visible behind one
 * with a later place.
 */
const graceMs = 10_000;
/** A request that began longer ago than this is not looked for. */
const reachMs = 86_400_000;

/** Opens a follower. */
export function createFollower({ usage, printed: known, since }: FollowerStart): LedgerFollower {
  const printed = new Map(known);
  let polledAt = [...(known?.values() ?? [])].at(-1) ?? Number.NEGATIVE_INFINITY;
  let isBegun = known !== undefined || since !== undefined;
  const floorOf = (now: number) => Math.max(known === undefined ? (since ?? 0) : 0, now - reachMs);
  return {
    printed,
    async poll(now) {
      const fresh: UsageReportEntry[] = [];
      for await (const entry of newestFirst(usage, floorOf(now))) {
        const printedAt = printed.get(entry.id);
        if (printedAt === undefined) fresh.push(entry);
        else if (polledAt - printedAt >= graceMs) break; // what came late behind it was found by then
        if (!isBegun && fresh.length === pageSize) break;
      }
      fresh.reverse();
      for (const { id } of fresh) printed.set(id, isBegun ? now : 0);
      for (const id of printed.keys()) {
        if (printed.size <= mostPrinted) break;
        printed.delete(id);
      }
      polledAt = now;
      const isFirst = !isBegun;
      isBegun = true;
      return isFirst ? [] : fresh;
    },
  };
}

async function* newestFirst(usage: FollowerStart["usage"], from: number): AsyncGenerator<UsageReportEntry> {
  let after: string | undefined;
  do {
    const page = await usage.entries({ from, limit: pageSize, ...(after === undefined ? {} : { after }) });
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
}
