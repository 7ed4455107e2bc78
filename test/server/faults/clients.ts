import { setTimeout as after } from "node:timers/promises";

/** What clients saw while they asked. */
export interface ClientReport {
  /** Answers by status; 0 stands for a connection that failed. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Answers with status 200 that were whole. */
  readonly whole: number;
  /** The first few answers that were neither 200 nor expected, as text. */
  readonly samples: readonly string[];
}

/** Clients that ask until they are stopped. */
export interface Clients {
  /** Answers so far. */
  answered(): number;
  /** Whole answers so far. */
  whole(): number;
  stop(): Promise<ClientReport>;
}

/** What the clients are to do. */
interface ClientPlan {
  readonly count: number;
  /** Milliseconds between two calls of one client. */
  readonly pauseMs: number;
  /** Asks once; resolves with the answer. */
  ask(client: number): Promise<Response>;
}

/** Starts clients, each of which asks again when it was answered. */
export function startClients({ count, pauseMs, ask }: ClientPlan): Clients {
  const statuses = new Map<number, number>();
  const samples: string[] = [];
  let isStopped = false;
  let whole = 0;
  let answered = 0;
  const once = async (client: number) => {
    const { status, text } = await ask(client)
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .catch((error: Error) => ({ status: 0, text: String(error.cause ?? error) }));
    answered += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200 && text.includes('"choices"')) whole += 1;
    if (status !== 200 && samples.length < 5) samples.push(`${status} ${text.slice(0, 300)}`);
  };
  const loop = async (client: number) => {
    while (!isStopped) {
      await once(client);
      await after(pauseMs);
    }
  };
  const loops = Array.from({ length: count }, (_, client) => loop(client));
  return {
    answered: () => answered,
    whole: () => whole,
    async stop() {
      isStopped = true;
      await Promise.all(loops);
      return { statuses, whole, samples };
    },
  };
}
