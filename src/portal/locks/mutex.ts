/** Runs work one after the other. */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns a queue: work that reads several records and then changes one does not interleave with other such work of this process. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
