/** The candidate that was probably meant: at most a third of its letters are off, and no more than `most`; `undefined` when none is near. */
export function findSimilar(word: string, candidates: Iterable<string>, most = Infinity): string | undefined {
  const asked = word.toLowerCase();
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const distance = countEdits(asked, name.toLowerCase());
    const isNear = distance <= Math.min(most, Math.max(1, Math.floor(Math.max(name.length, asked.length) / 3)));
    if (isNear && distance < (nearest?.distance ?? Infinity)) nearest = { name, distance };
  }
  return nearest?.name;
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
