import type { StoredTurn } from "../api/portal/turns.ts";
import { GatewayError } from "../errors.ts";
import type { Records } from "../ports/records.ts";
import type { Clock } from "../ports.ts";
import { createQueue, type Queue } from "./queue.ts";

/** Milliseconds after which a turn is taken from who has not given it back: its process may be gone. Clocks differ by less. */
const lapseMs = 60_000;

/** Milliseconds that another process's turn is waited for, and after which it is looked at again. */
const patienceMs = 30_000;
const againMs = 25;

/** Where turns are kept, and by what time. */
interface TurnGround {
  readonly records: Records;
  readonly clock: Clock;
}

/**
 * A queue of all processes over one store: work that looks at several records and then changes one is not mixed with other work under the
 * same name. Throws `store_unavailable` where another process does not give the turn back; after a death it lapses within a minute.
 */
export function createTurn({ records, clock }: TurnGround, name: string): Queue {
  const queue = createQueue();
  return (work) =>
    queue(async () => {
      const version = await take({ records, clock }, name);
      try {
        return await work();
      } finally {
        await giveBack(records, name, version);
      }
    });
}

/** Does what concerns one thing after the other; what concerns others does not wait. */
export type Turns = <Result>(thing: string, work: () => Promise<Result>) => Promise<Result>;

/** {@link createTurn} for each thing, forgotten once nobody waits. */
export function createTurns(ground: TurnGround): Turns {
  const lines = new Map<string, { readonly turn: Queue; waiting: number }>();
  return async (thing, work) => {
    const line = lines.get(thing) ?? { turn: createTurn(ground, thing), waiting: 0 };
    lines.set(thing, line);
    line.waiting++;
    try {
      return await line.turn(work);
    } finally {
      if (--line.waiting === 0) lines.delete(thing);
    }
  };
}

/** Resolves with the version of the turn's record, which is this process's until it lapses. */
async function take({ records, clock }: TurnGround, name: string): Promise<number> {
  const givesUpAt = clock.now() + patienceMs;
  for (;;) {
    const now = clock.now();
    const held = await records.get("turn", name);
    if (!held || held.record.lapses_at <= now) {
      const outcome = await records.put("turn", turnOf(name, now), held?.version ?? 0);
      if (outcome.kind === "stored") return outcome.version;
    }
    if (now >= givesUpAt) throw tooLong();
    await new Promise<void>((resolve) => clock.after(againMs, resolve));
  }
}

function turnOf(id: string, now: number): StoredTurn {
  const created_at = new Date(now).toISOString();
  return { id, created_at, reseller: null, client_id: null, lapses_at: now + lapseMs };
}

/** What cannot be given back lapses; the work is done all the same. */
async function giveBack(records: Records, name: string, version: number): Promise<void> {
  try {
    await records.remove("turn", name, version);
  } catch {}
}

function tooLong(): GatewayError {
  const message = "Another gateway of this store has begun such a change and not ended it: try again in a minute.";
  return new GatewayError("store_unavailable", message, { param: "store", retryAfterMs: lapseMs });
}
