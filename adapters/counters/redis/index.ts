import type { CounterReading, Counters } from "../../../src/engine/ports/counters.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import { createBackoffGuard } from "../../shared/backoff-guard.ts";
import { type Checks, checkedOptions, durationUpTo, msOf, text } from "../../shared/options.ts";
import { inWords, toWords } from "../../shared/redis/fault.ts";
import { createRetryingRunner } from "../../shared/redis/retrying-runner.ts";
import { createRunner, type RedisClient } from "../../shared/redis/runner.ts";
import type { TimeSource } from "./clock.ts";
import { type CountingStore, end, keysOf, rebuildFrom, reserve, stopWatching } from "./reservations.ts";
import { readScript } from "./scripts.ts";
import { redisSlots } from "./slots.ts";

export type { RedisClient } from "../../shared/redis/runner.ts";

/** Where the counts are kept. */
export interface RedisCountersOptions {
  /** A connected client of `redis` or `@redis/client`, version 6, or what has the same two methods. It stays the caller's, who closes it. */
  readonly client: RedisClient;
  /**
   * What the names of all keys begin with, `{tollgate}:` by default. Engines with the same prefix count together. The part in braces
   * keeps the keys of a call on one node of a cluster, where it is needed.
   */
  readonly prefix?: string | undefined;
  /**
   * What a process had reserved when it died is given back when the ticket expires, a minute after the call's deadline. What hard
   * budgets had reserved may have been spent, and no ledger knows it: it stays for so much longer, in milliseconds or as text, 0 by default. A year, the
   * most, holds it until the window ends, so that no death of a process lets a budget be passed.
   */
  readonly hardLapseMs?: Duration | undefined;
  /**
   * Whose time moves the windows: that of the server (the default), so that a process whose clock is wrong neither resets a window nor
   * keeps it; or that of the `caller`, for tests with a clock of their own.
   */
  readonly time?: TimeSource | undefined;
}

const longestLapseMs = 366 * 86_400_000;

const checks: Checks<RedisCountersOptions> = {
  client: [(client) => isClient(client), "a client of redis, with `eval` and `evalSha`"],
  prefix: text,
  time: [(time) => time === "server" || time === "caller", "`server` or `caller`"],
  hardLapseMs: durationUpTo(longestLapseMs, "a year"),
};

function isClient(value: unknown): boolean {
  const { eval: byText, evalSha } = Object(value);
  return typeof byText === "function" && typeof evalSha === "function";
}

/** Milliseconds that a call waits to be counted. */
const timeoutMs = 5_000;

/**
 * Counters in a Redis server (tested with 7.0), which all engines that use it share, and which outlive them: a reservation, and its
 * end, is one script. Nothing passes uncounted: while the server is out of reach, calls with a limit wait five seconds and are refused
 * with `store_unavailable`. A script whose answer is lost is sent again, and counts once.
 */
export function redisCounters(options: RedisCountersOptions): Counters {
  const of = { of: "redisCounters", needs: ["client"] } as const;
  const { client, prefix = "{tollgate}:", hardLapseMs: lapse, time = "server" } = checkedOptions(options, checks, of);
  const hardLapseMs = msOf(lapse, 0);
  const { run, rest } = createRetryingRunner(client);
  const look = createRunner(client); // without retries: a reader can read again
  const guard = createBackoffGuard({ what, timeoutMs, isAwaited: true });
  const store: CountingStore = { run, prefix, time, hardLapseMs, rebuilding: undefined, present: 0, watch: undefined };
  return {
    slots: redisSlots({ run }, { prefix, what, time }),
    rebuildFrom(source) {
      rebuildFrom(store, source);
    },
    async reserve(call) {
      let requested: ReturnType<typeof reserve> | undefined;
      try {
        return await guard(call.now, () => {
          requested = reserve(store, call);
          return requested;
        });
      } catch (thrown) {
        requested?.then((late) => late.kind === "reserved" && end(store, late)).catch(() => {});
        throw toWords(what, thrown);
      }
    },
    settle: (reservation, real) =>
      inWords(what, async () => ({ isFirst: await end(store, reservation, real), values: [] })),
    release: (reservation) => inWords(what, () => end(store, reservation)),
    async read(counters, now) {
      const readings = await inWords(what, () => look(readScript, keysOf(store, counters), [now, time]));
      return counters.map((counter, position) => readReading(counter, (readings as (number[] | null)[])[position]));
    },
    async close() {
      stopWatching(store);
      await rest();
    },
  };
}

/** As errors call them. */
const what = "The Redis server of the counters";

function readReading(counter: string, numbers: readonly number[] | null | undefined): CounterReading | undefined {
  if (!numbers) return undefined;
  const [start, end, used, reserved] = numbers as [number, number, number, number];
  return { counter, start, end, used, reserved };
}
