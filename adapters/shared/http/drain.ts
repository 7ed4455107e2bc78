/** Milliseconds that a complete answer gets to end, so that its socket can be used again. */
const drainGraceMs = 1_000;

/** Reads the rest of a complete answer in the background; closes it when it does not end within the grace period. */
export function drainInBackground(pieces: AsyncIterator<unknown>): void {
  const giveUp = () => void pieces.return?.().catch(() => {}); // its result is not awaited either
  const timer = setTimeout(giveUp, drainGraceMs);
  const drain = async () => {
    while (!(await pieces.next()).done);
  };
  drain()
    .catch(() => {}) // the answer was complete before
    .finally(() => clearTimeout(timer));
}
