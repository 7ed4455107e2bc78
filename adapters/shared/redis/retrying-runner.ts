import pRetry from "p-retry";
import { isPassing } from "./fault.ts";
import { createRunner, type RedisClient, type RunScript } from "./runner.ts";

/** What a script answered. */
export interface ScriptResult {
  readonly answer: unknown;
  /** It was sent more than once: an earlier time may have done what this one found done. */
  readonly isAgain: boolean;
}

/** Runs scripts until they are answered. */
export interface RetryingRunner {
  /** Rejects with what cannot pass, or after an hour without an answer. */
  run(...call: Parameters<RunScript>): Promise<ScriptResult>;
  /** When nothing waits to be sent again. */
  rest(): Promise<void>;
}

/** Between two tries, in milliseconds: 1, 4, 16 … 5,000. A client that has lost its connection keeps the next try until it has another. */
const pauses = { minTimeout: 1, factor: 4, maxTimeout: 5_000 };
/** Milliseconds. */
const longest = 3_600_000;

/**
 * A runner of scripts that do nothing when they are run a second time. One whose answer is lost with the connection, or that the
 * server could not run just then, is sent again. Most are answered at once, so p-retry sees the first try only after it failed.
 */
export function createRetryingRunner(client: RedisClient): RetryingRunner {
  const run = createRunner(client);
  const waiting = new Set<Promise<unknown>>();
  const isWorthIt = (thrown: unknown) => isPassing(thrown) && client.isOpen !== false;
  const sendAgain = async (failed: unknown, call: Parameters<RunScript>): Promise<unknown> => {
    const answer = pRetry((tries) => (tries === 1 ? Promise.reject(failed) : run(...call)), {
      ...pauses,
      retries: Number.POSITIVE_INFINITY,
      maxRetryTime: longest,
      unref: true,
      shouldRetry: ({ error }) => isWorthIt(error),
    });
    waiting.add(answer);
    return await answer.finally(() => waiting.delete(answer));
  };
  return {
    async run(...call) {
      try {
        return { answer: await run(...call), isAgain: false };
      } catch (thrown) {
        if (!isWorthIt(thrown)) throw thrown;
        return { answer: await sendAgain(thrown, call), isAgain: true };
      }
    },
    async rest() {
      while (waiting.size > 0) await Promise.allSettled(waiting);
    },
  };
}
