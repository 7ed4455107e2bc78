/** Longer words than any name has are compared with nothing: the work grows with the square of the length. */
const longestWord = 200;

/**
 * The candidate that was probably meant: at most a third of its characters are off, and no more than `most`; `undefined` when none is
 * near.
 */
export function findSimilar(word: string, candidates: Iterable<string>, most = Infinity): string | undefined {
  return listSimilar(word, candidates, { most })[0];
}

/** The candidates that were probably meant, the nearest first, at most `count` of them. */
export function listSimilar(
  word: string,
  candidates: Iterable<string>,
  { most = Infinity, count = 3 }: { readonly most?: number; readonly count?: number } = {},
): readonly string[] {
  if (word.length > longestWord) return [];
  const wanted = word.toLowerCase();
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of candidates) {
    const allowed = Math.min(most, Math.max(1, Math.floor(Math.max(name.length, wanted.length) / 3)));
    if (Math.abs(name.length - wanted.length) > allowed) continue;
    const distance = countEdits(wanted, name.toLowerCase());
    if (distance <= allowed) near.push({ name, distance });
  }
  return near
    .sort((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** The end of a message about an unknown word: `; did you mean …?`, or nothing where no candidate is near. */
export function suggest(word: string, candidates: Iterable<string>): string {
  const similar = findSimilar(word, candidates);
  return similar === undefined ? "" : `; did you mean \`${similar}\`?`;
}

/** Ends a message with a full stop, where it is no question. */
export function asSentence(message: string): string {
  return message.endsWith("?") ? message : `${message}.`;
}

/** Letters to add, drop, change or swap with their neighbour to make one word of the other. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, position) => position);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const changed = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwap ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity;
      current[column] = Math.min(changed, swapped, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
