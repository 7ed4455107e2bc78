let end: Promise<void> | undefined;
/** True while the work at a turn's end runs up to its next wait. */
let isEnding = false;
/** What is left to the end of a turn, and to the moment when no promise is ready any more. */
const late: (() => void)[] = [];
const settled: (() => void)[] = [];

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

/** Runs `work` when all promises that are ready have gone on, so that what the requests of a turn send is sent one behind the other. */
export function afterPromises(work: () => void): void {
  if (settled.push(work) === 1) process.nextTick(runSettled);
}

function runLate(): void {
  isEnding = false;
  runAll(late, setImmediate, runLate);
}

function runSettled(): void {
  runAll(settled, process.nextTick, runSettled);
}

/** Runs all of them, including those added meanwhile; one that throws must not prevent the others. */
function runAll(deps: (() => void)[], schedule: (work: () => void) => unknown, again: () => void): void {
  try {
    for (let work = deps.shift(); work; work = deps.shift()) work();
  } finally {
    if (deps.length > 0) schedule(again);
  }
}
