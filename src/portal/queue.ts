/** Does one thing after the other. */
export type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A queue of its own: work that looks at several records and then changes one is not mixed with other such work of this process. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
