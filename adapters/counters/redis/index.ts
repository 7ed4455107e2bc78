import type { Counters, Hold, Reading, ReserveCall, Shortfall, Ticket } from "../../../src/ports/counters.ts";
import { createGuard } from "../../shared/guard.ts";
import { type Checks, given, text } from "../../shared/options.ts";
import { inWords, toWords } from "../../shared/redis/fault.ts";
import { createRunner, type RedisClient } from "../../shared/redis/runner.ts";
import { createSteadyRunner } from "../../shared/redis/steady.ts";
import { endScript, readScript, reserveScript } from "./scripts.ts";

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
interface RedisTicket extends Ticket {
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
const patienceMs = 5_000;

/** Milliseconds for which keys outlive their window, for calls that end late and for clocks that differ. */
const graceMs = 3_600_000;

/**
 * Counters in a Redis server (tested with 7.0), which all engines that use it share, and which outlive them: a reservation, and its
 * end, is one script. Nothing passes uncounted: while the server is out of reach, calls with a limit wait five seconds and are refused
 * with `store_unavailable`. A script whose answer is lost is sent again, and counts once.
 */
export function redisCounters(options: RedisCountersOptions): Counters {
  const of = { of: "redisCounters", needs: ["client"] } as const;
  const { client, prefix = "{tollgate}:", hardLapseMs } = given(options, checks, of);
  const { run, rest } = createSteadyRunner(client);
  const look = createRunner(client); // whoever only looks may look again
  const guard = createGuard({ what, patienceMs, isAwaited: true });
  const keysOf = (counters: readonly string[]) => {
    return counters.flatMap((counter) => [`${prefix}${counter}`, `${prefix}${counter}:soft`]);
  };
  /** Milliseconds after the ticket's expiry; undefined for what stays. */
  const lapseOf = (hold: Hold | undefined) => (hold?.isHard ? hardLapseMs : 0);
  const ticketKey = (id: string) => `${prefix}ticket/${id}`;
  const reserve = async (call: ReserveCall): Promise<RedisTicket | Shortfall> => {
    const { ticket, holds, now, expiresAt } = call;
    const keys = [ticketKey(ticket), ...keysOf(holds.map(({ counter }) => counter))];
    const parts = holds.flatMap((hold) => partsOf(hold, lapseOf(hold), expiresAt));
    const { answer } = await run(reserveScript, keys, [now, expiresAt, graceMs, ...parts]);
    return readReservation(call, answer as number[]);
  };
  const end = async (ticket: Ticket, real?: readonly number[]): Promise<boolean> => {
    const { id, held, holds } = ticket as RedisTicket; // made by `reserve` above: the port asks for the very object
    const keys = [ticketKey(id), ...keysOf(held.map(({ counter }) => counter))];
    const parts = held.flatMap(({ amount, window }, position) => {
      return [amount, lapseOf(holds[position]) === undefined ? 0 : 1, window.start, window.end, real?.[position] ?? 0];
    });
    const { answer, isAgain } = await run(endScript, keys, parts);
    return answer === 1 || isAgain; // the time before, whose answer was lost
  };
  return {
    async reserve(call) {
      let asked: ReturnType<typeof reserve> | undefined;
      try {
        return await guard(call.now, () => {
          asked = reserve(call);
          return asked;
        });
      } catch (thrown) {
        asked?.then((late) => late.kind === "ticket" && end(late)).catch(() => {});
        throw toWords(what, thrown);
      }
    },
    settle: (ticket, real) => inWords(what, async () => ({ isFirst: await end(ticket, real), standings: [] })),
    release: (ticket) => inWords(what, () => end(ticket)),
    async read(counters, now) {
      const readings = await inWords(what, () => look(readScript, keysOf(counters), [now]));
      return counters.map((counter, position) => readReading(counter, (readings as (number[] | null)[])[position]));
    },
    close: rest,
  };
}

/** As errors call them. */
const what = "The Redis server of the counters";

/** What the script is told of a hold; `lapse` in milliseconds after the ticket's expiry. */
function partsOf({ amount, limit, opens }: Hold, lapse: number | undefined, expiresAt: number): (number | string)[] {
  return [amount, limit, opens.start, opens.end, lapse === undefined ? "" : expiresAt + lapse];
}

/** `0, position, left, end` for a refusal, else 1 and three numbers for each hold. */
function readReservation(
  { ticket, holds, expiresAt }: ReserveCall,
  answer: readonly number[],
): RedisTicket | Shortfall {
  const [isTicket, ...numbers] = answer;
  const at = (place: number) => numbers[place] as number;
  if (isTicket === 0) return { kind: "shortfall", position: at(0), left: at(1), resetsAt: at(2) };
  const held = holds.map(({ counter, amount }, position) => {
    const place = 3 * position;
    return { counter, amount, window: { start: at(place), end: at(place + 1) }, left: at(place + 2) };
  });
  return { kind: "ticket", id: ticket, expiresAt, held, holds };
}

function readReading(counter: string, numbers: readonly number[] | null | undefined): Reading | undefined {
  if (!numbers) return undefined;
  const [start, end, used, reserved] = numbers as [number, number, number, number];
  return { counter, start, end, used, reserved };
}
