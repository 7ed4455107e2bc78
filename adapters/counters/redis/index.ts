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
}

/** A ticket with what ends it. */
interface RedisTicket extends Ticket {
  readonly holds: readonly Hold[];
}

const checks: Checks<RedisCountersOptions> = {
  client: [(client) => isClient(client), "a client of redis, with `eval` and `evalSha`"],
  prefix: text,
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
  const { client, prefix = "{tollgate}:" } = given(options, checks, { of: "redisCounters", needs: ["client"] });
  const { run, rest } = createSteadyRunner(client);
  const look = createRunner(client); // whoever only looks may look again
  const guard = createGuard({ what, patienceMs, isAwaited: true });
  const keysOf = (counters: readonly string[]) => {
    return counters.flatMap((counter) => [`${prefix}${counter}`, `${prefix}${counter}:soft`]);
  };
  const ticketKey = (id: string) => `${prefix}ticket/${id}`;
  const reserve = async (call: ReserveCall): Promise<RedisTicket | Shortfall> => {
    const { ticket, holds, now, expiresAt } = call;
    const keys = [ticketKey(ticket), ...keysOf(holds.map(({ counter }) => counter))];
    const parts = holds.flatMap((hold) => {
      return [hold.amount, hold.limit, hold.opens.start, hold.opens.end, kindOf(hold)];
    });
    const { answer } = await run(reserveScript, keys, [now, expiresAt, graceMs, ...parts]);
    return readReservation(call, answer as number[]);
  };
  const end = async (ticket: Ticket, real?: readonly number[]): Promise<boolean> => {
    const { id, held, holds } = ticket as RedisTicket; // made by `reserve` above: the port asks for the very object
    const keys = [ticketKey(id), ...keysOf(held.map(({ counter }) => counter))];
    const parts = held.flatMap(({ amount, window }, position) => {
      return [amount, kindOf(holds[position]), window.start, window.end, real?.[position] ?? 0];
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

function kindOf(hold: Hold | undefined): "hard" | "soft" {
  return hold?.isHard ? "hard" : "soft";
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
