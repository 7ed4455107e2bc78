/** Does what concerns one thing after the other, in the order in which it was asked for; what concerns others does not wait. */
export type Turns = <Result>(thing: string, work: () => Promise<Result>) => Promise<Result>;

/** Turns of this process; they are forgotten once nobody waits. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return (thing, work) => {
    const done = (last.get(thing) ?? Promise.resolve()).then(work);
    const over = done
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (last.get(thing) === over) last.delete(thing);
      });
    last.set(thing, over);
    return done;
  };
}
