/** The results of `ask` for each item, in the items' order, with at most `width` asked at a time; the first failure ends it. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  ask: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  let hasFailed = false;
  async function deadline(): Promise<void> {
    while (next < items.length && !hasFailed) {
      const at = next++;
      try {
        results[at] = await ask(items[at] as Item);
      } catch (thrown) {
        hasFailed = true;
        throw thrown;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, deadline));
  return results;
}
