let end: Promise<void> | undefined;
/** True while what waited for the end of a turn runs up to its next wait. */
let isEnding = false;
const late: (() => void)[] = [];

/**
 * Resolves when all sockets that have something in this turn of the event loop have been read. What is done then is done for all
 * requests of the turn together, a step of all before the next step of any: code that is not in the processor's caches is fetched once
 * a turn and not once a request (docs/performance.md).
 */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      isEnding = true;
      resolve();
    });
    setImmediate(runLate);
  });
  return end;
}

/** Runs `work` when what waits for {@link turnEnd} has run up to its next wait, in the same turn where that is under way. */
export function afterTurnEnd(work: () => void): void {
  if (isEnding) late.push(work);
  else setImmediate(work);
}

function runLate(): void {
  isEnding = false;
  try {
    for (let work = late.shift(); work; work = late.shift()) work();
  } finally {
    if (late.length > 0) setImmediate(runLate); // one has thrown; the others are not to blame
  }
}
