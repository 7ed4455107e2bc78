const names = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "Date",
  "fetch",
];

/** What tests put something else in place of, as it was before the first of them. */
export const genuine = Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)]));

/** What is left to be undone when the tests of the present file are over. */
const undone: (() => unknown)[] = [];

/**
 * Does something when the tests of the present file are over. In place of `afterAll` at the top of a module that several files import:
 * the files of a worker share their modules, so that such a hook would be there for the first of them alone.
 */
export function afterFile(work: () => unknown): void {
  undone.push(work);
}

/** Does what was asked for, the last first. */
export async function endFile(): Promise<void> {
  for (const work of undone.splice(0).reverse()) await work();
}
