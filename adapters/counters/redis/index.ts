import type {
  CounterReading,
  CounterReservation,
  Counters,
  Hold,
  ReserveCall,
  Shortfall,
} from "../../../src/ports/counters.ts";
import { createBackoffGuard } from "../../shared/backoff-guard.ts";
import { type Checks, checkedOptions, text } from "../../shared/options.ts";
import { inWords, toWords } from "../../shared/redis/fault.ts";
import { createRetryingRunner } from "../../shared/redis/retrying-runner.ts";
import { createRunner, type RedisClient } from "../../shared/redis/runner.ts";
import { endScript, readScript, reserveScript } from "./scripts.ts";
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
   * What a process had reserved when it died is given back when the ticket expires, a minute after the call's deadline; what hard
   * budgets had reserved stays until their window ends, because it may have been spent. With this it is given back too, so many
   * milliseconds after the ticket expired: a hard budget may then be passed by what such calls had spent.
   */
  readonly hardLapseMs?: number | undefined;
}

/** A ticket with what ends it. */
interface RedisReservation extends CounterReservation {
  readonly holds: readonly Hold[];
}

const longestLapseMs = 366 * 86_400_000;

const checks: Checks<RedisCountersOptions> = {
  client: [(client) => isClient(client), "a client of redis, with `eval` and `evalSha`"],
  prefix: text,
  hardLapseMs: [
    (ms) => typeof ms === "number" && ms >= 0 && ms <= longestLapseMs,
    "milliseconds, at most a year of them",
  ],
};

function isClient(value: unknown): boolean {
  const { eval: byText, evalSha } = Object(value);
  return typeof byText === "function" && typeof evalSha === "function";
}

/** Milliseconds that a call waits to be counted. */
const timeoutMs = 5_000;

/** Milliseconds for which keys outlive their window, for calls that end late and for clocks that differ. */
const graceMs = 3_600_000;

/**
 * Counters in a Redis server (tested with 7.0), which all engines that use it share, and which outlive them: a reservation, and its
 * end, is one script. Nothing passes uncounted: while the server is out of reach, calls with a limit wait five seconds and are refused
 * with `store_unavailable`. A script whose answer is lost is sent again, and counts once.
 */
export function redisCounters(options: RedisCountersOptions): Counters {
  const of = { of: "redisCounters", needs: ["client"] } as const;
  const { client, prefix = "{tollgate}:", hardLapseMs } = checkedOptions(options, checks, of);
  const { run, rest } = createRetryingRunner(client);
  const look = createRunner(client); // without retries: a reader can read again
  const guard = createBackoffGuard({ what, timeoutMs, isAwaited: true });
  const keysOf = (counters: readonly string[]) => {
    return counters.flatMap((counter) => [`${prefix}${counter}`, `${prefix}${counter}:soft`]);
  };
  /** Milliseconds after the ticket's expiry; undefined for what stays. */
  const lapseOf = (hold: Hold | undefined) => (hold?.isHard ? hardLapseMs : 0);
  const reservationKey = (id: string) => `${prefix}ticket/${id}`;
  const reserve = async (call: ReserveCall): Promise<RedisReservation | Shortfall> => {
    const { reservationId: reservation, holds, now, expiresAt } = call;
    const keys = [reservationKey(reservation), ...keysOf(holds.map(({ counter }) => counter))];
    const parts = holds.flatMap((hold) => partsOf(hold, lapseOf(hold), expiresAt));
    const { answer } = await run(reserveScript, keys, [now, expiresAt, graceMs, ...parts]);
    return readReservation(call, answer as number[]);
  };
  const end = async (reservation: CounterReservation, real?: readonly number[]): Promise<boolean> => {
    const { id, held, holds } = reservation as RedisReservation; // made by `reserve` above: the port asks for the very object
    const keys = [reservationKey(id), ...keysOf(held.map(({ counter }) => counter))];
    const parts = held.flatMap(({ amount, window }, position) => {
      return [amount, lapseOf(holds[position]) === undefined ? 0 : 1, window.start, window.end, real?.[position] ?? 0];
    });
    const { answer, isAgain } = await run(endScript, keys, parts);
    return answer === 1 || isAgain; // the time before, whose answer was lost
  };
  return {
    slots: redisSlots({ run }, prefix, what),
    async reserve(call) {
      let requested: ReturnType<typeof reserve> | undefined;
      try {
        return await guard(call.now, () => {
          requested = reserve(call);
          return requested;
        });
      } catch (thrown) {
        requested?.then((late) => late.kind === "reserved" && end(late)).catch(() => {});
        throw toWords(what, thrown);
      }
    },
    settle: (reservation, real) => inWords(what, async () => ({ isFirst: await end(reservation, real), values: [] })),
    release: (reservation) => inWords(what, () => end(reservation)),
    async read(counters, now) {
      const readings = await inWords(what, () => look(readScript, keysOf(counters), [now]));
      return counters.map((counter, position) => readReading(counter, (readings as (number[] | null)[])[position]));
    },
    close: rest,
  };
}

/** As errors call them. */
const what = "The Redis server of the counters";

/** The script's arguments for a hold; `lapse` in milliseconds after the reservation's expiry. */
function partsOf({ amount, limit, opens }: Hold, lapse: number | undefined, expiresAt: number): (number | string)[] {
  return [amount, limit, opens.start, opens.end, lapse === undefined ? "" : expiresAt + lapse];
}

/** `0, position, left, end` for a refusal, else 1 and three numbers for each hold. */
function readReservation(
  { reservationId: reservation, holds, expiresAt }: ReserveCall,
  answer: readonly number[],
): RedisReservation | Shortfall {
  const [isReservation, ...numbers] = answer;
  const at = (context: number) => numbers[context] as number;
  if (isReservation === 0) return { kind: "shortfall", position: at(0), left: at(1), resetsAt: at(2) };
  const held = holds.map(({ counter, amount }, position) => {
    const context = 3 * position;
    return { counter, amount, window: { start: at(context), end: at(context + 1) }, left: at(context + 2) };
  });
  return { kind: "reserved", id: reservation, expiresAt, held, holds };
}

function readReading(counter: string, numbers: readonly number[] | null | undefined): CounterReading | undefined {
  if (!numbers) return undefined;
  const [start, end, used, reserved] = numbers as [number, number, number, number];
  return { counter, start, end, used, reserved };
}
