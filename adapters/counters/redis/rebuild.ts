import type { CounterReservation, Hold, RebuildSource } from "../../../src/engine/ports/counters.ts";
import type { TimeSource } from "./clock.ts";
import { adoptScript, beginningScript, registeringScript, seedScript } from "./scripts.ts";

/** A ticket with what ends it. */
export interface RedisReservation extends CounterReservation {
  readonly holds: readonly Hold[];
  /** The windows that it is counted in now: others than at first once the store was lost. */
  windows: readonly { readonly start: number; readonly end: number }[];
}

/** The scripts that rebuild a store, and where the ledger's sums come from. */
export interface RebuildTools {
  readonly source: RebuildSource;
  /** Runs a script over keys; the arguments are preceded by the time and whose it is. */
  readonly run: (script: typeof seedScript, keys: string[], parts: readonly (string | number)[]) => Promise<unknown>;
  readonly keysOf: (counters: readonly string[]) => string[];
  /** Tests with a clock of their own never wait for it. */
  readonly time: TimeSource;
  readonly reservationKeys: (id: string, holds: readonly Hold[]) => string[];
  readonly lapseOf: (hold: Hold, expiresAt: number) => number;
  readonly beginningKey: string;
  readonly graceMs: number;
}

/** What a process knows of the store that it counts in, and what it has under way there. */
export interface Rebuilding {
  /** The beginning that is known; empty before the first. */
  known: string;
  readonly open: Map<string, RedisReservation>;
  /** Whether a store that is found empty was counted in before: `undefined` where the ledger has not been asked. */
  wasUsed(): boolean | undefined;
  /** Asks the ledger that. */
  askLedger(): Promise<void>;
  /** Sets counters that are not there to what the ledger says. */
  seed(holds: readonly Pick<Hold, "counter" | "opens">[]): Promise<void>;
  /** Takes a new beginning in: registers what is under way, once all have had the time to write what they had spent. */
  begin(id: string, waitMs: number, isLost: boolean): Promise<void>;
  /** Looks for a new beginning, and takes it in. */
  look(): Promise<void>;
  /**
   * What becomes of a ticket that is not there: `ended` by this process before; `ledger`: it was lost with the store, and what it spent,
   * since `sinceMs` milliseconds, is in the ledger before that is read; `again`: it is registered again, and is to be ended again.
   */
  missing(id: string, sinceMs: number): Promise<"ended" | "ledger" | "again">;
}

/** Milliseconds after a new beginning in which all write to the ledger what they had spent; as the scripts have it. */
const settleMs = 2_000;
/** Milliseconds after a new beginning until which the end of a call is left to the ledger: its row is there when that is read. */
const ledgerMs = 1_500;

/** Waits; a process need not stay for it. */
export const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** The rebuilding of counters in a Redis server that was lost. */
export function createRebuilding(tools: RebuildTools): Rebuilding {
  let beginning: Promise<void> | undefined;
  let hasEntries = tools.time === "caller" ? false : undefined;
  const takeIn = async (id: string, waitMs: number, isLost: boolean) => {
    const isRegistering = rebuilding.known !== "" && rebuilding.open.size > 0;
    if (isRegistering) await register(tools, id, 1);
    try {
      if (isLost && waitMs > 0) await pause(waitMs);
      if (rebuilding.known !== "") await adoptAll(tools, id, [...rebuilding.open.values()]);
    } finally {
      if (isRegistering) await register(tools, id, -1);
    }
    rebuilding.known = id;
  };
  const rebuilding: Rebuilding = {
    known: "",
    open: new Map(),
    wasUsed: () => rebuilding.known !== "" || hasEntries,
    async askLedger() {
      hasEntries = await tools.source.hasEntries();
    },
    seed: (holds) => seed(tools, rebuilding.known, holds),
    begin(id, waitMs, isLost) {
      beginning ??= takeIn(id, waitMs, isLost).finally(() => {
        beginning = undefined;
      });
      return beginning;
    },
    async look() {
      const { id, age } = await readBeginning(tools);
      if (id === "" || id === rebuilding.known || rebuilding.known === "") return;
      await rebuilding.begin(id, Math.max(0, settleMs - age), true);
    },
    async missing(reservationId, sinceMs) {
      if (!rebuilding.open.has(reservationId)) return "ended";
      const { id, age } = await readBeginning(tools);
      if (id === rebuilding.known) return "ended";
      if (id === "" || age - sinceMs < ledgerMs) return "ledger";
      await rebuilding.begin(id, Math.max(0, settleMs - age), true);
      return "again";
    },
  };
  return rebuilding;
}

/** `id` is the beginning that was known before the ledger is read. */
async function seed(tools: RebuildTools, id: string, holds: readonly Pick<Hold, "counter" | "opens">[]): Promise<void> {
  const values = await tools.source.valuesOf(holds.map(({ counter, opens }) => ({ counter, opens })));
  const parts = values.flatMap(({ start, end, used }) => [start, end, used]);
  const keys = [...tools.keysOf(values.map(({ counter }) => counter)), tools.beginningKey];
  await tools.run(seedScript, keys, [tools.graceMs, id, ...parts]);
}

/** Registers what is under way, each counter being set once before. */
async function adoptAll(tools: RebuildTools, id: string, open: readonly RedisReservation[]): Promise<void> {
  if (open.length === 0) return;
  const holds = new Map(open.flatMap((each) => each.holds.map((hold) => [hold.counter, hold] as const)));
  await seed(tools, id, [...holds.values()]);
  await Promise.all(open.map((each) => adopt(tools, id, each)));
}

async function adopt(tools: RebuildTools, known: string, reservation: RedisReservation): Promise<void> {
  const { id, holds, expiresAt } = reservation;
  const parts = holds.flatMap((hold) => [hold.amount, tools.lapseOf(hold, expiresAt)]);
  const keys = [...tools.reservationKeys(id, holds), tools.beginningKey];
  const answer = await tools.run(adoptScript, keys, [tools.graceMs, known, ...parts]);
  const numbers = answer as number[];
  if (numbers.length === 0) return;
  reservation.windows = holds.map((_hold, at) => ({ start: numbers[2 * at] ?? 0, end: numbers[2 * at + 1] ?? 0 }));
}

async function register({ run, beginningKey }: RebuildTools, id: string, by: 1 | -1): Promise<void> {
  await run(registeringScript, [beginningKey], [id, by]);
}

async function readBeginning({ run, beginningKey }: RebuildTools) {
  const [id = "", age = 0] = ((await run(beginningScript, [beginningKey], [])) ?? []) as [string?, number?];
  return { id, age };
}
