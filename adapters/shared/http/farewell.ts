/** Milliseconds that an answer which has said its last word gets to end, so that its socket can be used again. */
const farewell = 1_000;

/** Reads what is left of a complete answer, which nobody waits for; closes it when that does not end soon. */
export function letEnd(pieces: AsyncIterator<unknown>): void {
  const giveUp = () => void pieces.return?.().catch(() => {}); // nobody waits for that either
  const timer = setTimeout(giveUp, farewell);
  const drain = async () => {
    while (!(await pieces.next()).done);
  };
  drain()
    .catch(() => {}) // the answer was complete before
    .finally(() => clearTimeout(timer));
}
