/** Asynchronous methods of an object that is made when the first of them is called. */
export function lateMethods<Target extends object, Name extends keyof Target>(
  load: () => Promise<Target>,
  names: readonly Name[],
): Pick<Target, Name> {
  const methods = names.map((name) => [
    name,
    async (...asked: unknown[]) => {
      const target = await load();
      return (target[name] as (...asked: unknown[]) => unknown)(...asked);
    },
  ]);
  return Object.fromEntries(methods) as Pick<Target, Name>; // one method for each name
}
