import { appendFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Engine } from "../../http/create-engine.ts";

/** Pairs that wait to be written; further ones are dropped, since a slow disk must not fill the memory. */
const mostWaiting = 1_000;

/** The engine to watch, where its pairs go, and the log for a file that cannot be written. */
interface PairLogOptions {
  readonly engine: Engine;
  /** The file of now; `undefined` where no pairs are recorded. */
  file(): string | undefined;
  readonly log: Logger;
}

/**
 * Appends the two questions of each semantic hit, and of each that would have been one, to a file of JSON lines that only its owner can
 * read: `tollgate cache review` shows them. A failure is logged once until a line is written again.
 */
export function recordPairs({ engine, file, log }: PairLogOptions): void {
  let waiting = 0;
  let hasFailed = false;
  let last: Promise<void> = Promise.resolve();
  engine.on("cache", ({ result, pair, similarity }) => {
    const path = file();
    if (path === undefined || pair === undefined || similarity === undefined || waiting >= mostWaiting) return;
    const [known, asked] = pair;
    const line = `${JSON.stringify({ result, similarity, known, asked })}\n`;
    waiting++;
    last = last
      .then(() => appendFile(path, line, { mode: 0o600 }))
      .then(
        () => {
          hasFailed = false;
        },
        (error: Error) => {
          if (!hasFailed) log.warn({ file: path }, `pairs of questions are not recorded: ${error.message}`);
          hasFailed = true;
        },
      )
      .finally(() => {
        waiting--;
      });
  });
}
