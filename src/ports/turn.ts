let end: Promise<void> | undefined;

/**
 * Resolves when all sockets that have something in this turn of the event loop have been read. What is done then is done for all
 * requests of the turn one after the other, a step of all before the next step of any: code that is not in the processor's caches is
 * fetched once a turn and not once a request, which is worth a sixth of a governed request (docs/performance.md). Costs a lone request
 * some microseconds.
 */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
}
