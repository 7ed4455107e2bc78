/** The fields of an object that are not `undefined`. */
export type Present<T extends object> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** Returns the object without its `undefined` fields. */
export function onlyPresent<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Present<T>; // by the filter
}
