import { createQueue, type Queue } from "../../../src/portal/queue.ts";

/** Does what concerns one thing after the other, in the order in which it was asked for; what concerns others does not wait. */
export type Turns = <Result>(thing: string, work: () => Promise<Result>) => Promise<Result>;

/** Turns of this process: a queue for each thing, forgotten once nobody waits. */
export function createTurns(): Turns {
  const lines = new Map<string, { readonly queue: Queue; waiting: number }>();
  return async (thing, work) => {
    const line = lines.get(thing) ?? { queue: createQueue(), waiting: 0 };
    lines.set(thing, line);
    line.waiting++;
    try {
      return await line.queue(work);
    } finally {
      if (--line.waiting === 0) lines.delete(thing);
    }
  };
}
